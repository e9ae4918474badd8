// Staged plans of random networks: proven by replay, run to the same bytes as the plain plan, refused when bent.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "check/check.h"
#include "execute/execute.h"
#include "execute/input_stream.h"
#include "execute/networks.h"
#include "lower/target.h"
#include "passes/passes.h"
#include "plan/pipeline.h"
#include "plan/stage_bound.h"
#include "plan/stage_kernels.h"
#include "plan/stages.h"
#include "ripc/error.h"
#include "schedule/schedule.h"
#include "stages/random_networks.h"

namespace ripc {
namespace {

std::optional<Plan> plan_in(const std::vector<OpId>& order, const Graph& graph, bool streamed = false) {
  PlanOptions options;
  options.stages = true;
  options.stream_input = streamed;
  options.placer_options.node_limit = 2000;
  return plan_stages(graph, order, options);
}

std::optional<Plan> staged_plan(const Graph& graph, bool streamed = false) {
  return plan_in(order_of(plain_schedule(graph)), graph, streamed);
}

/// An order in which the operators can be executed.
std::vector<OpId> random_order(const Graph& graph, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<bool> exists(graph.tensors.size(), true);
  const auto exists_at = [&](TensorId tensor) { return exists.begin() + storage_of(graph, tensor); };
  for (const Op& op : graph.ops) *exists_at(op.output) = false;
  std::vector<OpId> left = order_of(plain_schedule(graph)), order;
  while (!left.empty()) {
    std::ranges::shuffle(left, random);
    const auto next = std::ranges::find_if(left, [&](OpId id) {
      const std::vector<TensorId>& inputs = graph.ops[static_cast<std::size_t>(id)].inputs;
      return std::ranges::all_of(inputs, [&](TensorId tensor) { return *exists_at(tensor); });
    });
    order.push_back(*next);
    *exists_at(graph.ops[static_cast<std::size_t>(*next)].output) = true;
    left.erase(next);
  }
  return order;
}

bool has_stage(const Plan& plan) {
  return std::ranges::any_of(plan.schedule.stages, [](const Stage& stage) { return stage.ops.size() > 1; });
}

/// The bound is of kernels that make row after row.
bool works_by_planes(const Plan& plan) {
  return std::ranges::any_of(plan.ops,
                             [](const PlannedOp& op) { return op.kernel.find("plane") != std::string::npos; });
}

TEST(StagedPlans, OfRandomShapesAreRight) {
  int staged = 0, reverse = 0;
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
    const Graph graph = test::random_shapes(seed);
    const std::optional<Plan> plan = staged_plan(graph);
    ASSERT_TRUE(plan.has_value());
    ASSERT_NO_THROW(check_plan(graph, *plan)) << seed;
    if (!works_by_planes(*plan)) {
      EXPECT_GE(plan->arena_bytes, chain_bound(graph, false)) << seed;
    }
    staged += has_stage(*plan) ? 1 : 0;
    reverse += std::ranges::any_of(plan->schedule.stages,
                                   [](const Stage& stage) { return stage.reverse && stage.ops.size() > 1; });
  }
  EXPECT_GT(staged, 200);
  EXPECT_GT(reverse, 20);
}

TEST(StagedPlans, OfRandomShapesMayHaveTheirInputStreamed) {
  int streamed = 0;
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
    const Graph graph = test::random_shapes(seed);
    const std::optional<Plan> plan = staged_plan(graph, true);
    if (!plan) continue;
    EXPECT_TRUE(plan->streamed_input);
    ASSERT_NO_THROW(check_plan(graph, *plan)) << seed;
    if (!works_by_planes(*plan)) {
      EXPECT_GE(plan->arena_bytes, chain_bound(graph, true)) << seed;
    }
    ++streamed;
  }
  EXPECT_GT(streamed, 200);
}

TEST(StagedPlans, AreRightInAnyOrder) {
  int reordered = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const Graph graph = test::random_shapes(seed);
    const std::vector<OpId> order = random_order(graph, seed);
    const std::optional<Plan> plan = plan_in(order, graph);
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(order_of(plan->schedule), order) << seed;
    ASSERT_NO_THROW(check_plan(graph, *plan)) << seed;
    reordered += has_stage(*plan) && !in_graph_order(plan->schedule) ? 1 : 0;
  }
  EXPECT_GT(reordered, 50);
}

TEST(StagedPlans, GiveTheBytesOfThePlainPlan) {
  int smaller = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Graph graph = test::random_weighted(seed);
    const Plan plain = make_plan(graph, {});
    const std::optional<Plan> staged = staged_plan(graph);
    ASSERT_TRUE(staged.has_value());
    smaller += staged->arena_bytes < plain.arena_bytes ? 1 : 0;
    const auto inputs = random_inputs(graph, seed + 1);
    EXPECT_EQ(execute(link(graph, *staged), inputs).outputs, execute(link(graph, plain), inputs).outputs) << seed;
  }
  EXPECT_GT(smaller, 25);
}

