// Small networks with random weights, for tests that run them.
#pragma once

#include <cstdint>
#include <random>

#include "graph/graph.h"

namespace ripc::test {

/// Adds operators to a graph, each with random weights and an output scale that keeps values in range. Padding is SAME.
class NetworkBuilder {
 public:
  explicit NetworkBuilder(std::uint32_t seed) : random_(seed) { graph_.name = "network"; }

  TensorId input(std::int64_t height, std::int64_t width, std::int64_t channels);
  TensorId float_input(std::int64_t height, std::int64_t width, std::int64_t channels);
  TensorId conv(TensorId in, std::int64_t channels, std::int64_t kernel, std::int64_t stride,
                Activation activation = Activation::relu);
  TensorId depthwise(TensorId in, std::int64_t kernel, std::int64_t stride, Activation activation = Activation::relu);
  TensorId add(TensorId a, TensorId b);
  TensorId max_pool(TensorId in, std::int64_t kernel, std::int64_t stride);
  TensorId pad(TensorId in, std::int64_t border);
  TensorId mean(TensorId in);
  TensorId reshape(TensorId in, std::vector<std::int64_t> shape);
  TensorId dense(TensorId in, std::int64_t features);
  TensorId softmax(TensorId in);
  TensorId quantize(TensorId in);
  TensorId dequantize(TensorId in);

  /// The graph with these outputs; the builder is empty afterwards.
  Graph finish(std::vector<TensorId> outputs);

 private:
  TensorId tensor(std::vector<std::int64_t> shape, float scale, std::int32_t zero_point);
  TensorId weights(std::vector<std::int64_t> shape, int channel_axis);
  TensorId bias(std::int64_t channels);
  TensorId add_op(OpKind kind, std::vector<TensorId> inputs, TensorId output);
  const Tensor& at(TensorId id) const { return graph_.tensors[static_cast<std::size_t>(id)]; }
  std::int32_t uniform(std::int32_t low, std::int32_t high);

  Graph graph_;
  std::mt19937 random_;
};

/// Convolution, depthwise, 1x1, residual sum, pooling, mean, a dense layer and softmax, through a reshape.
Graph classifier(std::uint32_t seed, std::int64_t extent = 13);

/// One convolution after the other, without a branch.
Graph chain(std::uint32_t seed, std::int64_t extent = 16);

/// Wide branches listed layer by layer: another order needs far less.
Graph layer_by_layer(std::uint32_t seed);

/// Two float inputs, quantised and added, and two outputs, the second in float.
Graph two_in_two_out(std::uint32_t seed);

/// A state is added to the input; a convolution of the sum is pooled into the output and copied to the state. With
/// `late_reader` the state's old value is pooled too, after its next one has been made.
Graph running_sum(std::uint32_t seed, bool late_reader = false);

}  // namespace ripc::test
