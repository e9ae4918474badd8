// Plans made by hand: what they promise is plain to see.
#pragma once

#include "graph/graph.h"
#include "plan/plan.h"

namespace ripc::test {

/// Every tensor and scratch at addresses of its own, each operator with its first kernel. With `external` the inputs
/// stay with the caller.
Plan disjoint_plan(const Graph& graph, bool external = false);

/// For a network that is one chain: every output over its input, exactly as far apart as the overlap rules ask.
Plan chain_in_place(const Graph& graph, bool reverse);

/// For a chain of windowed operators, run forward: one stage of all of them, inner tensors as rings, its steps
/// run-length coded.
Plan chain_as_stage(const Graph& graph);

}  // namespace ripc::test
