#include "plan/stage_placing.h"

#include <algorithm>
#include <utility>

#include "placement/stack.h"
#include "plan/kernel_choices.h"

namespace ripc {
namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

/// The first search for a capacity may take that part of the nodes.
constexpr std::int64_t kShortSearch = 8;

std::optional<Placement> attempt(Problem problem, std::int64_t capacity, std::int64_t node_limit,
                                 const PlanOptions& options) {
  PlacerOptions placer = options.placer_options;
  placer.node_limit = node_limit;
  problem.capacity = capacity;
  Placement placement = place(problem, options.placer, placer);
  if (placement.offsets.empty() || placement.peak > capacity) return std::nullopt;
  return placement;
}

/// The stage whose simple stack is the highest, if it is beyond `capacity`.
std::optional<std::size_t> tightest_stage(const StagedCandidate& candidate, std::int64_t capacity) {
  std::optional<std::size_t> tightest;
  std::int64_t most = capacity;
  for (std::size_t stage = 0; stage < candidate.ways.size(); ++stage) {
    const auto& drafts = candidate.ways[stage].drafts;
    if (drafts.empty()) continue;
    const std::int64_t bytes = std::ranges::min(drafts, {}, &StageDraft::bytes).bytes;
    if (bytes <= most) continue;
    most = bytes;
    tightest = stage;
  }
  return tightest;
}

/// The whole problem, one stage's buffers where they lie when it is placed alone; none if that is beyond `capacity`.
std::optional<Problem> around(const StageDrafts& drafts, const StagedCandidate& candidate, std::size_t stage,
                              const StageDraft& way, std::int64_t capacity) {
  const StageProblem own = drafts.problem(way);
  const Placement alone = place_alone(own.problem);
  if (alone.peak > capacity) return std::nullopt;
  const NetworkProblem& network = candidate.network;
  Problem problem = network.problem;
  for (std::size_t i = 1; i < own.tensors.size(); ++i) {  // the first is not one buffer
    const TensorId tensor = own.tensors[i];
    const BufferId buffer =
        tensor == kNoTensor ? network.ring_buffers[stage][i - 1] : network.tensor_buffer[index(tensor)];
    if (buffer >= 0) problem.buffers[index(buffer)].offset = alone.offsets[i];
  }
  return problem;
}

}  // namespace

Placement place_alone(const Problem& stage) {
  constexpr std::int64_t kMoves = 40;  // for each pair of buffers
  const auto buffers = std::ssize(stage.buffers);
  return stack(stage, kMoves * buffers * buffers);
}

std::optional<Placement> place_within(const StageDrafts& drafts, const StagedCandidate& candidate,
                                      std::int64_t capacity, const PlanOptions& options) {
  const std::int64_t nodes = options.placer_options.node_limit;
  if (const auto stage = tightest_stage(candidate, capacity)) {
    for (const StageDraft& way : candidate.ways[*stage].drafts) {
      const std::optional<Problem> problem = around(drafts, candidate, *stage, way, capacity);
      if (!problem) continue;
      std::optional<Placement> placement = attempt(*problem, capacity, nodes / kShortSearch, options);
      if (placement && validate_placement(candidate.network.problem, *placement).empty()) return placement;
    }
  }
  return attempt(candidate.network.problem, capacity, nodes, options);
}

Placement place_least(const Graph& graph, const Problem& problem, const PlanOptions& options) {
  // What a whole network needs at least is seldom known, and a search for the very least finds less than one for a
  // little less.
  Placement best = checked_placement(graph, problem, options);
  const std::int64_t least = lower_bound(problem), nodes = options.placer_options.node_limit / kShortSearch;
  for (std::int64_t step = (best.peak - least) / 8; step > best.peak / 1000; step /= 2) {
    while (std::optional<Placement> smaller = attempt(problem, best.peak - step, nodes, options)) {
      best = std::move(*smaller);
    }
  }
  return best;
}

void prove(const Graph& graph, StagedCandidate& candidate, const PlanOptions& options) {
  Placement placement = checked_placement(graph, candidate.network.problem, options);
  const bool right = validate_placement(candidate.network.problem, candidate.placement).empty();
  if (!right || placement.peak <= candidate.placement.peak) {
    candidate.placement = std::move(placement);
    return;
  }
  candidate.placement.lower_bound = placement.lower_bound;
  const bool least = candidate.placement.peak == placement.lower_bound;
  candidate.placement.proof = least ? Proof::optimal : Proof::limited;
}

}  // namespace ripc
