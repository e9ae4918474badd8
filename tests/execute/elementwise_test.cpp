// Operators of two operands whose operands have something in common: the same tensor, another view of it, a broadcast.
#include <gtest/gtest.h>

#include "check/check.h"
#include "execute/execute.h"
#include "execute/input_stream.h"
#include "passes/passes.h"
#include "plan/pipeline.h"
#include "support/graphs.h"

namespace ripc {
namespace {

using test::GraphBuilder;

/// Arena of the in-place plan, which must pass its check and give the outputs of the disjoint one.
std::int64_t arena_of(Graph graph) {
  graph = canonicalize(std::move(graph));
  PlanOptions apart;
  apart.memory.in_place = false;
  const Plan plan = make_plan(graph, {});
  check_plan(graph, plan);
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    const std::vector<Bytes> inputs = random_inputs(graph, seed);
    EXPECT_EQ(execute(link(graph, plan), inputs).outputs,
              execute(link(graph, make_plan(graph, apart)), inputs).outputs);
  }
  return plan.arena_bytes;
}

TEST(Elementwise, ASquareLiesOverItsOperand) {
  GraphBuilder builder;
  const TensorId x = builder.input({6, 5, 4});
  EXPECT_EQ(arena_of(builder.finish({builder.multiply(x, x, {1, 6, 5, 4})})), 6 * 5 * 4);
}

TEST(Elementwise, TwoViewsOfOneTensorMayBothLieUnderTheResult) {
  GraphBuilder builder;
  const TensorId x = builder.input({6, 5, 4});
  const TensorId rows = builder.reshape(x, {6, 5, 4}), image = builder.reshape(x, {1, 6, 5, 4});
  EXPECT_EQ(arena_of(builder.finish({builder.multiply(rows, image, {1, 6, 5, 4})})), 6 * 5 * 4);
}

TEST(Elementwise, AnOuterProductOfOneTensorEatsNothing) {
  GraphBuilder builder;
  const TensorId x = builder.input({1, 1, 12});
  const TensorId column = builder.reshape(x, {1, 12, 1, 1}), row = builder.reshape(x, {1, 1, 12, 1});
  EXPECT_EQ(arena_of(builder.finish({builder.multiply(column, row, {1, 12, 12, 1})})), 12 + 12 * 12);
}

TEST(Elementwise, AGateEatsItsTensorAndItsOperand) {
  GraphBuilder builder;
  const TensorId x = builder.input({6, 5, 4});
  EXPECT_EQ(arena_of(builder.finish({builder.multiply(x, builder.logistic(x), {1, 6, 5, 4})})), 2 * 6 * 5 * 4);
}

TEST(Elementwise, ABroadcastPixelLiesBesideWhatItScales) {
  GraphBuilder builder;
  const TensorId x = builder.input({6, 5, 4});
  const TensorId squeezed = builder.logistic(builder.mean(x));
  EXPECT_EQ(arena_of(builder.finish({builder.multiply(x, squeezed, {1, 6, 5, 4})})), 6 * 5 * 4 + 4);
}

TEST(Elementwise, LeadingAxesAreBroadcastRowByRow) {
  GraphBuilder builder;
  // 3 x 1 x 2 x 4 against 1 x 5 x 1 x 4: neither has the rows of the result.
  const TensorId x = builder.reshape(builder.input({3, 2, 4}), {3, 1, 2, 4});
  const TensorId y = builder.reshape(builder.input({5, 1, 4}), {1, 5, 1, 4});
  EXPECT_EQ(arena_of(builder.finish({builder.multiply(x, y, {3, 5, 2, 4})})), 24 + 20 + 120);
}

}  // namespace
}  // namespace ripc
