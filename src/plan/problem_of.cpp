#include "plan/problem_of.h"

#include <algorithm>
#include <utility>

#include "overlap/overlap.h"
#include "plan/stage_problem.h"
#include "plan/states.h"

namespace ripc {
namespace {

std::int64_t time_of(std::size_t stage) { return static_cast<std::int64_t>(stage) + 1; }

bool is_graph_input(const Graph& graph, TensorId storage) {
  return std::ranges::any_of(graph.inputs, [&](TensorId input) { return storage_of(graph, input) == storage; });
}

BufferId add_buffer(Problem& problem, Buffer buffer) {
  problem.buffers.push_back(std::move(buffer));
  return static_cast<BufferId>(problem.buffers.size()) - 1;
}

/// What one way of running the operator allows between its output and those of its inputs that die there. A part of a
/// slab shares no byte with another buffer, and a slab only with what is read after it is whole.
Alternative alternative_of(const Graph& graph, const Op& op, const OverlapRule& rule, const NetworkProblem& network,
                           std::int64_t time, const Slabs& slabs) {
  Alternative alternative{.name = rule.reverse ? "reverse" : "forward", .separations = {}, .ties = {}};
  const BufferId out = network.tensor_buffer[static_cast<std::size_t>(storage_of(graph, op.output))];
  if (out < 0) return alternative;  // a state: it lies elsewhere
  const auto& buffers = network.problem.buffers;
  const TensorId output = storage_of(graph, op.output);
  if (slab_root(slabs, output) != output || buffers[static_cast<std::size_t>(out)].first != time) return alternative;
  const auto overlaps = overlaps_by_storage(graph, op, rule);
  for (const auto& [storage, overlap] : overlaps) {
    const BufferId in = network.tensor_buffer[static_cast<std::size_t>(storage)];
    const auto reads_it_too = [&, whole = storage](const auto& other) {
      return other.first != whole && slab_root(slabs, other.first) == whole;
    };
    if (in < 0 || in == out || slab_root(slabs, storage) != storage) continue;
    if (std::ranges::any_of(overlaps, reads_it_too)) continue;
    const Buffer& input = buffers[static_cast<std::size_t>(in)];
    if (input.last != time) continue;
    if (overlap.kind == InputOverlap::Kind::tied) alternative.ties.push_back({.a = in, .b = out});
    if (overlap.kind != InputOverlap::Kind::gap) continue;
    if (rule.reverse) {
      const std::int64_t sizes = input.bytes - buffers[static_cast<std::size_t>(out)].bytes;
      alternative.separations.push_back({.low = in, .high = out, .bytes = overlap.bytes + sizes});
    } else {
      alternative.separations.push_back({.low = out, .high = in, .bytes = overlap.bytes});
    }
  }
  return alternative;
}

void add_tensor(const Graph& graph, TensorId id, const LiveRange& range, NetworkProblem& network) {
  const Tensor& tensor = graph.tensors[static_cast<std::size_t>(id)];
  network.tensor_buffer[static_cast<std::size_t>(id)] =
      add_buffer(network.problem, {.name = tensor.name,
                                   .bytes = byte_count(tensor),
                                   .first = range.first,
                                   .last = range.last,
                                   .alignment = static_cast<std::int64_t>(scalar_bytes(tensor.type)),
                                   .offset = std::nullopt});
}

void add_side_buffers(const Graph& graph, const Schedule& schedule, std::size_t stage,
                      const std::vector<KernelOption>& kernels, NetworkProblem& network) {
  const std::int64_t time = time_of(stage);
  for (const OpId id : schedule.stages[stage].ops) {
    const auto op = static_cast<std::size_t>(id);
    const KernelOption& kernel = kernels[op];
    const std::string& name = graph.tensors[static_cast<std::size_t>(graph.ops[op].output)].name;
    const auto side_buffer = [&](const char* role, std::int64_t bytes) {
      if (bytes == 0) return -1;
      return add_buffer(network.problem, {.name = name + " " + role,
                                          .bytes = bytes,
                                          .first = time,
                                          .last = time,
                                          .alignment = kernel.contract->alignment,
                                          .offset = std::nullopt});
    };
    network.scratch_buffer[op] = side_buffer("scratch", kernel.scratch_bytes);
    network.kept_buffer[op] = side_buffer("kept", kernel.kept_bytes);
  }
}

void add_choice(const Graph& graph, const Schedule& schedule, std::size_t stage,
                const std::vector<KernelOption>& kernels, const Slabs& slabs, NetworkProblem& network) {
  const OpId id = schedule.stages[stage].ops.front();
  const Op& op = graph.ops[static_cast<std::size_t>(id)];
  Choice choice{.name = graph.tensors[static_cast<std::size_t>(op.output)].name, .alternatives = {}};
  std::vector<bool> reverse;
  bool allows_anything = false;
  for (const OverlapRule& rule : overlap_rules(graph, op, *kernels[static_cast<std::size_t>(id)].contract)) {
    choice.alternatives.push_back(alternative_of(graph, op, rule, network, time_of(stage), slabs));
    reverse.push_back(rule.reverse);
    allows_anything |= !choice.alternatives.back().separations.empty() || !choice.alternatives.back().ties.empty();
  }
  if (!allows_anything) return;
  network.stage_choice[stage] = static_cast<int>(network.problem.choices.size());
  network.stage_reverse[stage] = std::move(reverse);
  network.problem.choices.push_back(std::move(choice));
}

/// A tensor within another one is found in that one's buffer.
void share_slabs(const Slabs& slabs, NetworkProblem& network) {
  for (std::size_t id = 0; id < slabs.size(); ++id) {
    if (slabs[id] == kNoTensor) continue;
    const TensorId root = slab_root(slabs, static_cast<TensorId>(id));
    network.tensor_buffer[id] = network.tensor_buffer[static_cast<std::size_t>(root)];
  }
}

NetworkProblem empty_problem(const Graph& graph, const Schedule& schedule) {
  NetworkProblem network;
  network.tensor_buffer.assign(graph.tensors.size(), -1);
  network.scratch_buffer.assign(graph.ops.size(), -1);
  network.kept_buffer.assign(graph.ops.size(), -1);
  network.stage_choice.assign(schedule.stages.size(), -1);
  network.stage_reverse.resize(schedule.stages.size());
  network.ring_buffers.resize(schedule.stages.size());
  return network;
}

}  // namespace

std::vector<LiveRange> live_ranges(const Graph& graph, const Schedule& schedule, const MemoryOptions& options,
                                   const Slabs& slabs) {
  std::vector<LiveRange> ranges(graph.tensors.size());
  const auto touch = [&](TensorId tensor, std::int64_t time) {
    LiveRange& range = ranges[static_cast<std::size_t>(slab_root(slabs, storage_of(graph, tensor)))];
    if (range.first < 0) range.first = time;
    range.last = std::max(range.last, time);
  };
  const auto end = static_cast<std::int64_t>(schedule.stages.size()) + 1;
  for (const TensorId input : graph.inputs) touch(input, 0);
  for (std::size_t stage = 0; stage < schedule.stages.size(); ++stage) {
    for (const OpId id : schedule.stages[stage].ops) {
      const Op& op = graph.ops[static_cast<std::size_t>(id)];
      for (const TensorId input : op.inputs) touch(input, time_of(stage));
      touch(op.output, time_of(stage));
    }
  }
  for (const TensorId output : graph.outputs) touch(output, end);
  if (options.keep_input) {
    for (const TensorId input : graph.inputs) touch(input, end);
  }
  return ranges;
}

NetworkProblems::NetworkProblems(const Graph& graph, const Schedule& schedule, const MemoryOptions& options,
                                 Slabs slabs, std::vector<StageWays> ways)
    : graph_(graph),
      schedule_(schedule),
      options_(options),
      slabs_(std::move(slabs)),
      ways_(std::move(ways)),
      ranges_(live_ranges(graph, schedule, options, slabs_)),
      alive_(schedule.stages.size()) {
  ways_.resize(schedule.stages.size());
  for (const StageWays& stage : ways_) {
    for (const TensorId tensor : inner_tensors(graph, stage)) ranges_[static_cast<std::size_t>(tensor)] = {};
  }
  for (std::size_t id = 0; id < graph.tensors.size(); ++id) {
    const LiveRange& range = ranges_[id];
    const auto tensor = static_cast<TensorId>(id);
    if (range.first < 0 || graph.tensors[id].constant || graph.tensors[id].state != kNoState) continue;
    if (options.external_input && is_graph_input(graph, tensor)) continue;
    stored_.push_back(tensor);
    for (std::int64_t time = std::max<std::int64_t>(range.first, 1); time <= range.last; ++time) {
      const auto stage = static_cast<std::size_t>(time - 1);
      if (stage < alive_.size()) alive_[stage].push_back(tensor);
    }
  }
}

NetworkProblem NetworkProblems::whole(const std::vector<KernelOption>& kernels) const {
  NetworkProblem network = empty_problem(graph_, schedule_);
  for (const TensorId id : stored_) add_tensor(graph_, id, ranges_[static_cast<std::size_t>(id)], network);
  share_slabs(slabs_, network);
  for (std::size_t stage = 0; stage < schedule_.stages.size(); ++stage) {
    if (!ways_[stage].drafts.empty()) {
      add_stage(graph_, ways_[stage], stage, time_of(stage), network);
      continue;
    }
    add_side_buffers(graph_, schedule_, stage, kernels, network);
    if (options_.in_place) add_choice(graph_, schedule_, stage, kernels, slabs_, network);
  }
  for (Buffer& buffer : network.problem.buffers) buffer.alignment = std::max(buffer.alignment, options_.alignment);
  return network;
}

Problem NetworkProblems::at_stage(std::size_t stage, const std::vector<KernelOption>& kernels) const {
  NetworkProblem network = empty_problem(graph_, schedule_);
  for (const TensorId id : alive_[stage]) add_tensor(graph_, id, ranges_[static_cast<std::size_t>(id)], network);
  share_slabs(slabs_, network);
  add_side_buffers(graph_, schedule_, stage, kernels, network);
  if (options_.in_place) add_choice(graph_, schedule_, stage, kernels, slabs_, network);
  return std::move(network.problem);
}

NetworkProblem problem_of(const Graph& graph, const Schedule& schedule, const std::vector<KernelOption>& kernels,
                          const MemoryOptions& options, const Slabs& slabs) {
  return NetworkProblems(graph, schedule, options, slabs).whole(kernels);
}

Plan plan_of(const Graph& graph, Schedule schedule, const std::vector<KernelOption>& kernels,
             const NetworkProblem& network, const Placement& placement, const MemoryOptions& options,
             const Slabs& slabs, const std::vector<StageWays>& ways) {
  Plan plan;
  plan.model = graph.name;
  plan.graph_hash = graph_hash(graph);
  for (std::size_t stage = 0; stage < schedule.stages.size(); ++stage) {
    const int choice = network.stage_choice[stage];
    if (choice < 0) continue;
    const int alternative = placement.alternatives[static_cast<std::size_t>(choice)];
    schedule.stages[stage].reverse = network.stage_reverse[stage][static_cast<std::size_t>(alternative)];
  }
  plan.schedule = std::move(schedule);

  const auto region = [&](BufferId id) {
    if (id < 0) return Region{};
    const auto buffer = static_cast<std::size_t>(id);
    return Region{.offset = placement.offsets[buffer], .bytes = network.problem.buffers[buffer].bytes};
  };
  const StateLayout states = layout_states(graph);
  const auto state_region = [&](StateId id) {
    if (id == kNoState) return Region{};
    const auto state = static_cast<std::size_t>(id);
    return Region{.offset = states.offsets[state], .bytes = std::ssize(graph.states[state].initial)};
  };
  plan.state_bytes = states.bytes;
  plan.state_alignment = states.alignment;
  for (std::size_t op = 0; op < graph.ops.size(); ++op) {
    plan.ops.push_back({.op = static_cast<OpId>(op),
                        .kernel = kernels[op].contract->kernel,
                        .scratch = region(network.scratch_buffer[op]),
                        .kept = region(network.kept_buffer[op]),
                        .state = state_region(own_state(graph.ops[op]))});
  }
  for (std::size_t id = 0; id < graph.tensors.size(); ++id) {
    const BufferId buffer = network.tensor_buffer[id];
    const bool external = options.external_input && is_graph_input(graph, static_cast<TensorId>(id)) &&
                          graph.tensors[id].alias_of == kNoTensor;
    const Region state = state_region(graph.tensors[id].state);
    if (buffer < 0 && !external && state.bytes == 0) continue;
    const SlabPlace place = slab_place(graph, slabs, static_cast<TensorId>(id));
    plan.storages.push_back({.tensor = static_cast<TensorId>(id),
                             .offset = external ? 0
                                       : state.bytes > 0
                                           ? state.offset
                                           : placement.offsets[static_cast<std::size_t>(buffer)] + place.offset,
                             .row_bytes = place.row_bytes,
                             .slots = image_shape(graph.tensors[id]).height,
                             .external = external,
                             .state = state.bytes > 0,
                             .pitch = place.dense ? 0 : place.pitch,
                             .within = slabs.empty() ? kNoTensor : slabs[id]});
  }
  for (std::size_t stage = 0; stage < ways.size(); ++stage) {
    if (!ways[stage].drafts.empty()) apply_stage(graph, ways[stage], stage, network, placement, plan);
  }
  for (const Buffer& buffer : network.problem.buffers) plan.alignment = std::max(plan.alignment, buffer.alignment);
  plan.arena_bytes = placement.peak;
  plan.lower_bound = placement.lower_bound;
  plan.proven = placement.proof == Proof::optimal;
  return plan;
}

}  // namespace ripc
