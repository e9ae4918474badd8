// The geometry of one layer: two windows, two tensors, nothing else. Pure arithmetic, no graph.
#pragma once

#include <cstdint>

namespace ripc {

/// One axis of a sliding window, in pixels. Padding may differ before and after, and may be negative
/// in a mirrored window (rows that no output reads).
struct Window {
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t pad_before = 0;
  std::int64_t pad_after = 0;

  bool operator==(const Window&) const = default;
};

/// A windowed layer on one image, channels last. `rows` is the vertical window, `columns` the horizontal one.
struct Layer {
  Window rows;
  Window columns;
  std::int64_t in_height = 1;
  std::int64_t in_width = 1;
  std::int64_t in_channels = 1;
  std::int64_t out_channels = 1;
  std::int64_t groups = 1;
  std::int64_t in_scalar = 1;   ///< bytes of one input scalar
  std::int64_t out_scalar = 1;  ///< bytes of one output scalar
  std::int64_t in_pitch = 0;    ///< bytes from input pixel to input pixel; 0 means in_channels * in_scalar
  std::int64_t out_pitch = 0;   ///< bytes from output pixel to output pixel; 0 means out_channels * out_scalar

  bool operator==(const Layer&) const = default;
};

/// Pixels that a kernel spans: (kernel - 1) * dilation + 1.
std::int64_t effective_kernel(const Window& window);

/// Outputs that a window makes over `extent` inputs: floor((extent + pads - effective kernel) / stride) + 1; 0 if it
/// does not fit.
std::int64_t output_extent(const Window& window, std::int64_t extent);

std::int64_t out_height(const Layer& layer);
std::int64_t out_width(const Layer& layer);

/// Bytes from pixel to pixel, with the default of a dense tensor filled in.
std::int64_t in_pitch(const Layer& layer);
std::int64_t out_pitch(const Layer& layer);

/// Bytes of the stored tensors: height * width * pitch, padding not stored.
std::int64_t in_bytes(const Layer& layer);
std::int64_t out_bytes(const Layer& layer);

/// Bytes of the input with its padding stored.
std::int64_t padded_in_bytes(const Layer& layer);

/// Throws ripc::Error if an extent, kernel, stride, dilation, channel count, group count or scalar size is not
/// positive, groups do not divide the channels, a pitch is smaller than its pixel, or an extent or a product of extents
/// does not fit 62 bits. Every other function assumes a checked layer.
void check_layer(const Layer& layer);

/// The layer turned by 180 degrees: its first output is the last of `layer`. Padding becomes what the last output
/// leaves before itself, so that rows and columns that no output reads turn into negative padding; the output extent
/// stays.
Layer mirrored(const Layer& layer);

/// The layer with height and width exchanged.
Layer transposed(const Layer& layer);

/// The layer whose stored input holds the padding: in_height and in_width grow by it, and no padding is left.
Layer padding_stored(const Layer& layer);

}  // namespace ripc
