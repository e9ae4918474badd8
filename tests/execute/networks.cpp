#include "execute/networks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

namespace ripc::test {
namespace {

Window same_window(std::int64_t kernel, std::int64_t stride, std::int64_t extent) {
  const std::int64_t out = (extent + stride - 1) / stride;
  const std::int64_t total = std::max<std::int64_t>(0, (out - 1) * stride + kernel - extent);
  return {.kernel = kernel, .stride = stride, .dilation = 1, .pad_before = total / 2, .pad_after = total - total / 2};
}

std::int64_t same_extent(std::int64_t extent, std::int64_t stride) { return (extent + stride - 1) / stride; }

}  // namespace

std::int32_t NetworkBuilder::uniform(std::int32_t low, std::int32_t high) {
  return low + static_cast<std::int32_t>(random_() % static_cast<std::uint32_t>(high - low + 1));
}

TensorId NetworkBuilder::tensor(std::vector<std::int64_t> shape, float scale, std::int32_t zero_point) {
  const auto id = static_cast<TensorId>(graph_.tensors.size());
  Tensor tensor;
  tensor.name = "t" + std::to_string(id);
  tensor.shape = std::move(shape);
  tensor.quantization = {.scale = {scale}, .zero_point = {zero_point}, .axis = 0};
  graph_.tensors.push_back(std::move(tensor));
  return id;
}

TensorId NetworkBuilder::weights(std::vector<std::int64_t> shape, int channel_axis) {
  const TensorId id = tensor(std::move(shape), 0.01F, 0);
  Tensor& tensor = graph_.tensors[static_cast<std::size_t>(id)];
  tensor.constant = true;
  const auto count = static_cast<std::size_t>(element_count(tensor));
  for (std::size_t i = 0; i < count; ++i) tensor.data.push_back(static_cast<std::byte>(uniform(-127, 127) & 0xff));
  if (channel_axis < 0) return id;
  const std::int64_t channels = tensor.shape[static_cast<std::size_t>(channel_axis)];
  tensor.quantization = {.scale = {}, .zero_point = {}, .axis = channel_axis};
  for (std::int64_t c = 0; c < channels; ++c) {
    tensor.quantization.scale.push_back(static_cast<float>(uniform(50, 200)) * 1e-4F);
    tensor.quantization.zero_point.push_back(0);
  }
  return id;
}

TensorId NetworkBuilder::bias(std::int64_t channels) {
  const TensorId id = tensor({channels}, 0.01F, 0);
  Tensor& tensor = graph_.tensors[static_cast<std::size_t>(id)];
  tensor.type = DataType::int32;
  tensor.constant = true;
  tensor.quantization = {};
  for (std::int64_t c = 0; c < channels; ++c) {
    const std::int32_t value = uniform(-2000, 2000);
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    tensor.data.insert(tensor.data.end(), bytes, bytes + sizeof(value));
  }
  return id;
}

TensorId NetworkBuilder::add_op(OpKind kind, std::vector<TensorId> inputs, TensorId output) {
  graph_.ops.push_back({.kind = std::move(kind),
                        .inputs = std::move(inputs),
                        .output = output,
                        .source = static_cast<int>(graph_.ops.size())});
  return output;
}

TensorId NetworkBuilder::input(std::int64_t height, std::int64_t width, std::int64_t channels) {
  const TensorId id = tensor({1, height, width, channels}, 0.02F, uniform(-20, 20));
  graph_.inputs.push_back(id);
  return id;
}

TensorId NetworkBuilder::float_input(std::int64_t height, std::int64_t width, std::int64_t channels) {
  const TensorId id = input(height, width, channels);
  graph_.tensors[static_cast<std::size_t>(id)].type = DataType::float32;
  graph_.tensors[static_cast<std::size_t>(id)].quantization = {};
  return id;
}

TensorId NetworkBuilder::conv(TensorId in, std::int64_t channels, std::int64_t kernel, std::int64_t stride,
                              Activation activation) {
  const std::vector<std::int64_t> shape = at(in).shape;
  const TensorId filter = weights({channels, kernel, kernel, shape[3]}, 0);
  const float scale = 0.02F * std::sqrt(static_cast<float>(kernel * kernel * shape[3])) * 0.7F;
  const TensorId out =
      tensor({1, same_extent(shape[1], stride), same_extent(shape[2], stride), channels}, scale, uniform(-60, 20));
  const Conv2d op{.rows = same_window(kernel, stride, shape[1]),
                  .columns = same_window(kernel, stride, shape[2]),
                  .groups = 1,
                  .weights = filter,
                  .bias = bias(channels),
                  .activation = activation};
  return add_op(op, {in}, out);
}

TensorId NetworkBuilder::depthwise(TensorId in, std::int64_t kernel, std::int64_t stride, Activation activation) {
  const std::vector<std::int64_t> shape = at(in).shape;
  const TensorId filter = weights({1, kernel, kernel, shape[3]}, 3);
  const float scale = at(in).quantization.scale[0] * static_cast<float>(kernel) * 0.7F;
  const TensorId out =
      tensor({1, same_extent(shape[1], stride), same_extent(shape[2], stride), shape[3]}, scale, uniform(-60, 20));
  const DepthwiseConv2d op{.rows = same_window(kernel, stride, shape[1]),
                           .columns = same_window(kernel, stride, shape[2]),
                           .multiplier = 1,
                           .weights = filter,
                           .bias = bias(shape[3]),
                           .activation = activation};
  return add_op(op, {in}, out);
}

TensorId NetworkBuilder::add(TensorId a, TensorId b) {
  const float scale = std::max(at(a).quantization.scale[0], at(b).quantization.scale[0]) * 1.5F;
  return add_op(Binary{}, {a, b}, tensor(at(a).shape, scale, uniform(-10, 10)));
}

TensorId NetworkBuilder::max_pool(TensorId in, std::int64_t kernel, std::int64_t stride) {
  const Tensor from = at(in);
  const TensorId out =
      tensor({1, same_extent(from.shape[1], stride), same_extent(from.shape[2], stride), from.shape[3]},
             from.quantization.scale[0], from.quantization.zero_point[0]);
  const Pool2d op{.kind = PoolKind::max,
                  .rows = same_window(kernel, stride, from.shape[1]),
                  .columns = same_window(kernel, stride, from.shape[2]),
                  .activation = Activation::none};
  return add_op(op, {in}, out);
}

TensorId NetworkBuilder::pad(TensorId in, std::int64_t border) {
  const Tensor from = at(in);
  const TensorId out = tensor({1, from.shape[1] + 2 * border, from.shape[2] + 2 * border, from.shape[3]},
                              from.quantization.scale[0], from.quantization.zero_point[0]);
  return add_op(Pad{.before = {border, border, 0}, .after = {border, border, 0}}, {in}, out);
}

TensorId NetworkBuilder::mean(TensorId in) {
  const Tensor from = at(in);
  return add_op(Mean{}, {in},
                tensor({1, 1, 1, from.shape[3]}, from.quantization.scale[0] * 0.4F, from.quantization.zero_point[0]));
}

TensorId NetworkBuilder::reshape(TensorId in, std::vector<std::int64_t> shape) {
  const Tensor from = at(in);
  const TensorId out = tensor(std::move(shape), from.quantization.scale[0], from.quantization.zero_point[0]);
  graph_.tensors[static_cast<std::size_t>(out)].alias_of = storage_of(graph_, in);
  return out;
}

TensorId NetworkBuilder::dense(TensorId in, std::int64_t features) {
  const TensorId filter = weights({features, at(in).shape.back()}, -1);
  const TensorId out = tensor({1, features}, at(in).quantization.scale[0] * 2.0F, uniform(-10, 10));
  const FullyConnected op{.weights = filter, .bias = kNoTensor, .activation = Activation::none};
  return add_op(op, {in}, out);
}

TensorId NetworkBuilder::softmax(TensorId in) {
  return add_op(Softmax{}, {in}, tensor(at(in).shape, 1.0F / 256.0F, -128));
}

TensorId NetworkBuilder::quantize(TensorId in) {
  return add_op(Quantize{}, {in}, tensor(at(in).shape, 0.02F, uniform(-20, 20)));
}

TensorId NetworkBuilder::dequantize(TensorId in) {
  const TensorId out = tensor(at(in).shape, 1.0F, 0);
  graph_.tensors[static_cast<std::size_t>(out)].type = DataType::float32;
  graph_.tensors[static_cast<std::size_t>(out)].quantization = {};
  return add_op(Dequantize{}, {in}, out);
}

Graph NetworkBuilder::finish(std::vector<TensorId> outputs) {
  graph_.outputs = std::move(outputs);
  validate(graph_);
  return std::exchange(graph_, {});
}

Graph classifier(std::uint32_t seed, std::int64_t extent) {
  NetworkBuilder net(seed);
  const TensorId image = net.pad(net.input(extent, extent + 2, 3), 1);
  const TensorId stem = net.conv(image, 8, 3, 2);
  const TensorId expanded = net.conv(stem, 24, 1, 1);
  const TensorId filtered = net.depthwise(expanded, 3, 1);
  const TensorId projected = net.conv(filtered, 8, 1, 1, Activation::none);
  const TensorId sum = net.add(stem, projected);
  const TensorId pooled = net.max_pool(sum, 2, 2);
  const TensorId last = net.conv(pooled, 12, 5, 1, Activation::relu6);
  return net.finish({net.softmax(net.dense(net.reshape(net.mean(last), {1, 12}), 7))});
}

Graph chain(std::uint32_t seed, std::int64_t extent) {
  NetworkBuilder net(seed);
  const TensorId a = net.conv(net.input(extent, extent, 4), 6, 3, 1);
  const TensorId b = net.depthwise(a, 5, 2);
  const TensorId c = net.conv(b, 10, 1, 1, Activation::none);
  return net.finish({net.conv(c, 5, 3, 2)});
}

Graph layer_by_layer(std::uint32_t seed) {
  NetworkBuilder net(seed);
  const TensorId stem = net.conv(net.input(10, 12, 3), 4, 3, 1);
  std::vector<TensorId> branches;
  for (int i = 0; i < 3; ++i) branches.push_back(net.conv(stem, 20, 1, 1));
  for (TensorId& branch : branches) branch = net.depthwise(branch, 3, 1);
  for (TensorId& branch : branches) branch = net.conv(branch, 4, 1, 1, Activation::none);
  const TensorId sum = net.add(net.add(branches[0], branches[1]), branches[2]);
  return net.finish({net.conv(sum, 6, 3, 2), branches[1]});
}

Graph two_in_two_out(std::uint32_t seed) {
  NetworkBuilder net(seed);
  const TensorId a = net.quantize(net.float_input(5, 7, 3));
  const TensorId b = net.quantize(net.float_input(5, 7, 3));
  const TensorId sum = net.add(a, b);
  return net.finish({net.conv(sum, 4, 3, 1), net.dequantize(sum)});
}

Graph running_sum(std::uint32_t seed, bool late_reader) {
  NetworkBuilder builder(seed);
  const TensorId in = builder.input(3, 4, 5), before = builder.input(3, 4, 5);
  const TensorId next = builder.conv(builder.add(in, before), 5, 1, 1);
  std::vector<TensorId> outputs{builder.max_pool(next, 2, 2)};
  if (late_reader) outputs.push_back(builder.max_pool(before, 2, 2));
  Graph graph = builder.finish(outputs);
  graph.inputs.pop_back();
  const auto bytes = static_cast<std::size_t>(byte_count(graph.tensors[static_cast<std::size_t>(before)]));
  graph.states.push_back({.name = "sum", .alignment = 1, .initial = std::vector<std::byte>(bytes, std::byte{7})});
  for (std::size_t i = 0; i < 3; ++i) graph.states[0].initial[i] = static_cast<std::byte>(i);
  graph.tensors[static_cast<std::size_t>(before)].state = 0;
  Tensor after = graph.tensors[static_cast<std::size_t>(before)];
  after.name = "after";
  const auto id = static_cast<TensorId>(graph.tensors.size());
  graph.tensors.push_back(after);
  graph.ops.push_back({.kind = Copy{}, .inputs = {next}, .output = id, .source = static_cast<int>(graph.ops.size())});
  return graph;
}

}  // namespace ripc::test
