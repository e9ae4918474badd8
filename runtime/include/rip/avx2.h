/* The loops of rip/block.h on x86-64 processors with AVX2: the same bits, several products at a time. Compile with
 * -mavx2 to have them. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_AVX2_H
#define RIP_AVX2_H

#include <stddef.h>
#include <stdint.h>

#if defined(__AVX2__) && !defined(RIP_NO_SIMD)
#define RIP_AVX2 1
#else
#define RIP_AVX2 0
#endif

#if RIP_AVX2
#include <immintrin.h>
#include <string.h>

static inline __m128i rip_avx2_load(const void* p) { return _mm_loadu_si128((const __m128i*)p); }
static inline void rip_avx2_store(void* p, __m128i x) { _mm_storeu_si128((__m128i*)p, x); }

/* Four bytes as four words. */
static inline __m128i rip_avx2_words(const int8_t* p) {
  int32_t bytes;
  memcpy(&bytes, p, sizeof bytes);
  return _mm_cvtepi8_epi32(_mm_cvtsi32_si128(bytes));
}

/* Sixteen bytes as sixteen halves. */
static inline __m256i rip_avx2_halves(const int8_t* p) { return _mm256_cvtepi8_epi16(rip_avx2_load(p)); }

static inline __m256i rip_avx2_add_products(__m256i sum, __m256i x, const int8_t* w) {
  return _mm256_add_epi32(sum, _mm256_madd_epi16(x, rip_avx2_halves(w)));
}

/* Adds the products of one channel, or of four whose weights lie `stride` bytes apart, as far as there are sixteen
 * scalars left; returns how many it took. */
static inline int32_t rip_avx2_add_run(int32_t* sums, const int8_t* x, const int8_t* w, ptrdiff_t stride,
                                       int32_t length, int one) {
  __m256i s0 = _mm256_setzero_si256(), s1 = s0, s2 = s0, s3 = s0;
  __m128i low, total;
  int32_t i;
  if (length < 16) return 0;
  for (i = 0; i + 16 <= length; i += 16) {
    const __m256i halves = rip_avx2_halves(x + i);
    s0 = rip_avx2_add_products(s0, halves, w + i);
    if (one) continue;
    s1 = rip_avx2_add_products(s1, halves, w + i + stride);
    s2 = rip_avx2_add_products(s2, halves, w + i + 2 * stride);
    s3 = rip_avx2_add_products(s3, halves, w + i + 3 * stride);
  }
  s0 = _mm256_hadd_epi32(_mm256_hadd_epi32(s0, s1), _mm256_hadd_epi32(s2, s3));
  low = _mm256_castsi256_si128(s0);
  total = _mm_add_epi32(low, _mm256_extracti128_si256(s0, 1));
  if (one) {
    sums[0] = (int32_t)((uint32_t)sums[0] + (uint32_t)_mm_cvtsi128_si32(total));
  } else {
    rip_avx2_store(sums, _mm_add_epi32(rip_avx2_load(sums), total));
  }
  return i;
}

/* Adds one product to each of four neighbouring channels. */
static inline void rip_avx2_add_four(int32_t sums[4], const int8_t* x, const int8_t* w) {
  const __m128i products = _mm_mullo_epi32(rip_avx2_words(x), rip_avx2_words(w));
  rip_avx2_store(sums, _mm_add_epi32(rip_avx2_load(sums), products));
}

/* rip_high_product of four pairs. */
static inline __m128i rip_avx2_high_product(__m128i a, __m128i b) {
  const __m128i half = _mm_set1_epi64x((int64_t)1 << 30);
  const __m128i even = _mm_srli_epi64(_mm_add_epi64(_mm_mul_epi32(a, b), half), 31);
  const __m128i odd_product = _mm_mul_epi32(_mm_srli_epi64(a, 32), _mm_srli_epi64(b, 32));
  const __m128i odd = _mm_slli_epi64(_mm_srli_epi64(_mm_add_epi64(odd_product, half), 31), 32);
  return _mm_blend_epi16(even, odd, 0xcc);
}

/* Four channels from sums to outputs, as rip_requantize, rip_clamp and the zero point; each pointer to the first of
 * theirs. */
static inline void rip_avx2_write_four(const int32_t* sums, const int32_t* bias, const int32_t* multiplier,
                                       const int8_t* shift, int32_t zero, int32_t min, int32_t max, int8_t* out) {
  const __m128i none = _mm_setzero_si128(), shifts = rip_avx2_words(shift);
  const __m128i left = _mm_max_epi32(shifts, none), right = _mm_max_epi32(_mm_sub_epi32(none, shifts), none);
  const __m128i some = _mm_cmpgt_epi32(right, none);
  const __m128i sum = _mm_add_epi32(rip_avx2_load(sums), rip_avx2_load(bias));
  const __m128i x = rip_avx2_high_product(_mm_sllv_epi32(sum, left), rip_avx2_load(multiplier));
  /* As rip_rounded_shift; where there is nothing to shift, both shifts are by 0 and nothing is added. */
  const __m128i towards = _mm_add_epi32(x, _mm_and_si128(_mm_srai_epi32(x, 31), some));
  const __m128i halved = _mm_sub_epi32(_mm_srav_epi32(towards, _mm_add_epi32(right, some)), some);
  const __m128i shifted = _mm_srav_epi32(halved, _mm_and_si128(some, _mm_set1_epi32(1)));
  const __m128i moved = _mm_add_epi32(shifted, _mm_set1_epi32(zero));
  const __m128i cut = _mm_min_epi32(_mm_max_epi32(moved, _mm_set1_epi32(min)), _mm_set1_epi32(max));
  const __m128i halves = _mm_packs_epi32(cut, cut);
  const int32_t bytes = _mm_cvtsi128_si32(_mm_packs_epi16(halves, halves));
  memcpy(out, &bytes, sizeof bytes);
}

#endif
#endif
