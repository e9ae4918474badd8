#include "debt/published.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace ripc {

namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

// Outputs made less inputs returned, in scalars, when a square of `outputs_left` outputs is left to make.
std::int64_t herringbone_debt(const Layer& stored, std::int64_t outputs_left) {
  const std::int64_t inputs_left = outputs_left + stored.rows.kernel - 1;
  const std::int64_t outputs = out_height(stored) * out_width(stored) - outputs_left * outputs_left;
  const std::int64_t inputs = stored.in_height * stored.in_width - inputs_left * inputs_left;
  return outputs * stored.out_channels - inputs * stored.in_channels;
}

// The first real tap of every output of an axis; kNever for an output that reads padding alone.
std::vector<std::int64_t> first_taps(const Window& window, std::int64_t extent) {
  std::vector<std::int64_t> first;
  for (std::int64_t i = 0; i < output_extent(window, extent); ++i) {
    std::int64_t tap = i * window.stride - window.pad_before;
    const std::int64_t end = tap + window.kernel * window.dilation;
    while (tap < 0 && tap < end) tap += window.dilation;
    first.push_back(tap < end && tap < extent ? tap : kNever);
  }
  return first;
}

// result[i] is the least of the elements from i on; one more element than `values`, kNever.
std::vector<std::int64_t> suffix_minima(std::vector<std::int64_t> values) {
  values.push_back(kNever);
  for (std::size_t i = values.size() - 1; i-- > 0;) values[i] = std::min(values[i], values[i + 1]);
  return values;
}

// Addresses of the inputs that are needed next: Eq. 40, as the least over every output that is not made yet.
class NextLiveInput {
 public:
  explicit NextLiveInput(const Layer& layer)
      : layer_(layer),
        row_(first_taps(layer.rows, layer.in_height)),
        later_row_(suffix_minima(row_)),
        later_column_(suffix_minima(first_taps(layer.columns, layer.in_width))) {}

  // After output (row, column), in scalars; kNever if no input is needed any more.
  std::int64_t after(std::int64_t row, std::int64_t column) const {
    return std::min(address(row_[static_cast<std::size_t>(row)], later_column_[static_cast<std::size_t>(column) + 1]),
                    address(later_row_[static_cast<std::size_t>(row) + 1], later_column_.front()));
  }

  // Before the first output.
  std::int64_t at_start() const { return address(later_row_.front(), later_column_.front()); }

 private:
  std::int64_t address(std::int64_t row, std::int64_t column) const {
    return row == kNever || column == kNever ? kNever : (row * layer_.in_width + column) * layer_.in_channels;
  }

  const Layer& layer_;
  std::vector<std::int64_t> row_, later_row_, later_column_;
};

std::vector<std::int64_t> corners(std::int64_t outputs) { return {0, outputs - 2, outputs - 1}; }

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }
std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

// The outputs of an axis at which the first real tap may change its course.
std::vector<std::int64_t> crossings(const Window& window, std::int64_t extent, Theorem13 text) {
  std::vector<std::int64_t> result = corners(output_extent(window, extent));
  for (std::int64_t tap = 0; tap < window.kernel; ++tap) {
    const std::int64_t offset = window.pad_before - tap * window.dilation;
    const std::int64_t enters = ceil_div(offset, window.stride);
    const std::int64_t leaves = text == Theorem13::printed ? ceil_div(offset + extent - 1, window.stride)
                                                           : floor_div(offset + extent - 1, window.stride);
    result.insert(result.end(), {enters - 1, enters, leaves - 1, leaves});
  }
  return result;
}

// The largest debt after the outputs (r, c) of `rows` x `columns` that exist; `after_last` is that after the last of
// all.
std::int64_t largest_debt(const Layer& layer, const NextLiveInput& next, const std::vector<std::int64_t>& rows,
                          const std::vector<std::int64_t>& columns, std::int64_t sigma, std::int64_t after_last) {
  const std::int64_t height = out_height(layer), width = out_width(layer);
  std::int64_t most = after_last;
  for (const std::int64_t r : rows) {
    for (const std::int64_t c : columns) {
      if (r < 0 || r >= height || c < 0 || c >= width) continue;
      const std::int64_t live = next.after(r, c);
      if (live == kNever) continue;
      most = std::max(most, (r * width + c + 1) * layer.out_channels + sigma - live);
    }
  }
  const std::int64_t outputs = height * width * layer.out_channels;
  return std::max(most, outputs - layer.in_height * layer.in_width * layer.in_channels);
}

}  // namespace

std::optional<std::int64_t> gural_murmann_gap(const Layer& layer) {
  const std::int64_t growth = layer.out_channels - layer.in_channels;
  if (growth <= 0) return std::nullopt;
  const std::int64_t left = layer.in_channels * (layer.rows.kernel - 1) / growth;
  return herringbone_debt(padding_stored(layer), left) + layer.rows.kernel * layer.in_channels;
}

std::int64_t corrected_gural_murmann_gap(const Layer& layer) {
  const std::int64_t growth = layer.out_channels - layer.in_channels;
  if (growth <= 0) return layer.out_channels;
  const Layer stored = padding_stored(layer);
  const std::int64_t legs = std::min(out_height(stored), out_width(stored));
  // The debt is largest at the end of the row part of the leg that began with a square of left + 1 outputs to make.
  const std::int64_t left = std::min(layer.in_channels * (layer.rows.kernel - 1) / growth, legs - 1);
  return herringbone_debt(stored, left + 1) + layer.out_channels + left * growth;
}

std::int64_t nine_breakpoint_gap(const Layer& layer, std::int64_t sigma) {
  const Layer stored = padding_stored(layer);
  return largest_debt(stored, NextLiveInput(stored), corners(out_height(stored)), corners(out_width(stored)), sigma,
                      sigma);
}

std::int64_t dense_breakpoint_gap(const Layer& layer, std::int64_t sigma, Theorem13 text) {
  const NextLiveInput next(layer);
  std::int64_t after_last = sigma;
  if (text == Theorem13::repaired) {
    // The debt of the first output, which nothing precedes.
    after_last = next.at_start() == kNever ? 0 : std::max<std::int64_t>(0, sigma - next.at_start());
  }
  return largest_debt(layer, next, crossings(layer.rows, layer.in_height, text),
                      crossings(layer.columns, layer.in_width, text), sigma, after_last);
}

std::int64_t published_pooling_bytes(const Layer& layer) { return in_bytes(layer); }

}  // namespace ripc
