// The axes of a Rearrange: bringing them to the fewest, and the offsets that they reach.
#include "graph/movement.h"

#include <algorithm>
#include <utility>

namespace ripc {
namespace {

bool affine(const AxisMap& axis) { return axis.offsets.empty(); }

/// Whether the offsets are i * stride after all, which `axis` then says.
AxisMap straightened(AxisMap axis, std::int64_t& start) {
  if (affine(axis)) return axis;
  const std::int64_t first = axis.offsets.front();
  const std::int64_t stride = axis.extent > 1 ? axis.offsets[1] - first : 0;
  for (std::int64_t i = 0; i < axis.extent; ++i) {
    if (axis.offsets[static_cast<std::size_t>(i)] != first + i * stride) return axis;
  }
  start += first;
  return {.extent = axis.extent, .stride = stride, .offsets = {}};
}

}  // namespace

std::int64_t offset_of(const AxisMap& axis, std::int64_t index) {
  return affine(axis) ? index * axis.stride : axis.offsets[static_cast<std::size_t>(index)];
}

std::pair<std::int64_t, std::int64_t> offset_range(const AxisMap& axis) {
  if (!affine(axis)) {
    const auto [least, most] = std::ranges::minmax(axis.offsets);
    return {least, most};
  }
  return std::minmax(std::int64_t{0}, (axis.extent - 1) * axis.stride);
}

Rearrange simplified(Rearrange move) {
  std::vector<AxisMap> axes;
  for (AxisMap& axis : move.axes) {
    AxisMap next = straightened(std::move(axis), move.start);
    if (next.extent == 1) continue;
    AxisMap* outer = axes.empty() ? nullptr : &axes.back();
    if (outer != nullptr && affine(*outer) && affine(next) && outer->stride == next.stride * next.extent) {
      outer->extent *= next.extent;
      outer->stride = next.stride;
    } else {
      axes.push_back(std::move(next));
    }
  }
  move.axes = std::move(axes);
  return move;
}

Blocks blocks_of(const Rearrange& move) {
  Rearrange least = simplified(move);
  Blocks blocks{.axes = std::move(least.axes), .start = least.start, .scalars = 1, .count = 1};
  if (!blocks.axes.empty() && affine(blocks.axes.back()) && blocks.axes.back().stride == 1) {
    blocks.scalars = blocks.axes.back().extent;
    blocks.axes.pop_back();
  }
  for (const AxisMap& axis : blocks.axes) blocks.count *= axis.extent;
  return blocks;
}

}  // namespace ripc
