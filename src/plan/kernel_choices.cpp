#include "plan/kernel_choices.h"

#include <limits>

#include "ripc/error.h"

namespace ripc {

KernelChoices kernel_choices(const Graph& graph, const Schedule& schedule, const NetworkProblems& problems,
                             const PlanOptions& options) {
  KernelChoices choices;
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

Placement checked_placement(const Graph& graph, const Problem& problem, const PlanOptions& options) {
  Placement placement = place(problem, options.placer, options.placer_options);
  if (placement.proof == Proof::infeasible) {
    throw Error({.problem = "no placement exists for " + graph.name, .remedy = "Free a fixed offset."});
  }
  if (placement.offsets.empty()) {
    throw Error({.problem = "placer '" + options.placer + "' found no placement for " + graph.name,
                 .remedy = "Raise --node-limit or --time-limit, or choose another with --placer."});
  }
  if (const std::string fault = validate_placement(problem, placement); !fault.empty()) {
    throw Error({.problem = "placer '" + options.placer + "' gave a wrong placement: " + fault,
                 .remedy = "This is a fault of ripc; choose another with --placer and report it."});
  }
  return placement;
}

}  // namespace ripc
