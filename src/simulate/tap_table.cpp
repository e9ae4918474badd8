#include "simulate/tap_table.h"

namespace ripc {

namespace {

std::vector<std::vector<std::int64_t>> axis_taps(const Window& window, std::int64_t extent, Layout layout) {
  // Stored index of the first padded row or column, and how many are stored.
  const bool padded = layout == Layout::padded;
  const std::int64_t origin = padded ? 0 : -window.pad_before;
  const std::int64_t stored = padded ? extent + window.pad_before + window.pad_after : extent;
  std::vector<std::vector<std::int64_t>> taps(static_cast<std::size_t>(output_extent(window, extent)));
  std::int64_t start = origin;
  for (std::vector<std::int64_t>& list : taps) {
    for (std::int64_t tap = 0; tap < window.kernel; ++tap) {
      const std::int64_t index = start + tap * window.dilation;
      if (index >= 0 && index < stored) list.push_back(index);
    }
    start += window.stride;
  }
  return taps;
}

std::vector<std::vector<std::int64_t>> single_taps(const std::vector<std::int64_t>& map) {
  std::vector<std::vector<std::int64_t>> taps;
  taps.reserve(map.size());
  for (const std::int64_t index : map) taps.push_back({index});
  return taps;
}

}  // namespace

TapTable tap_table(const Layer& layer, Layout layout) {
  const bool padded = layout == Layout::padded;
  TapTable table;
  table.rows = axis_taps(layer.rows, layer.in_height, layout);
  table.columns = axis_taps(layer.columns, layer.in_width, layout);
  table.in_height = layer.in_height + (padded ? layer.rows.pad_before + layer.rows.pad_after : 0);
  table.in_width = layer.in_width + (padded ? layer.columns.pad_before + layer.columns.pad_after : 0);
  table.in_channels = layer.in_channels;
  table.out_channels = layer.out_channels;
  table.groups = layer.groups;
  table.in_scalar = layer.in_scalar;
  table.out_scalar = layer.out_scalar;
  table.in_pitch = in_pitch(layer);
  table.out_pitch = out_pitch(layer);
  return table;
}

TapTable copy_table(const std::vector<std::int64_t>& rows, const std::vector<std::int64_t>& columns,
                    std::int64_t in_height, std::int64_t in_width, std::int64_t channels, std::int64_t scalar) {
  TapTable table;
  table.rows = single_taps(rows);
  table.columns = single_taps(columns);
  table.in_height = in_height;
  table.in_width = in_width;
  table.in_channels = table.out_channels = table.groups = channels;
  table.in_scalar = table.out_scalar = scalar;
  table.in_pitch = table.out_pitch = channels * scalar;
  return table;
}

}  // namespace ripc
