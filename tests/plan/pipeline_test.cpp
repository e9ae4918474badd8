// The planner on small networks: what it chooses, what it proves, what it writes down.
#include "plan/pipeline.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "passes/passes.h"
#include "plan/published.h"
#include "rip/contracts.h"
#include "ripc/error.h"
#include "ripc/gap.h"
#include "support/graphs.h"

namespace ripc {
namespace {

using test::GraphBuilder;

const Window kSame{.kernel = 3, .stride = 1, .dilation = 1, .pad_before = 1, .pad_after = 1};

Graph conv_chain() {
  GraphBuilder builder;
  const TensorId image = builder.input({8, 8, 4});
  return builder.finish({builder.conv(builder.conv(image, 8, kSame, kSame), 4, kSame, kSame)});
}

Graph residual() {
  GraphBuilder builder;
  const TensorId image = builder.input({6, 6, 8});
  const TensorId project = builder.conv(builder.depthwise(image, kSame, kSame), 8, {}, {});
  return builder.finish({builder.add(image, project)});
}

const Storage& storage(const Plan& plan, TensorId tensor) {
  return *std::ranges::find(plan.storages, tensor, &Storage::tensor);
}

PlanOptions with(const MemoryOptions& memory) {
  PlanOptions options;
  options.memory = memory;
  return options;
}

TEST(Pipeline, PutsAConvolutionExactlyItsGapAboveItsOutput) {
  GraphBuilder builder;
  const TensorId image = builder.input({8, 8, 4});
  const Graph graph = builder.finish({builder.conv(image, 8, kSame, kSame)});
  const Plan plan = make_plan(graph, {});
  const TapOrder order{.row_direct = false, .held_channels = rip_find_contract(plan.ops[0].kernel.c_str())->held};
  const Layer layer = layer_of(graph, graph.ops[0]);
  EXPECT_TRUE(plan.proven);
  EXPECT_EQ(plan.arena_bytes, std::min(workspace(layer, Direction::row_forward, order).bytes,
                                       workspace(layer, Direction::row_reverse, order).bytes));
  PlanOptions disjoint;
  disjoint.memory.in_place = false;
  EXPECT_EQ(make_plan(graph, disjoint).arena_bytes, 8 * 8 * 4 + 8 * 8 * 8);
}

TEST(Pipeline, ElementwiseOutputTakesTheAddressOfADyingInput) {
  const Graph graph = residual();
  const Plan plan = make_plan(graph, {});
  EXPECT_TRUE(plan.proven);
  // Image and one branch tensor live together; everything else lies on one of them, or in a row of scratch.
  EXPECT_LE(plan.arena_bytes, 2 * 6 * 6 * 8 + 3 * 6);
}

TEST(Pipeline, KeepsTheInputOnlyWhenAsked) {
  const Graph graph = conv_chain();
  const Plan eaten = make_plan(graph, {}), kept = make_plan(graph, with({.keep_input = true}));
  EXPECT_GT(kept.arena_bytes, eaten.arena_bytes);
  const Storage& input = storage(kept, graph.inputs[0]);
  for (const Op& op : graph.ops) {
    const Storage& output = storage(kept, op.output);
    const bool below = output.offset + output.row_bytes * output.slots <= input.offset;
    const bool above = input.offset + input.row_bytes * input.slots <= output.offset;
    EXPECT_TRUE(below || above);
  }
}

TEST(Pipeline, LeavesAnExternalInputOutOfTheArena) {
  const Graph graph = conv_chain();
  const Plan plan = make_plan(graph, with({.external_input = true}));
  EXPECT_TRUE(storage(plan, graph.inputs[0]).external);
  EXPECT_LT(plan.arena_bytes, make_plan(graph, with({.keep_input = true})).arena_bytes);
}

TEST(Pipeline, NeverOverlapsWithoutLeave) {
  const Graph graph = canonicalize(test::chain_graph());
  const Plan plan = make_plan(graph, with({.in_place = false}));
  for (const Op& op : graph.ops) {
    const Storage& output = storage(plan, storage_of(graph, op.output));
    for (const TensorId tensor : op.inputs) {
      const Storage& input = storage(plan, storage_of(graph, tensor));
      EXPECT_TRUE(output.offset + output.row_bytes * output.slots <= input.offset ||
                  input.offset + input.row_bytes * input.slots <= output.offset);
    }
  }
}

TEST(Pipeline, TakesTheFasterKernelWhereItCostsNothing) {
  // The peak is the wide last tensor, so the depthwise layer before it need not save.
  GraphBuilder builder;
  const TensorId image = builder.input({6, 6, 4});
  const Graph graph = builder.finish({builder.conv(builder.depthwise(image, kSame, kSame), 40, {}, {})});
  const Plan plan = make_plan(graph, {});
  EXPECT_EQ(plan.ops[0].kernel, kernel_options(graph, graph.ops[0]).front().contract->kernel);
}

TEST(Pipeline, TakesTheSmallerKernelAtThePeak) {
  GraphBuilder builder;
  const TensorId image = builder.input({12, 12, 16});
  const Graph graph = builder.finish({builder.depthwise(image, kSame, kSame)});
  const Plan plan = make_plan(graph, {});
  EXPECT_EQ(plan.ops[0].kernel, "rip_depthwise_s8_plane");
  EXPECT_GT(plan.ops[0].scratch.bytes, 0);
  EXPECT_EQ(plan.arena_bytes, 12 * 12 * 16 + plan.ops[0].scratch.bytes);
}

/// A depthwise layer alone, whose faster kernel needs a gap of more than a row.
Graph lone_depthwise(std::int64_t side) {
  GraphBuilder builder;
  const TensorId image = builder.input({side, side, 16});
  return builder.finish({builder.depthwise(image, kSame, kSame)});
}

Plan aimed_plan(const Graph& graph, Optimize aim) {
  PlanOptions options;
  options.optimize = aim;
  return make_plan(graph, options);
}

TEST(Pipeline, SpendsATenthOfTheArenaOnAFasterKernelIfBalanced) {
  const Graph large = lone_depthwise(24), small = lone_depthwise(5);
  EXPECT_EQ(aimed_plan(large, Optimize::ram).ops[0].kernel, "rip_depthwise_s8_plane");
  EXPECT_EQ(aimed_plan(large, Optimize::balanced).ops[0].kernel, "rip_depthwise_s8_row");
  EXPECT_EQ(aimed_plan(small, Optimize::balanced).ops[0].kernel, "rip_depthwise_s8_plane");
}

TEST(Pipeline, SpendsAnythingOnAFasterKernelForSpeed) {
  const Graph graph = lone_depthwise(5);
  const Plan fast = aimed_plan(graph, Optimize::speed);
  EXPECT_EQ(fast.ops[0].kernel, "rip_depthwise_s8_row");
  EXPECT_GT(fast.arena_bytes, aimed_plan(graph, Optimize::balanced).arena_bytes);
}

TEST(Pipeline, PlansTheSameTwice) {
  const Graph graph = canonicalize(test::chain_graph());
  EXPECT_EQ(to_json(make_plan(graph, {})), to_json(make_plan(graph, {})));
}

TEST(Pipeline, PlacesWithEveryPlacerThatTakesOverlaps) {
  const Graph graph = canonicalize(test::chain_graph());
  const Plan exact = make_plan(graph, {});
  for (const char* placer : {"first-fit", "greedy-by-size", "best-fit"}) {
    PlanOptions options;
    options.placer = placer;
    const Plan plan = make_plan(graph, options);
    EXPECT_GE(plan.arena_bytes, exact.arena_bytes) << placer;
  }
}

TEST(Pipeline, PublishedAccountingCountsNoScratch) {
  const Graph graph = residual();
  PlanOptions base, rip;
  base.kernels = published_base_kernels;
  rip.kernels = published_rip_kernels;
  const std::int64_t tensor = 6 * 6 * 8;
  EXPECT_EQ(make_plan(graph, base).arena_bytes, 3 * tensor);  // the sum needs both inputs and its output
  EXPECT_EQ(make_plan(graph, rip).arena_bytes, 2 * tensor);
}

TEST(PlanJson, ComesBackAsItWas) {
  const Graph graph = canonicalize(test::chain_graph());
  Plan plan = make_plan(graph, {});
  plan.ops[0].scratch_steps = {{.offset = 4, .bytes = 8}, {.offset = 0, .bytes = 0}};
  const Plan back = plan_from_json(to_json(plan));
  EXPECT_EQ(back.schedule, plan.schedule);
  EXPECT_EQ(back.ops, plan.ops);
  EXPECT_EQ(back.storages, plan.storages);
  EXPECT_EQ(plan_hash(back), plan_hash(plan));
}

TEST(PlanJson, RefusesWhatIsNoPlan) {
  for (const char* text :
       {"", "{", "[]", "{}", R"({"format": "ripc plan 9"})", R"({"format": "ripc plan 1", "model": 3})"}) {
    EXPECT_THROW(plan_from_json(text), Error) << text;
  }
}

}  // namespace
}  // namespace ripc
