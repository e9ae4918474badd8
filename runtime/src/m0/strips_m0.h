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
  const int32_t* record; /* of the stream */
  int32_t step;          /* bytes of a strip from output to output */
  const int32_t* first;  /* the first word of the first strip that the first output needs */
  int8_t* out;
  int8_t* end; /* of the outputs */
  int32_t pitch;
  int32_t gaps[STRIPS - 1]; /* bytes from the last word of a strip that an output needs to the first one of the next */
} outputs;

/* The last three rows of an image to load into the last two strips of a row. */
typedef struct last_rows {
  const int8_t *upper, *lower, *last;
  int32_t pitch;  /* bytes from column to column */
  int32_t* end;   /* of the columns */
  int32_t beyond; /* bytes from a word of two rows to that of the last one */
  int32_t* to;    /* the first column, of two rows */
} last_rows;

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

/* On the stack: record, step, the third gap. r8, r9: the other gaps, or r9 the step. */
#if KERNEL == 3
#define ALL_STRIPS(LAST) COLUMNS(ADD_HALF) "add r6, r8\n" COLUMNS(LAST)
#define TAKE_REST "mov r9, r2\n push {r1}\n"
#define NEXT_COLUMN "add r10, r9\n"
#define DROP_REST "add sp, #4\n"
#elif KERNEL == 5
#define ALL_STRIPS(LAST) COLUMNS(ADD_HALF) "add r6, r8\n" COLUMNS(ADD_HALF) "add r6, r9\n" COLUMNS(LAST)
#define TAKE_REST "ldr r3, [r0]\n mov r9, r3\n push {r1, r2}\n"
#define NEXT_COLUMN "ldr r0, [sp, #4]\n add r10, r0\n"
#define DROP_REST "add sp, #8\n"
#else
#define ALL_STRIPS(LAST) \
  COLUMNS(ADD_HALF)      \
  "add r6, r8\n" COLUMNS(ADD_HALF) "add r6, r9\n" COLUMNS(ADD_HALF) "ldr r0, [sp, #8]\n adds r6, r0\n" COLUMNS(LAST)
#define TAKE_REST "ldmia r0!, {r3, r4}\n mov r9, r3\n push {r1, r2, r4}\n"
#define NEXT_COLUMN "ldr r0, [sp, #4]\n add r10, r0\n"
#define DROP_REST "add sp, #12\n"
#endif
#if KERNEL == 7
#define NEXT_OUTPUT "beq 5f\n b 1b\n5:\n" /* too far for a condition */
#else
#define NEXT_OUTPUT "bne 1b\n"
#endif

/* r10: words of the first strip, r11: out, r12: pitch, lr: end. */
#define MAKE_OUTPUTS(LAST) \
  ".syntax unified\n" \
  "push {r4, r5, r6, r7, lr}\n mov r4, r8\n mov r5, r9\n mov r6, r10\n mov r7, r11\n push {r4, r5, r6, r7}\n" \
  "ldmia r0!, {r1, r2, r3, r4, r5, r6, r7}\n mov r10, r3\n mov r11, r4\n mov lr, r5\n mov r12, r6\n mov r8, r7\n" TAKE_REST \
  "1: ldr r7, [sp]\n mov r6, r10\n ldmia r7!, {r5}\n" ALL_STRIPS(LAST) \
  "ldmia r7!, {r1, r2}\n cmp r5, r1\n bge 3f\n mov r5, r1\n3: cmp r5, r2\n ble 4f\n mov r5, r2\n" \
  "4: ldmia r7!, {r0, r1, r2, r3, r4}\n muls r0, r5\n asrs r0, r0, #10\n muls r1, r5\n adds r1, r0\n" \
  "asrs r1, r1, #10\n muls r2, r5\n adds r2, r1\n adds r2, r3\n asrs r5, r5, #31\n ands r4, r5\n subs r2, r4\n" \
  "lsrs r2, r2, #24\n mov r6, r11\n strb r2, [r6]\n" NEXT_COLUMN \
  "add r6, r12\n mov r11, r6\n cmp r6, lr\n" NEXT_OUTPUT DROP_REST \
  "pop {r4, r5, r6, r7}\n mov r8, r4\n mov r9, r5\n mov r10, r6\n mov r11, r7\n pop {r4, r5, r6, r7, pc}\n"

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

#define LOAD_COLUMN                                                                                          \
  "ldrsb r5, [r1, r4]\n ldrsb r6, [r2, r4]\n lsls r6, r6, #16\n adds r5, r6\n ldrsb r6, [r3, r4]\n str r6, " \
  "[r0, r7]\n stmia r0!, {r5}\n add r4, r12\n"

