#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "graph/graph.h"
#include "import/import.h"
#include "import/models.h"
#include "passes/passes.h"

namespace ripc {
namespace {

using test::first_models;
using test::model_path;
using test::read_text;
using test::shared_folder;

std::map<std::string, int> histogram(const Graph& graph) {
  std::map<std::string, int> counts;
  for (const Op& op : graph.ops) ++counts[kind_name(op)];
  return counts;
}

const Tensor& tensor(const Graph& graph, TensorId id) { return graph.tensors[static_cast<std::size_t>(id)]; }

class FirstModels : public testing::Test {
 protected:
  void SetUp() override {
    if (first_models().empty()) GTEST_SKIP() << "the shared models are not here";
  }
};

TEST_F(FirstModels, AllImportAndCanonicalise) {
  const auto names = first_models();
  EXPECT_EQ(names.size(), 41U);
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const Graph graph = import_network(model_path(name));
    EXPECT_EQ(graph.name, name);
    EXPECT_NO_THROW(validate(graph));
    for (const bool io_int8 : {false, true}) {
      const Graph canonical = canonicalize(graph, {.io_int8 = io_int8});
      EXPECT_NO_THROW(validate(canonical));
      EXPECT_FALSE(histogram(canonical).contains("RESHAPE"));
      EXPECT_EQ(canonical.inputs.size(), graph.inputs.size());
      EXPECT_EQ(canonical.outputs.size(), graph.outputs.size());
      EXPECT_EQ(graph_hash(canonicalize(canonical, {.io_int8 = io_int8})), graph_hash(canonical));
    }
  }
}

/// The reference says, operator by operator, which tensor it wrote and how large it is.
TEST_F(FirstModels, AgreeWithTheReferenceOperatorByOperator) {
  std::size_t compared = 0;
  for (const std::string& name : first_models()) {
    SCOPED_TRACE(name);
    std::map<int, nlohmann::json> reference;
    std::istringstream lines(read_text(shared_folder() / "golden" / name / "seed1.ops.jsonl"));
    for (std::string line; std::getline(lines, line);) {
      const auto entry = nlohmann::json::parse(line);
      reference[entry["op"].get<int>()] = entry;
    }
    const Graph imported = import_network(model_path(name));
    const Graph canonical = canonicalize(imported);
    for (const Graph* graph : {&imported, &canonical}) {
      for (const Op& op : graph->ops) {
        const auto& entry = reference.at(op.source);
        const Tensor& output = tensor(*graph, op.output);
        EXPECT_EQ(entry["tensor"].get<int>(), output.source);
        EXPECT_EQ(entry["bytes"].get<std::int64_t>(), byte_count(output));
        EXPECT_EQ(entry["shape"].get<std::vector<std::int64_t>>(), output.shape);
        if (graph == &imported) {
          const auto kind = entry["name"].get<std::string>();
          const bool reshape = kind == "SQUEEZE" || kind == "EXPAND_DIMS";
          EXPECT_EQ(reshape ? "RESHAPE" : kind, kind_name(op));
        }
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 2000U);
}

TEST_F(FirstModels, CountsByHand) {
  using Counts = std::map<std::string, int>;
  const auto counts = [](const std::string& name) {
    return histogram(canonicalize(import_network(model_path(name)), {.io_int8 = true}));
  };
  EXPECT_EQ(
      counts("mlperf_vww_96_int8"),
      (Counts{
          {"CONV_2D", 14}, {"DEPTHWISE_CONV_2D", 13}, {"AVERAGE_POOL_2D", 1}, {"FULLY_CONNECTED", 1}, {"SOFTMAX", 1}}));
  EXPECT_EQ(counts("person-det"), (Counts{{"CONV_2D", 39},
                                          {"DEPTHWISE_CONV_2D", 16},
                                          {"ADD", 11},
                                          {"MAX_POOL_2D", 2},
                                          {"RESIZE_NEAREST_NEIGHBOR", 2}}));
  EXPECT_EQ(counts("mcunet-10fps_vww"),
            (Counts{{"CONV_2D", 29}, {"DEPTHWISE_CONV_2D", 14}, {"ADD", 7}, {"AVERAGE_POOL_2D", 1}}));
  // Its pads are of channels, and stay.
  EXPECT_EQ(counts("armzoo_vww_micronet_vww2"),
            (Counts{{"CONV_2D", 37}, {"DEPTHWISE_CONV_2D", 17}, {"ADD", 10}, {"AVERAGE_POOL_2D", 1}, {"PAD", 5}}));
}

TEST_F(FirstModels, SamePaddingIsAsymmetric) {
  const Graph graph = import_network(model_path("mlperf_vww_96_int8"));
  const auto& stem = std::get<Conv2d>(graph.ops[0].kind);
  EXPECT_EQ(stem.rows, (Window{.kernel = 3, .stride = 2, .pad_before = 0, .pad_after = 1}));
  EXPECT_EQ(stem.rows, stem.columns);
  EXPECT_EQ(stem.activation, Activation::relu);
}

TEST_F(FirstModels, PadsFoldIntoTheWindow) {
  const Graph graph = canonicalize(import_network(model_path("person-det")));
  ASSERT_EQ(graph.ops[1].source, 2);
  const auto& stem = std::get<Conv2d>(graph.ops[1].kind);
  EXPECT_EQ(stem.rows, (Window{.kernel = 3, .stride = 2, .pad_before = 1, .pad_after = 1}));
}

TEST_F(FirstModels, CutOffsKeepWhatTheOutputNeeds) {
  const Graph whole = import_network(model_path("person-det"));
  const Op& last = whole.ops[30];
  const Graph cut = import_network(model_path("person-det"), {.outputs = {tensor(whole, last.output).name}});
  ASSERT_EQ(cut.outputs.size(), 1U);
  EXPECT_EQ(tensor(cut, cut.outputs[0]).source, tensor(whole, last.output).source);
  EXPECT_EQ(cut.ops.back().source, last.source);
  EXPECT_LT(cut.ops.size(), whole.ops.size());
  EXPECT_EQ(cut.inputs.size(), 1U);
}

TEST_F(FirstModels, UnknownOutputIsWrongUsage) {
  try {
    import_network(model_path("person-det"), {.outputs = {"no such name"}});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.context().fault, Fault::usage);
    EXPECT_EQ(error.context().tensor, "no such name");
  }
}

std::string refusal(const std::string& name, const ImportOptions& options = {}) {
  try {
    import_network(model_path(name), options);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST_F(FirstModels, ListsEveryUnsupportedOperator) {
  const std::string message = refusal("tfls_yamnet_mel_relu6");
  EXPECT_NE(message.find("tfls_yamnet_mel_relu6.tflite: 3 of 47 operators"), std::string::npos) << message;
  EXPECT_NE(message.find("RFFT2D (op 7): no kernel for this operator; RESHAPE (op 8)"), std::string::npos) << message;
  EXPECT_NE(message.find("COMPLEX_ABS (op 9)"), std::string::npos) << message;
  // Almost nothing would be left.
  EXPECT_EQ(message.find("--outputs"), std::string::npos) << message;
}

TEST_F(FirstModels, OutputsCutOffAnUnsupportedTail) {
  const std::string message = refusal("coral_posenet_353_decoder");
  ASSERT_NE(message.find("CUSTOM:PosenetDecoderOp"), std::string::npos) << message;
  // The message names the tensor to cut at.
  const std::size_t start = message.find("--outputs '") + std::string("--outputs '").size();
  const std::string name = message.substr(start, message.find('\'', start) - start);
  const Graph graph = import_network(model_path("coral_posenet_353_decoder"), {.outputs = {name}});
  EXPECT_NO_THROW(validate(graph));
  EXPECT_EQ(tensor(graph, graph.outputs[0]).name, name);
  EXPECT_GT(graph.ops.size(), 20U);
}

TEST_F(FirstModels, SaysWhyOthersAreRefused) {
  EXPECT_NE(refusal("tfls_dilated_conv").find("dynamic shape"), std::string::npos);
  EXPECT_NE(refusal("coral_mbv1_0.25_128_quant").find("convert the model anew, with int8"), std::string::npos);
  EXPECT_NE(refusal("mlperf_ad01_hybrid").find("quantised weights with float activations"), std::string::npos);
  EXPECT_NE(refusal("tflm_person_detect_vela").find("CUSTOM:ethos-u"), std::string::npos);
}

/// Shapes that the file computes at run time are known to the file anyway.
TEST_F(FirstModels, OperatorsThatOnlyComputeAShapeAreDead) {
  const Graph graph = import_network(model_path("silabs_ad"));
  EXPECT_EQ(histogram(graph),
            (std::map<std::string, int>{{"FULLY_CONNECTED", 10}, {"RESHAPE", 2}, {"QUANTIZE", 1}, {"DEQUANTIZE", 1}}));
}

}  // namespace
}  // namespace ripc
