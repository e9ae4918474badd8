// Which input row or column a nearest neighbour resize reads.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace ripc {

/// The input index of each of `out` output indices along an axis of `in`, in the binary32 arithmetic of
/// RESIZE_NEAREST_NEIGHBOR's reference kernel.
std::vector<std::int64_t> nearest_map(std::int64_t in, std::int64_t out, const ResizeNearest& resize);

}  // namespace ripc
