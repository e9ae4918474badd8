// Functions of one byte: tables, made with the reference's own arithmetic.
#include <algorithm>
#include <cmath>

#include "lower/byte_table.h"
#include "lower/unary.h"
#include "rip/exponential.h"
#include "rip/inverse_root.h"

namespace ripc {
namespace {

/// (x - in_zero) at the input's scale as Q4.27, where it lies within the 15 that the reference's exponentials take.
struct Exponent {
  std::int32_t multiplier = 0;
  int shift = 0;
  std::int64_t radius = 0;
};

Exponent exponent_of(float scale) {
  Exponent exponent;
  const double fraction = std::frexp(static_cast<double>(scale) * 0x1p27, &exponent.shift);
  exponent.multiplier = static_cast<std::int32_t>(std::round(fraction * 0x1p31));
  exponent.radius = static_cast<std::int64_t>(std::floor(15.0 * 0x1p27 / std::ldexp(1.0, exponent.shift)));
  return exponent;
}

/// 1 / (1 + exp(-x)): Q4.27 to Q0.31.
std::int32_t logistic(std::int32_t x) {
  if (x == 0) return std::int32_t{1} << 30;
  const std::int32_t y = rip_reciprocal_of_one_plus(rip_exp_of_negative(x > 0 ? -x : x, 4));
  return x > 0 ? y : INT32_MAX - y;
}

/// Q4.27 to Q0.31: (1 - exp(-2x)) / (1 + exp(-2x)), the double being the same bits with one integer bit more.
std::int32_t hyperbolic_tangent(std::int32_t x) {
  if (x == 0) return 0;
  const std::int32_t y = rip_one_minus_over_one_plus(rip_exp_of_negative(x > 0 ? -x : x, 5));
  return x > 0 ? y : -y;
}

/// clamp(f(x - in_zero) / 2^bits + out_zero), saturated where x is too far from zero.
template <typename Function>
KernelParams exponential_table(LowerBuilder& b, Function f, int bits) {
  const Exponent exponent = exponent_of(b.scale(b.input()));
  return byte_table(b, [&](std::int32_t x) {
    const std::int32_t value = x - b.zero(b.input());
    if (value <= -exponent.radius) return std::int32_t{INT8_MIN};
    if (value >= exponent.radius) return std::int32_t{INT8_MAX};
    const std::int32_t y = f(rip_requantize(value, exponent.multiplier, exponent.shift));
    return rip_clamp(rip_rounded_shift(y, bits) + b.zero(b.output()), INT8_MIN, INT8_MAX);
  });
}

std::int32_t held_to_16_bits(std::int64_t x) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(x, INT16_MIN, INT16_MAX));
}

/// round(a * b / 2^15), halves up.
std::int32_t high_product_16(std::int32_t a, std::int32_t b) { return held_to_16_bits((a * b + (1 << 14)) >> 15); }

std::int32_t multiplier_of_16_bits(const FixedPoint& fixed) {
  if (fixed.multiplier >= INT32_MAX - (1 << 15)) return INT16_MAX;
  return (fixed.multiplier + (1 << 15)) >> 16;
}

/// x * clamp(x + 3, 0, 6) / 6 in 16 bits; the reference's scales are binary32.
KernelParams hard_swish_table(LowerBuilder& b) {
  const float fine = (1.0F / 128.0F) * b.scale(b.input());
  const FixedPoint out = quantize_multiplier(static_cast<double>(fine / b.scale(b.output())));
  const FixedPoint slope = quantize_multiplier(static_cast<double>(fine / (3.0F / 32768.0F)));
  if (out.shift > 0) b.fail("output scale too small", {}, {}, &b.output());
  return byte_table(b, [&](std::int32_t x) {
    const std::int32_t value = (x - b.zero(b.input())) * 128;
    const std::int32_t product = high_product_16(value, multiplier_of_16_bits(out));
    std::int32_t gate = value;  // becomes clamp(x / 3, -1, 1), and then (1 + that) / 2
    if (slope.shift > 0)
      gate = held_to_16_bits(std::int64_t{gate} * (std::int64_t{1} << std::min(slope.shift - 1, 31)));
    gate = high_product_16(gate, multiplier_of_16_bits(slope));
    if (slope.shift > 0) gate = held_to_16_bits(std::int64_t{gate} * 2);
    if (slope.shift < 0) gate = rip_rounded_shift(gate, -slope.shift);
    gate = (gate + 32768) >> 1;
    const std::int32_t y = held_to_16_bits(gate * product / 32768);
    return rip_clamp(rip_rounded_shift(y, -out.shift) + b.zero(b.output()), INT8_MIN, INT8_MAX);
  });
}

