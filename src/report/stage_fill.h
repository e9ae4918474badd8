// What the tensors of a stage hold while it runs: inputs that are eaten row by row, outputs that grow, rings that
// breathe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/graph.h"
#include "plan/plan.h"
#include "report/blocks.h"

namespace ripc {

/// The addresses of rows that exist and are read again, from a step of the stage on until the next level.
struct FillLevel {
  double part = 0;  ///< of the stage's rows that are made by then
  std::int64_t low = 0, high = 0;

  bool operator==(const FillLevel&) const = default;
};

struct StageFill {
  std::size_t block = 0;  ///< index into the blocks
  std::int64_t time = 0;  ///< of the stage
  std::vector<FillLevel> levels;

  bool operator==(const StageFill&) const = default;
};

/// Of every tensor and ring that a stage of several operators reads or makes. One row of a ring is drawn in its slot,
/// several from the first slot up, whichever of them are in use.
std::vector<StageFill> stage_fills(const Graph& graph, const Plan& plan, const std::vector<Block>& blocks);

}  // namespace ripc
