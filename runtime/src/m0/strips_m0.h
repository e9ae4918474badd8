/* The kernels of rip_depthwise_m0 for one size of kernel: included once a size, with KERNEL (3, 5 or 7). A strip holds
 * two rows of one channel: word x is upper + 65536 * lower of the rows' scalars at column x. SPDX-License-Identifier:
 * MIT-0 */
#include <stddef.h>

#include "rip/flash.h"
#include "rip/m0.h"

#define STRIPS ((KERNEL + 1) / 2)
#define RECORD (1 + STRIPS * KERNEL + RIP_M0_OUTPUT) /* words of the stream that make a row */

/* Outputs of one channel to make from its strips. */
typedef struct outputs {
  const int32_t* strips[STRIPS]; /* of each, the first word that the first output needs */
  const int32_t* record;         /* of the stream */
  int32_t step;                  /* bytes of a strip from output to output */
  int8_t* out;
  int8_t* end; /* of the outputs */
  int32_t pitch;
} outputs;

#if defined(__thumb__) && !defined(RIP_NO_ASM)

/* r6 points to words of a strip, r7 to their weights, r9 is 2^15. */
#define SUM_WORD(r) "add r" #r ", r9\n asrs r" #r ", r" #r ", #16\n add r8, r" #r "\n"
#define THREE                                                                                                 \
  "ldmia r6!, {r0, r1, r2}\n ldmia r7!, {r3, r4, r5}\n muls r3, r0\n muls r4, r1\n muls r5, r2\n" SUM_WORD(3) \
      SUM_WORD(4) SUM_WORD(5)
#define TWO "ldmia r6!, {r0, r1}\n ldmia r7!, {r3, r4}\n muls r3, r0\n muls r4, r1\n" SUM_WORD(3) SUM_WORD(4)

#if KERNEL == 3
#define COLUMNS THREE
#elif KERNEL == 5
#define COLUMNS THREE TWO
#else
#define COLUMNS THREE TWO TWO
#endif

/* r10: bytes from the strip's first output to this one. */
#define STRIP(at) "ldr r6, [sp, #" #at "]\n add r6, r10\n" COLUMNS
#if KERNEL == 3
#define ALL_STRIPS STRIP(0) STRIP(4)
#define COPY_STRUCT "ldmia r0!, {r1, r2, r3, r4, r5, r6, r7}\n push {r1, r2, r3, r4}\n"
#define RECORD_AT "8"
#define STEP_AT "12"
#define DROP_STRUCT "add sp, #16\n"
#elif KERNEL == 5
#define ALL_STRIPS STRIP(0) STRIP(4) STRIP(8)
#define COPY_STRUCT "ldmia r0!, {r1, r2, r3, r4, r5}\n push {r1, r2, r3, r4, r5}\n ldmia r0!, {r5, r6, r7}\n"
#define RECORD_AT "12"
#define STEP_AT "16"
#define DROP_STRUCT "add sp, #20\n"
#else
#define ALL_STRIPS STRIP(0) STRIP(4) STRIP(8) STRIP(12)
#define COPY_STRUCT "ldmia r0!, {r1, r2, r3, r4, r5, r6}\n push {r1, r2, r3, r4, r5, r6}\n ldmia r0!, {r5, r6, r7}\n"
#define RECORD_AT "16"
#define STEP_AT "20"
#define DROP_STRUCT "add sp, #24\n"
#endif

RIP_HOT __attribute__((naked, noinline)) static void make_outputs(const outputs* o __attribute__((unused))) {
  __asm__ volatile(
      ".syntax unified\n"
      "push {r4, r5, r6, r7, lr}\n mov r4, r8\n mov r5, r9\n mov r6, r10\n mov r7, r11\n push {r4, r5, r6, "
      "r7}\n" COPY_STRUCT
      "mov r11, r5\n mov lr, r6\n mov r12, r7\n movs r0, #1\n lsls r0, r0, #15\n mov r9, r0\n movs r0, #0\n mov r10, "
      "r0\n"
      "1: ldr r7, [sp, #" RECORD_AT "]\n ldmia r7!, {r0}\n mov r8, r0\n" ALL_STRIPS
      "mov r0, r8\n ldmia r7!, {r1, r2}\n cmp r0, r1\n bge 3f\n mov r0, r1\n3: cmp r0, r2\n ble 4f\n mov r0, r2\n"
      "4: ldmia r7!, {r1, r2, r3, r4, r5}\n muls r1, r0\n asrs r1, r1, #10\n muls r2, r0\n adds r2, r1\n"
      "asrs r2, r2, #10\n muls r3, r0\n adds r2, r3\n adds r2, r4\n asrs r0, r0, #31\n ands r5, r0\n subs r2, r5\n"
      "lsrs r2, r2, #24\n mov r6, r11\n strb r2, [r6]\n ldr r0, [sp, #" STEP_AT
      "]\n add r10, r0\n add r6, r12\n"
      "mov r11, r6\n cmp r6, lr\n beq 5f\n b 1b\n5:\n" DROP_STRUCT
      "pop {r4, r5, r6, r7}\n mov r8, r4\n mov r9, r5\n mov r10, r6\n mov r11, r7\n pop {r4, r5, r6, r7, pc}\n");
}

#else

