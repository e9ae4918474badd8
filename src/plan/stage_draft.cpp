#include "plan/stage_draft.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "plan/problem_of.h"
#include "plan/stage_kernels.h"

namespace ripc {
namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

/// A piece of a stack below a tensor that shrinks: it may reach `overlap` bytes into it.
struct Piece {
  std::int64_t bytes = 0, overlap = 0;
};

/// Least bytes of [pieces][tensor of `top` bytes]: the pieces that overlap most lie nearest to it.
std::int64_t stack(std::vector<Piece> pieces, std::int64_t top) {
  std::ranges::sort(pieces, {}, &Piece::overlap);
  std::int64_t end = 0, start = 0;
  for (const Piece& piece : pieces) {
    end += piece.bytes;
    start = std::max(start, end - piece.overlap);
  }
  return std::max(end, start + top);
}

}  // namespace

StageDrafts::StageDrafts(const Graph& graph, const std::vector<OpId>& order, const MemoryOptions& memory,
                         std::vector<std::vector<KernelOption>> kernels)
    : graph_(graph),
      order_(order),
      in_place_(memory.in_place),
      alignment_(memory.alignment),
      kernels_(kernels_for_rows(graph, std::move(kernels))),
      tables_(graph, sums_of(kernels_)),
      lives_(graph.tensors.size()),
      windows_(window_bytes()),
      block_kernels_(kernels_for_blocks(kernels_)) {
  const auto end = std::ssize(order);
  const auto life = [&](TensorId tensor) -> Life& { return lives_[index(storage_of(graph, tensor))]; };
  for (const TensorId tensor : graph.inputs) life(tensor).stored = !memory.external_input;
  for (std::int64_t position = 0; position < end; ++position) {
    const Op& op = graph.ops[index(order[index(position)])];
    for (const TensorId tensor : op.inputs) life(tensor).dies = position;
    if (life(op.output).born < 0) life(op.output) = {.born = position, .dies = position, .bytes = 0, .stored = true};
  }
  for (const TensorId tensor : graph.outputs) life(tensor).dies = end;
  if (memory.keep_input) {
    for (const TensorId tensor : graph.inputs) life(tensor).dies = end;
  }
  for (std::size_t id = 0; id < lives_.size(); ++id) {
    const Tensor& tensor = graph.tensors[id];
    lives_[id].stored &= !tensor.constant && tensor.state == kNoState;
    lives_[id].bytes = lives_[id].stored ? byte_count(tensor) : 0;
  }
  for (const OpId id : order) {
    joins_.push_back(!kernels_[index(id)].empty() && works_by_rows(graph, graph.ops[index(id)]));
    divides_.push_back(joins_.back() && tables_.can_divide(id) && !block_kernels_[index(id)].empty());
  }
}

bool StageDrafts::can_stream(std::int64_t end) const {
  if (graph_.inputs.size() != 1 || graph_.tensors[index(graph_.inputs.front())].alias_of != kNoTensor) return false;
  const Life& life = lives_[index(input())];
  return life.stored && life.dies < end;
}

StageDrafts::Boundary StageDrafts::boundary(std::int64_t begin, std::int64_t end, TensorId streamed) const {
  Boundary boundary;
  for (std::size_t id = 0; id < lives_.size(); ++id) {
    const Life& life = lives_[id];
    const auto tensor = static_cast<TensorId>(id);
    if (!life.stored || life.born >= end || life.dies < begin || tensor == streamed) continue;
    if (life.born >= begin) {
      if (life.dies >= end) boundary.stored.push_back(tensor);
    } else if (life.dies < end) {
      boundary.dying.push_back(tensor);
    } else {
      boundary.passing += life.bytes;
    }
  }
  return boundary;
}

std::int64_t StageDrafts::least_bytes(std::int64_t begin, std::int64_t end, bool streamed, std::int64_t inner) const {
  const Boundary at = boundary(begin, end, streamed ? input() : kNoTensor);
  const auto sum = [&](const std::vector<TensorId>& tensors) {
    std::int64_t bytes = 0;
    for (const TensorId tensor : tensors) bytes += lives_[index(tensor)].bytes;
    return bytes;
  };
  const std::int64_t dying = sum(at.dying), stored = sum(at.stored);
  // A stack has rings beside the outputs, but for what reaches into an output where there is no input to reach into.
  return at.passing + std::max({dying, stored, at.dying.empty() ? inner : inner + stored});
}

