// Operators that are to run row by row together, with the rows that each reads of the others. Everything about a stage
// is stepped on this value, in rows counted in the order in which they are made: from the top, or in reverse from the
// bottom. A stage may divide its rows into blocks, counted from the left, or in reverse from the right: then a step
// makes a block, step after step of a row and row after row.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.h"
#include "graph/row_taps.h"
#include "graph/steps.h"

namespace ripc {

/// FlowRead::producer of a tensor that exists before the stage.
inline constexpr int kOutside = -2;

/// How a row is divided into what one step makes of it.
struct RowBlocks {
  std::int64_t width = 1;   ///< pixels of the row
  std::int64_t pixels = 1;  ///< of a block; the last one may have fewer
  std::int64_t count = 1;   ///< of blocks

  bool operator==(const RowBlocks&) const = default;
};

struct FlowRead {
  int producer = kOutside;                     ///< index into StageFlow::ops, kSourceRows or kOutside
  TensorId tensor = kNoTensor;                 ///< never an alias
  const std::vector<RowTaps>* taps = nullptr;  ///< by row made, or by step of an operator that sums up rows
  std::vector<RowTaps> columns{};              ///< by block of a row made; step is 1
  RowBlocks blocks{};                          ///< of the rows of the tensor

  /// Whether step `step` of an operator reads anything of it.
  bool empty(std::int64_t step) const { return rows(step).empty() || column(step).empty(); }
  const RowTaps& rows(std::int64_t step) const { return (*taps)[static_cast<std::size_t>(step / divided())]; }
  const RowTaps& column(std::int64_t step) const { return columns[static_cast<std::size_t>(step % divided())]; }
  /// The first pixel of the tensor that it reads, rows one after the other.
  std::int64_t first_pixel(std::int64_t step) const { return rows(step).first * blocks.width + column(step).first; }
  /// The last block of it.
  std::int64_t last_block(std::int64_t step) const {
    return rows(step).last * blocks.count + column(step).last / blocks.pixels;
  }

 private:
  std::int64_t divided() const { return std::ssize(columns); }
};

struct FlowOp {
  OpId op = 0;
  TensorId output = kNoTensor;
  std::int64_t rows = 0;
  std::int64_t steps = 0;  ///< as many as blocks; of an operator that sums up rows (RIP_ROW_SUM), rows of its input
  std::int64_t row_bytes = 0;
  std::int64_t scalar_bytes = 1;  ///< of the output
  RowBlocks blocks{};
  std::vector<FlowRead> reads;  ///< as Op::inputs, constants left out
  /// The first tap of row r, real or not, is row window_first + r * window_stride of the input.
  std::int64_t window_first = 0, window_stride = 1;
  /// Pixels that are made before the first of them may be written over the first row of their window.
  std::int64_t delay = 0;
  /// Columns from the first tap of a pixel to its last, real or not.
  std::int64_t reach = 0;
  bool stored = false;  ///< the output is read after the stage, so all of it is stored
  bool eager = false;   ///< the last operator does not depend on it: it runs whenever it can

  /// The step that writes a block. What sums up writes its only row in the last.
  std::int64_t writes(std::int64_t block) const { return steps == rows * blocks.count ? block : steps - 1; }
  std::int64_t pixel_bytes() const { return row_bytes / blocks.width; }
  /// The first pixel of a block, and the one after its last, rows one after the other.
  std::int64_t first_pixel(std::int64_t step) const {
    return step / blocks.count * blocks.width + step % blocks.count * blocks.pixels;
  }
  std::int64_t end_pixel(std::int64_t step) const {
    const std::int64_t row = step / blocks.count, block = step % blocks.count;
    return row * blocks.width + std::min(blocks.width, (block + 1) * blocks.pixels);
  }
};

struct StageFlow {
  std::vector<FlowOp> ops;  ///< in the order of the network
  bool reverse = false;
  std::int64_t blocks = 1;        ///< as Stage::blocks
  TensorId streamed = kNoTensor;  ///< an input of which one row after another arrives, if any
  std::int64_t source_rows = 0;   ///< its height
  std::int64_t source_row_bytes = 0;
};

/// The row taps of every operator of a network, both ways. Flows refer to it: it must outlive them.
class FlowTables {
 public:
  /// `sums`: by OpId, the operators that take their input row by row (sums_rows); empty: none.
  explicit FlowTables(const Graph& graph, const std::vector<bool>& sums = {});

  /// The operators `ops`, of which `stored` marks the tensors that are stored whole (by TensorId). Rows of `streamed`
  /// arrive while the stage runs; then it is not in reverse. Rows are made in at most `blocks` blocks: more than one
  /// only of operators that can_divide.
  StageFlow flow(std::span<const OpId> ops, const std::vector<bool>& stored, bool reverse,
                 TensorId streamed = kNoTensor, std::int64_t blocks = 1) const;

  /// Whether the operator can make its rows in blocks.
  bool can_divide(OpId op) const;

 private:
  const Graph& graph_;
  std::vector<bool> sums_;                                            // by OpId
  std::vector<std::vector<std::vector<RowTaps>>> forward_, reverse_;  // by OpId and input
  std::vector<std::vector<std::vector<RowTaps>>> columns_;            // likewise, of each pixel from the left
};

}  // namespace ripc
