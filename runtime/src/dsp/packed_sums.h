/* The inner product of rip_depthwise_dsp for a kernel of 3 from strips of a word where others take two: a word has the
 * scalars of two channels, or of all four where it is of one row alone. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_PACKED_SUMS_H
#define RIP_PACKED_SUMS_H

#include "strip_sums.h"

/* make_packed_columns and make_packed_other_columns: as those of strip_sums.h, from strips of two channels each, the
 * last one of all four; the next two channels' lie strip_bytes on. The channels are the last ones of four. */

#if RIP_DSP_ASM

#define BYTES(rotation)                                                                             \
  ".macro words at\n ldrd r2, r3, [r0, #\\at]\n sxtb16 r2, r2" rotation "\n sxtb16 r3, r3" rotation \
  "\n .endm\n"                                                                                      \
  ".macro word at\n ldr r2, [r0, #\\at]\n sxtb16 r2, r2" rotation "\n .endm\n"

/* From 1 on a channel that is the first of its two, from 7 on a second one: the next channel is one if an odd number is
 * left. */
#define MAKE_PACKED(step)                                                                                            \
  __asm__ volatile(                                                                                                  \
      SUM_MACROS(step) ENTER "ldr r2, [sp, #20 + " STRIP_BYTES "]\n lsls r2, r2, #31\n bne 7f\n 1: " BEGIN BYTES("") \
          STRIP_SUMS NO_WORDS OUTPUTS(step, "b 1b") "7: " BEGIN BYTES(", ror #8") STRIP_SUMS NO_WORDS OUTPUTS(       \
              step, "b 7b") "ldr r0, [sp]\n add r0, r4\n str r0, [sp]\n b 1b\n" LEAVE NO_SUM_MACROS)

RIP_HOT __attribute__((naked, noinline)) static void make_packed_columns(const outputs* o IN_REGISTER) {
  MAKE_PACKED(1);
}
RIP_HOT __attribute__((naked, noinline)) static void make_packed_other_columns(const outputs* o IN_REGISTER) {
  MAKE_PACKED(2);
}

#else

static void make_packed_strided(const outputs* o, int32_t stride) {
  int32_t lane, n, j, i;
  for (lane = LANES - o->lanes; lane < LANES; lane++) {
    const int32_t made = lane - (LANES - o->lanes); /* lanes before it */
    const int32_t further = (lane / 2 - (LANES - o->lanes) / 2) * (o->strip_bytes / 4);
    for (n = 0; n < o->count; n++) {
      const int32_t* w = o->record + made * RECORD;
      int32_t sum = rip_flash_s32(w++), addend;
      for (j = 0; j < STRIPS; j++) {
        const int32_t* v = o->strips[j] + (j == 0 ? further : 0) + n * stride;
        for (i = 0; i < KERNEL; i++) {
          sum = rip_smlad(lane % 2 != 0 ? rip_odd_bytes(v[i]) : rip_even_bytes(v[i]), rip_flash_s32(w++), sum);
        }
      }
      addend = rip_flash_s32(w + 1) + (o->odd_rounding ? sum >> 31 : 0);
      sum = rip_smmlar(sum, rip_flash_s32(w), addend) >> rip_flash_s32(w + 2);
      o->out[n * o->pitch + made] = (int8_t)rip_saturate_byte(sum);
    }
  }
}

static void make_packed_columns(const outputs* o) { make_packed_strided(o, 1); }
static void make_packed_other_columns(const outputs* o) { make_packed_strided(o, 2); }

#endif

static outputs_maker* packed_maker_for(int32_t stride) {
  return stride == 1 ? make_packed_columns : make_packed_other_columns;
}

#endif
