/* The kernels of rip_depthwise_m0 for one size of kernel: included once a size, with KERNEL (3, 5 or 7). A strip holds
 * two rows of one channel: word x is upper + 65536 * lower of the rows' scalars at column x. The last strip of the row
 * kernel holds one row. SPDX-License-Identifier:
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

static inline int32_t pair_of(int32_t upper, int32_t lower) {
  return (int32_t)((uint32_t)upper + ((uint32_t)lower << 16));
}

#if defined(__thumb__) && !defined(RIP_NO_ASM)

/* r6 points to words of a strip, r7 to their weights; r5 is the sum. Of two rows a strip's product is in the upper
 * half, and the last bit shifted out rounds; of one row it is the product. */
#define ADD_HALF(r) "asrs r" #r ", r" #r ", #16\n adcs r5, r" #r "\n"
#define ADD_WORD(r) "adds r5, r" #r "\n"
#define THREE(ADD) \
  "ldmia r6!, {r0, r1, r2}\n ldmia r7!, {r3, r4}\n muls r3, r0\n muls r4, r1\n" ADD(3) ADD(4) "ldmia r7!, {r3}\n muls " \
  "r3, r2\n" ADD(3)
#define TWO(ADD) "ldmia r6!, {r0, r1}\n ldmia r7!, {r3, r4}\n muls r3, r0\n muls r4, r1\n" ADD(3) ADD(4)

#if KERNEL == 3
#define COLUMNS(ADD) THREE(ADD)
#elif KERNEL == 5
#define COLUMNS(ADD) THREE(ADD) TWO(ADD)
#else
#define COLUMNS(ADD) THREE(ADD) TWO(ADD) TWO(ADD)
#endif

/* r10: bytes from the strip's first output to this one. */
#define STRIP(at, ADD) "ldr r6, [sp, #" #at "]\n add r6, r10\n" COLUMNS(ADD)
#if KERNEL == 3
#define ALL_STRIPS(LAST) STRIP(0, ADD_HALF) STRIP(4, LAST)
#define COPY_STRUCT "ldmia r0!, {r1, r2, r3, r4, r5, r6, r7}\n push {r1, r2, r3, r4}\n"
#define RECORD_AT "8"
#define STEP_AT "12"
#define DROP_STRUCT "add sp, #16\n"
#elif KERNEL == 5
#define ALL_STRIPS(LAST) STRIP(0, ADD_HALF) STRIP(4, ADD_HALF) STRIP(8, LAST)
#define COPY_STRUCT "ldmia r0!, {r1, r2, r3, r4, r5}\n push {r1, r2, r3, r4, r5}\n ldmia r0!, {r5, r6, r7}\n"
#define RECORD_AT "12"
#define STEP_AT "16"
#define DROP_STRUCT "add sp, #20\n"
#else
#define ALL_STRIPS(LAST) STRIP(0, ADD_HALF) STRIP(4, ADD_HALF) STRIP(8, ADD_HALF) STRIP(12, LAST)
#define COPY_STRUCT "ldmia r0!, {r1, r2, r3, r4, r5, r6}\n push {r1, r2, r3, r4, r5, r6}\n ldmia r0!, {r5, r6, r7}\n"
#define RECORD_AT "16"
#define STEP_AT "20"
#define DROP_STRUCT "add sp, #24\n"
#endif
#if KERNEL == 7
#define NEXT_OUTPUT "beq 5f\n b 1b\n5:\n" /* too far for a condition */
#else
#define NEXT_OUTPUT "bne 1b\n"
#endif

