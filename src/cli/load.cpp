#include "cli/load.h"

#include <filesystem>
#include <utility>

#include "import/import.h"
#include "passes/passes.h"
#include "ripc/error.h"

namespace ripc::cli {
namespace {

/// What `work` returns; a fault that names no file gets the model's.
template <typename Work>
auto naming(const std::string& file, Work work) {
  try {
    return work();
  } catch (const Error& error) {
    if (!error.context().file.empty()) throw;
    ErrorContext context = error.context();
    context.file = file;
    throw Error(std::move(context));
  }
}

}  // namespace

Graph load_graph(const NetworkOptions& options) {
  std::error_code reason;
  if (!std::filesystem::exists(options.model, reason)) {
    throw Error({.fault = Fault::usage, .file = options.model, .problem = "no such file"});
  }
  return naming(options.model, [&] {
    Graph graph = import_network(options.model, {.outputs = options.outputs});
    if (!options.name.empty()) graph.name = options.name;
    return canonicalize(std::move(graph), {.io_int8 = options.io == "int8"});
  });
}

PlannedNetwork plan_network(const NetworkOptions& options) {
  Graph graph = load_graph(options);
  Plan plan = naming(options.model, [&] { return make_plan(graph, plan_options(options)); });
  return {.graph = std::move(graph), .plan = std::move(plan)};
}

}  // namespace ripc::cli
