// From the command line to a canonical graph and its plan.
#pragma once

#include <utility>

#include "cli/options.h"
#include "graph/graph.h"
#include "plan/plan.h"
#include "report/account.h"
#include "ripc/error.h"

namespace ripc::cli {

/// What `work` returns; a fault that names no file gets this one.
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

/// Imports the model, names it, cuts it off at --outputs, and makes it canonical with --io. Throws ripc::Error.
Graph load_graph(const NetworkOptions& options);

struct PlannedNetwork {
  Graph graph;
  Plan plan;
};

PlannedNetwork plan_network(const NetworkOptions& options);

/// Of what plan_network(options) made, with the stack of the target.
Account account_of(const PlannedNetwork& network, const NetworkOptions& options);

}  // namespace ripc::cli
