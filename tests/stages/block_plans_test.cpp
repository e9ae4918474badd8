// Staged plans that may make their rows in blocks: proven by replay, run to the same bytes as the plain plan, refused
// when bent.
#include <gtest/gtest.h>

#include <algorithm>

#include "check/check.h"
#include "execute/execute.h"
#include "execute/input_stream.h"
#include "plan/pipeline.h"
#include "plan/stages.h"
#include "ripc/error.h"
#include "schedule/schedule.h"
#include "stages/random_networks.h"

namespace ripc {
namespace {

std::optional<Plan> block_plan(const Graph& graph, bool streamed = false, std::vector<std::int64_t> blocks = {2, 4}) {
  PlanOptions options;
  options.stages = true;
  options.stage_blocks = std::move(blocks);
  options.stream_input = streamed;
  options.placer_options.node_limit = 2000;
  return plan_stages(graph, order_of(plain_schedule(graph)), options);
}

Graph wide_network(std::uint32_t seed) { return test::random_weighted(seed, 20); }

bool has_blocks(const Plan& plan) {
  return std::ranges::any_of(plan.schedule.stages, [](const Stage& stage) { return stage.blocks > 1; });
}

bool in_reverse(const Plan& plan) {
  return std::ranges::any_of(plan.schedule.stages,
                             [](const Stage& stage) { return stage.blocks > 1 && stage.reverse; });
}

bool is_refused(const Graph& graph, const Plan& plan) {
  try {
    check_plan(graph, plan);
  } catch (const Error&) {
    return true;
  }
  return false;
}

TEST(BlockPlans, OfRandomShapesAreRight) {
  int divided = 0, reverse = 0;
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    const Graph graph = test::random_shapes(seed);
    const std::optional<Plan> plan = block_plan(graph);
    ASSERT_TRUE(plan.has_value());
    ASSERT_NO_THROW(check_plan(graph, *plan)) << seed;
    divided += has_blocks(*plan) ? 1 : 0;
    reverse += in_reverse(*plan) ? 1 : 0;
  }
  EXPECT_GT(divided, 20);
  EXPECT_GT(reverse, 2);
}

TEST(BlockPlans, OfRandomShapesMayHaveTheirInputStreamed) {
  int divided = 0;
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    const Graph graph = test::random_shapes(seed);
    const std::optional<Plan> plan = block_plan(graph, true);
    if (!plan) continue;
    ASSERT_NO_THROW(check_plan(graph, *plan)) << seed;
    divided += has_blocks(*plan) ? 1 : 0;
  }
  EXPECT_GT(divided, 20);
}

TEST(BlockPlans, GiveTheBytesOfThePlainPlan) {
  int divided = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Graph graph = wide_network(seed);
    const Plan plain = make_plan(graph, {});
    const auto inputs = random_inputs(graph, seed + 1);
    const std::vector<Bytes> expected = execute(link(graph, plain), inputs).outputs;
    for (const bool streamed : {false, true}) {
      for (const std::int64_t blocks : {2, 3, 100}) {
        const std::optional<Plan> plan = block_plan(graph, streamed, {blocks});
        ASSERT_TRUE(plan.has_value());
        check_plan(graph, *plan);
        divided += has_blocks(*plan) ? 1 : 0;
        const Plan saved = plan_from_json(to_json(*plan));
        EXPECT_EQ(execute(link(graph, saved), inputs).outputs, expected) << seed;
      }
    }
  }
  EXPECT_GT(divided, 50);
}

TEST(BlockPlans, ForSpeedMakeWholeRows) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    PlanOptions options;
    options.stages = true;
    options.stage_blocks = {2, 4};
    options.optimize = Optimize::speed;
    const Graph graph = wide_network(seed);
    EXPECT_FALSE(has_blocks(*plan_stages(graph, order_of(plain_schedule(graph)), options)));
  }
}

/// Nothing that a plan says of a ring of pixels can be bent without being noticed.
TEST(BlockPlans, AreRefusedWhenTheirRingsAreShorter) {
  int bent = 0, caught = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Graph graph = wide_network(seed);
    Plan plan = *block_plan(graph, true);
    for (Storage& storage : plan.storages) {
      const ImageShape image = image_shape(graph.tensors[static_cast<std::size_t>(storage.tensor)]);
      if (!storage.pixel_slots || storage.slots < 2 || storage.slots >= image.height * image.width) continue;
      const Storage right = storage;
      --storage.slots;
      storage.first_slot %= storage.slots;
      ++bent;
      caught += is_refused(graph, plan) ? 1 : 0;
      storage = right;
    }
    check_plan(graph, plan);
  }
  EXPECT_GT(bent, 30);
  EXPECT_EQ(caught, bent);
}

/// Of what follows there may be room for a few.
TEST(BlockPlans, AreRefusedWhenBent) {
  struct Bend {
    int bent = 0, caught = 0;

    void count(const Graph& graph, const Plan& plan) {
      ++bent;
      caught += is_refused(graph, plan) ? 1 : 0;
    }
  };
  Bend direction, blocks, offset, rows, kernel;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Graph graph = wide_network(seed);
    const Plan right = *block_plan(graph, false);
    for (std::size_t i = 0; i < right.schedule.stages.size(); ++i) {
      if (right.schedule.stages[i].blocks == 1) continue;
      Plan plan = right;
      plan.schedule.stages[i].reverse = !right.schedule.stages[i].reverse;
      direction.count(graph, plan);
      plan = right;
      plan.schedule.stages[i].blocks *= 2;
      blocks.count(graph, plan);
      plan = right;
      plan.schedule.stages[i].blocks = 1;
      blocks.count(graph, plan);
      plan = right;
      plan.ops[static_cast<std::size_t>(plan.schedule.stages[i].ops[1])].kernel = "rip_mean_s8_rows";
      kernel.count(graph, plan);
    }
    for (std::size_t i = 0; i < right.storages.size(); ++i) {
      if (!right.storages[i].pixel_slots) continue;
      Plan plan = right;
      plan.storages[i].pixel_slots = false;
      rows.count(graph, plan);
      for (const std::int64_t shift : {-1, 1}) {
        plan = right;
        plan.storages[i].offset += shift;
        offset.count(graph, plan);
      }
    }
  }
  for (const Bend* all : {&rows, &kernel}) {
    EXPECT_GT(all->bent, 8);
    EXPECT_EQ(all->caught, all->bent);
  }
  EXPECT_GT(direction.caught * 10, direction.bent * 6) << direction.bent;
  EXPECT_GT(offset.caught * 10, offset.bent * 7) << offset.bent;
  EXPECT_GT(blocks.caught * 10, blocks.bent * 9) << blocks.bent;
}

}  // namespace
}  // namespace ripc
