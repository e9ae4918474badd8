// Packings that other planners have got wrong or wasted.
#include <gtest/gtest.h>

#include "placement/placers.h"

namespace ripc {
namespace {

std::int64_t peak(const std::vector<Buffer>& buffers, const std::string& placer) {
  const Problem problem{.buffers = buffers, .choices = {}};
  const Placement placement = place(problem, placer);
  EXPECT_EQ(validate_placement(problem, placement), "") << placer;
  return placement.peak;
}

TEST(Packing, TheRoomBelowTheFirstLiveBufferIsUsed) {
  for (const std::string& placer : placer_names()) {
    EXPECT_EQ(peak({{.name = "a", .bytes = 100, .first = 0, .last = 1},
                    {.name = "b", .bytes = 80, .first = 1, .last = 2},
                    {.name = "c", .bytes = 60, .first = 2, .last = 3}},
                   placer),
              180)
        << placer;
  }
}

TEST(Packing, APlaceIsSharedInPartsAndNotAsAWhole) {
  for (const std::string& placer : placer_names()) {
    EXPECT_EQ(peak({{.name = "a", .bytes = 1000, .first = 0, .last = 2},
                    {.name = "b", .bytes = 400, .first = 3, .last = 6},
                    {.name = "c", .bytes = 500, .first = 3, .last = 6}},
                   placer),
              1000)
        << placer;
  }
}

TEST(Packing, BuffersOfOneSizeLieTheSameEveryTime) {
  std::vector<Buffer> buffers;
  for (int i = 0; i < 40; ++i) buffers.push_back({.bytes = 64, .first = i * 7 % 20, .last = i * 7 % 20 + i % 5});
  for (const std::string placer : {"exact", "first-fit", "greedy-by-size", "best-fit"}) {
    const Problem problem{.buffers = buffers, .choices = {}};
    EXPECT_EQ(place(problem, placer).offsets, place(problem, placer).offsets) << placer;
  }
}

}  // namespace
}  // namespace ripc
