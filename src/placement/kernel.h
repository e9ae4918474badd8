// Makes a question of the exact placer smaller before it is searched.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "placement/conflicts.h"

namespace ripc {

/// Buffers that must be searched, and those that fit whatever the kernel does, in the order in which they were peeled
/// off: put back last first, each at its lowest free offset.
struct Kernel {
  std::vector<BufferId> kernel;
  std::vector<BufferId> peeled;
};

/// A buffer is peeled off if the starts that the others can take from it at most are fewer than the starts that it has.
Kernel peel(const Conflicts& conflicts, std::int64_t capacity);

/// Groups of buffers that no live pair and no common choice connects, the smallest group first.
std::vector<std::vector<BufferId>> components(const Conflicts& conflicts, std::span<const BufferId> buffers);

/// The buffers of a group that are alive during `births` consecutive births, for the `most` such stretches at which
/// most bytes are alive at once, those first.
std::vector<std::vector<BufferId>> windows(const Conflicts& conflicts, std::span<const BufferId> buffers,
                                           std::size_t births, std::size_t most);

}  // namespace ripc
