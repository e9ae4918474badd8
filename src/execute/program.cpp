#include "execute/program.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <utility>
#include <variant>

#include "graph/row_taps.h"
#include "ripc/error.h"

namespace ripc {
namespace {

constexpr std::size_t kMostRings = 31;  // of one operator's inputs: bits of rip_column_blocks::in_pixels

[[noreturn]] void refuse(const Graph& graph, std::string problem, TensorId tensor = kNoTensor) {
  ErrorContext context{.problem = std::move(problem), .remedy = "Plan the network again with this version of ripc."};
  if (tensor != kNoTensor) context.tensor = graph.tensors[static_cast<std::size_t>(tensor)].name;
  throw Error(std::move(context));
}

std::int32_t narrow(std::int64_t value) {
  if (value < 0 || value > std::numeric_limits<std::int32_t>::max()) {
    throw Error({.problem = "a size or an offset of the plan does not fit 31 bits", .found = std::to_string(value)});
  }
  return static_cast<std::int32_t>(value);
}

std::int64_t pixel_bytes(const Tensor& tensor) {
  return image_shape(tensor).channels * static_cast<std::int64_t>(scalar_bytes(tensor.type));
}

const Tensor& tensor_of(const Graph& graph, TensorId id) { return graph.tensors[static_cast<std::size_t>(id)]; }

/// The storages of a plan by tensor, and the caller's buffers numbered.
class Storages {
 public:
  Storages(const Graph& graph, const Plan& plan) : graph_(graph) {
    for (const Storage& storage : plan.storages) by_tensor_[storage.tensor] = &storage;
    for (const TensorId input : graph.inputs) {
      const TensorId root = storage_of(graph, input);
      if (at(input).external) spaces_.try_emplace(root, narrow(static_cast<std::int64_t>(spaces_.size()) + 1));
    }
  }

  std::int32_t external() const { return static_cast<std::int32_t>(spaces_.size()); }

  /// The rows of `tensor`, seen in its own image shape; `flat`: as one row of all its pixels.
  rip_view view(TensorId tensor, bool flat) const {
    const Storage& storage = at(tensor);
    const Tensor& seen = tensor_of(graph_, tensor);
    const ImageShape shape = image_shape(seen);
    const std::int64_t pixel = pixel_bytes(seen);
    const ImageShape stored = image_shape(tensor_of(graph_, storage.tensor));
    constexpr std::int64_t kMostStep = std::numeric_limits<std::int16_t>::max();
    if (storage.first_slot >= storage.slots || storage.slot_step < 1 || storage.slot_step > kMostStep) {
      refuse(graph_, "the rows of a tensor lie in slots that cannot be", tensor);
    }
    if (storage.pixel_slots && (storage.row_bytes != pixel || storage.pitch != 0)) {
      refuse(graph_, "the pixels of a tensor lie in slots that cannot be", tensor);
    }
    const bool own_rows = has_own_rows(storage);
    if (own_rows && shape != stored) {
      refuse(graph_, "a tensor kept as a ring of rows or in a slice is read in another shape", tensor);
    }
    rip_view view{.offset = narrow(storage.offset),
                  .row_bytes = narrow(own_rows ? storage.row_bytes : shape.width * pixel),
                  .slots = narrow(own_rows ? storage.slots : shape.height),
                  .first_slot = narrow(storage.first_slot),
                  .pitch = narrow(storage.pitch != 0 ? storage.pitch : pixel),
                  .pixel = narrow(pixel),
                  .slot_step = static_cast<std::int16_t>(narrow(storage.slot_step)),
                  .space = space(tensor)};
    if (!flat) return view;
    if (!stored_whole(storage, stored.height) || std::int64_t{view.pitch} * shape.width != view.row_bytes) {
      refuse(graph_, "a tensor kept as a ring of rows or with gaps between them is read as a whole", tensor);
    }
    view.row_bytes = narrow(view.row_bytes * shape.height);
    view.slots = 1;
    return view;
  }

  /// Whether the slots of its rows hold pixels.
  bool has_pixel_slots(TensorId tensor) const { return at(tensor).pixel_slots; }

  /// Whether the operator's output lies where it lies in the input, so that nothing is to be moved.
  bool is_view(const Op& op) const {
    return std::holds_alternative<Rearrange>(op.kind) && at(op.output).within == storage_of(graph_, op.inputs[0]);
  }

  ProgramStream stream(TensorId tensor) const {
    const Tensor& stored = tensor_of(graph_, storage_of(graph_, tensor));
    if (at(tensor).pitch != 0 || space(tensor) != 0) {
      refuse(graph_, "the streamed input does not lie in rows of the arena", tensor);
    }
    const std::int64_t rows = image_shape(stored).height;
    return {.view = view(storage_of(graph_, tensor), false), .rows = rows, .row_bytes = byte_count(stored) / rows};
  }

