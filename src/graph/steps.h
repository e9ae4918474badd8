// The order of work as a value: operators grouped into stages, and the steps of each stage. Written by schedule/, read
// by overlap, execute, emit and check.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace ripc {

/// StepRun::op of rows that arrive from outside, from the top: see Plan::streamed_input.
inline constexpr int kSourceRows = -1;

/// `rows` further output rows of one operator of the stage; input rows where its kernel takes these one by one and
/// makes one output row in all (RIP_ROW_SUM). Rows are made in order, from the top (forward) or the bottom (reverse).
struct StepRun {
  int op = 0;  ///< index into Stage::ops, or kSourceRows
  std::int64_t rows = 0;

  bool operator==(const StepRun&) const = default;
};

/// Steps that repeat: prologue, steady state and epilogue of a fused stage are three of these.
struct StepLoop {
  std::int64_t times = 1;
  std::vector<StepRun> runs;

  bool operator==(const StepLoop&) const = default;
};

/// Operators that run row by row together. A stage of one operator is plain in-place execution.
struct Stage {
  std::vector<OpId> ops;
  bool reverse = false;  ///< from the bottom right corner up
  std::vector<StepLoop> steps;

  bool operator==(const Stage&) const = default;
};

struct Schedule {
  std::vector<Stage> stages;

  bool operator==(const Schedule&) const = default;
};

/// Output rows that the steps count for an operator: the height of made_image.
std::int64_t row_count(const Graph& graph, const Op& op);

}  // namespace ripc
