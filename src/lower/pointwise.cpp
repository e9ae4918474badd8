// SOFTMAX, QUANTIZE, DEQUANTIZE, and the activations that are operators of their own.
#include "lower/byte_table.h"

namespace ripc {
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
