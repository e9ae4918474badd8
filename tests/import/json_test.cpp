#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "import/import.h"
#include "import/models.h"
#include "passes/passes.h"
#include "source_dir.h"

namespace ripc {
namespace {

using test::read_text;
using test::shared_folder;

const std::filesystem::path kNetworks = RIPC_SOURCE_DIR "/networks";

const Tensor& tensor(const Graph& graph, TensorId id) { return graph.tensors[static_cast<std::size_t>(id)]; }

TEST(Json, TheExampleOfTheManual) {
  const std::string manual = read_text(kNetworks / "README.md");
  const std::size_t start = manual.find("```json\n") + 8;
  const Graph graph =
      import_json(std::string_view(manual).substr(start, manual.find("```", start) - start), "README.md");
  EXPECT_NO_THROW(validate(graph));
  EXPECT_EQ(graph.name, "example");
  ASSERT_EQ(graph.ops.size(), 7U);
  const auto& stem = std::get<Conv2d>(graph.ops[0].kind);
  EXPECT_EQ(stem.rows, (Window{.kernel = 3, .stride = 2, .pad_before = 0, .pad_after = 1}));
  const auto& deep = std::get<DepthwiseConv2d>(graph.ops[1].kind);
  EXPECT_EQ(deep.rows, (Window{.kernel = 5, .pad_before = 2, .pad_after = 2}));
  EXPECT_EQ(deep.columns, (Window{.kernel = 3, .pad_before = 1, .pad_after = 1}));
  EXPECT_EQ(deep.activation, Activation::relu6);
  EXPECT_EQ(tensor(graph, deep.weights).shape, (std::vector<std::int64_t>{1, 5, 3, 16}));
  EXPECT_TRUE(tensor(graph, deep.weights).constant);
  EXPECT_TRUE(tensor(graph, deep.weights).data.empty());
  EXPECT_EQ(tensor(graph, graph.ops[4].output).shape, (std::vector<std::int64_t>{1, 24, 24, 16}));
  ASSERT_EQ(graph.outputs.size(), 1U);
  EXPECT_EQ(tensor(graph, graph.outputs[0]).shape, (std::vector<std::int64_t>{1, 10}));
}

TEST(Json, ElementwiseOperatorsBroadcastAndKeepTheirNames) {
  const std::map<std::string, std::string> binary{{"add", "ADD"},         {"subtract", "SUB"},
                                                  {"multiply", "MUL"},    {"divide", "DIV"},
                                                  {"minimum", "MINIMUM"}, {"maximum", "MAXIMUM"},
                                                  {"prelu", "PRELU"},     {"squared_difference", "SQUARED_DIFFERENCE"}};
  for (const auto& [name, kind] : binary) {
    const Graph graph = import_json(R"({"inputs": {"x": [8, 1, 4], "y": [1, 6, 1]}, "ops": [{"op": ")" + name +
                                        R"(", "in": ["x", "y"], "out": "z"}]})",
                                    "pair");
    EXPECT_EQ(kind_name(graph.ops[0]), kind);
    EXPECT_EQ(tensor(graph, graph.outputs[0]).shape, (std::vector<std::int64_t>{1, 8, 6, 4}));
  }
  const std::map<std::string, std::string> unary{
      {"abs", "ABS"},           {"elu", "ELU"},  {"hard_swish", "HARD_SWISH"}, {"leaky_relu", "LEAKY_RELU"},
      {"logistic", "LOGISTIC"}, {"tanh", "TANH"}};
  for (const auto& [name, kind] : unary) {
    const Graph graph = import_json(
        R"({"inputs": {"x": [8, 1, 4]}, "ops": [{"op": ")" + name + R"(", "in": "x", "out": "z"}]})", "single");
    EXPECT_EQ(kind_name(graph.ops[0]), kind);
    EXPECT_EQ(tensor(graph, graph.outputs[0]).shape, (std::vector<std::int64_t>{1, 8, 1, 4}));
  }
}

