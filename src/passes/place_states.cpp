#include <algorithm>
#include <utility>

#include "passes/passes.h"
#include "passes/uses.h"

namespace ripc {
namespace {

/// The tensors of each state.
std::vector<std::vector<TensorId>> tensors_by_state(const Graph& graph) {
  std::vector<std::vector<TensorId>> tensors(graph.states.size());
  for (TensorId id = 0; id < std::ssize(graph.tensors); ++id) {
    const StateId state = graph.tensors[static_cast<std::size_t>(id)].state;
    if (state != kNoState) tensors[static_cast<std::size_t>(state)].push_back(id);
  }
  return tensors;
}

/// The operator that writes the bytes of `copy`'s input, if it may write them to the state itself; -1 otherwise.
/// `of_state`: the tensors of the state.
OpId direct_writer(const Graph& graph, const Op& copy, const std::vector<Use>& uses,
                   const std::vector<TensorId>& of_state) {
  const TensorId source = storage_of(graph, copy.inputs[0]);
  const Use& use = uses[static_cast<std::size_t>(source)];
  const Tensor& tensor = graph.tensors[static_cast<std::size_t>(source)];
  if (use.writer < 0 || use.is_output || tensor.state != kNoState) return -1;
  for (const TensorId id : of_state) {
    if (id == copy.output) continue;
    const std::vector<OpId>& readers = uses[static_cast<std::size_t>(id)].readers;
    if (std::ranges::any_of(readers, [&](OpId reader) { return reader >= use.writer; })) return -1;
  }
  // Readers of the copied tensor take it for what it is; another tensor that is the state afterwards has no other name.
  return uses[static_cast<std::size_t>(copy.output)].readers.empty() ? use.writer : -1;
}

}  // namespace

Graph place_states(Graph graph) {
  const std::vector<Use> uses = uses_of(graph);
  const std::vector<std::vector<TensorId>> by_state = tensors_by_state(graph);
  std::vector<Op> kept;
  for (std::size_t i = 0; i < graph.ops.size(); ++i) {
    const Op& op = graph.ops[i];
    const StateId state = graph.tensors[static_cast<std::size_t>(op.output)].state;
    const bool assigns = std::holds_alternative<Copy>(op.kind) && state != kNoState;
    if (!assigns || direct_writer(graph, op, uses, by_state[static_cast<std::size_t>(state)]) < 0) {
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
