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
/// In a stage that makes its rows in blocks, as many blocks: of a row, from the left (forward) or the right (reverse).
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
  std::int64_t blocks = 1;  ///< into which each operator divides its rows at most: see block_pixels

  bool operator==(const Stage&) const = default;
};

struct Schedule {
  std::vector<Stage> stages;

  bool operator==(const Schedule&) const = default;
};

/// Pixels of a block of a row of `width`, of which the last may have fewer, where a row has at most `blocks`.
inline std::int64_t block_pixels(std::int64_t width, std::int64_t blocks) { return (width + blocks - 1) / blocks; }

/// Blocks of a row of `width`.
inline std::int64_t blocks_of_row(std::int64_t width, std::int64_t blocks) {
  const std::int64_t pixels = block_pixels(width, blocks);
  return (width + pixels - 1) / pixels;
}

/// Output rows that the steps count for an operator: the height of made_image.
std::int64_t row_count(const Graph& graph, const Op& op);

}  // namespace ripc
