// Scratch that lies in dead bytes: right by replay and by the bytes that come out, and as much as there is.
#include "plan/spare_scratch.h"

#include <gtest/gtest.h>

#include "check/check.h"
#include "execute/execute.h"
#include "execute/input_stream.h"
#include "execute/networks.h"
#include "lower/target.h"
#include "passes/passes.h"
#include "plan/pipeline.h"
#include "plan/stages.h"
#include "ripc/error.h"
#include "schedule/schedule.h"
#include "stages/random_networks.h"

namespace ripc {
namespace {

PlanOptions for_target(const char* target, bool streamed) {
  PlanOptions options;
  options.stages = true;
  options.stream_input = streamed;
  options.kernels = [=](const Graph& g, const Op& op) { return kernel_options(g, op, target_named(target)); };
  options.stage_kernels = [=](const Graph& g, const Op& op) {
    return stage_kernel_options(g, op, target_named(target));
  };
  options.placer_options.node_limit = 2000;
  return options;
}

TEST(SpareScratch, LiesInBytesThatHoldNothing) {
  int moving = 0, more = 0, streaming = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Graph graph = test::random_weighted(seed);
    const auto inputs = random_inputs(graph, seed + 1);
    const auto outputs = execute(link(graph, make_plan(graph, {})), inputs).outputs;
    for (const bool streamed : {false, true}) {
      for (const char* target : {"cortex-m4", "cortex-m0plus"}) {
        const PlanOptions options = for_target(target, streamed);
        const std::optional<Plan> before = plan_stages(graph, order_of(plain_schedule(graph)), options);
        if (!before) continue;
        Plan plan = *before;
        spread_scratch(graph, options.memory, plan);
        EXPECT_EQ(plan.arena_bytes, before->arena_bytes);
        EXPECT_EQ(plan.storages, before->storages);
        for (std::size_t op = 0; op < plan.ops.size(); ++op) {
          EXPECT_EQ(plan.ops[op].kernel, before->ops[op].kernel);
          const std::int64_t had = before->ops[op].scratch.bytes, most = most_scratch(plan.ops[op]);
          EXPECT_LE(most, std::max(had, wanted_scratch(graph, plan.ops[op])));
          EXPECT_GE(most, had);
          for (const Region& region : plan.ops[op].scratch_steps) EXPECT_GE(region.bytes, had);
          more += most > had ? 1 : 0;
          moving += plan.ops[op].scratch_steps.empty() ? 0 : 1;
        }
        check_plan(graph, plan);
        streaming += plan.streamed_input ? 1 : 0;
        EXPECT_EQ(execute(link(graph, plan), inputs).outputs, outputs) << seed << " " << target;
      }
    }
  }
  EXPECT_GT(more, 200);
  EXPECT_GT(moving, 50);
  EXPECT_GT(streaming, 20);
}

/// A byte of it elsewhere is a byte that holds something.
TEST(SpareScratch, IsRefusedWhereSomethingIsHeld) {
  int bent = 0, caught = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const Graph graph = test::random_weighted(seed);
    const PlanOptions options = for_target("cortex-m4", false);
    Plan plan = *plan_stages(graph, order_of(plain_schedule(graph)), options);
    spread_scratch(graph, options.memory, plan);
    for (PlannedOp& planned : plan.ops) {
      if (planned.scratch_steps.empty()) continue;
      for (Region& region : planned.scratch_steps) {
        if (region.bytes == wanted_scratch(graph, planned) || region.bytes == 0 ||
            region.offset + region.bytes == plan.arena_bytes) {
          continue;
        }
        ++region.bytes;  // all that there was is taken already
        ++bent;
        try {
          check_plan(graph, plan);
        } catch (const Error&) {
          ++caught;
        }
        --region.bytes;
      }
    }
  }
  EXPECT_GT(bent, 20);
  EXPECT_GT(caught, bent / 2);  // rows are held as wholes, and their last pixels may be read early
}

TEST(SpareScratch, OfAPlainPlanGrowsIntoWhatTheArenaHasBesides) {
  int more = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const Graph graph = test::random_weighted(seed);
    PlanOptions options = for_target("cortex-m4", false);
    options.stages = false;
    const Plan plan = make_plan(graph, options);
    check_plan(graph, plan);
    for (const PlannedOp& planned : plan.ops) {
      EXPECT_LE(most_scratch(planned), plan.arena_bytes);
      more += planned.scratch_steps.empty() ? 0 : 1;
    }
    const auto inputs = random_inputs(graph, seed + 1);
    EXPECT_EQ(execute(link(graph, plan), inputs).outputs, execute(link(graph, make_plan(graph, {})), inputs).outputs);
  }
  EXPECT_GT(more, 5);
}

}  // namespace
}  // namespace ripc
