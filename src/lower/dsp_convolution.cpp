#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <utility>

#include "lower/channel_sums.h"
#include "lower/dsp.h"
#include "lower/options.h"

namespace ripc {
namespace {

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

/// Whether each pair of channels fits halves of two weights.
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
  std::optional<ChannelSums> sums = convolution_sums(b);
  if (!sums) return std::nullopt;
  std::optional<DspChannels> outputs =
      dsp_channels(sums->factors, sums->weights, sums->bias, sums->out_zero, sums->activation);
  if (!outputs) return std::nullopt;
  Channels c{.weights = std::move(sums->weights),
             .bias = std::move(sums->bias),
             .outputs = {},
             .common_shift = 0,
             .activation = sums->activation};
  c.outputs = *std::move(outputs);
  drop_constant_channels(c);
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

std::uint32_t word_of(std::int32_t low, std::int32_t high) {
  return (static_cast<std::uint32_t>(low) & 0xffffU) | static_cast<std::uint32_t>(high) << 16;
}

/// The stream of a pair of channels after the other, in the order that rip_conv2d_dsp gives.
class Stream {
 public:
  Stream(const Channels& channels, bool wide) : c_(channels), wide_(wide) {
    for (std::size_t low = 0; low < c_.weights.channels; low += 2) put_pair(low);
  }

  const std::vector<std::int32_t>& words() const { return words_; }

 private:
  void put(std::uint32_t word) { words_.push_back(static_cast<std::int32_t>(word)); }

  /// By how much weights of 16 bits are scaled.
  std::int32_t scale(std::size_t channel) const {
    const DspChannel& output = c_.outputs.channels[channel];
    return c_.common_shift == 0 || output.constant ? 2 : 2 << (c_.common_shift - output.shift);
  }

  /// As it is stored; zero beyond the last of the taps and of the channels.
  std::int32_t weight(std::size_t channel, std::size_t tap) const {
    if (channel >= c_.weights.channels || tap >= c_.weights.taps()) return 0;
    return c_.weights.of(channel)[tap] * (wide_ ? scale(channel) : 1);
  }
  std::uint32_t bias(std::size_t channel) const {
    if (channel >= c_.weights.channels) return 0;
    return static_cast<std::uint32_t>(c_.bias[channel]) * (wide_ ? static_cast<std::uint32_t>(scale(channel)) : 1U);
  }

  void put_pair(std::size_t low) {
    const std::size_t high = low + 1, step = wide_ ? RIP_DSP_WIDE_STEP : RIP_DSP_STEP;
    const std::size_t taps = (c_.weights.taps() + step - 1) / step * step;
    put(wide_ ? bias(low) : 256U * bias(high) + bias(low));
    put(wide_ ? bias(high) : bias(low));
    for (std::size_t tap = 0; tap < taps; tap += 4) {
      if (wide_) {
        for (const std::size_t channel : {low, high}) {
          put(word_of(weight(channel, tap), weight(channel, tap + 2)));
          put(word_of(weight(channel, tap + 1), weight(channel, tap + 3)));
        }
      } else {
        const auto half = [&](std::size_t t) { return half_of(weight(low, t), weight(high, t)); };
        put(word_of(half(tap), half(tap + 2)));
        put(word_of(half(tap + 1), half(tap + 3)));
      }
    }
    for (const std::size_t channel : {low, high}) {
      const DspChannel output =
          channel < c_.weights.channels ? c_.outputs.channels[channel] : DspChannel{.constant = true};
      const std::array<std::int32_t, 3> last = constants_of(output, c_.common_shift, channel == high);
      words_.insert(words_.end(), last.begin(), last.end());
    }
  }

