// The stages of a network placed together.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/graph.h"
#include "plan/pipeline.h"
#include "plan/problem_of.h"
#include "plan/stage_draft.h"

namespace ripc {

/// A plan to be: the stages, and what the placer made of them.
struct StagedCandidate {
  std::vector<std::int64_t> begins;  ///< of the stages, as positions
  Schedule schedule;
  std::vector<StageWays> ways;
  std::vector<KernelOption> kernels;
  NetworkProblem network;
  Placement placement;
};

/// What is alive in one stage, placed by itself: the best of many orders.
Placement place_alone(const Problem& stage);

/// A placement of the candidate within `capacity`, if one is found. A stage that only fits in an order of its own is
/// placed first, the rest around it.
std::optional<Placement> place_within(const StageDrafts& drafts, const StagedCandidate& candidate,
                                      std::int64_t capacity, const PlanOptions& options);

/// The least that is found where no capacity is known to do.
Placement place_least(const Graph& graph, const Problem& problem, const PlanOptions& options);

/// Adds what is known of the least placement, by the search for it, which also finds what is wrong with the one that
/// the candidate has, and perhaps a smaller one.
void prove(const Graph& graph, StagedCandidate& candidate, const PlanOptions& options);

}  // namespace ripc
