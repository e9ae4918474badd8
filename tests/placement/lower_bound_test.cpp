#include <gtest/gtest.h>

#include "placement/placers.h"

namespace ripc::test {
namespace {

Buffer buffer(std::int64_t bytes, std::int64_t first, std::int64_t last) {
  return {.name = "", .bytes = bytes, .first = first, .last = last};
}

TEST(LowerBound, IsTheMostBytesAlive) {
  Problem problem;
  problem.buffers = {buffer(4, 0, 3), buffer(4, 3, 9), buffer(4, 0, 9), buffer(4, 9, 21), buffer(4, 0, 21)};
  EXPECT_EQ(lower_bound(problem), 16);
  problem.buffers = {buffer(4, 0, 2), buffer(4, 3, 8), buffer(4, 0, 8), buffer(4, 9, 20), buffer(4, 0, 20)};
  EXPECT_EQ(lower_bound(problem), 12);
}

TEST(LowerBound, TakesTheMostGenerousAlternative) {
  Problem problem;
  problem.buffers = {buffer(10, 0, 1), buffer(8, 1, 2)};
  problem.choices = {{"op", {{"forward", {{1, 0, 6}}, {}}, {"reverse", {{0, 1, 3}}, {}}}}};
  EXPECT_EQ(lower_bound(problem), 11);  // reverse shares 7 bytes, forward 2
  problem.choices[0].alternatives.push_back({"tied", {}, {{0, 1}}});
  EXPECT_EQ(lower_bound(problem), 10);
}

// A single largest saving a step would claim 16 bytes here, where 12 suffice: both outputs lie in the input that dies.
TEST(LowerBound, IsSoundWhenSeveralOutputsAreBornAtOnce) {
  Problem problem;
  problem.buffers = {buffer(12, 0, 1), buffer(6, 1, 2), buffer(4, 1, 2)};
  problem.choices = {{"split", {{"in place", {{1, 0, -6}, {2, 0, -6}, {0, 1, 0}, {0, 2, 0}}, {}}}}};
  EXPECT_EQ(lower_bound(problem), 12);
  const Placement placement = place(problem, "exact");
  EXPECT_EQ(validate_placement(problem, placement), "");
  EXPECT_EQ(placement.peak, 12);
  EXPECT_EQ(placement.proof, Proof::optimal);
}

TEST(LowerBound, SavesNoMoreThanTheInputsThatDie) {
  Problem problem;
  problem.buffers = {buffer(4, 0, 1), buffer(6, 1, 2), buffer(6, 1, 2)};
  problem.choices = {{"split", {{"in place", {{1, 0, 0}, {2, 0, 0}}, {}}}}};
  EXPECT_EQ(lower_bound(problem), 12);
}

TEST(LowerBound, CountsAlignmentAndFixedOffsets) {
  Problem problem;
  problem.buffers = {buffer(3, 0, 0), buffer(3, 0, 0)};
  EXPECT_EQ(lower_bound(problem), 6);
  problem.buffers[0].alignment = problem.buffers[1].alignment = 4;
  EXPECT_EQ(lower_bound(problem), 7);
  problem.buffers[1].offset = 8;
  EXPECT_EQ(lower_bound(problem), 11);
}

// The first layers of VGG-16, forward only: published as the four networks that need a shift. The bound is not met.
TEST(LowerBound, IsRaisedByTheSearchWhereItIsNotMet) {
  Problem problem;
  problem.buffers = {buffer(150528, 0, 0), buffer(3211264, 0, 1), buffer(3211264, 1, 2), buffer(802816, 2, 3),
                     buffer(1605632, 3, 4)};
  problem.choices = {{"conv 1", {{"forward", {{1, 0, 3061350}}, {}}}},
                     {"conv 2", {{"forward", {{2, 1, 14400}}, {}}}},
                     {"pool", {{"tied", {}, {{2, 3}}}}},
                     {"conv 3", {{"forward", {{4, 3, 809984}}, {}}}}};
  EXPECT_EQ(lower_bound(problem), 3225664);
  Placement placement = place(problem, "exact");
  EXPECT_EQ(validate_placement(problem, placement), "");
  EXPECT_EQ(placement.peak, 3226278);
  EXPECT_EQ(placement.proof, Proof::optimal);
  // With one direction an operator to choose, it is.
  problem.choices[1].alternatives.push_back({"reverse", {{1, 2, 14400}}, {}});
  placement = place(problem, "exact");
  EXPECT_EQ(validate_placement(problem, placement), "");
  EXPECT_EQ(placement.peak, 3225664);
  EXPECT_EQ(placement.proof, Proof::optimal);
}

}  // namespace
}  // namespace ripc::test
