#include "check/task.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/fault.h"

namespace ripc::check {
namespace {

const rip_contract& contract_of(const Graph& graph, const PlannedOp& planned, ContractSource contracts) {
  const rip_contract* contract = contracts(planned.kernel.c_str());
  if (contract == nullptr) {
    fail(graph, {.op = planned.op,
                 .tensor = kNoTensor,
                 .problem = "no kernel of that name exists",
                 .expected = {},
                 .found = planned.kernel});
  }
  return *contract;
}

/// What a contract's sum amounts to for one operator, in bytes.
std::int64_t bytes_of(const rip_bytes& sum, const OpTaps& taps) {
  const ImageShape in = taps.inputs.empty() ? ImageShape{} : taps.inputs.front().image;
  const std::int64_t window = taps.rows.kernel * taps.columns.kernel * (in.channels / taps.groups);
  const std::int64_t ring = ((taps.rows.kernel - 1) * taps.rows.dilation + 1) * in.width;
  const std::int64_t outputs = taps.output.width < RIP_STRIP_OUTPUTS ? RIP_STRIP_OUTPUTS : taps.output.width;
  const std::int64_t strip = taps.columns.stride * (outputs - 1) + taps.columns.kernel;
  const std::int64_t fours = (taps.output.channels + 3) / 4;
  return sum.fixed + sum.per_out_channel * taps.output.channels + sum.per_in_channel * in.channels +
         sum.per_window_scalar * window + sum.per_ring_pixel * ring + sum.per_strip_word * strip +
         sum.per_lane_word * strip * fours * 4 + sum.per_out_column * taps.output.width;
}

/// A side buffer of the kernel: as long as its contract asks for, inside the arena, aligned. `outside` bytes of it may
/// lie elsewhere.
void check_region(const Graph& graph, const Plan& plan, const Task& task, const Region& region, const char* name,
                  std::int64_t needed, std::int64_t outside) {
  const auto complain = [&](const char* problem, std::string expected, std::string found) {
    fail(graph, {.op = task.op,
                 .tensor = kNoTensor,
                 .problem = fmt::format("{} {}", name, problem),
                 .expected = std::move(expected),
                 .found = std::move(found)});
  };
  if ((region.bytes == 0 ? outside : region.bytes) < needed) {
    complain("is too small", fmt::format("{} bytes", needed), std::to_string(region.bytes));
  }
  if (region.bytes == 0) return;
  if (!lies_in(region, plan.arena_bytes)) {
    complain("lies outside the arena", fmt::format("the end at byte {} or before", plan.arena_bytes),
             fmt::format("{} bytes from byte {}", region.bytes, region.offset));
  }
  if (region.offset % task.contract->alignment != 0) {
    complain("is misaligned", fmt::format("a multiple of {}", task.contract->alignment), std::to_string(region.offset));
  }
}

/// What the operator itself keeps from run to run: a region of that size within the state.
void check_state(const Graph& graph, const Plan& plan, const PlannedOp& planned, Task& task) {
  task.state = own_state(graph.ops[static_cast<std::size_t>(task.op)]);
  if (task.state == kNoState) return;
  const State& state = graph.states[static_cast<std::size_t>(task.state)];
  task.state_region = planned.state;
  const bool aligned = planned.state.offset % state.alignment == 0 && plan.state_alignment % state.alignment == 0;
  if (planned.state.bytes == std::ssize(state.initial) && lies_in(planned.state, plan.state_bytes) && aligned) return;
  fail(graph, {.op = task.op,
               .tensor = kNoTensor,
               .problem = fmt::format("state '{}' has no place of its own", state.name),
               .expected = fmt::format("{} bytes within {}, aligned to {}", state.initial.size(), plan.state_bytes,
                                       state.alignment),
               .found = fmt::format("{} bytes from byte {}", planned.state.bytes, planned.state.offset)});
}

/// Every row pointer and pitch that the kernel gets is a multiple of its contract's alignment.
void check_alignment(const Graph& graph, const Plan& plan, const Task& task, const View& view) {
  const auto alignment = task.contract->alignment;
  const bool rows = view.region.offset % alignment == 0 && (view.slots == 1 || view.row_bytes % alignment == 0);
  const bool pitch = view.image.width == 1 || view.pitch % alignment == 0;
  const std::int64_t base = view.state ? plan.state_alignment : plan.alignment;
  if (rows && pitch && (view.external || base % alignment == 0)) return;
  fail(graph, {.op = task.op,
               .tensor = view.root,
               .problem = fmt::format("a row of kernel {} is misaligned", task.contract->kernel),
               .expected = fmt::format("multiples of {} bytes", alignment),
               .found = fmt::format("pixels of {} bytes in rows of {} from byte {} of an arena aligned to {}",
                                    view.pixel_bytes(), view.row_bytes, view.region.offset, plan.alignment)});
}

/// A kernel that makes the whole output in one call finds row after row without a hole.
void check_whole(const Graph& graph, const Task& task, const View& view) {
  const bool in_order = view.slots == view.image.height && view.first_slot == 0 && view.slot_step == 1;
  if (in_order && view.row_bytes == view.image.width * view.pitch) return;
  fail(graph,
       {.op = task.op,
        .tensor = view.root,
        .problem = fmt::format("kernel {} makes the whole tensor in one call", task.contract->kernel),
        .expected = "a tensor stored whole",
        .found = fmt::format("{} slots of {} bytes for {} rows", view.slots, view.row_bytes, view.image.height)});
}

/// A kernel that takes input row after input row makes one pixel of them all.
void check_sum(const Graph& graph, const Task& task) {
  const ImageShape& out = task.output.image;
  if (task.inputs.size() == 1 && out.height == 1 && out.width == 1) {
    const InputTaps& taps = task.inputs[0].taps;
    const bool all = taps.rows[0].count == taps.image.height && taps.columns[0].count == taps.image.width;
    if (all && taps.rows[0].step == 1 && taps.columns[0].step == 1) return;
  }
  fail(graph, {.op = task.op,
               .tensor = kNoTensor,
               .problem = fmt::format("kernel {} sums up its whole input", task.contract->kernel),
               .expected = "one output pixel, from every pixel of one input",
               .found = {}});
}

Task task_of(const Graph& graph, const Plan& plan, const Storages& storages, ContractSource contracts, OpId id) {
  const PlannedOp& planned = plan.ops[static_cast<std::size_t>(id)];
  OpTaps taps = taps_of(graph, id);
  Task task;
  task.op = id;
  task.contract = &contract_of(graph, planned, contracts);
  task.whole_tensor = task.contract->whole_tensor != 0 || task.contract->order == RIP_PLANE;
  task.groups = taps.groups;
  task.vectors = taps.vectors;
  task.window = taps.rows;
  task.columns = taps.columns;
  const Op& op = graph.ops[static_cast<std::size_t>(id)];
  task.nothing = storages.is_view(op);
  if (task.nothing) {
    task.output = storages.view(op.output, image_shape(graph.tensors[static_cast<std::size_t>(op.output)]), id);
    task.output.image = taps.output;
    return task;
  }
  task.output = storages.view(op.output, taps.output, id);
  if (planned.scratch.bytes != 0) task.scratch = planned.scratch;
  if (planned.kept.bytes != 0) task.kept = planned.kept;
  task.scratch_steps = planned.scratch_steps;
  const std::int64_t needed = task.contract->any_scratch != 0 ? 0 : bytes_of(task.contract->scratch, taps);
  if (task.scratch_steps.empty()) {
    check_region(graph, plan, task, task.scratch, "scratch", needed, plan.outside_scratch);
  }
  for (const Region& region : task.scratch_steps) check_region(graph, plan, task, region, "scratch", needed, 0);
  check_region(graph, plan, task, task.kept, "kept memory", bytes_of(task.contract->kept, taps), 0);
  check_state(graph, plan, planned, task);
  for (InputTaps& input : taps.inputs) {
    const View view = storages.view(input.tensor, input.image, id);
    task.inputs.push_back({std::move(input), view});
  }
  if (task.output.external) {
    fail(graph, {.op = id,
                 .tensor = task.output.root,
                 .problem = "the operator writes the caller's buffer",
                 .expected = {},
                 .found = {}});
  }
  if (task.contract->order == RIP_PLANE && (task.inputs.size() != 1 || task.groups != taps.output.channels)) {
    fail(graph, {.op = id,
                 .tensor = kNoTensor,
                 .problem = fmt::format("kernel {} works plane by plane", task.contract->kernel),
                 .expected = "one input, and of it one channel for each output channel",
                 .found = {}});
  }
  if (task.contract->order == RIP_ROW_SUM) check_sum(graph, task);
  check_alignment(graph, plan, task, task.output);
  if (task.whole_tensor) check_whole(graph, task, task.output);
  for (const TaskInput& input : task.inputs) {
    check_alignment(graph, plan, task, input.view);
    if (task.whole_tensor) check_whole(graph, task, input.view);
  }
  return task;
}

/// A kernel that makes any columns of a row by themselves, for rows that are those of the image; and nobody else may
/// read or write rings of pixels.
void check_blocks(const Graph& graph, const Task& task, std::int64_t blocks) {
  constexpr std::int64_t kMostBlocks = 1 << 20;
  const auto complain = [&](const char* problem, std::string expected, std::string found) {
    fail(graph, {.op = task.op,
                 .tensor = kNoTensor,
                 .problem = problem,
                 .expected = std::move(expected),
                 .found = std::move(found)});
  };
  if (blocks < 1 || blocks > kMostBlocks) {
    complain("its stage divides rows into blocks that cannot be", fmt::format("1 to {}", kMostBlocks),
             std::to_string(blocks));
  }
  if (blocks == 1) {
    const bool in_pixels =
        std::ranges::any_of(task.inputs, [](const TaskInput& input) { return input.view.pixel_slots; });
    if (in_pixels || task.output.pixel_slots) complain("whole rows are read or written in a ring of pixels", {}, {});
    return;
  }
  const auto order = task.contract->order;
  const bool by_pixels =
      order == RIP_ELEMENTWISE || order == RIP_PIXEL_DIRECT || order == RIP_CHANNEL_LOCAL || order == RIP_IN_TURN;
  const auto image = image_shape(
      graph.tensors[static_cast<std::size_t>(storage_of(graph, graph.ops[static_cast<std::size_t>(task.op)].output))]);
  if (task.whole_tensor || !by_pixels || task.output.image != image || task.nothing) {
    complain("its rows are made in blocks", "a kernel that makes some columns of a row by themselves",
             task.contract->kernel);
  }
}

/// Scratch that moves has a place in every step.
void check_scratch_steps(const Graph& graph, const Task& task) {
  if (task.scratch_steps.empty()) return;
  const std::int64_t steps = task.whole_tensor ? 1 : task.rows();
  if (std::ssize(task.scratch_steps) == steps && task.scratch.bytes == 0) return;
  fail(graph,
       {.op = task.op,
        .tensor = kNoTensor,
        .problem = "the scratch that moves from step to step",
        .expected = fmt::format("{} places and none beside them", steps),
        .found = fmt::format("{} places and {} bytes beside them", task.scratch_steps.size(), task.scratch.bytes)});
}

/// Which stage runs each operator: exactly one.
void set_directions(const Graph& graph, const Plan& plan, std::vector<Task>& tasks) {
  std::vector<int> stages(tasks.size());
  for (const Stage& stage : plan.schedule.stages) {
    for (const OpId id : stage.ops) {
      if (id < 0 || static_cast<std::size_t>(id) >= tasks.size()) {
        fail(graph, {.op = -1,
                     .tensor = kNoTensor,
                     .problem = "a stage runs an operator that the graph does not have",
                     .expected = fmt::format("less than {}", tasks.size()),
                     .found = std::to_string(id)});
      }
      ++stages[static_cast<std::size_t>(id)];
      Task& task = tasks[static_cast<std::size_t>(id)];
      task.reverse = stage.reverse && task.contract->order != RIP_FORWARD_DIRECT;
      check_blocks(graph, task, stage.blocks);
      task.blocks = stage.blocks > 1 ? stage.blocks : 0;
    }
  }
  for (const Task& task : tasks) {
    check_scratch_steps(graph, task);
    const int count = stages[static_cast<std::size_t>(task.op)];
    if (count == 1) continue;
    fail(graph, {.op = task.op,
                 .tensor = kNoTensor,
                 .problem = "the operator is not in one stage",
                 .expected = "1",
                 .found = std::to_string(count)});
  }
}

}  // namespace

std::vector<Task> tasks_of(const Graph& graph, const Plan& plan, const Storages& storages, ContractSource contracts) {
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < graph.ops.size(); ++i) {
    const auto id = static_cast<OpId>(i);
    if (i >= plan.ops.size() || plan.ops[i].op != id) {
      fail(graph,
           {.op = id, .tensor = kNoTensor, .problem = "the operator is not planned", .expected = {}, .found = {}});
    }
    tasks.push_back(task_of(graph, plan, storages, contracts, id));
  }
  if (plan.ops.size() > graph.ops.size()) {
    fail(graph, {.op = -1,
                 .tensor = kNoTensor,
                 .problem = "more operators are planned than the graph has",
                 .expected = std::to_string(graph.ops.size()),
                 .found = std::to_string(plan.ops.size())});
  }
  set_directions(graph, plan, tasks);
  return tasks;
}

}  // namespace ripc::check
