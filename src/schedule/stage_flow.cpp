#include "schedule/stage_flow.h"

#include <algorithm>

namespace ripc {
namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

std::int64_t height_of(const Graph& graph, TensorId id) { return image_shape(graph.tensors[index(id)]).height; }

std::int64_t row_bytes_of(const Graph& graph, TensorId id) {
  const Tensor& tensor = graph.tensors[index(id)];
  return byte_count(tensor) / image_shape(tensor).height;
}

/// The first tap of the first window along an axis, real or not, from the end at which the stage begins.
std::int64_t first_tap(const Window& window, std::int64_t in, std::int64_t out, bool reverse) {
  const std::int64_t reach = (out - 1) * window.stride + effective_kernel(window);
  return reverse ? in + window.pad_before - reach : -window.pad_before;
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

}  // namespace

FlowTables::FlowTables(const Graph& graph, const std::vector<bool>& sums) : graph_(graph) {
  for (std::size_t id = 0; id < graph.ops.size(); ++id) {
    const Op& op = graph.ops[id];
    auto &forward = forward_.emplace_back(), &reverse = reverse_.emplace_back();
    for (std::size_t input = 0; input < op.inputs.size(); ++input) {
      const bool one_by_one = !sums.empty() && sums[id];
      forward.push_back(one_by_one ? each_row(height_of(graph, op.inputs[input])) : row_taps(graph, op, input));
      reverse.push_back(mirrored(forward.back(), height_of(graph, op.inputs[input])));
    }
  }
}

StageFlow FlowTables::flow(std::span<const OpId> ops, const std::vector<bool>& stored, bool reverse,
                           TensorId streamed) const {
  StageFlow flow{.ops = {}, .reverse = reverse, .streamed = streamed, .source_rows = 0};
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
    made.steps = op.inputs.empty() ? made.rows : std::ssize(forward_[index(id)].front());
    made.stored = stored[index(made.output)];
    made.row_bytes = row_bytes_of(graph_, made.output);
    set_window(graph_, op, reverse, made);
    for (std::size_t input = 0; input < op.inputs.size(); ++input) {
      const TensorId tensor = storage_of(graph_, op.inputs[input]);
      if (graph_.tensors[index(tensor)].constant) continue;
      made.reads.push_back({.producer = producer_of(tensor),
                            .tensor = tensor,
                            .taps = &(reverse ? reverse_ : forward_)[index(id)][input]});
    }
    flow.ops.push_back(std::move(made));
  }
  mark_eager(flow);
  return flow;
}

}  // namespace ripc
