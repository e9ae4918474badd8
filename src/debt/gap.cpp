#include "ripc/gap.h"

#include <algorithm>

#include "debt/axis.h"
#include "debt/separable.h"

namespace ripc {

namespace {

bool is_reverse(Direction direction) {
  return direction == Direction::row_reverse || direction == Direction::column_reverse;
}

std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

Debt forward_gap(const Layer& layer, TapOrder order) {
  const std::int64_t width = out_width(layer);
  const std::int64_t in_pixel = in_pitch(layer);
  const std::int64_t out_pixel = out_pitch(layer);
  const AxisBytes row{.out = width * out_pixel, .in = layer.in_width * in_pixel};
  // A row-direct order has the whole output row written at every column.
  const AxisBytes column{.out = order.row_direct ? 0 : out_pixel, .in = in_pixel};
  return combined(axis_debt(layer.rows, layer.in_height, row), axis_debt(layer.columns, layer.in_width, column),
                  pixel_debt(layer, order, width));
}

}  // namespace

std::optional<std::int64_t> raw_gap(const Layer& layer, Direction direction, TapOrder order, Layout layout) {
  if (layout == Layout::padded) return raw_gap(padding_stored(layer), direction, order, Layout::dense);
  switch (direction) {
    case Direction::row_forward:
      return forward_gap(layer, order).bytes();
    case Direction::row_reverse:
      return (forward_gap(mirrored(layer), order) + mirror_shift(layer)).bytes();
    case Direction::column_forward:
      return raw_gap(transposed(layer), Direction::row_forward, order, Layout::dense);
    case Direction::column_reverse:
      return raw_gap(transposed(layer), Direction::row_reverse, order, Layout::dense);
  }
  return {};
}

Workspace workspace(const Layer& layer, Direction direction, TapOrder order, Layout layout, std::int64_t alignment) {
  const std::int64_t in = layout == Layout::padded ? padded_in_bytes(layer) : in_bytes(layer);
  const std::int64_t out = out_bytes(layer);
  const std::int64_t raw = raw_gap(layer, direction, order, layout).value_or(0);
  const std::int64_t gap = std::max({std::int64_t{0}, out - in, raw});
  if (!is_reverse(direction)) {
    const std::int64_t in_start = round_up(std::max<std::int64_t>(0, raw), alignment);
    return {gap, std::max(out, in_start + in)};
  }
  const std::int64_t out_start = round_up(std::max<std::int64_t>(0, in - out + raw), alignment);
  return {gap, std::max(in, out_start + out)};
}

}  // namespace ripc
