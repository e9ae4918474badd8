#include "plan/stage_draft.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "plan/problem_of.h"

namespace ripc {
namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

bool is_pointwise(const Op& op) {
  const auto* conv = std::get_if<Conv2d>(&op.kind);
  const auto plain = [](const Window& window) {
    return window.kernel == 1 && window.stride == 1 && window.pad_before == 0 && window.pad_after == 0;
  };
  return conv != nullptr && plain(conv->rows) && plain(conv->columns);
}

bool over_own_row(const Graph& graph, const Op& op, const rip_contract& contract) {
  return contract.order == RIP_PIXEL_DIRECT && is_pointwise(op) &&
         contract.held >= image_shape(graph.tensors[index(op.output)]).channels;
}

bool over_oldest_row(const FlowOp& made, const rip_contract& contract) {
  if (contract.order == RIP_CHANNEL_LOCAL) return made.delay == 0;
  if (contract.order == RIP_ROW_LATE) return made.delay <= contract.held;
  return contract.order == RIP_ROW_PLANE;
}

/// Whether the kernel can make rows that have such a home.
bool can_fill(const Graph& graph, const FlowOp& made, const rip_contract& contract, RowHome home) {
  const Op& op = graph.ops[index(made.op)];
  if (!makes_rows(contract)) return false;
  if (home == RowHome::own_row) return over_own_row(graph, op, contract);
  if (home == RowHome::oldest_row) return over_oldest_row(made, contract);
  if (home == RowHome::elements) return contract.order == RIP_ELEMENTWISE;
  return true;
}

/// The kernel of least side memory for a kind of home; null if there is none.
const KernelOption* kernel_for(const Graph& graph, const FlowOp& made, const std::vector<KernelOption>& kernels,
                               RowHome home) {
  const KernelOption* least = nullptr;
  const auto bytes = [](const KernelOption& option) { return option.scratch_bytes + option.kept_bytes; };
  for (const KernelOption& option : kernels) {
    if (!can_fill(graph, made, *option.contract, home)) continue;
    if (least == nullptr || bytes(option) < bytes(*least)) least = &option;
  }
  return least;
}

/// The fastest kernel for a kind of home that needs no more than `scratch` and changes nothing else.
const KernelOption& fastest_for(const Graph& graph, const FlowOp& made, const std::vector<KernelOption>& kernels,
                                RowHome home, std::int64_t scratch, const KernelOption& least) {
  const bool reads_inside =
      std::ranges::all_of(made.reads, [](const FlowRead& read) { return read.producer != kOutside; });
  for (const KernelOption& option : kernels) {
    const bool alike = option.contract->order == least.contract->order && option.contract->held == least.contract->held;
    const bool fits = option.scratch_bytes <= scratch && option.kept_bytes == least.kept_bytes;
    if (fits && (alike || reads_inside) && can_fill(graph, made, *option.contract, home)) return option;
  }
  return least;
}

/// Only layers that make one channel of one channel can write over the rows of their window.
bool is_by_channel(const Op& op) {
  const auto* depthwise = std::get_if<DepthwiseConv2d>(&op.kind);
  return std::holds_alternative<Pool2d>(op.kind) || (depthwise != nullptr && depthwise->multiplier == 1);
}

RowSharing sharing_of(const Graph& graph, const FlowOp& made, const std::vector<KernelOption>& kernels) {
  const auto scratch = [&](RowHome home) {
    const KernelOption* kernel = kernel_for(graph, made, kernels, home);
    return kernel == nullptr ? -1 : kernel->scratch_bytes;
  };
  const bool by_channel = is_by_channel(graph.ops[index(made.op)]);
  return {.elementwise = kernel_for(graph, made, kernels, RowHome::elements) != nullptr,
          .own_row_scratch = scratch(RowHome::own_row),
          .oldest_row_scratch = by_channel ? scratch(RowHome::oldest_row) : -1};
}

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

bool sums(const KernelOption& option) { return option.contract->order == RIP_ROW_SUM; }

/// Those that make row after row. What can sum up its input row by row does only that where the sums take less than the
/// rows that would have to wait.
std::vector<std::vector<KernelOption>> kernels_for_rows(const Graph& graph,
                                                        std::vector<std::vector<KernelOption>> kernels) {
  for (std::size_t id = 0; id < kernels.size(); ++id) {
    std::vector<KernelOption>& own = kernels[id];
    std::erase_if(own, [](const KernelOption& option) { return !makes_rows(*option.contract); });
    const auto sum = std::ranges::find_if(own, sums);
    if (sum == own.end()) continue;
    const Tensor& input = graph.tensors[index(graph.ops[id].inputs.front())];
    const std::int64_t height = image_shape(input).height;
    const bool pays = own.size() == 1 || sum->kept_bytes < byte_count(input) / height * (height - 1);
    std::erase_if(own, [&](const KernelOption& option) { return sums(option) != pays; });
  }
  return kernels;
}

/// By OpId, whether the operator sums up its input row by row.
std::vector<bool> sums_of(const std::vector<std::vector<KernelOption>>& kernels) {
  std::vector<bool> summing;
  for (const auto& own : kernels) summing.push_back(std::ranges::any_of(own, sums));
  return summing;
}

}  // namespace

