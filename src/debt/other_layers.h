// Layers that are no window over their input: nearest upsampling and other maps of pixels; and two ways of holding two
// tensors that need no gap.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ripc/gap.h"

namespace ripc {

/// A copy whose output pixel (r, c) is input pixel (rows[r], columns[c]), channel by channel. The maps may repeat, skip
/// or run backwards.
struct PixelMap {
  std::vector<std::int64_t> rows;     ///< one input row for each output row
  std::vector<std::int64_t> columns;  ///< one input column for each output column
  std::int64_t in_height = 1;
  std::int64_t in_width = 1;
  std::int64_t channels = 1;
  std::int64_t scalar = 1;  ///< bytes of a scalar of either tensor
};

/// Least bytes between the two tensors, as raw_gap(Layer, ...): forward input start - output start, reverse output end
/// - input end. Each channel is a group of its own, so an order that holds no channel costs one scalar, not a pixel. A
/// pixel that is copied in one go is kGathered. O(output height + output width).
std::optional<std::int64_t> raw_gap(const PixelMap& map, Direction direction, TapOrder order);

/// The first and the last input index that an output index reads along an axis; with first < 0 it reads none.
struct AxisReach {
  std::int64_t first = 0, last = 0;
};

/// A layer whose output pixel (r, c) reads input rows within rows[r] and columns within columns[c], the first and the
/// last among them. What lies between is read no later, so that bilinear resizing, transposed convolution and
/// reductions are all such layers.
struct ReachMap {
  std::vector<AxisReach> rows, columns;  ///< by output row and column
  Layer pixel;  ///< input size, channels, groups and scalars of both tensors; its windows play no part
};

/// As for a PixelMap. The output's reads all precede its first write in kGathered order, and so on as for windows.
std::optional<std::int64_t> raw_gap(const ReachMap& map, Direction direction, TapOrder order);

/// Nearest upsampling by whole factors: every input pixel becomes row_factor * column_factor output pixels. Its raw gap
/// is out bytes - in bytes in every direction, if a pixel (or a channel) is read before it is written, so that the
/// workspace is the output alone: forward with the input at its end, in reverse with the input at its start. Source:
/// Theorem 14, which has the reverse direction only and calls forward impossible.
PixelMap nearest_upsampling(std::int64_t in_height, std::int64_t in_width, std::int64_t channels,
                            std::int64_t row_factor, std::int64_t column_factor);

/// One of several inputs that are moved into the output pixel by pixel, one input's piece after another.
struct Piece {
  std::int64_t pixels = 0;
  std::int64_t bytes = 0;      ///< of this input in a pixel
  std::int64_t before = 0;     ///< bytes of an output pixel before the piece
  std::int64_t out_bytes = 0;  ///< of a whole output pixel
};

/// Least bytes between that input and the output, as raw_gap(Layer, ...), if each piece is read as a whole and then
/// written, in the order of the inputs and, in reverse, from the last to the first. All that is written before pixel x
/// of the input is read lies below out + x * out_bytes + before, and that is farthest from it at the last pixel.
std::int64_t raw_gap(const Piece& piece, Direction direction);

/// Blocks of bytes, each copied as a whole, the output's one after another. Block (i, j, ...) of the output comes from
/// byte start + axes[0][i] + axes[1][j] + ... of the input.
struct BlockMap {
  std::vector<std::vector<std::int64_t>> axes;  ///< bytes, outermost first
  std::int64_t start = 0;
  std::int64_t bytes = 1;  ///< of a block
  std::int64_t in_bytes = 0;
};

/// Least bytes between the two tensors, as raw_gap(Layer, ...). Before block m is read, m blocks are written; the first
/// block follows no write. Nothing for a single block. O(the extents together).
std::optional<std::int64_t> raw_gap(const BlockMap& map, Direction direction);

/// Both tensors side by side: in bytes + out bytes. What a planner without overlap needs.
std::int64_t dual_buffer_bytes(const Layer& layer);

/// A tensor replaced in place element by element, which is right only for layers that read a pixel where they write it:
/// max(in bytes, out bytes). A lower bound of the workspace of every other layer.
std::int64_t replacement_bytes(const Layer& layer);

}  // namespace ripc