  ProgramTensor whole(TensorId tensor) const {
    if (has_own_rows(at(tensor))) {
      refuse(graph_, "an input or output of the network is kept as a ring of rows or in a slice", tensor);
    }
    return {.tensor = tensor,
            .offset = at(tensor).offset,
            .bytes = byte_count(tensor_of(graph_, tensor)),
            .space = space(tensor)};
  }

 private:
  const Storage& at(TensorId tensor) const {
    const auto found = by_tensor_.find(storage_of(graph_, tensor));
    if (found == by_tensor_.end()) refuse(graph_, "the plan has no storage for a tensor", tensor);
    return *found->second;
  }

  /// Whether its rows do not lie one after another without a hole: in a ring, in wider slots, in a slice.
  bool has_own_rows(const Storage& storage) const {
    const Tensor& tensor = tensor_of(graph_, storage.tensor);
    const ImageShape shape = image_shape(tensor);
    return !stored_whole(storage, shape.height) || storage.pitch != 0 ||
           storage.row_bytes != shape.width * pixel_bytes(tensor);
  }

  std::int16_t space(TensorId tensor) const {
    if (at(tensor).state) return RIP_STATE;
    const auto found = spaces_.find(storage_of(graph_, tensor));
    return static_cast<std::int16_t>(found == spaces_.end() ? 0 : found->second);
  }

  const Graph& graph_;
  std::map<TensorId, const Storage*> by_tensor_;
  std::map<TensorId, std::int32_t> spaces_;
};

const rip_contract& contract_of(const Graph& graph, const PlannedOp& planned) {
  const Op& op = graph.ops[static_cast<std::size_t>(planned.op)];
  for (const KernelOption& option : stage_kernel_options(graph, op, kEveryKernel)) {
    if (planned.kernel == option.contract->kernel) return *option.contract;
  }
  refuse(graph, "the plan's kernel " + planned.kernel + " cannot run " + kind_name(op), op.output);
}

/// The columns that one step of the operator makes.
rip_column_blocks blocks_of(const Graph& graph, const PlannedOp& planned, const Storages& storages,
                            std::int64_t blocks) {
  const Op& op = graph.ops[static_cast<std::size_t>(planned.op)];
  if (column_taps(graph, op, 0).empty()) refuse(graph, "an operator cannot make its rows in blocks", op.output);
  if (op.inputs.size() > kMostRings) refuse(graph, "an operator in blocks has too many inputs", op.output);
  const bool windowed = std::holds_alternative<Conv2d>(op.kind) || std::holds_alternative<DepthwiseConv2d>(op.kind) ||
                        std::holds_alternative<Pool2d>(op.kind);
  const Window columns = windowed ? layer_of(graph, op).columns : Window{};
  rip_column_blocks how{.pixels = narrow(block_pixels(image_shape(tensor_of(graph, op.output)).width, blocks)),
                        .in_width = narrow(image_shape(tensor_of(graph, op.inputs[0])).width),
                        .stride = narrow(columns.stride),
                        .pad = narrow(columns.pad_before),
                        .reach = narrow(effective_kernel(columns) - 1),
                        .in_pixels = 0,
                        .out_pixels = storages.has_pixel_slots(op.output) ? 1 : 0};
  for (std::size_t input = 0; input < op.inputs.size(); ++input) {
    const Tensor& tensor = tensor_of(graph, op.inputs[input]);
    // One pixel that stands for a whole row is in its place as it is.
    const bool each = image_shape(tensor).width > 1 || windowed;
    const bool pixels = each && !tensor.constant && storages.has_pixel_slots(op.inputs[input]);
    how.in_pixels |= pixels ? 1 << input : 0;
  }
  return how;
}

/// Completes the node of a lowered operator with what only the plan knows.
void place_node(const Graph& graph, const PlannedOp& planned, const Storages& storages, const Stage& stage,
                LoweredOp& lowered) {
  rip_node& node = lowered.node;
  const Op& op = graph.ops[static_cast<std::size_t>(planned.op)];
  const bool whole_tensor = contract_of(graph, planned).whole_tensor != 0;
  if (whole_tensor) node.out_height = 1;
  const bool one_row = stage.blocks == 1 && node.out_height == 1 && (node.inputs > 1 || node.in_height == 1);
  std::vector<rip_view> in;
  for (const TensorId input : op.inputs) in.push_back(storages.view(input, whole_tensor || one_row));
  // In a stage of several its rows are those of the image.
  const bool own_pixels =
      stage.ops.size() == 1 && (std::holds_alternative<FullyConnected>(op.kind) ||
                                std::holds_alternative<Concat>(op.kind) || std::holds_alternative<Rearrange>(op.kind));
  node.out = storages.view(op.output, whole_tensor || one_row);
  const auto in_own_pixels = [&](rip_view& view) {
    // Its pixels need not be those of the tensor's image: a whole image may be one vector.
    if (view.slots != 1 || view.pitch * node.out_width == view.row_bytes) return;
    if (view.pitch != view.pixel) refuse(graph, "an operator reads several pixels of a slice as one", op.output);
    view.pitch = view.pixel = view.row_bytes / node.out_width;
  };
  if (own_pixels) {
    for (rip_view& view : in) in_own_pixels(view);
    in_own_pixels(node.out);
  }
  lowered.view_inputs(std::move(in));
  node.step = stage.reverse ? -1 : 1;
  const auto offset = [](const Region& region) { return region.bytes > 0 ? narrow(region.offset) : -1; };
  const auto scratch = [&](const Region& region) { return rip_scratch{offset(region), narrow(region.bytes)}; };
  node.scratch = scratch(planned.scratch);
  std::vector<rip_scratch> steps;
  for (const Region& region : planned.scratch_steps) steps.push_back(scratch(region));
  lowered.move_scratch(std::move(steps));
  node.kept = offset(planned.kept);
  node.state = offset(planned.state);
  if (stage.blocks > 1) lowered.divide(blocks_of(graph, planned, storages, stage.blocks));
}

/// Appends a loop; straight-line neighbours become one.
void append(std::vector<ProgramLoop>& loops, ProgramLoop loop) {
  if (loop.times == 0 || loop.runs.empty()) return;
  if (loop.times == 1 && !loops.empty() && loops.back().times == 1) {
    std::ranges::move(loop.runs, std::back_inserter(loops.back().runs));
  } else {
    loops.push_back(std::move(loop));
  }
}

/// Rows that the steps of an operator count.
std::int64_t step_count(const Graph& graph, const Op& op, const rip_node& node) {
  if (node.gathers != 0) return node.out_height;
  return node.blocks == nullptr ? row_count(graph, op) : rip_step_count(&node);
}

/// Whether the only operator of the stage makes all its rows one after the other, with nothing in between.
bool runs_whole(const Stage& stage) {
  return stage.ops.size() == 1 && std::ranges::none_of(stage.steps, [](const StepLoop& loop) {
           return std::ranges::any_of(loop.runs, [](const StepRun& run) { return run.op == kSourceRows; });
         });
}

/// Rows so far: of each operator those that it made, and those that arrived.
struct Progress {
  std::vector<std::int64_t> made;
  std::int64_t arrived = 0;

