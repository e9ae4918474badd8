#include "graph/graph.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "graph/steps.h"
#include "support/graphs.h"

namespace ripc {
namespace {

using test::chain_graph;
using test::GraphBuilder;

const Window kThree{.kernel = 3, .pad_before = 1, .pad_after = 1};

TEST(Tensor, SizesAndImages) {
  Tensor tensor;
  tensor.type = DataType::int32;
  EXPECT_EQ(element_count(tensor), 1);
  EXPECT_EQ(byte_count(tensor), 4);
  EXPECT_EQ(image_shape(tensor), (ImageShape{1, 1, 1}));
  tensor.shape = {7};
  EXPECT_EQ(image_shape(tensor), (ImageShape{1, 1, 7}));
  tensor.shape = {2, 3, 5, 7};
  EXPECT_EQ(image_shape(tensor), (ImageShape{6, 5, 7}));
  EXPECT_EQ(byte_count(tensor), 840);
}

TEST(Layer, OfConvolutions) {
  GraphBuilder builder;
  const TensorId in = builder.input({9, 8, 6});
  builder.conv(in, 4, kThree, {.kernel = 2, .stride = 2}, Activation::none, 2);
  const TensorId out = builder.depthwise(in, kThree, kThree, 3);
  const Graph graph = builder.finish({out});
  const Layer conv = layer_of(graph, graph.ops[0]);
  EXPECT_EQ(conv.rows, kThree);
  EXPECT_EQ(conv.in_height, 9);
  EXPECT_EQ(conv.in_width, 8);
  EXPECT_EQ(conv.in_channels, 6);
  EXPECT_EQ(conv.out_channels, 4);
  EXPECT_EQ(conv.groups, 2);
  EXPECT_EQ(mac_count(graph, graph.ops[0]), 9 * 4 * 4 * (3 * 2 * 3));
  const Layer depthwise = layer_of(graph, graph.ops[1]);
  EXPECT_EQ(depthwise.out_channels, 18);
  EXPECT_EQ(depthwise.groups, 6);
  EXPECT_EQ(mac_count(graph, graph.ops[1]), 9 * 8 * 18 * 9);
  EXPECT_EQ(row_count(graph, graph.ops[1]), 9);
}

TEST(Layer, OfOtherOperators) {
  GraphBuilder builder;
  const TensorId real = builder.float_input({4, 5, 3});
  const TensorId in = builder.quantize(real);                                          // op 0
  const TensorId padded = builder.pad(in, {.before = {1, 0, 0}, .after = {2, 3, 0}});  // op 1
  builder.pad(in, {.before = {0, 0, 1}});                                              // op 2
  builder.mean(padded);                                                                // op 3
  const TensorId dense = builder.fully_connected(in, 10);                              // op 4
  builder.softmax(dense);                                                              // op 5
  builder.dequantize(in);                                                              // op 6
  builder.resize(in, 8, 10);                                                           // op 7
  const Graph graph = builder.finish({dense});
  const auto layer = [&](std::size_t op) { return layer_of(graph, graph.ops[op]); };

  EXPECT_EQ(layer(0).in_scalar, 4);
  EXPECT_EQ(layer(0).out_scalar, 1);
  EXPECT_EQ(layer(0).groups, 3);
  EXPECT_EQ(layer(1).rows, (Window{.pad_before = 1, .pad_after = 2}));
  EXPECT_EQ(layer(1).columns, (Window{.pad_before = 0, .pad_after = 3}));
  EXPECT_EQ(out_height(layer(1)), 7);
  EXPECT_EQ(layer(1).groups, 3);
  EXPECT_EQ(layer(2).groups, 1);
  EXPECT_EQ(layer(2).out_channels, 4);
  EXPECT_EQ(layer(3).rows.kernel, 7);
  EXPECT_EQ(layer(3).columns.kernel, 8);
  EXPECT_EQ(out_bytes(layer(3)), 3);
  EXPECT_EQ(layer(4).in_height, 1);
  EXPECT_EQ(layer(4).in_width, 1);
  EXPECT_EQ(layer(4).in_channels, 60);
  EXPECT_EQ(mac_count(graph, graph.ops[4]), 600);
  EXPECT_EQ(row_count(graph, graph.ops[4]), 1);
  EXPECT_THROW(layer(5), std::logic_error);
  EXPECT_EQ(layer(6).out_scalar, 4);
  EXPECT_THROW(layer(7), std::logic_error);
  EXPECT_EQ(row_count(graph, graph.ops[7]), 8);
}

TEST(Layer, OfBroadcastSum) {
  GraphBuilder builder;
  const TensorId pixel = builder.input({1, 1, 3});
  const TensorId in = builder.input({4, 5, 3});
  const Graph graph = builder.finish({builder.add(pixel, in)});
  validate(graph);
  EXPECT_EQ(layer_of(graph, graph.ops[0]).in_height, 4);
  EXPECT_EQ(layer_of(graph, graph.ops[0]).groups, 3);
}

TEST(Hash, SeesWhatMattersAndNoNames) {
  const Graph graph = chain_graph();
  const std::string hash = graph_hash(graph);
  EXPECT_EQ(hash.size(), 16U);
  EXPECT_EQ(graph_hash(chain_graph()), hash);

  Graph renamed = graph;
  renamed.name = "other";
  renamed.tensors[0].name = "other";
  EXPECT_EQ(graph_hash(renamed), hash);

  const auto differs = [&](const std::function<void(Graph&)>& change) {
    Graph changed = graph;
    change(changed);
    return graph_hash(changed) != hash;
  };
  const auto weights = static_cast<std::size_t>(std::get<Conv2d>(graph.ops[0].kind).weights);
  EXPECT_TRUE(differs([&](Graph& g) { g.tensors[weights].data[3] ^= std::byte{1}; }));
  EXPECT_TRUE(differs([&](Graph& g) { g.tensors[weights].quantization.scale[1] *= 2.0F; }));
  EXPECT_TRUE(differs([](Graph& g) { g.tensors[0].quantization.zero_point[0] += 1; }));
  EXPECT_TRUE(differs([](Graph& g) { std::get<Conv2d>(g.ops[0].kind).activation = Activation::none; }));
  EXPECT_TRUE(differs([](Graph& g) { std::get<Conv2d>(g.ops[0].kind).rows.pad_before += 1; }));
  EXPECT_TRUE(differs([](Graph& g) { std::swap(g.ops[4].inputs[0], g.ops[4].inputs[1]); }));
  EXPECT_TRUE(differs([](Graph& g) { g.outputs.push_back(g.outputs[0]); }));
}

TEST(Validate, AcceptsASmallClassifier) { EXPECT_NO_THROW(validate(chain_graph())); }

/// A fault made in the small classifier, and a part of the message that it must give.
struct BrokenGraph {
  const char* message;
  std::function<void(Graph&)> make;
};

class ValidateRefuses : public testing::TestWithParam<BrokenGraph> {};

TEST_P(ValidateRefuses, Fault) {
  Graph graph = chain_graph();
  GetParam().make(graph);
  try {
    validate(graph);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(GetParam().message), std::string::npos) << error.what();
  }
}

Tensor& tensor(Graph& graph, TensorId id) { return graph.tensors[static_cast<std::size_t>(id)]; }
Tensor& output(Graph& graph, std::size_t op) { return tensor(graph, graph.ops[op].output); }
Tensor& weights(Graph& graph) { return tensor(graph, std::get<Conv2d>(graph.ops[0].kind).weights); }

const BrokenGraph kFaults[] = {
    {"no such tensor", [](Graph& g) { g.ops[2].output = 1000; }},
    {"no such tensor", [](Graph& g) { g.ops[2].inputs[0] = -1; }},
    {"no such tensor", [](Graph& g) { std::get<Conv2d>(g.ops[0].kind).bias = -7; }},
    {"no such tensor", [](Graph& g) { g.outputs[0] = 1000; }},
    {"no output", [](Graph& g) { g.outputs.clear(); }},
    {"no weights", [](Graph& g) { std::get<Conv2d>(g.ops[0].kind).weights = kNoTensor; }},
    {"computed weights", [](Graph& g) { std::get<Conv2d>(g.ops[0].kind).weights = g.inputs[0]; }},
    {"read before it is written", [](Graph& g) { std::swap(g.ops[0], g.ops[1]); }},
    {"written more than once", [](Graph& g) { g.ops[2].output = g.ops[1].output; }},
    {"written more than once", [](Graph& g) { g.inputs.push_back(g.inputs[0]); }},
    {"a constant is written", [](Graph& g) { output(g, 1).constant = true; }},
    {"an alias is written", [](Graph& g) { output(g, 3).alias_of = g.ops[0].output; }},
    {"alias of another size", [](Graph& g) { output(g, 3).alias_of = g.inputs[0]; }},
    {"activation with constant data",
     [](Graph& g) { output(g, 1).data.resize(static_cast<std::size_t>(byte_count(output(g, 1)))); }},
    {"constant of the wrong size", [](Graph& g) { weights(g).data.pop_back(); }},
    {"empty shape", [](Graph& g) { output(g, 1).shape[1] = 0; }},
    {"empty shape", [](Graph& g) { output(g, 1).shape[1] = -3; }},
    {"too large",
     [](Graph& g) {
       output(g, 1).shape = {1, 1 << 20, 1 << 20, 1 << 20};
     }},
    {"too large", [](Graph& g) { output(g, 1).shape.assign(4, std::numeric_limits<std::int64_t>::max()); }},
    {"unequal lists", [](Graph& g) { output(g, 1).quantization.zero_point.clear(); }},
    {"bad scale", [](Graph& g) { output(g, 1).quantization.scale[0] = 0.0F; }},
    {"bad scale", [](Graph& g) { output(g, 1).quantization.scale[0] = -1.0F; }},
    {"bad scale", [](Graph& g) { output(g, 1).quantization.scale[0] = std::numeric_limits<float>::quiet_NaN(); }},
    {"bad scale", [](Graph& g) { weights(g).quantization.scale[2] = std::numeric_limits<float>::infinity(); }},
    {"zero point out of range", [](Graph& g) { output(g, 1).quantization.zero_point[0] = 128; }},
    {"one scale and zero point", [](Graph& g) { output(g, 1).quantization = {}; }},
    {"asymmetric weights", [](Graph& g) { weights(g).quantization.zero_point[0] = 1; }},
    {"do not match the shape", [](Graph& g) { weights(g).quantization.axis = 3; }},
    {"unsupported type",
     [](Graph& g) {
       tensor(g, g.inputs[0]).type = DataType::uint8;
       tensor(g, g.inputs[0]).quantization.zero_point[0] = 0;
     }},
    {"scales too far apart", [](Graph& g) { output(g, 3).quantization.scale[0] = 1e-30F; }},
    {"too small for the activation",
     [](Graph& g) {
       output(g, 0).quantization.scale[0] = 1e-9F;
       weights(g).quantization.scale.assign(8, 1e-9F);
     }},
    {"window does not make", [](Graph& g) { std::get<Conv2d>(g.ops[0].kind).rows.stride = 1; }},
    {"window out of range", [](Graph& g) { std::get<Conv2d>(g.ops[0].kind).rows.pad_before = -1; }},
    {"window out of range", [](Graph& g) { std::get<Conv2d>(g.ops[0].kind).columns.stride = 0; }},
    {"window out of range", [](Graph& g) { std::get<Conv2d>(g.ops[0].kind).columns.dilation = 1 << 30; }},
    {"groups that do not divide", [](Graph& g) { std::get<Conv2d>(g.ops[0].kind).groups = 2; }},
    {"weights of the wrong shape", [](Graph& g) { std::get<Conv2d>(g.ops[1].kind).groups = 2; }},
    {"wrong number of output channels", [](Graph& g) { std::get<DepthwiseConv2d>(g.ops[2].kind).multiplier = 2; }},
    {"wrong number of inputs", [](Graph& g) { g.ops[4].inputs.pop_back(); }},
    {"shapes that do not broadcast", [](Graph& g) { g.ops[4].inputs[1] = g.inputs[0]; }},
    {"output scale too small", [](Graph& g) { output(g, 4).quantization.scale[0] = 1e-8F; }},
    {"unequal quantisation", [](Graph& g) { output(g, 5).quantization.zero_point[0] += 1; }},
    {"mean over other axes",
     [](Graph& g) {
       output(g, 6).shape = {1, 1, 8, 1};
     }},
    {"reshape to another size",
     [](Graph& g) {
       output(g, 7).shape = {1, 9};
     }},
    {"softmax", [](Graph& g) { output(g, 9).quantization.zero_point[0] = 0; }},
    {"beta or input scale", [](Graph& g) { std::get<Softmax>(g.ops[9].kind).beta = -1.0F; }},
};

INSTANTIATE_TEST_SUITE_P(Table, ValidateRefuses, testing::ValuesIn(kFaults));

TEST(Validate, NamesOperatorAndTensor) {
  Graph graph = chain_graph();
  graph.name = "model.tflite";
  output(graph, 2).quantization = {};
  try {
    validate(graph);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.context().file, "model.tflite");
    EXPECT_EQ(error.context().op_index, 2);
    EXPECT_EQ(error.context().op_kind, "DEPTHWISE_CONV_2D");
    EXPECT_EQ(error.context().tensor, output(graph, 2).name);
  }
}

