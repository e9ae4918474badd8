// From the command line to a canonical graph and its plan.
#pragma once

#include "cli/options.h"
#include "graph/graph.h"
#include "plan/plan.h"

namespace ripc::cli {

/// Imports the model, names it, cuts it off at --outputs, and makes it canonical with --io. Throws ripc::Error.
Graph load_graph(const NetworkOptions& options);

struct PlannedNetwork {
  Graph graph;
  Plan plan;
};

PlannedNetwork plan_network(const NetworkOptions& options);

}  // namespace ripc::cli
