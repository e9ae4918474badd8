// What less memory costs: the ways of running a network from the fewest kernel calls to the least arena.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "plan/pipeline.h"

namespace ripc {

/// One way of running a network. None computes anything twice: the multiply-accumulates are those of all others.
struct ParetoPoint {
  std::string name;
  std::int64_t arena_bytes = 0;
  std::int64_t fused_stages = 0;  ///< stages of several operators
  /// Of kernels, and the bytes of weights and tables that they fetch from flash if each call fetches its own once;
  /// nothing for a network without weights.
  std::optional<std::int64_t> calls, fetched_bytes;
  std::int64_t instructions = 0;  ///< about: see lower/instructions.h
  bool streamed = false;          ///< the input arrives row by row
};

/// Operator by operator, in stages, in stages that may make their rows in blocks, and both with the input arriving row
/// by row, where that is possible. The rest is as `options` says.
std::vector<ParetoPoint> pareto_points(const Graph& graph, PlanOptions options);

/// The points that no other beats in arena or calls without being worse in the other: by rising arena and falling
/// calls. None where calls are not known.
std::vector<ParetoPoint> pareto_front(std::vector<ParetoPoint> points);

/// What all points have in common, as a sentence.
std::string pareto_note(const Graph& graph);

/// As a table.
std::string pareto_table(const Graph& graph, const std::vector<ParetoPoint>& points);

}  // namespace ripc
