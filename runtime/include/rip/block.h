/* Blocks of output channels: what the convolution kernels share. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_BLOCK_H
#define RIP_BLOCK_H

#include <stddef.h>

#include "rip/avr.h"
#include "rip/avx2.h"
#include "rip/flash.h"
#include "rip/requantize.h"

#define RIP_BLOCK 4 /* output channels that are computed together */

/* A byte that is multiplied, as wide as the processor likes it best. */
#if RIP_AVR
typedef int8_t rip_factor;
#else
typedef int32_t rip_factor;
#endif

static inline int32_t rip_product(int8_t a, rip_factor b) {
#if RIP_AVR
  int product; /* the compiler would call a function that multiplies 16 bits by 16 */
  __asm__("muls %1, %2\n movw %0, r0\n clr __zero_reg__\n" : "=r"(product) : "d"(a), "d"(b) : "r0");
  return product;
#else
  return a * b;
#endif
}

/* What turns the sum of a channel's products into its output. */
typedef struct rip_output {
  const int32_t *bias, *multiplier; /* by channel, in flash */
  const int8_t* shift;
  int32_t zero, min, max;
} rip_output;

/* `op` points to a parameter struct that has these fields. */
#define RIP_OUTPUT_OF(op) \
  { (op)->bias, (op)->multiplier, (op)->shift, (op)->out_zero, (op)->act_min, (op)->act_max }

/* The bias is added modulo 2^32, as on every machine that runs the reference. */
static inline int8_t rip_output_s8(const rip_output* o, int32_t channel, int32_t sum) {
  const int32_t whole = (int32_t)((uint32_t)sum + (uint32_t)rip_flash_s32(o->bias + channel));
  const int32_t multiplier = rip_flash_s32(o->multiplier + channel);
  const int32_t y = rip_requantize(whole, multiplier, rip_flash_s8(o->shift + channel)) + o->zero;
  return (int8_t)rip_clamp(y, o->min, o->max);
}

/* Writes channels [channel, channel + RIP_BLOCK). */
static inline void rip_write_block(const rip_output* o, int32_t channel, const int32_t sums[RIP_BLOCK], int8_t* out) {
#if RIP_AVX2
  rip_avx2_write_four(sums, o->bias + channel, o->multiplier + channel, o->shift + channel, o->zero, o->min, o->max,
                      out + channel);
#elif RIP_AVR
  uint8_t i;
  for (i = 0; i < RIP_BLOCK; i++, channel++) out[channel] = rip_output_s8(o, channel, sums[i]);
#else
  const rip_output block = {o->bias + channel, o->multiplier + channel, o->shift + channel, o->zero, o->min, o->max};
  out += channel;
  out[0] = rip_output_s8(&block, 0, sums[0]);
  out[1] = rip_output_s8(&block, 1, sums[1]);
  out[2] = rip_output_s8(&block, 2, sums[2]);
  out[3] = rip_output_s8(&block, 3, sums[3]);
#endif
}

/* The order in which the channels [first, first + channels) of a pixel are made: from the first up or from the last
 * down, and before all others the block that is not full. What is written before the pixel's last taps are read is then
 * exactly all but the last RIP_BLOCK channels. */
typedef struct rip_blocks {
  int32_t odd, odd_channel;        /* channels of the block that is not full, and the first of them */
  int32_t count, channel, advance; /* full blocks, the first channel of the first, and on to the next */
} rip_blocks;

static inline rip_blocks rip_blocks_of(int32_t first, int32_t channels, int32_t step) {
  rip_blocks b;
  b.odd = channels % RIP_BLOCK;
  b.count = channels / RIP_BLOCK;
  b.odd_channel = step > 0 ? first : first + channels - b.odd;
  b.channel = step > 0 ? first + b.odd : b.odd_channel - RIP_BLOCK;
  b.advance = step > 0 ? RIP_BLOCK : -RIP_BLOCK;
  return b;
}

/* Adds a product to the sum of one channel, or of RIP_BLOCK channels whose weights lie `stride` bytes apart. */
static inline void rip_add_tap(int32_t* sums, int32_t x, const int8_t* w, ptrdiff_t stride, int one) {
  sums[0] += x * rip_flash_s8(w);
  if (one) return;
  sums[1] += x * rip_flash_s8(w + stride);
  sums[2] += x * rip_flash_s8(w + 2 * stride);
  sums[3] += x * rip_flash_s8(w + 3 * stride);
}

/* Adds the products of `length` scalars and weights without a hole. */
static inline void rip_add_run(int32_t* sums, const int8_t* x, const int8_t* w, ptrdiff_t stride, int32_t length,
                               int one) {
#if RIP_AVX2
  const int32_t done = rip_avx2_add_run(sums, x, w, stride, length, one);
  x += done;
  w += done;
  length -= done;
#endif
#if RIP_AVR
  for (; length > 0; length -= RIP_AVR_RUN, x += RIP_AVR_RUN, w += RIP_AVR_RUN) {
    const uint8_t count = (uint8_t)(length < RIP_AVR_RUN ? length : RIP_AVR_RUN);
    const int8_t* v = w;
    uint8_t i;
    for (i = 0; i < (one ? 1 : RIP_BLOCK); i++, v += stride) sums[i] += rip_avr_dot(&x, 1, 0, count, v);
  }
#endif
  for (; length >= 2; length -= 2, x += 2, w += 2) {
    rip_add_tap(sums, x[0], w, stride, one);
    rip_add_tap(sums, x[1], w + 1, stride, one);
  }
  if (length > 0) rip_add_tap(sums, x[0], w, stride, one);
}

#endif
