// What lies where in the arena, and when: the blocks of a plan with their live ranges, and what that means for each
// operator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "plan/plan.h"
#include "plan/problem_of.h"
#include "plan/slabs.h"

namespace ripc {

/// A whole tensor, the rows of one that a stage keeps at a time, or what a kernel needs beside its tensors.
enum class BlockKind : std::uint8_t { tensor, ring, scratch, kept };

/// A stretch of the arena over the time that it is in use. Time 0 is the caller writing the inputs, time s + 1 is stage
/// s, and the time after the last stage is the caller reading the outputs.
struct Block {
  BlockKind kind = BlockKind::tensor;
  TensorId tensor = kNoTensor;  ///< of a tensor or a ring
  OpId op = -1;                 ///< of scratch and kept bytes
  std::int64_t rows = 0;        ///< of a ring: how many it holds
  std::int64_t offset = 0, bytes = 0;
  std::int64_t first = 0, last = 0;
};

/// All blocks of the arena; tensors in the caller's buffers are left out. `memory` is what the plan was made with.
std::vector<Block> blocks_of(const Graph& graph, const Plan& plan, const MemoryOptions& memory);

/// Two blocks, indices into the same list, that hold the same addresses at the same time: one is written over the
/// other.
struct Overlap {
  std::size_t older = 0, younger = 0;
  std::int64_t offset = 0, bytes = 0;  ///< what they share
  std::int64_t gap = 0;                ///< bytes by which the older starts above the younger (negative: below)
  std::int64_t first = 0, last = 0;    ///< the times at which both are in use
};

/// Every pair that shares bytes, ordered by time.
std::vector<Overlap> overlaps_of(const std::vector<Block>& blocks);

/// What one operator does to the arena. input + output + scratch + held - shared = live.
struct OpRow {
  OpId op = 0;
  int source = -1;        ///< index in the model file
  std::size_t stage = 0;  ///< operators of one stage are in the arena together: held counts what is the others'
  std::string kind, output, kernel;
  std::vector<std::int64_t> shape;
  bool reverse = false;
  bool in_place = false;            ///< the output shares bytes with an input of the operator or of its stage
  std::optional<std::int64_t> gap;  ///< in place: bytes by which that input starts above the output (negative: below)
  std::int64_t input_bytes = 0;     ///< in the arena; an input in the caller's buffer is not
  std::int64_t output_bytes = 0;    ///< in the arena: of a ring, the rows that it holds
  std::int64_t scratch_bytes = 0;   ///< kept bytes included
  std::int64_t held_bytes = 0;      ///< of all others in use, waiting for a later operator
  std::int64_t shared_bytes = 0;    ///< counted more than once in the four above
  std::int64_t live_bytes = 0;      ///< arena bytes in use at the operator, shared bytes counted once
  std::int64_t high_water = 0;      ///< the highest of them, plus one
  std::int64_t macs = 0;            ///< multiply-accumulates, padding counted
  std::optional<Layer> window;      ///< of a convolution, FULLY_CONNECTED and pooling
  std::optional<std::int64_t> constant_bytes;  ///< weights and tables in flash, where known
  bool slowed_by_flash = false;                ///< a faster kernel's constants were not worth their room in flash
  bool peak = false;                           ///< the operator that the arena's size is due to
};

/// One row an operator, in the order of execution. At most one row is the peak.
std::vector<OpRow> op_rows(const Graph& graph, const Plan& plan, const std::vector<Block>& blocks);

/// The operator that the arena's size is due to; null for a network without operators.
const OpRow* peak_row(const std::vector<OpRow>& rows);

}  // namespace ripc
