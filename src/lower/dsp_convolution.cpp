#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <utility>

#include "lower/dsp.h"

namespace ripc {
namespace {

/// What CONV_2D and FULLY_CONNECTED have in common.
struct Weighted {
  TensorId weights = kNoTensor, bias = kNoTensor;
  Activation activation{};
  bool fully_connected = false;
};

std::optional<Weighted> weighted_of(const Op& op) {
  if (const auto* conv = std::get_if<Conv2d>(&op.kind)) {
    if (conv->groups != 1) return std::nullopt;
    return Weighted{conv->weights, conv->bias, conv->activation, false};
  }
  if (const auto* connected = std::get_if<FullyConnected>(&op.kind)) {
    return Weighted{connected->weights, connected->bias, connected->activation, true};
  }
  return std::nullopt;
}

/// Everything that is needed of an operator: its weights, and what becomes of each channel's sum.
struct Channels {
  ChannelWeights weights;
  std::vector<std::int32_t> bias;
  DspChannels outputs;
  std::int32_t common_shift = 0;
  StoredRange activation;
};

/// The kernel adds up 256 times the sum of the second channel of a pair.
constexpr std::int64_t kMostSecondSum = (std::int64_t{1} << 23) - 1;

std::int32_t half_of(std::int32_t low, std::int32_t high) { return 256 * high + low; }

/// Whether each pair of channels fits words of two weights a half.
bool pairs_fit(const Channels& c) {
  const std::size_t taps = c.weights.taps();
  for (std::size_t low = 0; low + 1 < c.weights.channels; low += 2) {
    const DspChannel& high = c.outputs.channels[low + 1];
    if (high.least < -kMostSecondSum || high.most > kMostSecondSum) return false;
    const auto first = c.weights.of(low), second = c.weights.of(low + 1);
    for (std::size_t tap = 0; tap < taps; ++tap) {
      if (!std::in_range<std::int16_t>(half_of(first[tap], second[tap]))) return false;
    }
  }
  return true;
}

/// A channel whose output is always the same needs no sum.
void drop_constant_channels(Channels& c) {
  for (std::size_t i = 0; i < c.weights.channels; ++i) {
    DspChannel& channel = c.outputs.channels[i];
    if (!channel.constant) continue;
    const auto first = c.weights.scalars.begin() + static_cast<std::ptrdiff_t>(i * c.weights.taps());
    std::fill_n(first, c.weights.taps(), std::int8_t{0});
    c.bias[i] = 0;
    channel.least = channel.most = 0;
  }
}

std::optional<Channels> channels_of(const LowerBuilder& b) {
  const std::optional<Weighted> op = weighted_of(b.op());
  if (!op || b.input().type != DataType::int8 || b.output().type != DataType::int8) return std::nullopt;
  const Tensor& weights = b.tensor(op->weights);
  if (weights.data.empty()) return std::nullopt;
  Channels c{.weights = {b.values<std::int8_t>(weights), static_cast<std::size_t>(b.out_channels())},
             .bias = {},
             .outputs = {},
             .common_shift = 0,
             .activation = activation_range(op->activation, b.output().type, b.scale(b.output()), b.zero(b.output()))};
  c.bias = folded_bias(b, c.weights, op->bias);
  std::vector<FixedPoint> factors;
  for (const double factor : channel_factors(b, weights, op->fully_connected)) {
    factors.push_back(quantize_multiplier(factor));
  }
  std::optional<DspChannels> outputs = dsp_channels(factors, c.weights, c.bias, b.zero(b.output()), c.activation);
  if (!outputs) return std::nullopt;
  c.outputs = *std::move(outputs);
  drop_constant_channels(c);
  if (!pairs_fit(c)) return std::nullopt;
  c.common_shift = common_shift_of(c.outputs);
  return c;
}

/// Multiplier, addend and shift of a channel; `second`: of its pair.
std::array<std::int32_t, 3> constants_of(const DspChannel& channel, std::int32_t common_shift, bool second) {
  if (common_shift == 0) return {channel.multiplier, channel.addend, channel.shift};
  const std::int32_t more = common_shift - channel.shift;
  if (channel.constant) return {0, channel.addend * (1 << more), 1};
  const std::int32_t addend = channel.addend * (1 << more) + (1 << (more - 1));
  return {channel.multiplier, addend, second ? kMostScale - more : 1 + more};
}

/// See rip_conv2d_dsp for the order.
std::vector<std::int32_t> stream_of(const Channels& c) {
  constexpr std::size_t kStep = RIP_DSP_STEP;
  const std::size_t own = c.weights.taps(), taps = (own + kStep - 1) / kStep * kStep;
  std::vector<std::int32_t> stream;
  for (std::size_t low = 0; low < c.weights.channels; low += 2) {
    const bool single = low + 1 == c.weights.channels;
    const auto half = [&](std::size_t tap) {
      if (tap >= own) return std::uint32_t{0};
      const std::int32_t value = half_of(c.weights.of(low)[tap], single ? 0 : c.weights.of(low + 1)[tap]);
      return static_cast<std::uint32_t>(value) & 0xffffU;
    };
    const auto put = [&](std::uint32_t word) { stream.push_back(static_cast<std::int32_t>(word)); };
    const std::uint32_t bias0 = static_cast<std::uint32_t>(c.bias[low]);
    const std::uint32_t bias1 = single ? 0 : static_cast<std::uint32_t>(c.bias[low + 1]);
    put(256U * bias1 + bias0);
    put(bias0);
    for (std::size_t tap = 0; tap < taps; tap += 4) {
      put(half(tap) | half(tap + 2) << 16);
      put(half(tap + 1) | half(tap + 3) << 16);
    }
    for (std::size_t channel = low; channel < low + 2; ++channel) {
      const DspChannel output =
          channel < c.weights.channels ? c.outputs.channels[channel] : DspChannel{.constant = true};
      const std::array<std::int32_t, 3> own = constants_of(output, c.common_shift, channel != low);
      stream.insert(stream.end(), own.begin(), own.end());
    }
  }
  return stream;
}

}  // namespace

bool dsp_convolution_fits(const Graph& graph, const Op& op) {
  return channels_of(LowerBuilder(graph, op, false)).has_value();
}

rip_conv2d_dsp dsp_convolution(LowerBuilder& b) {
  const std::optional<Channels> channels = channels_of(b);
  if (!channels) throw std::logic_error("an operator that rip_conv2d_dsp_row cannot run");
  const Layer layer = layer_of(b.graph(), b.op());
  rip_conv2d_dsp params{};
  params.stream = b.array("weights", stream_of(*channels));
  params.in_width = b.in_width();
  params.in_channels = b.narrow(layer.in_channels);
  params.out_channels = b.out_channels();
  params.kernel_h = b.narrow(layer.rows.kernel);
  params.kernel_w = b.narrow(layer.columns.kernel);
  params.stride_w = b.narrow(layer.columns.stride);
  params.dilation_w = b.narrow(layer.columns.dilation);
  params.pad_w = b.narrow(layer.columns.pad_before);
  params.in_zero = b.zero(b.input());
  params.odd_rounding = channels->outputs.odd_rounding ? 1 : 0;
  params.common_shift = channels->common_shift;
  params.act_min = channels->activation.min;
  params.act_max = channels->activation.max;
  return params;
}

}  // namespace ripc
