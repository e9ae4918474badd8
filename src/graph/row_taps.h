// Which rows of its inputs an operator reads for each row that it makes, and which columns for each pixel.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace ripc {

/// The rows, or columns, first, first + step, ... up to last. None if last < first.
struct RowTaps {
  std::int64_t first = 0, last = -1, step = 1;

  bool empty() const { return last < first; }
  bool operator==(const RowTaps&) const = default;
};

/// For each row that `op` makes, the rows that it reads of Op::inputs[input], in that tensor's own image. Padding is
/// never read. Operators that make their output as one whole read every row.
std::vector<RowTaps> row_taps(const Graph& graph, const Op& op, std::size_t input);

/// For each pixel of a row that `op` makes, the columns of Op::inputs[input] from the first that it reads to the last,
/// those in between that a dilated window leaves out among them. Empty if the operator cannot make a row pixel by pixel
/// of pixels of its inputs.
std::vector<RowTaps> column_taps(const Graph& graph, const Op& op, std::size_t input);

/// Whether every row of the output follows from rows of the inputs, as they are stored, by themselves: such operators
/// can take turns with others, row by row.
bool works_by_rows(const Graph& graph, const Op& op);

/// Whether the one pixel that the operator makes is a sum over all rows of its input, which it may take one by one: a
/// mean over the image, an average pool of the image's size.
bool sums_rows(const Graph& graph, const Op& op);

/// The same rows for an operator that works from the bottom right corner up, all rows counted from the bottom;
/// `in_rows` is the height of the input.
std::vector<RowTaps> mirrored(const std::vector<RowTaps>& taps, std::int64_t in_rows);

}  // namespace ripc
