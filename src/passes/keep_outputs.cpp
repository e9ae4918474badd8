#include <algorithm>
#include <utility>

#include "passes/passes.h"
#include "passes/uses.h"

namespace ripc {

Graph keep_outputs(Graph graph, const std::vector<std::string>& names) {
  std::vector<TensorId> outputs;
  const std::vector<Use> uses = uses_of(graph);
  for (const std::string& name : names) {
    const auto found = std::ranges::find_if(graph.tensors, [&](const Tensor& tensor) {
      const auto id = static_cast<TensorId>(&tensor - graph.tensors.data());
      return tensor.name == name && uses[static_cast<std::size_t>(storage_of(graph, id))].writer >= 0;
    });
    if (found == graph.tensors.end()) {
      ErrorContext context;
      context.fault = Fault::usage;
      context.file = graph.name;
      context.tensor = name;
      context.problem = "no operator writes such a tensor";
      throw Error(std::move(context));
    }
    outputs.push_back(static_cast<TensorId>(found - graph.tensors.begin()));
  }
  graph.outputs = std::move(outputs);
  graph = drop_dead(std::move(graph));
  const std::vector<Use> kept = uses_of(graph);
  std::erase_if(graph.inputs, [&](TensorId input) {
    const Use& use = kept[static_cast<std::size_t>(input)];
    return use.readers.empty() && !use.is_output;
  });
  return drop_dead(std::move(graph));
}

}  // namespace ripc
