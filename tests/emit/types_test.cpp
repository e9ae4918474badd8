// Networks of float32 and of int16 as emitted C.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "emit/harness.h"
#include "execute/input_stream.h"
#include "plan/pipeline.h"
#include "support/graphs.h"

namespace ripc {
namespace {

using test::GraphBuilder;

/// Every operator that has kernels of all types.
Graph network() {
  GraphBuilder builder(7);
  const Window one{}, three{.kernel = 3, .pad_before = 1, .pad_after = 1};
  const Window halving{.kernel = 3, .stride = 2, .pad_after = 1}, two{.kernel = 2, .stride = 2};
  const TensorId image = builder.input({9, 11, 3});
  const TensorId padded = builder.pad(image, {.before = {1, 0, 0}, .after = {0, 1, 1}});
  const TensorId stem = builder.conv(padded, 6, halving, halving, Activation::relu6);
  const TensorId expand = builder.conv(stem, 10, one, one, Activation::relu);
  const TensorId depth = builder.depthwise(expand, three, three);
  const TensorId wide = builder.depthwise(depth, three, three, 2, Activation::relu_n1_to_1);
  const TensorId most = builder.pool(PoolKind::max, wide, two, two);
  const TensorId large = builder.resize(most, 4, 5);
  const TensorId mean = builder.mean(builder.pool(PoolKind::average, large, two, two));
  return builder.finish({builder.softmax(builder.fully_connected(mean, 5)), stem});
}

template <typename To, typename From>
void convert(Tensor& constant, DataType type, To factor) {
  std::vector<std::byte> data;
  for (std::size_t i = 0; i < constant.data.size(); i += sizeof(From)) {
    From from;
    std::memcpy(&from, constant.data.data() + i, sizeof from);
    const To to = static_cast<To>(from) * factor;
    const auto* bytes = reinterpret_cast<const std::byte*>(&to);
    data.insert(data.end(), bytes, bytes + sizeof to);
  }
  constant.type = type;
  constant.data = std::move(data);
}

Graph as_float(Graph graph) {
  for (Tensor& tensor : graph.tensors) {
    tensor.quantization = {};
    if (!tensor.constant) {
      tensor.type = DataType::float32;
    } else if (tensor.type == DataType::int8) {
      convert<float, std::int8_t>(tensor, DataType::float32, 0.01F);
    } else {
      convert<float, std::int32_t>(tensor, DataType::float32, 0.001F);
    }
  }
  return graph;
}

Graph as_int16(Graph graph) {
  for (Tensor& tensor : graph.tensors) {
    if (tensor.constant && tensor.type == DataType::int32) {
      convert<std::int64_t, std::int32_t>(tensor, DataType::int64, 256);
    } else if (!tensor.constant) {
      tensor.type = DataType::int16;
      tensor.quantization.zero_point = {0};
      tensor.quantization.scale[0] /= 256.0F;
    }
  }
  graph.tensors[static_cast<std::size_t>(graph.outputs[0])].quantization.scale[0] = 1.0F / 32768.0F;
  return graph;
}

struct Emitted {
  Program program;
  std::vector<EmittedFile> files;
};

Emitted emitted(const Graph& graph, const PlanOptions& options) {
  validate(graph);
  const Plan plan = make_plan(graph, options);
  Emitted result{.program = link(graph, plan), .files = {}};
  result.files = emit_c(graph, plan, result.program, {.prefix = "net", .flags = {}, .selftest_seed = 1});
  return result;
}

std::vector<Bytes> executed(const Program& program, const std::vector<std::vector<Bytes>>& sets) {
  std::vector<Bytes> outputs;
  for (const auto& inputs : sets) {
    Bytes& all = outputs.emplace_back();
    for (const Bytes& output : execute(program, inputs).outputs) all.insert(all.end(), output.begin(), output.end());
  }
  return outputs;
}

/// Emitted C, executed in place and executed apart: the same bytes.
void expect_same_bytes(const Graph& graph) {
  const std::vector<std::vector<Bytes>> sets{random_inputs(graph, 1), random_inputs(graph, 2)};
  PlanOptions options;
  const Emitted in_place = emitted(graph, options);
  options.memory.in_place = false;
  const std::vector<Bytes> expected = executed(link(graph, make_plan(graph, options)), sets);
  EXPECT_NE(expected[0], expected[1]);
  EXPECT_EQ(executed(in_place.program, sets), expected);
  const test::BuiltModel built(in_place.program, in_place.files, "net");
  EXPECT_EQ(built.run(sets), expected);
  EXPECT_EQ(built.selftest(), 0);
}

bool has_file(const Emitted& model, const std::string& path) {
  return std::ranges::any_of(model.files, [&](const EmittedFile& file) { return file.path == path; });
}

TEST(EmittedTypes, Float32) {
  const Graph graph = as_float(network());
  expect_same_bytes(graph);
  const Emitted model = emitted(graph, {});
  const std::string& header = test::text_of(model.files, "net.h");
  EXPECT_NE(header.find("float *net_input(void *arena);"), std::string::npos) << header;
  EXPECT_NE(header.find("const float *net_output1(const void *arena);"), std::string::npos);
  EXPECT_EQ(model.program.alignment, 4);
  EXPECT_TRUE(has_file(model, "src/exp_f32.c"));
  EXPECT_FALSE(has_file(model, "src/conv2d_s8.c"));
  EXPECT_FALSE(has_file(model, "src/conv2d_s16.c"));
}

TEST(EmittedTypes, Int16) {
  const Graph graph = as_int16(network());
  expect_same_bytes(graph);
  const Emitted model = emitted(graph, {});
  const std::string& header = test::text_of(model.files, "net.h");
  EXPECT_NE(header.find("int16_t *net_input(void *arena);"), std::string::npos) << header;
  EXPECT_NE(header.find("const int16_t *net_output0(const void *arena);"), std::string::npos);
  EXPECT_EQ(model.program.alignment, 2);
  EXPECT_FALSE(has_file(model, "src/conv2d_s8.c"));
  EXPECT_FALSE(has_file(model, "src/conv2d_f32.c"));
}

TEST(EmittedTypes, ConstantsAmongActivations) {
  // [7, 8, 9, first input, second input], and the constant by itself.
  Graph graph;
  const auto tensor = [&](std::int64_t extent, bool constant) {
    graph.tensors.push_back({.name = "t" + std::to_string(graph.tensors.size()),
                             .type = DataType::int16,
                             .shape = {1, extent},
                             .quantization = {},
                             .constant = constant,
                             .data = {}});
    return static_cast<TensorId>(graph.tensors.size()) - 1;
  };
  const TensorId in = tensor(2, false), constant = tensor(3, true), loaded = tensor(3, false),
                 joined = tensor(5, false);
  const TensorId alone = tensor(3, false);
  for (const int value : {7, 0, 8, 0, 9, 0}) graph.tensors[1].data.push_back(static_cast<std::byte>(value));
  graph.ops = {{.kind = Load{{constant}}, .inputs = {}, .output = loaded},
               {.kind = Concat{.axis = 1}, .inputs = {loaded, in}, .output = joined},
               {.kind = Load{{constant}}, .inputs = {}, .output = alone}};
  graph.inputs = {in};
  graph.outputs = {joined, alone};
  expect_same_bytes(graph);
  const std::vector<Bytes> outputs = execute(link(graph, make_plan(graph, {})), {Bytes(4, std::byte{1})}).outputs;
  Bytes expected = graph.tensors[1].data;
  EXPECT_EQ(outputs[1], expected);
  expected.insert(expected.end(), 4, std::byte{1});
  EXPECT_EQ(outputs[0], expected);
}

TEST(EmittedTypes, TheCallersInputIsAlignedAsItsType) {
  PlanOptions options;
  options.memory.external_input = true;
  const Emitted model = emitted(as_float(network()), options);
  EXPECT_NE(test::text_of(model.files, "net.c").find("|| (uintptr_t)input % 4u != 0"), std::string::npos);
  const Emitted bytes = emitted(network(), options);
  EXPECT_EQ(test::text_of(bytes.files, "net.c").find("(uintptr_t)input"), std::string::npos);
}

}  // namespace
}  // namespace ripc
