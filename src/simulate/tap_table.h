// What a layer reads, written out tap by tap. The simulators know nothing else of a layer: no stride, no padding, no
// formula.
#pragma once

#include <cstdint>
#include <vector>

#include "ripc/gap.h"
#include "ripc/layer.h"

namespace ripc {

/// Output pixel (r, c) reads every stored input pixel (y, x) with y in rows[r] and x in columns[c]. Sizes are in bytes.
struct TapTable {
  std::vector<std::vector<std::int64_t>> rows;
  std::vector<std::vector<std::int64_t>> columns;
  std::int64_t in_height = 0;  ///< as stored
  std::int64_t in_width = 0;
  std::int64_t in_channels = 1;
  std::int64_t out_channels = 1;
  std::int64_t groups = 1;
  std::int64_t in_scalar = 1;
  std::int64_t out_scalar = 1;
  std::int64_t in_pitch = 1;
  std::int64_t out_pitch = 1;

  std::int64_t out_height() const { return static_cast<std::int64_t>(rows.size()); }
  std::int64_t out_width() const { return static_cast<std::int64_t>(columns.size()); }
  std::int64_t in_bytes() const { return in_height * in_width * in_pitch; }
  std::int64_t out_bytes() const { return out_height() * out_width() * out_pitch; }
};

/// The taps of a window that fall on stored pixels; with the padding stored, that is every tap.
TapTable tap_table(const Layer& layer, Layout layout);

/// A copy of pixels, channel by channel: output (r, c) reads input (rows[r], columns[c]).
TapTable copy_table(const std::vector<std::int64_t>& rows, const std::vector<std::int64_t>& columns,
                    std::int64_t in_height, std::int64_t in_width, std::int64_t channels, std::int64_t scalar);

}  // namespace ripc
