// What really happens when a layer runs over its own input: two simulators that know no formula. `literal_*` steps
// through memory and checks every tap when it is read; `direct_raw_gap` looks at the last read of each stored pixel,
// which is the same thing and fast enough for large layers.
#pragma once

#include <cstdint>
#include <optional>

#include "simulate/tap_table.h"

namespace ripc {

/// Runs on tagged memory with the tensors `gap` bytes apart (forward: input start - output start, reverse: output end -
/// input end; any sign) and room for both. True if every tap still held its own input when it was read.
bool literal_run_is_exact(const TapTable& table, Direction direction, TapOrder order, std::int64_t gap);

/// Least gap, at least 0, with which the layer runs in exactly in bytes + gap bytes of memory. Found by binary search,
/// which is right if output pixels lie side by side (out_pitch without holes).
std::int64_t literal_gap(const TapTable& table, Direction direction, TapOrder order);

/// One more than the largest gap, of any sign, that corrupts the run; empty if none does.
std::optional<std::int64_t> literal_raw_gap(const TapTable& table, Direction direction, TapOrder order);

/// A kernel that takes one channel plane at a time (one group a channel): all taps of a plane are read, then the whole
/// plane is written, with the input `distance` bytes above the output. True if every tap still held its own input.
bool literal_plane_run_is_exact(const TapTable& table, std::int64_t distance);

/// The same number as literal_raw_gap: the largest, over stored pixels and groups, of the bytes that writes have
/// reached at the last read less the address of the pixel. Time in proportion to stored pixels * groups.
std::optional<std::int64_t> direct_raw_gap(const TapTable& table, Direction direction, TapOrder order);

}  // namespace ripc
