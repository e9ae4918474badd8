#include "lower/quantize.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace ripc {

FixedPoint quantize_multiplier(double factor) {
  if (factor == 0.0) return {};
  int shift = 0;
  const double fraction = std::frexp(factor, &shift);
  auto multiplier = static_cast<std::int64_t>(std::round(fraction * 0x1p31));
  if (multiplier == std::int64_t{1} << 31) {
    multiplier /= 2;
    ++shift;
  }
  if (shift < -31) return {};
  return {static_cast<std::int32_t>(multiplier), shift};
}

StoredRange type_range(DataType type) {
  if (type == DataType::int16) return {-32768, 32767};
  return type == DataType::uint8 ? StoredRange{0, 255} : StoredRange{-128, 127};
}

StoredRange activation_range(Activation activation, DataType type, float scale, std::int32_t zero_point) {
  StoredRange range = type_range(type);
  const auto stored = [&](float real) { return zero_point + static_cast<std::int32_t>(std::round(real / scale)); };
  switch (activation) {
    case Activation::none:
      break;
    case Activation::relu:
      range.min = std::max(range.min, stored(0.0F));
      break;
    case Activation::relu6:
      range = {std::max(range.min, stored(0.0F)), std::min(range.max, stored(6.0F))};
      break;
    case Activation::relu_n1_to_1:
      range = {std::max(range.min, stored(-1.0F)), std::min(range.max, stored(1.0F))};
      break;
  }
  return range;
}

FixedPoint mean_multiplier(double factor, std::int64_t count) {
  const FixedPoint whole = quantize_multiplier(factor);
  // Bits that can be kept below the point while the division by the count is done.
  const int bits =
      std::min({static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count))) - 1, 32, 31 + whole.shift});
  return {static_cast<std::int32_t>((std::int64_t{whole.multiplier} << bits) / count), whole.shift - bits};
}

SoftmaxScale softmax_scale(float beta, float scale) {
  const double factor = std::min(static_cast<double>(beta) * static_cast<double>(scale) * 0x1p26, 0x1p31 - 1.0);
  const FixedPoint fixed = quantize_multiplier(factor);
  const double radius = std::floor(31.0 * 0x1p26 / std::ldexp(1.0, fixed.shift));
  return {fixed, -static_cast<std::int32_t>(radius)};
}

}  // namespace ripc
