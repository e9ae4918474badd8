#include "passes/uses.h"

namespace ripc {

std::vector<Use> uses_of(const Graph& graph) {
  std::vector<Use> uses(graph.tensors.size());
  const auto use = [&](TensorId id) -> Use& { return uses[static_cast<std::size_t>(storage_of(graph, id))]; };
  for (std::size_t i = 0; i < graph.ops.size(); ++i) {
    for (const TensorId input : graph.ops[i].inputs) use(input).readers.push_back(static_cast<OpId>(i));
    use(graph.ops[i].output).writer = static_cast<OpId>(i);
  }
  for (const TensorId output : graph.outputs) use(output).is_output = true;
  return uses;
}

}  // namespace ripc
