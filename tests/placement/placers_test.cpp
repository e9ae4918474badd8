// What holds for every placer, on the problems that it accepts.
#include "placement/placers.h"

#include <gtest/gtest.h>

#include <map>

#include "placement/brute_force.h"
#include "placement/random_problem.h"
#include "ripc/error.h"

namespace ripc::test {
namespace {

bool may_overlap(const Problem& problem) {
  for (const Choice& choice : problem.choices) {
    for (const Alternative& way : choice.alternatives) {
      if (!way.separations.empty() || !way.ties.empty()) return true;
    }
  }
  return false;
}

class EveryPlacer : public testing::TestWithParam<std::string> {
 protected:
  bool disjoint_only() const { return GetParam() == "exact-cover"; }

  void expect_right(const Problem& problem, std::int64_t least) const {
    const Placement placement = place(problem, GetParam());
    EXPECT_LE(placement.lower_bound, least);
    EXPECT_NE(placement.proof, Proof::infeasible);
    if (placement.offsets.empty()) {
      EXPECT_NE(placement.proof, Proof::optimal);
      return;
    }
    EXPECT_EQ(validate_placement(problem, placement), "");
    EXPECT_GE(placement.peak, least);
    const bool proves = GetParam() == "exact" || GetParam() == "milp";
    EXPECT_TRUE(placement.proof == Proof::optimal || !proves);
    EXPECT_TRUE(placement.proof != Proof::optimal || placement.peak == least);
  }
};

TEST_P(EveryPlacer, IsValidAndNeverBelowTheLeastPeak) {
  for (std::uint64_t seed = 0; seed < 60 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Problem problem = random_problem(seed, {.buffers = 6, .bytes = 4, .overlaps = !disjoint_only()});
    const std::optional<std::int64_t> least = BruteForce(problem).least_peak(40);
    if (least) expect_right(problem, *least);
  }
}

// A limit ends a search with the best answer so far and a true bound, and proves nothing.
TEST_P(EveryPlacer, ALimitIsNotAProof) {
  int limited = 0;
  for (std::uint64_t seed = 0; seed < 60 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Problem problem = random_problem(seed, {.buffers = 7, .bytes = 4, .overlaps = !disjoint_only()});
    const Placement exact = place(problem, "exact");
    if (exact.proof != Proof::optimal) continue;
    for (const bool clock : {false, true}) {
      PlacerOptions options;
      if (clock) {
        options.time_limit = 0.0;
      } else {
        options.node_limit = 1;
      }
      const Placement placement = place(problem, GetParam(), options);
      EXPECT_LE(placement.lower_bound, exact.peak);
      EXPECT_NE(placement.proof, Proof::infeasible);
      limited += placement.proof == Proof::limited ? 1 : 0;
      if (placement.offsets.empty()) continue;
      EXPECT_EQ(validate_placement(problem, placement), "");
      EXPECT_GE(placement.peak, exact.peak);
    }
  }
  if (GetParam() == "exact" || GetParam() == "exact-cover") {
    EXPECT_GT(limited, 2);
  }
}

TEST_P(EveryPlacer, HandlesNothingAndOneBuffer) {
  EXPECT_EQ(place({}, GetParam()).peak, 0);
  Problem one;
  one.buffers.push_back({.name = "only", .bytes = 5, .alignment = 4});
  expect_right(one, 5);
  one.buffers[0].offset = 8;
  expect_right(one, 13);
}

TEST_P(EveryPlacer, KeepsEverythingDisjointIfAsked) {
  Problem problem;
  problem.buffers = {{.name = "in", .bytes = 8, .first = 0, .last = 1},
                     {.name = "out", .bytes = 6, .first = 1, .last = 2}};
  problem.choices = {{"op", {{"forward", {{1, 0, 2}}, {}}}}};
  PlacerOptions options;
  options.overlaps = false;
  const Placement placement = place(problem, GetParam(), options);
  EXPECT_EQ(validate_placement(problem, placement), "");
  EXPECT_EQ(placement.peak, 14);
}

TEST_P(EveryPlacer, OverlapsOrRefuses) {
  Problem problem;
  problem.buffers = {{.name = "in", .bytes = 8, .first = 0, .last = 1},
                     {.name = "out", .bytes = 6, .first = 1, .last = 2}};
  problem.choices = {{"op", {{"forward", {{1, 0, 2}}, {}}, {"tied", {}, {{0, 1}}}, {"loose", {{0, 1, -1}}, {}}}}};
  ASSERT_TRUE(may_overlap(problem));
  if (disjoint_only()) {
    EXPECT_THROW(place(problem, GetParam()), Error);
    return;
  }
  expect_right(problem, 8);
}

TEST_P(EveryPlacer, IsDeterministic) {
  for (std::uint64_t seed = 100; seed < 110; ++seed) {
    const Problem problem = random_problem(seed, {.overlaps = !disjoint_only()});
    const Placement first = place(problem, GetParam());
    const Placement second = place(problem, GetParam());
    EXPECT_EQ(first.offsets, second.offsets);
    EXPECT_EQ(first.alternatives, second.alternatives);
    EXPECT_EQ(first.nodes, second.nodes);
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Placers, EveryPlacer, testing::ValuesIn(placer_names()), test_name);

TEST(Placers, RefusesAnUnknownName) {
  EXPECT_THROW(place({}, "worst-fit"), Error);
  EXPECT_EQ(placer_names().front(), "exact");
}

TEST(Placers, RefusesMalformedProblems) {
  const auto refused = [](auto change) {
    Problem problem;
    problem.buffers = {{.name = "a", .bytes = 4}, {.name = "b", .bytes = 4}};
    problem.choices = {{"op", {{"forward", {{0, 1, 2}}, {}}}}};
    EXPECT_NO_THROW(check_problem(problem));
    change(problem);
    EXPECT_THROW(check_problem(problem), Error);
    EXPECT_THROW(place(problem, "exact"), Error);
  };
  refused([](Problem& p) { p.buffers[0].bytes = -1; });
  refused([](Problem& p) { p.buffers[0].bytes = std::int64_t{1} << 62; });
  refused([](Problem& p) { p.buffers[0].first = 1; });
  refused([](Problem& p) { p.buffers[0].alignment = 0; });
  refused([](Problem& p) { p.buffers[0].region = 1; });
  refused([](Problem& p) { p.buffers[0].offset = -4; });
  refused([](Problem& p) { p.choices[0].alternatives.clear(); });
  refused([](Problem& p) { p.choices[0].alternatives[0].separations[0].high = 2; });
  refused([](Problem& p) { p.choices[0].alternatives[0].separations[0].high = 0; });
  refused([](Problem& p) { p.choices[0].alternatives[0].ties.push_back({-1, 0}); });
}

TEST(ExactCover, ProvesOnAGridThatHoldsAnOptimum) {
  int above_bound = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Problem problem = random_problem(seed, {.buffers = 6, .bytes = 4, .overlaps = false});
    const Placement exact = place(problem, "exact");
    if (exact.proof == Proof::infeasible) continue;
    above_bound += exact.peak > lower_bound(problem) ? 1 : 0;
    const Placement fine = place(problem, "exact-cover");
    if (fine.proof == Proof::optimal) {
      EXPECT_EQ(fine.peak, exact.peak) << seed;
    }
    PlacerOptions coarse;
    coarse.coarsening = 3;
    const Placement rough = place(problem, "exact-cover", coarse);
    EXPECT_LE(rough.lower_bound, exact.peak) << seed;
    if (!rough.offsets.empty()) {
      EXPECT_EQ(validate_placement(problem, rough), "") << seed;
    }
  }
  EXPECT_GT(above_bound, 5);
}

TEST(ExactCover, RefusesWhatIsTooLarge) {
  Problem problem;
  problem.buffers = {{.name = "a", .bytes = 1 << 20, .first = 0, .last = 1},
                     {.name = "b", .bytes = 1 << 19, .first = 1, .last = 1}};
  EXPECT_THROW(place(problem, "exact-cover"), Error);
  PlacerOptions coarse;
  coarse.coarsening = 1 << 17;
  EXPECT_EQ(place(problem, "exact-cover", coarse).peak, 3 << 19);
  coarse.coarsening = 0;
  EXPECT_THROW(place(problem, "exact-cover", coarse), Error);
}

TEST(Placers, TakesTenThousandBuffers) {
  Dice dice(1);
  Problem problem;
  for (int i = 0; i < 10'000; ++i) {
    const std::int64_t first = dice.between(0, 20'000);
    problem.buffers.push_back(
        {.name = "", .bytes = dice.between(1, 5'000), .first = first, .last = first + dice.between(0, 100)});
    if (i % 3 == 0) problem.buffers.back().alignment = 16;
  }
  const Problem disjoint = problem;
  std::map<std::int64_t, BufferId> born;
  for (BufferId id = 0; id < 10'000; ++id) born[problem.buffers[static_cast<std::size_t>(id)].first] = id;
  for (BufferId id = 0; id < 10'000; ++id) {
    const auto next = born.find(problem.buffers[static_cast<std::size_t>(id)].last);
    if (next == born.end() || next->second == id) continue;
    const std::int64_t gap = dice.between(0, 1'000);
    problem.choices.push_back(
        {"op", {{"forward", {{next->second, id, gap}}, {}}, {"reverse", {{id, next->second, gap}}, {}}}});
  }
  EXPECT_GT(problem.choices.size(), 1'000U);
  PlacerOptions options;
  options.node_limit = 50'000;
  for (const Problem& each : {disjoint, problem}) {
    for (const char* placer : {"first-fit", "greedy-by-size", "best-fit", "exact"}) {
      const Placement placement = place(each, placer, options);
      EXPECT_EQ(validate_placement(each, placement), "") << placer;
      EXPECT_LE(placement.lower_bound, placement.peak) << placer;
      EXPECT_LE(placement.nodes, options.node_limit) << placer;
    }
  }
}

}  // namespace
}  // namespace ripc::test
