// What the importer works out before it asks for kernels: shapes in numbers, dilations in batches, constants as
// activations.
#include <gtest/gtest.h>

#include "import/import.h"
#include "import/model_builder.h"

namespace ripc {
namespace {

using test::Data;
using test::ModelBuilder;
using test::Numbers;
using tflite::BuiltinOperator;
using tflite::BuiltinOptions;
using tflite::TensorType;

std::vector<std::string> kinds(const Graph& graph) {
  std::vector<std::string> names;
  for (const Op& op : graph.ops) names.emplace_back(kind_name(op));
  return names;
}

using Kinds = std::vector<std::string>;

struct Batches {
  Numbers in{1, 6, 7, 2}, phases{4, 4, 4, 2}, made{4, 2, 2, 3}, out{1, 4, 4, 3};
  Numbers paddings{1, 1, 0, 1}, crops{0, 0, 0, 0};
  std::int32_t block = 2, stride = 1;
};

/// SPACE_TO_BATCH_ND, a 3x3 convolution without padding, BATCH_TO_SPACE_ND.
std::vector<std::byte> dilated(const Batches& b) {
  ModelBuilder model;
  const int in = model.tensor(b.in, TensorType::FLOAT32), block = model.integers({2}, {b.block, b.block});
  const int paddings = model.integers({2, 2}, b.paddings), phases = model.tensor(b.phases, TensorType::FLOAT32);
  const int weights = model.tensor({3, 3, 3, 2}, TensorType::FLOAT32, {}, Data(3 * 3 * 3 * 2 * 4));
  const int made = model.tensor(b.made, TensorType::FLOAT32), crops = model.integers({2, 2}, b.crops);
  const int out = model.tensor(b.out, TensorType::FLOAT32);
  model.op(BuiltinOperator::SPACE_TO_BATCH_ND, {in, block, paddings}, {phases});
  model.op(BuiltinOperator::CONV_2D, {phases, weights, -1}, {made}, BuiltinOptions::Conv2DOptions,
           tflite::CreateConv2DOptions(model.builder(), tflite::Padding::VALID, b.stride, b.stride).Union());
  model.op(BuiltinOperator::BATCH_TO_SPACE_ND, {made, block, crops}, {out});
  return model.finish(in, out);
}

std::string refusal(const std::vector<std::byte>& bytes) {
  try {
    import_tflite(bytes, "model.tflite");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Batches, AroundAConvolutionAreItsDilation) {
  const Graph graph = import_tflite(dilated({}), "model.tflite");
  ASSERT_EQ(kinds(graph), Kinds{"CONV_2D"});
  const auto& conv = std::get<Conv2d>(graph.ops[0].kind);
  EXPECT_EQ(conv.rows, (Window{.kernel = 3, .dilation = 2, .pad_before = 1, .pad_after = 1}));
  EXPECT_EQ(conv.columns, (Window{.kernel = 3, .dilation = 2, .pad_before = 0, .pad_after = 1}));
  EXPECT_EQ(graph.ops[0].inputs, graph.inputs);
  EXPECT_EQ(graph.ops[0].output, graph.outputs[0]);
}

TEST(Batches, CropsTakePaddingAway) {
  const Graph graph = import_tflite(dilated({.out = {1, 3, 3, 3}, .crops = {1, 0, 0, 1}}), "model.tflite");
  const auto& conv = std::get<Conv2d>(graph.ops.at(0).kind);
  EXPECT_EQ(conv.rows, (Window{.kernel = 3, .dilation = 2, .pad_before = 0, .pad_after = 1}));
  EXPECT_EQ(conv.columns, (Window{.kernel = 3, .dilation = 2, .pad_before = 0, .pad_after = 0}));
  EXPECT_NE(refusal(dilated({.out = {1, 4, 3, 3}, .crops = {0, 0, 1, 0}})).find("more is cropped than padded"),
            std::string::npos);
}

TEST(Batches, OfOtherOperatorsSayWhatToDo) {
  EXPECT_NE(refusal(dilated({.made = {4, 1, 1, 3}, .out = {1, 2, 2, 3}, .stride = 2})).find("with a stride"),
            std::string::npos);
  ModelBuilder model;
  const int in = model.tensor({1, 4, 4, 2}, TensorType::FLOAT32), block = model.integers({2}, {2, 2});
  const int none = model.integers({2, 2}, {0, 0, 0, 0}), phases = model.tensor({4, 2, 2, 2}, TensorType::FLOAT32);
  model.op(BuiltinOperator::SPACE_TO_BATCH_ND, {in, block, none}, {phases});
  const std::string text = refusal(model.finish(in, phases));
  EXPECT_NE(text.find("batches of images"), std::string::npos) << text;
  EXPECT_NE(text.find("Export the convolution with its dilation"), std::string::npos) << text;
}

TEST(Integers, OfShapesAndConstantsAreKnown) {
  // Rows are padded by (height + 3) % 4, as converters write a padding to a multiple.
  ModelBuilder model;
  const int in = model.tensor({1, 6, 7, 2}, TensorType::INT8, {0.5F});
  const int shape = model.tensor({4}, TensorType::INT32), height = model.tensor({}, TensorType::INT32);
  const int one = model.integers({1}, {1}), two = model.integers({1}, {2}), three = model.integers({}, {3});
  const int four = model.integers({}, {4}), zero = model.integers({}, {0});
  const int sum = model.tensor({}, TensorType::INT32), rest = model.tensor({}, TensorType::INT32);
  const int row = model.tensor({2}, TensorType::INT32), paddings = model.tensor({4, 2}, TensorType::INT32);
  const int none = model.integers({2}, {0, 0}), out = model.tensor({1, 7, 7, 2}, TensorType::INT8, {0.5F});
  auto& b = model.builder();
  model.op(BuiltinOperator::SHAPE, {in}, {shape});
  model.op(BuiltinOperator::STRIDED_SLICE, {shape, one, two, one}, {height}, BuiltinOptions::StridedSliceOptions,
           tflite::CreateStridedSliceOptions(b, 0, 0, 0, 0, 1).Union());
  model.op(BuiltinOperator::ADD, {height, three}, {sum}, BuiltinOptions::AddOptions,
           tflite::CreateAddOptions(b).Union());
  model.op(BuiltinOperator::FLOOR_MOD, {sum, four}, {rest});
  model.op(BuiltinOperator::PACK, {zero, rest}, {row}, BuiltinOptions::PackOptions,
           tflite::CreatePackOptions(b, 2, 0).Union());
  const int rows = model.tensor({8}, TensorType::INT32);
  model.op(BuiltinOperator::CONCATENATION, {none, row, none, none}, {rows}, BuiltinOptions::ConcatenationOptions,
           tflite::CreateConcatenationOptions(b, 0).Union());
  model.op(BuiltinOperator::RESHAPE, {rows}, {paddings});
  model.op(BuiltinOperator::PAD, {in, paddings}, {out});
  const Graph graph = import_tflite(model.finish(in, out), "model.tflite");
  ASSERT_EQ(kinds(graph), Kinds{"PAD"});
  EXPECT_EQ(std::get<Pad>(graph.ops[0].kind).after, (std::array<std::int64_t, 3>{1, 0, 0}));
}

TEST(Integers, DividedByZeroAreNotKnown) {
  ModelBuilder model;
  const int in = model.tensor({1, 6, 7, 2}, TensorType::INT8, {0.5F}), zero = model.integers({8}, Numbers(8, 0));
  const int quotient = model.tensor({8}, TensorType::INT32), out = model.tensor({1, 6, 7, 2}, TensorType::INT8, {0.5F});
  model.op(BuiltinOperator::FLOOR_DIV, {zero, zero}, {quotient});
  model.op(BuiltinOperator::PAD, {in, quotient}, {out});
  EXPECT_NE(refusal(model.finish(in, out)).find("computed parameter"), std::string::npos);
}

TEST(Constants, AsActivationsAreLoadedWhereTheyAreNeeded) {
  ModelBuilder model;
  const int in = model.tensor({1, 2}, TensorType::INT8, {0.5F});
  const int constant = model.tensor({1, 3}, TensorType::INT8, {0.5F}, {7, 8, 9});
  const int joined = model.tensor({1, 5}, TensorType::INT8, {0.5F});
  model.op(BuiltinOperator::CONCATENATION, {constant, in}, {joined}, BuiltinOptions::ConcatenationOptions,
           tflite::CreateConcatenationOptions(model.builder(), 1).Union());
  const Graph graph = import_tflite(model.finish({in}, {joined, constant}), "model.tflite");
  EXPECT_EQ(kinds(graph), (Kinds{"CONSTANT", "CONCATENATION", "CONSTANT"}));
  EXPECT_EQ(graph.outputs.size(), 2U);
}

TEST(Constants, OnTheRightOfAMatrixProductAreWeights) {
  for (const bool transposed : {false, true}) {
    ModelBuilder model;
    const int in = model.tensor({1, 4, 2}, TensorType::INT8, {0.5F});
    const int right =
        model.tensor(transposed ? Numbers{1, 3, 2} : Numbers{1, 2, 3}, TensorType::INT8, {0.25F}, {1, 2, 3, 4, 5, 6});
    const int out = model.tensor({1, 4, 3}, TensorType::INT8, {0.5F});
    model.op(BuiltinOperator::BATCH_MATMUL, {in, right}, {out}, BuiltinOptions::BatchMatMulOptions,
             tflite::CreateBatchMatMulOptions(model.builder(), false, transposed).Union());
    const Graph graph = import_tflite(model.finish(in, out), "model.tflite");
    ASSERT_EQ(kinds(graph), Kinds{"FULLY_CONNECTED"});
    const Tensor& weights =
        graph.tensors[static_cast<std::size_t>(std::get<FullyConnected>(graph.ops[0].kind).weights)];
    EXPECT_EQ(weights.shape, (std::vector<std::int64_t>{3, 2}));
    std::vector<int> numbers;
    for (const std::byte byte : weights.data) numbers.push_back(static_cast<int>(byte));
    EXPECT_EQ(numbers, transposed ? (std::vector<int>{1, 2, 3, 4, 5, 6}) : (std::vector<int>{1, 4, 2, 5, 3, 6}));
  }
}

TEST(Constants, OnBothSidesOfAnOperator) {
  ModelBuilder model;
  const int in = model.tensor({1, 2}, TensorType::FLOAT32);
  const int constant = model.tensor({1, 2}, TensorType::FLOAT32, {}, Data(8));
  const int sum = model.tensor({1, 2}, TensorType::FLOAT32), out = model.tensor({1, 2}, TensorType::FLOAT32);
  auto& b = model.builder();
  model.op(BuiltinOperator::ADD, {constant, constant}, {sum}, BuiltinOptions::AddOptions,
           tflite::CreateAddOptions(b).Union());
  model.op(BuiltinOperator::ADD, {in, sum}, {out}, BuiltinOptions::AddOptions, tflite::CreateAddOptions(b).Union());
  EXPECT_EQ(kinds(import_tflite(model.finish(in, out), "model.tflite")), (Kinds{"CONSTANT", "ADD", "ADD"}));
}

}  // namespace
}  // namespace ripc
