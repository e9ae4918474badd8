// Functions of one scalar, and of two.
#include <algorithm>
#include <cmath>

#include "graph/broadcast.h"
#include "lower/byte_table.h"
#include "rip/exponential.h"

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

/// The bits of rip_mul_s8::operand0 and its like.
std::int32_t operand_bits(const LowerBuilder& b, const Tensor& operand) {
  const std::optional<Broadcast> broadcast = broadcast_of(operand, b.output());
  if (!broadcast) b.fail("shapes that do not broadcast", {}, {}, &operand);
  const bool every_pixel = b.one_row() ? image_shape(operand).height * image_shape(operand).width != 1 ||
                                             image_shape(b.output()).height * image_shape(b.output()).width == 1
                                       : broadcast->every_column;
  return (every_pixel ? RIP_EVERY_PIXEL : 0) | (broadcast->every_channel ? RIP_EVERY_CHANNEL : 0) |
         (operand.constant ? RIP_IN_FLASH : 0);
}

/// The reference takes no factor of a sum that is not below one.
FixedPoint below_one(const LowerBuilder& b, double factor, const Tensor& t) {
  const FixedPoint fixed = quantize_multiplier(factor);
  if (fixed.shift > 0) b.fail("scales too far apart", "a ratio below 1", std::to_string(factor), &t);
  return fixed;
}

/// What the factors of a sum are made of: in binary64 for ADD, step by step in binary32 for SUB.
struct SumFactors {
  double left = 0, right = 0, back = 0;
};

template <typename Real>
SumFactors sum_factors(Real left, Real right, Real out) {
  const Real twice = 2 * std::max(left, right);
  return {static_cast<double>(left / twice), static_cast<double>(right / twice),
          static_cast<double>(twice / (Real{0x1p20F} * out))};
}

KernelParams sum(LowerBuilder& b, const Binary& binary, const Tensor& left, const Tensor& right) {
  const Tensor& out = b.output();
  const bool subtract = binary.kind == BinaryKind::subtract;
  const SumFactors factors =
      subtract ? sum_factors<float>(b.scale(left), b.scale(right), b.scale(out))
               : sum_factors<double>(static_cast<double>(b.scale(left)), static_cast<double>(b.scale(right)),
                                     static_cast<double>(b.scale(out)));
  const FixedPoint factor0 = below_one(b, factors.left, left), factor1 = below_one(b, factors.right, right);
  const FixedPoint back = below_one(b, factors.back, out);
  const StoredRange range = activation_range(binary.activation, out.type, b.scale(out), b.zero(out));
  return rip_add_s8{.channels = b.out_channels(),
                    .operand0 = operand_bits(b, left),
                    .operand1 = operand_bits(b, right),
                    .sign1 = subtract ? -1 : 1,
                    .zero0 = b.zero(left),
                    .multiplier0 = factor0.multiplier,
                    .shift0 = factor0.shift,
                    .zero1 = b.zero(right),
                    .multiplier1 = factor1.multiplier,
                    .shift1 = factor1.shift,
                    .out_zero = b.zero(out),
                    .out_multiplier = back.multiplier,
                    .out_shift = back.shift,
                    .act_min = range.min,
                    .act_max = range.max};
}

KernelParams product(LowerBuilder& b, const Binary& binary, const Tensor& left, const Tensor& right) {
  const Tensor& out = b.output();
  const FixedPoint fixed = quantize_multiplier(static_cast<double>(b.scale(left)) *
                                               static_cast<double>(b.scale(right)) / static_cast<double>(b.scale(out)));
  // The product of two differences of bytes has 17 bits.
  if (fixed.shift > 14) b.fail("scales too far apart", "a ratio below 2^14", {}, &out);
  const StoredRange range = activation_range(binary.activation, out.type, b.scale(out), b.zero(out));
  return rip_mul_s8{.channels = b.out_channels(),
                    .operand0 = operand_bits(b, left),
                    .operand1 = operand_bits(b, right),
                    .zero0 = b.zero(left),
                    .zero1 = b.zero(right),
                    .multiplier = fixed.multiplier,
                    .shift = fixed.shift,
                    .out_zero = b.zero(out),
                    .act_min = range.min,
                    .act_max = range.max};
}

}  // namespace

KernelParams params_of(LowerBuilder& b, const Unary& unary) {
  switch (unary.kind) {
    case UnaryKind::logistic:
      return exponential_table(b, logistic, 23);
    case UnaryKind::tanh:
      return exponential_table(b, hyperbolic_tangent, 24);
    case UnaryKind::hard_swish:
      return hard_swish_table(b);
    case UnaryKind::leaky_relu:
      return leaky_relu_table(b, unary.alpha);
    default:
      break;
  }
  b.fail("operator without an integer form", "float32", type_name(b.input().type), &b.input());
}

KernelParams params_of(LowerBuilder& b, const Binary& binary) {
  const auto [left, right] = operands_of(b.op(), binary);
  switch (binary.kind) {
    case BinaryKind::add:
    case BinaryKind::subtract:
      return sum(b, binary, b.tensor(left), b.tensor(right));
    case BinaryKind::multiply:
      return product(b, binary, b.tensor(left), b.tensor(right));
    default:
      break;
  }
  b.fail("operator without an integer form", "float32", type_name(b.output().type), &b.output());
}

}  // namespace ripc
