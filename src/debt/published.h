// Closed forms as others published them, to be compared with: each says where it is unsafe. The compiler plans with
// none of them; raw_gap and herringbone_gap replace them all. Gaps are clamped and count scalars: groups, scalar sizes
// and pitches of the layer play no part, and the layer must make an output.
#pragma once

#include <cstdint>
#include <optional>

#include "ripc/layer.h"

namespace ripc {

/// Gural and Murmann's herringbone gap (Eq. 1 of the publication), for square outputs, stride 1, no dilation, padding
/// stored. With x* = in_channels * (kernel - 1) / (out_channels - in_channels) outputs of a leg left, it is
///
///     out_channels * (outputs - x^2) - in_channels * (inputs - (x + kernel - 1)^2) + kernel * in_channels,  x =
///     floor(x*).
///
/// Empty unless out_channels > in_channels. Exact only if x* is an integer of at most the output width. Unsafe if x* is
/// no integer and floor(x*) is less than the output width: short by (out_channels - in_channels) * (x* - x) (Eq. 22);
/// the least case is 2x2 input, kernel 2, 1 -> 3 channels: 2 where 3 are needed. Otherwise too large, without bound.
std::optional<std::int64_t> gural_murmann_gap(const Layer& layer);

/// The same corrected (Corollary 1, Eq. 2-3): exact for square outputs and any kernel, even or odd. Unsafe for others:
/// 4x3 input, kernel 3, 1 -> 2 channels: 1 where 2 are needed.
std::int64_t corrected_gural_murmann_gap(const Layer& layer);

/// The gap of the row-major forward order with padding stored, from nine breakpoints (Theorem 4, Eq. 8-10). `sigma` is
/// 0 for gathered taps and out_channels for direct ones. Exact always; five of the nine never matter.
std::int64_t nine_breakpoint_gap(const Layer& layer, std::int64_t sigma);

/// Which text of Theorem 13 to follow.
enum class Theorem13 : std::uint8_t {
  printed,  ///< unsafe, see below
  repaired  ///< exact always, also where padding reaches past the kernel
};

/// The gap of the row-major forward order with padding not stored, from the outputs at which taps enter and leave the
/// input (Theorem 13). O(kernel height * kernel width) breakpoints, where raw_gap needs none.
///
/// As printed, a tap i leaves at ceil((pad - i * dilation + extent - 1) / stride); right are the last output at which
/// it is still inside, the floor, and the output before. The printed form is unsafe for 4x6 input, 1 -> 3 channels,
/// kernel 1x3, stride 4x2, dilation 1x7, padding 9 left and right: 4 where 5 are needed (gathered), 7 where 8 are
/// (direct). It also asks for `sigma` where the first input read lies that far up, which is safe and too large.
std::int64_t dense_breakpoint_gap(const Layer& layer, std::int64_t sigma, Theorem13 text);

/// Workspace of a pooling layer (Appendix I.1): in bytes alone. Unsafe where padding is not stored: 1x2 input, kernel
/// 3, padding 1 needs one byte more. workspace() of the layer with one group a channel is right.
std::int64_t published_pooling_bytes(const Layer& layer);

}  // namespace ripc
