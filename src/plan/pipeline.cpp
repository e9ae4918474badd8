#include "plan/pipeline.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "plan/kernel_choices.h"

namespace ripc {
namespace {

struct Candidate {
  std::vector<KernelOption> kernels;
  NetworkProblem network;
  Placement placement;
};

Candidate place_with(const Graph& graph, std::vector<KernelOption> kernels, NetworkProblem network,
                     const PlanOptions& options) {
  Placement placement = checked_placement(graph, network.problem, options);
  return {std::move(kernels), std::move(network), std::move(placement)};
}

/// Places with the fastest kernels that options.optimize allows.
Candidate best_kernels(const Graph& graph, const Schedule& schedule, const PlanOptions& options, const Slabs& slabs) {
  const NetworkProblems problems(graph, schedule, options.memory, slabs);
  const KernelChoices choices = kernel_choices(graph, schedule, problems, options);
  const std::int64_t allowed = allowed_arena(choices.target, options.optimize);
  // An operator keeps its fastest kernel if that stays within what is allowed.
  std::vector<KernelOption> within = pick(choices, [&](std::int64_t bytes, const auto&) { return bytes <= allowed; });
  NetworkProblem network = problems.whole(within);
  Candidate chosen = place_with(graph, std::move(within), std::move(network), options);
  if (chosen.placement.peak > allowed) {
    std::vector<KernelOption> least =
        pick(choices, [](std::int64_t bytes, const auto& needs) { return bytes == std::ranges::min(needs); });
    network = problems.whole(least);
    if (lower_bound(network.problem) < chosen.placement.peak) {
      Candidate smaller = place_with(graph, std::move(least), std::move(network), options);
      if (smaller.placement.peak < chosen.placement.peak) chosen = std::move(smaller);
    }
  }
  return chosen;
}

/// Which concatenations to make without a copy, most first: all of them, and what is left when every one that costs
/// memory by itself is copied instead. None at all is the last.
std::vector<Slabs> slab_choices(const Graph& graph, const Schedule& schedule, const std::vector<KernelOption>& kernels,
                                const MemoryOptions& memory) {
  std::vector<SlabGroup> groups;
  if (memory.join_slabs && memory.in_place) groups = slab_groups(graph);
  // A kernel that is said to copy everything apart does so.
  std::erase_if(groups, [&](const SlabGroup& group) {
    return kernels[static_cast<std::size_t>(group.op)].contract->order == RIP_DISJOINT;
  });
  if (groups.empty()) return {Slabs{}};
  const auto bound = [&](const std::vector<bool>& chosen) {
    return lower_bound(problem_of(graph, schedule, kernels, memory, slabs_of(graph, groups, chosen)).problem);
  };
  std::vector<bool> all(groups.size(), true), some = all;
  std::int64_t least = bound(some);
  for (std::size_t i = groups.size(); i-- > 0;) {
    some[i] = false;
    const std::int64_t bytes = bound(some);
    some[i] = bytes >= least;
    least = std::min(least, bytes);
  }
  std::vector<Slabs> choices{slabs_of(graph, groups, all)};
  if (some != all) choices.push_back(slabs_of(graph, groups, some));
  choices.emplace_back();
  return choices;
}

}  // namespace

Plan plan_in_order(const Graph& graph, const Schedule& schedule, const PlanOptions& options) {
  std::vector<KernelOption> fastest;
  for (const Op& op : graph.ops) fastest.push_back(options.kernels(graph, op).front());
  std::optional<Candidate> chosen;
  Slabs chosen_slabs;
  for (Slabs& slabs : slab_choices(graph, schedule, fastest, options.memory)) {
    Candidate candidate = best_kernels(graph, schedule, options, slabs);
    if (chosen && candidate.placement.peak >= chosen->placement.peak) continue;
    chosen = std::move(candidate);
    chosen_slabs = std::move(slabs);
  }
  return plan_of(graph, schedule, chosen->kernels, chosen->network, chosen->placement, options.memory, chosen_slabs);
}

}  // namespace ripc
