// Which rings of one slot another ring takes in, on rows whose lives are written down.
#include "schedule/ring_tenants.h"

#include <gtest/gtest.h>

namespace ripc {
namespace {

/// Rows that are written at `first`, `first` + `period` and so on, and read last `life` steps later.
RowTimes rows(std::int64_t count, std::int64_t first, std::int64_t period, std::int64_t life) {
  RowTimes times;
  for (std::int64_t row = 0; row < count; ++row) {
    times.written.push_back(first + row * period);
    times.last.push_back(first + row * period + life);
  }
  return times;
}

SharedRing ring(RowTimes times, std::int64_t slot_bytes, std::int64_t scalar_bytes = 1) {
  return {.ring = {.slots = ring_height(times), .slot_bytes = slot_bytes},
          .scalar_bytes = scalar_bytes,
          .tenants = {{.times = std::move(times)}}};
}

std::vector<TakenIn> take_in(std::vector<SharedRing>& rings) {
  return take_in_guests(rings, std::vector<bool>(rings.size(), true));
}

TEST(RingTenants, ShareASlotWhenTheyAreNeverAliveTogether) {
  std::vector<SharedRing> rings{ring(rows(8, 0, 4, 1), 30), ring(rows(8, 2, 4, 1), 40)};
  const std::vector<TakenIn> taken = take_in(rings);
  ASSERT_EQ(taken.size(), 1U);
  EXPECT_EQ(rings[taken[0].guest].ring.slots, 0);
  EXPECT_EQ(rings[taken[0].host].ring, (Ring{.slots = 1, .slot_bytes = 40}));
  EXPECT_TRUE(rings[taken[0].host].fits());
}

TEST(RingTenants, DoNotShareTheStepInWhichOneReadsAndTheOtherIsWritten) {
  std::vector<SharedRing> rings{ring(rows(8, 0, 4, 2), 30), ring(rows(8, 2, 4, 1), 40)};
  EXPECT_TRUE(take_in(rings).empty());
  EXPECT_EQ(rings[0].ring.slots, 1);
  EXPECT_EQ(rings[1].ring.slots, 1);
}

/// Of three rows of the host the oldest dies before the next is written: in the slot that is free meanwhile, another
/// one each time.
TEST(RingTenants, FollowADeadSlotAroundTheRing) {
  std::vector<SharedRing> rings{ring(rows(9, 0, 4, 9), 40), ring(rows(9, 2, 4, 1), 30)};
  ASSERT_EQ(rings[0].ring.slots, 3);
  const std::vector<TakenIn> taken = take_in(rings);
  ASSERT_EQ(taken.size(), 1U);
  EXPECT_EQ(taken[0].host, 0U);
  EXPECT_EQ(taken[0].first, 1);
  EXPECT_EQ(taken[0].step, 1);
}

/// Half as many rows as the host has: their slots are two apart.
TEST(RingTenants, FollowAHostThatIsFaster) {
  std::vector<SharedRing> rings{ring(rows(20, 0, 4, 9), 40), ring(rows(10, 6, 8, 1), 30)};
  const std::vector<TakenIn> taken = take_in(rings);
  ASSERT_EQ(taken.size(), 1U);
  EXPECT_EQ(taken[0].step, 2);
  EXPECT_TRUE(rings[0].fits());
}

TEST(RingTenants, StayApartWhereASlotWouldNotBeAligned) {
  std::vector<SharedRing> rings{ring(rows(9, 0, 4, 9), 41), ring(rows(9, 2, 4, 1), 28, 4)};
  EXPECT_TRUE(take_in(rings).empty());
  rings[0].ring.slot_bytes = 44;
  EXPECT_EQ(take_in(rings).size(), 1U);
}

TEST(RingTenants, ChooseTheHostThatGrowsLeast) {
  std::vector<SharedRing> rings{ring(rows(8, 0, 6, 1), 20), ring(rows(8, 2, 6, 1), 50), ring(rows(8, 4, 6, 1), 40)};
  EXPECT_EQ(take_in(rings).size(), 2U);
  std::int64_t bytes = 0;
  for (const SharedRing& shared : rings) bytes += shared.ring.slots * shared.ring.slot_bytes;
  EXPECT_EQ(bytes, 50);
}

/// Four rows of one and three of the other are seldom alive together: what dies in one makes room in the other.
TEST(RingTenants, OfTwoRingsTakeFewerSlotsThanApart) {
  std::vector<SharedRing> rings{ring(rows(20, 0, 4, 13), 40), ring(rows(20, 2, 4, 9), 40)};
  ASSERT_EQ(rings[0].ring.slots, 4);
  ASSERT_EQ(rings[1].ring.slots, 3);
  ASSERT_EQ(take_in(rings).size(), 1U);
  EXPECT_EQ(rings[0].ring.slots, 6);
  EXPECT_TRUE(rings[0].fits());
}

TEST(RingTenants, LeaveWhatIsNotMovable) {
  std::vector<SharedRing> rings{ring(rows(8, 0, 4, 1), 30), ring(rows(8, 2, 4, 1), 40)};
  EXPECT_TRUE(take_in_guests(rings, {false, true}).empty());
}

}  // namespace
}  // namespace ripc