bool makes_rows(const rip_contract& contract) {
  return contract.whole_tensor == 0 && contract.order != RIP_PLANE && contract.order != RIP_DISJOINT &&
         contract.order != RIP_FORWARD_DIRECT;
}

StageDrafts::StageDrafts(const Graph& graph, const std::vector<OpId>& order, const MemoryOptions& memory,
                         std::vector<std::vector<KernelOption>> kernels)
    : graph_(graph),
      order_(order),
      in_place_(memory.in_place),
      kernels_(kernels_for_rows(graph, std::move(kernels))),
      tables_(graph, sums_of(kernels_)),
      lives_(graph.tensors.size()) {
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

std::int64_t StageDrafts::least_bytes(std::int64_t begin, std::int64_t end, bool streamed) const {
  const Boundary at = boundary(begin, end, streamed ? input() : kNoTensor);
  const auto sum = [&](const std::vector<TensorId>& tensors) {
    std::int64_t bytes = 0;
    for (const TensorId tensor : tensors) bytes += lives_[index(tensor)].bytes;
    return bytes;
  };
  return at.passing + std::max(sum(at.dying), sum(at.stored));
}

StageDraft StageDrafts::draft(std::int64_t begin, std::int64_t end, bool reverse, bool streamed) const {
  const TensorId source = streamed ? input() : kNoTensor;
  const Boundary at = boundary(begin, end, source);
  std::vector<bool> stored(graph_.tensors.size(), false);
  for (const TensorId tensor : at.stored) stored[index(tensor)] = true;
  const std::span ops = std::span(order_).subspan(index(begin), index(end - begin));
  const StageFlow flow = tables_.flow(ops, stored, reverse, source);
  const std::vector<RowStep> steps = stage_steps(flow);
  const StageTimes times = stage_times(flow, steps);
  std::vector<RowSharing> sharing;
  bool finishes_outputs = false;
  for (const FlowOp& op : flow.ops) {
    sharing.push_back(sharing_of(graph_, op, kernels_[index(op.op)]));
    finishes_outputs |= op.stored && sharing.back().elementwise;
  }

  std::optional<StageDraft> best;
  for (const bool into_outputs : {false, true}) {
    if (into_outputs && !finishes_outputs) continue;
    StageDraft draft{.ops = {ops.begin(), ops.end()},
                     .reverse = reverse,
                     .streamed = source,
                     .steps = {},
                     .rings = {},
                     .kernels = {},
                     .separations = {}};
    draft.rings = stage_rings(flow, times, sharing, into_outputs);
    std::vector<const rip_contract*> contracts;
    for (std::size_t i = 0; i < ops.size(); ++i) {
      const RowHome home = draft.rings.places[i].home;
      draft.kernels.push_back(*kernel_for(graph_, flow.ops[i], kernels_[index(ops[i])], home));
      draft.scratch = std::max(draft.scratch, draft.kernels.back().scratch_bytes);
    }
    for (std::size_t i = 0; i < ops.size(); ++i) {
      draft.kernels[i] = fastest_for(graph_, flow.ops[i], kernels_[index(ops[i])], draft.rings.places[i].home,
                                     draft.scratch, draft.kernels[i]);
      contracts.push_back(draft.kernels[i].contract);
    }
    const StageLayout layout{flow, steps, times, draft.rings, contracts};
    if (in_place_) draft.separations = stage_separations(graph_, layout, at.dying);
    draft.bytes = stacked(draft, at);
    if (!best || draft.bytes < best->bytes) best = std::move(draft);
  }
  best->steps = step_loops(steps);
  return std::move(*best);
}

Problem StageDrafts::problem(const StageDraft& draft) const {
  const auto begin = std::ranges::find(order_, draft.ops.front()) - order_.begin();
  const Boundary at = boundary(begin, begin + std::ssize(draft.ops), draft.streamed);
  Problem problem;
  const auto add = [&](std::int64_t bytes) {
    problem.buffers.push_back({.bytes = bytes});
    return static_cast<BufferId>(problem.buffers.size()) - 1;
  };
  std::int64_t apart = at.passing + draft.scratch;
  for (const KernelOption& kernel : draft.kernels) apart += kernel.kept_bytes;
  add(apart);
  for (const Ring& ring : draft.rings.rings) add(ring.slots * ring.slot_bytes);
  std::vector<BufferId> tensors(lives_.size(), -1);
  for (const auto* group : {&at.dying, &at.stored}) {
    for (const TensorId tensor : *group) tensors[index(tensor)] = add(lives_[index(tensor)].bytes);
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
  return problem;
}

/// The largest tensor that dies is what the others shrink into; the largest output may be the lowest piece.
std::int64_t StageDrafts::stacked(const StageDraft& draft, const Boundary& boundary) const {
  const auto bytes_of = [&](TensorId tensor) { return lives_[index(tensor)].bytes; };
  const auto largest = [&](const std::vector<TensorId>& tensors) {
    const auto found = std::ranges::max_element(tensors, {}, bytes_of);
    return found == tensors.end() ? kNoTensor : *found;
  };
  const TensorId top = largest(boundary.dying), main = largest(boundary.stored);
  std::int64_t apart = boundary.passing + draft.scratch;
  for (const KernelOption& kernel : draft.kernels) apart += kernel.kept_bytes;
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
      under_main = std::max(under_main, std::min(pieces.back().bytes, overlap(main_buffer, ring)));
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
