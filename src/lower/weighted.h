// What the lowerings of convolutions share: weights by channel, folded biases, real factors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lower/builder.h"

namespace ripc {

/// Weights of one output channel after another, as kernels that share an input scalar among channels read them.
struct ChannelWeights {
  std::vector<std::int8_t> scalars;  ///< [channels][taps]
  std::size_t channels = 0;

  std::size_t taps() const { return scalars.size() / channels; }
  std::span<const std::int8_t> of(std::size_t channel) const {
    return std::span(scalars).subspan(channel * taps(), taps());
  }
};

/// From [rows][columns][channels] to one channel after another.
template <typename T>
std::vector<T> channels_first(const std::vector<T>& weights, std::size_t channels) {
  std::vector<T> turned;
  turned.reserve(weights.size());
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t i = c; i < weights.size(); i += channels) turned.push_back(weights[i]);
  }
  return turned;
}

/// The real factor of each output channel.
std::vector<double> channel_factors(const LowerBuilder& b, const Tensor& weights, bool fully_connected);

/// The bias of each channel, with what the input's zero point adds to the sum taken off: modulo 2^32, like the sum.
std::vector<std::int32_t> folded_bias(const LowerBuilder& b, const ChannelWeights& weights, TensorId bias);

}  // namespace ripc
