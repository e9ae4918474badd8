// Networks that run in another order than the file's: the same bytes, and a plan that its check accepts.
#include <gtest/gtest.h>

#include <algorithm>

#include "check/check.h"
#include "execute/execute.h"
#include "execute/input_stream.h"
#include "execute/networks.h"
#include "plan/pipeline.h"
#include "ripc/error.h"
#include "schedule/schedule.h"

namespace ripc {
namespace {

Plan planned(const Graph& graph, OperatorOrder order) {
  PlanOptions options;
  options.order = order;
  return make_plan(graph, options);
}

/// What every operator makes, by OpId.
std::vector<Bytes> tensors_of(const Graph& graph, const Plan& plan, const std::vector<Bytes>& inputs) {
  std::vector<Bytes> tensors(graph.ops.size());
  execute(link(graph, plan), inputs, [&](OpId op, std::span<const std::byte> bytes) {
    tensors[static_cast<std::size_t>(op)].assign(bytes.begin(), bytes.end());
  });
  return tensors;
}

TEST(OperatorOrder, AnotherOrderGivesTheSameBytes) {
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    const Graph graph = test::layer_by_layer(seed);
    const Plan file = planned(graph, OperatorOrder::file), best = planned(graph, OperatorOrder::best);
    EXPECT_TRUE(in_graph_order(file.schedule));
    ASSERT_FALSE(in_graph_order(best.schedule));
    EXPECT_LT(best.arena_bytes, file.arena_bytes);
    EXPECT_GT(check_plan(graph, best).steps, 0);
    const std::vector<Bytes> inputs = random_inputs(graph, seed);
    EXPECT_EQ(tensors_of(graph, best, inputs), tensors_of(graph, file, inputs));
    EXPECT_EQ(execute(link(graph, best), inputs).outputs, execute(link(graph, file), inputs).outputs);
  }
}

TEST(OperatorOrder, TheCheckSeesAnOrderThatCannotBeExecuted) {
  const Graph graph = test::layer_by_layer(1);
  const Plan best = planned(graph, OperatorOrder::best);
  int refused = 0, independent = 0;
  for (std::size_t at = 0; at + 1 < best.schedule.stages.size(); ++at) {
    Plan swapped = best;
    std::swap(swapped.schedule.stages[at], swapped.schedule.stages[at + 1]);
    const Op& earlier = graph.ops[static_cast<std::size_t>(best.schedule.stages[at].ops[0])];
    const Op& later = graph.ops[static_cast<std::size_t>(best.schedule.stages[at + 1].ops[0])];
    if (std::ranges::find(later.inputs, earlier.output) == later.inputs.end()) {
      ++independent;
      continue;
    }
    EXPECT_THROW(check_plan(graph, swapped), Error) << at;
    ++refused;
  }
  EXPECT_GT(refused, 4);
  EXPECT_GT(independent, 0);
}

}  // namespace
}  // namespace ripc
