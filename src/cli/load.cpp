#include "cli/load.h"

#include <filesystem>
#include <utility>

#include "import/import.h"
#include "passes/passes.h"
#include "plan/stream.h"

namespace ripc::cli {
Graph load_graph(const NetworkOptions& options) {
  std::error_code reason;
  if (!std::filesystem::exists(options.model, reason)) {
    throw Error({.fault = Fault::usage, .file = options.model, .problem = "no such file"});
  }
  return naming(options.model, [&] {
    Graph graph = import_network(options.model, {.outputs = options.outputs});
    if (!options.name.empty()) graph.name = options.name;
    if (options.random_weights) graph = fill_weights(std::move(graph), *options.random_weights);
    return canonicalize(std::move(graph), {.io_int8 = options.io == "int8"});
  });
}

PlannedNetwork plan_network(const NetworkOptions& options) {
  Graph graph = load_graph(options);
  Plan plan = naming(options.model, [&] {
    Plan made = make_plan(graph, plan_options(options));
    if (options.stream_input && !made.streamed_input) made = await_input(graph, std::move(made));
    return options.stream_input || options.steps ? with_progress(std::move(made)) : made;
  });
  return {.graph = std::move(graph), .plan = std::move(plan)};
}

Account account_of(const PlannedNetwork& network, const NetworkOptions& options) {
  Account account = account_of(network.graph, network.plan, plan_options(options));
  account.stack_of = stack_board(options.board, options.target);
  return account;
}

}  // namespace ripc::cli