  const Channels& c_;
  bool wide_;
  std::vector<std::int32_t> words_;
};

bool is_wide(std::string_view kernel) { return kernel.starts_with("rip_conv2d_dsp_wide"); }

std::int64_t taps_of(const Layer& layer) {
  return layer.rows.kernel * layer.columns.kernel * layer.in_channels / layer.groups;
}

/// Whether a pixel's taps can be multiplied where they lie, whatever lies between its input's pixels.
bool reads_in_place(const Layer& layer) {
  if (taps_of(layer) <= RIP_DSP_MOST_COPIED) return true;
  return layer.in_channels % 4 == 0 && layer.rows.kernel * layer.columns.kernel <= RIP_DSP_MOST_WINDOW;
}

constexpr std::int64_t kAlign = 3;

/// Scratch for the taps of so many pixels as halves, and to align them.
std::int64_t scratch_for(const Layer& layer, std::string_view kernel, std::int64_t pixels) {
  const std::int64_t step = is_wide(kernel) ? RIP_DSP_WIDE_STEP : RIP_DSP_STEP;
  return pixels * 2 * ((taps_of(layer) + step - 1) / step * step) + kAlign;
}

}  // namespace

std::vector<const char*> dsp_convolutions(const Graph& graph, const Op& op) {
  const std::optional<Channels> channels = channels_of(LowerBuilder(graph, op, false));
  if (!channels) return {};
  const Layer layer = layer_of(graph, op);
  const bool own = reads_in_place(layer), direct = own && layer.out_channels % 2 == 0;
  std::vector<const char*> names{"rip_conv2d_dsp_wide_row"};
  if (direct) names.push_back("rip_conv2d_dsp_wide_direct_row");
  if (own) names.push_back("rip_conv2d_dsp_wide_own_row");
  if (!pairs_fit(*channels)) return names;
  names.push_back("rip_conv2d_dsp_row");
  if (direct) names.push_back("rip_conv2d_dsp_direct_row");
  if (own) names.push_back("rip_conv2d_dsp_own_row");
  return names;
}

std::vector<std::int64_t> dsp_scratch_choices(const Layer& layer, const rip_contract& contract) {
  const std::string_view kernel = contract.kernel;
  const bool direct = kernel.ends_with("_direct_row"), own = kernel.ends_with("_own_row");
  if (!direct && !own) return {contract_bytes(contract.scratch, layer)};
  const std::int64_t least = direct ? 0 : contract_bytes(contract.scratch, layer);
  if (dsp_taps(layer, kernel, least) != DspTaps::in_place) return {least};
  if (direct && layer.out_channels <= RIP_DSP_FEW_CHANNELS) return {least};
  return {std::max(least, scratch_for(layer, kernel, 1)), least};
}

DspTaps dsp_taps(const Layer& layer, std::string_view kernel, std::int64_t scratch) {
  const bool one_tap = layer.rows.kernel * layer.columns.kernel == 1, fours = layer.in_channels % 4 == 0;
  const auto fits = [&](std::int64_t pixels) {
    const std::int64_t bytes = scratch_for(layer, kernel, pixels);
    const std::int64_t words = (bytes - kAlign) / (2 * pixels);
    const bool on_stack = pixels == 2 ? words <= RIP_DSP_STACK / 2 || (one_tap && fours) : one_tap || !fours;
    return scratch >= bytes || (on_stack && words <= RIP_DSP_STACK);
  };
  if (fits(2) && out_width(layer) > 1) return DspTaps::of_two;
  const bool pays = kernel.ends_with("_own_row") || layer.out_channels > RIP_DSP_FEW_CHANNELS;
  return pays && fits(1) ? DspTaps::of_one : DspTaps::in_place;
}

std::int64_t dsp_wanted_scratch(const Layer& layer, std::string_view kernel) {
  if (!kernel.ends_with("_direct_row") && !kernel.ends_with("_own_row")) return 0;
  const bool single = out_width(layer) == 1;
  const DspTaps without = dsp_taps(layer, kernel, 0);
  if (without == DspTaps::of_two || (single && without == DspTaps::of_one)) return 0;
  return scratch_for(layer, kernel, single ? 1 : 2);
}

rip_conv2d_dsp dsp_convolution(LowerBuilder& b) {
  const std::optional<Channels> channels = channels_of(b);
  if (!channels) throw std::logic_error("an operator that " + b.kernel() + " cannot run");
  const Layer layer = layer_of(b.graph(), b.op());
  rip_conv2d_dsp params{};
  params.stream = b.array("weights", Stream(*channels, is_wide(b.kernel())).words());
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
