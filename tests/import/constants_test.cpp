// Constants in types that the file stores and no kernel reads: float16, int4, and those that are only dequantised.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "import/import.h"
#include "import/model_builder.h"

namespace ripc {
namespace {

using test::Data;
using test::ModelBuilder;
using test::Numbers;
using tflite::TensorType;

std::string refusal(const std::vector<std::byte>& bytes) {
  try {
    import_tflite(bytes, "model.tflite");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

/// The weights of the one operator of a model.
const Tensor& weights_of(const Graph& graph) {
  const auto& connected = std::get<FullyConnected>(graph.ops.at(0).kind);
  return graph.tensors[static_cast<std::size_t>(connected.weights)];
}

std::vector<float> reals(const Tensor& tensor) {
  std::vector<float> values(tensor.data.size() / sizeof(float));
  std::memcpy(values.data(), tensor.data.data(), tensor.data.size());
  return values;
}

/// A fully connected layer of float32 whose weights are dequantised from a constant.
std::vector<std::byte> dequantized_weights(TensorType type, const Numbers& shape, const std::vector<float>& scale,
                                           const Data& data) {
  ModelBuilder builder;
  const int in = builder.tensor({1, shape[1]}, TensorType::FLOAT32);
  const int stored = builder.tensor(shape, type, scale, data);
  const int weights = builder.tensor(shape, TensorType::FLOAT32);
  const int out = builder.tensor({1, shape[0]}, TensorType::FLOAT32);
  builder.dequantize(stored, weights);
  builder.fully_connected(in, weights, out);
  return builder.finish(in, out);
}

TEST(Float16Constants, AreWidenedExactly) {
  // 1, -2, 65504, the least subnormal, the largest subnormal, infinity, 1/3 rounded, -0
  const Data halves{0x00, 0x3c, 0x00, 0xc0, 0xff, 0x7b, 0x01, 0x00, 0xff, 0x03, 0x00, 0x7c, 0x55, 0x35, 0x00, 0x80};
  const Graph graph = import_tflite(dequantized_weights(TensorType::FLOAT16, {2, 4}, {}, halves), "model.tflite");
  ASSERT_EQ(graph.ops.size(), 1U);
  const Tensor& weights = weights_of(graph);
  EXPECT_EQ(weights.type, DataType::float32);
  EXPECT_TRUE(weights.constant);
  const std::vector<float> expected{
      1.0F, -2.0F, 65504.0F, 0x1p-24F, 0x3ffp-24F, std::numeric_limits<float>::infinity(), 0x555p-12F, -0.0F};
  EXPECT_EQ(reals(weights), expected);
  EXPECT_TRUE(std::signbit(reals(weights)[7]));
}

TEST(DequantizedConstants, AreFoldedWithTheirScales) {
  const Data bytes{1, 2, 0xff, 0x80};
  EXPECT_EQ(reals(weights_of(import_tflite(dequantized_weights(TensorType::INT8, {2, 2}, {0.5F}, bytes), "m"))),
            (std::vector<float>{0.5F, 1.0F, -0.5F, -64.0F}));
  EXPECT_EQ(reals(weights_of(import_tflite(dequantized_weights(TensorType::INT8, {2, 2}, {0.5F, 2.0F}, bytes), "m"))),
            (std::vector<float>{0.5F, 1.0F, -2.0F, -256.0F}));
  EXPECT_NE(refusal(dequantized_weights(TensorType::INT8, {2, 2}, {}, bytes)).find("cannot be dequantised"),
            std::string::npos);
}

TEST(Int4Constants, AreUnpackedLowHalfFirst) {
  ModelBuilder builder;
  const int in = builder.tensor({1, 3}, TensorType::INT8, {0.5F});
  const int weights = builder.tensor({1, 3}, TensorType::INT4, {0.25F}, {0x81, 0x0f});
  const int out = builder.tensor({1, 1}, TensorType::INT8, {0.5F});
  builder.fully_connected(in, weights, out);
  const Graph graph = import_tflite(builder.finish(in, out), "model.tflite");
  const Tensor& tensor = weights_of(graph);
  EXPECT_EQ(tensor.type, DataType::int8);
  const std::vector<std::byte> expected{std::byte{1}, std::byte{0xf8}, std::byte{0xff}};
  EXPECT_EQ(tensor.data, expected);
}

TEST(Int4Constants, OfAnotherSizeAreRefused) {
  ModelBuilder builder;
  const int in = builder.tensor({1, 3}, TensorType::INT8, {0.5F});
  const int weights = builder.tensor({1, 3}, TensorType::INT4, {0.25F}, {0x81});
  const int out = builder.tensor({1, 1}, TensorType::INT8, {0.5F});
  builder.fully_connected(in, weights, out);
  EXPECT_NE(refusal(builder.finish(in, out)).find("constant of the wrong size"), std::string::npos);
}

TEST(Types, MeansOfAnImageAreOneOperatorInEveryType) {
  for (const TensorType type : {TensorType::INT8, TensorType::INT16, TensorType::FLOAT32}) {
    ModelBuilder builder;
    const std::vector<float> scale = type == TensorType::FLOAT32 ? std::vector<float>{} : std::vector<float>{0.5F};
    const int in = builder.tensor({1, 2, 3, 4}, type, scale);
    const int axes = builder.tensor({2}, TensorType::INT32, {}, {1, 0, 0, 0, 2, 0, 0, 0});
    const int out = builder.tensor({1, 4}, type, scale);
    builder.mean(in, axes, out);
    const Graph graph = import_tflite(builder.finish(in, out), "model.tflite");
    EXPECT_TRUE(std::holds_alternative<Mean>(graph.ops.at(0).kind));
  }
}

TEST(Types, HybridLayersSayWhatToDo) {
  ModelBuilder builder;
  const int in = builder.tensor({1, 2}, TensorType::FLOAT32);
  const int weights = builder.tensor({1, 2}, TensorType::INT8, {0.25F}, {1, 2});
  const int out = builder.tensor({1, 1}, TensorType::FLOAT32);
  builder.fully_connected(in, weights, out);
  const std::string text = refusal(builder.finish(in, out));
  EXPECT_NE(text.find("quantised weights with float activations"), std::string::npos) << text;
  EXPECT_NE(text.find("representative data set"), std::string::npos) << text;
}

TEST(Types, OldUint8ModelsSayWhatToDo) {
  ModelBuilder builder;
  const int in = builder.tensor({1, 2}, TensorType::UINT8, {0.5F});
  const int weights = builder.tensor({1, 2}, TensorType::UINT8, {0.25F}, {1, 2});
  const int out = builder.tensor({1, 1}, TensorType::UINT8, {0.5F});
  builder.fully_connected(in, weights, out);
  EXPECT_NE(refusal(builder.finish(in, out)).find("convert the model anew, with int8"), std::string::npos);
}

TEST(Types, Float16ActivationsAreRefused) {
  ModelBuilder builder;
  const int in = builder.tensor({1, 2}, TensorType::FLOAT16);
  const int weights = builder.tensor({1, 2}, TensorType::FLOAT16, {}, {0, 0, 0, 0});
  const int out = builder.tensor({1, 1}, TensorType::FLOAT16);
  builder.fully_connected(in, weights, out);
  EXPECT_NE(refusal(builder.finish(in, out)).find("unsupported type; found FLOAT16"), std::string::npos);
}

}  // namespace
}  // namespace ripc
