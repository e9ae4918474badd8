#include "debt/other_layers.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "debt/axis.h"
#include "debt/separable.h"

namespace ripc {

namespace {

std::vector<std::int64_t> mirrored_map(const std::vector<std::int64_t>& map, std::int64_t extent) {
  std::vector<std::int64_t> result(map.rbegin(), map.rend());
  for (std::int64_t& index : result) index = extent - 1 - index;
  return result;
}

Debt forward_gap(const PixelMap& map, TapOrder order) {
  const auto width = static_cast<std::int64_t>(map.columns.size());
  const std::int64_t pixel = map.channels * map.scalar;
  Layer channels;
  channels.in_channels = channels.out_channels = channels.groups = map.channels;
  channels.in_scalar = channels.out_scalar = map.scalar;
  const AxisBytes row{.out = width * pixel, .in = map.in_width * pixel};
  const AxisBytes column{.out = order.row_direct ? 0 : pixel, .in = pixel};
  return combined(axis_debt(map.rows, row), axis_debt(map.columns, column), pixel_debt(channels, order, width));
}

/// The near ends of an axis' reaches as a run in that direction sees them.
std::vector<std::int64_t> near_ends(const std::vector<AxisReach>& reaches, std::int64_t extent, bool reverse) {
  std::vector<std::int64_t> ends;
  for (const AxisReach& reach : reaches) {
    const std::int64_t end = reverse ? extent - 1 - reach.last : reach.first;
    ends.push_back(reach.first < 0 ? -1 : end);
  }
  if (reverse) std::ranges::reverse(ends);
  return ends;
}

std::vector<std::int64_t> repeated(std::int64_t extent, std::int64_t factor) {
  std::vector<std::int64_t> map;
  for (std::int64_t i = 0; i < extent * factor; ++i) map.push_back(i / factor);
  return map;
}

}  // namespace

std::optional<std::int64_t> raw_gap(const PixelMap& map, Direction direction, TapOrder order) {
  PixelMap seen = map;
  if (direction == Direction::column_forward || direction == Direction::column_reverse) {
    std::swap(seen.rows, seen.columns);
    std::swap(seen.in_height, seen.in_width);
  }
  if (direction == Direction::row_reverse || direction == Direction::column_reverse) {
    seen.rows = mirrored_map(seen.rows, seen.in_height);
    seen.columns = mirrored_map(seen.columns, seen.in_width);
  }
  return forward_gap(seen, order).bytes();
}

std::optional<std::int64_t> raw_gap(const ReachMap& map, Direction direction, TapOrder order) {
  ReachMap seen = map;
  if (direction == Direction::column_forward || direction == Direction::column_reverse) {
    std::swap(seen.rows, seen.columns);
    seen.pixel = transposed(seen.pixel);
  }
  const bool reverse = direction == Direction::row_reverse || direction == Direction::column_reverse;
  const Layer& pixel = seen.pixel;
  const auto width = static_cast<std::int64_t>(seen.columns.size());
  const AxisBytes row{.out = width * out_pitch(pixel), .in = pixel.in_width * in_pitch(pixel)};
  const AxisBytes column{.out = order.row_direct ? 0 : out_pitch(pixel), .in = in_pitch(pixel)};
  const Debt gap = combined(axis_debt(near_ends(seen.rows, pixel.in_height, reverse), row),
                            axis_debt(near_ends(seen.columns, pixel.in_width, reverse), column),
                            pixel_debt(reverse ? mirrored(pixel) : pixel, order, width));
  return (reverse ? gap + mirror_shift(pixel) : gap).bytes();
}

PixelMap nearest_upsampling(std::int64_t in_height, std::int64_t in_width, std::int64_t channels,
                            std::int64_t row_factor, std::int64_t column_factor) {
  return {repeated(in_height, row_factor), repeated(in_width, column_factor), in_height, in_width, channels, 1};
}

std::int64_t raw_gap(const Piece& piece, Direction direction) {
  const bool reverse = direction == Direction::row_reverse || direction == Direction::column_reverse;
  const std::int64_t before = reverse ? piece.out_bytes - piece.before - piece.bytes : piece.before;
  return (piece.pixels - 1) * (piece.out_bytes - piece.bytes) + before;
}

std::optional<std::int64_t> raw_gap(const BlockMap& map, Direction direction) {
  const bool reverse = direction == Direction::row_reverse || direction == Direction::column_reverse;
  // How far the writes are ahead of the reads, axis by axis: once over all indices, once over all but the first made.
  constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();
  std::int64_t any = 0, made = kNone, pitch = map.bytes;
  for (auto axis = map.axes.rbegin(); axis != map.axes.rend(); ++axis) {
    const auto extent = static_cast<std::int64_t>(axis->size());
    std::int64_t most = kNone, later = kNone;
    for (std::int64_t i = 0; i < extent; ++i) {
      const std::int64_t index = reverse ? extent - 1 - i : i;
      const std::int64_t forward = index * pitch - (*axis)[static_cast<std::size_t>(index)];
      const std::int64_t lead = reverse ? -forward : forward;
      most = std::max(most, lead);
      if (i > 0) later = std::max(later, lead);
    }
    // Some index is not the first: of this axis, or of an inner one.
    std::int64_t next = later == kNone ? kNone : later + any;
    if (made != kNone) next = std::max(next, made + most);
    made = next;
    any += most;
    pitch *= extent;
  }
  if (made == kNone) return std::nullopt;
  const std::int64_t out_bytes = pitch;
  return reverse ? made + map.start + out_bytes - map.in_bytes : made - map.start;
}

std::int64_t dual_buffer_bytes(const Layer& layer) { return in_bytes(layer) + out_bytes(layer); }

std::int64_t replacement_bytes(const Layer& layer) { return std::max(in_bytes(layer), out_bytes(layer)); }

}  // namespace ripc