/// The networks of the publication, operator by operator against the facts that they were made from.
TEST(Json, McunetSaysWhatTheFactsSay) {
  const auto facts_folder = shared_folder() / "networks" / "mcunet";
  if (!std::filesystem::exists(facts_folder)) GTEST_SKIP() << "the facts of the networks are not here";
  std::size_t networks = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kNetworks / "mcunet")) {
    SCOPED_TRACE(entry.path().filename().string());
    ++networks;
    const Graph graph = import_network(entry.path());
    EXPECT_NO_THROW(validate(canonicalize(graph)));
    const auto facts = nlohmann::json::parse(read_text(facts_folder / entry.path().filename()));
    ASSERT_EQ(graph.ops.size(), facts["ops"].size());
    const std::map<std::string, std::string> kinds{{"conv", "CONV_2D"},
                                                   {"dw", "DEPTHWISE_CONV_2D"},
                                                   {"add", "ADD"},
                                                   {"up", "RESIZE_NEAREST_NEIGHBOR"},
                                                   {"fc", "FULLY_CONNECTED"}};
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
      const auto& fact = facts["ops"][i];
      const Op& op = graph.ops[i];
      const std::string kind = kind_name(op);
      if (fact["kind"] == "pool") {
        EXPECT_TRUE(kind == "MAX_POOL_2D" || kind == "AVERAGE_POOL_2D");
      } else {
        EXPECT_EQ(kind, kinds.at(fact["kind"]));
      }
      EXPECT_EQ(byte_count(tensor(graph, op.output)), fact["out_bytes"].get<std::int64_t>());
      ASSERT_EQ(op.inputs.size(), fact["ins"].size());
      for (std::size_t k = 0; k < op.inputs.size(); ++k) EXPECT_EQ(tensor(graph, op.inputs[k]).name, fact["ins"][k]);
      if (fact["geom"].is_null()) continue;
      const Layer layer = layer_of(graph, op);
      EXPECT_EQ(fact["geom"].get<std::vector<std::int64_t>>(),
                (std::vector<std::int64_t>{layer.in_height, layer.in_width, layer.in_channels, out_height(layer),
                                           out_width(layer), layer.out_channels, layer.rows.kernel,
                                           layer.columns.kernel, layer.rows.stride, layer.columns.stride,
                                           layer.rows.pad_before, layer.columns.pad_before}));
    }
  }
  EXPECT_EQ(networks, 11U);
}

/// Those of Table 7 likewise; elementwise operators by the number of their inputs alone.
TEST(Json, KerasSaysWhatTheFactsSay) {
  const auto facts_folder = shared_folder() / "networks" / "keras";
  if (!std::filesystem::exists(facts_folder)) GTEST_SKIP() << "the facts of the networks are not here";
  std::size_t networks = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kNetworks / "keras")) {
    SCOPED_TRACE(entry.path().filename().string());
    ++networks;
    const Graph graph = import_network(entry.path());
    const auto facts = nlohmann::json::parse(read_text(facts_folder / entry.path().filename()));
    ASSERT_EQ(graph.ops.size(), facts["ops"].size());
    const std::map<std::string, std::string> kinds{{"conv", "CONV_2D"},
                                                   {"dw", "DEPTHWISE_CONV_2D"},
                                                   {"concat", "CONCATENATION"},
                                                   {"gap", "MEAN"},
                                                   {"fc", "FULLY_CONNECTED"}};
    std::map<std::string, TensorId> ids{{facts["input"].begin().key(), graph.inputs.at(0)}};
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
      const auto& fact = facts["ops"][i];
      const Op& op = graph.ops[i];
      ids[fact["out"]] = op.output;
      std::vector<TensorId> inputs;
      for (const std::string name : fact["ins"]) inputs.push_back(ids.at(name));
      EXPECT_EQ(op.inputs, inputs);
      const ImageShape out = image_shape(tensor(graph, op.output));
      EXPECT_EQ(fact["out_shape"], (std::vector{out.height, out.width, out.channels}));
      if (kinds.contains(fact["kind"])) {
        EXPECT_EQ(kind_name(op), kinds.at(fact["kind"]));
      }
      if (!fact.contains("kernel")) continue;
      const Layer layer = layer_of(graph, op);
      EXPECT_EQ(fact["kernel"], (std::vector{layer.rows.kernel, layer.columns.kernel}));
      EXPECT_EQ(fact["stride"], (std::vector{layer.rows.stride, layer.columns.stride}));
      EXPECT_EQ(fact["pad_top_left"], (std::vector{layer.rows.pad_before, layer.columns.pad_before}));
      EXPECT_EQ(fact["dilation"], layer.rows.dilation);
    }
  }
  EXPECT_EQ(networks, 33U);
}

TEST(Json, NamesThatFollowFromTheOrderMayBeLeftOut) {
  const Graph graph = import_json(R"({"inputs": {"x": [8, 8, 4]}, "ops": [
    {"op": "conv", "channels": 8, "kernel": 1},
    {"op": "max_pool", "kernel": 2, "out": "pooled"},
    {"op": "conv", "channels": 8, "kernel": 1},
    {"op": "add", "in": ["pooled", "conv_2"]}]})",
                                  "network.json");
  EXPECT_NO_THROW(validate(graph));
  ASSERT_EQ(graph.ops.size(), 4U);
  EXPECT_EQ(graph.ops[0].inputs, graph.inputs);
  EXPECT_EQ(tensor(graph, graph.ops[0].output).name, "conv_0");
  EXPECT_EQ(graph.ops[1].inputs, std::vector{graph.ops[0].output});
  EXPECT_EQ(graph.ops[3].inputs, (std::vector{graph.ops[1].output, graph.ops[2].output}));
  EXPECT_EQ(graph.outputs, std::vector{graph.ops[3].output});
}

