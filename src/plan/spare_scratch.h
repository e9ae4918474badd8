// Scratch in bytes that hold nothing at the moment: rows that are read no more, slots that are not yet written.
#pragma once

#include "graph/graph.h"
#include "plan/plan.h"
#include "plan/problem_of.h"

namespace ripc {

/// Gives kernels that take any scratch (rip_contract::any_scratch) as much of what they are fastest with as there is at
/// each of their steps, never less than they have: one place for all steps where that is enough, or else one a
/// step (PlannedOp::scratch_steps) of those that make row after row. No buffer moves and the arena stays as it is.
/// `memory` as the plan was made with.
void spread_scratch(const Graph& graph, const MemoryOptions& memory, Plan& plan);

/// What a kernel that takes any scratch is fastest with, in bytes; 0 for any other.
std::int64_t wanted_scratch(const Graph& graph, const PlannedOp& planned);

/// Whether it has less at some step.
bool lacks_scratch(const Graph& graph, const PlannedOp& planned);

}  // namespace ripc
