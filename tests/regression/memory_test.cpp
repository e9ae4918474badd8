// Networks whose bytes other memory planners have got wrong: each plan passes its check, and the run in place gives the
// bytes of the run in which nothing overlaps.
#include <gtest/gtest.h>

#include <algorithm>

#include "check/check.h"
#include "execute/execute.h"
#include "execute/input_stream.h"
#include "passes/passes.h"
#include "plan/pipeline.h"
#include "support/graphs.h"

namespace ripc {
namespace {

using test::GraphBuilder;

void expect_sound(Graph graph) {
  validate(graph);
  graph = canonicalize(std::move(graph));
  PlanOptions apart;
  apart.memory.in_place = false;
  const Plan plan = make_plan(graph, {}), disjoint = make_plan(graph, apart);
  check_plan(graph, plan);
  check_plan(graph, disjoint);
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    const std::vector<Bytes> inputs = random_inputs(graph, seed);
    const std::vector<Bytes> outputs = execute(link(graph, plan), inputs).outputs;
    EXPECT_EQ(outputs, execute(link(graph, disjoint), inputs).outputs);
    // Outputs of one byte over and over would hide what is wrong.
    EXPECT_TRUE(std::ranges::any_of(outputs[0], [&](std::byte b) { return b != outputs[0][0]; }));
  }
}

TEST(Memory, AViewOfAnOperandIsReadAgain) {
  GraphBuilder builder;
  const TensorId x = builder.input({6, 5, 4});
  const TensorId first = builder.reshape(x, {1, 6, 5, 4}), second = builder.reshape(x, {1, 6, 5, 4});
  const TensorId product = builder.multiply(first, second, {1, 6, 5, 4});
  expect_sound(builder.finish({builder.concat({product, second})}));
}

TEST(Memory, AViewOutlivesTheSumThatCouldTakeItsPlace) {
  GraphBuilder builder;
  const TensorId x = builder.input({4, 4, 3});
  const TensorId left = builder.reshape(builder.logistic(x), {1, 4, 4, 3}), right = builder.logistic(left);
  expect_sound(builder.finish({builder.add(left, right)}));
}

TEST(Memory, AVectorIsReadLongAfterItsNeighbours) {
  GraphBuilder builder;
  const TensorId x = builder.input({6, 6, 4});
  const TensorId early = builder.fully_connected(x, 16);
  TensorId chain = x;
  for (int i = 0; i < 6; ++i)
    chain = builder.conv(chain, 4, {.kernel = 3, .pad_before = 1, .pad_after = 1},
                         {.kernel = 3, .pad_before = 1, .pad_after = 1});
  expect_sound(builder.finish({builder.add(builder.fully_connected(chain, 16), early)}));
}

TEST(Memory, TwoBranchesThatPadOneTensor) {
  GraphBuilder builder;
  const TensorId x = builder.input({7, 6, 3});
  const auto branch = [&](std::int64_t pad) {
    const std::int64_t kernel = 2 * pad + 1;
    return builder.conv(builder.pad(x, {.before = {pad, pad, 0}, .after = {pad, pad, 0}}), 5, {.kernel = kernel},
                        {.kernel = kernel});
  };
  const TensorId a = branch(1), b = branch(2);
  expect_sound(builder.finish({builder.add(a, b)}));
}

TEST(Memory, OneOfSeveralSlicesIsReadByNobody) {
  GraphBuilder builder;
  const TensorId x = builder.input({5, 5, 6});
  const TensorId a = builder.slice(x, 0, 2), unread = builder.slice(x, 2, 2), c = builder.slice(x, 4, 2);
  EXPECT_NE(unread, kNoTensor);
  expect_sound(builder.finish({builder.add(builder.logistic(a), c)}));
}

TEST(Memory, WindowsThatAreUnlikeInHeightAndWidth) {
  for (const auto& [rows, columns] : std::vector<std::pair<Window, Window>>{
           {{.kernel = 3, .stride = 3, .pad_before = 0, .pad_after = 1},
            {.kernel = 3, .stride = 4, .pad_before = 0, .pad_after = 1}},
           {{.kernel = 2, .stride = 4}, {.kernel = 2, .stride = 3}},
           {{.kernel = 3, .stride = 2, .pad_before = 0, .pad_after = 1},
            {.kernel = 3, .stride = 2, .pad_before = 1, .pad_after = 0}},
           {{.kernel = 1}, {.kernel = 5, .stride = 2, .pad_before = 2, .pad_after = 2}},
           {{.kernel = 5, .stride = 2, .pad_before = 2, .pad_after = 2}, {.kernel = 1}},
           {{.kernel = 3, .dilation = 2, .pad_before = 2, .pad_after = 2},
            {.kernel = 3, .dilation = 3, .pad_before = 3, .pad_after = 3}}}) {
    GraphBuilder builder;
    const TensorId x = builder.input({14, 13, 2});
    expect_sound(builder.finish({builder.conv(x, 7, rows, columns)}));
    GraphBuilder separable;
    const TensorId y = separable.input({14, 13, 2});
    expect_sound(separable.finish({separable.depthwise(y, rows, columns)}));
  }
}

TEST(Memory, ManyDilatedLayersInARow) {
  GraphBuilder builder;
  TensorId x = builder.input({12, 12, 3});
  for (const std::int64_t d : {1, 2, 4, 2, 1}) {
    const Window window{.kernel = 3, .dilation = d, .pad_before = d, .pad_after = d};
    x = builder.conv(x, 3 + d, window, window);
  }
  expect_sound(builder.finish({x}));
}

TEST(Memory, ADepthwiseLayerThatMultipliesItsChannelBy32) {
  GraphBuilder builder;
  const TensorId x = builder.input({64, 64, 1});
  const Window window{.kernel = 3, .stride = 2, .pad_before = 0, .pad_after = 1};
  expect_sound(builder.finish({builder.depthwise(x, window, window, 32)}));
}

}  // namespace
}  // namespace ripc
