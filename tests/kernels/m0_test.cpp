// What turns a sum into an output where products have 32 bits is exact, or is not offered.
#include "lower/m0.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/cases.h"
#include "rip/requantize.h"

namespace ripc::test {
namespace {

struct Sums {
  FixedPoint factor;
  SumRange range;
  std::int32_t zero = 0;
  StoredRange activation{-128, 127};

  std::int32_t expected(std::int64_t sum) const {
    const std::int32_t scaled = rip_requantize(static_cast<std::int32_t>(sum), factor.multiplier, factor.shift);
    return rip_clamp(scaled + zero, activation.min, activation.max);
  }
};

Sums random_sums(Random& r) {
  Sums s;
  s.factor = {.multiplier = static_cast<std::int32_t>(r.number(1 << 30, 0x7fffffff)),
              .shift = static_cast<std::int32_t>(r.number(-20, 1))};
  const std::int64_t most = std::int64_t{1} << r.number(8, 27), middle = r.number(-most, most);
  const std::int64_t half = r.number(0, most);
  s.range = {.least = middle - half, .most = middle + half};
  s.zero = static_cast<std::int32_t>(r.number(-128, 127));
  if (r.chance(50)) s.activation.min = s.zero;
  if (r.chance(25)) s.activation.max = std::min(127, s.zero + static_cast<std::int32_t>(r.number(0, 100)));
  return s;
}

TEST(M0, MakesEveryOutputOfEverySumThatCanOccur) {
  Random random(11);
  int offered = 0;
  for (int i = 0; i < 2000; ++i) {
    const Sums s = random_sums(random);
    const auto words = m0_output(s.factor, s.range, s.zero, s.activation);
    if (!words) continue;
    ++offered;
    const auto check = [&](std::int64_t sum) {
      ASSERT_EQ(rip_m0_output(static_cast<std::int32_t>(sum), words->data()), s.expected(sum))
          << s.factor.multiplier << " shift " << s.factor.shift << " sum " << sum;
    };
    for (int j = 0; j < 100; ++j) check(random.number(s.range.least, s.range.most));
    // On both sides of where each output begins.
    for (std::int32_t output = -127; output <= 127; ++output) {
      std::int64_t least = s.range.least, most = s.range.most;
      while (least < most) {
        const std::int64_t middle = least + (most - least) / 2;
        if (s.expected(middle) >= output) {
          most = middle;
        } else {
          least = middle + 1;
        }
      }
      check(least);
      check(std::max(s.range.least, least - 1));
    }
  }
  EXPECT_GE(offered, 1500);
}

}  // namespace
}  // namespace ripc::test
