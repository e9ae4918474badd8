// Small files that ask for much: parts that are shared many times, numbers that multiply, lists that are walked once
// for each of their entries. Each is refused, or read in time and memory that go with the size of the file; where the
// cost was quadratic, the test would not end within its time.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "import/import.h"
#include "passes/passes.h"
#include "tflite/schema_generated.h"

namespace ripc {
namespace {

using tflite::BuiltinOperator;
using tflite::BuiltinOptions;
using tflite::TensorType;
using Numbers = std::vector<std::int32_t>;

constexpr std::int32_t kLarge = 1 << 30;
constexpr std::size_t kMany = 30000;  // operators, or entries of a list; below the tables that a file may have

/// A model that is put together piece by piece; lists that are made once can be used any number of times.
struct Maker {
  flatbuffers::FlatBufferBuilder builder{};
  std::vector<flatbuffers::Offset<tflite::Tensor>> tensors{};
  std::vector<flatbuffers::Offset<tflite::Operator>> ops{};
  std::vector<flatbuffers::Offset<tflite::OperatorCode>> codes{};
  std::vector<flatbuffers::Offset<tflite::Buffer>> buffers{tflite::CreateBuffer(builder)};
  std::vector<flatbuffers::Offset<tflite::SubGraph>> others{};
  Numbers inputs{}, outputs{};

  std::int32_t tensor(const Numbers& shape, TensorType type = TensorType::INT8, std::uint32_t buffer = 0,
                      bool variable = false, float scale = 0.5F) {
    const std::vector<float> scales{scale};
    const std::vector<std::int64_t> zeros{0};
    tensors.push_back(
        tflite::CreateTensorDirect(builder, &shape, type, buffer, ("t" + std::to_string(tensors.size())).c_str(),
                                   tflite::CreateQuantizationParametersDirect(builder, &scales, &zeros), variable));
    return static_cast<std::int32_t>(tensors.size()) - 1;
  }

  template <typename T>
  std::int32_t constant(const std::vector<T>& values, TensorType type) {
    std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    buffers.push_back(tflite::CreateBufferDirect(builder, &bytes));
    return tensor({static_cast<std::int32_t>(values.size())}, type, static_cast<std::uint32_t>(buffers.size() - 1));
  }
  std::int32_t numbers(const Numbers& values) { return constant(values, TensorType::INT32); }
  std::int32_t wide(const std::vector<std::int64_t>& values) { return constant(values, TensorType::INT64); }

  std::uint32_t code(BuiltinOperator value, const char* custom = nullptr) {
    codes.push_back(tflite::CreateOperatorCodeDirect(builder, 0, custom, 1, value));
    return static_cast<std::uint32_t>(codes.size() - 1);
  }

  void op(std::uint32_t code, const Numbers& in, const Numbers& out, BuiltinOptions type = BuiltinOptions::NONE,
          flatbuffers::Offset<void> options = 0) {
    ops.push_back(tflite::CreateOperatorDirect(builder, code, &in, &out, type, options));
  }

