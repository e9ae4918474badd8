#include "kernels/fixed_point.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace ripc::test {

std::int64_t doubling_high(std::int64_t a, std::int64_t b) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int32_t>::min();
  if (a == kLeast && b == kLeast) return std::numeric_limits<std::int32_t>::max();
  const std::int64_t doubled = a * b + (std::int64_t{1} << 30), unit = std::int64_t{1} << 31;
  const std::int64_t quotient = doubled / unit;
  return doubled % unit < 0 ? quotient - 1 : quotient;
}

std::int64_t rounding_divide(std::int64_t x, int bits) {
  const std::int64_t unit = std::int64_t{1} << bits, magnitude = (2 * std::abs(x) + unit) / (2 * unit);
  return x < 0 ? -magnitude : magnitude;
}

std::int64_t scaled(std::int64_t x, Multiplier by) {
  const std::int64_t left = std::int64_t{1} << std::max(by.s, 0);
  return rounding_divide(doubling_high(x * left, by.m), std::max(-by.s, 0));
}

Multiplier multiplier_of(double value) {
  if (value == 0.0) return {};
  int exponent = 0;
  double fraction = std::frexp(value, &exponent);
  std::int64_t m = std::llround(std::ldexp(fraction, 31));
  if (m == std::int64_t{1} << 31) {
    m >>= 1;
    exponent += 1;
  }
  if (exponent < -31) return {};
  return {m, exponent};
}

std::int64_t wrapped(std::int64_t x) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(x)); }

std::int64_t saturating_left(std::int64_t x, int bits) {
  return std::clamp<std::int64_t>(x * (std::int64_t{1} << bits), std::numeric_limits<std::int32_t>::min(),
                                  std::numeric_limits<std::int32_t>::max());
}

std::int64_t exp_on_negative(std::int64_t a, int integer_bits) {
  if (a == 0) return std::numeric_limits<std::int32_t>::max();
  const std::int64_t quarter = std::int64_t{1} << (29 - integer_bits);
  const std::int64_t t = ((a % quarter) + quarter) % quarter - quarter;
  const std::int64_t x = saturating_left(t, integer_bits) + (std::int64_t{1} << 28);
  const std::int64_t x2 = doubling_high(x, x), x3 = doubling_high(x2, x), x4 = doubling_high(x2, x2);
  const std::int64_t p = rounding_divide(doubling_high(rounding_divide(x4, 2) + x3, 715827883) + x2, 1);
  std::int64_t result = 1895147668 + doubling_high(1895147668, x + p);
  const std::array<std::int64_t, 7> factors{1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
  for (int i = 0; i < integer_bits + 2; ++i) {
    if (((t - a) / (quarter << i)) % 2 == 1) result = doubling_high(result, factors[static_cast<std::size_t>(i)]);
  }
  return result;
}

std::int64_t twice_reciprocal(std::int64_t v) {
  const std::int64_t half = (v + (std::int64_t{1} << 31)) / 2;
  std::int64_t x = 1515870810 + doubling_high(half, -1010580540);
  for (int i = 0; i < 3; ++i)
    x += saturating_left(doubling_high(x, (std::int64_t{1} << 29) - doubling_high(half, x)), 2);
  return x;
}

}  // namespace ripc::test
