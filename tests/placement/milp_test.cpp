// The mixed-integer program against the exact placer, and its shifts.
#include "placement/milp.h"

#include <gtest/gtest.h>

#include "placement/placers.h"
#include "placement/random_problem.h"

namespace ripc::test {
namespace {

TEST(Milp, AgreesWithTheExactPlacer) {
  for (std::uint64_t seed = 200; seed < 260; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Problem problem = random_problem(seed, {.buffers = 7, .bytes = 9});
    const Placement exact = place(problem, "exact");
    const Placement program = place(problem, "milp");
    EXPECT_EQ(program.proof, exact.proof);
    EXPECT_EQ(program.peak, exact.peak);
    if (exact.proof != Proof::infeasible) {
      EXPECT_EQ(validate_placement(problem, program), "");
    }
  }
}

// The publication's VGG-16: one shift of the second tensor by 614 bytes brings the peak to the lower bound.
Problem vgg() {
  Problem problem;
  const auto add = [&](std::int64_t bytes, std::int64_t first, std::int64_t last) {
    problem.buffers.push_back(
        {.name = "t" + std::to_string(problem.buffers.size()), .bytes = bytes, .first = first, .last = last});
  };
  add(150528, 0, 0);
  add(3211264, 0, 1);
  add(3211264, 1, 2);
  add(802816, 2, 3);
  problem.choices = {{"conv 1", {{"forward", {{1, 0, 3061350}}, {}}}},
                     {"conv 2", {{"forward", {{2, 1, 14400}}, {}}}},
                     {"pool", {{"tied", {}, {{2, 3}}}}}};
  return problem;
}

TEST(Milp, ShiftsWhereItPays) {
  const ShiftedPlacement shifted = place_with_shifts(vgg(), {});
  EXPECT_EQ(validate_placement(shifted.shiftable.problem, shifted.placement), "");
  EXPECT_EQ(shifted.placement.peak, 3225664);
  EXPECT_TRUE(shifted.proven);
  ASSERT_EQ(shifted.taken.size(), 1U);
  EXPECT_EQ(shifted.taken[0].buffer, 1);
}

TEST(Milp, DoesNotShiftWhereItCostsMore) {
  PlacerOptions options;
  options.shift_penalty = 1000;  // a shift saves 614 bytes
  const ShiftedPlacement shifted = place_with_shifts(vgg(), options);
  EXPECT_EQ(validate_placement(shifted.shiftable.problem, shifted.placement), "");
  EXPECT_EQ(shifted.placement.peak, 3226278);
  EXPECT_TRUE(shifted.proven);
  EXPECT_TRUE(shifted.taken.empty());
}

}  // namespace
}  // namespace ripc::test
