// Operators as windowed layers, and the counts that follow.
#include <stdexcept>

#include "graph/graph.h"
#include "graph/movement.h"
#include "graph/reduction.h"
#include "graph/steps.h"

namespace ripc {
namespace {

const Tensor& tensor_of(const Graph& graph, TensorId id) { return graph.tensors[static_cast<std::size_t>(id)]; }

/// The layer of an operator whose output has one row for each window position.
struct LayerOf {
  const Graph& graph;
  const Op& op;

  /// A layer of those windows between the first input and the output, scalars as their types say.
  Layer windowed(const Window& rows, const Window& columns, std::int64_t groups) const {
    const Tensor& in = tensor_of(graph, op.inputs.at(0));
    const Tensor& out = tensor_of(graph, op.output);
    const ImageShape image = image_shape(in);
    Layer layer;
    layer.rows = rows;
    layer.columns = columns;
    layer.in_height = image.height;
    layer.in_width = image.width;
    layer.in_channels = image.channels;
    layer.out_channels = image_shape(out).channels;
    layer.groups = groups;
    layer.in_scalar = static_cast<std::int64_t>(scalar_bytes(in.type));
    layer.out_scalar = static_cast<std::int64_t>(scalar_bytes(out.type));
    return layer;
  }

  /// A 1x1 layer with one group a channel. The output's shape counts: a broadcast input is smaller.
  Layer elementwise() const {
    const ImageShape image = image_shape(tensor_of(graph, op.output));
    Layer layer = windowed({}, {}, image.channels);
    layer.in_height = image.height;
    layer.in_width = image.width;
    layer.in_channels = image.channels;
    return layer;
  }

  [[noreturn]] Layer none() const { throw std::logic_error(std::string(kind_name(op)) + " has no windowed geometry"); }

  Layer operator()(const Conv2d& conv) const { return windowed(conv.rows, conv.columns, conv.groups); }
  Layer operator()(const DepthwiseConv2d& conv) const {
    return windowed(conv.rows, conv.columns, image_shape(tensor_of(graph, op.inputs.at(0))).channels);
  }
  Layer operator()(const FullyConnected&) const { return vectors(); }
  Layer operator()(const Lstm&) const { return vectors(); }
  Layer operator()(const Svdf&) const { return vectors(); }
  Layer operator()(const Signal&) const { return vectors(); }
  Layer operator()(const Copy&) const { return elementwise(); }

  /// 1x1 over one row of vectors.
  Layer vectors() const {
    const Tensor& out = tensor_of(graph, op.output);
    Layer layer = windowed({}, {}, 1);
    layer.in_height = 1;
    layer.in_width = element_count(out) / layer.out_channels;
    layer.in_channels = element_count(tensor_of(graph, op.inputs.at(0))) / layer.in_width;
    return layer;
  }
  Layer operator()(const Pool2d& pool) const {
    return windowed(pool.rows, pool.columns, image_shape(tensor_of(graph, op.output)).channels);
  }
  Layer operator()(const Mean&) const {
    const ImageShape image = image_shape(tensor_of(graph, op.inputs.at(0)));
    return windowed({.kernel = image.height}, {.kernel = image.width}, image.channels);
  }
  Layer operator()(const Pad& pad) const {
    const bool spatial = pad.before[2] == 0 && pad.after[2] == 0;
    return windowed({.pad_before = pad.before[0], .pad_after = pad.after[0]},
                    {.pad_before = pad.before[1], .pad_after = pad.after[1]},
                    spatial ? image_shape(tensor_of(graph, op.output)).channels : 1);
  }
  Layer operator()(const Unary&) const { return elementwise(); }
  Layer operator()(const Binary&) const { return elementwise(); }
  Layer operator()(const Quantize&) const { return elementwise(); }
  Layer operator()(const Dequantize&) const { return elementwise(); }
  Layer operator()(const Cast&) const { return elementwise(); }
  Layer operator()(const Clamp&) const { return elementwise(); }
  Layer operator()(const Reshape&) const { none(); }
  Layer operator()(const Load&) const { none(); }
  Layer operator()(const Softmax&) const { none(); }
  Layer operator()(const ResizeNearest&) const { none(); }
  Layer operator()(const Concat&) const { none(); }
  Layer operator()(const ResizeBilinear&) const { none(); }
  Layer operator()(const TransposeConv2d&) const { none(); }
  Layer operator()(const Reduce&) const { none(); }
  Layer operator()(const ArgExtreme&) const { none(); }
  Layer operator()(const L2Normalize&) const { none(); }
  Layer operator()(const Rearrange&) const { none(); }
};

}  // namespace

Layer layer_of(const Graph& graph, const Op& op) { return std::visit(LayerOf{graph, op}, op.kind); }

std::int64_t piece_scalars(const Graph& graph, const Op& concat, TensorId tensor) {
  const ImageShape made = made_image(graph, concat);
  return element_count(tensor_of(graph, tensor)) / (made.height * made.width);
}

ImageShape made_image(const Graph& graph, const Op& op) {
  const Tensor& out = tensor_of(graph, op.output);
  const ImageShape image = image_shape(out);
  if (std::holds_alternative<FullyConnected>(op.kind) || own_state(op) != kNoState) {
    return {1, image.height * image.width, image.channels};
  }
  if (const auto axes = reduction_of(graph, op)) return {axes->outer * axes->middle, axes->inner, 1};
  if (const auto* move = std::get_if<Rearrange>(&op.kind)) {
    const Blocks blocks = blocks_of(*move);
    return {1, blocks.count, blocks.scalars};
  }
  const auto* concat = std::get_if<Concat>(&op.kind);
  if (concat == nullptr || concat->axis + 1 == static_cast<std::int64_t>(out.shape.size())) return image;
  std::int64_t before = 1;
  for (std::size_t i = 0; i < static_cast<std::size_t>(concat->axis); ++i) before *= out.shape[i];
  return {1, before, element_count(out) / before};
}

std::int64_t row_count(const Graph& graph, const Op& op) { return made_image(graph, op).height; }

std::int64_t mac_count(const Graph& graph, const Op& op) {
  if (own_state(op) != kNoState) {
    // Weights see every step; those of an LSTM's hidden vector and of an SVDF's memory are among them, its bias not.
    const auto& constants = std::visit(
        [](const auto& kind) {
          if constexpr (requires { kind.constants; }) return kind.constants;
          return std::vector<TensorId>{};
        },
        op.kind);
    std::int64_t products = 0;
    for (const TensorId id : constants) {
      if (tensor_of(graph, id).shape.size() == 2) products += element_count(tensor_of(graph, id));
    }
    return products * layer_of(graph, op).in_width;
  }
  if (const auto* conv = std::get_if<TransposeConv2d>(&op.kind)) {
    const Tensor& weights = tensor_of(graph, conv->weights);
    const ImageShape in = image_shape(tensor_of(graph, op.inputs.at(0)));
    return in.height * in.width * element_count(weights);
  }
  const bool weighted = std::holds_alternative<Conv2d>(op.kind) || std::holds_alternative<DepthwiseConv2d>(op.kind) ||
                        std::holds_alternative<FullyConnected>(op.kind);
  if (!weighted) return 0;
  const Layer layer = layer_of(graph, op);
  const std::int64_t taps = layer.rows.kernel * layer.columns.kernel * (layer.in_channels / layer.groups);
  return element_count(tensor_of(graph, op.output)) * taps;
}

}  // namespace ripc
