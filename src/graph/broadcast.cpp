#include "graph/broadcast.h"

#include <algorithm>

namespace ripc {

std::optional<Broadcast> broadcast_of(const Tensor& operand, const Tensor& output) {
  const std::size_t rank = std::max(operand.shape.size(), output.shape.size());
  const auto extents = [&](const Tensor& tensor) {
    std::vector<std::int64_t> shape(rank - tensor.shape.size(), 1);
    shape.insert(shape.end(), tensor.shape.begin(), tensor.shape.end());
    return shape;
  };
  const std::vector<std::int64_t> from = extents(operand), to = extents(output);
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (from[axis] != to[axis] && from[axis] != 1) return std::nullopt;
  }
  Broadcast result;
  result.whole = element_count(operand) == element_count(output);
  if (rank >= 1) result.every_channel = from[rank - 1] == to[rank - 1];
  if (rank >= 2) result.every_column = from[rank - 2] == to[rank - 2];
  // Row by row of the output, the index along each leading axis counts only where the operand has that axis.
  result.rows = {0};
  for (std::size_t axis = 0; axis + 2 < rank; ++axis) {
    std::vector<std::int64_t> rows;
    for (const std::int64_t row : result.rows) {
      for (std::int64_t i = 0; i < to[axis]; ++i) rows.push_back(row * from[axis] + (from[axis] == 1 ? 0 : i));
    }
    result.rows = std::move(rows);
  }
  return result;
}

std::array<TensorId, 2> operands_of(const Op& op, const Binary& binary) {
  if (binary.constant == kNoTensor) return {op.inputs.at(0), op.inputs.at(1)};
  if (binary.constant_first) return {binary.constant, op.inputs.at(0)};
  return {op.inputs.at(0), binary.constant};
}

}  // namespace ripc
