#include "overlap/stage_separations.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

namespace ripc {
namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

std::int64_t modulo(std::int64_t a, std::int64_t b) { return (a % b + b) % b; }

std::int64_t bytes_of(const Graph& graph, TensorId tensor) { return byte_count(graph.tensors[index(tensor)]); }

/// The bytes that one step writes.
struct Write {
  std::int64_t time = 0, begin = 0, end = 0;  ///< bytes from the side at which the stage begins
};

/// By buffer, in the order of time.
struct Writes {
  std::vector<std::vector<Write>> rings;
  std::map<TensorId, std::vector<Write>> tensors;
};

/// A block of pixels; one that meets the end of its ring goes on at the begin.
void add_block(const StageLayout& layout, const RowPlace& place, int op, std::int64_t step, std::int64_t time,
               Writes& writes) {
  const FlowOp& made = layout.flow.ops[index(op)];
  const std::int64_t pixel = made.pixel_bytes(), pixels = made.end_pixel(step) - made.first_pixel(step);
  if (place.ring < 0) {
    const std::int64_t begin = made.first_pixel(step) * pixel;
    writes.tensors[place.tensor].push_back({time, begin, begin + pixels * pixel});
    return;
  }
  const std::int64_t slots = layout.rings.rings[index(place.ring)].slots, slot = made.first_pixel(step) % slots;
  std::vector<Write>& ring = writes.rings[index(place.ring)];
  ring.push_back({time, slot * pixel, std::min(slots, slot + pixels) * pixel});
  if (slot + pixels > slots) ring.push_back({time, 0, (slot + pixels - slots) * pixel});
}

Writes writes_of(const StageLayout& layout) {
  Writes writes;
  writes.rings.resize(layout.rings.rings.size());
  for (std::size_t time = 0; time < layout.steps.size(); ++time) {
    const RowStep& step = layout.steps[time];
    const bool source = step.op == kSourceRows;
    const RowPlace& place = source ? layout.rings.source : layout.rings.places[index(step.op)];
    const std::int64_t bytes = source ? layout.flow.source_row_bytes : layout.flow.ops[index(step.op)].row_bytes;
    if (!source && layout.flow.blocks > 1) {
      add_block(layout, place, step.op, step.row, static_cast<std::int64_t>(time), writes);
      continue;
    }
    const std::int64_t row = source ? step.row : std::min(step.row, layout.flow.ops[index(step.op)].rows - 1);
    if (!source && layout.flow.ops[index(step.op)].writes(row) != step.row) continue;  // it sums up
    if (place.ring < 0) {
      const std::int64_t begin = row * bytes;
      writes.tensors[place.tensor].push_back({static_cast<std::int64_t>(time), begin, begin + bytes});
      continue;
    }
    const Ring& ring = layout.rings.rings[index(place.ring)];
    const std::int64_t begin = modulo(place.first_slot + row * place.slot_step, ring.slots) * ring.slot_bytes;
    writes.rings[index(place.ring)].push_back({static_cast<std::int64_t>(time), begin, begin + bytes});
  }
  return writes;
}

/// How much further than the first tap of its row a kernel that works pixel by pixel has come when it writes: the least
/// distance from the begin of its output row to that of the first input row; `row_bytes` if it may write anywhere.
class RowDebts {
 public:
  RowDebts(const Graph& graph, const StageLayout& layout) : in_blocks_(layout.flow.blocks > 1) {
    for (std::size_t i = 0; i < layout.flow.ops.size(); ++i) {
      debts_.push_back(debt(graph, layout.flow.ops[i], *layout.contracts[i], layout.flow.reverse));
    }
  }

  /// Of what is written so far when the first input row is at its begin: its end. An operator that makes a block of a
  /// row may write anywhere in the block while it reads.
  std::int64_t end(int op, const Write& write) const {
    const std::int64_t debt = debts_[index(op)];
    return in_blocks_ && debt != 0 ? write.end : write.begin + debt;
  }

