#include "check/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

#include "check/fault.h"
#include "check/replay.h"
#include "check/task.h"
#include "check/view.h"

namespace ripc {
namespace {

using check::fail;
using check::Task;

/// More than any plan of these tensors has reason to ask for. The shadow takes 8 bytes for each, so a file may not name
/// the size.
std::int64_t most_arena_bytes(const Graph& graph) {
  constexpr std::int64_t kSideBuffers = std::int64_t{1} << 20;
  std::int64_t bytes = kSideBuffers;
  for (const Tensor& tensor : graph.tensors) {
    if (!tensor.constant) bytes += 4 * byte_count(tensor);
  }
  return std::min<std::int64_t>(bytes, std::numeric_limits<std::int32_t>::max());
}

/// The states and what aligns them.
void check_state_array(const Graph& graph, const Plan& plan) {
  constexpr std::int64_t kMostAlignment = 8;
  std::int64_t most_bytes = 0;
  for (const State& state : graph.states) most_bytes += std::ssize(state.initial) + kMostAlignment;
  const bool aligned = plan.state_alignment >= 1 && plan.state_alignment <= kMostAlignment &&
                       std::has_single_bit(static_cast<std::uint64_t>(plan.state_alignment));
  if (aligned && plan.state_bytes >= 0 && plan.state_bytes <= most_bytes) return;
  fail(graph, {.op = -1,
               .tensor = kNoTensor,
               .problem = "no state is like that",
               .expected = fmt::format("0 to {} bytes, aligned to a power of two up to {}", most_bytes, kMostAlignment),
               .found = fmt::format("{} bytes, aligned to {}", plan.state_bytes, plan.state_alignment)});
}

/// The tensors of each state before and after the run; kNoTensor where there is none.
struct StateTensors {
  TensorId before = kNoTensor, after = kNoTensor;
};

std::vector<StateTensors> state_tensors(const Graph& graph) {
  std::vector<StateTensors> states(graph.states.size());
  std::vector<bool> written(graph.tensors.size(), false);
  for (const Op& op : graph.ops) written[static_cast<std::size_t>(op.output)] = true;
  for (std::size_t id = 0; id < graph.tensors.size(); ++id) {
    if (graph.tensors[id].state == kNoState) continue;
    StateTensors& state = states[static_cast<std::size_t>(graph.tensors[id].state)];
    (written[id] ? state.after : state.before) = static_cast<TensorId>(id);
  }
  return states;
}

void check_arena(const Graph& graph, const Plan& plan) {
  const std::int64_t most_bytes = most_arena_bytes(graph);
  constexpr std::int64_t kMostAlignment = 4096;
  const bool aligned = plan.alignment >= 1 && plan.alignment <= kMostAlignment &&
                       std::has_single_bit(static_cast<std::uint64_t>(plan.alignment));
  check_state_array(graph, plan);
  // The shadow takes many times as much.
  constexpr std::int64_t kMostReplayed = std::int64_t{1} << 26;
  if (plan.arena_bytes > kMostReplayed && plan.arena_bytes <= most_bytes) {
    fail(graph, {.op = -1,
                 .tensor = kNoTensor,
                 .problem = "the arena is too large to be replayed",
                 .expected = fmt::format("at most {} bytes", kMostReplayed),
                 .found = fmt::format("{} bytes", plan.arena_bytes)});
  }
  if (aligned && plan.arena_bytes >= 0 && plan.arena_bytes <= most_bytes) return;
  fail(graph, {.op = -1,
               .tensor = kNoTensor,
               .problem = "no arena is like that",
               .expected = fmt::format("0 to {} bytes, aligned to a power of two up to {}", most_bytes, kMostAlignment),
               .found = fmt::format("{} bytes, aligned to {}", plan.arena_bytes, plan.alignment)});
}

/// A tensor as the caller sees it.
check::View whole_view(const Graph& graph, const check::Storages& storages, TensorId tensor) {
  const Tensor& stored = graph.tensors[static_cast<std::size_t>(storage_of(graph, tensor))];
  return storages.view(tensor, {1, 1, element_count(stored)}, -1);
}

void run_steps(const Graph& graph, Task& task, std::int64_t rows, check::Replay& replay) {
  if (rows < 1 || rows > task.rows() - task.made) {
    fail(graph, {.op = task.op,
                 .tensor = kNoTensor,
                 .problem = fmt::format("{} rows are made after {}", rows, task.made),
                 .expected = fmt::format("{} rows in all", task.rows()),
                 .found = {}});
  }
  if (task.whole_tensor && rows != task.rows()) {
    fail(graph, {.op = task.op,
                 .tensor = kNoTensor,
                 .problem = fmt::format("kernel {} makes the whole tensor in one call", task.contract->kernel),
                 .expected = fmt::format("a step of {} rows", task.rows()),
                 .found = std::to_string(rows)});
  }
  replay.make_rows(task, rows);
}

/// The streamed input, and how many of its rows have arrived.
struct Stream {
  std::optional<check::View> view;
  std::int64_t arrived = 0;

