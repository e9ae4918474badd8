#include "plan/pipeline.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "ripc/error.h"

namespace ripc {
namespace {

/// The kernels among which a plan may choose, and what each operator's step needs with them.
struct Choices {
  std::vector<std::vector<KernelOption>> kernels;  ///< by OpId, the fastest first
  std::vector<std::vector<std::int64_t>> needs;    ///< likewise: bytes alive at the step, as far as they cannot overlap
  std::int64_t target = 0;                         ///< what the step that needs most needs at least
};

Choices choices_of(const Graph& graph, const Schedule& schedule, const NetworkProblems& problems,
                   const PlanOptions& options) {
  Choices choices;
  std::vector<KernelOption> kernels;
  for (const Op& op : graph.ops) {
    choices.kernels.push_back(options.kernels(graph, op));
    kernels.push_back(choices.kernels.back().front());
  }
  choices.needs.resize(graph.ops.size());
  for (std::size_t stage = 0; stage < schedule.stages.size(); ++stage) {
    const auto op = static_cast<std::size_t>(schedule.stages[stage].ops.front());
    for (const KernelOption& candidate : choices.kernels[op]) {
      kernels[op] = candidate;
      choices.needs[op].push_back(lower_bound(problems.at_stage(stage, kernels)));
    }
    kernels[op] = choices.kernels[op].front();
    choices.target = std::max(choices.target, std::ranges::min(choices.needs[op]));
  }
  return choices;
}

/// For each operator the first kernel whose needs are as `wanted` says.
template <typename Wanted>
std::vector<KernelOption> pick(const Choices& choices, Wanted wanted) {
  std::vector<KernelOption> picked;
  for (std::size_t op = 0; op < choices.kernels.size(); ++op) {
    const auto& needs = choices.needs[op];
    const auto found = std::ranges::find_if(needs, [&](std::int64_t bytes) { return wanted(bytes, needs); });
    picked.push_back(choices.kernels[op][static_cast<std::size_t>(found - needs.begin())]);
  }
  return picked;
}

struct Candidate {
  std::vector<KernelOption> kernels;
  NetworkProblem network;
  Placement placement;
};

Candidate place_with(const Graph& graph, std::vector<KernelOption> kernels, NetworkProblem network,
                     const PlanOptions& options) {
  Placement placement = place(network.problem, options.placer, options.placer_options);
  if (placement.proof == Proof::infeasible) {
    throw Error({.problem = "no placement exists for " + graph.name, .remedy = "Free a fixed offset."});
  }
  if (placement.offsets.empty()) {
    throw Error({.problem = "placer '" + options.placer + "' found no placement for " + graph.name,
                 .remedy = "Raise --node-limit or --time-limit, or choose another with --placer."});
  }
  if (const std::string fault = validate_placement(network.problem, placement); !fault.empty()) {
    throw Error({.problem = "placer '" + options.placer + "' gave a wrong placement: " + fault,
                 .remedy = "This is a fault of ripc; choose another with --placer and report it."});
  }
  return {std::move(kernels), std::move(network), std::move(placement)};
}

/// The arena up to which a faster kernel is preferred to a smaller one, in bytes.
std::int64_t allowed_arena(std::int64_t least, Optimize optimize) {
  switch (optimize) {
    case Optimize::speed:
      return std::numeric_limits<std::int64_t>::max();
    case Optimize::balanced:
      return least + least / 10;
    case Optimize::ram:
      break;
  }
  return least;
}

/// Places with the fastest kernels that options.optimize allows.
Candidate best_kernels(const Graph& graph, const Schedule& schedule, const PlanOptions& options, const Slabs& slabs) {
  const NetworkProblems problems(graph, schedule, options.memory, slabs);
  const Choices choices = choices_of(graph, schedule, problems, options);
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
