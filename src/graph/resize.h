// Which input rows or columns a resize reads.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace ripc {

/// The input index of each of `out` output indices along an axis of `in`, in the binary32 arithmetic of
/// RESIZE_NEAREST_NEIGHBOR's reference kernel.
std::vector<std::int64_t> nearest_map(std::int64_t in, std::int64_t out, const ResizeNearest& resize);

/// What a bilinear resize reads for one output index along an axis.
struct BilinearTaps {
  std::int64_t first = 0, second = 0;
  std::int64_t fraction = 0;  ///< of the way from the first to the second, in 1024ths; at the border below 0
  float part = 0.0F;          ///< the same in binary32
};

/// The taps of output index `i` of `out` along an axis of `in`, in the integer arithmetic of RESIZE_BILINEAR's
/// reference kernel, or in its binary32 if `real`. `first` may lie past the input for outputs so large that the
/// reference reads there.
BilinearTaps bilinear_taps(std::int64_t i, std::int64_t in, std::int64_t out, const ResizeBilinear& resize, bool real);

/// The same of every output index.
std::vector<BilinearTaps> bilinear_map(std::int64_t in, std::int64_t out, const ResizeBilinear& resize, bool real);

}  // namespace ripc
