// Parameters of the kernels of rip/dsp.h: which operators they can run exactly, and how their weights are laid out.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lower/builder.h"
#include "lower/quantize.h"
#include "lower/weighted.h"

namespace ripc {

/// How a channel's sum becomes its output: the upper word of 2 * sum * multiplier, rounded half up, plus addend,
/// shifted to the right. Exact, less 1 in the addend where the sum is negative, for every sum that can occur.
struct DspChannel {
  std::int32_t multiplier = 0, addend = 0, shift = 0;
  std::int32_t scale = 0;            ///< the sum is multiplied by 2^scale first
  std::int64_t least = 0, most = 0;  ///< the sums that can occur, bias included
  bool constant = false;             ///< the output is the same for all of them, and for a sum of 0
};

struct DspChannels {
  std::vector<DspChannel> channels;
  bool odd_rounding = false;  ///< the term for negative sums matters
};

/// The shift that all channels can have in common, their sums scaled up beforehand by up to 2^kMostScale: the least
/// that RIP_DSP_LEAST_SHIFT and the channels allow. 0: none, or odd rounding.
std::int32_t common_shift_of(const DspChannels& channels);
inline constexpr std::int32_t kMostScale = 7;

/// The output channels of a convolution with int8 inputs; nothing if one of them needs more than this form has.
/// `bias` is folded; `most_scale` limits DspChannel::scale. Source: the reference's two roundings written as one sum,
/// checked over the range of each channel.
std::optional<DspChannels> dsp_channels(const std::vector<FixedPoint>& factors, const ChannelWeights& weights,
                                        const std::vector<std::int32_t>& bias, std::int32_t out_zero,
                                        const StoredRange& activation, std::int32_t most_scale = 0);

/// The kernels of rip_conv2d_dsp that make the same bytes as the portable one for this CONV_2D, FULLY_CONNECTED or
/// DEPTHWISE_CONV_2D of one input channel, all of int8, those first whose weights have 16 bits. None for networks
/// without weights.
std::vector<const char*> dsp_convolutions(const Graph& graph, const Op& op);

/// The bytes of scratch worth giving to one of these kernels, most first.
std::vector<std::int64_t> dsp_scratch_choices(const Layer& layer, const rip_contract& contract);

/// How one of these kernels takes the taps with so much scratch: of two pixels widened, of one, or where they lie.
enum class DspTaps : std::uint8_t { of_two, of_one, in_place };
DspTaps dsp_taps(const Layer& layer, std::string_view kernel, std::int64_t scratch);

/// The scratch that one of these kernels, if it makes do with less, is fastest with. 0: the stack has room.
std::int64_t dsp_wanted_scratch(const Layer& layer, std::string_view kernel);

/// The parameters of one of them: b.kernel().
rip_conv2d_dsp dsp_convolution(LowerBuilder& b);

/// The kernels of rip_depthwise_dsp that make the same bytes as the portable ones for this DEPTHWISE_CONV_2D: by rows,
/// by rows with strips that are kept where that spares much, by planes, by planes with little scratch; null where none
/// does, or without weights.
struct DspDepthwise {
  const char *row = nullptr, *kept_row = nullptr, *plane = nullptr, *small_plane = nullptr;
};
DspDepthwise dsp_depthwise_kernels(const Graph& graph, const Op& op);

/// The bytes of scratch worth giving to the row kernel, most first: for strips of a row, of half of it, of the shortest
/// stretch, and none.
std::vector<std::int64_t> dsp_strip_choices(const Layer& layer, const rip_contract& contract);

/// Outputs of a row that the row kernel makes from its strips together with so much scratch, were they never packed;
/// 0: it has none.
std::int64_t dsp_strip_outputs(const Layer& layer, const rip_contract& contract, std::int64_t scratch);

/// The parameters of one of them.
rip_depthwise_dsp dsp_depthwise(LowerBuilder& b);

/// Whether rip_add_dsp_row makes the same bytes as the portable kernel for this operator.
bool dsp_add_fits(const Graph& graph, const Op& op);
rip_add_dsp dsp_add(LowerBuilder& b);

}  // namespace ripc
