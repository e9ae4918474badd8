// What operators that move scalars ask of their tensors.
#include <fmt/format.h>

#include <cstdlib>

#include "graph/checks.h"
#include "graph/limits.h"
#include "graph/movement.h"

namespace ripc {

Complaint movement_fault(const Tensor& input, const Tensor& output, const Rearrange& move) {
  if (move.axes.size() > kMostAxes) {
    return complain("too many axes", fmt::format("at most {}", kMostAxes), fmt::format("{}", move.axes.size()));
  }
  std::int64_t scalars = 1, least = move.start, most = move.start;
  for (const AxisMap& axis : move.axes) {
    if (std::ssize(axis.offsets) > kMaxTable) {
      return complain("too many offsets", fmt::format("at most {}", kMaxTable), fmt::format("{}", axis.offsets.size()));
    }
    const bool sound = axis.extent >= 1 && axis.extent <= kMaxTensorBytes / scalars &&
                       std::abs(axis.stride) <= kMaxTensorBytes &&
                       (axis.offsets.empty() || std::ssize(axis.offsets) == axis.extent);
    if (!sound) return complain("axis out of range", {}, fmt::format("{} indices", axis.extent));
    scalars *= axis.extent;
    // Extents and strides of 31 bits: their product fits 63.
    const auto [low, high] = offset_range(axis);
    if (low < -kMaxTensorBytes || high > kMaxTensorBytes) {
      return complain("move from outside of the input", fmt::format("0 to {}", element_count(input) - 1),
                      fmt::format("{} to {}", low, high), input.name);
    }
    least += low;
    most += high;
  }
  if (scalars != element_count(output)) {
    return complain("output of another size", fmt::format("{} scalars", scalars), shape_text(output.shape),
                    output.name);
  }
  if (least >= 0 && most < element_count(input)) return {};
  return complain("move from outside of the input", fmt::format("0 to {}", element_count(input) - 1),
                  fmt::format("{} to {}", least, most), input.name);
}

}  // namespace ripc
