// Buffers that are all alive at once: the search for an order finds the least, or next to it.
#include "placement/stack.h"

#include <gtest/gtest.h>

#include "placement/brute_force.h"
#include "placement/random_problem.h"

namespace ripc::test {
namespace {

/// One way of running one operator, everything alive with it.
Problem at_once(std::uint64_t seed) {
  Problem problem = random_problem(seed, {.buffers = 7, .bytes = 5, .steps = 0, .fixed = false});
  for (Choice& choice : problem.choices) choice.alternatives.resize(1);
  return problem;
}

TEST(Stack, IsValidAndSeldomAboveTheLeastPeak) {
  int least = 0;
  constexpr int kProblems = 300;
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    Problem problem = at_once(seed);
    for (Choice& choice : problem.choices) choice.alternatives[0].ties.clear();
    const Placement placement = stack(problem, 2000);
    EXPECT_EQ(validate_placement(problem, placement), "") << seed;
    const std::int64_t peak = BruteForce(problem).least_peak(40).value();
    EXPECT_GE(placement.peak, peak) << seed;
    least += placement.peak == peak ? 1 : 0;
  }
  EXPECT_GT(least, kProblems * 95 / 100);
}

TEST(Stack, IsDeterministicAndFindsNoLessWithMoreMoves) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Problem problem = at_once(seed);
    EXPECT_EQ(stack(problem, 500).offsets, stack(problem, 500).offsets);
    EXPECT_LE(stack(problem, 3000).peak, stack(problem, 0).peak);
  }
}

TEST(Stack, OfNothingIsNothing) { EXPECT_EQ(stack({}, 100).peak, 0); }

}  // namespace
}  // namespace ripc::test
