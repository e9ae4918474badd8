#include <algorithm>
#include <utility>

#include "passes/passes.h"
#include "passes/uses.h"

namespace ripc {
namespace {

/// The operator that writes the bytes of `copy`'s input, if it may write them to the state itself; -1 otherwise.
OpId direct_writer(const Graph& graph, const Op& copy, const std::vector<Use>& uses) {
  const TensorId source = storage_of(graph, copy.inputs[0]);
  const Use& use = uses[static_cast<std::size_t>(source)];
  const Tensor& tensor = graph.tensors[static_cast<std::size_t>(source)];
  if (use.writer < 0 || use.is_output || tensor.state != kNoState) return -1;
  const StateId state = graph.tensors[static_cast<std::size_t>(copy.output)].state;
  for (std::size_t id = 0; id < graph.tensors.size(); ++id) {
    if (graph.tensors[id].state != state || static_cast<TensorId>(id) == copy.output) continue;
    const std::vector<OpId>& readers = uses[id].readers;
    if (std::ranges::any_of(readers, [&](OpId reader) { return reader >= use.writer; })) return -1;
  }
  // Readers of the copied tensor take it for what it is; another tensor that is the state afterwards has no other name.
  return uses[static_cast<std::size_t>(copy.output)].readers.empty() ? use.writer : -1;
}

}  // namespace

Graph place_states(Graph graph) {
  const std::vector<Use> uses = uses_of(graph);
  std::vector<Op> kept;
  for (std::size_t i = 0; i < graph.ops.size(); ++i) {
    const Op& op = graph.ops[i];
    const bool assigns =
        std::holds_alternative<Copy>(op.kind) && graph.tensors[static_cast<std::size_t>(op.output)].state != kNoState;
    if (!assigns || direct_writer(graph, op, uses) < 0) {
      kept.push_back(op);
      continue;
    }
    Tensor& source = graph.tensors[static_cast<std::size_t>(storage_of(graph, op.inputs[0]))];
    Tensor& target = graph.tensors[static_cast<std::size_t>(op.output)];
    source.state = std::exchange(target.state, kNoState);
  }
  graph.ops = std::move(kept);
  return graph;
}

}  // namespace ripc
