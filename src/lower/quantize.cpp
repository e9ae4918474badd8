#include "lower/quantize.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

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
  switch (type) {
    case DataType::uint8:
      return {0, 255};
    case DataType::int16:
      return {INT16_MIN, INT16_MAX};
    case DataType::int32:
      return {INT32_MIN, INT32_MAX};
    default:
      return {-128, 127};
  }
}

RealRange real_range(Activation activation) {
  constexpr float kMost = std::numeric_limits<float>::max();
  switch (activation) {
    case Activation::relu:
      return {0.0F, kMost};
    case Activation::relu6:
      return {0.0F, 6.0F};
    case Activation::relu_n1_to_1:
      return {-1.0F, 1.0F};
    case Activation::none:
      break;
  }
  return {-kMost, kMost};
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

std::vector<std::int16_t> interpolation_table(float least, float most, float (*function)(float)) {
  constexpr int kSteps = 512;
  // Output scale 2 / 65535: the numbers of an int16 from -1 to 1.
  const float out_scale = 2.0F / 65535.0F;
  const float inverse = 65536.0F / (out_scale * 32767.0F - out_scale * -32768.0F);
  const float step = (most - least) / static_cast<float>(kSteps), half = step / 2.0F;
  const auto held = [](float value) { return static_cast<std::int16_t>(std::clamp(value, -32768.0F, 32767.0F)); };
  std::vector<std::int16_t> table;
  for (int i = 0; i < kSteps; ++i) {
    const float at = static_cast<float>(i) * step, after = static_cast<float>(i + 1) * step;
    const float here = std::round(function(least + at) * inverse);
    const float between = std::round((function(least + after) * inverse + here) / 2.0F);
    const float wrong = between - std::round(function(least + at + half) * inverse);
    table.push_back(held(here - std::round(wrong / 2.0F)));
  }
  table.push_back(held(std::round(function(most) * inverse)));
  return table;
}

}  // namespace ripc
