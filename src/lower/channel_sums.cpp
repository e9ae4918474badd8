#include "lower/channel_sums.h"

#include <algorithm>
#include <limits>
#include <span>

namespace ripc {
namespace {

bool is_bytes(const LowerBuilder& b) { return b.input().type == DataType::int8 && b.output().type == DataType::int8; }

/// A channel's factor is no less than zero, if its weights can be negated, and its sum zero at rest where nothing comes
/// of it: the same outputs, with signs and sums that every kernel has room for.
void normalize(ChannelSums& sums) {
  const std::size_t taps = sums.weights.taps();
  for (std::size_t c = 0; c < sums.weights.channels; ++c) {
    FixedPoint& factor = sums.factors[c];
    if (factor.multiplier == 0) sums.bias[c] = 0;
    const std::span own(sums.weights.scalars.data() + c * taps, taps);
    const bool turns = std::ranges::find(own, std::int8_t{-128}) == own.end() &&
                       sums.bias[c] != std::numeric_limits<std::int32_t>::min();
    if (factor.multiplier >= 0 || !turns) continue;
    factor.multiplier = -factor.multiplier;
    sums.bias[c] = -sums.bias[c];
    for (std::int8_t& weight : own) weight = static_cast<std::int8_t>(-weight);
  }
}

/// `weights`: by channel.
ChannelSums sums_of(const LowerBuilder& b, const Tensor& tensor, std::vector<std::int8_t> weights, TensorId bias,
                    Activation activation, bool fully_connected) {
  ChannelSums sums{
      .weights = {std::move(weights), static_cast<std::size_t>(b.out_channels())},
      .bias = {},
      .factors = {},
      .out_zero = b.zero(b.output()),
      .activation = activation_range(activation, b.output().type, b.scale(b.output()), b.zero(b.output()))};
  sums.bias = folded_bias(b, sums.weights, bias);
  for (const double factor : channel_factors(b, tensor, fully_connected)) {
    sums.factors.push_back(quantize_multiplier(factor));
  }
  normalize(sums);
  return sums;
}

bool fits_strips(const Window& window) {
  return window.dilation == 1 && window.pad_before < window.kernel && window.pad_after < window.kernel &&
         (window.kernel == 3 || window.kernel == 5 || window.kernel == 7);
}

}  // namespace

std::optional<ChannelSums> convolution_sums(const LowerBuilder& b) {
  if (!is_bytes(b)) return std::nullopt;
  const auto channels = static_cast<std::size_t>(b.out_channels());
  const auto of = [&](const auto& op, bool by_channel, bool fully_connected) -> std::optional<ChannelSums> {
    const Tensor& tensor = b.tensor(op.weights);
    if (tensor.data.empty()) return std::nullopt;
    std::vector<std::int8_t> weights = b.values<std::int8_t>(tensor);
    if (!by_channel) weights = channels_first(weights, channels);
    return sums_of(b, tensor, std::move(weights), op.bias, op.activation, fully_connected);
  };
  if (const auto* conv = std::get_if<Conv2d>(&b.op().kind); conv != nullptr && conv->groups == 1) {
    return of(*conv, true, false);
  }
  if (const auto* connected = std::get_if<FullyConnected>(&b.op().kind)) return of(*connected, true, true);
  const auto* depthwise = std::get_if<DepthwiseConv2d>(&b.op().kind);
  if (depthwise != nullptr && image_shape(b.input()).channels == 1) return of(*depthwise, false, false);
  return std::nullopt;
}

std::optional<ChannelSums> strip_sums(const LowerBuilder& b) {
  const auto* conv = std::get_if<DepthwiseConv2d>(&b.op().kind);
  if (conv == nullptr || !is_bytes(b) || conv->multiplier != 1 || !fits_strips(conv->rows) ||
      !fits_strips(conv->columns) || conv->rows.kernel != conv->columns.kernel || conv->columns.stride > 2) {
    return std::nullopt;
  }
  const Tensor& tensor = b.tensor(conv->weights);
  if (tensor.data.empty()) return std::nullopt;
  const auto channels = static_cast<std::size_t>(b.out_channels());
  return sums_of(b, tensor, channels_first(b.values<std::int8_t>(tensor), channels), conv->bias, conv->activation,
                 false);
}

SumRange sum_range(const ChannelSums& sums, std::size_t channel) {
  constexpr std::int64_t kLeastInput = -128, kMostInput = 127;
  SumRange range{.least = sums.bias[channel], .most = sums.bias[channel]};
  for (const std::int8_t weight : sums.weights.of(channel)) {
    range.least += weight * (weight > 0 ? kLeastInput : kMostInput);
    range.most += weight * (weight > 0 ? kMostInput : kLeastInput);
  }
  return range;
}

}  // namespace ripc
