// The problem that the publication's Table 7 solves, and the size of the program by which it solves it.
#pragma once

#include <cstdint>

#include "graph/graph.h"
#include "placement/problem.h"
#include "plan/problem_of.h"

namespace ripc {

/// The network's tensors with their input, one operator a step in the order of the graph, in the accounting of
/// plan/published.h. `in_place` false: nothing overlaps.
NetworkProblem published_problem(const Graph& graph, bool in_place);

/// Every operator in its first alternative, which is forward.
Problem forward_only(Problem problem);

/// Of the mixed-integer program over all pairs of n tensors, m of which may be overwritten by the operator that reads
/// them last, with b elementwise operators of two tensors: 3n(n-1)/2 + 2m variables, 2n^2 + 6m + 1 - b constraints.
/// Found from the numbers that Table 7 prints, which it gives for every network.
struct ProgramSize {
  std::int64_t variables = 0, constraints = 0;

  bool operator==(const ProgramSize&) const = default;
};

ProgramSize published_program_size(const Graph& graph);

}  // namespace ripc
