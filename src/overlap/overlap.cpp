#include "overlap/overlap.h"

#include <algorithm>
#include <limits>

#include "debt/other_layers.h"
#include "graph/movement.h"
#include "graph/resize.h"
#include "ripc/gap.h"

namespace ripc {
namespace {

const Tensor& tensor_of(const Graph& graph, TensorId id) { return graph.tensors[static_cast<std::size_t>(id)]; }

TapOrder tap_order(const rip_contract& contract) {
  switch (contract.order) {
    case RIP_ROW_DIRECT:
      return kRowDirect;
    case RIP_PIXEL_DIRECT:
      return contract.held == INT16_MAX ? kGathered : TapOrder{.row_direct = false, .held_channels = contract.held};
    default:  // RIP_CHANNEL_LOCAL: one group a channel, each written after its own last read
      return kDirectOnOwnTap;
  }
}

/// Elements one after another, whatever the image: each is read before it is written.
Layer element_layer(const Graph& graph, const Op& op) {
  Layer layer;
  layer.in_width = element_count(tensor_of(graph, op.output));
  layer.in_scalar = static_cast<std::int64_t>(scalar_bytes(tensor_of(graph, op.inputs[0]).type));
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

std::optional<std::int64_t> gap_of(const Graph& graph, const Op& op, const rip_contract& contract,
                                   Direction direction) {
  if (contract.order == RIP_ELEMENTWISE) return raw_gap(element_layer(graph, op), direction, kGathered);
  if (const auto* move = std::get_if<Rearrange>(&op.kind)) return raw_gap(block_map(graph, op, *move), direction);
  if (const auto* resize = std::get_if<ResizeNearest>(&op.kind)) {
    return raw_gap(pixel_map(graph, op, *resize), direction, tap_order(contract));
  }
  return raw_gap(layer_of(graph, op), direction, tap_order(contract));
}

/// A broadcast input is read again for other elements.
bool is_broadcast(const Graph& graph, const Op& op, TensorId input) {
  return std::holds_alternative<Binary>(op.kind) &&
         element_count(tensor_of(graph, input)) != element_count(tensor_of(graph, op.output));
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
    if (contract.order == RIP_DISJOINT || is_broadcast(graph, op, input)) continue;
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

}  // namespace

std::vector<OverlapRule> overlap_rules(const Graph& graph, const Op& op, const rip_contract& contract) {
  std::vector<OverlapRule> rules{rule_of(graph, op, contract, false)};
  if (contract.order != RIP_DISJOINT && contract.order != RIP_PLANE)
    rules.push_back(rule_of(graph, op, contract, true));
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