TEST(Json, OneOperandMayBeAConstant) {
  const Graph graph = import_json(R"({"inputs": {"x": [8, 8, 4]}, "ops": [
    {"op": "multiply", "constant": "channels"},
    {"op": "add", "constant": "scalar", "activation": "relu6"},
    {"op": "relu"}]})",
                                  "network.json");
  EXPECT_NO_THROW(validate(graph));
  const auto& scale = std::get<Binary>(graph.ops.at(0).kind);
  EXPECT_EQ(scale.kind, BinaryKind::multiply);
  EXPECT_TRUE(tensor(graph, scale.constant).constant);
  EXPECT_EQ(tensor(graph, scale.constant).shape, std::vector<std::int64_t>{4});
  const auto& shift = std::get<Binary>(graph.ops.at(1).kind);
  EXPECT_EQ(tensor(graph, shift.constant).shape, std::vector<std::int64_t>{1});
  EXPECT_EQ(shift.activation, Activation::relu6);
  EXPECT_EQ(std::get<Clamp>(graph.ops.at(2).kind).activation, Activation::relu);
  EXPECT_EQ(tensor(graph, graph.outputs.at(0)).shape, (std::vector<std::int64_t>{1, 8, 8, 4}));
}

TEST(Json, PersonDetectorKeepsItsMaximaAndThreeOutputs) {
  const Graph graph = import_network(kNetworks / "mcunet" / "person-det.json");
  int maxima = 0;
  for (const Op& op : graph.ops) {
    if (const auto* pool = std::get_if<Pool2d>(&op.kind)) maxima += pool->kind == PoolKind::max ? 1 : 0;
  }
  EXPECT_EQ(maxima, 2);
  EXPECT_EQ(graph.outputs.size(), 3U);
}

TEST(Json, ConcatenatesAnyNumberOfChannels) {
  const Graph graph = import_json(R"({"inputs": {"x": [8, 8, 4], "y": [8, 8, 3]},
                                      "ops": [{"op": "concat", "in": ["x", "y", "x"], "out": "z"}]})",
                                  "concat.json");
  EXPECT_EQ(std::get<Concat>(graph.ops[0].kind).axis, 3);
  EXPECT_EQ(graph.ops[0].inputs, (std::vector<TensorId>{0, 1, 0}));
  EXPECT_EQ(tensor(graph, graph.outputs[0]).shape, (std::vector<std::int64_t>{1, 8, 8, 11}));
}

TEST(Json, OutputsCutOffATail) {
  const auto path = kNetworks / "mcunet" / "mcunet-in0.json";
  const Graph graph = import_network(path, {.outputs = {"t10"}});
  EXPECT_EQ(graph.ops.size(), 10U);
  EXPECT_EQ(tensor(graph, graph.outputs[0]).name, "t10");
  EXPECT_THROW(import_network(path, {.outputs = {"t10000"}}), Error);
}

/// A network of one operator, with those fields.
std::string one_op(const std::string& op) {
  return R"({"inputs": {"x": [8, 8, 4]}, "ops": [{"in": "x", "out": "y", )" + op + "}]}";
}

std::string refusal(const std::string& text) {
  try {
    validate(import_json(text, "network.json"));
  } catch (const Error& error) {
    EXPECT_EQ(error.context().file, "network.json");
    return error.what();
  }
  return "accepted";
}

struct Wrong {
  const char* message;
  std::string text;
};

class JsonRefuses : public testing::TestWithParam<Wrong> {};

TEST_P(JsonRefuses, Text) {
  const std::string message = refusal(GetParam().text);
  EXPECT_NE(message.find(GetParam().message), std::string::npos) << message;
}

