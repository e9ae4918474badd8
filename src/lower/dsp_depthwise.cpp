// Depthwise convolutions as strips: see rip_depthwise_dsp.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "lower/channel_sums.h"
#include "lower/dsp.h"
#include "lower/options.h"

namespace ripc {
namespace {

/// A doubled weight times 2^6 fits 16 bits.
constexpr std::int32_t kMostDepthwiseScale = 6;

/// Channels whose strips the row kernel gathers together.
constexpr std::size_t kLanes = 4;

struct Channels {
  ChannelWeights weights;
  std::vector<std::int32_t> bias;
  DspChannels outputs;
  StoredRange activation;
};

std::optional<Channels> channels_of(const LowerBuilder& b) {
  std::optional<ChannelSums> sums = strip_sums(b);
  if (!sums || sums->weights.channels < kLanes) return std::nullopt;
  std::optional<DspChannels> outputs =
      dsp_channels(sums->factors, sums->weights, sums->bias, sums->out_zero, sums->activation, kMostDepthwiseScale);
  if (!outputs) return std::nullopt;
  return Channels{std::move(sums->weights), std::move(sums->bias), *std::move(outputs), sums->activation};
}

/// The doubled and scaled weight of a channel at row j and column i of its kernel; 0 outside of it.
std::uint32_t half_of(std::span<const std::int8_t> weights, std::int64_t kernel, std::int64_t j, std::int64_t i,
                      std::int32_t scale) {
  if (j < 0 || j >= kernel) return 0;
  const int scaled = weights[static_cast<std::size_t>(j * kernel + i)] * (2 << scale);
  return static_cast<std::uint32_t>(scaled) & 0xffffU;
}

/// What one output row of a channel needs, if its first tap is the upper (phase 0) or the lower (phase 1) row of its
/// first strip. `last_in_high`: its last row is in the upper half of the words.
void add_record(std::vector<std::int32_t>& stream, const Channels& c, std::size_t channel, std::int64_t kernel,
                std::int64_t phase, bool last_in_high) {
  const DspChannel& output = c.outputs.channels[channel];
  stream.push_back(output.constant ? 0 : c.bias[channel] * (2 << output.scale));
  for (std::int64_t strip = 0; 2 * strip < kernel; ++strip) {
    for (std::int64_t i = 0; i < kernel; ++i) {
      const std::int64_t j = 2 * strip - phase;
      std::uint32_t low = half_of(c.weights.of(channel), kernel, j, i, output.scale);
      std::uint32_t high = half_of(c.weights.of(channel), kernel, j + 1, i, output.scale);
      if (last_in_high && j == kernel - 1) std::swap(low, high);
      stream.push_back(output.constant ? 0 : static_cast<std::int32_t>(low | high << 16));
    }
  }
  stream.insert(stream.end(), {output.multiplier, output.addend, output.shift});
}

/// What a channel of the small planes needs.
void add_small_record(std::vector<std::int32_t>& stream, const Channels& c, std::size_t channel, std::int64_t kernel) {
  const DspChannel& output = c.outputs.channels[channel];
  const auto half = [&](std::int64_t j, std::int64_t i) {
    return i < kernel && !output.constant ? half_of(c.weights.of(channel), kernel, j, i, output.scale) : 0;
  };
  stream.push_back(output.constant ? 0 : c.bias[channel] * (2 << output.scale));
  for (std::int64_t j = 0; j < kernel; ++j) {
    for (std::int64_t word = 0; 2 * word < kernel; ++word) {
      const std::int64_t first = word / 2 * 4 + word % 2;
      stream.push_back(static_cast<std::int32_t>(half(j, first) | half(j, first + 2) << 16));
    }
  }
  stream.insert(stream.end(), {output.multiplier, output.addend, output.shift});
}

/// Whether rows are so short that they have their padding, or padding only concerns as many outputs at each end as are
/// made together.
bool small_planes_fit(const Layer& layer) {
  const std::int64_t kernel = layer.columns.kernel, stride = layer.columns.stride, pad = layer.columns.pad_before;
  const std::int64_t sums = RIP_SMALL_OUTPUTS(kernel), width = out_width(layer);
  const std::int64_t padded = (std::max(width, sums) - 1) * stride + kernel;
  if (kernel * padded <= RIP_SMALL_STACK) return true;
  return pad <= sums * stride && (width - sums - 1) * stride - pad + kernel <= layer.in_width;
}

/// The lane of a channel in the row kernel, which gathers the channels of the rest with those before them.
std::size_t lane_of(std::size_t channel, std::size_t channels) {
  const std::size_t rest = channels % kLanes;
  return channel < channels - rest ? channel % kLanes : channel - (channels - kLanes);
}

}  // namespace

DspDepthwise dsp_depthwise_kernels(const Graph& graph, const Op& op) {
  if (!channels_of(LowerBuilder(graph, op, false))) return {};
  const Layer layer = layer_of(graph, op);
  const Window& rows = layer.rows;
  const bool small = small_planes_fit(layer);
  switch (rows.kernel) {
    case 3:
      return {.row = "rip_depthwise3_dsp_row",
              .kept_row = rows.stride == 1 ? "rip_depthwise3_dsp_kept_row" : nullptr,
              .plane = "rip_depthwise3_dsp_plane",
              .small_plane = small ? "rip_depthwise3_dsp_small_plane" : nullptr};
    case 5:
      return {.row = "rip_depthwise5_dsp_row",
              .kept_row = rows.stride <= 2 ? "rip_depthwise5_dsp_kept_row" : nullptr,
              .plane = "rip_depthwise5_dsp_plane",
              .small_plane = small ? "rip_depthwise5_dsp_small_plane" : nullptr};
    default:
      return {.row = "rip_depthwise7_dsp_row",
              .kept_row = rows.stride <= 2 ? "rip_depthwise7_dsp_kept_row" : nullptr,
              .plane = "rip_depthwise7_dsp_plane",
              .small_plane = small ? "rip_depthwise7_dsp_small_plane" : nullptr};
  }
}

std::vector<std::int64_t> dsp_strip_choices(const Layer& layer, const rip_contract& contract) {
  std::vector<std::int64_t> choices{contract_bytes(contract.scratch, layer)};
  const std::int64_t blocks = (out_width(layer) + RIP_STRIP_OUTPUTS - 1) / RIP_STRIP_OUTPUTS;
  for (const std::int64_t outputs : {(blocks + 1) / 2 * RIP_STRIP_OUTPUTS, std::int64_t{RIP_STRIP_OUTPUTS}}) {
    const std::int64_t words = (outputs - 1) * layer.columns.stride + layer.columns.kernel;
    const std::int64_t bytes = contract.scratch.fixed + contract.scratch.per_strip_word * words;
    if (bytes < choices.back()) choices.push_back(bytes);
  }
  choices.push_back(0);
  return choices;
}

std::int64_t dsp_strip_outputs(const Layer& layer, const rip_contract& contract, std::int64_t scratch) {
  if (scratch >= contract_bytes(contract.scratch, layer)) return out_width(layer);
  const std::int64_t words = (scratch - contract.scratch.fixed) / contract.scratch.per_strip_word;
  if (words < layer.columns.kernel) return 0;
  const std::int64_t outputs = (words - layer.columns.kernel) / layer.columns.stride + 1;
  return outputs / RIP_STRIP_OUTPUTS * RIP_STRIP_OUTPUTS;
}

rip_depthwise_dsp dsp_depthwise(LowerBuilder& b) {
  const bool pairs = !b.kernel().ends_with("dsp_row");  // every strip is of two rows, also the last
  const std::optional<Channels> channels = channels_of(b);
  if (!channels) throw std::logic_error("an operator that no kernel of rip_depthwise_dsp can run");
  const Layer layer = layer_of(b.graph(), b.op());
  const std::int64_t kernel = layer.rows.kernel;
  std::vector<std::int32_t> stream;
  for (std::size_t c = 0; c < channels->weights.channels; ++c) {
    if (b.kernel().ends_with("small_plane")) {
      add_small_record(stream, *channels, c, kernel);
      continue;
    }
    const bool high = !pairs && lane_of(c, channels->weights.channels) >= kLanes / 2;
    add_record(stream, *channels, c, kernel, 0, high);
    // From one row to the next, an odd stride turns the rows of a strip round.
    if (pairs && layer.rows.stride % 2 != 0) add_record(stream, *channels, c, kernel, 1, false);
  }
  rip_depthwise_dsp params{};
  params.stream = b.array("weights", stream);
  params.channels = b.out_channels();
  params.in_height = b.narrow(layer.in_height);
  params.in_width = b.in_width();
  params.out_height = b.narrow(out_height(layer));
  params.out_width = b.narrow(out_width(layer));
  params.stride_h = b.narrow(layer.rows.stride);
  params.pad_h = b.narrow(layer.rows.pad_before);
  params.stride_w = b.narrow(layer.columns.stride);
  params.pad_w = b.narrow(layer.columns.pad_before);
  params.strip_words = b.narrow(strip_words(layer));
  params.in_zero = b.zero(b.input());
  params.odd_rounding = channels->outputs.odd_rounding ? 1 : 0;
  params.act_min = channels->activation.min;
  params.act_max = channels->activation.max;
  return params;
}

}  // namespace ripc