/// Its input is then a ring of rows as any other, and what reads the mean through a RESHAPE is in the stage as well.
TEST(StagedPlans, SumUpTheRowsOfAMean) {
  test::NetworkBuilder builder(3);
  const TensorId image = builder.conv(builder.input(24, 10, 3), 16, 3, 2);
  const TensorId filtered = builder.conv(builder.depthwise(image, 3, 1), 16, 1, 1);
  const TensorId mean = builder.reshape(builder.mean(filtered), {1, 1, 1, 16});
  const Graph graph = canonicalize(builder.finish({builder.conv(mean, 7, 1, 1)}));
  int fused = 0;
  for (const bool streamed : {false, true}) {
    const std::optional<Plan> plan = staged_plan(graph, streamed);
    ASSERT_TRUE(plan.has_value());
    check_plan(graph, *plan);
    fused += plan->schedule.stages.size() == 1 ? 1 : 0;
    EXPECT_LT(plan->arena_bytes, byte_count(graph.tensors[static_cast<std::size_t>(filtered)]) + 16 * 4);
    EXPECT_EQ(plan->ops[3].kernel, "rip_mean_s8_rows");
    const auto inputs = random_inputs(graph, 1);
    EXPECT_EQ(execute(link(graph, *plan), inputs).outputs, execute(link(graph, make_plan(graph, {})), inputs).outputs);
  }
  EXPECT_GE(fused, 1);
}

TEST(StagedPlans, TakeTheFastestKernelsThatMakeRowsForSpeed) {
  int fast = 0;
  for (std::uint32_t seed = 0; seed < 120; ++seed) {
    const Graph graph = test::random_weighted(seed);
    PlanOptions options;
    options.stages = true;
    options.optimize = Optimize::speed;
    options.kernels = [](const Graph& g, const Op& op) { return kernel_options(g, op, target_named("cortex-m4")); };
    options.stage_kernels = [](const Graph& g, const Op& op) {
      return stage_kernel_options(g, op, target_named("cortex-m4"));
    };
    options.placer_options.node_limit = 2000;
    const std::optional<Plan> plan = plan_stages(graph, order_of(plain_schedule(graph)), options);
    ASSERT_TRUE(plan.has_value());
    check_plan(graph, *plan);
    for (const Stage& stage : plan->schedule.stages) {
      for (const OpId op : stage.ops) {
        const std::string& kernel = plan->ops[static_cast<std::size_t>(op)].kernel;
        EXPECT_EQ(kernel.find("_s8_own_row"), std::string::npos) << kernel;
        if (stage.ops.size() == 1) continue;
        const auto own = options.stage_kernels(graph, graph.ops[static_cast<std::size_t>(op)]);
        const auto fastest = std::ranges::find_if(own, [](const auto& k) { return makes_rows(*k.contract); });
        ASSERT_NE(fastest, own.end());
        EXPECT_EQ(kernel, fastest->contract->kernel) << seed;
        ++fast;
      }
    }
    const auto inputs = random_inputs(graph, seed + 1);
    const Plan plain = make_plan(graph, {});
    EXPECT_EQ(execute(link(graph, *plan), inputs).outputs, execute(link(graph, plain), inputs).outputs) << seed;
  }
  EXPECT_GT(fast, 10);
}

/// A stage takes faster kernels where the arena does not grow for them, or by a tenth.
TEST(StagedPlans, TakeFasterKernelsWithinTheArena) {
  const auto plan_for = [](const Graph& graph, Optimize optimize, const char* target) {
    PlanOptions options;
    options.stages = true;
    options.optimize = optimize;
    options.kernels = [=](const Graph& g, const Op& op) { return kernel_options(g, op, target_named(target)); };
    options.stage_kernels = [=](const Graph& g, const Op& op) {
      return stage_kernel_options(g, op, target_named(target));
    };
    options.placer_options.node_limit = 2000;
    return *plan_stages(graph, order_of(plain_schedule(graph)), options);
  };
  int fast_ram = 0, fast_balanced = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Graph graph = test::random_weighted(seed);
    const auto fast = [&](const Plan& plan) {
      return static_cast<int>(std::ranges::count_if(graph.ops, [&, id = OpId{0}](const Op& op) mutable {
        const auto options = stage_kernel_options(graph, op, target_named("cortex-m4"));
        return plan.ops[static_cast<std::size_t>(id++)].kernel == options.front().contract->kernel;
      }));
    };
    const Plan slow = plan_for(graph, Optimize::ram, "portable");
    const Plan ram = plan_for(graph, Optimize::ram, "cortex-m4");
    const Plan balanced = plan_for(graph, Optimize::balanced, "cortex-m4");
    EXPECT_LE(ram.arena_bytes, slow.arena_bytes) << seed;
    EXPECT_LE(balanced.arena_bytes, slow.arena_bytes + slow.arena_bytes / 10) << seed;
    fast_ram += fast(ram);
    fast_balanced += fast(balanced);
    const auto inputs = random_inputs(graph, seed + 1);
    const auto outputs = execute(link(graph, make_plan(graph, {})), inputs).outputs;
    for (const Plan* plan : {&ram, &balanced}) {
      check_plan(graph, *plan);
      EXPECT_EQ(execute(link(graph, *plan), inputs).outputs, outputs) << seed;
    }
  }
  EXPECT_GT(fast_ram, 150);
  EXPECT_GT(fast_balanced, fast_ram);
}

/// Nothing that a plan says can be bent without being noticed, unless there was room for it.
TEST(StagedPlans, AreRefusedWhenTheirRingsAreShorter) {
  int bent = 0, caught = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Graph graph = test::random_weighted(seed);
    Plan plan = *staged_plan(graph);
    for (Storage& storage : plan.storages) {
      const std::int64_t height = image_shape(graph.tensors[static_cast<std::size_t>(storage.tensor)]).height;
      if (storage.slots < 2 || storage.slots >= height) continue;
      const Storage right = storage;
      --storage.slots;
      storage.first_slot %= storage.slots;
      ++bent;
      try {
        check_plan(graph, plan);
      } catch (const Error&) {
        ++caught;
      }
      storage = right;
    }
    check_plan(graph, plan);
  }
  EXPECT_GT(bent, 60);
  EXPECT_EQ(caught, bent);
}

}  // namespace
}  // namespace ripc