  std::int64_t& of(OpId op) { return op == kSourceRows ? arrived : made[static_cast<std::size_t>(op)]; }
};

/// The steps of one stage as calls.
void append_stage(const Graph& graph, const Stage& stage, const std::vector<LoweredOp>& ops,
                  std::vector<ProgramLoop>& loops, Progress& progress) {
  for (const StepLoop& steps : stage.steps) {
    ProgramLoop loop{.times = steps.times, .runs = {}};
    std::map<OpId, std::int64_t> in_pass;
    for (const StepRun& run : steps.runs) {
      const bool arrival = run.op == kSourceRows;
      if (!arrival && (run.op < 0 || static_cast<std::size_t>(run.op) >= stage.ops.size() || run.rows < 1)) {
        refuse(graph, "a step names no operator of its stage, or no rows");
      }
      const OpId op = arrival ? kSourceRows : stage.ops[static_cast<std::size_t>(run.op)];
      loop.runs.push_back({.op = op, .first = progress.of(op) + in_pass[op], .advance = 0, .rows = run.rows});
      in_pass[op] += run.rows;
    }
    for (const auto& [op, rows] : in_pass) progress.of(op) += rows * steps.times;
    if (runs_whole(stage)) continue;
    for (ProgramRun& run : loop.runs) run.advance = steps.times > 1 ? in_pass[run.op] : 0;
    append(loops, std::move(loop));
  }
  if (runs_whole(stage)) {
    const OpId op = stage.ops.front();
    const std::int64_t calls = ops[static_cast<std::size_t>(op)].node.out_height;  // a stage of one: no blocks
    append(loops, {.times = 1, .runs = {{.op = op, .first = 0, .advance = 0, .rows = calls}}});
  }
}

/// The state after a reset.
std::vector<std::byte> initial_state(const Graph& graph, const Plan& plan) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(std::max<std::int64_t>(plan.state_bytes, 0)));
  const auto put = [&](StateId id, std::int64_t offset) {
    if (id < 0 || static_cast<std::size_t>(id) >= graph.states.size())
      refuse(graph, "the plan names a state that does not exist");
    const std::vector<std::byte>& initial = graph.states[static_cast<std::size_t>(id)].initial;
    if (offset < 0 || offset + std::ssize(initial) > std::ssize(bytes))
      refuse(graph, "a state lies outside of its array");
    std::ranges::copy(initial, bytes.begin() + offset);
  };
  for (const Storage& storage : plan.storages) {
    if (!storage.state) continue;
    const auto tensor = static_cast<std::size_t>(storage.tensor);
    put(tensor < graph.tensors.size() ? graph.tensors[tensor].state : kNoState, storage.offset);
  }
  for (std::size_t op = 0; op < graph.ops.size(); ++op) {
    const StateId id = own_state(graph.ops[op]);
    if (id != kNoState) put(id, plan.ops[op].state.offset);
  }
  return bytes;
}

}  // namespace

