/* Outputs of rip_depthwise_dsp without strips: of LANES channels the columns of one window, which moves along the row.
 * Included once a size of kernel. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_DEPTHWISE_WINDOW_H
#define RIP_DEPTHWISE_WINDOW_H

#include "depthwise_strips.h"

/* The scalars of one column as they lie in memory, of two rows together: word 2 * j has lanes 0 and 1 of the rows 2 * j
 * and 2 * j + 1, the next one lanes 2 and 3; the last word is the last row's. */
typedef struct window_column {
  int32_t words[KERNEL];
} window_column;

static void join_rows(window_column* c, const int32_t* rows) {
  int32_t j;
  for (j = 0; j + 1 < KERNEL; j += 2) {
    c->words[j] = rip_join_low(rows[j], rows[j + 1]);
    c->words[j + 1] = rip_join_high(rows[j], rows[j + 1]);
  }
  c->words[j] = rows[j];
}

/* The column that lies `offset` bytes after the begin of each row. */
static void load_column(window_column* c, const int8_t* const* rows, int32_t offset) {
  int32_t words[KERNEL], j;
  for (j = 0; j < KERNEL; j++) words[j] = rip_load_s32(rows[j] + offset);
  join_rows(c, words);
}

/* The same, where the column or some row may be padding. */
static void load_padded(window_column* c, const int8_t* const* rows, int32_t offset, int32_t inside, int32_t zeros) {
  int32_t words[KERNEL], j;
  for (j = 0; j < KERNEL; j++) words[j] = inside && rows[j] != NULL ? rip_load_s32(rows[j] + offset) : zeros;
  join_rows(c, words);
}

static int32_t has_padding(const int8_t* const* rows) {
  int32_t j;
  for (j = 0; j < KERNEL; j++) {
    if (rows[j] == NULL) return 1;
  }
  return 0;
}

#if RIP_DSP_ASM

/* r0: columns, r1: the first lane's record, r2: odd_rounding, r3: weights, r4 to r7: sums of the lanes, r8 and r9:
 * words of the window, r10: halves, lr: a column. Its weights lie `from` bytes after r1, those of the next lane RECORD
 * words on. */
#define WINDOW_MACROS                                                                                                \
  ".equ RECORD_BYTES, 4 * %c[record]\n"                                                                              \
  ".macro tap sum lane from\n ldr r3, [r1, #\\lane * RECORD_BYTES + \\from]\n smlad \\sum, r10, r3, \\sum\n .endm\n" \
  ".macro two_rows from\n ldm lr!, {r8, r9}\n"                                                                       \
  "sxtb16 r10, r8\n tap r4 0 \\from\n sxtb16 r10, r8, ror #8\n tap r5 1 \\from\n"                                    \
  "sxtb16 r10, r9\n tap r6 2 \\from\n sxtb16 r10, r9, ror #8\n tap r7 3 \\from\n .endm\n"                            \
  ".macro last_row from\n ldr r8, [lr]\n sxtb16 r10, r8\n tap r4 0 \\from\n tap r6 2 \\from\n"                       \
  "sxtb16 r10, r8, ror #8\n tap r5 1 \\from\n tap r7 3 \\from\n .endm\n"                                             \
  ".macro output sum lane\n ldrd r8, r9, [r1, #\\lane * RECORD_BYTES + 4 * %c[finish]]\n"                            \
  "ldr r3, [r1, #\\lane * RECORD_BYTES + 4 * %c[finish] + 8]\n cbz r2, 2f\n add r9, r9, \\sum, asr #31\n"            \
  "2: smmlar \\sum, \\sum, r8, r9\n asr \\sum, r3\n ssat \\sum, #8, \\sum\n .endm\n"

#define NEXT_COLUMN "ldr lr, [r0], #4\n"
#if KERNEL == 3
#define ONE_COLUMN(at) NEXT_COLUMN "two_rows 4+" #at "\n last_row 16+" #at "\n"
#define ALL_COLUMNS ONE_COLUMN(0) ONE_COLUMN(4) ONE_COLUMN(8) "add r1, #12\n"
#else
#if KERNEL == 5
#define ONE_COLUMN NEXT_COLUMN "two_rows 4\n two_rows 24\n last_row 44\n"
#else
#define ONE_COLUMN NEXT_COLUMN "two_rows 4\n two_rows 32\n two_rows 60\n last_row 88\n"
#endif
#define ALL_COLUMNS "add r11, r1, #4 * %c[kernel]\n 1: " ONE_COLUMN "add r1, #4\n cmp r1, r11\n bne 1b\n"
#endif

