// In which order the rows of a stage are made. The procedure is that of docs/stages.md: this is its only definition in
// the planner, and its steps travel in the plan.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/stage_flow.h"

namespace ripc {

/// One step of one operator, counted in the order in which its rows are made, or taken if it sums them up; or one row
/// of what is streamed. Of rows that are made in blocks, one block: row is its index among all of them.
struct RowStep {
  int op = 0;  ///< index into StageFlow::ops, or kSourceRows
  std::int64_t row = 0;

  bool operator==(const RowStep&) const = default;
};

/// Which of the rows that a step reads are asked for first.
enum class AskOrder : std::uint8_t {
  listed,        ///< as the operator's inputs
  longest_chain  ///< those that the most operators one after another make: no row of a shorter chain waits meanwhile
};

/// Every step of every operator once. The last operator sets the pace: it makes row after row, each as soon as its taps
/// exist, and so do the operators that it depends on when one of their rows is first asked for. Rows of theirs that
/// nobody reads are made when their last reader is done.
std::vector<RowStep> stage_steps(const StageFlow& flow, AskOrder order = AskOrder::listed);

/// The same as loops: straight stretches and what repeats.
std::vector<StepLoop> step_loops(const std::vector<RowStep>& steps);

}  // namespace ripc
