#include <algorithm>
#include <utility>

#include "passes/passes.h"
#include "passes/uses.h"

namespace ripc {
namespace {

/// Calls `visit` with a reference to every tensor id of `op`.
template <typename Visit>
void for_each_tensor(Op& op, Visit visit) {
  for (TensorId& input : op.inputs) visit(input);
  visit(op.output);
  std::visit(
      [&](auto& kind) {
        if constexpr (requires { kind.weights; }) {
          visit(kind.weights);
          if (kind.bias != kNoTensor) visit(kind.bias);
        }
        if constexpr (requires { kind.constant; }) {
          if (kind.constant != kNoTensor) visit(kind.constant);
        }
        if constexpr (requires { kind.constants; }) {
          for (TensorId& id : kind.constants) visit(id);
        }
      },
      op.kind);
}

void drop_dead_ops(Graph& graph) {
  const std::vector<Use> uses = uses_of(graph);
  const auto state_of = [&](TensorId id) {
    return graph.tensors[static_cast<std::size_t>(storage_of(graph, id))].state;
  };
  std::vector<OpId> state_writer(graph.states.size(), -1);
  for (std::size_t i = 0; i < graph.ops.size(); ++i) {
    const StateId written = state_of(graph.ops[i].output);
    if (written != kNoState) state_writer[static_cast<std::size_t>(written)] = static_cast<OpId>(i);
  }
  std::vector<bool> needed(graph.ops.size(), false);
  std::vector<OpId> open;
  const auto need = [&](OpId op) {
    if (op < 0 || needed[static_cast<std::size_t>(op)]) return;
    needed[static_cast<std::size_t>(op)] = true;
    open.push_back(op);
  };
  for (const TensorId output : graph.outputs) need(uses[static_cast<std::size_t>(storage_of(graph, output))].writer);
  while (!open.empty()) {
    const Op& op = graph.ops[static_cast<std::size_t>(open.back())];
    open.pop_back();
    for (const TensorId input : op.inputs) {
      need(uses[static_cast<std::size_t>(storage_of(graph, input))].writer);
      // The writer of a state that is read may come after the reader.
      if (state_of(input) != kNoState) need(state_writer[static_cast<std::size_t>(state_of(input))]);
    }
  }
  std::vector<Op> kept;
  for (std::size_t i = 0; i < needed.size(); ++i) {
    if (needed[i]) kept.push_back(std::move(graph.ops[i]));
  }
  graph.ops = std::move(kept);
}

/// Removes the tensors that nothing refers to and renumbers the rest, in their order.
void drop_dead_tensors(Graph& graph) {
  std::vector<bool> live(graph.tensors.size(), false);
  const auto mark = [&](TensorId id) {
    live[static_cast<std::size_t>(id)] = true;
    live[static_cast<std::size_t>(storage_of(graph, id))] = true;
  };
  for (const TensorId input : graph.inputs) mark(input);
  for (const TensorId output : graph.outputs) mark(output);
  for (Op& op : graph.ops) for_each_tensor(op, mark);

  std::vector<TensorId> number(graph.tensors.size(), kNoTensor);
  std::vector<Tensor> kept;
  for (std::size_t id = 0; id < live.size(); ++id) {
    if (!live[id]) continue;
    number[id] = static_cast<TensorId>(kept.size());
    kept.push_back(std::move(graph.tensors[id]));
  }
  const auto renumber = [&](TensorId& id) { id = number[static_cast<std::size_t>(id)]; };
  for (Tensor& tensor : kept) {
    if (tensor.alias_of != kNoTensor) renumber(tensor.alias_of);
  }
  for (Op& op : graph.ops) for_each_tensor(op, renumber);
  for (TensorId& input : graph.inputs) renumber(input);
  for (TensorId& output : graph.outputs) renumber(output);
  graph.tensors = std::move(kept);
}

/// Removes the states that no tensor or operator has and renumbers the rest.
void drop_dead_states(Graph& graph) {
  std::vector<StateId> number(graph.states.size(), kNoState);
  const auto mark = [&](StateId id) {
    if (id != kNoState) number[static_cast<std::size_t>(id)] = 0;
  };
  for (const Tensor& tensor : graph.tensors) mark(tensor.state);
  for (const Op& op : graph.ops) mark(own_state(op));
  std::vector<State> kept;
  for (std::size_t id = 0; id < number.size(); ++id) {
    if (number[id] == kNoState) continue;
    number[id] = static_cast<StateId>(kept.size());
    kept.push_back(std::move(graph.states[id]));
  }
  const auto renumber = [&](StateId& id) {
    if (id != kNoState) id = number[static_cast<std::size_t>(id)];
  };
  for (Tensor& tensor : graph.tensors) renumber(tensor.state);
  for (Op& op : graph.ops) {
    std::visit(
        [&](auto& kind) {
          if constexpr (requires { kind.state; }) renumber(kind.state);
        },
        op.kind);
  }
  graph.states = std::move(kept);
}

}  // namespace

Graph drop_dead(Graph graph) {
  drop_dead_ops(graph);
  drop_dead_tensors(graph);
  drop_dead_states(graph);
  return graph;
}

}  // namespace ripc
