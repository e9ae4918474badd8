/* The exponential of binary32 in integers: 2^(k / 32) from a table times a polynomial for the rest of the exponent.
 * SPDX-License-Identifier: MIT-0 */
#include "rip/exp_f32.h"

#include <stdint.h>

#include "rip/flash.h"
#include "rip/memory.h"

/* 2^(i / 32) * 2^62. */
static const int64_t powers[32] RIP_FLASH_ATTR = {
    INT64_C(4611686018427387904), INT64_C(4712668792719003884), INT64_C(4815862801830788490),
    INT64_C(4921316465500308116), INT64_C(5029079263719320435), INT64_C(5139201759950318048),
    INT64_C(5251735624851448219), INT64_C(5366733660520940721), INT64_C(5484249825272419512),
    INT64_C(5604339258952723100), INT64_C(5727058308814112983), INT64_C(5852464555953009676),
    INT64_C(5980616842327661685), INT64_C(6111575298367424380), INT64_C(6245401371186603363),
    INT64_C(6382157853416100552), INT64_C(6521908912666391106), INT64_C(6664720121635655541),
    INT64_C(6810658488877194079), INT64_C(6959792490240559659), INT64_C(7112192101001162095),
    INT64_C(7267928828693418961), INT64_C(7427075746662858866), INT64_C(7589707528352920109),
    INT64_C(7755900482342532474), INT64_C(7925732588150922155), INT64_C(8099283532826439817),
    INT64_C(8276634748336579668), INT64_C(8457869449776733335), INT64_C(8643072674415606502),
    INT64_C(8832331321595618838), INT64_C(9025734193507008925),
};

/* The upper half of a product of 64 bits, but for a unit or two. */
static int64_t high_half(int64_t a, int64_t b) {
  const int64_t a_high = a >> 32, b_high = b >> 32, a_low = a & UINT32_MAX, b_low = b & UINT32_MAX;
  return a_high * b_high + ((a_high * b_low) >> 32) + ((a_low * b_high) >> 32);
}

/* |x| * 32 / ln 2 in Q15.48, for |x| < 128 as mantissa * 2^(exponent - 150). */
static int64_t scaled(uint32_t mantissa, int32_t exponent) {
  const uint64_t factor = UINT64_C(0xb8aa3b295c17f0bc); /* 32 / ln 2 * 2^58 */
  const uint64_t product = mantissa * (factor >> 32) + (mantissa * (factor & UINT32_MAX) >> 32);
  if (exponent >= 128) return (int64_t)(product << (exponent - 128));
  return exponent > 64 ? (int64_t)(product >> (128 - exponent)) : 0;
}

static float float_of(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* significand * 2^(exponent - 60) to nearest, ties to even; 2^59 <= significand < 2^62. */
static float rounded(uint64_t significand, int32_t exponent) {
  int32_t top = 59, shift;
  uint64_t kept, rest, half;
  while (significand >> (top + 1) != 0) top++;
  exponent += top - 60;
  if (exponent > 127) return float_of(0x7f800000u);
  shift = top - 23;
  if (exponent < -126) shift += -126 - exponent; /* subnormal: fewer bits */
  kept = significand >> shift;
  half = (uint64_t)1 << (shift - 1);
  rest = significand & (2 * half - 1);
  if (rest > half || (rest == half && (kept & 1) != 0)) kept++;
  if (exponent < -126) return float_of((uint32_t)kept);
  /* A carry out of the fraction moves on into the exponent. */
  return float_of((uint32_t)(exponent + 126) * ((uint32_t)1 << 23) + (uint32_t)kept);
}

float rip_exp_f32(float x) {
  /* The least largest relative error of 1 + c r + b r^2 + a r^3 from 2^(r / 32), |r| <= 1/2; in Q0.63. */
  const int64_t a = 15622878906538, b = INT64_C(2163785536024896), c = INT64_C(199786072619244218);
  uint32_t bits, mantissa;
  int32_t exponent, step;
  int64_t z, r, polynomial;
  memcpy(&bits, &x, sizeof bits);
  exponent = (int32_t)(bits >> 23 & 255);
  mantissa = bits & 0x7fffffu;
  if (exponent == 255 && mantissa != 0) return x;
  if (exponent >= 134) return float_of(bits >> 31 != 0 ? 0u : 0x7f800000u); /* |x| >= 128 */
  if (exponent == 0) return 1.0F;
  z = scaled(mantissa | 0x800000u, exponent);
  if (bits >> 31 != 0) z = -z;
  step = (int32_t)((z + ((int64_t)1 << 47)) >> 48);
  r = (z - (int64_t)step * ((int64_t)1 << 48)) * 32768; /* Q0.63 */
  polynomial = 2 * high_half(a, r) + b;
  polynomial = 2 * high_half(polynomial, r) + c;
  polynomial = 2 * high_half(polynomial, r);
  if (step < -32 * 152) return 0.0F;
  if (step >= 32 * 129) return float_of(0x7f800000u);
  z = high_half(((int64_t)1 << 62) + polynomial / 2, rip_flash_s64(powers + (step & 31)));
  return rounded((uint64_t)z, step >> 5);
}
