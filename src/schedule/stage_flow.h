// Operators that are to run row by row together, with the rows that each reads of the others. Everything about a stage
// is stepped on this value, in rows counted in the order in which they are made: from the top, or in reverse from the
// bottom.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.h"
#include "graph/row_taps.h"
#include "graph/steps.h"

namespace ripc {

/// FlowRead::producer of a tensor that exists before the stage.
inline constexpr int kOutside = -2;

struct FlowRead {
  int producer = kOutside;                     ///< index into StageFlow::ops, kSourceRows or kOutside
  TensorId tensor = kNoTensor;                 ///< never an alias
  const std::vector<RowTaps>* taps = nullptr;  ///< by step
};

struct FlowOp {
  OpId op = 0;
  TensorId output = kNoTensor;
  std::int64_t rows = 0;
  std::int64_t steps = 0;  ///< as many as rows; of an operator that sums up rows (RIP_ROW_SUM), those of its input
  std::int64_t row_bytes = 0;
  std::vector<FlowRead> reads;  ///< as Op::inputs, constants left out
  /// The first tap of row r, real or not, is row window_first + r * window_stride of the input.
  std::int64_t window_first = 0, window_stride = 1;
  /// Pixels that are made before the first of them may be written over the first row of their window.
  std::int64_t delay = 0;
  bool stored = false;  ///< the output is read after the stage, so all of it is stored
  bool eager = false;   ///< the last operator does not depend on it: it runs whenever it can

  /// The step that writes a row. What sums up writes its only row in the last.
  std::int64_t writes(std::int64_t row) const { return steps == rows ? row : steps - 1; }
};

struct StageFlow {
  std::vector<FlowOp> ops;  ///< in the order of the network
  bool reverse = false;
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
  /// arrive while the stage runs; then it is not in reverse.
  StageFlow flow(std::span<const OpId> ops, const std::vector<bool>& stored, bool reverse,
                 TensorId streamed = kNoTensor) const;

 private:
  const Graph& graph_;
  std::vector<std::vector<std::vector<RowTaps>>> forward_, reverse_;  // by OpId and input
};

}  // namespace ripc
