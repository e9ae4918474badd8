// What lies where in the arena, and when: the blocks of a plan with their live ranges, and what that means for each
// operator.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "plan/plan.h"
#include "plan/problem_of.h"

namespace ripc {

enum class BlockKind : std::uint8_t { tensor, scratch, kept };

/// A stretch of the arena over the time that it is in use. Time 0 is the caller writing the inputs, time s + 1 is stage
/// s, and the time after the last stage is the caller reading the outputs.
struct Block {
  BlockKind kind = BlockKind::tensor;
  TensorId tensor = kNoTensor;  ///< of a tensor
  OpId op = -1;                 ///< of scratch and kept bytes
  std::int64_t offset = 0, bytes = 0;
  std::int64_t first = 0, last = 0;
};

/// All blocks of the arena; tensors in the caller's buffers are left out. `memory` is what the plan was made with.
std::vector<Block> blocks_of(const Graph& graph, const Plan& plan, const MemoryOptions& memory);

/// What one operator does to the arena.
struct OpRow {
  OpId op = 0;
  int source = -1;  ///< index in the model file
  std::string kind, output, kernel;
  std::vector<std::int64_t> shape;
  bool reverse = false;
  bool in_place = false;            ///< the output shares bytes with an input
  std::optional<std::int64_t> gap;  ///< in place: bytes by which that input starts above the output (negative: below)
  std::int64_t output_bytes = 0;
  std::int64_t scratch_bytes = 0;              ///< kept bytes included
  std::int64_t macs = 0;                       ///< multiply-accumulates, padding counted
  std::optional<std::int64_t> constant_bytes;  ///< weights and tables in flash, where known
  std::int64_t live_bytes = 0;                 ///< arena bytes in use at the operator, shared bytes counted once
  std::int64_t high_water = 0;                 ///< the highest of them, plus one
  bool peak = false;                           ///< the operator that the arena's size is due to
};

/// One row an operator, in the order of execution. At most one row is the peak.
std::vector<OpRow> op_rows(const Graph& graph, const Plan& plan, const std::vector<Block>& blocks);

}  // namespace ripc