 private:
  static std::int64_t debt(const Graph& graph, const FlowOp& made, const rip_contract& contract, bool reverse) {
    const Op& op = graph.ops[index(made.op)];
    if (contract.order == RIP_ELEMENTWISE) {
      const bool broadcast = std::ranges::any_of(
          op.inputs, [&](TensorId input) { return bytes_of(graph, input) != bytes_of(graph, op.output); });
      return broadcast ? made.row_bytes : 0;
    }
    const bool windowed = std::holds_alternative<Conv2d>(op.kind) || std::holds_alternative<DepthwiseConv2d>(op.kind) ||
                          std::holds_alternative<Pool2d>(op.kind);
    if (!windowed || (contract.order != RIP_PIXEL_DIRECT && contract.order != RIP_CHANNEL_LOCAL)) return made.row_bytes;
    const Layer layer = layer_of(graph, op);
    const Window& columns = layer.columns;
    const std::int64_t width = out_width(layer), reach = (width - 1) * columns.stride + effective_kernel(columns);
    const std::int64_t pad = reverse ? reach - layer.in_width - columns.pad_before : columns.pad_before;
    const std::int64_t in_pixel = layer.in_channels * layer.in_scalar, out_pixel = made.row_bytes / width;
    std::int64_t most = 0;
    for (std::int64_t x = 0; x < width; ++x) {
      const std::int64_t first = std::max<std::int64_t>(0, x * columns.stride - pad);
      most = std::max(most, (x + 1) * out_pixel - first * in_pixel);
    }
    return std::min(most, made.row_bytes);
  }

  bool in_blocks_;
  std::vector<std::int64_t> debts_;
};

/// What a dying tensor still holds that later steps read.
class Reads {
 public:
  Reads(const Graph& graph, const StageLayout& layout, TensorId tensor)
      : layout_(layout),
        tensor_(tensor),
        row_bytes_(bytes_of(graph, tensor) / image_shape(graph.tensors[index(tensor)]).height),
        first_byte_(layout.steps.size() + 1, kNone) {
    for (std::size_t time = layout.steps.size(); time-- > 0;) {
      const std::optional<std::int64_t> byte = own(static_cast<std::int64_t>(time));
      first_byte_[time] = std::min(first_byte_[time + 1], byte.value_or(kNone));
    }
  }

  /// The lowest byte that a step after `time` reads, if any.
  std::optional<std::int64_t> next_live(std::int64_t time) const {
    const std::int64_t byte = first_byte_[index(time) + 1];
    if (byte == kNone) return std::nullopt;
    return byte;
  }

  /// The lowest byte that the step itself reads, if any.
  std::optional<std::int64_t> own(std::int64_t time) const {
    const RowStep& step = layout_.steps[index(time)];
    if (step.op == kSourceRows) return std::nullopt;
    std::optional<std::int64_t> first;
    for (const FlowRead& read : layout_.flow.ops[index(step.op)].reads) {
      if (read.producer != kOutside || read.tensor != tensor_) continue;
      if (read.empty(step.row)) continue;
      const std::int64_t byte = read.first_pixel(step.row) * (row_bytes_ / read.blocks.width);
      first = std::min(first.value_or(kNone), byte);
    }
    return first;
  }

 private:
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

