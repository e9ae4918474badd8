// Plans for a caller who runs a network in pieces: step by step, or with an input that arrives row by row.
#pragma once

#include "graph/graph.h"
#include "plan/plan.h"

namespace ripc {

/// The same plan, with room in the arena for how far the work has come (rip_position of rip/steps.h).
Plan with_progress(Plan plan);

/// The same plan, run when the last row of the input has arrived: its rows are stored where the plan has the input.
/// Throws ripc::Error if the network has another number of inputs than one, or has it outside the arena.
Plan await_input(const Graph& graph, Plan plan);

}  // namespace ripc