/* The outputs of LANES channels, a byte each, that of the first in the lowest. */
RIP_HOT __attribute__((naked, noinline)) static int32_t outputs_of(const window_column* const* columns
                                                                   __attribute__((unused)),
                                                                   const int32_t* record __attribute__((unused)),
                                                                   int32_t odd_rounding __attribute__((unused))) {
  __asm__ volatile(".syntax unified\n" WINDOW_MACROS
                   "push {r4-r11, lr}\n ldr r4, [r1]\n ldr r5, [r1, #RECORD_BYTES]\n ldr r6, [r1, #2 * RECORD_BYTES]\n"
                   "ldr r7, [r1, #3 * RECORD_BYTES]\n" ALL_COLUMNS
                   "output r4 0\n output r5 1\n output r6 2\n output r7 3\n"
                   "bfi r4, r5, #8, #8\n bfi r4, r6, #16, #8\n bfi r4, r7, #24, #8\n mov r0, r4\n pop {r4-r11, pc}\n"
                   ".purgem tap\n .purgem two_rows\n .purgem last_row\n .purgem output\n"
                   :
                   : [record] "i"(RECORD), [kernel] "i"(KERNEL), [finish] "i"(1 + STRIPS * KERNEL - KERNEL)
                   : "memory");
}

#else

/* The output of a lane from its record. */
static int32_t output_of(const window_column* const* columns, int32_t lane, const int32_t* record,
                         int32_t odd_rounding) {
  int32_t sum = rip_flash_s32(record++), addend, j, i;
  for (j = 0; j < STRIPS; j++) {
    for (i = 0; i < KERNEL; i++) {
      const int32_t word = columns[i]->words[j < STRIPS - 1 ? 2 * j + lane / 2 : KERNEL - 1];
      sum = rip_smlad(lane % 2 != 0 ? rip_odd_bytes(word) : rip_even_bytes(word), rip_flash_s32(record++), sum);
    }
  }
  addend = rip_flash_s32(record + 1) + (odd_rounding ? sum >> 31 : 0);
  return rip_saturate_byte(rip_smmlar(sum, rip_flash_s32(record), addend) >> rip_flash_s32(record + 2));
}

/* The outputs of LANES channels, a byte each, that of the first in the lowest. */
static int32_t outputs_of(const window_column* const* columns, const int32_t* record, int32_t odd_rounding) {
  uint32_t made = 0;
  int32_t lane;
  for (lane = 0; lane < LANES; lane++) {
    const int32_t output = output_of(columns, lane, record + lane * RECORD, odd_rounding);
    made |= ((uint32_t)output & 0xffU) << (8 * lane);
  }
  return (int32_t)made;
}

#endif

/* The channels from start + first up to start + LANES, in the order of `step`. Every column is read once, before an
 * output of its number is written. */
static void make_pixels(const rip_depthwise_dsp* op, const rip_row_call* call, int32_t start, int32_t first) {
  const int8_t* const* const rows = call->rows;
  const int32_t stride = op->stride_w, in_width = op->in_width, pitch = call->in_pitch, zeros = four_zeros(op);
  const int32_t forward = call->step > 0, to_side = forward ? 1 : -1, out_step = to_side * call->out_pitch;
  const int32_t whole = has_padding(rows) ? 0 : in_width; /* columns without padding */
  const int32_t odd_rounding = op->odd_rounding, x = forward ? call->x0 : call->x1 - 1;
  const int32_t* const record = op->stream + start * RECORD;
  int8_t* out = call->out + x * call->out_pitch + start;
  int32_t column = x * stride - op->pad_w + (forward ? 0 : KERNEL - 1), count = call->x1 - call->x0;
  int32_t fresh = KERNEL; /* columns that the window has not */
  /* The window is a ring; from `left` on are its columns from left to right. */
  window_column ring[KERNEL];
  window_column* columns[2 * KERNEL];
  int32_t left = 0, i;
  for (i = 0; i < 2 * KERNEL; i++) columns[i] = &ring[i % KERNEL];
  for (; count > 0; count--, fresh = stride, out += out_step) {
    int32_t made;
    for (i = fresh; i > 0; i--, column += to_side) {
      const int32_t offset = start + column * pitch;
      window_column* oldest;
      if (!forward && --left < 0) left = KERNEL - 1;
      oldest = columns[left];
      if (forward && ++left == KERNEL) left = 0;
      if ((uint32_t)column < (uint32_t)whole) {
        load_column(oldest, rows, offset);
      } else {
        load_padded(oldest, rows, offset, column >= 0 && column < in_width, zeros);
      }
    }
    made = outputs_of((const window_column* const*)columns + left, record, odd_rounding);
    if (first == 0) {
      rip_store_s32(out, made);
    } else {
      for (i = first; i < LANES; i++) out[i] = (int8_t)(uint8_t)((uint32_t)made >> (8 * i) & 0xffU);
    }
  }
}

#endif
