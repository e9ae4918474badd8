// From a scheduled network with its kernels chosen to the placement problem, and from the answer back to a plan.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "graph/graph.h"
#include "graph/steps.h"
#include "lower/lower.h"
#include "placement/problem.h"
#include "plan/plan.h"

namespace ripc {

/// What the plan does with memory that the caller can see.
struct MemoryOptions {
  bool in_place = true;         ///< false: buffers alive together never overlap (dual buffering)
  bool keep_input = false;      ///< the inputs survive the run
  bool external_input = false;  ///< the inputs lie in the caller's buffers and take no arena
};

/// The times at which a buffer must exist, both included; first -1: never.
struct LiveRange {
  std::int64_t first = -1, last = -1;
};

/// By TensorId, of each stored tensor: from what writes it to the last that reads it. An alias has none of its own.
std::vector<LiveRange> live_ranges(const Graph& graph, const Schedule& schedule, const MemoryOptions& options);

/// A placement problem and what its buffers stand for. Time 0 is the caller writing the inputs, time s + 1 is stage s,
/// and the time after the last stage is the caller reading the outputs.
struct NetworkProblem {
  Problem problem;
  std::vector<BufferId> tensor_buffer;           ///< by TensorId; -1: not stored in the arena
  std::vector<BufferId> scratch_buffer;          ///< by OpId; -1: none
  std::vector<BufferId> kept_buffer;             ///< by OpId; -1: none
  std::vector<int> stage_choice;                 ///< by stage, index into Problem::choices; -1: nothing to choose
  std::vector<std::vector<bool>> stage_reverse;  ///< by stage: the direction of each alternative of its choice
};

/// The problem of running `schedule`, one operator a stage, with `kernels[op]`. With `only`, the part of it that is
/// alive at that stage: its lower bound is what the stage needs at least.
NetworkProblem problem_of(const Graph& graph, const Schedule& schedule, const std::vector<KernelOption>& kernels,
                          const MemoryOptions& options, std::optional<std::size_t> only = std::nullopt);

/// The plan that a placement of `network` stands for.
Plan plan_of(const Graph& graph, Schedule schedule, const std::vector<KernelOption>& kernels,
             const NetworkProblem& network, const Placement& placement, const MemoryOptions& options);

}  // namespace ripc
