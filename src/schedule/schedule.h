// Decides the order of work: which operators form a stage, and the steps of each.
#pragma once

#include <span>
#include <vector>

#include "graph/graph.h"
#include "graph/steps.h"

namespace ripc {

/// One stage an operator, in the order of the graph, all forward.
Schedule plain_schedule(const Graph& graph);

/// One stage an operator, in that order, all forward.
Schedule schedule_in_order(const Graph& graph, std::span<const OpId> order);

/// The operators, one stage after the other.
std::vector<OpId> order_of(const Schedule& schedule);

/// Whether the operators run in the order of the graph.
bool in_graph_order(const Schedule& schedule);

/// Whether the operators can be executed in no other order: each reads what the one before it writes.
bool has_one_order(const Graph& graph);

}  // namespace ripc
