// A stage of several operators in the placement problem, and in the plan that the answer stands for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "placement/problem.h"
#include "plan/plan.h"
#include "plan/problem_of.h"
#include "plan/stage_draft.h"

namespace ripc {

/// The tensors that the stage keeps as rings, or in other tensors' places: they have no buffer of their own.
std::vector<TensorId> inner_tensors(const Graph& graph, const StageWays& ways);

/// Adds the stage's rings and side buffers, alive at `time`, and the choice between its ways.
void add_stage(const Graph& graph, const StageWays& ways, std::size_t stage, std::int64_t time,
               NetworkProblem& network);

/// Completes the plan: the stage's steps, kernels and side buffers, and where its inner rows lie.
void apply_stage(const Graph& graph, const StageWays& ways, std::size_t stage, const NetworkProblem& network,
                 const Placement& placement, Plan& plan);

}  // namespace ripc
