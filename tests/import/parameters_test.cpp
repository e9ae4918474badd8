// Operators whose parameters are constants of their own: axes of MEAN, paddings of PAD.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "import/import.h"
#include "tflite/schema_generated.h"

namespace ripc {
namespace {

using Numbers = std::vector<std::int32_t>;

/// A model of one operator from an image of `in` to one of `out`; the operator's second input is the constant
/// `parameter`.
std::vector<std::byte> one_operator(tflite::BuiltinOperator code, const Numbers& in, const Numbers& out,
                                    const Numbers& parameter, bool wide = false) {
  flatbuffers::FlatBufferBuilder builder;
  const std::vector<float> scale{0.5F};
  const std::vector<std::int64_t> zero{3};
  const auto image = [&](const Numbers& shape, const char* name) {
    return tflite::CreateTensorDirect(builder, &shape, tflite::TensorType::INT8, 0, name,
                                      tflite::CreateQuantizationParametersDirect(builder, &scale, &zero));
  };
  const Numbers parameter_shape{static_cast<std::int32_t>(parameter.size())};
  const std::vector tensors{
      image(in, "in"), image(out, "out"),
      tflite::CreateTensorDirect(builder, &parameter_shape,
                                 wide ? tflite::TensorType::INT64 : tflite::TensorType::INT32, 1, "parameter")};
  std::vector<std::uint8_t> data;
  for (const std::int64_t value : parameter) {
    std::uint8_t bytes[8];
    std::memcpy(bytes, &value, sizeof bytes);
    data.insert(data.end(), bytes, bytes + (wide ? 8 : 4));
  }
  const Numbers op_inputs{0, 2}, op_outputs{1}, inputs{0}, outputs{1};
  const std::vector ops{tflite::CreateOperatorDirect(builder, 0, &op_inputs, &op_outputs)};
  const std::vector codes{tflite::CreateOperatorCodeDirect(builder, 0, nullptr, 1, code)};
  const std::vector graphs{tflite::CreateSubGraphDirect(builder, &tensors, &inputs, &outputs, &ops)};
  const std::vector buffers{tflite::CreateBuffer(builder), tflite::CreateBufferDirect(builder, &data)};
  builder.Finish(tflite::CreateModelDirect(builder, 3, &codes, &graphs, nullptr, &buffers), "TFL3");
  const auto bytes = std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
  return {bytes.begin(), bytes.end()};
}

std::string refusal(const std::vector<std::byte>& bytes) {
  try {
    import_tflite(bytes, "model.tflite");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

std::string mean(const Numbers& in, const Numbers& out, const Numbers& axes, bool wide = false) {
  return refusal(one_operator(tflite::BuiltinOperator::MEAN, in, out, axes, wide));
}

TEST(Mean, AxesOfTheImage) {
  EXPECT_EQ(mean({1, 4, 5, 2}, {1, 2}, {1, 2}), "accepted");
  EXPECT_EQ(mean({1, 4, 5, 2}, {1, 1, 1, 2}, {2, 1}), "accepted");
  EXPECT_EQ(mean({1, 4, 5, 2}, {1, 2}, {-3, -2}), "accepted");
  EXPECT_EQ(mean({1, 4, 5, 2}, {1, 2}, {1, 2, 0, 1}), "accepted");
  EXPECT_EQ(mean({1, 4, 5, 2}, {1, 2}, {1, 2}, true), "accepted");
  EXPECT_EQ(mean({1, 1, 5, 2}, {1, 1, 2}, {2}), "accepted");
  EXPECT_EQ(mean({1, 5, 2}, {1, 2}, {1}), "accepted");
}

TEST(Mean, OtherAxes) {
  EXPECT_EQ(mean({1, 4, 5, 2}, {1, 5, 2}, {1}), "accepted");
  EXPECT_EQ(mean({1, 4, 5, 2}, {1, 4, 5}, {3}), "accepted");
  EXPECT_EQ(mean({1, 4, 5, 2}, {1, 4, 5, 1}, {-1}), "accepted");
  EXPECT_EQ(mean({3, 4, 5, 2}, {4, 2}, {0, 2}), "accepted");
}

TEST(Mean, ImpossibleAxesAreRefused) {
  EXPECT_NE(mean({1, 4, 5, 2}, {1, 4}, {3}).find("output of another shape"), std::string::npos);
  EXPECT_NE(mean({2, 4, 5, 2, 3}, {4, 2}, {0, 2, 4}).find("two runs"), std::string::npos);
  EXPECT_NE(mean({1, 4, 5, 2}, {1, 2}, {1, 4}).find("no such axis"), std::string::npos);
  EXPECT_NE(mean({1, 4, 5, 2}, {1, 2}, {INT32_MIN}).find("no such axis"), std::string::npos);
  EXPECT_NE(mean({1, 4, 5, 2}, {1, 2}, {}).find("computed parameter"), std::string::npos);
  EXPECT_NE(mean({1, 4, 5, 2}, {1, 5}, {1, 2}).find("mean over other axes"), std::string::npos);
  EXPECT_NE(mean({1, 4096, 4096, 2}, {1, 2}, {1, 2}).find("too many values"), std::string::npos);
}

std::string pad(const Numbers& in, const Numbers& out, const Numbers& paddings, bool wide = false) {
  return refusal(one_operator(tflite::BuiltinOperator::PAD, in, out, paddings, wide));
}

TEST(Paddings, OfEveryRank) {
  const auto bytes =
      one_operator(tflite::BuiltinOperator::PAD, {1, 4, 5, 2}, {1, 7, 6, 5}, {0, 0, 1, 2, 0, 1, 3, 0}, true);
  const Graph graph = import_tflite(bytes, "model.tflite");
  const auto& read = std::get<Pad>(graph.ops[0].kind);
  EXPECT_EQ(read.before, (std::array<std::int64_t, 3>{1, 0, 3}));
  EXPECT_EQ(read.after, (std::array<std::int64_t, 3>{2, 1, 0}));
  EXPECT_EQ(pad({4, 5, 2}, {7, 6, 5}, {1, 2, 0, 1, 3, 0}), "accepted");
  EXPECT_EQ(pad({5, 2}, {6, 5}, {0, 1, 3, 0}), "accepted");
  EXPECT_EQ(pad({2}, {5}, {3, 0}), "accepted");
  EXPECT_EQ(pad({1, 1, 4, 5, 2}, {1, 1, 5, 5, 2}, {0, 0, 0, 0, 1, 0, 0, 0, 0, 0}), "accepted");
  EXPECT_EQ(pad({1, 3, 4, 5, 2}, {1, 3, 4, 6, 2}, {0, 0, 0, 0, 0, 0, 1, 0, 0, 0}), "accepted");
}

TEST(Paddings, OthersAreRefused) {
  EXPECT_NE(pad({1, 4, 5, 2}, {2, 4, 5, 2}, {0, 1, 0, 0, 0, 0, 0, 0}).find("padding of the batch"), std::string::npos);
  EXPECT_NE(pad({1, 3, 4, 5, 2}, {1, 3, 5, 5, 2}, {0, 0, 0, 0, 1, 0, 0, 0, 0, 0}).find("rows of several images"),
            std::string::npos);
  EXPECT_NE(pad({1, 4, 5, 2}, {1, 4, 5, 2}, {0, 0, 1, 1}).find("wrong rank"), std::string::npos);
  EXPECT_NE(pad({1, 4, 5, 2}, {1, 5, 5, 2}, {0, 0, 1, 1, 0, 0, 0, 0}).find("do not make"), std::string::npos);
  EXPECT_NE(pad({1, 4, 5, 2}, {1, 3, 5, 2}, {0, 0, -1, 0, 0, 0, 0, 0}).find("do not make"), std::string::npos);
  EXPECT_NE(pad({1, 4, 5, 2}, {1, 4, 5, 2}, {0, 0, INT32_MAX, INT32_MIN, 0, 0, 0, 0}).find("do not make"),
            std::string::npos);
  EXPECT_NE(pad({1, 4, 5, 2}, {1, 5, 5, 2}, {}).find("computed parameter"), std::string::npos);
}

}  // namespace
}  // namespace ripc
