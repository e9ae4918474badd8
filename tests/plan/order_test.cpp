// The order of the operators: what the search knows of a network, and that a plan never loses by it.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "passes/passes.h"
#include "plan/order_problem.h"
#include "plan/pipeline.h"
#include "plan/published.h"
#include "schedule/schedule.h"
#include "support/graphs.h"

namespace ripc {
namespace {

const Window kSame{.kernel = 3, .pad_before = 1, .pad_after = 1};

/// Operators of every kind on random tensors of those made so far; everything unread is an output.
Graph random_network(std::uint32_t seed, int ops) {
  test::GraphBuilder builder(seed);
  std::mt19937 random(seed);
  const auto number = [&](int least, int most) {
    return least + static_cast<int>(random() % static_cast<std::uint32_t>(most - least + 1));
  };
  std::vector<TensorId> made{builder.input({6, 5, 4})};
  if (number(0, 2) == 0) made.push_back(builder.input({6, 5, 2}));
  std::vector<bool> read(1000);
  for (int i = 0; i < ops; ++i) {
    const TensorId in = made[static_cast<std::size_t>(
        number(std::max(0, static_cast<int>(made.size()) - 5), static_cast<int>(made.size()) - 1))];
    read[static_cast<std::size_t>(in)] = true;
    const auto channels = builder.tensor(in).shape[3];
    const auto same = std::ranges::find_if(
        made, [&](TensorId id) { return id != in && builder.tensor(id).shape == builder.tensor(in).shape; });
    switch (number(0, 5)) {
      case 0:
        made.push_back(builder.conv(in, number(1, 9), {}, {}));
        break;
      case 1:
        made.push_back(builder.conv(in, number(1, 9), kSame, kSame));
        break;
      case 2:
        made.push_back(builder.depthwise(in, kSame, kSame));
        break;
      case 3:
        made.push_back(builder.pool(PoolKind::max, in, kSame, kSame));
        break;
      default:
        if (same == made.end()) {
          made.push_back(builder.conv(in, channels, {}, {}));
        } else {
          read[static_cast<std::size_t>(*same)] = true;
          made.push_back(builder.add(in, *same));
        }
    }
  }
  std::vector<TensorId> outputs;
  for (const TensorId id : made) {
    if (!read[static_cast<std::size_t>(id)] && id != made.front()) outputs.push_back(id);
  }
  if (outputs.empty()) outputs.push_back(made.back());
  return builder.finish(outputs);
}

std::vector<std::vector<KernelOption>> kernels_of(const Graph& graph, const KernelSource& source) {
  std::vector<std::vector<KernelOption>> kernels;
  for (const Op& op : graph.ops) kernels.push_back(source(graph, op));
  return kernels;
}

/// The least that any step needs, from the placement problem of that step alone with each kernel.
std::int64_t least_by_placement(const Graph& graph, const Schedule& schedule,
                                const std::vector<std::vector<KernelOption>>& kernels, const MemoryOptions& memory) {
  std::vector<KernelOption> chosen;
  for (const auto& options : kernels) chosen.push_back(options.front());
  const NetworkProblems problems(graph, schedule, memory);
  std::int64_t peak = 0;
  for (std::size_t stage = 0; stage < schedule.stages.size(); ++stage) {
    const auto op = static_cast<std::size_t>(schedule.stages[stage].ops[0]);
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const KernelOption& option : kernels[op]) {
      std::vector<KernelOption> with = chosen;
      with[op] = option;
      least = std::min(least, lower_bound(problems.at_stage(stage, with)));
    }
    peak = std::max(peak, least);
  }
  return peak;
}

TEST(OrderProblem, PeakIsThePlacementBoundOfTheWorstStep) {
  for (std::uint32_t seed = 1; seed <= 120; ++seed) {
    const Graph graph = random_network(seed, 9);
    const KernelSource source = seed % 3 == 0 ? KernelSource(published_rip_kernels) : PlanOptions{}.kernels;
    const auto kernels = kernels_of(graph, source);
    for (const MemoryOptions& memory : {MemoryOptions{}, MemoryOptions{.in_place = false},
                                        MemoryOptions{.keep_input = true}, MemoryOptions{.external_input = true}}) {
      const OrderProblem problem = order_problem_of(graph, kernels, memory);
      std::vector<int> own(graph.ops.size());
      std::iota(own.begin(), own.end(), 0);
      std::int64_t given = 0;
      for (const OrderTensor& tensor : problem.tensors) given += tensor.given ? tensor.bytes : 0;
      EXPECT_EQ(order_peak(problem, own),
                std::max(given, least_by_placement(graph, plain_schedule(graph), kernels, memory)))
          << seed;
      const Order order = find_order(problem);
      EXPECT_EQ(order.peak,
                std::max(given, least_by_placement(graph, schedule_in_order(graph, order.ops), kernels, memory)))
          << seed;
    }
  }
}

TEST(OperatorOrder, NeverNeedsMoreThanTheFilesAndKeepsItOnATie) {
  int better = 0;
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    const Graph graph = random_network(seed, 12);
    PlanOptions options;
    const Plan best = make_plan(graph, options);
    options.order = OperatorOrder::file;
    const Plan file = make_plan(graph, options);
    EXPECT_TRUE(in_graph_order(file.schedule));
    EXPECT_LE(best.arena_bytes, file.arena_bytes) << seed;
    EXPECT_LE(best.order_lower_bound, best.arena_bytes) << seed;
    EXPECT_EQ(best.order_proven, best.order_lower_bound == best.arena_bytes) << seed;
    if (best.arena_bytes == file.arena_bytes) {
      EXPECT_EQ(best.schedule, file.schedule) << seed;
    } else {
      ++better;
    }
  }
  EXPECT_GT(better, 10);
}

TEST(OperatorOrder, AChainHasOnlyOne) {
  const Graph graph = canonicalize(test::chain_graph());
  test::GraphBuilder builder;
  const TensorId image = builder.input({6, 5, 4});
  const Graph fork = builder.finish({builder.conv(image, 2, {}, {}), builder.conv(image, 3, {}, {})});
  EXPECT_TRUE(has_one_order(graph));
  EXPECT_FALSE(has_one_order(fork));
  EXPECT_TRUE(make_plan(graph, {}).order_proven);
  PlanOptions options;
  options.order = OperatorOrder::file;
  const Plan plan = make_plan(fork, options);
  EXPECT_FALSE(plan.order_proven);
  EXPECT_EQ(plan.order_lower_bound, 0);
}

}  // namespace
}  // namespace ripc
