// A plan made ready to run: every operator with its kernel's parameters and its views, and the steps as one list.
// What runs here and what is emitted as C are two readings of this value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "lower/lower.h"
#include "plan/plan.h"
#include "rip/node.h"

namespace ripc {

/// `rows` steps of an operator in each pass of a loop, each a call of its kernel, or a few where a block meets the end
/// of a ring; in pass i the first of them is step `first` + i * `advance`.
struct ProgramRun {
  OpId op = 0;  ///< or kSourceRows: that many rows of the streamed input arrive
  std::int64_t first = 0;
  std::int64_t advance = 0;
  std::int64_t rows = 0;

  bool operator==(const ProgramRun&) const = default;
};

struct ProgramLoop {
  std::int64_t times = 1;
  std::vector<ProgramRun> runs;

  bool operator==(const ProgramLoop&) const = default;
};

/// Where an input or output of the network lies as a whole.
struct ProgramTensor {
  TensorId tensor = kNoTensor;
  std::int64_t offset = 0;  ///< bytes from the start of its space
  std::int64_t bytes = 0;
  std::int32_t space = 0;  ///< 0: the arena; n > 0: the caller's buffer n - 1; or RIP_STATE; of no use if streamed
};

/// An input whose rows arrive one by one.
struct ProgramStream {
  rip_view view;  ///< where
  std::int64_t rows = 0;
  std::int64_t row_bytes = 0;  ///< of a row as it arrives
};

/// Movable only: the parameters of an operator point into its own constants.
struct Program {
  Program() = default;
  Program(Program&&) = default;
  Program& operator=(Program&&) = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() = default;

  /// By OpId, with the node completed. An operator takes rip_step_count steps: one a row of its output or a block of
  /// one, or one in all where the kernel sees the whole tensor as one row.
  std::vector<LoweredOp> ops;
  std::vector<std::string> kernels;  ///< those in use; rip_node::kernel is an index
  std::vector<ProgramLoop> loops;
  std::vector<ProgramTensor> inputs;      ///< as Graph::inputs
  std::optional<ProgramStream> streamed;  ///< the only input, if its rows arrive one by one
  std::vector<ProgramTensor> outputs;
  std::int32_t external =
      0;                   ///< buffers of the caller, one for each input outside the arena, in the order of the inputs
  bool in_blocks = false;  ///< some operators make their rows in blocks
  std::int32_t row_pointers = 1;  ///< room that rip_place_row needs for the operator with the most input rows
  std::int64_t arena_bytes = 0;
  std::int64_t alignment = 1;    ///< of the arena's first byte
  std::int64_t state_bytes = 0;  ///< what survives from run to run
  std::int64_t state_alignment = 1;
  std::vector<std::byte> initial_state;
};

/// Binds `plan` to the operators of `graph`. Throws ripc::Error if the plan does not belong to the graph: an operator
/// that is not run row by row exactly once, a tensor without a storage, a network input or output that is kept as a
/// ring.
Program link(const Graph& graph, const Plan& plan);

/// Whether the operator's output is stored whole, so that it can be read after its last call; otherwise rows are
/// overwritten on the way.
bool stores_whole_output(const rip_node& node);

/// Whether its rows do not follow each other without a hole, or the pixels in them.
bool has_gaps(const rip_node& node);

/// Bytes of a row that the operator writes, and those of its whole output.
std::int64_t call_bytes(const rip_node& node);
std::int64_t output_bytes(const rip_node& node);

/// Calls step(op, index) for every step of the program, in order, and step(kSourceRows, row) for every row that
/// arrives.
template <typename Step>
void for_each_call(const Program& program, Step step) {
  for (const ProgramLoop& loop : program.loops) {
    for (std::int64_t pass = 0; pass < loop.times; ++pass) {
      for (const ProgramRun& run : loop.runs) {
        const std::int64_t first = run.first + pass * run.advance;
        for (std::int64_t row = 0; row < run.rows; ++row) step(run.op, static_cast<std::int32_t>(first + row));
      }
    }
  }
}

}  // namespace ripc
