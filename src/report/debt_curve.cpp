#include "report/debt_curve.h"

#include <algorithm>

#include "debt/separable.h"

namespace ripc {
namespace {

bool by_columns(Direction direction) {
  return direction == Direction::column_forward || direction == Direction::column_reverse;
}

bool in_reverse(Direction direction) {
  return direction == Direction::row_reverse || direction == Direction::column_reverse;
}

/// The layer as row forward sees it: turned and mirrored until its direction is that one.
Layer as_row_forward(const Layer& layer, const Configuration& configuration) {
  Layer turned = configuration.layout == Layout::padded ? padding_stored(layer) : layer;
  if (by_columns(configuration.direction)) turned = transposed(turned);
  return in_reverse(configuration.direction) ? mirrored(turned) : turned;
}

/// First stored tap of each output of an axis; empty where it reads none.
std::vector<std::optional<std::int64_t>> first_taps(const Window& window, std::int64_t extent) {
  std::vector<std::optional<std::int64_t>> first(static_cast<std::size_t>(output_extent(window, extent)));
  for (std::size_t i = 0; i < first.size(); ++i) {
    const std::int64_t start = static_cast<std::int64_t>(i) * window.stride - window.pad_before;
    for (std::int64_t tap = 0; tap < window.kernel && !first[i]; ++tap) {
      const std::int64_t index = start + tap * window.dilation;
      if (index >= 0 && index < extent) first[i] = index;
    }
  }
  return first;
}

/// Bytes written at the last read of pixel `index`, less the place of its channels in their pixel; 0 where the pixel
/// starts the run and writes nothing before it reads.
std::int64_t written_at(std::int64_t index, const PixelDebt& pixel, const Layer& layer, TapOrder order,
                        std::int64_t width) {
  if (order.row_direct) return index / width * width * out_pitch(layer) + pixel.own.bytes().value_or(0);
  const Debt previous = index > 0 ? pixel.previous : Debt();
  const std::optional<std::int64_t> own = std::max(pixel.own, previous).bytes();
  return own ? index * out_pitch(layer) + *own : 0;
}

}  // namespace

DebtCurve debt_curve(const Layer& layer, const Configuration& configuration) {
  const Layer forward = as_row_forward(layer, configuration);
  const std::int64_t height = out_height(forward), width = out_width(forward);
  const auto rows = first_taps(forward.rows, forward.in_height);
  const auto columns = first_taps(forward.columns, forward.in_width);
  const PixelDebt pixel = pixel_debt(forward, configuration.order, width);

  DebtCurve curve;
  curve.steps.resize(static_cast<std::size_t>(height * width));
  std::optional<std::int64_t> live;
  for (std::int64_t index = height * width - 1; index >= 0; --index) {
    const std::int64_t row = index / width, column = index % width;
    const auto& first_row = rows[static_cast<std::size_t>(row)];
    const auto& first_column = columns[static_cast<std::size_t>(column)];
    if (first_row && first_column) {
      const std::int64_t address = (*first_row * forward.in_width + *first_column) * in_pitch(forward);
      live = live ? std::min(*live, address) : address;
    }
    DebtStep& step = curve.steps[static_cast<std::size_t>(index)];
    step.written = written_at(index, pixel, forward, configuration.order, width);
    step.live = live;
    Pixel place{row, column};
    if (in_reverse(configuration.direction)) place = {height - 1 - row, width - 1 - column};
    if (by_columns(configuration.direction)) place = {place.column, place.row};
    step.pixel = place;
  }
  for (std::size_t i = 1; i < curve.steps.size(); ++i) {
    if (curve.steps[i].debt() >= curve.steps[curve.peak].debt()) curve.peak = i;
  }
  return curve;
}

std::int64_t stored_height(const Layer& layer, Layout layout) {
  return layout == Layout::padded ? padding_stored(layer).in_height : layer.in_height;
}

std::int64_t stored_width(const Layer& layer, Layout layout) {
  return layout == Layout::padded ? padding_stored(layer).in_width : layer.in_width;
}

}  // namespace ripc
