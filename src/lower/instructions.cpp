#include "lower/instructions.h"

#include <algorithm>
#include <array>
#include <string>

#include "lower/dsp.h"
#include "lower/options.h"
#include "rip/contracts.h"

namespace ripc {
namespace {

/// Thousandths of an instruction.
struct Rate {
  std::string_view kernel;  ///< how the names of kernels with this rate begin
  std::int64_t product, output;
};

/// The first that fits holds.
constexpr std::array kOfTargets{
    Rate{"rip_depthwise3_dsp_plane", 2'670, 0},
    Rate{"rip_depthwise5_dsp_plane", 1'520, 0},
    Rate{"rip_depthwise7_dsp_plane", 1'260, 0},
    Rate{"rip_depthwise3_dsp_kept", 2'750, 0},
    Rate{"rip_depthwise5_dsp_kept", 1'570, 0},
    Rate{"rip_depthwise7_dsp_kept", 1'300, 0},
    Rate{"rip_add_dsp", 0, 12'300},
    Rate{"rip_add_table", 0, 20'300},
    Rate{"rip_conv2d_m0", 1'900, 31'000},
    Rate{"rip_conv2d_pairs_m0", 2'300, 45'000},
    Rate{"rip_conv2d_small_m0", 1'900, 31'000},
    Rate{"rip_conv2d_any_m0", 1'900, 31'000},
    Rate{"rip_depthwise3_m0_plane", 8'600, 0},
    Rate{"rip_depthwise3_m0_small_plane", 8'600, 0},
    Rate{"rip_depthwise5_m0_plane", 5'260, 0},
    Rate{"rip_depthwise5_m0_small_plane", 5'260, 0},
    Rate{"rip_depthwise7_m0_plane", 4'490, 0},
    Rate{"rip_depthwise7_m0_small_plane", 4'490, 0},
    Rate{"rip_depthwise3_m0", 8'800, 0},
    Rate{"rip_depthwise5_m0", 5'500, 0},
    Rate{"rip_depthwise7_m0", 4'600, 0},
};

/// Kernels of rip/m0.h with less scratch than is best.
constexpr std::array kShortM0{Rate{"rip_conv2d_any_m0", 2'400, 40'000}, Rate{"rip_depthwise3_m0", 10'000, 0},
                              Rate{"rip_depthwise5_m0", 7'000, 0}, Rate{"rip_depthwise7_m0", 7'500, 0}};

/// The convolutions of rip/dsp.h, by DspTaps.
constexpr std::array kWideDsp{Rate{"", 676, 6'200}, Rate{"", 770, 13'000}, Rate{"", 840, 15'300}};
constexpr std::array kDsp{Rate{"", 770, 7'700}, Rate{"", 1'020, 15'000}, Rate{"", 1'090, 16'800}};

/// The row kernels of rip_depthwise_dsp with strips; what a stretch more takes of each channel; and without strips.
struct StripRate {
  Rate row;
  std::int64_t stretch, pixel_product;
};
constexpr std::array kStrips{StripRate{{"rip_depthwise3_dsp_row", 3'200, 0}, 70'000, 5'200},
                             StripRate{{"rip_depthwise5_dsp_row", 1'800, 0}, 115'000, 3'800},
                             StripRate{{"rip_depthwise7_dsp_row", 1'500, 0}, 180'000, 3'200}};

/// The small planes of rip_depthwise_dsp, in whole instructions: for RIP_SMALL_OUTPUTS of a row, for the rest of a row.
struct SmallRate {
  std::string_view kernel;
  std::int64_t block, row;
};
constexpr std::array kSmallPlanes{SmallRate{"rip_depthwise3_dsp_small_plane", 125, 90},
                                  SmallRate{"rip_depthwise5_dsp_small_plane", 156, 120},
                                  SmallRate{"rip_depthwise7_dsp_small_plane", 275, 190}};
constexpr std::int64_t kSmallPlaneInput = 3;

/// Portable kernels where a product has 64 bits.
constexpr std::array kPortableRates{Rate{"rip_conv2d", 2'910, 98'900}, Rate{"rip_pointwise", 3'000, 37'200},
                                    Rate{"rip_depthwise", 4'770, 37'900}, Rate{"rip_add", 0, 35'000}};

/// And where it has 32.
constexpr std::array kNarrowRates{Rate{"rip_conv2d", 5'560, 192'500}, Rate{"rip_pointwise", 5'750, 83'800},
                                  Rate{"rip_depthwise", 10'960, 96'400}, Rate{"rip_add", 0, 166'000}};

template <std::size_t N>
const Rate* rate_of(const std::array<Rate, N>& rates, std::string_view kernel) {
  const auto* const found =
      std::ranges::find_if(rates, [&](const Rate& rate) { return kernel.starts_with(rate.kernel); });
  return found == rates.end() ? nullptr : found;
}

std::int64_t at_rate(const Graph& graph, const Op& op, const Rate& rate) {
  const std::int64_t outputs = element_count(graph.tensors[static_cast<std::size_t>(op.output)]);
  return (mac_count(graph, op) * rate.product + outputs * rate.output) / 1000;
}

Rate rate_of_strips(const StripRate& strips, const Layer& layer, std::int64_t scratch) {
  Rate rate = strips.row;
  const std::int64_t outputs = dsp_strip_outputs(layer, *rip_find_contract(rate.kernel.data()), scratch);
  if (outputs == 0) rate.product = strips.pixel_product;
  if (outputs > 0 && outputs < out_width(layer)) rate.output = strips.stretch / outputs;
  return rate;
}

std::int64_t small_plane_instructions(const SmallRate& rate, const Layer& layer) {
  const std::int64_t together = RIP_SMALL_OUTPUTS(layer.columns.kernel);
  const std::int64_t blocks = (out_width(layer) + together - 1) / together;
  const std::int64_t row = blocks * rate.block + rate.row;
  return layer.out_channels * (out_height(layer) * row + layer.in_height * layer.in_width * kSmallPlaneInput);
}

/// Whether the kernel, which makes do with that scratch, would be faster with more.
bool needs_more(const Graph& graph, const Op& op, std::string_view kernel, std::int64_t scratch) {
  const rip_contract* const contract = rip_find_contract(std::string(kernel).c_str());
  return contract->any_scratch != 0 && scratch < contract_bytes(contract->scratch, layer_of(graph, op));
}

}  // namespace

std::int64_t estimated_instructions(const Graph& graph, const Op& op, std::string_view kernel, const Target& target,
                                    std::int64_t scratch) {
  if (kernel.starts_with("rip_conv2d_dsp")) {
    const auto taps = static_cast<std::size_t>(dsp_taps(layer_of(graph, op), kernel, scratch));
    return at_rate(graph, op, kernel.starts_with("rip_conv2d_dsp_wide") ? kWideDsp.at(taps) : kDsp.at(taps));
  }
  const auto* const strips = std::ranges::find(kStrips, kernel, [](const StripRate& of) { return of.row.kernel; });
  if (strips != kStrips.end()) return at_rate(graph, op, rate_of_strips(*strips, layer_of(graph, op), scratch));
  const auto* const small = std::ranges::find(kSmallPlanes, kernel, &SmallRate::kernel);
  if (small != kSmallPlanes.end()) return small_plane_instructions(*small, layer_of(graph, op));
  const Rate* rate = needs_more(graph, op, kernel, scratch) ? rate_of(kShortM0, kernel) : nullptr;
  if (rate == nullptr) rate = rate_of(kOfTargets, kernel);
  if (rate == nullptr) rate = target.m0 ? rate_of(kNarrowRates, kernel) : rate_of(kPortableRates, kernel);
  return rate == nullptr ? 0 : at_rate(graph, op, *rate);
}

}  // namespace ripc
