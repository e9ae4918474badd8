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

Writes writes_of(const StageLayout& layout) {
  Writes writes;
  writes.rings.resize(layout.rings.rings.size());
  for (std::size_t time = 0; time < layout.steps.size(); ++time) {
    const RowStep& step = layout.steps[time];
    const bool source = step.op == kSourceRows;
    const RowPlace& place = source ? layout.rings.source : layout.rings.places[index(step.op)];
    const std::int64_t bytes = source ? layout.flow.source_row_bytes : layout.flow.ops[index(step.op)].row_bytes;
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
  RowDebts(const Graph& graph, const StageLayout& layout) {
    for (std::size_t i = 0; i < layout.flow.ops.size(); ++i) {
      debts_.push_back(debt(graph, layout.flow.ops[i], *layout.contracts[i], layout.flow.reverse));
    }
  }

  /// For an input whose rows are read one by one, or as windows.
  std::int64_t at(int op) const { return debts_[index(op)]; }

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

  std::vector<std::int64_t> debts_;
};

/// What a dying tensor still holds that later steps read.
class Reads {
 public:
  Reads(const Graph& graph, const StageLayout& layout, TensorId tensor)
      : layout_(layout),
        tensor_(tensor),
        row_bytes_(bytes_of(graph, tensor) / image_shape(graph.tensors[index(tensor)]).height),
        first_row_(layout.steps.size() + 1, kNone) {
    for (std::size_t time = layout.steps.size(); time-- > 0;) {
      const std::optional<std::int64_t> row = row_read(layout.steps[time]);
      first_row_[time] = std::min(first_row_[time + 1], row.value_or(kNone));
    }
  }

  /// The lowest byte that a step after `time` reads, if any.
  std::optional<std::int64_t> next_live(std::int64_t time) const {
    const std::int64_t row = first_row_[index(time) + 1];
    if (row == kNone) return std::nullopt;
    return row * row_bytes_;
  }

  /// The lowest byte that the step itself reads, if any.
  std::optional<std::int64_t> own(std::int64_t time) const {
    const auto row = row_read(layout_.steps[index(time)]);
    if (!row) return std::nullopt;
    return *row * row_bytes_;
  }

 private:
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

  std::optional<std::int64_t> row_read(const RowStep& step) const {
    if (step.op == kSourceRows) return std::nullopt;
    std::optional<std::int64_t> first;
    for (const FlowRead& read : layout_.flow.ops[index(step.op)].reads) {
      if (read.producer != kOutside || read.tensor != tensor_) continue;
      const RowTaps& taps = (*read.taps)[index(step.row)];
      if (!taps.empty()) first = std::min(first.value_or(kNone), taps.first);
    }
    return first;
  }

  const StageLayout& layout_;
  TensorId tensor_;
  std::int64_t row_bytes_;
  std::vector<std::int64_t> first_row_;  // by time: the first row that it or a later step reads
};

/// Least distance from the start of what is written up to the start of what is read.
std::int64_t distance(const StageLayout& layout, const std::vector<Write>& writes, const Reads& reads,
                      std::int64_t in_bytes, const RowDebts& debts) {
  std::int64_t bytes = -in_bytes;
  for (const Write& write : writes) {
    if (const auto next = reads.next_live(write.time)) bytes = std::max(bytes, write.end - *next);
    const int op = layout.steps[index(write.time)].op;
    if (op == kSourceRows) continue;
    if (const auto own = reads.own(write.time)) bytes = std::max(bytes, write.begin + debts.at(op) - *own);
  }
  return bytes;
}

/// Least distance from the start of an output up to that of a ring above it.
std::int64_t distance_to_ring(const StageLayout& layout, const std::vector<Write>& output, int ring) {
  std::vector<std::int64_t> last_use(index(layout.rings.rings[index(ring)].slots), -1);
  const auto use = [&](const RowPlace& place, const RowTimes& times) {
    if (place.ring != ring) return;
    for (std::size_t row = 0; row < times.last.size(); ++row) {
      const std::int64_t slot = place.first_slot + static_cast<std::int64_t>(row) * place.slot_step;
      auto& last = last_use[index(modulo(slot, std::ssize(last_use)))];
      last = std::max(last, times.last[row]);
    }
  };
  for (std::size_t op = 0; op < layout.rings.places.size(); ++op) use(layout.rings.places[op], layout.times.ops[op]);
  use(layout.rings.source, layout.times.source);

  std::vector<std::int64_t> written{0};  // bytes of the output, by writes
  for (const Write& write : output) written.push_back(std::max(written.back(), write.end));

  const std::int64_t slot_bytes = layout.rings.rings[index(ring)].slot_bytes;
  std::int64_t bytes = -slot_bytes * std::ssize(last_use);
  for (std::int64_t slot = 0; slot < std::ssize(last_use); ++slot) {
    const auto after = std::ranges::upper_bound(output, last_use[index(slot)], {}, &Write::time);
    bytes = std::max(bytes, written[index(after - output.begin())] - slot * slot_bytes);
  }
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
