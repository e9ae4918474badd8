#include "plan/stage_problem.h"

#include <algorithm>
#include <optional>

namespace ripc {
namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

TensorId output_of(const Graph& graph, OpId op) { return storage_of(graph, graph.ops[index(op)].output); }

BufferId add_buffer(NetworkProblem& network, std::string name, std::int64_t bytes, std::int64_t time,
                    std::int64_t alignment) {
  if (bytes == 0) return -1;
  network.problem.buffers.push_back({.name = std::move(name),
                                     .bytes = bytes,
                                     .first = time,
                                     .last = time,
                                     .alignment = alignment,
                                     .offset = std::nullopt});
  return static_cast<BufferId>(network.problem.buffers.size()) - 1;
}

/// What the rows of each ring are aligned to: the largest scalar of the tensors in it.
std::vector<std::int64_t> ring_alignments(const Graph& graph, const StageDraft& draft) {
  std::vector<std::int64_t> alignments(draft.rings.rings.size(), 1);
  const auto add = [&](const RowPlace& place, TensorId tensor) {
    if (place.ring < 0) return;
    auto& alignment = alignments[index(place.ring)];
    alignment = std::max(alignment, static_cast<std::int64_t>(scalar_bytes(graph.tensors[index(tensor)].type)));
  };
  for (std::size_t i = 0; i < draft.ops.size(); ++i) add(draft.rings.places[i], output_of(graph, draft.ops[i]));
  if (draft.streamed != kNoTensor) add(draft.rings.source, draft.streamed);
  return alignments;
}

/// The names of the tensors whose rows share a ring.
std::string ring_name(const Graph& graph, const StageDraft& draft, int ring) {
  std::string name;
  const auto add = [&](const RowPlace& place, TensorId tensor) {
    if (place.ring != ring) return;
    if (!name.empty()) name += " + ";
    name += graph.tensors[index(tensor)].name;
  };
  if (draft.streamed != kNoTensor) add(draft.rings.source, draft.streamed);
  for (std::size_t i = 0; i < draft.ops.size(); ++i) add(draft.rings.places[i], output_of(graph, draft.ops[i]));
  return name + " rows";
}

/// Rows that others may be written over before the last of their `blocks` is made, even if each has a slot of its own:
/// whoever looks for a whole tensor must not take it for one. Another turn around the slots says so and moves no row.
Storage never_whole(Storage storage, std::int64_t rows, std::int64_t blocks) {
  if (rows * blocks > 1 && !storage.pixel_slots && stored_whole(storage, rows)) storage.slot_step += storage.slots;
  return storage;
}

/// Where the rows of `tensor` lie in a ring that begins at `offset`.
Storage storage_at(const Graph& graph, TensorId id, const RowPlace& place, const Ring& ring, bool reverse,
                   std::int64_t offset) {
  const Tensor& tensor = graph.tensors[index(id)];
  const std::int64_t rows = image_shape(tensor).height;
  Storage storage{.tensor = id,
                  .row_bytes = ring.slot_bytes,
                  .slots = ring.slots,
                  .first_slot = place.first_slot,
                  .slot_step = place.slot_step};
  storage.pixel_slots = ring.pixels;
  const std::int64_t last = ring.pixels ? image_shape(tensor).width : 1;  // slots of a row
  const std::int64_t row_bytes = ring.pixels ? ring.slot_bytes : byte_count(tensor) / rows;
  if (reverse) storage = mirrored(storage, rows, row_bytes, ring.slots * ring.slot_bytes, last);
  if (rows == 1 && !ring.pixels) {  // perhaps in one of several slots
    storage.offset += storage.first_slot * storage.row_bytes;
    storage.row_bytes = row_bytes;
    storage.slots = storage.slot_step = 1;
    storage.first_slot = 0;
  }
  storage.offset += offset;
  return never_whole(storage, rows, 1);
}

}  // namespace

std::vector<TensorId> inner_tensors(const Graph& graph, const StageWays& ways) {
  std::vector<TensorId> inner;
  if (ways.drafts.empty()) return inner;
  const StageDraft& draft = ways.drafts.front();
  for (std::size_t i = 0; i < draft.ops.size(); ++i) {
    if (draft.rings.places[i].home != RowHome::whole) inner.push_back(output_of(graph, draft.ops[i]));
  }
  if (draft.streamed != kNoTensor) inner.push_back(draft.streamed);
  return inner;
}

