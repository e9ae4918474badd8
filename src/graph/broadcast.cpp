#include "graph/broadcast.h"

#include <algorithm>

namespace ripc {

namespace {

/// The shape with so many axes, those in front of extent one.
std::vector<std::int64_t> extents_of(const Tensor& tensor, std::size_t rank) {
  std::vector<std::int64_t> shape(rank - tensor.shape.size(), 1);
  shape.insert(shape.end(), tensor.shape.begin(), tensor.shape.end());
  return shape;
}

std::size_t common_rank(const Tensor& operand, const Tensor& output) {
  return std::max(operand.shape.size(), output.shape.size());
}

}  // namespace

bool broadcasts(const Tensor& operand, const Tensor& output) {
  const std::size_t rank = common_rank(operand, output);
  return std::ranges::equal(extents_of(operand, rank), extents_of(output, rank),
                            [](std::int64_t from, std::int64_t to) { return from == to || from == 1; });
}

std::optional<Broadcast> broadcast_of(const Tensor& operand, const Tensor& output) {
  if (!broadcasts(operand, output)) return std::nullopt;
  const std::size_t rank = common_rank(operand, output);
  const std::vector<std::int64_t> from = extents_of(operand, rank), to = extents_of(output, rank);
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
