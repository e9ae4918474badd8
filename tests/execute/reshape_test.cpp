// A dense layer at every step of a sequence, and what becomes of its RESHAPE when the sequence's length is changed.
#include <gtest/gtest.h>

#include <algorithm>

#include "execute/execute.h"
#include "execute/input_stream.h"
#include "import/import.h"
#include "import/model_builder.h"
#include "passes/passes.h"
#include "plan/pipeline.h"
#include "ripc/error.h"

namespace ripc {
namespace {

using namespace test;

/// 500 steps of 4 numbers, 32 units at each, flattened to `flat` scalars.
std::vector<std::byte> dense_at_every_step(std::int32_t flat) {
  ModelBuilder model;
  const int in = model.tensor({1, 500, 4}, TensorType::INT8, {0.5F});
  Data ones(32 * 4);
  for (std::size_t i = 0; i < ones.size(); ++i) ones[i] = static_cast<std::uint8_t>(i / 4);
  const int weights = model.tensor({32, 4}, TensorType::INT8, {0.01F}, ones);
  const int steps = model.tensor({1, 500, 32}, TensorType::INT8, {0.25F});
  const int shape = model.integers({2}, {1, flat}), out = model.tensor({1, flat}, TensorType::INT8, {0.25F});
  model.fully_connected(in, weights, steps);
  model.op(BuiltinOperator::RESHAPE, {steps, shape}, {out});
  return model.finish(in, out);
}

TEST(Reshape, OfADenseLayerAtEveryStep) {
  const Graph graph = canonicalize(import_tflite(dense_at_every_step(16000), "model.tflite"));
  const Plan plan = make_plan(graph, {});
  const std::vector<Bytes> inputs = random_inputs(graph, 1);
  const Bytes outputs = execute(link(graph, plan), inputs).outputs.at(0);
  ASSERT_EQ(outputs.size(), 16000U);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    int sum = 0;
    for (std::size_t k = 0; k < 4; ++k) sum += static_cast<std::int8_t>(inputs[0][i / 32 * 4 + k]);
    // Units weigh with their number; 0.5 * 0.01 / 0.25 = 0.02, and no sum here lies half way between two bytes.
    const double exact = sum * static_cast<double>(i % 32) * 0.02;
    EXPECT_NEAR(static_cast<std::int8_t>(outputs[i]), std::clamp(exact, -128.0, 127.0), 0.51) << i;
  }
}

TEST(Reshape, ToTheSizeOfOneStepIsRefused) {
  try {
    import_tflite(dense_at_every_step(32), "model.tflite");
    FAIL() << "16000 scalars became 32";
  } catch (const Error& error) {
    const std::string message = error.what();
    for (const char* part : {"RESHAPE", "16000", "32", "convert the model anew"})
      EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace ripc