/* Of the channel, at least one column. */
RIP_HOT __attribute__((naked, noinline)) static void load_last_rows(const last_rows* l IN_REGISTER,
                                                                    int32_t channel IN_REGISTER) {
  __asm__ volatile(
      ".syntax unified\n"
      "push {r4, r5, r6, r7, lr}\n movs r4, r1\n ldmia r0!, {r1, r2, r3, r5, r6, r7}\n ldr r0, [r0]\n mov r12, r5\n"
      "mov lr, r6\n subs r6, r6, r0\n lsrs r6, r6, #3\n bcs 2f\n"
      "1:" LOAD_COLUMN "2:" LOAD_COLUMN "cmp r0, lr\n bne 1b\n pop {r4, r5, r6, r7, pc}\n");
}

#else

static int32_t next_sum(const outputs* o, int32_t at, int32_t pairs) {
  const int32_t *w = o->record, *from = o->first + at;
  int32_t sum = rip_flash_s32(w++), j, i;
  for (j = 0; j < STRIPS; j++) {
    for (i = 0; i < KERNEL; i++, w++) {
      const uint32_t product = (uint32_t)*from++ * (uint32_t)rip_flash_s32(w);
      sum += j < pairs ? (int32_t)(product + 0x8000U) >> 16 : (int32_t)product;
    }
    if (j + 1 < STRIPS) from += o->gaps[j] / 4;
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

static void load_last_rows(const last_rows* l, int32_t channel) {
  int32_t *to, at = channel;
  for (to = l->to; to != l->end; to++, at += l->pitch) {
    *to = pair_of(l->upper[at], l->lower[at]);
    to[l->beyond / 4] = l->last[at];
  }
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

static int32_t* lines_of(const rip_row_call* call) {
  return (int32_t*)(void*)(((uintptr_t)call->scratch + 3U) & ~(uintptr_t)3U);
}

/* Words of the scratch from there on. */
static int32_t words_of(const rip_row_call* call) {
  return (call->scratch_bytes - (int32_t)((uintptr_t)lines_of(call) - (uintptr_t)call->scratch)) / 4;
}

/* A channel of an image, and what is loaded of its rows. */
typedef struct channel_rows {
  const int8_t* in;
  int32_t pitch, row_bytes, height;
  int32_t columns;
} channel_rows;

/* Loads rows y and y + 1, of which some may lie outside of the image, into a strip. */
static inline void load_strip(const rip_depthwise_m0* op, int32_t* to, const channel_rows* r, int32_t y) {
  const int8_t* const upper = y >= 0 && y < r->height ? r->in + y * r->row_bytes : NULL;
  const int8_t* const lower = y + 1 >= 0 && y + 1 < r->height ? r->in + (y + 1) * r->row_bytes : NULL;
  load_pair_columns(op, to, upper, lower, r->pitch, r->columns);
}

/* All output rows, as rip_depthwise*_m0_plane. */
static void make_image(const rip_depthwise_m0* op, const rip_row_call* call, int32_t* lines) {
  const int32_t words = op->strip_words, odd = op->stride_h % 2 * RECORD;
  const int32_t on = 4 * (words - KERNEL), back = on - 4 * STRIPS * words;
  const int32_t row_bytes = op->out_width * call->out_pitch;
  const int32_t* record = op->stream;
  int32_t channel, row, j;
  channel_rows r;
  outputs o;
  fill_padding(op, lines, STRIPS);
  r.pitch = call->in_pitch;
  r.row_bytes = op->in_width * r.pitch;
  r.height = op->in_height;
  r.columns = image_words(op);
  o.step = 4 * op->stride_w;
  o.pitch = call->out_pitch;
  for (channel = 0; channel < op->channels; channel++, record += RECORD + odd) {
    int32_t loaded = 0, oldest = 0, top = 0; /* strip i has rows 2 * i and the next, padding included */
    r.in = call->rows[0] + channel;
    o.out = call->out + channel;
    for (row = op->out_height; row > 0; row--, top += op->stride_h, o.out = o.end) {
      const int32_t first = top >> 1;
      if (loaded < first + STRIPS) {
        if (loaded < first) loaded = first; /* no output needs what lies between */
        for (; loaded < first + STRIPS; loaded++) {
          const int32_t y = 2 * loaded - op->pad_h;
          int32_t* const to = lines + oldest * words + op->pad_w;
          if (y >= 0 && y + 1 < r.height && r.columns > 0) {
            const int8_t* const upper = r.in + y * r.row_bytes;
            pair_rows(to, upper, upper + r.row_bytes, r.pitch, r.columns);
          } else {
            load_strip(op, to, &r, y);
          }
          oldest = oldest + 1 < STRIPS ? oldest + 1 : 0;
        }
        o.first = lines + oldest * words;
        for (j = 0; j < STRIPS - 1; j++) o.gaps[j] = oldest + j + 1 == STRIPS ? back : on;
      }
      o.record = (top & 1) != 0 ? record + odd : record;
      o.end = o.out + row_bytes;
      make_plane_outputs(&o);
    }
  }
}