  const StageLayout& layout_;
  TensorId tensor_;
  std::int64_t row_bytes_;
  std::vector<std::int64_t> first_byte_;  // by time: the first that it or a later step reads
};

/// Least distance from the start of what is written up to the start of what is read.
std::int64_t distance(const StageLayout& layout, const std::vector<Write>& writes, const Reads& reads,
                      std::int64_t in_bytes, const RowDebts& debts) {
  std::int64_t bytes = -in_bytes;
  for (const Write& write : writes) {
    if (const auto next = reads.next_live(write.time)) bytes = std::max(bytes, write.end - *next);
    const int op = layout.steps[index(write.time)].op;
    if (op == kSourceRows) continue;
    if (const auto own = reads.own(write.time)) bytes = std::max(bytes, debts.end(op, write) - *own);
  }
  return bytes;
}

/// Least distance from the start of an output up to that of a ring above it.
std::int64_t distance_to_ring(const StageLayout& layout, const std::vector<Write>& output, int ring) {
  const Ring& of = layout.rings.rings[index(ring)];
  std::vector<std::int64_t> ends;  // by write: of what is written so far
  for (const Write& write : output) ends.push_back(std::max(write.end, ends.empty() ? 0 : ends.back()));
  // What is written until the step at `time` is done must end below the slot.
  std::int64_t bytes = -of.slots * of.slot_bytes;
  const auto use = [&](std::int64_t slot, std::int64_t time) {
    const auto after = std::ranges::upper_bound(output, time, {}, &Write::time);
    const std::int64_t written = after == output.begin() ? 0 : ends[index(after - output.begin() - 1)];
    bytes = std::max(bytes, written - slot * of.slot_bytes);
  };
  for (std::size_t op = 0; op < layout.rings.places.size(); ++op) {
    const RowPlace& place = layout.rings.places[op];
    if (place.ring != ring) continue;
    const std::vector<std::int64_t>& last = layout.times.ops[op].last;
    const FlowOp& made = layout.flow.ops[op];
    for (std::int64_t block = 0; block < std::ssize(last); ++block) {
      if (!of.pixels) {
        use(modulo(place.first_slot + block * place.slot_step, of.slots), last[index(block)]);
        continue;
      }
      const std::int64_t slot = made.first_pixel(block) % of.slots;
      const bool wraps = slot + made.end_pixel(block) - made.first_pixel(block) > of.slots;
      use(wraps ? 0 : slot, last[index(block)]);
    }
  }
  if (layout.rings.source.ring != ring) return bytes;
  const std::vector<std::int64_t>& last = layout.times.source.last;
  for (std::int64_t row = 0; row < std::ssize(last); ++row) use(row % of.slots, last[index(row)]);
  return bytes;
}

}  // namespace

std::vector<StageSeparation> stage_separations(const Graph& graph, const StageLayout& layout,
                                               std::span<const TensorId> dying) {
  const Writes writes = writes_of(layout);
  const RowDebts debts(graph, layout);
  const auto size_of = [&](const StageBuffer& buffer) {
    if (buffer.ring < 0) return bytes_of(graph, buffer.tensor);
    const Ring& ring = layout.rings.rings[index(buffer.ring)];
    return ring.slots * ring.slot_bytes;
  };
  std::vector<StageSeparation> separations;
  // `low` and `high` as the stage sees them: in reverse it counts from the top.
  const auto add = [&](const StageBuffer& low, const StageBuffer& high, std::int64_t bytes) {
    if (bytes >= size_of(low)) return;
    if (layout.flow.reverse) {
      separations.push_back({high, low, bytes + size_of(high) - size_of(low)});
    } else {
      separations.push_back({low, high, bytes});
    }
  };
  for (const TensorId input : dying) {
    const Reads reads(graph, layout, input);
    const StageBuffer in{.ring = -1, .tensor = input};
    const std::int64_t in_bytes = bytes_of(graph, input);
    for (const auto& [tensor, rows] : writes.tensors) {
      add({.ring = -1, .tensor = tensor}, in, distance(layout, rows, reads, in_bytes, debts));
    }
    for (std::size_t ring = 0; ring < writes.rings.size(); ++ring) {
      add({.ring = static_cast<int>(ring), .tensor = kNoTensor}, in,
          distance(layout, writes.rings[ring], reads, in_bytes, debts));
    }
  }
  for (const auto& [tensor, rows] : writes.tensors) {
    for (int ring = 0; ring < std::ssize(layout.rings.rings); ++ring) {
      add({.ring = -1, .tensor = tensor}, {.ring = ring, .tensor = kNoTensor}, distance_to_ring(layout, rows, ring));
    }
  }
  return separations;
}

}  // namespace ripc
