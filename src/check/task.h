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
  View output;
  std::vector<TaskInput> inputs;
  Region scratch, kept;
  StateId state = kNoState;  ///< that the operator itself updates
  Region state_region;
  bool nothing = false;   ///< the output lies where it lies in the input
  std::int64_t made = 0;  ///< rows so far

  /// Steps in all: output rows, or input rows where each call takes one.
  std::int64_t rows() const {
    return contract->order == RIP_ROW_SUM ? inputs.front().view.image.height : output.image.height;
  }
};

/// The task of every operator of the graph, by OpId. Throws ripc::Error if an operator has no plan or an unknown
/// kernel, is in no stage or in two, writes the caller's buffer, or has less scratch or a coarser alignment than its
/// kernel's contract asks for.
std::vector<Task> tasks_of(const Graph& graph, const Plan& plan, const Storages& storages, ContractSource contracts);

}  // namespace ripc::check
