// The exact placer against trying everything.
#include <gtest/gtest.h>

#include "placement/brute_force.h"
#include "placement/placers.h"
#include "placement/random_problem.h"

namespace ripc::test {
namespace {

constexpr std::int64_t kBruteLimit = 40;

void expect_least_peak(const Problem& problem, const PlacerOptions& options = {}) {
  const std::optional<std::int64_t> least = BruteForce(problem).least_peak(kBruteLimit);
  const Placement placement = place(problem, "exact", options);
  if (!least) {
    EXPECT_EQ(placement.proof, Proof::infeasible);
    EXPECT_TRUE(placement.offsets.empty());
    return;
  }
  EXPECT_LE(lower_bound(problem), *least);
  EXPECT_EQ(validate_placement(problem, placement), "");
  EXPECT_EQ(placement.peak, *least);
  EXPECT_EQ(placement.lower_bound, *least);
  EXPECT_EQ(placement.proof, Proof::optimal);
}

TEST(Exact, MeetsBruteForceWithOverlaps) {
  int above_bound = 0;
  for (std::uint64_t seed = 0; seed < 1000 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Problem problem = random_problem(seed, {.buffers = 6});
    expect_least_peak(problem);
    above_bound += place(problem, "exact").peak > lower_bound(problem) ? 1 : 0;
  }
  EXPECT_GT(above_bound, 30) << "too few problems exercise the refutation";
}

TEST(Exact, MeetsBruteForceWithoutOverlaps) {
  for (std::uint64_t seed = 0; seed < 200 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_least_peak(random_problem(seed, {.buffers = 7, .bytes = 4, .steps = 7, .overlaps = false}));
  }
}

TEST(Exact, MeetsBruteForceWithoutAnyHelp) {
  PlacerOptions bare;
  bare.greedy_start = bare.peel = bare.components = bare.windows = false;
  bare.node_limit = 10'000'000;
  for (std::uint64_t seed = 5000; seed < 5150 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_least_peak(random_problem(seed, {.buffers = 6, .bytes = 4}), bare);
  }
}

}  // namespace
}  // namespace ripc::test
