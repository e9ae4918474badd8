// Real numbers as integers that do not hold them, or not their fractions.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "rip/kernels.h"

namespace ripc::test {
namespace {

/// The bytes that the kernel makes of `x`, as a number.
template <typename T, typename From>
T cast_to(From x, rip_type type, rip_type from = RIP_F32) {
  std::array<std::int8_t, 8> in{}, out{};
  std::memcpy(in.data(), &x, sizeof x);
  const std::int8_t* row = in.data();
  const rip_cast op{.from = from, .to = type, .channels = 1};
  rip_row_call call{};
  call.rows = &row;
  call.out = out.data();
  call.in_pitch = sizeof x;
  call.out_pitch = sizeof(T);
  call.x1 = call.step = 1;
  rip_cast_row(&op, &call);
  T result;
  std::memcpy(&result, out.data(), sizeof result);
  return result;
}

template <typename T>
void expect_held(rip_type type) {
  using Limits = std::numeric_limits<T>;
  EXPECT_EQ(cast_to<T>(2.99F, type), 2);
  EXPECT_EQ(cast_to<T>(0.99F, type), 0);
  EXPECT_EQ(cast_to<T>(-0.99F, type), 0);
  EXPECT_EQ(cast_to<T>(-2.99F, type), Limits::is_signed ? static_cast<T>(-2) : T{0});
  EXPECT_EQ(cast_to<T>(INFINITY, type), Limits::max());
  EXPECT_EQ(cast_to<T>(1e30F, type), Limits::max());
  EXPECT_EQ(cast_to<T>(static_cast<float>(Limits::max()), type), Limits::max());
  EXPECT_EQ(cast_to<T>(-INFINITY, type), Limits::lowest());
  EXPECT_EQ(cast_to<T>(-1e30F, type), Limits::lowest());
  EXPECT_EQ(cast_to<T>(static_cast<float>(Limits::lowest()), type), Limits::lowest());
  EXPECT_EQ(cast_to<T>(NAN, type), 0);
}

TEST(Cast, HoldsRealNumbersToTheRangeOfTheType) {
  expect_held<std::int8_t>(RIP_S8);
  expect_held<std::uint8_t>(RIP_U8);
  expect_held<std::int16_t>(RIP_S16);
  expect_held<std::int32_t>(RIP_S32);
  expect_held<std::int64_t>(RIP_S64);
}

TEST(Cast, OfABooleanAsksWhetherThereIsAnything) {
  EXPECT_EQ(cast_to<std::int8_t>(0.25F, RIP_BOOL), 1);
  EXPECT_EQ(cast_to<std::int8_t>(-0.0F, RIP_BOOL), 0);
  EXPECT_EQ(cast_to<std::int8_t>(std::int64_t{1} << 40, RIP_BOOL, RIP_S64), 1);
  EXPECT_EQ(cast_to<std::int8_t>(std::int32_t{256}, RIP_BOOL, RIP_S32), 1);
  EXPECT_EQ(cast_to<std::int8_t>(std::int16_t{-1}, RIP_BOOL, RIP_S16), 1);
  EXPECT_EQ(cast_to<std::int8_t>(std::int16_t{0}, RIP_BOOL, RIP_S16), 0);
}

}  // namespace
}  // namespace ripc::test
