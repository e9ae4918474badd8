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
      },
      op.kind);
}

void drop_dead_ops(Graph& graph) {
  std::vector<bool> live(graph.tensors.size(), false);
  const auto storage = [&](TensorId id) { return static_cast<std::size_t>(storage_of(graph, id)); };
  for (const TensorId output : graph.outputs) live[storage(output)] = true;
  std::vector<Op> kept;
  for (auto op = graph.ops.rbegin(); op != graph.ops.rend(); ++op) {
    if (!live[storage(op->output)]) continue;
    for (const TensorId input : op->inputs) live[storage(input)] = true;
    kept.push_back(std::move(*op));
  }
  std::ranges::reverse(kept);
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

}  // namespace

Graph drop_dead(Graph graph) {
  drop_dead_ops(graph);
  drop_dead_tensors(graph);
  return graph;
}

}  // namespace ripc
