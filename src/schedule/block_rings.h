// Rings of a stage that makes its rows in blocks: of pixels, each row after the one before, as short as the times at
// which pixels die allow.
#pragma once

#include "schedule/stage_rings.h"

namespace ripc {

/// As stage_rings, of a flow with more than one block a row. Of what can share storage only elementwise operators do.
StageRings block_rings(const StageFlow& flow, const StageTimes& times, const std::vector<RowSharing>& sharing,
                       bool into_outputs);

}  // namespace ripc
