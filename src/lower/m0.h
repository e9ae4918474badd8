// Parameters of the kernels of rip/m0.h: which operators they can run exactly, and how their weights are laid out.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "lower/channel_sums.h"

namespace ripc {

/// The last words of a stream's channel, as rip_m0_output reads them: what turns each of these sums into its output.
/// Nothing if they would not be exact. Source: the reference's two roundings as one division by a power of two, its
/// factor split so that no product needs more than 32 bits.
std::optional<std::array<std::int32_t, RIP_M0_OUTPUT>> m0_output(const FixedPoint& factor, const SumRange& sums,
                                                                 std::int32_t out_zero, const StoredRange& activation);

/// Whether rip_conv2d_m0_row makes the same bytes as the portable kernel for this operator.
bool m0_convolution_fits(const Graph& graph, const Op& op);

/// Its kernels that do for a layer, the fastest first.
std::vector<const char*> m0_convolutions(const Layer& layer);
rip_conv2d_m0 m0_convolution(LowerBuilder& b);

/// The kernels of rip_depthwise_m0 that do for this operator: by rows, by planes; null where none does.
struct M0Depthwise {
  const char *row = nullptr, *plane = nullptr;
};
M0Depthwise m0_depthwise_kernels(const Graph& graph, const Op& op);
rip_depthwise_m0 m0_depthwise(LowerBuilder& b);

}  // namespace ripc
