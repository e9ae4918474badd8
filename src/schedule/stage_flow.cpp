#include "schedule/stage_flow.h"

#include <algorithm>

namespace ripc {
namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

std::int64_t height_of(const Graph& graph, TensorId id) { return image_shape(graph.tensors[index(id)]).height; }

std::int64_t width_of(const Graph& graph, TensorId id) { return image_shape(graph.tensors[index(id)]).width; }

std::int64_t row_bytes_of(const Graph& graph, TensorId id) {
  const Tensor& tensor = graph.tensors[index(id)];
  return byte_count(tensor) / image_shape(tensor).height;
}

/// The first tap of the first window along an axis, real or not, from the end at which the stage begins.
std::int64_t first_tap(const Window& window, std::int64_t in, std::int64_t out, bool reverse) {
  const std::int64_t reach = (out - 1) * window.stride + effective_kernel(window);
  return reverse ? in + window.pad_before - reach : -window.pad_before;
}

std::int64_t reach_of(const Graph& graph, const Op& op) {
  const bool windowed = std::holds_alternative<Conv2d>(op.kind) || std::holds_alternative<DepthwiseConv2d>(op.kind) ||
                        std::holds_alternative<Pool2d>(op.kind);
  return windowed ? effective_kernel(layer_of(graph, op).columns) - 1 : 0;
}

/// Where the windows of depthwise and pooling layers begin. Output pixel x lies on input pixel x, which outputs after
/// it may still read.
void set_window(const Graph& graph, const Op& op, bool reverse, FlowOp& made) {
  if (!std::holds_alternative<DepthwiseConv2d>(op.kind) && !std::holds_alternative<Pool2d>(op.kind)) return;
  const Layer layer = layer_of(graph, op);
  const std::int64_t width = out_width(layer);
  made.window_first = first_tap(layer.rows, layer.in_height, made.rows, reverse);
  made.window_stride = layer.rows.stride;
  const std::int64_t first = first_tap(layer.columns, layer.in_width, width, reverse);
  for (std::int64_t x = 1; x < width; ++x) {
    made.delay = std::max(made.delay, x - std::max<std::int64_t>(0, first + x * layer.columns.stride));
  }
}

/// Marks the operators that the last one does not depend on.
void mark_eager(StageFlow& flow) {
  for (FlowOp& op : flow.ops) op.eager = true;
  flow.ops.back().eager = false;
  for (std::size_t i = flow.ops.size(); i-- > 0;) {
    if (flow.ops[i].eager) continue;
    for (const FlowRead& read : flow.ops[i].reads) {
      if (read.producer >= 0) flow.ops[index(read.producer)].eager = false;
    }
  }
}

/// Step k reads row k.
std::vector<RowTaps> each_row(std::int64_t rows) {
  std::vector<RowTaps> taps;
  for (std::int64_t row = 0; row < rows; ++row) taps.push_back({.first = row, .last = row});
  return taps;
}

RowBlocks blocks_of(std::int64_t width, std::int64_t blocks) {
  return {.width = width, .pixels = block_pixels(width, blocks), .count = blocks_of_row(width, blocks)};
}

/// What the blocks of an output row read of an input row, counted from the side at which the stage begins. `taps`: of
/// each pixel from the left; empty: a row in one piece reads a whole row.
std::vector<RowTaps> block_columns(const std::vector<RowTaps>& taps, const RowBlocks& made, std::int64_t in_width,
                                   bool reverse) {
  if (made.count == 1) return {{.first = 0, .last = in_width - 1}};
  std::vector<RowTaps> columns(index(made.count));
  for (std::int64_t x = 0; x < made.width; ++x) {
    RowTaps own = taps[index(reverse ? made.width - 1 - x : x)];
    if (own.empty()) continue;
    if (reverse) own = {.first = in_width - 1 - own.last, .last = in_width - 1 - own.first};
    RowTaps& block = columns[index(x / made.pixels)];
    const bool fresh = block.empty();
    block.first = fresh ? own.first : std::min(block.first, own.first);
    block.last = fresh ? own.last : std::max(block.last, own.last);
  }
  return columns;
}

}  // namespace

FlowTables::FlowTables(const Graph& graph, const std::vector<bool>& sums)
    : graph_(graph), sums_(sums.empty() ? std::vector<bool>(graph.ops.size(), false) : sums) {
  for (std::size_t id = 0; id < graph.ops.size(); ++id) {
    const Op& op = graph.ops[id];
    auto &forward = forward_.emplace_back(), &reverse = reverse_.emplace_back(), &columns = columns_.emplace_back();
    for (std::size_t input = 0; input < op.inputs.size(); ++input) {
      const bool one_by_one = sums_[id];
      forward.push_back(one_by_one ? each_row(height_of(graph, op.inputs[input])) : row_taps(graph, op, input));
      reverse.push_back(mirrored(forward.back(), height_of(graph, op.inputs[input])));
      columns.push_back(column_taps(graph, op, input));
    }
  }
}

StageFlow FlowTables::flow(std::span<const OpId> ops, const std::vector<bool>& stored, bool reverse, TensorId streamed,
                           std::int64_t blocks) const {
  StageFlow flow{.ops = {}, .reverse = reverse, .blocks = blocks, .streamed = streamed, .source_rows = 0};
  if (streamed != kNoTensor) {
    flow.source_rows = height_of(graph_, streamed);
    flow.source_row_bytes = row_bytes_of(graph_, streamed);
  }
  const auto producer_of = [&](TensorId tensor) {
    if (tensor == streamed) return kSourceRows;
    for (std::size_t i = flow.ops.size(); i-- > 0;) {
      if (flow.ops[i].output == tensor) return static_cast<int>(i);
    }
    return kOutside;
  };
  for (const OpId id : ops) {
    const Op& op = graph_.ops[index(id)];
    FlowOp made{.op = id, .output = storage_of(graph_, op.output), .rows = row_count(graph_, op), .reads = {}};
    made.blocks = blocks_of(width_of(graph_, made.output), blocks);
    made.steps = (op.inputs.empty() ? made.rows : std::ssize(forward_[index(id)].front())) * made.blocks.count;
    made.stored = stored[index(made.output)];
    made.row_bytes = row_bytes_of(graph_, made.output);
    made.scalar_bytes = static_cast<std::int64_t>(scalar_bytes(graph_.tensors[index(made.output)].type));
    made.reach = reach_of(graph_, op);
    set_window(graph_, op, reverse, made);
    for (std::size_t input = 0; input < op.inputs.size(); ++input) {
      const TensorId tensor = storage_of(graph_, op.inputs[input]);
      if (graph_.tensors[index(tensor)].constant) continue;
      const std::int64_t width = width_of(graph_, tensor);
      made.reads.push_back({.producer = producer_of(tensor),
                            .tensor = tensor,
                            .taps = &(reverse ? reverse_ : forward_)[index(id)][input],
                            .columns = block_columns(columns_[index(id)][input], made.blocks, width, reverse),
                            .blocks = blocks_of(width, tensor == streamed ? 1 : blocks)});
    }
    flow.ops.push_back(std::move(made));
  }
  mark_eager(flow);
  return flow;
}

bool FlowTables::can_divide(OpId op) const {
  const Op& divided = graph_.ops[index(op)];
  if (sums_[index(op)]) return false;
  for (std::size_t input = 0; input < divided.inputs.size(); ++input) {
    const bool constant = graph_.tensors[index(storage_of(graph_, divided.inputs[input]))].constant;
    if (!constant && columns_[index(op)][input].empty()) return false;
  }
  return true;
}

}  // namespace ripc