  std::int64_t rows() const { return view ? view->image.height : 0; }
};

void await_rows(const Graph& graph, Stream& stream, std::int64_t rows, check::Replay& replay) {
  if (rows < 1 || rows > stream.rows() - stream.arrived) {
    fail(graph, {.op = -1,
                 .tensor = kNoTensor,
                 .problem = fmt::format("{} rows of the input are awaited after {}", rows, stream.arrived),
                 .expected = fmt::format("{} rows in all", stream.rows()),
                 .found = {}});
  }
  for (; rows > 0; --rows) replay.write_row(*stream.view, stream.arrived++);
}

void run_stage(const Graph& graph, const Stage& stage, std::vector<Task>& tasks, Stream& stream,
               check::Replay& replay) {
  const auto task_at = [&](int op) -> Task& {
    if (op < 0 || static_cast<std::size_t>(op) >= stage.ops.size()) {
      fail(graph, {.op = -1,
                   .tensor = kNoTensor,
                   .problem = "a step is of an operator that its stage does not have",
                   .expected = fmt::format("less than {}", stage.ops.size()),
                   .found = std::to_string(op)});
    }
    return tasks[static_cast<std::size_t>(stage.ops[static_cast<std::size_t>(op)])];
  };
  for (const StepLoop& loop : stage.steps) {
    if (loop.runs.empty()) continue;
    for (std::int64_t time = 0; time < loop.times; ++time) {
      for (const StepRun& run : loop.runs) {
        if (run.op == kSourceRows) {
          await_rows(graph, stream, run.rows, replay);
        } else {
          run_steps(graph, task_at(run.op), run.rows, replay);
        }
      }
    }
  }
  for (const OpId id : stage.ops) {
    const Task& task = tasks[static_cast<std::size_t>(id)];
    if (task.made == task.rows()) continue;
    fail(graph, {.op = id,
                 .tensor = kNoTensor,
                 .problem = "the stage ends before all rows are made",
                 .expected = std::to_string(task.rows()),
                 .found = std::to_string(task.made)});
  }
}

}  // namespace

CheckReport check_plan(const Graph& graph, const Plan& plan, ContractSource contracts) {
  check_arena(graph, plan);
  const check::Storages storages(graph, plan);
  std::vector<Task> tasks = check::tasks_of(graph, plan, storages, contracts);
  check::Replay replay(graph, plan.arena_bytes, plan.state_bytes);
  const std::vector<StateTensors> states = state_tensors(graph);
  for (const StateTensors& state : states) {
    if (state.before != kNoTensor) replay.write_tensor(whole_view(graph, storages, state.before));
  }
  for (const Task& task : tasks) {
    if (task.state != kNoState) replay.write_state(task);
  }
  if (!check::lies_in(plan.progress, plan.arena_bytes)) {
    fail(graph, {.op = -1,
                 .tensor = kNoTensor,
                 .problem = "how far the work has come is noted outside the arena",
                 .expected = fmt::format("the end at byte {} or before", plan.arena_bytes),
                 .found = fmt::format("{} bytes from byte {}", plan.progress.bytes, plan.progress.offset)});
  }
  replay.write_progress(plan.progress);
  Stream stream;
  if (plan.streamed_input) {
    stream.view = storages.stream();
  } else {
    for (const TensorId input : graph.inputs) replay.write_tensor(whole_view(graph, storages, input));
  }
  for (const Stage& stage : plan.schedule.stages) run_stage(graph, stage, tasks, stream, replay);
  if (stream.arrived != stream.rows()) {
    fail(graph, {.op = -1,
                 .tensor = graph.inputs[0],
                 .problem = "not all rows of the input are awaited",
                 .expected = std::to_string(stream.rows()),
                 .found = std::to_string(stream.arrived)});
  }
  replay.expect_progress(plan.progress);
  for (const TensorId output : graph.outputs) replay.expect_tensor(whole_view(graph, storages, output));
  for (const StateTensors& state : states) {
    const TensorId last = state.after != kNoTensor ? state.after : state.before;
    if (last != kNoTensor) replay.expect_tensor(whole_view(graph, storages, last));
  }
  for (const Task& task : tasks) replay.expect_state(task);
  return replay.report();
}

}  // namespace ripc
