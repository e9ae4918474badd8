#include "ripc/layer.h"

#include <fmt/core.h>

#include <optional>
#include <string>
#include <utility>

#include "ripc/error.h"

namespace ripc {

namespace {

constexpr std::int64_t kLimit = (std::int64_t{1} << 62) - 1;

[[noreturn]] void refuse(std::string problem, std::string expected, std::string found) {
  ErrorContext context;
  context.problem = std::move(problem);
  context.expected = std::move(expected);
  context.found = std::move(found);
  throw Error(std::move(context));
}

void require_positive(const char* name, std::int64_t value) {
  if (value <= 0) refuse(fmt::format("{} is not positive", name), "at least 1", fmt::format("{}", value));
}

[[noreturn]] void refuse_size(const char* name) { refuse(fmt::format("{} is too large", name), "at most 62 bits", ""); }

void require_small(const char* name, std::int64_t value) {
  if (value > kLimit || value < -kLimit) refuse_size(name);
}

std::int64_t product(const char* name, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) refuse_size(name);
  require_small(name, result);
  return result;
}

std::int64_t sum(const char* name, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) refuse_size(name);
  require_small(name, result);
  return result;
}

void check_window(const char* axis, const Window& window, std::int64_t extent) {
  require_positive("kernel", window.kernel);
  require_positive("stride", window.stride);
  require_positive("dilation", window.dilation);
  require_small("stride", window.stride);
  require_small("padding", window.pad_before);
  require_small("padding", window.pad_after);
  const std::int64_t spanned = sum("kernel", product("kernel", window.kernel, window.dilation), 1);
  // Every index that a closed form visits lies within these two sums.
  const std::int64_t padded = sum(axis, sum(axis, extent, window.pad_before), window.pad_after);
  sum(axis, sum(axis, spanned, extent), padded);
}

/// Checks height * width * pitch, with every factor taken as a length even where negative padding shrinks it.
void check_tensor(const char* name, std::int64_t height, std::int64_t width, std::int64_t pitch) {
  product(name, product(name, height < 1 ? 1 : height, width < 1 ? 1 : width), pitch);
}

std::int64_t check_pitch(const char* name, std::int64_t pitch, std::int64_t channels, std::int64_t scalar) {
  const std::int64_t pixel = product(name, channels, scalar);
  if (pitch == 0) return pixel;
  if (pitch < pixel) {
    refuse(fmt::format("{} pitch is smaller than a pixel", name), fmt::format("at least {} bytes", pixel),
           fmt::format("{}", pitch));
  }
  return pitch;
}

std::int64_t padded_extent(const Window& window, std::int64_t extent) {
  return extent + window.pad_before + window.pad_after;
}

Window mirrored(const Window& window, std::int64_t extent) {
  const std::int64_t last_start = (output_extent(window, extent) - 1) * window.stride - window.pad_before;
  Window result = window;
  result.pad_before = last_start + effective_kernel(window) - extent;
  result.pad_after = window.pad_before;
  return result;
}

}  // namespace

std::int64_t effective_kernel(const Window& window) { return (window.kernel - 1) * window.dilation + 1; }

std::int64_t output_extent(const Window& window, std::int64_t extent) {
  const std::int64_t room = padded_extent(window, extent) - effective_kernel(window);
  return room < 0 ? 0 : room / window.stride + 1;
}

std::int64_t out_height(const Layer& layer) { return output_extent(layer.rows, layer.in_height); }

std::int64_t out_width(const Layer& layer) { return output_extent(layer.columns, layer.in_width); }

std::int64_t in_pitch(const Layer& layer) {
  return layer.in_pitch != 0 ? layer.in_pitch : layer.in_channels * layer.in_scalar;
}

std::int64_t out_pitch(const Layer& layer) {
  return layer.out_pitch != 0 ? layer.out_pitch : layer.out_channels * layer.out_scalar;
}

std::int64_t in_bytes(const Layer& layer) { return layer.in_height * layer.in_width * in_pitch(layer); }

std::int64_t out_bytes(const Layer& layer) { return out_height(layer) * out_width(layer) * out_pitch(layer); }

std::int64_t padded_in_bytes(const Layer& layer) { return in_bytes(padding_stored(layer)); }

void check_layer(const Layer& layer) {
  require_positive("input height", layer.in_height);
  require_positive("input width", layer.in_width);
  require_positive("input channels", layer.in_channels);
  require_positive("output channels", layer.out_channels);
  require_positive("groups", layer.groups);
  require_positive("bytes of an input scalar", layer.in_scalar);
  require_positive("bytes of an output scalar", layer.out_scalar);
  if (layer.in_channels % layer.groups != 0 || layer.out_channels % layer.groups != 0) {
    refuse("groups do not divide the channels", "a divisor of both channel counts",
           fmt::format("{} groups, {} -> {} channels", layer.groups, layer.in_channels, layer.out_channels));
  }
  check_window("height", layer.rows, layer.in_height);
  check_window("width", layer.columns, layer.in_width);
  const std::int64_t in = check_pitch("input", layer.in_pitch, layer.in_channels, layer.in_scalar);
  const std::int64_t out = check_pitch("output", layer.out_pitch, layer.out_channels, layer.out_scalar);
  check_tensor("input", layer.in_height, layer.in_width, in);
  check_tensor("padded input", padded_extent(layer.rows, layer.in_height), padded_extent(layer.columns, layer.in_width),
               in);
  check_tensor("output", out_height(layer), out_width(layer), out);
}

Layer mirrored(const Layer& layer) {
  Layer result = layer;
  result.rows = mirrored(layer.rows, layer.in_height);
  result.columns = mirrored(layer.columns, layer.in_width);
  return result;
}

Layer transposed(const Layer& layer) {
  Layer result = layer;
  std::swap(result.rows, result.columns);
  std::swap(result.in_height, result.in_width);
  return result;
}

Layer padding_stored(const Layer& layer) {
  Layer result = layer;
  result.in_height = padded_extent(layer.rows, layer.in_height);
  result.in_width = padded_extent(layer.columns, layer.in_width);
  result.rows.pad_before = result.rows.pad_after = 0;
  result.columns.pad_before = result.columns.pad_after = 0;
  return result;
}

}  // namespace ripc