bool stores_whole_output(const rip_node& node) {
  return node.out.slots >= node.out_height && node.out.first_slot == 0 && node.out.slot_step == 1;
}

bool has_gaps(const rip_node& node) { return node.out.row_bytes != call_bytes(node); }

std::int64_t call_bytes(const rip_node& node) { return std::int64_t{node.out_width} * node.out.pixel; }

std::int64_t output_bytes(const rip_node& node) { return call_bytes(node) * node.out_height; }

Program link(const Graph& graph, const Plan& plan) {
  if (plan.ops.size() != graph.ops.size())
    refuse(graph, "the plan is of another network: its operators are not those of " + graph.name);
  const Storages storages(graph, plan);
  Program program;
  program.arena_bytes = plan.arena_bytes;
  program.alignment = plan.alignment;
  program.state_bytes = plan.state_bytes;
  program.state_alignment = plan.state_alignment;
  program.external = storages.external();
  program.ops.resize(graph.ops.size());

  Progress progress{.made = std::vector<std::int64_t>(graph.ops.size(), 0)};
  if (plan.streamed_input) {
    if (graph.inputs.size() != 1) refuse(graph, "more than one input is streamed");
    program.streamed = storages.stream(graph.inputs[0]);
  }
  for (const Stage& stage : plan.schedule.stages) {
    const bool alone = runs_whole(stage);
    for (const OpId id : stage.ops) {
      if (id < 0 || static_cast<std::size_t>(id) >= graph.ops.size())
        refuse(graph, "the plan names an operator that does not exist");
      const Op& op = graph.ops[static_cast<std::size_t>(id)];
      const PlannedOp& planned = plan.ops[static_cast<std::size_t>(id)];
      LoweredOp& lowered = program.ops[static_cast<std::size_t>(id)];
      lowered = lower(graph, op, planned.kernel, alone);
      place_node(graph, planned, storages, stage, lowered);
      if (storages.is_view(op)) {
        lowered.params = rip_rearrange{};  // blocks of no bytes
        lowered.constants.clear();
      }
      if (!alone && rip_step_count(&lowered.node) != step_count(graph, op, lowered.node)) {
        refuse(graph,
               "kernel " + planned.kernel + " makes its whole output at once and cannot run row by row in a stage",
               op.output);
      }
      program.row_pointers = std::max({program.row_pointers, lowered.node.kernel_rows, lowered.node.inputs});
      auto kernel = std::ranges::find(program.kernels, lowered.kernel);
      if (kernel == program.kernels.end()) kernel = program.kernels.insert(kernel, lowered.kernel);
      lowered.node.kernel = static_cast<std::int32_t>(kernel - program.kernels.begin());
    }
    program.in_blocks |= stage.blocks > 1;
    append_stage(graph, stage, program.ops, program.loops, progress);
  }
  if (progress.arrived != (program.streamed ? program.streamed->rows : 0)) {
    refuse(graph, "the steps of the plan do not await every row of a streamed input exactly once");
  }
  for (std::size_t id = 0; id < graph.ops.size(); ++id) {
    if (progress.made[id] != step_count(graph, graph.ops[id], program.ops[id].node)) {
      refuse(graph, "the steps of the plan do not make every row of an operator exactly once", graph.ops[id].output);
    }
  }
  program.initial_state = initial_state(graph, plan);
  for (const TensorId input : graph.inputs) {
    program.inputs.push_back(program.streamed
                                 ? ProgramTensor{.tensor = input, .bytes = byte_count(tensor_of(graph, input))}
                                 : storages.whole(input));
  }
  for (const TensorId output : graph.outputs) program.outputs.push_back(storages.whole(output));
  return program;
}

}  // namespace ripc
