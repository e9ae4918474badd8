// How an operand of an elementwise operator is read for each element of the output: as numpy does, aligned at the last
// dimension, an extent of one standing for any other.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/graph.h"

namespace ripc {

/// In terms of images (ImageShape): the row of the operand that each output row reads, and whether it has a column for
/// every output column and a channel for every output channel, or one for all.
struct Broadcast {
  std::vector<std::int64_t> rows;  ///< by output row
  bool every_column = true, every_channel = true;

  /// Element i of the operand belongs to element i of the output, and to no other.
  bool whole = true;

  bool operator==(const Broadcast&) const = default;
};

/// Whether `operand` broadcasts to `output`. Costs nothing, unlike the list of rows.
bool broadcasts(const Tensor& operand, const Tensor& output);

/// Nothing if `operand` does not broadcast to `output`.
std::optional<Broadcast> broadcast_of(const Tensor& operand, const Tensor& output);

/// The two operands of a Binary, left and right; a constant is one of them.
std::array<TensorId, 2> operands_of(const Op& op, const Binary& binary);

}  // namespace ripc
