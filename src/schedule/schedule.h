// Decides the order of work: which operators form a stage, and the steps of each.
#pragma once

#include "graph/graph.h"
#include "graph/steps.h"

namespace ripc {

/// One stage an operator, in the order of the graph, all forward.
Schedule plain_schedule(const Graph& graph);

}  // namespace ripc
