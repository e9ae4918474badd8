// Small networks with random weights, built operator by operator.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph.h"

namespace ripc::test {

/// Builds a valid graph. Every add function returns the output tensor; scales are chosen so that random inputs rarely
/// saturate.
class GraphBuilder {
 public:
  explicit GraphBuilder(std::uint32_t seed = 1) : state_(seed * 2654435761U + 1U) { graph_.name = "test"; }

  TensorId input(const ImageShape& image) {
    const TensorId id = add_tensor({1, image.height, image.width, image.channels}, one_scale(0.05F, number(-20, 20)));
    graph_.inputs.push_back(id);
    return id;
  }

  TensorId float_input(const ImageShape& image) {
    const TensorId id = add_tensor({1, image.height, image.width, image.channels}, {}, DataType::float32);
    graph_.inputs.push_back(id);
    return id;
  }

  TensorId conv(TensorId in, std::int64_t channels, const Window& rows, const Window& columns,
                Activation activation = Activation::none, std::int64_t groups = 1) {
    const ImageShape image = image_shape(tensor(in));
    Conv2d kind{.rows = rows, .columns = columns, .groups = groups, .activation = activation};
    const std::int64_t depth = image.channels / groups;
    const Quantization out =
        add_weights(kind, in, {channels, rows.kernel, columns.kernel, depth}, 0, rows.kernel * columns.kernel * depth);
    return add_op(kind, {in}, {1, output_extent(rows, image.height), output_extent(columns, image.width), channels},
                  out);
  }

  TensorId depthwise(TensorId in, const Window& rows, const Window& columns, std::int64_t multiplier = 1,
                     Activation activation = Activation::none) {
    const ImageShape image = image_shape(tensor(in));
    DepthwiseConv2d kind{.rows = rows, .columns = columns, .multiplier = multiplier, .activation = activation};
    const std::int64_t channels = image.channels * multiplier;
    const Quantization out =
        add_weights(kind, in, {1, rows.kernel, columns.kernel, channels}, 3, rows.kernel * columns.kernel);
    return add_op(kind, {in}, {1, output_extent(rows, image.height), output_extent(columns, image.width), channels},
                  out);
  }

  /// The whole input is one vector.
  TensorId fully_connected(TensorId in, std::int64_t channels, Activation activation = Activation::none) {
    FullyConnected kind{.activation = activation};
    const std::int64_t features = element_count(tensor(in));
    const Quantization out = add_weights(kind, in, {channels, features}, -1, features);
    return add_op(kind, {in}, {1, channels}, out);
  }

  TensorId pool(PoolKind pool_kind, TensorId in, const Window& rows, const Window& columns) {
    const ImageShape image = image_shape(tensor(in));
    Pool2d kind{.kind = pool_kind, .rows = rows, .columns = columns};
    return add_op(kind, {in},
                  {1, output_extent(rows, image.height), output_extent(columns, image.width), image.channels},
                  tensor(in).quantization);
  }

  TensorId add(TensorId a, TensorId b, Activation activation = Activation::none) {
    const bool first = element_count(tensor(a)) >= element_count(tensor(b));
    return add_op(Binary{.activation = activation}, {a, b}, tensor(first ? a : b).shape,
                  one_scale(1.3F * (scale(a) + scale(b)), number(-10, 10)));
  }

  TensorId logistic(TensorId in) { return add_op(Unary{}, {in}, tensor(in).shape, one_scale(1.0F / 256.0F, -128)); }

  /// `shape`: of the output, to which both are broadcast.
  TensorId multiply(TensorId a, TensorId b, std::vector<std::int64_t> shape) {
    return add_op(Binary{.kind = BinaryKind::multiply}, {a, b}, std::move(shape),
                  one_scale(20.0F * scale(a) * scale(b), number(-10, 10)));
  }

  TensorId mean(TensorId in) {
    return add_op(Mean{}, {in}, {1, 1, 1, image_shape(tensor(in)).channels}, one_scale(scale(in) / 3, number(-10, 10)));
  }

  TensorId pad(TensorId in, const Pad& kind) {
    const ImageShape image = image_shape(tensor(in));
    return add_op(kind, {in},
                  {1, kind.before[0] + image.height + kind.after[0], kind.before[1] + image.width + kind.after[1],
                   kind.before[2] + image.channels + kind.after[2]},
                  tensor(in).quantization);
  }

  /// Along the channels, at the quantisation of the first input.
  TensorId concat(const std::vector<TensorId>& inputs) {
    std::vector<std::int64_t> shape = tensor(inputs[0]).shape;
    shape.back() = 0;
    for (const TensorId input : inputs) shape.back() += tensor(input).shape.back();
    return add_op(Concat{.axis = static_cast<std::int64_t>(shape.size()) - 1}, inputs, shape,
                  tensor(inputs[0]).quantization);
  }

  /// Channels `begin` and after of every pixel.
  TensorId slice(TensorId in, std::int64_t begin, std::int64_t channels) {
    const ImageShape image = image_shape(tensor(in));
    Rearrange move{.name = "STRIDED_SLICE",
                   .start = begin,
                   .axes = {{image.height * image.width, image.channels, {}}, {channels, 1, {}}}};
    return add_op(std::move(move), {in}, {1, image.height, image.width, channels}, tensor(in).quantization);
  }

  TensorId reshape(TensorId in, std::vector<std::int64_t> shape) {
    return add_op(Reshape{}, {in}, std::move(shape), tensor(in).quantization, tensor(in).type);
  }

  TensorId softmax(TensorId in) { return add_op(Softmax{}, {in}, tensor(in).shape, one_scale(1.0F / 256.0F, -128)); }

