// What each output of an operator reads: derived here from the operator's own fields, so that the planner's geometry is
// not trusted.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace ripc::check {

/// The real taps of one output coordinate along one axis: first, first + step, ... Padding is never a tap.
struct AxisTaps {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t step = 1;
};

/// The input channels that one output channel reads: first, ..., first + count - 1.
struct ChannelTaps {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// What the outputs read of one input. An output reads the product of its row, column and channel taps.
struct InputTaps {
  TensorId tensor = kNoTensor;
  ImageShape image;                   ///< as the operator sees the input
  std::vector<AxisTaps> rows;         ///< by output row
  std::vector<AxisTaps> columns;      ///< by output column
  std::vector<ChannelTaps> channels;  ///< by output channel; neither end of the range ever goes back
};

/// What one operator reads and makes.
struct OpTaps {
  ImageShape output;              ///< as the operator sees it: FULLY_CONNECTED makes one row of vectors
  std::int64_t groups = 1;        ///< blocks of output channels that read the same input channels
  Window rows, columns;           ///< 1x1 for operators without a window
  bool vectors = false;           ///< a pixel's whole vector is read before any of it is written (SOFTMAX)
  std::vector<InputTaps> inputs;  ///< the activations among Op::inputs
};

/// Throws ripc::Error for operators that a canonical graph does not hold (RESHAPE) and shapes that do not broadcast.
OpTaps taps_of(const Graph& graph, OpId op);

}  // namespace ripc::check
