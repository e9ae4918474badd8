/* What the kernels of rip_depthwise_dsp share, for one size of kernel: included once a size, with KERNEL (3, 5 or 7). A
 * strip holds two rows of one channel: word x has the rows' scalars at column x, the upper row's in the low half.
 * SPDX-License-Identifier: MIT-0 */
#ifndef RIP_DEPTHWISE_STRIPS_H
#define RIP_DEPTHWISE_STRIPS_H

#include <stddef.h>

#include "clamp_row.h"
#include "rip/flash.h"
#include "rip/halves.h"
#include "rip/kernels.h"
#include "strip_gather.h"
#include "strip_sums.h"

#define LANES 4 /* channels that the row kernel gathers together */

static int32_t smaller(int32_t a, int32_t b) { return a < b ? a : b; }

/* Where the strips lie. */
static int32_t* lines_of(const rip_row_call* call) {
  return (int32_t*)(void*)(((uintptr_t)call->scratch + 3U) & ~(uintptr_t)3U);
}

/* A pixel of padding, of LANES channels. */
static int32_t four_zeros(const rip_depthwise_dsp* op) {
  return (int32_t)(((uint32_t)op->in_zero & 0xffU) * 0x01010101U);
}

/* Writes the words around those of the image, the same for all channels. */
static void fill_padding(const rip_depthwise_dsp* op, int32_t* line, int32_t lines) {
  const int32_t words = op->strip_words, zeros = rip_halves(op->in_zero, op->in_zero);
  int32_t i;
  for (; lines > 0; lines--, line += words) {
    for (i = 0; i < op->pad_w; i++) line[i] = zeros;
    for (i = op->pad_w + op->in_width; i < words; i++) line[i] = zeros;
  }
}

/* Columns of the image that a strip has room for. */
static int32_t columns_of(const rip_depthwise_dsp* op) {
  const int32_t room = op->strip_words - op->pad_w;
  return room < op->in_width ? room : op->in_width;
}

/* Where the scalars of an input row lie. */
static void set_row(const int8_t** at, int32_t* pitch, const int8_t* row, const rip_row_call* call,
                    const int32_t* zeros) {
  *at = row != NULL ? row : (const int8_t*)zeros;
  *pitch = row != NULL ? call->in_pitch : 0;
}

#endif