/* r11: out, r12: pitch, lr: end. */
#define MAKE_OUTPUTS(LAST) \
  ".syntax unified\n"                                                                                                  \
  "push {r4, r5, r6, r7, lr}\n mov r5, r10\n mov r6, r11\n push {r5, r6}\n" COPY_STRUCT                                \
  "mov r11, r5\n mov lr, r6\n mov r12, r7\n movs r0, #0\n mov r10, r0\n"                                               \
  "1: ldr r7, [sp, #" RECORD_AT "]\n ldmia r7!, {r5}\n" ALL_STRIPS(LAST)                                               \
  "ldmia r7!, {r1, r2}\n cmp r5, r1\n bge 3f\n mov r5, r1\n3: cmp r5, r2\n ble 4f\n mov r5, r2\n"                      \
  "4: ldmia r7!, {r0, r1, r2, r3, r4}\n muls r0, r5\n asrs r0, r0, #10\n muls r1, r5\n adds r1, r0\n"                  \
  "asrs r1, r1, #10\n muls r2, r5\n adds r2, r1\n adds r2, r3\n asrs r5, r5, #31\n ands r4, r5\n subs r2, r4\n"        \
  "lsrs r2, r2, #24\n mov r6, r11\n strb r2, [r6]\n ldr r0, [sp, #" STEP_AT                                            \
  "]\n add r10, r0\n add r6, r12\n mov r11, r6\n cmp r6, lr\n" NEXT_OUTPUT DROP_STRUCT                                 \
  "pop {r5, r6}\n mov r10, r5\n mov r11, r6\n pop {r4, r5, r6, r7, pc}\n"

#define IN_REGISTER __attribute__((unused)) /* read by the assembly alone */

RIP_HOT __attribute__((naked, noinline)) static void make_row_outputs(const outputs* o IN_REGISTER) {
  __asm__ volatile(MAKE_OUTPUTS(ADD_WORD));
}

RIP_HOT __attribute__((naked, noinline)) static void make_plane_outputs(const outputs* o IN_REGISTER) {
  __asm__ volatile(MAKE_OUTPUTS(ADD_HALF));
}

/* Words of two rows whose scalars are `pitch` apart. */
RIP_HOT __attribute__((naked, noinline)) static void pair_rows(int32_t* to IN_REGISTER, const int8_t* upper IN_REGISTER,
                                                               const int8_t* lower IN_REGISTER,
                                                               int32_t pitch IN_REGISTER, int32_t count IN_REGISTER) {
  __asm__ volatile(
      ".syntax unified\n"
      "push {r4, r5, r6, r7, lr}\n ldr r5, [sp, #20]\n lsls r6, r5, #2\n adds r6, r0\n mov r12, r6\n movs r4, #0\n"
      "lsrs r5, r5, #1\n bcc 2f\n"
      "ldrsb r5, [r1, r4]\n ldrsb r6, [r2, r4]\n adds r4, r3\n lsls r6, r6, #16\n adds r5, r6\n stmia r0!, {r5}\n b "
      "2f\n"
      "1: ldrsb r5, [r1, r4]\n ldrsb r6, [r2, r4]\n adds r4, r3\n lsls r6, r6, #16\n adds r5, r6\n"
      "ldrsb r6, [r1, r4]\n ldrsb r7, [r2, r4]\n adds r4, r3\n lsls r7, r7, #16\n adds r6, r7\n stmia r0!, {r5, r6}\n"
      "2: cmp r0, r12\n bne 1b\n pop {r4, r5, r6, r7, pc}\n");
}

#define COPY_WORD(r) "ldrsb " r ", [r1, r4]\n adds r4, r2\n"

/* Words of one row: up to three one by one, the others four by four. */
RIP_HOT __attribute__((naked, noinline)) static void copy_row(int32_t* to IN_REGISTER, const int8_t* row IN_REGISTER,
                                                              int32_t pitch IN_REGISTER, int32_t count IN_REGISTER) {
  __asm__ volatile(
      ".syntax unified\n"
      "push {r4, r5, r6, r7, lr}\n lsls r6, r3, #2\n adds r6, r0\n mov r12, r6\n movs r4, #0\n movs r6, #3\n"
      "ands r6, r3\n beq 2f\n"
      "1:" COPY_WORD("r3") "stmia r0!, {r3}\n subs r6, #1\n bne 1b\n"
      "2: cmp r0, r12\n beq 4f\n"
      "3:" COPY_WORD("r3") COPY_WORD("r5") COPY_WORD("r6") COPY_WORD("r7") "stmia r0!, {r3, r5, r6, r7}\n"
      "cmp r0, r12\n bne 3b\n"
      "4: pop {r4, r5, r6, r7, pc}\n");
}

