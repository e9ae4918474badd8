// CONV_2D, DEPTHWISE_CONV_2D, FULLY_CONNECTED and TRANSPOSE_CONV.
#include "lower/weighted.h"

#include <numeric>
#include <span>

#include "lower/dsp.h"
#include "lower/m0.h"
#include "rip/block.h"

namespace ripc {
namespace {

/// So many products of bytes fit 31 bits.
constexpr std::size_t kMostTaps = std::size_t{1} << 17;

}  // namespace

std::vector<double> channel_factors(const LowerBuilder& b, const Tensor& weights, bool fully_connected) {
  const float in = b.scale(b.input());
  const auto out = static_cast<double>(b.scale(b.output()));
  const std::vector<float>& scales = weights.quantization.scale;
  const auto channels = static_cast<std::size_t>(image_shape(b.output()).channels);
  std::vector<double> factors(channels);
  for (std::size_t c = 0; c < channels; ++c) {
    const float weight = scales[scales.size() == 1 ? 0 : c];
    // The reference multiplies the two scales of a fully connected layer in binary32.
    const double product = fully_connected && scales.size() == 1
                               ? static_cast<double>(in * weight)
                               : static_cast<double>(in) * static_cast<double>(weight);
    factors[c] = product / out;
  }
  return factors;
}

std::vector<std::int32_t> folded_bias(const LowerBuilder& b, const ChannelWeights& weights, TensorId bias) {
  if (weights.taps() >= kMostTaps) {
    b.fail("sum of too many products", "below 131072", std::to_string(weights.taps()));
  }
  std::vector<std::int32_t> folded(weights.channels);
  if (bias != kNoTensor) folded = b.values<std::int32_t>(b.tensor(bias));
  for (std::size_t c = 0; c < weights.channels; ++c) {
    const std::span<const std::int8_t> own = weights.of(c);
    const std::int32_t sum = std::accumulate(own.begin(), own.end(), 0);
    folded[c] = static_cast<std::int32_t>(static_cast<std::uint32_t>(folded[c]) -
                                          static_cast<std::uint32_t>(sum * b.zero(b.input())));
  }
  return folded;
}

namespace {

/// [ceil(channels / RIP_BLOCK)][taps][RIP_BLOCK], filled up with zeros.
std::vector<std::int8_t> in_blocks(const ChannelWeights& weights) {
  const std::size_t taps = weights.taps(), blocks = (weights.channels + RIP_BLOCK - 1) / RIP_BLOCK;
  std::vector<std::int8_t> packed(blocks * taps * RIP_BLOCK);
  for (std::size_t c = 0; c < weights.channels; ++c) {
    for (std::size_t tap = 0; tap < taps; ++tap) {
      packed[(c / RIP_BLOCK * taps + tap) * RIP_BLOCK + c % RIP_BLOCK] = weights.of(c)[tap];
    }
  }
  return packed;
}

/// Multipliers, shifts and activation; Params is a convolution of int8 or int16 of either kind.
template <typename Params>
void set_requantization(LowerBuilder& b, Params& params, const std::vector<double>& factors, Activation activation,
                        int most_shift) {
  std::vector<std::int32_t> multipliers;
  std::vector<std::int8_t> shifts;
  for (const double factor : factors) {
    const FixedPoint fixed = quantize_multiplier(factor);
    if (fixed.shift > most_shift) b.fail("output scale too small", {}, {}, &b.output());
    multipliers.push_back(fixed.multiplier);
    shifts.push_back(static_cast<std::int8_t>(fixed.shift));
  }
  params.multiplier = b.array("multiplier", multipliers);
  params.shift = b.array("shift", shifts);
  const StoredRange range = activation_range(activation, b.output().type, b.scale(b.output()), b.zero(b.output()));
  params.act_min = range.min;
  params.act_max = range.max;
}

/// Everything of int8 but the weights and the window.
template <typename Params>
void set_arithmetic(LowerBuilder& b, Params& params, const std::vector<double>& factors,
                    const std::vector<std::int32_t>& bias, Activation activation) {
  params.bias = b.array("bias", bias);
  set_requantization(b, params, factors, activation, 30);
  params.in_zero = b.zero(b.input());
  params.out_zero = b.zero(b.output());
}

/// The same of int16. Sums have the bits of the bias; without one they have 64.
template <typename Params>
void set_wide_arithmetic(LowerBuilder& b, Params& params, const std::vector<double>& factors, TensorId bias,
                         Activation activation) {
  std::vector<std::int64_t> sums(static_cast<std::size_t>(b.out_channels()));
  params.narrow = bias != kNoTensor && b.tensor(bias).type == DataType::int32 ? 1 : 0;
  if (params.narrow != 0) {
    const std::vector<std::int32_t> values = b.values<std::int32_t>(b.tensor(bias));
    sums.assign(values.begin(), values.end());
  } else if (bias != kNoTensor) {
    sums = b.values<std::int64_t>(b.tensor(bias));
  }
  params.bias = b.array("bias", sums);
  set_requantization(b, params, factors, activation, params.narrow != 0 ? 30 : 7);
}

template <typename Params>
void set_real_arithmetic(LowerBuilder& b, Params& params, TensorId bias, Activation activation) {
  std::vector<float> sums(static_cast<std::size_t>(b.out_channels()));
  if (bias != kNoTensor) sums = b.values<float>(b.tensor(bias));
  params.bias = b.array("bias", sums);
  const RealRange range = real_range(activation);
  params.act_min = range.min;
  params.act_max = range.max;
}

template <typename Params>
void set_window(const LowerBuilder& b, Params& params, const Layer& layer) {
  params.in_width = b.in_width();
  params.kernel_h = b.narrow(layer.rows.kernel);
  params.kernel_w = b.narrow(layer.columns.kernel);
  params.stride_w = b.narrow(layer.columns.stride);
  params.dilation_w = b.narrow(layer.columns.dilation);
  params.pad_w = b.narrow(layer.columns.pad_before);
}

template <typename Params>
void set_groups(const LowerBuilder& b, Params& params) {
  const Layer layer = layer_of(b.graph(), b.op());
  params.groups = b.narrow(layer.groups);
  params.group_in = b.narrow(layer.in_channels / layer.groups);
  params.group_out = b.narrow(layer.out_channels / layer.groups);
  set_window(b, params, layer);
}

template <typename Params>
void set_planes(const LowerBuilder& b, Params& params) {
  const Layer layer = layer_of(b.graph(), b.op());
  params.channels = b.out_channels();
  params.in_height = b.narrow(layer.in_height);
  params.out_height = b.narrow(out_height(layer));
  params.out_width = b.narrow(out_width(layer));
  params.stride_h = b.narrow(layer.rows.stride);
  params.dilation_h = b.narrow(layer.rows.dilation);
  params.pad_h = b.narrow(layer.rows.pad_before);
  set_window(b, params, layer);
}

/// A convolution with weights [out channels][taps]; Kind has weights, bias and activation.
template <typename Kind>
KernelParams convolution(LowerBuilder& b, const Kind& kind, const std::vector<std::int8_t>& weights,
                         bool fully_connected) {
  const std::vector<double> factors = channel_factors(b, b.tensor(kind.weights), fully_connected);
  if (b.input().type == DataType::int16) {
    rip_conv2d_s16 params{};
    params.weights = b.array("weights", weights);
    set_groups(b, params);
    set_wide_arithmetic(b, params, factors, kind.bias, kind.activation);
    return params;
  }
  rip_conv2d_s8 params{};
  const ChannelWeights channels{weights, static_cast<std::size_t>(b.out_channels())};
  params.weights = b.array("weights", channels.scalars);
  set_groups(b, params);
  set_arithmetic(b, params, factors, folded_bias(b, channels, kind.bias), kind.activation);
  return params;
}

template <typename Kind>
KernelParams convolution(LowerBuilder& b, const Kind& kind, const std::vector<float>& weights) {
  rip_conv2d_f32 params{};
  params.weights = b.array("weights", weights);
  set_groups(b, params);
  set_real_arithmetic(b, params, kind.bias, kind.activation);
  return params;
}

/// A depthwise convolution with weights [taps][channels].
KernelParams depthwise(LowerBuilder& b, const DepthwiseConv2d& conv, const std::vector<std::int8_t>& weights) {
  const std::vector<double> factors = channel_factors(b, b.tensor(conv.weights), false);
  if (b.input().type == DataType::int16) {
    rip_depthwise_s16 params{};
    params.weights = b.array("weights", weights);
    set_planes(b, params);
    set_wide_arithmetic(b, params, factors, conv.bias, conv.activation);
    return params;
  }
  rip_depthwise_s8 params{};
  const auto channels = static_cast<std::size_t>(b.out_channels());
  const ChannelWeights turned{channels_first(weights, channels), channels};
  params.weights = b.array("weights", in_blocks(turned));
  set_planes(b, params);
  set_arithmetic(b, params, factors, folded_bias(b, turned, conv.bias), conv.activation);
  return params;
}

KernelParams depthwise(LowerBuilder& b, const DepthwiseConv2d& conv, const std::vector<float>& weights) {
  rip_depthwise_f32 params{};
  params.weights = b.array("weights", weights);
  set_planes(b, params);
  set_real_arithmetic(b, params, conv.bias, conv.activation);
  return params;
}

/// The window of a transposed convolution, and its weights with each channel's taps in the opposite order; the input
/// channels of a tap keep theirs.
template <typename Params, typename Weight>
void set_transposed(LowerBuilder& b, Params& params, const TransposeConv2d& conv, const std::vector<Weight>& weights) {
  const ImageShape in = image_shape(b.input());
  const auto channels = static_cast<std::size_t>(b.out_channels()), run = static_cast<std::size_t>(in.channels);
  const std::size_t taps = weights.size() / channels;
  std::vector<Weight> turned;
  turned.reserve(weights.size());
  for (std::size_t c = 0; c < channels; ++c) {
    const auto own = std::span(weights).subspan(c * taps, taps);
    for (std::size_t end = taps; end > 0; end -= run) {
      const auto tap = own.subspan(end - run, run);
      turned.insert(turned.end(), tap.begin(), tap.end());
    }
  }
  params.weights = b.array("weights", turned);
  params.in_width = b.narrow(in.width);
  params.in_channels = b.narrow(in.channels);
  params.out_channels = b.out_channels();
  params.kernel_h = b.narrow(conv.rows.kernel);
  params.kernel_w = b.narrow(conv.columns.kernel);
  params.upsample_w = b.narrow(conv.columns.stride);
  params.pad_w = b.narrow(conv.columns.kernel - 1 - conv.columns.pad_before);
}

bool is_m0_convolution(const LowerBuilder& b) {
  return b.kernel().starts_with("rip_conv2d_") && b.kernel().ends_with("_m0_row");
}

bool is_float(const LowerBuilder& b) { return b.input().type == DataType::float32; }

}  // namespace

KernelParams params_of(LowerBuilder& b, const Conv2d& conv) {
  const Tensor& weights = b.tensor(conv.weights);
  if (is_float(b)) return convolution(b, conv, b.values<float>(weights));
  if (b.kernel().starts_with("rip_conv2d_dsp")) return dsp_convolution(b);
  if (is_m0_convolution(b)) return m0_convolution(b);
  return convolution(b, conv, b.values<std::int8_t>(weights), false);
}

KernelParams params_of(LowerBuilder& b, const FullyConnected& connected) {
  const Layer layer = layer_of(b.graph(), b.op());
  if (layer.in_width > 1 && layer.in_channels != image_shape(b.input()).channels) {
    b.fail("vectors that cross the input's last dimension", std::to_string(layer.in_channels),
           std::to_string(image_shape(b.input()).channels), &b.input());
  }
  const Tensor& weights = b.tensor(connected.weights);
  if (is_float(b)) return convolution(b, connected, b.values<float>(weights));
  if (b.kernel().starts_with("rip_conv2d_dsp")) return dsp_convolution(b);
  if (is_m0_convolution(b)) return m0_convolution(b);
  return convolution(b, connected, b.values<std::int8_t>(weights), true);
}

KernelParams params_of(LowerBuilder& b, const DepthwiseConv2d& conv) {
  const Tensor& tensor = b.tensor(conv.weights);
  const auto channels = static_cast<std::size_t>(b.out_channels());
  if (is_float(b)) {
    const std::vector<float> weights = b.values<float>(tensor);
    return conv.multiplier != 1 ? convolution(b, conv, channels_first(weights, channels)) : depthwise(b, conv, weights);
  }
  if (b.kernel().starts_with("rip_conv2d_dsp")) return dsp_convolution(b);
  if (is_m0_convolution(b)) return m0_convolution(b);
  if (b.kernel().find("_dsp_") != std::string::npos) return dsp_depthwise(b);
  if (b.kernel().find("_m0_") != std::string::npos) return m0_depthwise(b);
  const std::vector<std::int8_t> weights = b.values<std::int8_t>(tensor);
  return conv.multiplier != 1 ? convolution(b, conv, channels_first(weights, channels), false)
                              : depthwise(b, conv, weights);
}

KernelParams params_of(LowerBuilder& b, const TransposeConv2d& conv) {
  const Tensor& weights = b.tensor(conv.weights);
  if (is_float(b)) {
    rip_transpose_conv_f32 params{};
    set_transposed(b, params, conv, b.values<float>(weights));
    set_real_arithmetic(b, params, conv.bias, conv.activation);
    return params;
  }
  const std::vector<double> factors = channel_factors(b, weights, false);
  if (b.input().type == DataType::int16) {
    rip_transpose_conv_s16 params{};
    set_transposed(b, params, conv, b.values<std::int8_t>(weights));
    set_wide_arithmetic(b, params, factors, conv.bias, conv.activation);
    return params;
  }
  const ChannelWeights channels{b.values<std::int8_t>(weights), static_cast<std::size_t>(b.out_channels())};
  if (channels.taps() >= kMostTaps) {
    b.fail("sum of too many products", "below 131072", std::to_string(channels.taps()));
  }
  std::vector<std::int32_t> bias(channels.channels);
  if (conv.bias != kNoTensor) bias = b.values<std::int32_t>(b.tensor(conv.bias));
  rip_transpose_conv_s8 params{};
  set_transposed(b, params, conv, channels.scalars);
  set_arithmetic(b, params, factors, bias, conv.activation);
  return params;
}

}  // namespace ripc
