// Emitted C of every model that must run gives the bytes of the reference interpreter, planned as `ripc compile` plans
// it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "emit/harness.h"
#include "execute/golden_files.h"
#include "passes/passes.h"
#include "plan/pipeline.h"

namespace ripc {
namespace {

class GoldenC : public testing::TestWithParam<std::string> {};

TEST_P(GoldenC, GivesTheReferenceBytes) {
  const Graph graph = canonicalize(test::golden_graph(GetParam()));
  const Plan plan = make_plan(graph, {});
  const Program program = link(graph, plan);
  const auto files = emit_c(graph, plan, program, {.prefix = "net", .flags = {}, .selftest_seed = 1});
  const test::BuiltModel built(program, files, "net");
  std::vector<std::vector<Bytes>> inputs;
  std::vector<Bytes> expected;
  for (test::GoldenRun& run : test::golden_runs(GetParam(), graph)) {
    inputs.push_back(std::move(run.inputs));
    expected.push_back(std::move(run.outputs));
  }
  ASSERT_FALSE(inputs.empty());
  EXPECT_EQ(built.run(inputs), expected);
  EXPECT_EQ(built.selftest(), 0);
}

INSTANTIATE_TEST_SUITE_P(First, GoldenC, testing::ValuesIn(test::golden_models()), [](const auto& instance) {
  std::string name = instance.param;
  for (char& c : name) {
    if (c == '-' || c == '.' || c == '/') c = '_';
  }
  return name;
});

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GoldenC);

TEST(GoldenVectors, AreAtHand) {
  if (test::golden_models().empty()) GTEST_SKIP() << "no golden vectors beside the source";
  EXPECT_GE(test::golden_models().size(), 41U);
}

}  // namespace
}  // namespace ripc
