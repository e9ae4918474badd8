#include <algorithm>
#include <utility>

#include "passes/passes.h"

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
  std::vector<bool> live(graph.tensors.size(), false);
  const auto storage = [&](TensorId id) { return static_cast<std::size_t>(storage_of(graph, id)); };
  std::vector<bool> live_states(graph.states.size(), false);
  for (const TensorId output : graph.outputs) live[storage(output)] = true;
  std::vector<bool> needed(graph.ops.size(), false);
  // A state that is read makes its writer live, which may come after the reader: hence again, until nothing changes.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = graph.ops.size(); i-- > 0;) {
      const Op& op = graph.ops[i];
      const StateId written = graph.tensors[storage(op.output)].state;
      const bool feeds_state = written != kNoState && live_states[static_cast<std::size_t>(written)];
      if (needed[i] || (!live[storage(op.output)] && !feeds_state)) continue;
      needed[i] = changed = true;
      for (const TensorId input : op.inputs) {
        live[storage(input)] = true;
        const StateId read = graph.tensors[storage(input)].state;
        if (read != kNoState) live_states[static_cast<std::size_t>(read)] = true;
      }
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
