#include <algorithm>
#include <utility>

#include "passes/passes.h"

namespace ripc {
namespace {

/// Whether the output has the bytes of the input: a RESHAPE, or a PAD by nothing as converters leave it.
bool is_copy(const OpKind& kind) {
  const auto* pad = std::get_if<Pad>(&kind);
  return std::holds_alternative<Reshape>(kind) ||
         (pad != nullptr && pad->before == Pad{}.before && pad->after == Pad{}.after);
}

}  // namespace

Graph alias_reshapes(Graph graph) {
  std::vector<Op> kept;
  for (Op& op : graph.ops) {
    const bool is_output = std::ranges::find(graph.outputs, op.output) != graph.outputs.end();
    if (is_copy(op.kind) && is_output &&
        graph.tensors[static_cast<std::size_t>(storage_of(graph, op.inputs[0]))].state != kNoState) {
      op.kind = Copy{};  // what the caller reads lies in the arena
    }
    if (!is_copy(op.kind)) {
      kept.push_back(std::move(op));
      continue;
    }
    // Operators come in order, so the input's own alias is known by now.
    graph.tensors[static_cast<std::size_t>(op.output)].alias_of = storage_of(graph, op.inputs[0]);
  }
  graph.ops = std::move(kept);
  return graph;
}

}  // namespace ripc
