#include "overlap/overlap.h"

#include <algorithm>
#include <limits>

#include "debt/other_layers.h"
#include "graph/movement.h"
#include "graph/reduction.h"
#include "graph/resize.h"
#include "ripc/gap.h"

namespace ripc {
namespace {

const Tensor& tensor_of(const Graph& graph, TensorId id) { return graph.tensors[static_cast<std::size_t>(id)]; }

TapOrder tap_order(const rip_contract& contract) {
  switch (contract.order) {
    case RIP_ROW_DIRECT:
    case RIP_ROW_PLANE:
      return kRowDirect;
    case RIP_PIXEL_DIRECT:
    case RIP_FORWARD_DIRECT:
      return contract.held == INT16_MAX ? kGathered : TapOrder{.row_direct = false, .held_channels = contract.held};
    default:  // RIP_CHANNEL_LOCAL: one group a channel, each written after its own last read
      return kDirectOnOwnTap;
  }
}

bool is_signal(const Op& op, SignalKind kind) {
  const auto* signal = std::get_if<Signal>(&op.kind);
  return signal != nullptr && signal->kind == kind;
}

/// Elements one after another, whatever the image: each is read before it is written.
Layer element_layer(const Graph& graph, const Op& op) {
  Layer layer;
  layer.in_width = element_count(tensor_of(graph, op.output));
  layer.in_scalar = static_cast<std::int64_t>(scalar_bytes(tensor_of(graph, op.inputs[0]).type));
  // A complex number of a spectrum is one element.
  if (is_signal(op, SignalKind::energy)) layer.in_scalar *= 2;
  layer.out_scalar = static_cast<std::int64_t>(scalar_bytes(tensor_of(graph, op.output).type));
  return layer;
}

PixelMap pixel_map(const Graph& graph, const Op& op, const ResizeNearest& resize) {
  const ImageShape in = image_shape(tensor_of(graph, op.inputs[0]));
  const ImageShape out = image_shape(tensor_of(graph, op.output));
  return {.rows = nearest_map(in.height, out.height, resize),
          .columns = nearest_map(in.width, out.width, resize),
          .in_height = in.height,
          .in_width = in.width,
          .channels = in.channels,
          .scalar = static_cast<std::int64_t>(scalar_bytes(tensor_of(graph, op.output).type))};
}

BlockMap block_map(const Graph& graph, const Op& op, const Rearrange& move) {
  const auto scalar = static_cast<std::int64_t>(scalar_bytes(tensor_of(graph, op.output).type));
  const Blocks blocks = blocks_of(move);
  BlockMap map{.axes = {},
               .start = blocks.start * scalar,
               .bytes = blocks.scalars * scalar,
               .in_bytes = byte_count(tensor_of(graph, op.inputs[0]))};
  for (const AxisMap& axis : blocks.axes) {
    std::vector<std::int64_t>& offsets = map.axes.emplace_back();
    for (std::int64_t i = 0; i < axis.extent; ++i) offsets.push_back(offset_of(axis, i) * scalar);
  }
  return map;
}

std::vector<AxisReach> reaches_of(const std::vector<BilinearTaps>& taps) {
  std::vector<AxisReach> reaches;
  for (const BilinearTaps& tap : taps) {
    reaches.push_back({std::min(tap.first, tap.second), std::max(tap.first, tap.second)});
  }
  return reaches;
}

/// Output index i gets input indices j with i = j * stride - pad + tap for a tap below the kernel.
std::vector<AxisReach> reaches_of(const Window& window, std::int64_t in, std::int64_t out) {
  std::vector<AxisReach> reaches;
  for (std::int64_t i = 0; i < out; ++i) {
    const std::int64_t end = i + window.pad_before, begin = std::max<std::int64_t>(0, end - window.kernel + 1);
    const std::int64_t first = (begin + window.stride - 1) / window.stride;
    const std::int64_t last = std::min(in - 1, end / window.stride);
    reaches.push_back(first <= last ? AxisReach{first, last} : AxisReach{-1, -1});
  }
  return reaches;
}

/// Pixels of the first input and of the output, whatever lies between.
Layer pixels_of(const Graph& graph, const Op& op, std::int64_t groups) {
  const Tensor &in = tensor_of(graph, op.inputs[0]), &out = tensor_of(graph, op.output);
  const ImageShape image = image_shape(in);
  Layer layer;
  layer.in_height = image.height;
  layer.in_width = image.width;
  layer.in_channels = image.channels;
  layer.out_channels = image_shape(out).channels;
  layer.groups = groups;
  layer.in_scalar = static_cast<std::int64_t>(scalar_bytes(in.type));
  layer.out_scalar = static_cast<std::int64_t>(scalar_bytes(out.type));
  return layer;
}

/// Scalar after scalar of the output, each from scalars of the input.
ReachMap reach_map(const Graph& graph, const Op& op, const Reduction& axes) {
  ReachMap map{.rows = {{0, 0}}, .columns = {}, .pixel = pixels_of(graph, op, 1)};
  map.pixel.in_width = element_count(tensor_of(graph, op.inputs[0]));
  map.pixel.in_height = map.pixel.in_channels = map.pixel.out_channels = 1;
  const std::int64_t run = axes.second * axes.inner, block = axes.middle * run;
  for (std::int64_t outer = 0; outer < axes.outer; ++outer) {
    for (std::int64_t middle = 0; middle < axes.middle; ++middle) {
      for (std::int64_t inner = 0; inner < axes.inner; ++inner) {
        const std::int64_t first = outer * axes.first * block + middle * run + inner;
        map.columns.push_back({first, first + (axes.first - 1) * block + (axes.second - 1) * axes.inner});
      }
    }
  }
  return map;
}

/// Operators that are no window over their input.
std::optional<ReachMap> reach_map(const Graph& graph, const Op& op) {
  const ImageShape in = image_shape(tensor_of(graph, op.inputs[0])), out = image_shape(tensor_of(graph, op.output));
  if (const auto* resize = std::get_if<ResizeBilinear>(&op.kind)) {
    const bool real = tensor_of(graph, op.output).type == DataType::float32;
    return ReachMap{.rows = reaches_of(bilinear_map(in.height, out.height, *resize, real)),
                    .columns = reaches_of(bilinear_map(in.width, out.width, *resize, real)),
                    .pixel = pixels_of(graph, op, in.channels)};
  }
  if (const auto* conv = std::get_if<TransposeConv2d>(&op.kind)) {
    return ReachMap{.rows = reaches_of(conv->rows, in.height, out.height),
                    .columns = reaches_of(conv->columns, in.width, out.width),
                    .pixel = pixels_of(graph, op, 1)};
  }
  if (const auto axes = reduction_of(graph, op)) return reach_map(graph, op, *axes);
  return std::nullopt;
}

std::optional<std::int64_t> gap_of(const Graph& graph, const Op& op, const rip_contract& contract,
                                   Direction direction) {
  if (contract.order == RIP_ELEMENTWISE) return raw_gap(element_layer(graph, op), direction, kGathered);
  if (const auto* move = std::get_if<Rearrange>(&op.kind)) return raw_gap(block_map(graph, op, *move), direction);
  if (const auto* resize = std::get_if<ResizeNearest>(&op.kind)) {
    return raw_gap(pixel_map(graph, op, *resize), direction, tap_order(contract));
  }
  if (const auto map = reach_map(graph, op)) return raw_gap(*map, direction, tap_order(contract));
  return raw_gap(layer_of(graph, op), direction, tap_order(contract));
}

/// A broadcast input is read again for other elements.
bool is_broadcast(const Graph& graph, const Op& op, TensorId input) {
  if (!std::holds_alternative<Binary>(op.kind) && !is_signal(op, SignalKind::square_root)) return false;
  return element_count(tensor_of(graph, input)) != element_count(tensor_of(graph, op.output));
}

Piece piece_of(const Graph& graph, const Op& op, std::size_t input) {
  const auto scalar = static_cast<std::int64_t>(scalar_bytes(tensor_of(graph, op.output).type));
  const ImageShape made = made_image(graph, op);
  Piece piece{.pixels = made.height * made.width,
              .bytes = piece_scalars(graph, op, op.inputs[input]) * scalar,
              .before = 0,
              .out_bytes = made.channels * scalar};
  for (std::size_t i = 0; i < input; ++i) piece.before += piece_scalars(graph, op, op.inputs[i]) * scalar;
  return piece;
}

OverlapRule rule_of(const Graph& graph, const Op& op, const rip_contract& contract, bool reverse) {
  OverlapRule rule{.reverse = reverse, .inputs = {}};
  for (std::size_t i = 0; i < op.inputs.size(); ++i) {
    const TensorId input = op.inputs[i];
    InputOverlap& overlap = rule.inputs.emplace_back();
    if (contract.order == RIP_DISJOINT || contract.order == RIP_ROW_SUM || is_broadcast(graph, op, input)) continue;
    if (contract.order == RIP_PLANE) {
      overlap.kind = InputOverlap::Kind::tied;
      continue;
    }
    overlap.kind = InputOverlap::Kind::gap;
    const Direction direction = reverse ? Direction::row_reverse : Direction::row_forward;
    if (contract.order == RIP_IN_TURN) {
      overlap.bytes = raw_gap(piece_of(graph, op, i), direction);
      continue;
    }
    // An input that no output reads may lie anywhere: side by side on the far side is the weakest thing to ask.
    const std::int64_t anywhere = -byte_count(tensor_of(graph, reverse ? op.output : input));
    overlap.bytes = gap_of(graph, op, contract, direction).value_or(anywhere);
  }
  return rule;
}

/// Whether the rows of a RIP_ROW_PLANE kernel may be written from the begin of its input on: each pixel lies before
/// what later rows read, and if the row itself reads it, in a column that has been read.
bool rows_fit(const Layer& layer) {
  if (in_pitch(layer) != out_pitch(layer)) return false;
  const std::int64_t height = out_height(layer), width = out_width(layer);
  const auto first_read = [&](std::int64_t row) {
    return std::max<std::int64_t>(0, row * layer.rows.stride - layer.rows.pad_before) * layer.in_width;
  };
  for (std::int64_t row = 0; row < height; ++row) {
    if (row + 1 < height && (row + 1) * width > first_read(row + 1)) return false;
    for (std::int64_t x = 0; x < width; ++x) {
      const std::int64_t pixel = row * width + x;
      if (pixel >= first_read(row) && pixel % layer.in_width > x) return false;
    }
  }
  return true;
}

}  // namespace

std::vector<OverlapRule> overlap_rules(const Graph& graph, const Op& op, const rip_contract& contract) {
  std::vector<OverlapRule> rules{rule_of(graph, op, contract, false)};
  if (contract.order != RIP_DISJOINT && contract.order != RIP_PLANE && contract.order != RIP_FORWARD_DIRECT)
    rules.push_back(rule_of(graph, op, contract, true));
  if (contract.order == RIP_ROW_PLANE && rows_fit(layer_of(graph, op))) {
    rules.push_back({.reverse = false, .inputs = {InputOverlap{.kind = InputOverlap::Kind::tied}}});
  }
  return rules;
}

std::map<TensorId, InputOverlap> overlaps_by_storage(const Graph& graph, const Op& op, const OverlapRule& rule) {
  std::map<TensorId, InputOverlap> overlaps;
  for (std::size_t i = 0; i < op.inputs.size(); ++i) {
    const auto [place, fresh] = overlaps.try_emplace(storage_of(graph, op.inputs[i]), rule.inputs[i]);
    if (fresh) continue;
    InputOverlap& strictest = place->second;
    if (strictest.kind != rule.inputs[i].kind) {
      strictest.kind = InputOverlap::Kind::disjoint;
    } else {
      strictest.bytes = std::max(strictest.bytes, rule.inputs[i].bytes);
    }
  }
  return overlaps;
}

}  // namespace ripc