void add_stage(const Graph& graph, const StageWays& ways, std::size_t stage, std::int64_t time,
               NetworkProblem& network) {
  const StageDraft& draft = ways.drafts.front();
  const std::string& name = graph.tensors[index(output_of(graph, draft.ops.back()))].name;
  const std::vector<std::int64_t> alignments = ring_alignments(graph, draft);
  for (std::size_t ring = 0; ring < draft.rings.rings.size(); ++ring) {
    const Ring& rows = draft.rings.rings[ring];
    network.ring_buffers[stage].push_back(add_buffer(network, ring_name(graph, draft, static_cast<int>(ring)),
                                                     rows.slots * rows.slot_bytes, time, alignments[ring]));
  }
  std::int64_t alignment = 1;
  for (std::size_t i = 0; i < draft.kernels.size(); ++i) {
    const KernelOption& kernel = draft.kernels[i];
    if (kernel.scratch_bytes == 0) continue;
    const auto scalar = static_cast<std::int64_t>(
        scalar_bytes(graph.tensors[index(graph.ops[index(draft.ops[i])].inputs.front())].type));
    alignment = std::max({alignment, scalar, std::int64_t{kernel.contract->alignment}});
  }
  network.ring_buffers[stage].push_back(add_buffer(network, name + " scratch", draft.scratch, time, alignment));
  for (std::size_t i = 0; i < draft.ops.size(); ++i) {
    const std::size_t op = index(draft.ops[i]);
    const KernelOption& kernel = draft.kernels[i];
    network.kept_buffer[op] = add_buffer(network, graph.tensors[index(output_of(graph, draft.ops[i]))].name + " kept",
                                         kernel.kept_bytes, time, kernel.contract->alignment);
  }

  const auto buffer_of = [&](const StageBuffer& buffer) {
    return buffer.ring < 0 ? network.tensor_buffer[index(buffer.tensor)]
                           : network.ring_buffers[stage][index(buffer.ring)];
  };
  Choice choice{.name = name, .alternatives = {}};
  for (const StageDraft& way : ways.drafts) {
    Alternative& alternative = choice.alternatives.emplace_back();
    alternative.name = way.reverse ? "reverse" : "forward";
    for (const StageSeparation& separation : way.separations) {
      alternative.separations.push_back(
          {.low = buffer_of(separation.low), .high = buffer_of(separation.high), .bytes = separation.bytes});
    }
    network.stage_reverse[stage].push_back(way.reverse);
  }
  network.stage_choice[stage] = static_cast<int>(network.problem.choices.size());
  network.problem.choices.push_back(std::move(choice));
}

void apply_stage(const Graph& graph, const StageWays& ways, std::size_t stage, const NetworkProblem& network,
                 const Placement& placement, Plan& plan) {
  const auto alternative = placement.alternatives[index(network.stage_choice[stage])];
  const StageDraft& draft = ways.drafts[index(alternative)];
  plan.schedule.stages[stage].reverse = draft.reverse;
  plan.schedule.stages[stage].blocks = draft.blocks;
  plan.schedule.stages[stage].steps = draft.steps;
  const auto offset_of = [&](BufferId buffer) { return placement.offsets[index(buffer)]; };
  const auto store = [&](TensorId tensor, const RowPlace& place) {
    if (place.ring >= 0) {
      plan.storages.push_back(storage_at(graph, tensor, place, draft.rings.rings[index(place.ring)], draft.reverse,
                                         offset_of(network.ring_buffers[stage][index(place.ring)])));
    } else if (place.tensor != tensor) {
      const std::int64_t rows = image_shape(graph.tensors[index(tensor)]).height;
      plan.storages.push_back(never_whole({.tensor = tensor,
                                           .offset = offset_of(network.tensor_buffer[index(place.tensor)]),
                                           .row_bytes = byte_count(graph.tensors[index(tensor)]) / rows,
                                           .slots = rows},
                                          rows, draft.blocks));
    }
  };
  for (std::size_t i = 0; i < draft.ops.size(); ++i) {
    store(output_of(graph, draft.ops[i]), draft.rings.places[i]);
    PlannedOp& op = plan.ops[index(draft.ops[i])];
    op.kernel = draft.kernels[i].contract->kernel;
    const std::int64_t scratch = draft.kernels[i].scratch_bytes;
    if (scratch > 0) op.scratch = {.offset = offset_of(network.ring_buffers[stage].back()), .bytes = scratch};
  }
  if (draft.streamed == kNoTensor) return;
  store(draft.streamed, draft.rings.source);
  plan.streamed_input = true;
}

}  // namespace ripc