TEST(Validate, BatchesSayWhatToDo) {
  Graph graph = chain_graph();
  tensor(graph, graph.inputs[0]).shape[0] = 2;
  try {
    validate(graph);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.context().problem, "tensor that is no single image");
    EXPECT_NE(error.context().remedy.find("batch of 1"), std::string::npos);
  }
}

TEST(Validate, OneTypeThroughAnOperator) {
  Graph graph = chain_graph();
  output(graph, 0).type = DataType::int16;
  output(graph, 0).quantization.zero_point[0] = 0;
  try {
    validate(graph);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.context().problem, "unsupported type");
    EXPECT_EQ(error.context().expected, "int8");
    EXPECT_EQ(error.context().found, "int16");
  }
}

TEST(Validate, NegativeWeightScalesAreExact) {
  Graph graph = chain_graph();
  weights(graph).quantization.scale[0] = -0.02F;
  weights(graph).quantization.scale[1] = 0.0F;
  EXPECT_NO_THROW(validate(graph));
}

TEST(Validate, PoolingThatReadsPaddingAlone) {
  GraphBuilder builder;
  const TensorId in = builder.input({8, 8, 2});
  const Graph graph = builder.finish({builder.pool(PoolKind::average, in, {.kernel = 2, .pad_before = 2}, {})});
  EXPECT_THROW(validate(graph), Error);
}

}  // namespace
}  // namespace ripc
