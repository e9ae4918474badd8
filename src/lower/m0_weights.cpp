// The streams of the kernels of rip/m0.h.
#include <cstdlib>
#include <stdexcept>

#include "lower/m0.h"

namespace ripc {
namespace {

using Words = std::array<std::int32_t, RIP_M0_OUTPUT>;

/// The sum of products fits 16 bits if the weights are no larger than this together.
constexpr int kMostTogether = 255;

std::optional<std::vector<Words>> outputs_of(const ChannelSums& sums) {
  std::vector<Words> outputs;
  for (std::size_t c = 0; c < sums.weights.channels; ++c) {
    const auto words = m0_output(sums.factors[c], sum_range(sums, c), sums.out_zero, sums.activation);
    if (!words) return std::nullopt;
    outputs.push_back(*words);
  }
  return outputs;
}

/// Two weights as one word: their product with a word of two scalars, low + 65536 * high, has the sum of both products
/// in its upper half.
std::int32_t word_of(std::int32_t for_low, std::int32_t for_high) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(for_high) + (static_cast<std::uint32_t>(for_low) << 16));
}

bool pair_fits(std::int32_t a, std::int32_t b) { return std::abs(a) + std::abs(b) <= kMostTogether; }

/// One output channel; the taps are filled up with zeros.
struct Taps {
  std::span<const std::int8_t> weights;

  std::int32_t at(std::size_t tap) const { return tap < weights.size() ? weights[tap] : 0; }
};

struct Convolution {
  ChannelSums sums;
  std::vector<Words> outputs;
};

std::optional<Convolution> convolution_of(const LowerBuilder& b) {
  std::optional<ChannelSums> sums = convolution_sums(b);
  if (!sums) return std::nullopt;
  for (std::size_t c = 0; c < sums->weights.channels; ++c) {
    const Taps taps{sums->weights.of(c)};
    for (std::size_t tap = 0; tap < taps.weights.size(); tap += RIP_M0_STEP) {
      if (!pair_fits(taps.at(tap), taps.at(tap + 2)) || !pair_fits(taps.at(tap + 1), taps.at(tap + 3))) {
        return std::nullopt;
      }
    }
  }
  std::optional<std::vector<Words>> outputs = outputs_of(*sums);
  if (!outputs) return std::nullopt;
  return Convolution{*std::move(sums), *std::move(outputs)};
}

/// The words of one channel that multiply four taps, and whether the second has to be loose.
struct Four {
  std::int32_t first = 0, second = 0;
  bool fits = true;

  Four(const Taps& taps, std::size_t tap)
      : first(word_of(taps.at(tap), taps.at(tap + 2))), second(word_of(taps.at(tap + 1), taps.at(tap + 3))) {
    int size = 0;
    for (std::size_t i = 0; i < RIP_M0_STEP; ++i) size += std::abs(taps.at(tap + i));
    fits = size <= kMostTogether;
  }
};

/// See rip_conv2d_m0 for the order.
std::vector<std::int32_t> stream_of(const Convolution& c) {
  std::vector<std::int32_t> stream;
  const std::size_t channels = c.sums.weights.channels, own = c.sums.weights.taps();
  for (std::size_t low = 0; low < channels; low += 2) {
    const bool single = low + 1 == channels;
    const std::array<Taps, 2> taps{Taps{c.sums.weights.of(low)}, single ? Taps{} : Taps{c.sums.weights.of(low + 1)}};
    stream.insert(stream.end(), {c.sums.bias[low], single ? 0 : c.sums.bias[low + 1]});
    std::vector<std::int32_t> loose;
    for (std::size_t tap = 0; tap < own; tap += RIP_M0_STEP) {
      const Four a(taps[0], tap), b(taps[1], tap);
      if (a.fits && b.fits) {
        stream.insert(stream.end(), {a.first, a.second, b.first, b.second});
      } else {
        stream.insert(stream.end(), {a.first, 0, b.first, 0});
        loose.insert(loose.end(), {static_cast<std::int32_t>(2 * tap + 4), a.second, b.second});
      }
    }
    stream.push_back(static_cast<std::int32_t>(loose.size() / 3));
    stream.insert(stream.end(), loose.begin(), loose.end());
    const Words none{};
    for (const Words& words : {c.outputs[low], single ? none : c.outputs[low + 1]}) {
      stream.insert(stream.end(), words.begin(), words.end());
    }
  }
  return stream;
}

/// A depthwise channel: weights by rows of the kernel.
struct Rows {
  std::span<const std::int8_t> weights;
  std::int64_t kernel = 0;

  std::int32_t at(std::int64_t row, std::int64_t column) const {
    return row < 0 || row >= kernel ? 0 : weights[static_cast<std::size_t>(row * kernel + column)];
  }
};

struct Depthwise {
  ChannelSums sums;
  std::vector<Words> outputs;
  std::int64_t kernel = 0;

  Rows rows(std::size_t channel) const { return {sums.weights.of(channel), kernel}; }
};