#else

static int32_t next_sum(const outputs* o, int32_t at, int32_t pairs) {
  const int32_t* w = o->record;
  int32_t sum = rip_flash_s32(w++), j, i;
  for (j = 0; j < STRIPS; j++) {
    for (i = 0; i < KERNEL; i++, w++) {
      const uint32_t product = (uint32_t)o->strips[j][at + i] * (uint32_t)rip_flash_s32(w);
      sum += j < pairs ? (int32_t)(product + 0x8000U) >> 16 : (int32_t)product;
    }
  }
  return sum;
}

/* `pairs`: strips of two rows, the first ones. */
static void make_outputs(const outputs* o, int32_t pairs) {
  int32_t at = 0;
  int8_t* out;
  for (out = o->out; out != o->end; out += o->pitch, at += o->step / 4) {
    *out = rip_m0_output(next_sum(o, at, pairs), o->record + RECORD - RIP_M0_OUTPUT);
  }
}

static void make_row_outputs(const outputs* o) { make_outputs(o, STRIPS - 1); }

static void make_plane_outputs(const outputs* o) { make_outputs(o, STRIPS); }

static void pair_rows(int32_t* to, const int8_t* upper, const int8_t* lower, int32_t pitch, int32_t count) {
  for (; count > 0; count--, upper += pitch, lower += pitch) *to++ = pair_of(*upper, *lower);
}

static void copy_row(int32_t* to, const int8_t* row, int32_t pitch, int32_t count) {
  for (; count > 0; count--, row += pitch) *to++ = *row;
}

#endif

static void fill(int32_t* to, int32_t word, int32_t count) {
  for (; count > 0; count--) *to++ = word;
}

/* The same for all channels: the words around those of the image, in the first `pairs` strips of two rows. */
static void fill_padding(const rip_depthwise_m0* op, int32_t* line, int32_t pairs) {
  const int32_t words = op->strip_words, zero = op->in_zero, after = op->pad_w + op->in_width;
  int32_t strip;
  for (strip = 0; strip < STRIPS; strip++, line += words) {
    const int32_t zeros = strip < pairs ? pair_of(zero, zero) : zero;
    fill(line, zeros, op->pad_w);
    fill(line + after, zeros, words - after);
  }
}

/* Columns of the image in a strip. */
static int32_t image_words(const rip_depthwise_m0* op) {
  const int32_t room = op->strip_words - op->pad_w;
  return room < op->in_width ? room : op->in_width;
}

/* Loads so many columns of two rows of a channel; null is a row of padding. */
static void load_pair_columns(const rip_depthwise_m0* op, int32_t* to, const int8_t* upper, const int8_t* lower,
                              int32_t pitch, int32_t count) {
  const int8_t zero = (int8_t)op->in_zero;
  const int32_t upper_pitch = upper != NULL ? pitch : 0, lower_pitch = lower != NULL ? pitch : 0;
  if (count <= 0) return;
  if (upper != NULL && lower != NULL) {
    pair_rows(to, upper, lower, pitch, count);
    return;
  }
  if (upper == NULL) upper = &zero;
  if (lower == NULL) lower = &zero;
  for (; count > 0; count--, upper += upper_pitch, lower += lower_pitch) *to++ = pair_of(*upper, *lower);
}

/* The same of one row alone. */
static void load_row_columns(const rip_depthwise_m0* op, int32_t* to, const int8_t* row, int32_t pitch, int32_t count) {
  if (row == NULL) {
    fill(to, op->in_zero, count);
  } else if (count > 0) {
    copy_row(to, row, pitch, count);
  }
}

/* Loads two rows of a channel into the columns of the image. */
static void load_pairs(const rip_depthwise_m0* op, int32_t* to, const int8_t* upper, const int8_t* lower,
                       int32_t pitch) {
  load_pair_columns(op, to + op->pad_w, upper, lower, pitch, image_words(op));
}