  std::vector<std::byte> finish() {
    std::vector graphs{tflite::CreateSubGraphDirect(builder, &tensors, &inputs, &outputs, &ops)};
    graphs.insert(graphs.end(), others.begin(), others.end());
    builder.Finish(tflite::CreateModelDirect(builder, 3, &codes, &graphs, nullptr, &buffers), "TFL3");
    const auto bytes = std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
    return {bytes.begin(), bytes.end()};
  }
};

std::string answer(const std::vector<std::byte>& bytes) {
  try {
    validate(canonicalize(import_tflite(bytes, "costly.tflite")));
    return "accepted";
  } catch (const Error& error) {
    EXPECT_LT(std::strlen(error.what()), 20000U);
    return error.what();
  }
}

/// What is said of one operator from an activation of shape `in` to one of `out`, with constants.
std::string one(BuiltinOperator code, const Numbers& in, const Numbers& out,
                const std::vector<std::vector<std::int64_t>>& constants, BuiltinOptions type = BuiltinOptions::NONE,
                const std::function<flatbuffers::Offset<void>(flatbuffers::FlatBufferBuilder&)>& options = {}) {
  Maker maker;
  maker.inputs = {maker.tensor(in)};
  Numbers operands = maker.inputs;
  for (const auto& values : constants) operands.push_back(maker.wide(values));
  maker.outputs = {maker.tensor(out)};
  maker.op(maker.code(code), operands, maker.outputs, type, options ? options(maker.builder) : 0);
  return answer(maker.finish());
}

#define EXPECT_SAYS(text, words) EXPECT_NE((text).find(words), std::string::npos) << (text).substr(0, 1000)

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max(), kLeast = -kMost - 1;

TEST(Costly, IndicesOfSlicesThatOverflow) {
  for (const std::int64_t begin : {kMost, kLeast, std::int64_t{-1}}) {
    EXPECT_SAYS(one(BuiltinOperator::SLICE, {1, 8}, {1, 8}, {{0, begin}, {1, -1}}), "slice outside of the input");
    EXPECT_SAYS(one(BuiltinOperator::SLICE, {1, 8}, {1, 8}, {{0, 0}, {1, begin == -1 ? kLeast : begin}}),
                "slice outside of the input");
  }
  const auto offset = [](auto& b) { return tflite::CreateStridedSliceOptions(b, 0, 0, 0, 0, 0, true).Union(); };
  EXPECT_SAYS(one(BuiltinOperator::STRIDED_SLICE, {1, 8}, {1, 8}, {{0, kMost}, {1, kMost}, {1, 1}},
                  BuiltinOptions::StridedSliceOptions, offset),
              "empty slice");
  const auto plain = [](auto& b) { return tflite::CreateStridedSliceOptions(b).Union(); };
  EXPECT_SAYS(one(BuiltinOperator::STRIDED_SLICE, {1, 8}, {1, 8}, {{0, 0}, {1, 8}, {1, kLeast}},
                  BuiltinOptions::StridedSliceOptions, plain),
              "bad stride");
  // Converters say "to the end" like this.
  EXPECT_EQ(one(BuiltinOperator::STRIDED_SLICE, {1, 8}, {1, 8}, {{0, kLeast}, {1, kMost}, {1, 1}},
                BuiltinOptions::StridedSliceOptions, plain),
            "accepted");
}

TEST(Costly, RepetitionsThatMultiply) {
  EXPECT_SAYS(one(BuiltinOperator::TILE, {1, 1, 1, 1}, {1, 1, 1, 1}, {{kLarge, kLarge, kLarge, kLarge}}),
              "bad number of repetitions");
  EXPECT_SAYS(one(BuiltinOperator::TILE, {1, 2}, {1, 2}, {{1, kMost}}), "bad number of repetitions");
}

TEST(Costly, TensorsOfAnyRank) {
  EXPECT_SAYS(one(BuiltinOperator::RESHAPE, {8}, Numbers(9, 1), {{1}}), "too many axes");
  EXPECT_SAYS(one(BuiltinOperator::RESHAPE, {8}, Numbers(1 << 20, 1), {{1}}), "too many axes");
}

TEST(Costly, TablesThatFollowFromTheShapes) {
  const auto nearest = [](auto& b) { return tflite::CreateResizeNearestNeighborOptions(b).Union(); };
  const auto bilinear = [](auto& b) { return tflite::CreateResizeBilinearOptions(b).Union(); };
  const auto mirror = [](auto& b) {
    return tflite::CreateMirrorPadOptions(b, tflite::MirrorPadMode::SYMMETRIC).Union();
  };
  EXPECT_SAYS(one(BuiltinOperator::RESIZE_NEAREST_NEIGHBOR, {1, 1, 1, 1}, {1, kLarge, 1, 1}, {{kLarge, 1}},
                  BuiltinOptions::ResizeNearestNeighborOptions, nearest),
              "too large to resize");
  EXPECT_SAYS(one(BuiltinOperator::RESIZE_BILINEAR, {1, 1, 1, 1}, {1, 1, kLarge, 1}, {{1, kLarge}},
                  BuiltinOptions::ResizeBilinearOptions, bilinear),
              "too large to resize");
  EXPECT_SAYS(one(BuiltinOperator::MIRROR_PAD, {1, kLarge / 2}, {1, kLarge}, {{0, 0, kLarge / 2, 0}},
                  BuiltinOptions::MirrorPadOptions, mirror),
              "too long");
  Maker maker;
  maker.inputs = {maker.tensor({kLarge, 1, 1}), maker.tensor({1, 1, 1})};
  maker.outputs = {maker.tensor({kLarge, 1, 1})};
  maker.op(maker.code(BuiltinOperator::ADD), {0, 1}, {2});
  EXPECT_SAYS(answer(maker.finish()), "too many rows");
}

TEST(Costly, StatesOfAnySize) {
  Maker svdf;
  svdf.inputs = {svdf.tensor({1, 1})};
  const std::int32_t weight = svdf.constant(std::vector<std::int8_t>{1}, TensorType::INT8);
  svdf.outputs = {svdf.tensor({1, 1})};
  const std::int32_t memory = svdf.tensor({1, kLarge}, TensorType::INT8, 0, true);
  svdf.op(svdf.code(BuiltinOperator::SVDF), {0, weight, weight, -1, memory}, svdf.outputs, BuiltinOptions::SVDFOptions,
          tflite::CreateSVDFOptions(svdf.builder, 1).Union());
  EXPECT_SAYS(answer(svdf.finish()), "too much survives between runs");

  Maker variables;
  const std::uint32_t read = variables.code(BuiltinOperator::READ_VARIABLE),
                      handle = variables.code(BuiltinOperator::VAR_HANDLE);
  for (int i = 0; i < 3; ++i) {  // each by itself is small enough
    const std::int32_t of = variables.tensor({}, TensorType::RESOURCE);
    const std::string name = "v" + std::to_string(i);
    variables.op(handle, {}, {of}, BuiltinOptions::VarHandleOptions,
                 tflite::CreateVarHandleOptionsDirect(variables.builder, "", name.c_str()).Union());
    variables.outputs.push_back(variables.tensor({1, 1 << 25}));
    variables.op(read, {of}, {variables.outputs.back()});
  }
  EXPECT_SAYS(answer(variables.finish()), "too much survives between runs");
}

TEST(Costly, ListsOfOperandsThatAreShared) {
  Maker maker;
  maker.inputs = {maker.tensor({1, 1})};
  const auto list = maker.builder.CreateVector(Numbers(1 << 20, 0));
  const std::uint32_t code = maker.code(BuiltinOperator::CONCATENATION);
  for (std::size_t i = 0; i < kMany; ++i) {
    const Numbers out{maker.tensor({1, 1 << 20})};
    maker.ops.push_back(tflite::CreateOperator(maker.builder, code, list, maker.builder.CreateVector(out)));
    maker.outputs = out;
  }
  EXPECT_SAYS(answer(maker.finish()), "shared too often");
}

TEST(Costly, NamesThatAreShared) {
  Maker maker;
  const auto shape = maker.builder.CreateVector(Numbers{1, 4});
  const auto name = maker.builder.CreateString(std::string(1 << 20, 'n'));
  for (std::size_t i = 0; i < kMany; ++i) {
    maker.tensors.push_back(tflite::CreateTensor(maker.builder, shape, TensorType::INT8, 0, name));
  }
  maker.inputs = maker.outputs = {0};
  EXPECT_SAYS(answer(maker.finish()), "shared too often");
}

TEST(Costly, ConstantsThatAreShared) {
  Maker maker;
  const auto gather = [&] { return tflite::CreateGatherOptions(maker.builder, 1).Union(); };
  std::int32_t last = maker.tensor({1, 1});
  maker.inputs = {last};
  const std::uint32_t code = maker.code(BuiltinOperator::GATHER);
  const std::int32_t list = maker.numbers(Numbers(1 << 18, 0));
  const std::int32_t wide = maker.tensor({1, 1 << 18});
  maker.op(code, {last, list}, {wide}, BuiltinOptions::GatherOptions, gather());
  last = wide;
  for (std::size_t i = 0; i < kMany; ++i) {
    const std::int32_t next = maker.tensor({1, 1 << 18});
    maker.op(code, {last, list}, {next}, BuiltinOptions::GatherOptions, gather());
    last = next;
  }
  maker.outputs = {last};
  EXPECT_SAYS(answer(maker.finish()), "shared too often");
}

TEST(Costly, OperatorsInReverseOrder) {
  Maker maker;
  maker.tensor({1, 4});
  for (std::size_t i = 0; i < kMany; ++i) maker.tensor({1, 4});
  const std::uint32_t code = maker.code(BuiltinOperator::RELU);
  for (auto i = static_cast<std::int32_t>(kMany); i > 0; --i) maker.op(code, {i - 1}, {i});
  maker.inputs = {0};
  maker.outputs = {static_cast<std::int32_t>(kMany)};
  EXPECT_SAYS(answer(maker.finish()), "read before it is written");
}

TEST(Costly, AChainOfVariables) {
  Maker maker;
  const std::uint32_t handle = maker.code(BuiltinOperator::VAR_HANDLE),
                      read = maker.code(BuiltinOperator::READ_VARIABLE),
                      assign = maker.code(BuiltinOperator::ASSIGN_VARIABLE);
  constexpr std::int32_t kVariables = 8000;
  for (std::int32_t i = 0; i < kVariables; ++i) {
    const std::string name = std::to_string(i);
    maker.op(handle, {}, {maker.tensor({}, TensorType::RESOURCE)}, BuiltinOptions::VarHandleOptions,
             tflite::CreateVarHandleOptionsDirect(maker.builder, "", name.c_str()).Union());
  }
  // Every variable moves on by one place; the last is the output.
  Numbers values;
  for (std::int32_t i = 0; i < kVariables; ++i) {
    values.push_back(maker.tensor({1, 1}));
    maker.op(read, {i}, {values.back()});
  }
  for (std::int32_t i = 0; i + 1 < kVariables; ++i) maker.op(assign, {i + 1, values[static_cast<std::size_t>(i)]}, {});
  maker.outputs = {maker.tensor({1, 1})};
  maker.op(maker.code(BuiltinOperator::RELU), {values.back()}, maker.outputs);
  EXPECT_EQ(answer(maker.finish()), "accepted");
}

TEST(Costly, AnInitialisationThatIsRepeated) {
  Maker maker;
  const std::uint32_t once = maker.code(BuiltinOperator::CALL_ONCE), relu = maker.code(BuiltinOperator::RELU),
                      handle = maker.code(BuiltinOperator::VAR_HANDLE);
  maker.inputs = {maker.tensor({1, 4})};
  maker.outputs = {maker.tensor({1, 4})};
  const auto call = tflite::CreateCallOnceOptions(maker.builder, 1).Union();
  const auto held = tflite::CreateVarHandleOptionsDirect(maker.builder, "", "v").Union();
  std::vector<flatbuffers::Offset<tflite::Operator>> handles;
  const Numbers of{0};
  for (std::size_t i = 0; i < kMany / 2; ++i) {
    maker.op(once, {}, {}, BuiltinOptions::CallOnceOptions, call);
    handles.push_back(
        tflite::CreateOperatorDirect(maker.builder, handle, nullptr, &of, BuiltinOptions::VarHandleOptions, held));
  }
  maker.op(relu, maker.inputs, maker.outputs);
  const std::vector tensors{tflite::CreateTensorDirect(maker.builder, &of, TensorType::RESOURCE)};
  maker.others = {tflite::CreateSubGraphDirect(maker.builder, &tensors, nullptr, nullptr, &handles)};
  EXPECT_SAYS(answer(maker.finish()), "shared too often");
}

TEST(Costly, BlocksOfADilationThatOverflow) {
  Maker maker;
  maker.inputs = {maker.tensor({1, 8, 8, 1})};
  const std::int32_t weights = maker.constant(std::vector<std::int8_t>(9, 1), TensorType::INT8);
  const std::int32_t block = maker.wide({kMost, kMost}), pads = maker.wide({kMost, kMost, kMost, kMost});
  const std::int32_t batches = maker.tensor({1, 8, 8, 1}), made = maker.tensor({1, 8, 8, 1});
  maker.outputs = {maker.tensor({1, 8, 8, 1})};
  maker.op(maker.code(BuiltinOperator::SPACE_TO_BATCH_ND), {0, block, pads}, {batches});
  maker.op(maker.code(BuiltinOperator::CONV_2D), {batches, weights}, {made}, BuiltinOptions::Conv2DOptions,
           tflite::CreateConv2DOptions(maker.builder, tflite::Padding::SAME, 1, 1).Union());
  maker.op(maker.code(BuiltinOperator::BATCH_TO_SPACE_ND), {made, block, pads}, maker.outputs);
  EXPECT_NE(answer(maker.finish()), "accepted");
}

TEST(Costly, OutputsThatEachLookAtAllInputs) {
  Maker maker;
  maker.inputs = {maker.tensor({1, 4})};
  const std::int32_t number = maker.numbers({1}), unknown = maker.tensor({1}, TensorType::INT32);
  maker.outputs = {maker.tensor({1, 4})};
  maker.op(maker.code(BuiltinOperator::PACK), Numbers(100000, number), Numbers(100000, unknown));
  maker.op(maker.code(BuiltinOperator::RELU), maker.inputs, maker.outputs);
  EXPECT_EQ(answer(maker.finish()), "accepted");
}

TEST(Costly, EveryOperatorOfAnotherUnknownKind) {
  Maker maker;
  std::int32_t last = maker.tensor({1, 4});
  maker.inputs = {last};
  const std::string common(500, 'x');
  for (std::size_t i = 0; i < kMany / 2; ++i) {
    const std::int32_t next = maker.tensor({1, 4});
    maker.op(maker.code(BuiltinOperator::CUSTOM, (std::to_string(i) + common).c_str()), {last}, {next});
    last = next;
  }
  maker.outputs = {last};
  EXPECT_SAYS(answer(maker.finish()), "more kinds");
}

TEST(Costly, ScalesOfAnActivationByChannel) {
  Maker maker;
  const std::vector<float> scales(4, 0.5F);
  const Numbers shape{1, 4};
  maker.tensors.push_back(
      tflite::CreateTensorDirect(maker.builder, &shape, TensorType::INT8, 0, "in",
                                 tflite::CreateQuantizationParametersDirect(maker.builder, &scales)));
  maker.inputs = {0};
  maker.outputs = {maker.tensor({4, 1})};
  maker.op(maker.code(BuiltinOperator::RESHAPE), maker.inputs, maker.outputs);
  EXPECT_SAYS(answer(maker.finish()), "one scale and zero point");
}

TEST(Costly, ZeroPointsAtAnyAddress) {
  for (const std::size_t shift : {0U, 4U}) {  // numbers of 64 bits that are aligned to 32
    Maker maker;
    auto& builder = maker.builder;
    builder.CreateVector(std::vector<std::uint8_t>(shift));
    builder.StartVector(8, 1);
    const std::int64_t zero = 5;
    builder.PushBytes(reinterpret_cast<const std::uint8_t*>(&zero), sizeof(zero));
    const flatbuffers::Offset<flatbuffers::Vector<std::int64_t>> zeros(builder.EndVector(1));
    const auto scales = builder.CreateVector(std::vector<float>{0.5F});
    const auto quantization = tflite::CreateQuantizationParameters(builder, scales, zeros);
    maker.tensors.push_back(tflite::CreateTensor(builder, builder.CreateVector(Numbers{1, 4}), TensorType::INT8, 0,
                                                 builder.CreateString("in"), quantization));
    maker.inputs = maker.outputs = {0};
    EXPECT_EQ(import_tflite(maker.finish(), "costly.tflite").tensors[0].quantization.zero_point[0], zero);
  }
}

}  // namespace
}  // namespace ripc
