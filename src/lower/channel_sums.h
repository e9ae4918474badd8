// What the kernels made for one family of processors ask of an int8 convolution: the sum of each output channel, and
// what becomes of it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lower/builder.h"
#include "lower/quantize.h"
#include "lower/weighted.h"

namespace ripc {

struct ChannelSums {
  ChannelWeights weights;
  std::vector<std::int32_t> bias;  ///< folded
  std::vector<FixedPoint> factors;
  std::int32_t out_zero = 0;
  StoredRange activation;
};

/// Of a CONV_2D without groups, a DEPTHWISE_CONV_2D of one input channel or a FULLY_CONNECTED of int8; nothing for
/// another operator or without weights.
std::optional<ChannelSums> convolution_sums(const LowerBuilder& b);

/// Of a DEPTHWISE_CONV_2D of int8 that kernels by strips can run: multiplier 1, a square kernel of 3, 5 or 7 without
/// dilation, less padding than kernel, every or every other column.
std::optional<ChannelSums> strip_sums(const LowerBuilder& b);

/// The sums that can occur in a channel, bias included.
struct SumRange {
  std::int64_t least = 0, most = 0;
};
SumRange sum_range(const ChannelSums& sums, std::size_t channel);

}  // namespace ripc