const Wrong kWrong[] = {
    {"accepted", one_op(R"("op": "conv", "channels": 4, "kernel": 1)")},
    {"line 2", "{\n]"},
    {"out of range", R"({"inputs": {"x": [1e999, 1, 1]}})"},
    {"line 1", std::string(100000, '[')},
    {"no JSON object", "[]"},
    {"'inputs' is missing", "{}"},
    {"'ops' is missing", R"({"inputs": {"x": [8, 8, 4]}})"},
    {"bad value of 'ops'", R"({"inputs": {"x": [8, 8, 4]}, "ops": 3})"},
    {"no JSON object", R"({"inputs": {"x": [8, 8, 4]}, "ops": [3]})"},
    {"no output", R"({"inputs": {"x": [8, 8, 4]}, "ops": []})"},
    {"bad shape", R"({"inputs": {"x": [8, 8]}, "ops": []})"},
    {"empty shape", R"({"inputs": {"x": [8, 0, 4]}, "ops": []})"},
    {"bad value of 'x'", R"({"inputs": {"x": [8, -8, 4]}, "ops": []})"},
    {"bad value of 'x'", R"({"inputs": {"x": [8, 8.5, 4]}, "ops": []})"},
    {"too large", R"({"inputs": {"x": [2147483647, 2147483647, 2147483647]}, "ops": []})"},
    {"op 0: convolution: unknown operator", one_op(R"("op": "convolution")")},
    {"bad value of 'constant'", one_op(R"("op": "multiply", "constant": "rows")")},
    {"wrong number of inputs", one_op(R"("op": "multiply")")},
    {"wrong number of inputs",
     R"({"inputs": {"x": [8, 8, 4]}, "ops": [{"op": "add", "in": ["x", "x"], "constant": "scalar"}]})"},
    {"'in' is missing", R"({"inputs": {"x": [8, 8, 4], "y": [8, 8, 4]}, "ops": [{"op": "mean"}]})"},
    {"more than one tensor", R"({"inputs": {"mean_0": [8, 8, 4]}, "ops": [{"op": "mean"}]})"},
    {"'op' is missing", one_op(R"("kernel": 1)")},
    {"'channels' is missing", one_op(R"("op": "conv", "kernel": 1)")},
    {"unknown field 'strides'", one_op(R"("op": "conv", "channels": 4, "kernel": 1, "strides": 2)")},
    {"unknown field 'kernel'", one_op(R"("op": "mean", "kernel": 1)")},
    {"bad value of 'kernel'", one_op(R"("op": "max_pool", "kernel": [1, 2, 3])")},
    {"bad value of 'kernel'", one_op(R"("op": "max_pool", "kernel": 0)")},
    {"bad value of 'kernel'", one_op(R"("op": "max_pool", "kernel": "three")")},
    {"window out of range", one_op(R"("op": "max_pool", "kernel": 5000)")},
    {"window out of range", one_op(R"("op": "conv", "channels": 4, "kernel": 3, "pad": 5000)")},
    {"empty shape", one_op(R"("op": "max_pool", "kernel": 9)")},
    {"bad value of 'pad'", one_op(R"("op": "max_pool", "kernel": 2, "pad": "valid")")},
    {"bad value of 'pad'", one_op(R"("op": "max_pool", "kernel": 2, "pad": [1, 1])")},
    {"padding as large", one_op(R"("op": "max_pool", "kernel": 2, "pad": 2)")},
    {"groups that do not divide", one_op(R"("op": "conv", "channels": 4, "kernel": 1, "groups": 3)")},
    {"unknown activation", one_op(R"("op": "conv", "channels": 4, "kernel": 1, "activation": "tanh")")},
    {"bad value of 'bias'", one_op(R"("op": "conv", "channels": 4, "kernel": 1, "bias": 1)")},
    {"too large", one_op(R"("op": "conv", "channels": 2147483647, "kernel": 4000)")},
    {"too large", one_op(R"("op": "depthwise", "kernel": 1, "multiplier": 2147483647)")},
    {"too large", one_op(R"("op": "resize_nearest", "scale": 2147483647)")},
    {"input of another shape",
     R"({"inputs": {"x": [8, 8, 4], "y": [8, 4, 8]}, "ops": [{"op": "concat", "in": ["x", "y"], "out": "z"}]})"},
    {"wrong number of inputs", one_op(R"("op": "add")")},
    {"activation of an operator that has none",
     R"({"inputs": {"x": [8, 8, 4]}, "ops": [{"op": "minimum", "in": ["x", "x"], "out": "z", "activation": "relu"}]})"},
    {"shapes that do not broadcast",
     R"({"inputs": {"x": [8, 8, 4], "y": [8, 3, 4]}, "ops": [{"op": "add", "in": ["x", "y"], "out": "z"}]})"},
    {"such a tensor", R"({"inputs": {"x": [8, 8, 4]}, "ops": [{"op": "mean", "in": "y", "out": "y"}]})"},
    {"more than one tensor", R"({"inputs": {"x": [8, 8, 4]}, "ops": [{"op": "mean", "in": "x", "out": "x"}]})"},
    {"such a tensor", R"({"inputs": {"x": [8, 8, 4]}, "ops": [], "outputs": ["z"]})"},
};

INSTANTIATE_TEST_SUITE_P(Table, JsonRefuses, testing::ValuesIn(kWrong));

TEST(Json, CutShort) {
  const std::string text = read_text(kNetworks / "mcunet" / "person-det.json");
  ASSERT_FALSE(text.empty());
  for (std::size_t size = 0; size + 2 < text.size(); size += 13) EXPECT_NE(refusal(text.substr(0, size)), "accepted");
}

}  // namespace
}  // namespace ripc
