// What the flash has room for: kernels with larger weights where they save most.
#include "plan/flash.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "import/import.h"
#include "passes/passes.h"
#include "source_dir.h"

namespace ripc {
namespace {

Graph network(const char* name) {
  const Graph graph = import_network(std::string(RIPC_SOURCE_DIR "/networks/mcunet/") + name, {});
  return canonicalize(fill_weights(graph, 1), {});
}

PlanOptions for_target(const char* target, std::optional<std::int64_t> constant_bytes) {
  PlanOptions options;
  options.optimize = Optimize::speed;
  options.constant_bytes = constant_bytes;
  options.kernels = [=](const Graph& g, const Op& op) { return kernel_options(g, op, target_named(target)); };
  options.stage_kernels = [=](const Graph& g, const Op& op) {
    return stage_kernel_options(g, op, target_named(target));
  };
  return options;
}

struct Cost {
  std::int64_t bytes = 0, instructions = 0;
};

Cost cost_of(const Graph& graph, const Plan& plan, const PlanOptions& options) {
  Cost cost;
  for (const PlannedOp& planned : plan.ops) {
    const Op& op = graph.ops[static_cast<std::size_t>(planned.op)];
    cost.bytes += constant_bytes(lower(graph, op, planned.kernel, false));
    const auto kernels = options.kernels(graph, op);
    const auto chosen = std::ranges::find_if(
        kernels, [&](const KernelOption& option) { return planned.kernel == option.contract->kernel; });
    if (chosen != kernels.end()) cost.instructions += chosen->instructions;
  }
  return cost;
}

TEST(Flash, WhatCanFitFitsAndMoreRoomIsSpentOnSpeed) {
  const Graph graph = network("mcunet-vww0.json");
  for (const char* target : {"cortex-m4", "cortex-m0plus"}) {
    const std::int64_t least = least_constant_bytes(graph, for_target(target, {}));
    Cost before{.bytes = 0, .instructions = std::numeric_limits<std::int64_t>::max()};
    int faster = 0;
    for (const std::int64_t percent : {90, 100, 103, 110, 120, 140, 180, 400}) {
      const std::int64_t budget = least * percent / 100;
      const PlanOptions options = for_target(target, budget);
      const Cost cost = cost_of(graph, make_plan(graph, options), options);
      EXPECT_LE(cost.bytes, std::max(budget, least)) << target << " at " << percent << " %";
      EXPECT_LE(cost.instructions, before.instructions) << target << " at " << percent << " %";
      if (percent == 100) {
        EXPECT_EQ(cost.bytes, least);
      }
      if (cost.instructions < before.instructions) ++faster;
      before = cost;
    }
    EXPECT_GE(faster, 5) << target;
  }
}

TEST(Flash, AllKernelsAreThereWhereAllFit) {
  const Graph graph = network("mcunet-vww0.json");
  const PlanOptions asked = for_target("cortex-m4", std::int64_t{1} << 30);
  const PlanOptions options = within_flash(graph, asked);
  for (const Op& op : graph.ops) {
    EXPECT_EQ(options.kernels(graph, op).front().contract, asked.kernels(graph, op).front().contract);
  }
}

TEST(Flash, WithoutASizeEveryByteSavesItsInstructions) {
  const Graph graph = network("mcunet-vww0.json");
  const PlanOptions asked = for_target("cortex-m4", {}), options = within_flash(graph, asked);
  int held_back = 0;
  for (const Op& op : graph.ops) {
    const KernelOption fastest = asked.kernels(graph, op).front(), taken = options.kernels(graph, op).front();
    const auto bytes = [&](const KernelOption& option) {
      return constant_bytes(lower(graph, op, option.contract->kernel, false));
    };
    if (fastest.contract == taken.contract) continue;
    ++held_back;
    EXPECT_LT(taken.instructions - fastest.instructions, kSavedForByte * (bytes(fastest) - bytes(taken)));
  }
  EXPECT_GE(held_back, 1);
}

TEST(Flash, HoldsInStagesToo) {
  const Graph graph = network("mcunet-vww0.json");
  PlanOptions options = for_target("cortex-m4", {});
  options.stages = true;
  const std::int64_t least = least_constant_bytes(graph, options);
  options.constant_bytes = least;
  const Plan plan = make_plan(graph, options);
  EXPECT_LT(plan.schedule.stages.size(), graph.ops.size());
  EXPECT_EQ(cost_of(graph, plan, options).bytes, least);
}

TEST(Flash, IsOfNoConcernWithoutWeights) {
  const Graph graph = canonicalize(import_network(RIPC_SOURCE_DIR "/networks/mcunet/mcunet-vww0.json", {}), {});
  EXPECT_EQ(make_plan(graph, for_target("cortex-m4", 1)).arena_bytes, make_plan(graph, {}).arena_bytes);
}

}  // namespace
}  // namespace ripc
