// How far apart the buffers of a stage must lie: the debt of a layer, stepped over the rows of several.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.h"
#include "lower/lower.h"
#include "schedule/stage_flow.h"
#include "schedule/stage_rings.h"
#include "schedule/stage_steps.h"

namespace ripc {

/// A ring of the stage, or a tensor that is stored whole.
struct StageBuffer {
  int ring = -1;                ///< index into StageRings::rings
  TensorId tensor = kNoTensor;  ///< if ring is -1

  bool operator==(const StageBuffer&) const = default;
};

/// `low` may lie below `high` with `bytes` from start to start; may be negative.
struct StageSeparation {
  StageBuffer low, high;
  std::int64_t bytes = 0;

  bool operator==(const StageSeparation&) const = default;
};

/// What is known of a stage when its rows have places.
struct StageLayout {
  const StageFlow& flow;
  const std::vector<RowStep>& steps;
  const StageTimes& times;
  const StageRings& rings;
  std::span<const rip_contract* const> contracts;  ///< as StageFlow::ops
};

/// What may lie below what with less than its size between their starts: an output or a ring and each of the tensors in
/// `dying`, which only this stage still reads; an output and a ring whose slots have done their work when it gets
/// there. Addresses, so in reverse the roles are exchanged. Every other pair is disjoint.
std::vector<StageSeparation> stage_separations(const Graph& graph, const StageLayout& layout,
                                               std::span<const TensorId> dying);

}  // namespace ripc