  TensorId resize(TensorId in, std::int64_t height, std::int64_t width, const ResizeNearest& kind = {}) {
    return add_op(kind, {in}, {1, height, width, image_shape(tensor(in)).channels}, tensor(in).quantization);
  }

  /// Same quantisation as the input.
  TensorId clamp(TensorId in, Activation activation) {
    return add_op(Clamp{activation}, {in}, tensor(in).shape, tensor(in).quantization);
  }

  TensorId quantize(TensorId in) {
    return add_op(Quantize{}, {in}, tensor(in).shape, one_scale(0.04F, number(-20, 20)));
  }

  TensorId dequantize(TensorId in) { return add_op(Dequantize{}, {in}, tensor(in).shape, {}, DataType::float32); }

  Tensor& tensor(TensorId id) { return graph_.tensors[static_cast<std::size_t>(id)]; }
  Op& op(std::size_t index) { return graph_.ops[index]; }

  Graph finish(std::vector<TensorId> outputs) {
    graph_.outputs = std::move(outputs);
    return graph_;
  }

  /// Uniform, both ends included.
  std::int32_t number(std::int32_t least, std::int32_t most) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return least + static_cast<std::int32_t>(state_ % static_cast<std::uint32_t>(most - least + 1));
  }

 private:
  static Quantization one_scale(float scale, std::int32_t zero_point) { return {{scale}, {zero_point}, 0}; }

  float scale(TensorId id) { return tensor(id).quantization.scale[0]; }

  TensorId add_tensor(std::vector<std::int64_t> shape, Quantization quantization, DataType type = DataType::int8) {
    Tensor tensor;
    tensor.source = static_cast<int>(graph_.tensors.size());
    tensor.name = "t" + std::to_string(tensor.source);
    tensor.type = type;
    tensor.shape = std::move(shape);
    tensor.quantization = std::move(quantization);
    graph_.tensors.push_back(std::move(tensor));
    return static_cast<TensorId>(graph_.tensors.size()) - 1;
  }

  TensorId add_op(OpKind kind, std::vector<TensorId> inputs, std::vector<std::int64_t> shape, Quantization quantization,
                  DataType type = DataType::int8) {
    Op op;
    op.kind = std::move(kind);
    op.inputs = std::move(inputs);
    op.output = add_tensor(std::move(shape), std::move(quantization), type);
    op.source = static_cast<int>(graph_.ops.size());
    graph_.ops.push_back(std::move(op));
    return graph_.ops.back().output;
  }

  TensorId add_constant(std::vector<std::int64_t> shape, Quantization quantization, DataType type,
                        std::vector<std::byte> data) {
    const TensorId id = add_tensor(std::move(shape), std::move(quantization), type);
    tensor(id).constant = true;
    tensor(id).data = std::move(data);
    return id;
  }

  /// Random weights with one scale an index of `axis` (one for all if it is -1) and a random bias; returns a
  /// quantisation that the sums of `taps` products fit.
  template <typename Kind>
  Quantization add_weights(Kind& kind, TensorId in, const std::vector<std::int64_t>& shape, int axis,
                           std::int64_t taps) {
    Quantization scales;
    const std::int64_t count = axis < 0 ? 1 : shape[static_cast<std::size_t>(axis)];
    for (std::int64_t i = 0; i < count; ++i) scales.scale.push_back(0.001F * static_cast<float>(number(10, 20)));
    scales.zero_point.assign(scales.scale.size(), 0);
    scales.axis = axis < 0 ? 0 : axis;
    std::int64_t bytes = 1;
    for (const std::int64_t extent : shape) bytes *= extent;
    std::vector<std::byte> weights(static_cast<std::size_t>(bytes));
    for (std::byte& weight : weights) weight = static_cast<std::byte>(number(-127, 127));
    kind.weights = add_constant(shape, scales, DataType::int8, std::move(weights));

    const std::int64_t channels = axis < 0 ? shape[0] : count;
    std::vector<std::byte> bias(static_cast<std::size_t>(4 * channels));
    for (std::int64_t i = 0; i < channels; ++i) {
      const std::int32_t value = number(-2000, 2000);
      std::memcpy(bias.data() + 4 * i, &value, 4);
    }
    kind.bias = add_constant({channels}, {}, DataType::int32, std::move(bias));
    const float spread = 100.0F * std::sqrt(static_cast<float>(taps));
    return one_scale(scale(in) * 0.015F * spread, number(-20, 20));
  }

  Graph graph_;
  std::uint32_t state_;
};

/// Expand, depthwise, project, sum, pool, classify: the operators of a small classifier, one of each.
inline Graph chain_graph(std::uint32_t seed = 1) {
  GraphBuilder builder(seed);
  const Window one{}, three{.kernel = 3, .pad_before = 1, .pad_after = 1};
  const Window halving{.kernel = 3, .stride = 2, .pad_before = 0, .pad_after = 1};
  const TensorId image = builder.input({12, 16, 3});
  const TensorId stem = builder.conv(image, 8, halving, halving, Activation::relu6);
  const TensorId expand = builder.conv(stem, 24, one, one, Activation::relu);
  const TensorId depth = builder.depthwise(expand, three, three, 1, Activation::relu6);
  const TensorId project = builder.conv(depth, 8, one, one);
  const TensorId sum = builder.add(stem, project);
  const TensorId pooled = builder.pool(PoolKind::average, sum, {.kernel = 2, .stride = 2}, {.kernel = 2, .stride = 2});
  const TensorId flat = builder.reshape(builder.mean(pooled), {1, 8});
  return builder.finish({builder.softmax(builder.fully_connected(flat, 5))});
}

}  // namespace ripc::test