static int32_t* lines_of(const rip_row_call* call) {
  return (int32_t*)(void*)(((uintptr_t)call->scratch + 3U) & ~(uintptr_t)3U);
}

/* Words of the scratch from there on. */
static int32_t words_of(const rip_row_call* call) {
  return (call->scratch_bytes - (int32_t)((uintptr_t)lines_of(call) - (uintptr_t)call->scratch)) / 4;
}

static inline const int8_t* channel_of(const int8_t* row, int32_t channel) {
  return row != NULL ? row + channel : NULL;
}

/* Whether all rows that a call reads are of the image. */
static int has_all_rows(const rip_row_call* call) {
  int32_t j;
  for (j = 0; j < KERNEL; j++) {
    if (call->rows[j] == NULL) return 0;
  }
  return 1;
}

/* Loads the strips of a channel of these rows, of whose columns `line` is the first. */
static void load_strips(const rip_depthwise_m0* op, int32_t* line, const int8_t* const* rows, int32_t channel,
                        int32_t pitch) {
  int32_t j;
  for (j = 0; j < KERNEL - 1; j += 2, line += op->strip_words) {
    load_pair_columns(op, line, channel_of(rows[j], channel), channel_of(rows[j + 1], channel), pitch, image_words(op));
  }
  load_row_columns(op, line, channel_of(rows[j], channel), pitch, image_words(op));
}

/* One output row from strips of the whole row. */
static void make_whole_row(const rip_depthwise_m0* op, const rip_row_call* call, int32_t* lines) {
  const int32_t words = op->strip_words, inside = image_words(op), pitch = call->in_pitch;
  const int32_t bytes = (call->x1 - call->x0) * call->out_pitch;
  const int8_t* const* const rows = call->rows;
  const int simple = inside > 0 && has_all_rows(call);
  int32_t channel, j;
  outputs o;
  fill_padding(op, lines, STRIPS - 1);
  for (j = 0; j < STRIPS; j++) o.strips[j] = lines + j * words + call->x0 * op->stride_w;
  o.record = op->stream;
  o.step = 4 * op->stride_w;
  o.out = call->out + call->x0 * call->out_pitch;
  o.pitch = call->out_pitch;
  lines += op->pad_w;
  for (channel = 0; channel < op->channels; channel++, o.record += RECORD, o.out++) {
    if (simple) {
      int32_t* line = lines;
      for (j = 0; j < KERNEL - 1; j += 2, line += words) {
        pair_rows(line, rows[j] + channel, rows[j + 1] + channel, pitch, inside);
      }
      copy_row(line, rows[j] + channel, pitch, inside);
    } else {
      load_strips(op, lines, rows, channel, pitch);
    }
    o.end = o.out + bytes;
    make_row_outputs(&o);
  }
}

/* Row y of a channel, or null. */
static const int8_t* row_of(const rip_depthwise_m0* op, const int8_t* in, int32_t pitch, int32_t y) {
  return y >= 0 && y < op->in_height ? in + y * op->in_width * pitch : NULL;
}

/* All output rows, as rip_depthwise*_m0_plane. */
static void make_image(const rip_depthwise_m0* op, const rip_row_call* call, int32_t* lines) {
  const int32_t words = op->strip_words, phases = op->stride_h % 2 + 1, pitch = call->in_pitch;
  int32_t channel, row, j;
  outputs o;
  fill_padding(op, lines, STRIPS);
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
        load_pairs(op, lines + oldest * words, row_of(op, in, pitch, y), row_of(op, in, pitch, y + 1), pitch);
        oldest = oldest + 1 < STRIPS ? oldest + 1 : 0;
      }
      for (j = 0; j < STRIPS; j++)
        o.strips[j] = lines + (oldest + j < STRIPS ? oldest + j : oldest + j - STRIPS) * words;
      o.record = record + ((top + op->pad_h) & 1) * RECORD;
      o.end = o.out + op->out_width * o.pitch;
      make_plane_outputs(&o);
    }
  }
}
