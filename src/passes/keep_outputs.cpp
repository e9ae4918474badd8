#include <algorithm>
#include <map>
#include <utility>

#include "graph/names.h"
#include "passes/passes.h"
#include "passes/uses.h"

namespace ripc {

Graph keep_outputs(Graph graph, const std::vector<std::string>& names) {
  std::map<std::string, TensorId> written;
  std::vector<std::string> known;
  const std::vector<Use> uses = uses_of(graph);
  for (TensorId id = 0; id < std::ssize(graph.tensors); ++id) {
    if (uses[static_cast<std::size_t>(storage_of(graph, id))].writer < 0) continue;
    const std::string& name = graph.tensors[static_cast<std::size_t>(id)].name;
    if (written.emplace(name, id).second) known.push_back(name);
  }
  std::vector<TensorId> outputs;
  for (const std::string& name : names_in(names, [&](const std::string& n) { return written.contains(n); })) {
    const auto found = written.find(name);
    if (found == written.end()) {
      throw Error({.fault = Fault::usage,
                   .tensor = name,
                   .problem = "no operator writes such a tensor",
                   .expected = nearest_names(name, known)});
    }
    outputs.push_back(found->second);
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
