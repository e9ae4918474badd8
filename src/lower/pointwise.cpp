// ADD, SOFTMAX, QUANTIZE, DEQUANTIZE, and the activations that are operators of their own.
#include <algorithm>
#include <bit>
#include <cmath>

#include "lower/builder.h"
#include "rip/requantize.h"

namespace ripc {
namespace {

/// One entry for each byte that a tensor of an 8-bit type can hold, by its bits.
template <typename T, typename Function>
std::vector<T> table_of(DataType type, Function function) {
  std::vector<T> entries;
  for (std::int32_t bits = 0; bits < 256; ++bits) {
    entries.push_back(function(type == DataType::uint8 || bits < 128 ? bits : bits - 256));
  }
  return entries;
}

std::int8_t byte_of(std::int32_t value) { return std::bit_cast<std::int8_t>(static_cast<std::uint8_t>(value)); }

/// The parameters of a function from byte to byte.
template <typename Function>
KernelParams byte_table(LowerBuilder& b, Function function) {
  const auto entry = [&](std::int32_t x) { return byte_of(function(x)); };
  return rip_table_s8{.table = b.array("table", table_of<std::int8_t>(b.input().type, entry)),
                      .channels = b.out_channels()};
}

/// clamp((x - in_zero) * factor + out_zero) as a table.
KernelParams rescaling(LowerBuilder& b, double factor, StoredRange range) {
  const FixedPoint fixed = quantize_multiplier(factor);
  // (x - in_zero) << shift is done in 32 bits.
  if (fixed.shift > 22) b.fail("scales too far apart", "a ratio below 2^22", std::to_string(factor), &b.output());
  return byte_table(b, [&](std::int32_t x) {
    const std::int32_t y = rip_requantize(x - b.zero(b.input()), fixed.multiplier, fixed.shift);
    return rip_clamp(y + b.zero(b.output()), range.min, range.max);
  });
}

rip_extent extent_of(const LowerBuilder& b, const Tensor& in) {
  if (element_count(in) == element_count(b.output())) return RIP_WHOLE;
  return element_count(in) == 1 ? RIP_ONE_SCALAR : RIP_ONE_PIXEL;
}

/// The reference takes no factor of a sum that is not below one.
FixedPoint below_one(const LowerBuilder& b, double factor, const Tensor& t) {
  const FixedPoint fixed = quantize_multiplier(factor);
  if (fixed.shift > 0) b.fail("scales too far apart", "a ratio below 1", std::to_string(factor), &t);
  return fixed;
}

}  // namespace

KernelParams params_of(LowerBuilder& b, const Add& add) {
  const Tensor &left = b.input(0), &right = b.input(1), &out = b.output();
  const auto scale0 = static_cast<double>(b.scale(left)), scale1 = static_cast<double>(b.scale(right));
  const double twice = 2.0 * std::max(scale0, scale1);
  const FixedPoint factor0 = below_one(b, scale0 / twice, left), factor1 = below_one(b, scale1 / twice, right);
  const FixedPoint back = below_one(b, twice / (0x1p20 * static_cast<double>(b.scale(out))), out);
  const StoredRange range = activation_range(add.activation, out.type, b.scale(out), b.zero(out));
  return rip_add_s8{.channels = b.out_channels(),
                    .extent0 = extent_of(b, left),
                    .extent1 = extent_of(b, right),
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

KernelParams params_of(LowerBuilder& b, const Softmax& softmax) {
  if (b.scale(b.output()) != 1.0F / 256.0F || b.zero(b.output()) != -128) {
    b.fail("output quantisation of softmax", "scale 1/256, zero point -128",
           std::to_string(b.scale(b.output())) + ", " + std::to_string(b.zero(b.output())), &b.output());
  }
  // The sum of as many exponentials overflows the reference's 12 integer bits.
  if (b.out_channels() >= 4096) {
    b.fail("softmax over too many channels", "below 4096", std::to_string(b.out_channels()));
  }
  const SoftmaxScale scale = softmax_scale(softmax.beta, b.scale(b.input()));
  if (scale.factor.shift < 1) b.fail("beta or input scale too small", {}, {}, &b.input());
  return rip_softmax_s8{.channels = b.out_channels(),
                        .multiplier = scale.factor.multiplier,
                        .shift = scale.factor.shift,
                        .diff_min = scale.diff_min};
}

KernelParams params_of(LowerBuilder& b, const Quantize&) {
  const Tensor &in = b.input(), &out = b.output();
  const StoredRange range = type_range(out.type);
  if (in.type != DataType::float32) {
    return rescaling(b, static_cast<double>(b.scale(in)) / static_cast<double>(b.scale(out)), range);
  }
  return rip_quantize_f32{.scale = b.scale(out),
                          .channels = b.out_channels(),
                          .out_zero = b.zero(out),
                          .out_min = range.min,
                          .out_max = range.max};
}

KernelParams params_of(LowerBuilder& b, const Dequantize&) {
  const Tensor& in = b.input();
  const auto real = [&](std::int32_t x) {
    return static_cast<float>(static_cast<double>(b.scale(in)) * (x - b.zero(in)));
  };
  return rip_table_f32{.table = b.array("table", table_of<float>(in.type, real)), .channels = b.out_channels()};
}

KernelParams params_of(LowerBuilder& b, const Clamp& clamp) {
  const Tensor &in = b.input(), &out = b.output();
  if (clamp.activation == Activation::relu6) {
    // Never rescaled: the limits are those of the input's quantisation.
    const StoredRange range = activation_range(Activation::relu6, in.type, b.scale(in), b.zero(in));
    return byte_table(b, [&](std::int32_t x) { return rip_clamp(x, range.min, range.max); });
  }
  // The reference divides these two scales in binary32.
  return rescaling(b, static_cast<double>(b.scale(in) / b.scale(out)),
                   activation_range(clamp.activation, out.type, b.scale(out), b.zero(out)));
}

}  // namespace ripc
