#include "plan/pipeline.h"

#include <algorithm>
#include <utility>

#include "ripc/error.h"

namespace ripc {
namespace {

/// Bytes that the step of one operator needs at least with each of its kernels, everything else alive there included.
std::vector<std::int64_t> step_needs(const Graph& graph, const Schedule& schedule, std::vector<KernelOption> kernels,
                                     const std::vector<KernelOption>& candidates, std::size_t stage,
                                     const MemoryOptions& memory) {
  const auto op = static_cast<std::size_t>(schedule.stages[stage].ops.front());
  std::vector<std::int64_t> needs;
  for (const KernelOption& candidate : candidates) {
    kernels[op] = candidate;
    needs.push_back(lower_bound(problem_of(graph, schedule, kernels, memory, stage).problem));
  }
  return needs;
}

struct Candidate {
  std::vector<KernelOption> kernels;
  NetworkProblem network;
  Placement placement;
};

Candidate place_with(const Graph& graph, const Schedule& schedule, std::vector<KernelOption> kernels,
                     const PlanOptions& options) {
  NetworkProblem network = problem_of(graph, schedule, kernels, options.memory);
  Placement placement = place(network.problem, options.placer, options.placer_options);
  if (placement.proof == Proof::infeasible) {
    throw Error({.problem = "no placement exists for " + graph.name, .remedy = "Free a fixed offset."});
  }
  if (const std::string fault = validate_placement(network.problem, placement); !fault.empty()) {
    throw Error({.problem = "placer '" + options.placer + "' gave a wrong placement: " + fault,
                 .remedy = "This is a fault of ripc; choose another with --placer and report it."});
  }
  return {std::move(kernels), std::move(network), std::move(placement)};
}

}  // namespace

Plan plan_in_order(const Graph& graph, const Schedule& schedule, const PlanOptions& options) {
  std::vector<std::vector<KernelOption>> choices;
  std::vector<KernelOption> fastest;
  for (const Op& op : graph.ops) {
    choices.push_back(options.kernels(graph, op));
    fastest.push_back(choices.back().front());
  }

  // The least that any step can do with defines the target; an operator keeps its fastest kernel if that stays within
  // it.
  std::vector<KernelOption> least = fastest;
  std::vector<std::vector<std::int64_t>> needs(graph.ops.size());
  std::int64_t target = 0;
  for (std::size_t stage = 0; stage < schedule.stages.size(); ++stage) {
    const auto op = static_cast<std::size_t>(schedule.stages[stage].ops.front());
    needs[op] = step_needs(graph, schedule, fastest, choices[op], stage, options.memory);
    const auto best = std::ranges::min_element(needs[op]);
    least[op] = choices[op][static_cast<std::size_t>(best - needs[op].begin())];
    target = std::max(target, *best);
  }
  std::vector<KernelOption> within = fastest;
  for (std::size_t op = 0; op < choices.size(); ++op) {
    const auto first = std::ranges::find_if(needs[op], [&](std::int64_t bytes) { return bytes <= target; });
    within[op] = choices[op][static_cast<std::size_t>(first - needs[op].begin())];
  }

  Candidate chosen = place_with(graph, schedule, within, options);
  if (chosen.placement.peak > target) {
    Candidate smaller = place_with(graph, schedule, least, options);
    if (smaller.placement.peak < chosen.placement.peak) chosen = std::move(smaller);
  }
  return plan_of(graph, schedule, chosen.kernels, chosen.network, chosen.placement, options.memory);
}

}  // namespace ripc
