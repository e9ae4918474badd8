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

/// The real factor of each output channel.
std::vector<double> channel_factors(const LowerBuilder& b, const Tensor& weights, bool fully_connected);

/// The bias of each channel, with what the input's zero point adds to the sum taken off: modulo 2^32, like the sum.
std::vector<std::int32_t> folded_bias(const LowerBuilder& b, const ChannelWeights& weights, TensorId bias);

}  // namespace ripc
