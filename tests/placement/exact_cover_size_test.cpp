#include <gtest/gtest.h>

#include <limits>

#include "placement/exact_cover.h"
#include "ripc/error.h"

namespace ripc {
namespace {

Problem two_buffers() {
  Problem problem;
  problem.buffers = {{.name = "a", .bytes = 4, .first = 0, .last = 1},
                     {.name = "b", .bytes = 2, .first = 1, .last = 2}};
  return problem;
}

TEST(ExactCoverSize, CountedByHand) {
  // A canvas of 3 cells by 2 births; a covers 2 x 2 of them from 2 starts, b covers one from 3.
  const ExactCoverSize size = exact_cover_size(two_buffers(), 2);
  EXPECT_EQ(size.cells, 6);
  EXPECT_EQ(size.options, 5);
  EXPECT_EQ(size.ones, 6 + 2 * (1 + 4) + 3 * (1 + 1));
}

TEST(ExactCoverSize, AlignmentAndFixedOffsetsLeaveFewerStarts) {
  Problem problem = two_buffers();
  problem.buffers[0].offset = 2;
  problem.buffers[1].alignment = 4;
  const ExactCoverSize size = exact_cover_size(problem, 2);
  EXPECT_EQ(size.cells, 6);
  EXPECT_EQ(size.options, 1 + 2);
}

TEST(ExactCoverSize, StopsAtTheGreatestNumber) {
  Problem problem = two_buffers();
  problem.buffers[0].bytes = std::int64_t{1} << 60;
  EXPECT_EQ(exact_cover_size(problem, 1).ones, std::numeric_limits<std::int64_t>::max());
  EXPECT_THROW(exact_cover_size(problem, 0), Error);
}

}  // namespace
}  // namespace ripc