std::optional<Depthwise> depthwise_of(const LowerBuilder& b) {
  std::optional<ChannelSums> sums = strip_sums(b);
  if (!sums) return std::nullopt;
  std::optional<std::vector<Words>> outputs = outputs_of(*sums);
  if (!outputs) return std::nullopt;
  Depthwise d{*std::move(sums), *std::move(outputs), layer_of(b.graph(), b.op()).rows.kernel};
  for (std::size_t c = 0; c < d.sums.weights.channels; ++c) {
    for (std::int64_t row = 0; row < d.kernel; ++row) {
      for (std::int64_t column = 0; column < d.kernel; ++column) {
        if (!pair_fits(d.rows(c).at(row, column), d.rows(c).at(row + 1, column))) return std::nullopt;
      }
    }
  }
  return d;
}

/// See rip_depthwise_m0. `phase`: rows of the first strip above the kernel. `planes`: for the plane kernel.
void add_record(std::vector<std::int32_t>& stream, const Depthwise& d, std::size_t channel, std::int64_t phase,
                bool planes) {
  const Rows rows = d.rows(channel);
  stream.push_back(d.sums.bias[channel]);
  for (std::int64_t upper = -phase; upper + phase < d.kernel; upper += 2) {
    const bool alone = !planes && upper + 1 == d.kernel;
    for (std::int64_t column = 0; column < d.kernel; ++column) {
      stream.push_back(alone ? rows.at(upper, column) : word_of(rows.at(upper, column), rows.at(upper + 1, column)));
    }
  }
  stream.insert(stream.end(), d.outputs[channel].begin(), d.outputs[channel].end());
}

/// Input columns that the outputs of a row need.
std::int64_t strip_columns(const Layer& layer) {
  return (out_width(layer) - 1) * layer.columns.stride + layer.columns.kernel;
}

}  // namespace

bool m0_convolution_fits(const Graph& graph, const Op& op) {
  return convolution_of(LowerBuilder(graph, op, false)).has_value();
}

std::vector<const char*> m0_convolutions(const Layer& layer) {
  const std::int64_t taps = layer.rows.kernel * layer.columns.kernel * layer.in_channels;
  if (taps <= std::int64_t{2} * RIP_M0_STACK) return {"rip_conv2d_small_m0_row"};
  return {"rip_conv2d_m0_row", "rip_conv2d_any_m0_row"};
}

rip_conv2d_m0 m0_convolution(LowerBuilder& b) {
  const std::optional<Convolution> convolution = convolution_of(b);
  if (!convolution) throw std::logic_error("an operator that rip_conv2d_m0_row cannot run");
  const Layer layer = layer_of(b.graph(), b.op());
  rip_conv2d_m0 params{};
  params.stream = b.array("weights", stream_of(*convolution));
  params.in_width = b.in_width();
  params.in_channels = b.narrow(layer.in_channels);
  params.out_channels = b.out_channels();
  params.kernel_h = b.narrow(layer.rows.kernel);
  params.kernel_w = b.narrow(layer.columns.kernel);
  params.stride_w = b.narrow(layer.columns.stride);
  params.dilation_w = b.narrow(layer.columns.dilation);
  params.pad_w = b.narrow(layer.columns.pad_before);
  params.in_zero = b.zero(b.input());
  return params;
}

M0Depthwise m0_depthwise_kernels(const Graph& graph, const Op& op) {
  if (!depthwise_of(LowerBuilder(graph, op, false))) return {};
  const Layer layer = layer_of(graph, op);
  const std::int64_t kernel = layer.rows.kernel;
  const bool small = (kernel + 1) / 2 * strip_columns(layer) <= RIP_M0_STACK;
  switch (kernel) {
    case 3:
      return {.row = "rip_depthwise3_m0_row",
              .plane = small ? "rip_depthwise3_m0_small_plane" : "rip_depthwise3_m0_plane"};
    case 5:
      return {.row = "rip_depthwise5_m0_row",
              .plane = small ? "rip_depthwise5_m0_small_plane" : "rip_depthwise5_m0_plane"};
    default:
      return {.row = "rip_depthwise7_m0_row",
              .plane = small ? "rip_depthwise7_m0_small_plane" : "rip_depthwise7_m0_plane"};
  }
}

rip_depthwise_m0 m0_depthwise(LowerBuilder& b) {
  const std::optional<Depthwise> depthwise = depthwise_of(b);
  if (!depthwise) throw std::logic_error("an operator that no kernel of rip_depthwise_m0 can run");
  const Layer layer = layer_of(b.graph(), b.op());
  // By planes, an odd stride turns the rows of a strip round from one output row to the next.
  const bool planes = b.kernel().ends_with("plane"), both = planes && layer.rows.stride % 2 != 0;
  std::vector<std::int32_t> stream;
  for (std::size_t c = 0; c < depthwise->sums.weights.channels; ++c) {
    add_record(stream, *depthwise, c, 0, planes);
    if (both) add_record(stream, *depthwise, c, 1, planes);
  }
  rip_depthwise_m0 params{};
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
  params.strip_words = b.narrow(strip_columns(layer));
  params.in_zero = b.zero(b.input());
  return params;
}

}  // namespace ripc
