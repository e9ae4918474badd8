// Models at the edge of what a graph may be: which tensors are inputs and outputs, how many axes they have, how many
// images.
#include <gtest/gtest.h>

#include "check/check.h"
#include "execute/execute.h"
#include "import/import.h"
#include "import/model_builder.h"
#include "passes/passes.h"
#include "plan/pipeline.h"

namespace ripc {
namespace {

using test::Data;
using test::ModelBuilder;
using test::Numbers;
using tflite::BuiltinOperator;
using tflite::BuiltinOptions;
using tflite::TensorType;
using Bytes = std::vector<std::byte>;

Bytes bytes(const std::vector<int>& numbers) {
  Bytes made;
  for (const int number : numbers) made.push_back(static_cast<std::byte>(number));
  return made;
}

/// What the model makes of the inputs, in place and checked.
std::vector<Bytes> run(const std::vector<std::byte>& model, const std::vector<Bytes>& inputs) {
  const Graph graph = canonicalize(import_tflite(model, "model.tflite"));
  const Plan plan = make_plan(graph, {});
  check_plan(graph, plan);
  return execute(link(graph, plan), inputs).outputs;
}

std::string refusal(const std::vector<std::byte>& model) {
  try {
    import_tflite(model, "model.tflite");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

/// RELU of int8 with zero point 0 at the same scale.
int relu(ModelBuilder& model, int in, const Numbers& shape) {
  const int out = model.tensor(shape, TensorType::INT8, {0.5F});
  model.op(BuiltinOperator::RELU, {in}, {out});
  return out;
}

TEST(Edges, AnOutputThatIsReadOn) {
  ModelBuilder model;
  const int in = model.tensor({1, 4}, TensorType::INT8, {0.5F});
  const int first = relu(model, in, {1, 4}), six = model.tensor({1, 4}, TensorType::INT8, {0.5F});
  model.op(BuiltinOperator::RELU6, {first}, {six});
  EXPECT_EQ(run(model.finish({in}, {first, six}), {bytes({-5, 3, 100, 7})}),
            (std::vector<Bytes>{bytes({0, 3, 100, 7}), bytes({0, 3, 12, 7})}));
}

TEST(Edges, AnInputThatIsAnOutput) {
  ModelBuilder model;
  const int in = model.tensor({1, 4}, TensorType::INT8, {0.5F}), out = relu(model, in, {1, 4});
  EXPECT_EQ(run(model.finish({in}, {in, out}), {bytes({-5, 3, 100, 7})}),
            (std::vector<Bytes>{bytes({-5, 3, 100, 7}), bytes({0, 3, 100, 7})}));
}

TEST(Edges, AnOutputTwice) {
  ModelBuilder model;
  const int in = model.tensor({1, 2}, TensorType::INT8, {0.5F}), out = relu(model, in, {1, 2});
  EXPECT_EQ(run(model.finish({in}, {out, out}), {bytes({-5, 3})}), (std::vector<Bytes>{bytes({0, 3}), bytes({0, 3})}));
}

TEST(Edges, AnInputThatNobodyReads) {
  ModelBuilder model;
  const int in = model.tensor({1, 2}, TensorType::INT8, {0.5F}), idle = model.tensor({1, 3}, TensorType::INT8, {0.5F});
  const int out = relu(model, in, {1, 2});
  EXPECT_EQ(run(model.finish({idle, in}, {out}), {bytes({1, 2, 3}), bytes({-5, 3})}),
            (std::vector<Bytes>{bytes({0, 3})}));
}

TEST(Edges, TensorsOfUpToFiveAxes) {
  for (const Numbers& shape :
       {Numbers{4}, Numbers{1, 4}, Numbers{1, 2, 2}, Numbers{1, 2, 2, 1}, Numbers{1, 2, 1, 2, 1}}) {
    ModelBuilder model;
    const int in = model.tensor(shape, TensorType::INT8, {0.5F}), out = relu(model, in, shape);
    EXPECT_EQ(run(model.finish(in, out), {bytes({-5, 3, 100, 7})}), (std::vector<Bytes>{bytes({0, 3, 100, 7})}));
  }
}

TEST(Edges, TensorsOfNothingAreRefused) {
  ModelBuilder model;
  const int in = model.tensor({1, 0}, TensorType::INT8, {0.5F}), out = relu(model, in, {1, 0});
  EXPECT_NE(refusal(model.finish(in, out)).find("empty shape; expected positive extents"), std::string::npos);
}

TEST(Edges, SeveralImagesAtOnceSayWhatToDo) {
  ModelBuilder model;
  const int in = model.tensor({2, 4, 4, 1}, TensorType::INT8, {0.5F});
  const int weights = model.tensor({1, 1, 1, 1}, TensorType::INT8, {0.25F}, {1});
  const int out = model.tensor({2, 4, 4, 1}, TensorType::INT8, {0.5F});
  model.op(BuiltinOperator::CONV_2D, {in, weights, -1}, {out}, BuiltinOptions::Conv2DOptions,
           tflite::CreateConv2DOptions(model.builder(), tflite::Padding::VALID, 1, 1).Union());
  EXPECT_NE(refusal(model.finish(in, out)).find("batch of 1"), std::string::npos);
}

}  // namespace
}  // namespace ripc
