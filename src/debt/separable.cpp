#include "debt/separable.h"

#include <algorithm>

namespace ripc {

namespace {

std::int64_t out_slack(const Layer& layer) { return out_pitch(layer) - layer.out_channels * layer.out_scalar; }
std::int64_t in_slack(const Layer& layer) { return in_pitch(layer) - layer.in_channels * layer.in_scalar; }

}  // namespace

PixelDebt pixel_debt(const Layer& layer, TapOrder order, std::int64_t out_width) {
  if (order.row_direct) return {.own = out_width * out_pitch(layer) - out_slack(layer), .previous = {}};
  const Debt end_of_previous = -out_slack(layer);
  if (order == kGathered) return {.own = {}, .previous = end_of_previous};

  const std::int64_t outs = layer.out_channels / layer.groups;
  const std::int64_t ins = layer.in_channels / layer.groups;
  const std::int64_t before_last_block = std::max<std::int64_t>(0, outs - order.held_channels);
  // Bytes written at the last read of a group's taps, less the address of its first channel: affine in the group, so
  // that only the first and the last group that see a write of their own pixel count.
  const auto group_debt = [&](std::int64_t group) {
    return (group * outs + before_last_block) * layer.out_scalar - group * ins * layer.in_scalar;
  };
  PixelDebt debt;
  if (before_last_block == 0) debt.previous = end_of_previous;
  const std::int64_t first = before_last_block == 0 ? 1 : 0;
  if (first < layer.groups) debt.own = std::max(group_debt(first), group_debt(layer.groups - 1));
  return debt;
}

std::int64_t mirror_shift(const Layer& layer) { return out_slack(layer) - in_slack(layer); }

Debt combined(const AxisDebt& rows, const AxisDebt& columns, const PixelDebt& pixel) {
  const Debt after_first = std::max(rows.rest + columns.all(), rows.first + columns.rest);
  return std::max(rows.all() + columns.all() + pixel.own, after_first + pixel.previous);
}

}  // namespace ripc
