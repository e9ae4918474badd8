// Fixed-point arithmetic as the reference publishes it.
#pragma once

#include <cstdint>

namespace ripc::test {

/// floor((a * b + 2^30) / 2^31), held to 32 bits.
std::int64_t doubling_high(std::int64_t a, std::int64_t b);

/// x / 2^bits to nearest, halves away from zero.
std::int64_t rounding_divide(std::int64_t x, int bits);

/// m * 2^(s - 31)
struct Multiplier {
  std::int64_t m = 0;
  int s = 0;
};

/// Rounded to 31 bits after the point; no exponent below -31.
Multiplier multiplier_of(double value);

/// x times the multiplier with both of the reference's roundings.
std::int64_t scaled(std::int64_t x, Multiplier by);

/// x * 2^bits in 32 bits, saturated.
std::int64_t saturating_left(std::int64_t x, int bits);

/// What a sum becomes in 32 bits.
std::int64_t wrapped(std::int64_t x);

/// exp of a number not above zero, of which `integer_bits` bits stand above the point; in Q0.31.
std::int64_t exp_on_negative(std::int64_t a, int integer_bits);

/// 2 / (1 + v) in Q2.29, of v in Q0.31.
std::int64_t twice_reciprocal(std::int64_t v);

}  // namespace ripc::test
