// The gap of an in-place layer: how far its input must lie above its output so that no write lands on a value still
// needed.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "ripc/layer.h"

namespace ripc {

/// The order in which a layer makes its outputs. Forward orders write the output below the input, reverse orders above.
/// Column orders assume that both tensors are stored column-major.
enum class Direction : std::uint8_t { row_forward, row_reverse, column_forward, column_reverse };

/// Whether the padding is stored in memory (padded) or skipped by the kernel (dense). What ships is dense.
enum class Layout : std::uint8_t { padded, dense };

/// When a kernel writes, relative to its reads, within a pixel (or, row-direct, within a row).
///
/// Groups are made one after another, and the channels of a group in blocks of `held_channels`: a block reads all its
/// taps, then writes. If the blocks do not divide the group, the odd-sized block is the first one written. Forward
/// directions write groups and channels in ascending order, reverse directions in descending order, so that a reverse
/// run is a forward run seen in a mirror and one number serves both.
struct TapOrder {
  /// May write anywhere in its output row while it still reads the row's inputs; held_channels means nothing then.
  bool row_direct = false;
  /// Output channels of a group that are computed before the first of them is written. 0: a scalar is written before
  /// its taps are read (an accumulator in the workspace), so that a group's taps must survive the write of its last
  /// channel. The largest value means the whole pixel whatever its groups: every tap is read before anything is
  /// written.
  std::int64_t held_channels = 0;

  bool operator==(const TapOrder&) const = default;
};

/// Reading the taps of several pixels before any of them is written needs no more than this.
inline constexpr TapOrder kGathered{false, std::numeric_limits<std::int64_t>::max()};
inline constexpr TapOrder kDirect{false, 0};          ///< the publication's "read from the workspace"
inline constexpr TapOrder kDirectOnOwnTap{false, 1};  ///< the last channel's write may land on a tap of its own pixel
inline constexpr TapOrder kRowDirect{true, 0};

/// Least bytes by which the input must start above the output (forward: input start - output start; reverse: output end
/// - input end) so that this gap and every larger one run exactly. Not clamped: it may be negative, when the output may
/// start above the input. Empty if nothing is written before the last read of any stored scalar, so that any two
/// places will do. Both tensors end with the pitch of their last pixel.
///
/// One closed form for every direction, layout and order: a term of the rows plus a term of the columns plus what the
/// order writes within a pixel; O(1) without dilation, O(min(kernel, dilation / gcd(stride, dilation))) with it.
/// Source: docs/theory.md; it replaces Theorems 4 and 13 of the publication.
std::optional<std::int64_t> raw_gap(const Layer& layer, Direction direction, TapOrder order,
                                    Layout layout = Layout::dense);

/// What a workspace that holds both tensors needs, in bytes. "In bytes" counts the padding if the layout stores it.
struct Workspace {
  std::int64_t gap = 0;    ///< clamped, not rounded: the largest of 0, out bytes - in bytes, and the raw gap
  std::int64_t bytes = 0;  ///< with the upper tensor's start rounded up to a multiple of the alignment
};

/// The only place where a raw gap becomes a gap and a workspace. The lower tensor starts at 0 (forward: the output,
/// reverse: the input), the upper one at the least multiple of `alignment` bytes that the raw gap allows, so that
/// nothing is rounded where out bytes alone decide.
Workspace workspace(const Layer& layer, Direction direction, TapOrder order, Layout layout = Layout::dense,
                    std::int64_t alignment = 1);

}  // namespace ripc
