#include "graph/reduction.h"

#include <algorithm>
#include <array>

namespace ripc {
namespace {

std::vector<int> axes_of(const Op& op) {
  if (const auto* reduce = std::get_if<Reduce>(&op.kind)) return reduce->axes;
  if (const auto* arg = std::get_if<ArgExtreme>(&op.kind)) return {arg->axis};
  return {};
}

}  // namespace

std::optional<Reduction> reduction_of(const Graph& graph, const Op& op) {
  const std::vector<int> axes = axes_of(op);
  if (axes.empty() || op.inputs.size() != 1) return std::nullopt;
  const std::vector<std::int64_t>& shape = graph.tensors[static_cast<std::size_t>(op.inputs[0])].shape;
  const auto rank = static_cast<int>(shape.size());
  if (std::ranges::any_of(axes, [&](int axis) { return axis < 0 || axis >= rank; })) return std::nullopt;

  std::array<std::int64_t, 5> extents{1, 1, 1, 1, 1};
  std::size_t at = 0;
  for (int axis = 0; axis < rank; ++axis) {
    const std::int64_t extent = shape[static_cast<std::size_t>(axis)];
    if (extent == 1) continue;
    const bool reduced = std::ranges::find(axes, axis) != axes.end();
    if (reduced != (at % 2 == 1)) ++at;
    if (at >= extents.size()) return std::nullopt;
    extents[at] *= extent;
  }
  // What is left after the last reduced axis is the inner one.
  if (at == 2) return Reduction{extents[0], extents[1], 1, 1, extents[2]};
  return Reduction{extents[0], extents[1], extents[2], extents[3], extents[4]};
}

}  // namespace ripc
