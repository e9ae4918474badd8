// SOFTMAX, QUANTIZE, DEQUANTIZE, and the activations that are operators of their own.
#include <cmath>

#include "lower/byte_table.h"
#include "rip/exp_f32.h"

namespace ripc {
namespace {

/// Softmax of int16, by tables of the exponential on [-10, 0] and of 1 / (1 + x) on [0, 1].
rip_softmax_s16 wide_softmax(LowerBuilder& b, float beta) {
  // The sum of as many exponentials overflows 31 bits.
  if (b.out_channels() >= 65536) {
    b.fail("softmax over too many channels", "below 65536", std::to_string(b.out_channels()));
  }
  const double factor = static_cast<double>(b.scale(b.input())) * static_cast<double>(beta) / (10.0 / 65535.0);
  const FixedPoint fixed = quantize_multiplier(factor);
  // (x - largest x) << shift is done in 32 bits.
  if (fixed.shift > 14) b.fail("beta or input scale too large", {}, {}, &b.input());
  constexpr float kStep = 10.0F / 65535.0F, kPart = 1.0F / 65535.0F;

  const auto reciprocal = [](float x) { return 1.0F / (1.0F + x); };
  return {.exponentials = b.array("exponentials", interpolation_table(kStep * -65535.0F, kStep * 0.0F, rip_exp_f32)),
          .reciprocals = b.array("reciprocals", interpolation_table(kPart * 0.0F, kPart * 65535.0F, reciprocal)),
          .channels = b.out_channels(),
          .multiplier = fixed.multiplier,
          .shift = fixed.shift};
}

}  // namespace

KernelParams params_of(LowerBuilder& b, const Softmax& softmax) {
  if (b.input().type == DataType::float32) {
    return rip_softmax_f32{.channels = b.out_channels(), .beta = softmax.beta};
  }
  if (b.input().type == DataType::int16) return wide_softmax(b, softmax.beta);
  // The sum of as many exponentials overflows the reference's 12 integer bits.
  if (b.out_channels() >= 4096) {
    b.fail("softmax over too many channels", "below 4096", std::to_string(b.out_channels()));
  }
  const SoftmaxScale scale = softmax_scale(softmax.beta, b.scale(b.input()));
  if (scale.factor.shift < 1) b.fail("beta or input scale too small", {}, {}, &b.input());
  if (softmax.logarithm) {
    const FixedPoint back =
        quantize_multiplier(std::ldexp(1.0, 31 - scale.factor.shift) / static_cast<double>(scale.factor.multiplier));
    return rip_log_softmax_s8{.channels = b.out_channels(),
                              .multiplier = scale.factor.multiplier,
                              .shift = scale.factor.shift,
                              .back_multiplier = back.multiplier,
                              .back_shift = back.shift,
                              .diff_min = scale.diff_min};
  }
  return rip_softmax_s8{.channels = b.out_channels(),
                        .multiplier = scale.factor.multiplier,
                        .shift = scale.factor.shift,
                        .diff_min = scale.diff_min};
}

KernelParams params_of(LowerBuilder& b, const Quantize&) {
  const Tensor &in = b.input(), &out = b.output();
  const StoredRange range = type_range(out.type);
  if (in.type != DataType::float32) {
    const double factor = static_cast<double>(b.scale(in)) / static_cast<double>(b.scale(out));
    if (scalar_bytes(in.type) == 1 && scalar_bytes(out.type) == 1) return rescaling(b, factor, range);
    const FixedPoint fixed = quantize_multiplier(factor);
    return rip_rescale{.channels = b.out_channels(),
                       .in_bytes = static_cast<std::int32_t>(scalar_bytes(in.type)),
                       .out_bytes = static_cast<std::int32_t>(scalar_bytes(out.type)),
                       .in_zero = b.zero(in),
                       .multiplier = fixed.multiplier,
                       .shift = fixed.shift,
                       .out_zero = b.zero(out),
                       .out_min = range.min,
                       .out_max = range.max};
  }
  return rip_quantize_f32{.scale = b.scale(out),
                          .channels = b.out_channels(),
                          .out_zero = b.zero(out),
                          .out_min = range.min,
                          .out_max = range.max};
}

KernelParams params_of(LowerBuilder& b, const Dequantize&) {
  const Tensor& in = b.input();
  if (in.type == DataType::int16) {
    return rip_dequantize_s16{.scale = b.scale(in), .channels = b.out_channels(), .in_zero = b.zero(in)};
  }
  const auto real = [&](std::int32_t x) {
    return static_cast<float>(static_cast<double>(b.scale(in)) * (x - b.zero(in)));
  };
  return rip_table_f32{.table = b.array("table", table_of<float>(in.type, real)), .channels = b.out_channels()};
}

KernelParams params_of(LowerBuilder& b, const Clamp& clamp) {
  const Tensor &in = b.input(), &out = b.output();
  if (in.type == DataType::float32) {
    const bool one_sided = clamp.activation == Activation::relu, around = clamp.activation == Activation::relu_n1_to_1;
    return rip_unary_f32{.function = one_sided ? RIP_RELU : RIP_CLAMP,
                         .channels = b.out_channels(),
                         .low = around ? -1.0F : 0.0F,
                         .high = around ? 1.0F : 6.0F};
  }
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