static void make_outputs(const outputs* o) {
  int32_t at = 0;
  int8_t* out;
  for (out = o->out; out != o->end; out += o->pitch, at += o->step / 4) {
    const int32_t* w = o->record;
    int32_t sum = rip_flash_s32(w++), j, i;
    for (j = 0; j < STRIPS; j++) {
      for (i = 0; i < KERNEL; i++, w++) {
        const uint32_t product = (uint32_t)o->strips[j][at + i] * (uint32_t)rip_flash_s32(w) + 0x8000U;
        sum += (int32_t)product >> 16;
      }
    }
    *out = rip_m0_output(sum, w);
  }
}

#endif

/* Where the scalars of one input row and of one channel lie. A row of padding is one scalar again and again. */
typedef struct source {
  const int8_t* at;
  int32_t pitch;
} source;

static source source_of(const int8_t* row, int32_t pitch, const int8_t* padding) {
  source s;
  s.at = row != NULL ? row : padding;
  s.pitch = row != NULL ? pitch : 0;
  return s;
}

static inline int32_t pair_of(int32_t upper, int32_t lower) {
  return (int32_t)((uint32_t)upper + ((uint32_t)lower << 16));
}

/* Writes the words around those of the image, the same for all channels. */
static void fill_padding(const rip_depthwise_m0* op, int32_t* line) {
  const int32_t words = op->strip_words, zeros = pair_of(op->in_zero, op->in_zero);
  int32_t strip, i;
  for (strip = 0; strip < STRIPS; strip++, line += words) {
    for (i = 0; i < op->pad_w; i++) line[i] = zeros;
    for (i = op->pad_w + op->in_width; i < words; i++) line[i] = zeros;
  }
}

static void load_strip(const rip_depthwise_m0* op, int32_t* to, source upper, source lower) {
  const int32_t room = op->strip_words - op->pad_w;
  int32_t count = room < op->in_width ? room : op->in_width;
  for (to += op->pad_w; count > 0; count--, upper.at += upper.pitch, lower.at += lower.pitch) {
    *to++ = pair_of(*upper.at, *lower.at);
  }
}

static int32_t* lines_of(const rip_row_call* call) {
  return (int32_t*)(void*)(((uintptr_t)call->scratch + 3U) & ~(uintptr_t)3U);
}

/* One output row, as rip_depthwise*_m0_row. */
static void make_row(const rip_depthwise_m0* op, const rip_row_call* call) {
  const int8_t zero = (int8_t)op->in_zero;
  const int32_t words = op->strip_words, count = call->x1 - call->x0;
  int32_t* const lines = lines_of(call);
  int32_t channel, j;
  outputs o;
  if (count <= 0) return;
  fill_padding(op, lines);
  for (j = 0; j < STRIPS; j++) o.strips[j] = lines + j * words + call->x0 * op->stride_w;
  o.record = op->stream;
  o.step = 4 * op->stride_w;
  o.out = call->out + call->x0 * call->out_pitch;
  o.pitch = call->out_pitch;
  for (channel = 0; channel < op->channels; channel++, o.record += RECORD, o.out++) {
    for (j = 0; j < STRIPS; j++) {
      const int8_t *upper = call->rows[2 * j], *lower = 2 * j + 1 < KERNEL ? call->rows[2 * j + 1] : NULL;
      load_strip(op, lines + j * words, source_of(upper != NULL ? upper + channel : NULL, call->in_pitch, &zero),
                 source_of(lower != NULL ? lower + channel : NULL, call->in_pitch, &zero));
    }
    o.end = o.out + count * o.pitch;
    make_outputs(&o);
  }
}

/* One row of a channel, or the padding. */
static source row_of(const rip_depthwise_m0* op, const int8_t* in, int32_t pitch, int32_t y, const int8_t* zero) {
  return source_of(y >= 0 && y < op->in_height ? in + y * op->in_width * pitch : NULL, pitch, zero);
}

/* All output rows, as rip_depthwise*_m0_plane. */
static void make_image(const rip_depthwise_m0* op, const rip_row_call* call) {
  const int8_t zero = (int8_t)op->in_zero;
  const int32_t words = op->strip_words, phases = op->stride_h % 2 + 1;
  int32_t* const lines = lines_of(call);
  int32_t channel, row, j;
  outputs o;
  fill_padding(op, lines);
  o.step = 4 * op->stride_w;
  o.pitch = call->out_pitch;
  for (channel = 0; channel < op->channels; channel++) {
    const int8_t* in = call->rows[0] + channel;
    const int32_t* record = op->stream + channel * phases * RECORD;
    int32_t loaded = 0, oldest = 0, top = -op->pad_h; /* strip i has the rows 2 * i - pad_h and the next */
    o.out = call->out + channel;
    for (row = 0; row < op->out_height; row++, top += op->stride_h, o.out = o.end) {
      const int32_t first = (top + op->pad_h) >> 1;
      if (loaded < first) loaded = first; /* no output needs what lies between */
      for (; loaded < first + STRIPS; loaded++) {
        const int32_t y = 2 * loaded - op->pad_h;
        load_strip(op, lines + oldest * words, row_of(op, in, call->in_pitch, y, &zero),
                   row_of(op, in, call->in_pitch, y + 1, &zero));
        oldest = oldest + 1 < STRIPS ? oldest + 1 : 0;
      }
      for (j = 0; j < STRIPS; j++)
        o.strips[j] = lines + (oldest + j < STRIPS ? oldest + j : oldest + j - STRIPS) * words;
      o.record = record + ((top + op->pad_h) & 1) * RECORD;
      o.end = o.out + op->out_width * o.pitch;
      make_outputs(&o);
    }
  }
}