std::vector<std::int64_t> StageDrafts::window_bytes() const {
  std::vector<std::int64_t> bytes(graph_.tensors.size(), 0);
  std::vector<int> readers(graph_.tensors.size(), 0);
  const auto widest = [](const std::vector<RowTaps>& taps) {
    std::int64_t most = 0;
    for (const RowTaps& own : taps) most = std::max(most, own.last - own.first);
    return most;
  };
  for (const Op& op : graph_.ops) {
    for (std::size_t input = 0; input < op.inputs.size(); ++input) {
      const TensorId id = storage_of(graph_, op.inputs[input]);
      const ImageShape image = image_shape(graph_.tensors[index(id)]);
      const std::int64_t between =
          widest(row_taps(graph_, op, input)) * image.width + widest(column_taps(graph_, op, input));
      // What reads one pixel may write over it.
      const bool own_ring = ++readers[index(id)] == 1 && between > 0 && op.inputs[input] == id;
      const std::int64_t pixel = byte_count(graph_.tensors[index(id)]) / (image.height * image.width);
      bytes[index(id)] = own_ring ? (between + 1) * pixel : 0;
    }
  }
  return bytes;
}

std::int64_t StageDrafts::windows_within(std::int64_t begin, std::int64_t end) const {
  std::int64_t bytes = 0;
  for (std::size_t id = 0; id < lives_.size(); ++id) {
    if (lives_[id].born >= begin && lives_[id].dies < end) bytes += windows_[id];
  }
  return bytes;
}

const std::vector<KernelOption>& StageDrafts::kernels_of(OpId op, std::int64_t blocks) const {
  return (blocks > 1 ? block_kernels_ : kernels_)[index(op)];
}

StageDrafts::Stepped StageDrafts::stepped(std::int64_t begin, std::int64_t end, const StageMode& mode) const {
  Stepped stage{.ops = std::span(order_).subspan(index(begin), index(end - begin)),
                .streamed = mode.streamed ? input() : kNoTensor,
                .at = {},
                .flow = {},
                .orders = {}};
  stage.at = boundary(begin, end, stage.streamed);
  std::vector<bool> stored(graph_.tensors.size(), false);
  for (const TensorId tensor : stage.at.stored) stored[index(tensor)] = true;
  stage.flow = tables_.flow(stage.ops, stored, mode.reverse, stage.streamed, mode.blocks);
  for (const AskOrder asks : {AskOrder::listed, AskOrder::longest_chain}) {
    std::vector<RowStep> steps = stage_steps(stage.flow, asks);
    if (!stage.orders.empty() && steps == stage.orders.front().steps) continue;
    StageTimes times = stage_times(stage.flow, steps);
    const std::int64_t waiting = waiting_bytes(stage.flow, times);
    stage.orders.push_back({asks, std::move(steps), std::move(times), waiting});
  }
  return stage;
}

StageDraft StageDrafts::draft(std::int64_t begin, std::int64_t end, const StageMode& mode, const KernelPicks& picks,
                              std::int64_t most) const {
  if (mode.blocks > 1) {
    StageDraft beyond;
    beyond.inner = windows_within(begin, end);
    beyond.bytes = boundary(begin, end, kNoTensor).passing + beyond.inner;
    if (beyond.bytes > most) return beyond;
  }
  return draft(stepped(begin, end, mode), picks, most);
}

void StageDrafts::add_steps(StageDraft& draft) const {
  const std::vector<bool> stored(graph_.tensors.size(), false);  // steps are the same wherever rows lie
  const StageFlow flow = tables_.flow(draft.ops, stored, draft.reverse, draft.streamed, draft.blocks);
  draft.steps = step_loops(stage_steps(flow, draft.asks));
}

StageDraft StageDrafts::draft(const Stepped& stage, const KernelPicks& picks, std::int64_t most) const {
  const StageFlow& flow = stage.flow;
  std::vector<std::span<const KernelOption>> kernels;
  std::vector<RowSharing> sharing;
  bool finishes_outputs = false;
  for (std::size_t i = 0; i < stage.ops.size(); ++i) {
    const int pick = picks.empty() ? kAnyKernel : picks[i];
    const std::span<const KernelOption> all = kernels_of(stage.ops[i], flow.blocks);
    kernels.push_back(pick == kAnyKernel ? all : all.subspan(index(pick), 1));
    sharing.push_back(sharing_of(graph_, flow.ops[i], kernels[i]));
    finishes_outputs |= flow.ops[i].stored && sharing.back().elementwise;
  }

  std::optional<StageDraft> best;
  for (const Steps& order : stage.orders) {
    for (const bool into_outputs : {false, true}) {
      if (into_outputs && !finishes_outputs) continue;
      const std::int64_t enough = best ? std::min(most, best->bytes) : most;
      StageDraft own = draft(stage, order, kernels, sharing, into_outputs, enough);
      if (!best || own.bytes < best->bytes) best = std::move(own);
    }
  }
  return std::move(*best);
}

