// One operator's tensors as numbers, for the reference arithmetic.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "kernels/cases.h"
#include "kernels/fixed_point.h"

namespace ripc::test {

struct CaseView {
  explicit CaseView(const OpCase& one)
      : op_case(one),
        in_tensor(one.input()),
        out_tensor(one.output()),
        in_image(image_shape(in_tensor)),
        out_image(image_shape(out_tensor)),
        result(static_cast<std::size_t>(byte_count(out_tensor))) {}

  const Tensor& tensor(TensorId id) const { return op_case.graph.tensors[static_cast<std::size_t>(id)]; }
  static double scale(const Tensor& t, std::int64_t i = 0) {
    const std::vector<float>& scales = t.quantization.scale;
    return static_cast<double>(scales[scales.size() == 1 ? 0 : static_cast<std::size_t>(i)]);
  }
  static std::int64_t zero(const Tensor& t) { return t.quantization.zero_point[0]; }

  /// A stored scalar as the number that its type says; float32 as its bits.
  static std::int64_t value(const Tensor& t, const Bytes& bytes, std::int64_t index) {
    const std::size_t size = scalar_bytes(t.type);
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + static_cast<std::size_t>(index) * size, size);
    if (t.type == DataType::uint8 || size == 8) return static_cast<std::int64_t>(bits);
    const std::uint64_t sign = std::uint64_t{1} << (8 * size - 1);
    return static_cast<std::int64_t>(bits) - static_cast<std::int64_t>(bits & sign) * 2;
  }
  std::int64_t in(std::int64_t index, std::size_t input = 0) const {
    return value(op_case.input(input), op_case.inputs[input], index);
  }
  std::int64_t in_pixel(std::int64_t y, std::int64_t x, std::int64_t channel) const {
    return in((y * in_image.width + x) * in_image.channels + channel);
  }
  bool inside(std::int64_t y, std::int64_t x) const {
    return y >= 0 && y < in_image.height && x >= 0 && x < in_image.width;
  }
  void put(std::int64_t index, std::int64_t number) {
    const std::size_t size = scalar_bytes(out_tensor.type);
    std::memcpy(result.data() + static_cast<std::size_t>(index) * size, &number, size);
  }
  float real(std::int64_t index) const {
    float number = 0;
    std::memcpy(&number, op_case.inputs[0].data() + index * 4, 4);
    return number;
  }

  std::pair<std::int64_t, std::int64_t> type_limits() const {
    if (out_tensor.type == DataType::uint8) return {0, 255};
    const std::int64_t most = (std::int64_t{1} << (8 * scalar_bytes(out_tensor.type) - 1)) - 1;
    return {-most - 1, most};
  }
  std::int64_t clamped(std::int64_t y) const { return std::clamp(y, type_limits().first, type_limits().second); }

  std::int64_t activated(std::int64_t y, Activation activation) const {
    auto [low, high] = type_limits();
    const auto stored = [&](float limit) {
      return zero(out_tensor) + std::int64_t{std::lround(limit / out_tensor.quantization.scale[0])};
    };
    if (activation == Activation::relu || activation == Activation::relu6) low = std::max(low, stored(0.0F));
    if (activation == Activation::relu6) high = std::min(high, stored(6.0F));
    if (activation == Activation::relu_n1_to_1) {
      low = std::max(low, stored(-1.0F));
      high = std::min(high, stored(1.0F));
    }
    return std::min(std::max(y, low), high);
  }

  template <typename Function>
  void for_each_output(Function function) {
    std::int64_t index = 0;
    for (std::int64_t y = 0; y < out_image.height; ++y) {
      for (std::int64_t x = 0; x < out_image.width; ++x) {
        for (std::int64_t channel = 0; channel < out_image.channels; ++channel) function(y, x, channel, index++);
      }
    }
  }

  /// tap(y, x, ky, kx) for every tap inside of the image.
  template <typename Function>
  void for_each_tap(const Window& rows, const Window& columns, std::int64_t y, std::int64_t x, Function tap) const {
    for (std::int64_t ky = 0; ky < rows.kernel; ++ky) {
      for (std::int64_t kx = 0; kx < columns.kernel; ++kx) {
        const std::int64_t iy = y * rows.stride - rows.pad_before + ky * rows.dilation;
        const std::int64_t ix = x * columns.stride - columns.pad_before + kx * columns.dilation;
        if (inside(iy, ix)) tap(iy, ix, ky, kx);
      }
    }
  }

  std::int64_t bias(TensorId id, std::int64_t channel) const {
    return id == kNoTensor ? 0 : value(tensor(id), tensor(id).data, channel);
  }

  /// Sums of int16 have the bits of their bias, and 64 without one.
  bool has_wide_sum(TensorId bias) const {
    return in_tensor.type == DataType::int16 && (bias == kNoTensor || tensor(bias).type == DataType::int64);
  }

  std::int64_t requantized(std::int64_t sum, double factor, Activation activation, TensorId bias) const {
    if (has_wide_sum(bias)) {
      const Multiplier by = multiplier_of(factor);
      const std::int64_t m = by.m < 0x7fff0000 ? (by.m + 0x8000) / 0x10000 : 0x7fff;
      const double quotient = std::floor(static_cast<double>(sum * m) / std::exp2(15 - by.s) + 0.5);
      return activated(wrapped(static_cast<std::int64_t>(quotient)) + zero(out_tensor), activation);
    }
    return activated(scaled(wrapped(sum), multiplier_of(factor)) + zero(out_tensor), activation);
  }

  const OpCase& op_case;
  const Tensor& in_tensor;
  const Tensor& out_tensor;
  ImageShape in_image, out_image;
  Bytes result;  ///< the output's bytes
};

}  // namespace ripc::test
