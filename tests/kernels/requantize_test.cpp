// The requantisation of the runtime against its definition.
#include "rip/requantize.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "kernels/cases.h"
#include "kernels/fixed_point.h"

namespace ripc::test {
namespace {

constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();

/// Whether x << shift fits 32 bits, as the reference requires.
bool fits(std::int64_t x, int shift) {
  if (shift <= 0) return true;
  const std::int64_t left = x * (std::int64_t{1} << shift);
  return left >= kLeast && left <= kMost;
}

void expect_equal(std::int32_t x, std::int32_t multiplier, int shift) {
  if (!fits(x, shift)) return;
  ASSERT_EQ(rip_requantize(x, multiplier, shift), scaled(x, {multiplier, shift}))
      << x << " * " << multiplier << " << " << shift;
}

TEST(Requantize, AgreesOnAMillionRandomValues) {
  Random random(7);
  for (int i = 0; i < 1000000; ++i) {
    const auto x = static_cast<std::int32_t>(random.number(kLeast, kMost) >> random.number(0, 31));
    const auto multiplier = static_cast<std::int32_t>(random.number(0, kMost));
    expect_equal(x, multiplier, static_cast<int>(random.number(-31, 30)));
  }
}

TEST(Requantize, AgreesAtTheEdges) {
  std::vector<std::int32_t> edges{kLeast, kLeast + 1, kMost - 1, kMost};
  for (int bit = 0; bit < 31; ++bit) {
    for (const int offset : {-1, 0, 1}) {
      edges.push_back((1 << bit) + offset);
      edges.push_back(-(1 << bit) + offset);
    }
  }
  for (const std::int32_t x : edges) {
    for (const std::int32_t multiplier : edges) {
      if (multiplier < 0) continue;
      for (int shift = -31; shift <= 30; ++shift) expect_equal(x, multiplier, shift);
    }
  }
}

TEST(Requantize, RoundsTiesOfTheShiftAwayFromZero) {
  for (const int x : {-5, -3, -1, 1, 3, 5}) EXPECT_EQ(rip_rounded_shift(x, 1), (x < 0 ? x - 1 : x + 1) / 2);
  for (std::int32_t x = -100000; x < 100000; x += 7) {
    for (int bits = 0; bits <= 31; ++bits) ASSERT_EQ(rip_rounded_shift(x, bits), rounding_divide(x, bits));
  }
}

TEST(Requantize, RoundsTiesOfTheProductUp) {
  const std::int32_t half = 1 << 30;  // times 2^30 is exactly half a unit
  EXPECT_EQ(rip_high_product(1, half), 1);
  EXPECT_EQ(rip_high_product(-1, half), 0);
  EXPECT_EQ(rip_high_product(3, half), 2);
  EXPECT_EQ(rip_high_product(-3, half), -1);
}

}  // namespace
}  // namespace ripc::test
