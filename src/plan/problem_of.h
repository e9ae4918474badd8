// From a scheduled network with its kernels chosen to the placement problem, and from the answer back to a plan.
#pragma once

#include <cstddef>
#include <vector>

#include "graph/graph.h"
#include "graph/steps.h"
#include "lower/lower.h"
#include "placement/problem.h"
#include "plan/plan.h"
#include "plan/slabs.h"
#include "plan/stage_draft.h"

namespace ripc {

/// What the plan does with memory that the caller can see.
struct MemoryOptions {
  bool in_place = true;         ///< false: buffers alive together never overlap (dual buffering)
  bool keep_input = false;      ///< the inputs survive the run
  bool external_input = false;  ///< the inputs lie in the caller's buffers and take no arena
  bool join_slabs = true;       ///< inputs of CONCATENATION may be stored in its output
  std::int64_t alignment = 1;   ///< of every buffer, at least
};

/// The times at which a buffer must exist, both included; first -1: never.
struct LiveRange {
  std::int64_t first = -1, last = -1;
};

/// By TensorId, of each stored tensor: from what writes it to the last that reads it. An alias has none of its own,
/// and a tensor stored within another shares that one's.
std::vector<LiveRange> live_ranges(const Graph& graph, const Schedule& schedule, const MemoryOptions& options,
                                   const Slabs& slabs = {});

/// A placement problem and what its buffers stand for. Time 0 is the caller writing the inputs, time s + 1 is stage s,
/// and the time after the last stage is the caller reading the outputs.
struct NetworkProblem {
  Problem problem;
  std::vector<BufferId> tensor_buffer;              ///< by TensorId, that of its slab; -1: not stored in the arena
  std::vector<BufferId> scratch_buffer;             ///< by OpId; -1: none
  std::vector<BufferId> kept_buffer;                ///< by OpId; -1: none
  std::vector<int> stage_choice;                    ///< by stage, index into Problem::choices; -1: nothing to choose
  std::vector<std::vector<bool>> stage_reverse;     ///< by stage: the direction of each alternative of its choice
  std::vector<std::vector<BufferId>> ring_buffers;  ///< by stage, as StageRings::rings; then the scratch, or -1
};

/// The problems of running one schedule, with one kernel or another for each operator that is a stage of its own.
class NetworkProblems {
 public:
  /// Keeps references to the first three. `ways`: by stage, of those of several operators; empty if there are none.
  /// Tensors of one slab share a buffer that lives as long as any of them; a part
  /// of it shares no byte with another buffer, the slab only with what is read after it is whole.
  NetworkProblems(const Graph& graph, const Schedule& schedule, const MemoryOptions& options, Slabs slabs = {},
                  std::vector<StageWays> ways = {});

  /// The whole problem with `kernels[op]`.
  NetworkProblem whole(const std::vector<KernelOption>& kernels) const;

  /// The part of it that is alive at a stage: its lower bound is what the stage needs at least. Costs no more than that
  /// part is large.
  Problem at_stage(std::size_t stage, const std::vector<KernelOption>& kernels) const;

 private:
  const Graph& graph_;
  const Schedule& schedule_;
  const MemoryOptions& options_;
  Slabs slabs_;
  std::vector<StageWays> ways_;
  std::vector<LiveRange> ranges_;             // by TensorId
  std::vector<TensorId> stored_;              // in the arena
  std::vector<std::vector<TensorId>> alive_;  // of them, by stage
};

/// The whole problem of running `schedule` with `kernels[op]`.
NetworkProblem problem_of(const Graph& graph, const Schedule& schedule, const std::vector<KernelOption>& kernels,
                          const MemoryOptions& options, const Slabs& slabs = {});

/// The plan that a placement of `network` stands for. `ways` as NetworkProblems has them.
Plan plan_of(const Graph& graph, Schedule schedule, const std::vector<KernelOption>& kernels,
             const NetworkProblem& network, const Placement& placement, const MemoryOptions& options,
             const Slabs& slabs = {}, const std::vector<StageWays>& ways = {});

}  // namespace ripc
