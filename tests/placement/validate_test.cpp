// The validator must see every way of breaking a placement.
#include <gtest/gtest.h>

#include <limits>

#include "placement/placers.h"
#include "placement/random_problem.h"

namespace ripc::test {
namespace {

Problem chain() {
  Problem problem;
  problem.buffers = {{.name = "in", .bytes = 8, .first = 0, .last = 1},
                     {.name = "out", .bytes = 6, .first = 1, .last = 2},
                     {.name = "skip", .bytes = 4, .first = 0, .last = 2, .alignment = 4}};
  problem.choices = {{"op", {{"forward", {{1, 0, 2}}, {}}, {"reverse", {{0, 1, -1}}, {}}, {"tied", {}, {{0, 1}}}}}};
  return problem;
}

Placement placed(std::vector<std::int64_t> offsets, int alternative, std::int64_t peak) {
  Placement placement;
  placement.offsets = std::move(offsets);
  placement.alternatives = {alternative};
  placement.peak = peak;
  return placement;
}

TEST(Validate, AcceptsWhatTheAlternativeAllows) {
  EXPECT_EQ(validate_placement(chain(), placed({2, 0, 12}, 0, 16)), "");
  EXPECT_EQ(validate_placement(chain(), placed({5, 4, 0}, 1, 13)), "");  // out one byte below in
  EXPECT_EQ(validate_placement(chain(), placed({4, 4, 0}, 2, 12)), "");
  EXPECT_EQ(validate_placement(chain(), placed({4, 12, 0}, 2, 18)), "");  // disjoint is always allowed
}

TEST(Validate, RejectsWhatAnotherAlternativeWouldAllow) {
  EXPECT_NE(validate_placement(chain(), placed({2, 0, 12}, 1, 16)), "");
  EXPECT_NE(validate_placement(chain(), placed({2, 0, 12}, 2, 16)), "");
  EXPECT_NE(validate_placement(chain(), placed({4, 4, 0}, 0, 12)), "");
  EXPECT_NE(validate_placement(chain(), placed({6, 4, 0}, 1, 14)), "");
}

TEST(Validate, NamesTheRuleAndTheBuffers) {
  const std::string overlap = validate_placement(chain(), placed({1, 0, 12}, 0, 16));
  EXPECT_NE(overlap.find("'in' at 1"), std::string::npos) << overlap;
  EXPECT_NE(overlap.find("'out' at 0"), std::string::npos) << overlap;
  EXPECT_NE(validate_placement(chain(), placed({2, 0, 10}, 0, 14)).find("not aligned"), std::string::npos);
  EXPECT_NE(validate_placement(chain(), placed({2, 0, -4}, 0, 10)).find("below 0"), std::string::npos);
  EXPECT_NE(validate_placement(chain(), placed({2, 0, 12}, 0, 15)).find("peak"), std::string::npos);
  EXPECT_NE(validate_placement(chain(), placed({2, 0, 12}, 3, 16)).find("no alternative"), std::string::npos);
  EXPECT_NE(validate_placement(chain(), placed({2, 0}, 0, 16)).find("one offset"), std::string::npos);
  constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max() - 3;
  EXPECT_NE(validate_placement(chain(), placed({2, 0, kHuge}, 0, 16)), "");
}

TEST(Validate, ChecksCapacityFixedOffsetsAndClaims) {
  Problem problem = chain();
  Placement placement = placed({2, 0, 12}, 0, 16);
  problem.capacity = 15;
  EXPECT_NE(validate_placement(problem, placement).find("capacity"), std::string::npos);
  problem.capacity = 16;
  EXPECT_EQ(validate_placement(problem, placement), "");
  problem.buffers[0].offset = 3;
  EXPECT_NE(validate_placement(problem, placement).find("fixed"), std::string::npos);
  problem.buffers[0].offset = 2;
  placement.proof = Proof::optimal;
  placement.lower_bound = 15;
  EXPECT_NE(validate_placement(problem, placement), "");
  placement.lower_bound = 17;
  EXPECT_NE(validate_placement(problem, placement), "");
}

// In a placement without a spare byte, to move a buffer that is held from below and from above is to break something.
TEST(Validate, SeesEveryBufferThatMovesIntoAnother) {
  int moved = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Problem problem =
        random_problem(seed, {.buffers = 7, .overlaps = false, .alignments = false, .fixed = false});
    const Placement placement = place(problem, "exact");
    ASSERT_EQ(validate_placement(problem, placement), "");
    for (std::size_t a = 0; a < problem.buffers.size(); ++a) {
      for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
        const Buffer& x = problem.buffers[a];
        const Buffer& y = problem.buffers[b];
        if (a == b || x.bytes == 0 || y.bytes == 0 || x.first > y.last || y.first > x.last) continue;
        Placement broken = placement;
        broken.offsets[a] = placement.offsets[b] + y.bytes - 1;
        broken.peak = std::numeric_limits<std::int64_t>::min();
        for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
          broken.peak = std::max(broken.peak, broken.offsets[i] + problem.buffers[i].bytes);
        }
        broken.proof = Proof::heuristic;
        broken.lower_bound = 0;
        EXPECT_NE(validate_placement(problem, broken), "") << "seed " << seed << ", " << a << " into " << b;
        ++moved;
      }
    }
  }
  EXPECT_GT(moved, 1000);
}

}  // namespace
}  // namespace ripc::test
