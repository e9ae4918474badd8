#include <utility>

#include "passes/passes.h"
#include "passes/uses.h"

namespace ripc {
namespace {

bool is_float(const Graph& graph, TensorId id) {
  return graph.tensors[static_cast<std::size_t>(id)].type == DataType::float32;
}

void quantize_inputs(Graph& graph) {
  const std::vector<Use> uses = uses_of(graph);
  for (TensorId& input : graph.inputs) {
    const Use& use = uses[static_cast<std::size_t>(input)];
    if (!is_float(graph, input) || use.is_output || use.readers.size() != 1) continue;
    Op& op = graph.ops[static_cast<std::size_t>(use.readers[0])];
    if (!std::holds_alternative<Quantize>(op.kind)) continue;
    input = std::exchange(op.output, kNoTensor);
  }
  std::erase_if(graph.ops, [](const Op& op) { return op.output == kNoTensor; });
}

/// The DEQUANTIZE itself is dead afterwards.
void quantize_outputs(Graph& graph) {
  const std::vector<Use> uses = uses_of(graph);
  for (TensorId& output : graph.outputs) {
    const Use& use = uses[static_cast<std::size_t>(storage_of(graph, output))];
    if (!is_float(graph, output) || use.writer < 0) continue;
    const Op& op = graph.ops[static_cast<std::size_t>(use.writer)];
    if (std::holds_alternative<Dequantize>(op.kind)) output = op.inputs[0];
  }
}

}  // namespace

Graph quantize_edges(Graph graph) {
  quantize_inputs(graph);
  quantize_outputs(graph);
  return drop_dead(std::move(graph));
}

}  // namespace ripc
