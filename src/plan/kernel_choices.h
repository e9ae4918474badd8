// The kernels among which a plan may choose for operators that are stages of their own, and a placement that is sure to
// be right.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "plan/pipeline.h"

namespace ripc {

/// The kernels of each operator, and what its step needs with them.
struct KernelChoices {
  std::vector<std::vector<KernelOption>> kernels;  ///< by OpId, the fastest first
  std::vector<std::vector<std::int64_t>> needs;    ///< likewise: bytes alive at the step, as far as they cannot overlap
  std::int64_t target = 0;                         ///< what the step that needs most needs at least
};

/// `schedule` has one operator a stage, and `problems` is of it.
KernelChoices kernel_choices(const Graph& graph, const Schedule& schedule, const NetworkProblems& problems,
                             const PlanOptions& options);

/// For each operator the first kernel whose needs are as `wanted` says, or the first of all if none are.
template <typename Wanted>
std::vector<KernelOption> pick(const KernelChoices& choices, Wanted wanted) {
  std::vector<KernelOption> picked;
  for (std::size_t op = 0; op < choices.kernels.size(); ++op) {
    const auto& needs = choices.needs[op];
    const auto found = std::ranges::find_if(needs, [&](std::int64_t bytes) { return wanted(bytes, needs); });
    const auto at = found == needs.end() ? std::ptrdiff_t{0} : found - needs.begin();
    picked.push_back(choices.kernels[op][static_cast<std::size_t>(at)]);
  }
  return picked;
}

/// The arena up to which a faster kernel is preferred to a smaller one, in bytes.
std::int64_t allowed_arena(std::int64_t least, Optimize optimize);

/// Places with the placer of `options`, and checks what it answers. Throws ripc::Error if there is no placement.
Placement checked_placement(const Graph& graph, const Problem& problem, const PlanOptions& options);

}  // namespace ripc
