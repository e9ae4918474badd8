// The order in which a layer is executed, as lists: which output pixel after which, and what is read and written within
// one.
#pragma once

#include <cstdint>
#include <vector>

#include "simulate/tap_table.h"

namespace ripc {

bool runs_in_reverse(Direction direction);

struct PixelIndex {
  std::int64_t row = 0;
  std::int64_t column = 0;
};

/// Output pixels in the order in which they are made, line by line: rows, or columns of a column-major traversal.
std::vector<std::vector<PixelIndex>> output_lines(const TapTable& table, Direction direction);

/// Bytes from the start of its tensor to a pixel, in the storage that goes with the direction.
std::int64_t in_address(const TapTable& table, Direction direction, PixelIndex pixel);
std::int64_t out_address(const TapTable& table, Direction direction, PixelIndex pixel);

/// One step within an output pixel: all the pixel's taps of a group are read, or one output channel is written.
struct PixelStep {
  enum class Kind : std::uint8_t { read_group, write_channel };
  Kind kind = Kind::read_group;
  std::int64_t index = 0;
};

/// The steps of one output pixel for an order that is not row-direct; the same for every pixel.
std::vector<PixelStep> pixel_steps(const TapTable& table, Direction direction, TapOrder order);

}  // namespace ripc
