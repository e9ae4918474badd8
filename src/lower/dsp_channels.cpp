#include <algorithm>
#include <limits>

#include "lower/dsp.h"
#include "rip/requantize.h"

namespace ripc {
namespace {

constexpr std::int64_t kLeastInput = -128, kMostInput = 127;

/// Sums are doubled in 32 bits.
constexpr std::int64_t kMostSum = (std::int64_t{1} << 30) - 1;

/// From here on the addend might overflow.
constexpr std::int32_t kMostShift = 22;

std::int32_t output_of(std::int64_t sum, const FixedPoint& factor, std::int32_t zero, const StoredRange& range) {
  const std::int32_t scaled = rip_requantize(static_cast<std::int32_t>(sum), factor.multiplier, factor.shift);
  return rip_clamp(scaled + zero, range.min, range.max);
}

/// The same output for all sums. 1 more than its multiple, so that 1 less does not matter.
void make_constant(DspChannel& channel, std::int32_t output) {
  channel.multiplier = 0;
  channel.shift = 1;
  channel.addend = output * 2 + 1;
  channel.constant = true;
}

}  // namespace

std::optional<DspChannels> dsp_channels(const std::vector<FixedPoint>& factors, const ChannelWeights& weights,
                                        const std::vector<std::int32_t>& bias, std::int32_t out_zero,
                                        const StoredRange& activation, std::int32_t most_scale) {
  DspChannels result;
  // A negative sum's output is the zero point at most, with the term and without it.
  result.odd_rounding = activation.min < out_zero;
  for (std::size_t c = 0; c < weights.channels; ++c) {
    const FixedPoint& factor = factors[c];
    DspChannel channel{.least = bias[c], .most = bias[c]};
    for (const std::int8_t weight : weights.of(c)) {
      channel.least += weight * (weight > 0 ? kLeastInput : kMostInput);
      channel.most += weight * (weight > 0 ? kMostInput : kLeastInput);
    }
    if (factor.multiplier == 0) {  // whatever the sum, which may not even fit 32 bits
      make_constant(channel, rip_clamp(out_zero, activation.min, activation.max));
      result.channels.push_back(channel);
      continue;
    }
    constexpr std::int64_t kMost32 = std::numeric_limits<std::int32_t>::max();
    const std::int32_t scale = std::max(factor.shift, 0);
    if (factor.multiplier < 0 || scale > most_scale || channel.least < -(kMost32 >> scale) ||
        channel.most > kMost32 >> scale) {
      return std::nullopt;
    }
    const std::int32_t lowest = output_of(channel.least, factor, out_zero, activation);
    if (lowest == output_of(channel.most, factor, out_zero, activation)) {
      make_constant(channel, lowest);
    } else if (-factor.shift > kMostShift || channel.least < -(kMostSum >> scale) || channel.most > kMostSum >> scale) {
      return std::nullopt;
    } else if (factor.shift >= 0) {
      // One rounding only, so that there is no term for negative sums to add up with.
      if (most_scale == 0 || result.odd_rounding) return std::nullopt;
      channel.multiplier = factor.multiplier;
      channel.addend = out_zero;
      channel.scale = scale;
    } else {
      channel.multiplier = factor.multiplier;
      channel.shift = -factor.shift;
      channel.addend = (1 << (channel.shift - 1)) + out_zero * (1 << channel.shift);
    }
    result.channels.push_back(channel);
  }
  return result;
}

std::int32_t common_shift_of(const DspChannels& channels) {
  if (channels.odd_rounding) return 0;
  std::int32_t shift = RIP_DSP_LEAST_SHIFT;
  for (const DspChannel& channel : channels.channels) {
    // One bit more than the channel's own makes its rounding constant an integer.
    if (!channel.constant) shift = std::max(shift, channel.shift + 1);
  }
  if (shift > RIP_DSP_MOST_SHIFT) return 0;
  for (const DspChannel& channel : channels.channels) {
    if (channel.constant) continue;
    const std::int32_t more = shift - channel.shift;
    const std::int64_t most = std::max(-channel.least, channel.most);
    if (more > kMostScale || most >= std::int64_t{1} << (30 - more)) return 0;
  }
  return shift;
}

}  // namespace ripc
