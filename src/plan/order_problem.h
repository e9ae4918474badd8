// From a network and the kernels that may run it to the problem of ordering its operators.
#pragma once

#include <vector>

#include "graph/graph.h"
#include "lower/lower.h"
#include "plan/problem_of.h"
#include "schedule/order.h"

namespace ripc {

/// Tensors and operators of the problem are those of the graph, by id. `kernels[op]` are those among which the planner
/// may choose; each of their ways of running in place is a way of the problem.
OrderProblem order_problem_of(const Graph& graph, const std::vector<std::vector<KernelOption>>& kernels,
                              const MemoryOptions& options);

}  // namespace ripc
