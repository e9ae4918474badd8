#include "execute/plans.h"

#include <algorithm>
#include <stdexcept>

#include "lower/lower.h"
#include "overlap/overlap.h"
#include "plan/states.h"

namespace ripc::test {
namespace {

constexpr std::int64_t kAlignment = 4;

std::int64_t aligned(std::int64_t offset) { return (offset + kAlignment - 1) / kAlignment * kAlignment; }

const Tensor& tensor_of(const Graph& graph, TensorId id) { return graph.tensors[static_cast<std::size_t>(id)]; }

Storage whole_storage(const Graph& graph, TensorId id, std::int64_t offset) {
  const ImageShape shape = image_shape(tensor_of(graph, id));
  return {.tensor = id,
          .offset = offset,
          .row_bytes = byte_count(tensor_of(graph, id)) / shape.height,
          .slots = shape.height};
}

std::vector<TensorId> activations(const Graph& graph) {
  std::vector<TensorId> ids = graph.inputs;
  for (const Op& op : graph.ops) ids.push_back(op.output);
  return ids;
}

/// A plan without storages: one forward stage an operator, side buffers from `plan.arena_bytes` on.
Plan plain(const Graph& graph) {
  Plan plan;
  plan.model = graph.name;
  plan.graph_hash = graph_hash(graph);
  plan.alignment = kAlignment;
  const StateLayout states = layout_states(graph);
  plan.state_bytes = states.bytes;
  plan.state_alignment = states.alignment;
  for (OpId id = 0; id < static_cast<OpId>(graph.ops.size()); ++id) {
    const Op& op = graph.ops[static_cast<std::size_t>(id)];
    plan.schedule.stages.push_back(
        {.ops = {id}, .reverse = false, .steps = {{.times = 1, .runs = {{.op = 0, .rows = row_count(graph, op)}}}}});
    plan.ops.push_back(
        {.op = id, .kernel = kernel_options(graph, op).front().contract->kernel, .scratch = {}, .kept = {}});
    if (const StateId state = own_state(op); state != kNoState) {
      const auto at = static_cast<std::size_t>(state);
      plan.ops.back().state = {.offset = states.offsets[at], .bytes = std::ssize(graph.states[at].initial)};
    }
  }
  return plan;
}

void add_side_buffers(const Graph& graph, Plan& plan) {
  const auto append = [&](std::int64_t bytes) {
    const Region region{.offset = aligned(plan.arena_bytes), .bytes = bytes};
    if (bytes > 0) plan.arena_bytes = region.offset + bytes;
    return region;
  };
  for (PlannedOp& planned : plan.ops) {
    const KernelOption option = kernel_options(graph, graph.ops[static_cast<std::size_t>(planned.op)]).front();
    planned.scratch = append(option.scratch_bytes);
    planned.kept = append(option.kept_bytes);
  }
}

/// Equal neighbours of up to eight steps become one loop.
std::vector<StepLoop> run_length_coded(const std::vector<int>& steps) {
  std::vector<StepLoop> loops;
  for (std::size_t at = 0; at < steps.size();) {
    std::size_t best_period = 1, best_times = 1;
    for (std::size_t period = 1; period <= 8; ++period) {
      std::size_t times = 1;
      while (at + (times + 1) * period <= steps.size() &&
             std::equal(steps.begin() + static_cast<std::ptrdiff_t>(at),
                        steps.begin() + static_cast<std::ptrdiff_t>(at + period),
                        steps.begin() + static_cast<std::ptrdiff_t>(at + times * period))) {
        ++times;
      }
      if (times > 1 && times * period > best_times * best_period) best_period = period, best_times = times;
    }
    StepLoop loop{.times = static_cast<std::int64_t>(best_times), .runs = {}};
    for (std::size_t i = 0; i < best_period; ++i) loop.runs.push_back({.op = steps[at + i], .rows = 1});
    loops.push_back(std::move(loop));
    at += best_period * best_times;
  }
  return loops;
}

}  // namespace

Plan disjoint_plan(const Graph& graph, bool external) {
  Plan plan = plain(graph);
  for (const TensorId id : activations(graph)) {
    Storage storage = whole_storage(graph, id, 0);
    storage.external = external && std::ranges::count(graph.inputs, id) > 0;
    if (!storage.external) {
      storage.offset = aligned(plan.arena_bytes);
      plan.arena_bytes = storage.offset + byte_count(tensor_of(graph, id));
    }
    plan.storages.push_back(storage);
  }
  add_side_buffers(graph, plan);
  return plan;
}

Plan chain_in_place(const Graph& graph, bool reverse) {
  Plan plan = plain(graph);
  plan.storages.push_back(whole_storage(graph, graph.inputs.front(), 0));
  for (std::size_t i = 0; i < graph.ops.size(); ++i) {
    const Op& op = graph.ops[i];
    const rip_contract& contract = *kernel_options(graph, op).front().contract;
    const auto rules = overlap_rules(graph, op, contract);
    const auto rule = std::ranges::find(rules, reverse, &OverlapRule::reverse);
    if (rule == rules.end() || rule->inputs.front().kind != InputOverlap::Kind::gap) throw std::logic_error("no gap");
    const std::int64_t in = plan.storages.back().offset, gap = rule->inputs.front().bytes;
    const std::int64_t in_bytes = byte_count(tensor_of(graph, op.inputs.front())),
                       out_bytes = byte_count(tensor_of(graph, op.output));
    plan.storages.push_back(whole_storage(graph, op.output, reverse ? in + in_bytes + gap - out_bytes : in - gap));
    plan.schedule.stages[i].reverse = reverse;
  }
  const std::int64_t lowest = std::ranges::min(plan.storages, {}, &Storage::offset).offset;
  for (Storage& storage : plan.storages) {
    storage.offset -= lowest;
    plan.arena_bytes = std::max(plan.arena_bytes, storage.offset + storage.row_bytes * storage.slots);
  }
  add_side_buffers(graph, plan);
  return plan;
}

Plan chain_as_stage(const Graph& graph) {
  Plan plan = disjoint_plan(graph);
  Stage stage;
  std::vector<Layer> layers;
  for (OpId id = 0; id < static_cast<OpId>(graph.ops.size()); ++id) {
    stage.ops.push_back(id);
    layers.push_back(layer_of(graph, graph.ops[static_cast<std::size_t>(id)]));
  }
  std::vector<std::int64_t> made(graph.ops.size(), 0);
  std::vector<int> steps;
  const auto make = [&](const auto& self, std::size_t op, std::int64_t rows) -> void {
    while (made[op] < rows) {
      const Window& window = layers[op].rows;
      const std::int64_t last = made[op] * window.stride - window.pad_before + (window.kernel - 1) * window.dilation;
      if (op > 0) self(self, op - 1, std::min(last + 1, layers[op].in_height));
      steps.push_back(static_cast<int>(op));
      ++made[op];
    }
  };
  for (std::size_t op = graph.ops.size(); op-- > 0;) make(make, op, row_count(graph, graph.ops[op]));
  make(make, graph.ops.size() - 1, row_count(graph, graph.ops.back()));
  stage.steps = run_length_coded(steps);
  plan.schedule.stages = {stage};
  for (std::size_t op = 1; op < layers.size(); ++op) {
    // As many rows as the reader's window spans.
    Storage& ring = plan.storages[op];
    ring.slots = std::min(ring.slots, effective_kernel(layers[op].rows));
  }
  return plan;
}

}  // namespace ripc::test