StageDraft StageDrafts::draft(const Stepped& stage, const Steps& order,
                              const std::vector<std::span<const KernelOption>>& kernels,
                              const std::vector<RowSharing>& sharing, bool into_outputs, std::int64_t most) const {
  const StageFlow& flow = stage.flow;
  StageDraft draft{.ops = {stage.ops.begin(), stage.ops.end()},
                   .reverse = flow.reverse,
                   .streamed = stage.streamed,
                   .blocks = flow.blocks,
                   .asks = order.asks,
                   .steps = {},
                   .rings = {},
                   .kernels = {},
                   .separations = {},
                   .inner = order.waiting,
                   .scratch = 0,
                   .bytes = stage.at.passing + order.waiting};
  if (draft.bytes > most) return draft;
  draft.rings = stage_rings(flow, order.times, sharing, into_outputs);
  for (std::size_t i = 0; i < stage.ops.size(); ++i) {
    draft.kernels.push_back(*kernel_for(graph_, flow.ops[i], kernels[i], draft.rings.places[i].home));
    draft.scratch = std::max(draft.scratch, draft.kernels.back().scratch_bytes);
  }
  std::vector<const rip_contract*> contracts;
  for (std::size_t i = 0; i < stage.ops.size(); ++i) {
    draft.kernels[i] =
        fastest_for(graph_, flow.ops[i], kernels[i], draft.rings.places[i].home, draft.scratch, draft.kernels[i]);
    contracts.push_back(draft.kernels[i].contract);
  }
  draft.inner = 0;
  for (const Ring& ring : draft.rings.rings) draft.inner += ring.slots * ring.slot_bytes;
  draft.bytes = apart_bytes(draft, stage.at) + draft.inner;
  if (draft.bytes <= most) {
    const StageLayout layout{flow, order.steps, order.times, draft.rings, contracts};
    if (in_place_) draft.separations = stage_separations(graph_, layout, stage.at.dying);
    draft.bytes = stacked(draft, stage.at);
  }
  return draft;
}

KernelPicks StageDrafts::fast_picks(std::int64_t begin, std::int64_t end, const StageMode& mode,
                                    const std::function<bool(const StageDraft&)>& fits) const {
  const Stepped stage = stepped(begin, end, mode);
  const std::size_t count = stage.ops.size();
  KernelPicks picks(count, 0);
  if (fits(draft(stage, picks, INT64_MAX))) return picks;
  std::vector<std::size_t> by_work(count);
  std::iota(by_work.begin(), by_work.end(), std::size_t{0});
  const auto work = [&](std::size_t i) {
    const Op& op = graph_.ops[index(stage.ops[i])];
    return std::max(mac_count(graph_, op), element_count(graph_.tensors[index(op.output)]));
  };
  std::ranges::stable_sort(by_work, std::ranges::greater{}, work);
  picks.assign(count, kAnyKernel);
  for (const std::size_t i : by_work) {
    const auto own = static_cast<int>(kernels_of(stage.ops[i], mode.blocks).size());
    for (picks[i] = 0; picks[i] < own && !fits(draft(stage, picks, INT64_MAX)); ++picks[i]) {
    }
    if (picks[i] == own) picks[i] = kAnyKernel;
  }
  return picks;
}

