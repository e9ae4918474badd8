// The plan verifier: replays a finished plan on a memory in which every byte knows what it holds. Shares no code with
// the planner.
#pragma once

#include <cstdint>

#include "graph/graph.h"
#include "plan/plan.h"
#include "rip/contracts.h"

namespace ripc {

/// What a replay went through.
struct CheckReport {
  std::int64_t steps = 0;          ///< output rows made, of all operators together
  std::int64_t bytes_read = 0;     ///< bytes of real taps that were looked at
  std::int64_t bytes_written = 0;  ///< bytes of outputs

  bool operator==(const CheckReport&) const = default;
};

/// Where the contract of a kernel is found by name; null if there is none.
using ContractSource = const rip_contract* (*)(const char* kernel);

/// Proves that `plan` computes `graph` exactly: every operator makes each of its rows once and in order, every tap that
/// it reads still holds the very byte that belongs there, whatever its kernel's contract allows it to have written
/// before, everything lies inside the arena and aligned, and at the end every output of the graph is whole.
///
/// Knows of the planner only the record it left (Plan), and of the kernels only their contracts. `graph` must
/// be valid and canonical. Throws ripc::Error at the first fault, with the operator, the output row, column and
/// channel, the byte that was expected and what was found in its place.
CheckReport check_plan(const Graph& graph, const Plan& plan, ContractSource contracts = rip_find_contract);

}  // namespace ripc
