// One operator of a plan, made ready to be replayed: what it reads, where that lies, and what its kernel promises.
#pragma once

#include <cstdint>
#include <vector>

#include "check/check.h"
#include "check/taps.h"
#include "check/view.h"
#include "plan/plan.h"
#include "rip/contract.h"

namespace ripc::check {

struct TaskInput {
  InputTaps taps;
  View view;
};

struct Task {
  OpId op = -1;
  const rip_contract* contract = nullptr;
  bool whole_tensor = false;  ///< one call makes all rows
  bool reverse = false;
  std::int64_t groups = 1;
  bool vectors = false;  ///< as in OpTaps
  Window window;         ///< over rows
  Window columns;        ///< over columns
  View output;
  std::vector<TaskInput> inputs;
  Region scratch, kept;
  std::vector<Region> scratch_steps;  ///< as PlannedOp::scratch_steps
  std::int64_t blocks = 0;            ///< into which a row is divided at most; 0: a step makes a whole row
  StateId state = kNoState;           ///< that the operator itself updates
  Region state_region;
  bool nothing = false;   ///< the output lies where it lies in the input
  std::int64_t made = 0;  ///< steps so far

  /// Pixels that a step makes; the last of a row perhaps fewer.
  std::int64_t step_pixels() const {
    return blocks == 0 ? output.image.width : (output.image.width + blocks - 1) / blocks;
  }
  std::int64_t steps_of_row() const { return (output.image.width + step_pixels() - 1) / step_pixels(); }
  /// The scratch of the next step.
  const Region& next_scratch() const {
    return scratch_steps.empty() ? scratch : scratch_steps[static_cast<std::size_t>(made)];
  }
  /// Steps in all: output rows or blocks of them, or input rows where each call takes one.
  std::int64_t rows() const {
    if (contract->order == RIP_ROW_SUM) return inputs.front().view.image.height;
    return blocks == 0 ? output.image.height : output.image.height * steps_of_row();
  }
};

/// The task of every operator of the graph, by OpId. Throws ripc::Error if an operator has no plan or an unknown
/// kernel, is in no stage or in two, writes the caller's buffer, or has less scratch or a coarser alignment than its
/// kernel's contract asks for.
std::vector<Task> tasks_of(const Graph& graph, const Plan& plan, const Storages& storages, ContractSource contracts);

}  // namespace ripc::check
