// The exponential of binary32.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "rip/exp_f32.h"

namespace ripc::test {
namespace {

/// How far `y` is from the real number, in units of the last place of a number of that size.
double error_in_units(float y, double real) {
  const int exponent = std::max(std::ilogb(real), -126);
  return std::abs(static_cast<double>(y) - real) / std::ldexp(1.0, exponent - 23);
}

TEST(Exponential, IsNearestButForTwoThousandthsOfAUnit) {
  for (std::uint64_t bits = 0; bits <= std::numeric_limits<std::uint32_t>::max(); bits += 4099) {
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (!(std::abs(x) < 88.7F)) continue;
    ASSERT_LE(error_in_units(rip_exp_f32(x), std::exp(static_cast<double>(x))), 0.503) << x;
  }
}

TEST(Exponential, UnderflowsThroughTheSubnormals) {
  for (float x = -87.0F; x > -103.0F; x -= 0.013F) {
    ASSERT_LE(error_in_units(rip_exp_f32(x), std::exp(static_cast<double>(x))), 0.503) << x;
  }
  EXPECT_EQ(rip_exp_f32(-103.9F), std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(rip_exp_f32(-104.0F), 0.0F);
}

TEST(Exponential, OfSpecialValues) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(rip_exp_f32(0.0F), 1.0F);
  EXPECT_EQ(rip_exp_f32(-0.0F), 1.0F);
  EXPECT_EQ(rip_exp_f32(std::numeric_limits<float>::denorm_min()), 1.0F);
  EXPECT_EQ(rip_exp_f32(1e-30F), 1.0F);
  EXPECT_EQ(rip_exp_f32(88.8F), kInfinity);
  EXPECT_EQ(rip_exp_f32(1e30F), kInfinity);
  EXPECT_EQ(rip_exp_f32(kInfinity), kInfinity);
  EXPECT_EQ(rip_exp_f32(-1e30F), 0.0F);
  EXPECT_EQ(rip_exp_f32(-kInfinity), 0.0F);
  EXPECT_TRUE(std::isnan(rip_exp_f32(std::numeric_limits<float>::quiet_NaN())));
}

}  // namespace
}  // namespace ripc::test
