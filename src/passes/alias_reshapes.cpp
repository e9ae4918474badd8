#include <utility>

#include "graph/movement.h"
#include "passes/passes.h"

namespace ripc {
namespace {

/// Whether the output has the bytes of the input: a RESHAPE; a PAD by nothing as converters leave it; a slice or a
/// transpose that leaves every scalar where it is; a concatenation of one input.
bool is_copy(const Graph& graph, const Op& op) {
  if (std::holds_alternative<Reshape>(op.kind)) return true;
  if (const auto* pad = std::get_if<Pad>(&op.kind)) return pad->before == Pad{}.before && pad->after == Pad{}.after;
  if (op.inputs.empty()) return false;
  const Tensor& input = graph.tensors[static_cast<std::size_t>(op.inputs[0])];
  if (const auto* move = std::get_if<Rearrange>(&op.kind)) {
    const Blocks blocks = blocks_of(*move);
    return blocks.start == 0 && blocks.count == 1 && blocks.scalars == element_count(input);
  }
  return std::holds_alternative<Concat>(op.kind) && op.inputs.size() == 1 &&
         input.quantization == graph.tensors[static_cast<std::size_t>(op.output)].quantization;
}

}  // namespace

Graph alias_reshapes(Graph graph) {
  std::vector<Op> kept;
  std::vector<bool> is_output(graph.tensors.size(), false);
  for (const TensorId output : graph.outputs) is_output[static_cast<std::size_t>(output)] = true;
  for (Op& op : graph.ops) {
    if (is_copy(graph, op) && is_output[static_cast<std::size_t>(op.output)] &&
        graph.tensors[static_cast<std::size_t>(storage_of(graph, op.inputs[0]))].state != kNoState) {
      op.kind = Copy{};  // what the caller reads lies in the arena
    }
    if (!is_copy(graph, op)) {
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