/// The reference's own table of ELU, in binary32 throughout.
KernelParams elu_table(LowerBuilder& b) {
  const float scale = b.scale(b.input()), inverse = 1.0F / b.scale(b.output());
  return byte_table(b, [&](std::int32_t x) {
    const float real = scale * static_cast<float>(x - b.zero(b.input()));
    const float y = std::round((real < 0.0F ? std::exp(real) - 1.0F : real) * inverse);
    return rip_clamp(static_cast<std::int32_t>(y + static_cast<float>(b.zero(b.output()))), INT8_MIN, INT8_MAX);
  });
}

KernelParams abs_table(LowerBuilder& b) {
  const auto in = static_cast<double>(b.scale(b.input())), out = static_cast<double>(b.scale(b.output()));
  const FixedPoint fixed = quantize_multiplier(in / out);
  return byte_table(b, [&](std::int32_t x) {
    const std::int32_t value = std::abs(x - b.zero(b.input()));
    const std::int32_t y = in == out ? value : rip_requantize(value, fixed.multiplier, fixed.shift);
    return rip_clamp(y + b.zero(b.output()), INT8_MIN, INT8_MAX);
  });
}

/// Where the root is not defined the reference stops; the table has the largest value there, as for zero.
KernelParams rsqrt_table(LowerBuilder& b) {
  constexpr int kBits = 20;  // below the point of the inverse root
  const double factor =
      1.0 / (std::sqrt(static_cast<double>(b.scale(b.input()))) * static_cast<double>(b.scale(b.output())));
  const FixedPoint fixed = quantize_multiplier(factor);
  return byte_table(b, [&](std::int32_t x) {
    const std::int32_t value = x - b.zero(b.input());
    if (value <= 0) return std::int32_t{INT8_MAX};
    FixedPoint root;
    rip_inverse_root(value, &root.multiplier, &root.shift);
    const std::int32_t inverse = rip_requantize(1, root.multiplier, root.shift + kBits);
    const std::int32_t y = rip_requantize(inverse, fixed.multiplier, fixed.shift - kBits);
    return rip_clamp(y + b.zero(b.output()), INT8_MIN, INT8_MAX);
  });
}

/// One factor on each side of zero, both from binary32. A negative slope turns the sign after the rounding.
KernelParams leaky_relu_table(LowerBuilder& b, float alpha) {
  const float in = b.scale(b.input()), out = b.scale(b.output());
  const auto below = static_cast<double>(in * alpha / out);
  const FixedPoint slope = quantize_multiplier(std::abs(below)),
                   plain = quantize_multiplier(static_cast<double>(in / out));
  return byte_table(b, [&](std::int32_t x) {
    const std::int32_t value = x - b.zero(b.input());
    const FixedPoint& fixed = value >= 0 ? plain : slope;
    const std::int32_t y = rip_requantize(value, fixed.multiplier, fixed.shift);
    return rip_clamp((value < 0 && below < 0.0 ? -y : y) + b.zero(b.output()), INT8_MIN, INT8_MAX);
  });
}

}  // namespace

KernelParams byte_unary(LowerBuilder& b, const Unary& unary) {
  switch (unary.kind) {
    case UnaryKind::abs:
      return abs_table(b);
    case UnaryKind::elu:
      return elu_table(b);
    case UnaryKind::hard_swish:
      return hard_swish_table(b);
    case UnaryKind::leaky_relu:
      return leaky_relu_table(b, unary.alpha);
    case UnaryKind::logistic:
      return exponential_table(b, logistic, 23);
    case UnaryKind::rsqrt:
      return rsqrt_table(b);
    case UnaryKind::tanh:
      return exponential_table(b, hyperbolic_tangent, 24);
    default:
      break;
  }
  b.fail("operator without an integer form", "float32", type_name(b.input().type), &b.input());
}

}  // namespace ripc
