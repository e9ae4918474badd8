// Every model that must run, against the reference interpreter: outputs of all recorded runs, and every operator of the
// first.
#include <gtest/gtest.h>

#include "execute/execute.h"
#include "execute/golden_files.h"
#include "execute/input_stream.h"
#include "execute/plans.h"
#include "graph/fnv.h"
#include "passes/passes.h"
#include "plan/pipeline.h"

namespace ripc {
namespace {

class Golden : public testing::TestWithParam<std::string> {};

Bytes joined(const std::vector<Bytes>& parts) {
  Bytes all;
  for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// Operators whose recorded hash was compared and found equal.
int matching_operators(const Graph& graph, const Program& program, const std::string& model,
                       const std::vector<Bytes>& inputs) {
  const auto hashes = test::golden_hashes(model);
  if (hashes.empty() && graph.ops.size() == 1) return 1;  // its output is the network's
  int matching = 0;
  execute(program, inputs, [&](OpId op, std::span<const std::byte> tensor) {
    const int source = graph.ops[static_cast<std::size_t>(op)].source;
    const auto expected = hashes.find(source);
    ASSERT_NE(expected, hashes.end()) << "operator " << source;
    EXPECT_EQ(fnv1a64(tensor), expected->second) << kind_name(graph.ops[static_cast<std::size_t>(op)]) << " " << source;
    matching += fnv1a64(tensor) == expected->second;
  });
  return matching;
}

TEST_P(Golden, EveryOperatorOfTheFileMatches) {
  // Only what has no kernel goes: nothing is folded.
  const Graph graph = alias_reshapes(test::golden_graph(GetParam()));
  const Program program = link(graph, test::disjoint_plan(graph));
  const auto runs = test::golden_runs(GetParam(), graph);
  ASSERT_FALSE(runs.empty());
  EXPECT_EQ(random_inputs(graph, 1), runs.front().inputs);
  EXPECT_EQ(matching_operators(graph, program, GetParam(), runs.front().inputs), static_cast<int>(graph.ops.size()));
  EXPECT_EQ(joined(execute(program, runs.front().inputs).outputs), runs.front().outputs);
}

TEST_P(Golden, TheCanonicalGraphMatchesInPlace) {
  const Graph graph = canonicalize(test::golden_graph(GetParam()));
  const Program program = link(graph, make_plan(graph, {}));
  const auto runs = test::golden_runs(GetParam(), graph);
  ASSERT_FALSE(runs.empty());
  for (const test::GoldenRun& run : runs) EXPECT_EQ(joined(execute(program, run.inputs).outputs), run.outputs);
  EXPECT_EQ(matching_operators(graph, program, GetParam(), runs.front().inputs), static_cast<int>(graph.ops.size()));
}

INSTANTIATE_TEST_SUITE_P(First, Golden, testing::ValuesIn(test::golden_models()), [](const auto& instance) {
  std::string name = instance.param;
  for (char& c : name) {
    if (c == '-' || c == '.' || c == '/') c = '_';
  }
  return name;
});

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Golden);

TEST(GoldenFiles, AreAtHand) {
  if (test::golden_models().empty()) GTEST_SKIP() << "no golden vectors beside the source";
  EXPECT_GE(test::golden_models().size(), 41U);
}

}  // namespace
}  // namespace ripc
