#include "schedule/stage_steps.h"

#include <algorithm>

namespace ripc {
namespace {

/// By operator, what it reads of the stage in the order in which it asks for it.
std::vector<std::vector<const FlowRead*>> asked_of(const StageFlow& flow, AskOrder order) {
  std::vector<std::vector<const FlowRead*>> asked(flow.ops.size());
  std::vector<int> chains(flow.ops.size(), 1);  // of operators up to and with this one
  const auto chain = [&](const FlowRead* read) {
    return read->producer < 0 ? 0 : chains[static_cast<std::size_t>(read->producer)];
  };
  for (std::size_t op = 0; op < flow.ops.size(); ++op) {
    for (const FlowRead& read : flow.ops[op].reads) {
      if (read.producer == kOutside) continue;
      asked[op].push_back(&read);
      chains[op] = std::max(chains[op], chain(&read) + 1);
    }
    if (order == AskOrder::longest_chain) std::ranges::stable_sort(asked[op], std::ranges::greater{}, chain);
  }
  return asked;
}

class Stepper {
 public:
  Stepper(const StageFlow& flow, AskOrder order)
      : flow_(flow), asked_(asked_of(flow, order)), made_(flow.ops.size() + 1, 0) {
    for (std::size_t i = 0; i < flow.ops.size(); ++i) {
      if (flow.ops[i].eager) eager_.push_back(static_cast<int>(i));
    }
  }

  std::vector<RowStep> run() {
    const int last = static_cast<int>(flow_.ops.size()) - 1;
    make(last, steps(last));
    for (int op = 0; op < last; ++op) make(op, steps(op));
    make(kSourceRows, steps(kSourceRows));
    return std::move(order_);
  }

 private:
  const FlowOp& op_at(int op) const { return flow_.ops[static_cast<std::size_t>(op)]; }
  std::int64_t steps(int op) const { return op == kSourceRows ? flow_.source_rows : op_at(op).steps; }
  /// Steps until block `block` exists.
  std::int64_t until(int op, std::int64_t block) const {
    return 1 + (op == kSourceRows ? block : op_at(op).writes(block));
  }
  std::int64_t& made(int op) { return made_[op == kSourceRows ? flow_.ops.size() : static_cast<std::size_t>(op)]; }

  void make(int op, std::int64_t count) {
    while (made(op) < count) {
      const std::int64_t row = made(op);
      if (op != kSourceRows) {
        for (const FlowRead* read : asked_[static_cast<std::size_t>(op)]) {
          if (!read->empty(row)) make(read->producer, until(read->producer, read->last_block(row)));
        }
      }
      if (made(op) != row) continue;  // an eager step of the same operator came in between
      execute(op);
    }
  }

  void execute(int op) {
    order_.push_back({.op = op, .row = made(op)++});
    if (op != kSourceRows && made(op) == steps(op)) {
      for (const FlowRead& read : op_at(op).reads) {
        if (read.producer != kOutside) make(read.producer, steps(read.producer));
      }
    }
    if (running_eager_) return;
    running_eager_ = true;
    for (const int eager : eager_) {
      while (is_ready(eager)) execute(eager);
    }
    running_eager_ = false;
  }

  /// Whether all that the next row of an eager operator reads is there. One that reads nothing of the stage keeps pace
  /// with the last operator.
  bool is_ready(int op) {
    const std::int64_t row = made(op);
    if (row == steps(op)) return false;
    bool inside = false;
    for (const FlowRead& read : op_at(op).reads) {
      if (read.producer == kOutside) continue;
      inside = true;
      if (!read.empty(row) && made(read.producer) < until(read.producer, read.last_block(row))) return false;
    }
    const int last = static_cast<int>(flow_.ops.size()) - 1;
    return inside || row * steps(last) < made(last) * steps(op);
  }

  const StageFlow& flow_;
  std::vector<std::vector<const FlowRead*>> asked_;  // by operator
  std::vector<std::int64_t> made_;                   // by operator, then of the source
  std::vector<int> eager_;
  std::vector<RowStep> order_;
  bool running_eager_ = false;
};

/// How often the `period` runs from `at` on follow each other.
std::size_t repeats(const std::vector<StepRun>& runs, std::size_t at, std::size_t period) {
  std::size_t end = at + period;
  while (end < runs.size() && runs[end] == runs[end - period]) ++end;
  return (end - at) / period;
}

}  // namespace

std::vector<RowStep> stage_steps(const StageFlow& flow, AskOrder order) { return Stepper(flow, order).run(); }

std::vector<StepLoop> step_loops(const std::vector<RowStep>& steps) {
  std::vector<StepRun> runs;
  for (const RowStep& step : steps) {
    if (runs.empty() || runs.back().op != step.op) runs.push_back({.op = step.op, .rows = 0});
    ++runs.back().rows;
  }
  std::vector<StepLoop> loops;
  bool straight = false;  // the last loop is a straight stretch
  for (std::size_t at = 0; at < runs.size();) {
    std::size_t best_period = 1, best_times = 1;
    for (std::size_t period = 1; 2 * period <= runs.size() - at; ++period) {
      const std::size_t times = repeats(runs, at, period);
      if (times > 1 && times * period > best_times * best_period) {
        best_period = period;
        best_times = times;
      }
    }
    if (best_times > 1 || !straight) loops.push_back({.times = static_cast<std::int64_t>(best_times), .runs = {}});
    for (std::size_t i = 0; i < best_period; ++i) loops.back().runs.push_back(runs[at + i]);
    straight = best_times == 1;
    at += best_period * best_times;
  }
  return loops;
}

}  // namespace ripc