StageProblem StageDrafts::problem(const StageDraft& draft) const {
  const auto begin = std::ranges::find(order_, draft.ops.front()) - order_.begin();
  const Boundary at = boundary(begin, begin + std::ssize(draft.ops), draft.streamed);
  StageProblem stage;
  Problem& problem = stage.problem;
  const auto add = [&](std::int64_t bytes, std::int64_t alignment, TensorId tensor = kNoTensor) {
    problem.buffers.push_back({.bytes = bytes, .alignment = std::max(alignment, alignment_)});
    stage.tensors.push_back(tensor);
    return static_cast<BufferId>(problem.buffers.size()) - 1;
  };
  std::int64_t most_alignment = 1;
  for (const KernelOption& kernel : draft.kernels) {
    most_alignment = std::max<std::int64_t>(most_alignment, kernel.contract->alignment);
  }
  add(apart_bytes(draft, at), most_alignment);
  for (const Ring& ring : draft.rings.rings) add(ring.slots * ring.slot_bytes, most_alignment);
  std::vector<BufferId> tensors(lives_.size(), -1);
  for (const auto* group : {&at.dying, &at.stored}) {
    for (const TensorId tensor : *group) {
      const auto scalar = static_cast<std::int64_t>(scalar_bytes(graph_.tensors[index(tensor)].type));
      tensors[index(tensor)] = add(lives_[index(tensor)].bytes, scalar, tensor);
    }
  }
  const auto buffer_of = [&](const StageBuffer& buffer) {
    return buffer.ring < 0 ? tensors[index(buffer.tensor)] : 1 + buffer.ring;
  };
  Alternative only{.name = "", .separations = {}, .ties = {}};
  for (const StageSeparation& separation : draft.separations) {
    only.separations.push_back(
        {.low = buffer_of(separation.low), .high = buffer_of(separation.high), .bytes = separation.bytes});
  }
  problem.choices.push_back({.name = "", .alternatives = {std::move(only)}});
  return stage;
}

std::int64_t StageDrafts::apart_bytes(const StageDraft& draft, const Boundary& boundary) {
  std::int64_t bytes = boundary.passing + draft.scratch;
  for (const KernelOption& kernel : draft.kernels) bytes += kernel.kept_bytes;
  return bytes;
}

/// The largest tensor that dies is what the others shrink into; the largest output may be the lowest piece.
std::int64_t StageDrafts::stacked(const StageDraft& draft, const Boundary& boundary) const {
  const auto bytes_of = [&](TensorId tensor) { return lives_[index(tensor)].bytes; };
  const auto largest = [&](const std::vector<TensorId>& tensors) {
    const auto found = std::ranges::max_element(tensors, {}, bytes_of);
    return found == tensors.end() ? kNoTensor : *found;
  };
  const TensorId top = largest(boundary.dying), main = largest(boundary.stored);
  std::int64_t apart = apart_bytes(draft, boundary);
  for (const TensorId tensor : boundary.dying) apart += tensor == top ? 0 : bytes_of(tensor);

  const auto ring_bytes = [](const Ring& ring) { return ring.slots * ring.slot_bytes; };
  const auto size_of = [&](const StageBuffer& buffer) {
    return buffer.ring < 0 ? bytes_of(buffer.tensor) : ring_bytes(draft.rings.rings[index(buffer.ring)]);
  };
  // Bytes that two buffers may share, whichever is the lower.
  const auto overlap = [&](const StageBuffer& a, const StageBuffer& b) {
    for (const StageSeparation& separation : draft.separations) {
      const bool named = (separation.low == a && separation.high == b) || (separation.low == b && separation.high == a);
      if (named) return size_of(separation.low) - separation.bytes;
    }
    return std::int64_t{0};
  };
  const StageBuffer top_buffer{.ring = -1, .tensor = top}, main_buffer{.ring = -1, .tensor = main};
  std::vector<Piece> pieces;
  std::int64_t under_main = 0;  // bytes that the lowest ring above the main output may reach into it
  for (std::size_t i = 0; i < draft.rings.rings.size(); ++i) {
    const StageBuffer ring{.ring = static_cast<int>(i), .tensor = kNoTensor};
    pieces.push_back({ring_bytes(draft.rings.rings[i]), top == kNoTensor ? 0 : overlap(ring, top_buffer)});
    if (main != kNoTensor) {
      under_main = std::max(under_main, std::min({pieces.back().bytes, bytes_of(main), overlap(main_buffer, ring)}));
    }
  }
  for (const TensorId tensor : boundary.stored) {
    const StageBuffer buffer{.ring = -1, .tensor = tensor};
    pieces.push_back({bytes_of(tensor), top == kNoTensor ? 0 : overlap(buffer, top_buffer)});
  }
  const std::int64_t top_bytes = top == kNoTensor ? 0 : bytes_of(top);
  return apart + stack(std::move(pieces), top_bytes) - (top == kNoTensor ? under_main : 0);
}

}  // namespace ripc
