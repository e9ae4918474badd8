// Every combination of the exact placer's rules gives the same proven peak.
#include <gtest/gtest.h>

#include <array>

#include "placement/brute_force.h"
#include "placement/placers.h"
#include "placement/random_problem.h"

namespace ripc::test {
namespace {

constexpr std::array kRules = {
    &PlacerOptions::greedy_start, &PlacerOptions::peel,          &PlacerOptions::components,
    &PlacerOptions::windows,      &PlacerOptions::section_bound, &PlacerOptions::canonical,
    &PlacerOptions::dominance,    &PlacerOptions::hatless,       &PlacerOptions::monotone_floor,
    &PlacerOptions::restarts,     &PlacerOptions::decomposition, &PlacerOptions::forced_pairs};

// The first problems whose least peak lies above the plain bound, so that a refutation is needed.
std::vector<Problem> hard_problems(const RandomLimits& limits, std::size_t count) {
  std::vector<Problem> problems;
  for (std::uint64_t seed = 0; problems.size() < count && seed < 20'000; ++seed) {
    Problem problem = random_problem(seed, limits);
    const Placement placement = place(problem, "exact");
    if (placement.proof == Proof::optimal && placement.peak > lower_bound(problem))
      problems.push_back(std::move(problem));
  }
  return problems;
}

void expect_same_peak_under_all_rules(const std::vector<Problem>& problems) {
  for (const Problem& problem : problems) {
    const std::optional<std::int64_t> least = BruteForce(problem).least_peak(60);
    ASSERT_TRUE(least);
    for (unsigned rules = 0; rules < 1U << kRules.size(); ++rules) {
      PlacerOptions options;
      options.node_limit = 10'000'000;
      for (std::size_t r = 0; r < kRules.size(); ++r) options.*kRules[r] = (rules >> r & 1U) != 0;
      const Placement placement = place(problem, "exact", options);
      ASSERT_EQ(placement.peak, *least) << "rules " << rules;
      ASSERT_EQ(placement.proof, Proof::optimal) << "rules " << rules;
      ASSERT_EQ(validate_placement(problem, placement), "") << "rules " << rules;
    }
  }
}

TEST(Rules, AgreeOnOverlaps) {
  const auto problems = hard_problems({.buffers = 6, .bytes = 4, .steps = 3}, 3);
  ASSERT_EQ(problems.size(), 3U);
  expect_same_peak_under_all_rules(problems);
}

TEST(Rules, AgreeOnPackings) {
  const auto problems = hard_problems({.buffers = 7, .bytes = 6, .steps = 5, .overlaps = false}, 3);
  ASSERT_EQ(problems.size(), 3U);
  expect_same_peak_under_all_rules(problems);
}

// A limit of work is never taken for a proof.
TEST(Rules, LimitsAreNotProofs) {
  int limited = 0;
  for (const Problem& problem : hard_problems({.buffers = 7, .steps = 3}, 30)) {
    const std::int64_t least = place(problem, "exact").peak;
    for (std::int64_t nodes = 0; nodes < 12; ++nodes) {
      PlacerOptions options;
      options.node_limit = nodes;
      const Placement placement = place(problem, "exact", options);
      EXPECT_NE(placement.proof, Proof::infeasible);
      EXPECT_LE(placement.lower_bound, least);
      EXPECT_LE(placement.nodes, nodes);
      limited += placement.proof == Proof::limited ? 1 : 0;
      if (placement.proof == Proof::optimal) {
        EXPECT_EQ(placement.peak, least);
      }
    }
  }
  EXPECT_GT(limited, 10);
}

}  // namespace
}  // namespace ripc::test
