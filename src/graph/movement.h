// What a Rearrange moves: the fewest axes that say it, and the blocks of scalars that stay together.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "graph/graph.h"

namespace ripc {

inline constexpr std::size_t kMostAxes = 6;

/// The scalar offset that index `index` of the axis adds.
std::int64_t offset_of(const AxisMap& axis, std::int64_t index);

/// The least and the largest that it can add.
std::pair<std::int64_t, std::int64_t> offset_range(const AxisMap& axis);

/// The same move without axes of one index, with neighbouring axes as one where they can be, and offsets that a stride
/// can say said by a stride.
Rearrange simplified(Rearrange move);

/// The move as blocks of scalars that lie side by side in both tensors.
struct Blocks {
  std::vector<AxisMap> axes;  ///< of the blocks, outermost first; offsets in scalars
  std::int64_t start = 0;     ///< scalars
  std::int64_t scalars = 1;   ///< of a block
  std::int64_t count = 1;     ///< of blocks
};
Blocks blocks_of(const Rearrange& move);

}  // namespace ripc
