/* The taps of one pixel for the convolutions of rip/dsp.h. SPDX-License-Identifier: MIT-0 */
#include "rip/columns.h"
#include "rip/dsp_tile.h"
#include "rip/flash.h"
#include "rip/halves.h"
#include "rip/memory.h"
#include "rip/scalars.h"

/* Four taps from a word of bytes. */
static inline void put_four(int32_t* to, int32_t bytes) {
  to[0] = rip_even_bytes(bytes);
  to[1] = rip_odd_bytes(bytes);
}

/* The same bytes four times. */
static inline int32_t four_times(int32_t byte) { return (int32_t)(((uint32_t)byte & 0xffU) * 0x01010101U); }

#if RIP_DSP_ASM

static inline int32_t* widen(int32_t* to, const int8_t* from, int32_t count) {
  int32_t a, b;
#define FOUR                      \
  "ldr %[a], [%[from]], #4\n\t"   \
  "sxtb16 %[b], %[a]\n\t"         \
  "sxtb16 %[a], %[a], ror #8\n\t" \
  "strd %[b], %[a], [%[to]], #16\n\t"
  for (; count >= 16; count -= 16) {
    __asm__ volatile(FOUR FOUR FOUR FOUR : [to] "+r"(to), [from] "+r"(from), [a] "=&r"(a), [b] "=&r"(b) : : "memory");
  }
  for (; count > 0; count -= 4) {
    __asm__ volatile(FOUR : [to] "+r"(to), [from] "+r"(from), [a] "=&r"(a), [b] "=&r"(b) : : "memory");
  }
#undef FOUR
  return to;
}

/* r0: words, r1 and r2: pixels, r3: channels, then turns through the four steps. The first turn takes what is over a
 * multiple of sixteen. */
#define FOUR                    \
  "ldr r5, [r1], #4\n\t"        \
  "ldr r12, [r2], #4\n\t"       \
  "sxtb16 r4, r5\n\t"           \
  "sxtb16 r5, r5, ror #8\n\t"   \
  "sxtb16 r6, r12\n\t"          \
  "sxtb16 r12, r12, ror #8\n\t" \
  "stmia r0!, {r4, r5, r6, r12}\n\t"

RIP_HOT __attribute__((naked)) int32_t* rip_dsp_widen_pair(int32_t* to __attribute__((unused)),
                                                           const int8_t* first __attribute__((unused)),
                                                           const int8_t* second __attribute__((unused)),
                                                           int32_t count __attribute__((unused))) {
  __asm__ volatile(
      "push {r4-r6, lr}\n\t"
      "ubfx r4, r3, #2, #2\n\t"
      "adds r3, r3, #15\n\t"
      "lsrs r3, r3, #4\n\t"
      "tbb [pc, r4]\n\t"
      "10: .byte (1f - 10b) / 2, (4f - 10b) / 2, (3f - 10b) / 2, (2f - 10b) / 2\n\t"
      "1: " FOUR "2: " FOUR "3: " FOUR "4: " FOUR
      "subs r3, r3, #1\n\t"
      "bne 1b\n\t"
      "pop {r4-r6, pc}");
}
#undef FOUR

#else

/* `count` is a multiple of 4. */
static inline int32_t* widen(int32_t* to, const int8_t* from, int32_t count) {
  for (; count > 0; count -= 4, from += 4, to += RIP_DSP_FOUR_WORDS) put_four(to, rip_load_s32(from));
  return to;
}

int32_t* rip_dsp_widen_pair(int32_t* to, const int8_t* first, const int8_t* second, int32_t count) {
  widen(to, first, count);
  widen(to + RIP_DSP_PIXEL_WORDS, second, count);
  return to + count / 4 * RIP_DSP_FOUR_WORDS;
}

#endif

static inline int32_t* fill(int32_t* to, int32_t bytes, int32_t count) {
  for (; count > 0; count -= 4, to += RIP_DSP_FOUR_WORDS) put_four(to, bytes);
  return to;
}

/* Where the taps of a pixel lie in every row of the kernel. */
typedef struct window {
  rip_columns columns;
  int32_t offset; /* bytes from the start of an input row to the first tap in the image */
  int32_t stride; /* bytes from column to column */
} window;

static inline window window_of(const rip_conv2d_dsp* op, const rip_row_call* call, int32_t start) {
  window w;
  w.columns = rip_columns_from(start, op->kernel_w, op->dilation_w, op->in_width);
  w.offset = w.columns.column * call->in_pitch;
  w.stride = op->dilation_w * call->in_pitch;
  return w;
}

/* Channels that are a multiple of 4. */
static int32_t* gather_fours(const rip_conv2d_dsp* op, const rip_row_call* call, const window* w, int32_t* to) {
  const int32_t channels = op->in_channels, zeros = four_times(op->in_zero);
  const int32_t count = w->columns.end - w->columns.first;
  int32_t row, tap;
  for (row = 0; row < op->kernel_h; row++) {
    const int8_t* from = call->rows[row];
    if (from == NULL) {
      to = fill(to, zeros, op->kernel_w * channels);
      continue;
    }
    from += w->offset;
    to = fill(to, zeros, w->columns.first * channels);
    if (w->stride == channels) {
      to = widen(to, from, count * channels);
    } else {
      for (tap = 0; tap < count; tap++, from += w->stride) to = widen(to, from, channels);
    }
    to = fill(to, zeros, (op->kernel_w - w->columns.end) * channels);
  }
  return to;
}

/* Bytes on their way into words. */
#define BYTES 64
typedef struct writer {
  int32_t* to;
  int32_t count;
  int8_t bytes[BYTES];
} writer;

static inline void put_byte(writer* out, int32_t byte) {
  out->bytes[out->count++] = (int8_t)byte;
  if (out->count < BYTES) return;
  out->to = widen(out->to, out->bytes, BYTES);
  out->count = 0;
}

static inline void put_run(writer* out, const int8_t* from, int32_t count) {
  for (; count >= 4 && out->count <= BYTES - 5; count -= 4, from += 4, out->count += 4) {
    rip_store_s32(out->bytes + out->count, rip_load_s32(from));
  }
  for (; count > 0; count--) put_byte(out, *from++);
}

static inline void put_same(writer* out, int32_t byte, int32_t count) {
  for (; count > 0; count--) put_byte(out, byte);
}

/* Any channels. */
static int32_t* gather_any(const rip_conv2d_dsp* op, const rip_row_call* call, const window* w, int32_t* to) {
  const int32_t channels = op->in_channels, count = w->columns.end - w->columns.first;
  writer out;
  int32_t row, tap;
  out.to = to;
  out.count = 0;
  for (row = 0; row < op->kernel_h; row++) {
    const int8_t* from = call->rows[row];
    if (from == NULL) {
      put_same(&out, op->in_zero, op->kernel_w * channels);
      continue;
    }
    from += w->offset;
    put_same(&out, op->in_zero, w->columns.first * channels);
    if (w->stride == channels) {
      put_run(&out, from, count * channels);
    } else {
      for (tap = 0; tap < count; tap++, from += w->stride) put_run(&out, from, channels);
    }
    put_same(&out, op->in_zero, (op->kernel_w - w->columns.end) * channels);
  }
  while (out.count % 4 != 0) put_byte(&out, 0);
  return widen(out.to, out.bytes, out.count);
}

static inline int32_t load_half(const int8_t* p) { return (int32_t)(uint16_t)rip_load_s16(p); }
static inline int32_t join(int32_t low, int32_t high, int bits) {
  return (int32_t)((uint32_t)low | (uint32_t)high << bits);
}

/* Three rows of nine bytes: 3x3 windows over RGB. */
static inline void widen_nines(int32_t* to, const int8_t* const* rows, int32_t offset) {
  const int8_t *a = rows[0] + offset, *b = rows[1] + offset, *c = rows[2] + offset;
  put_four(to, rip_load_s32(a));
  put_four(to + 4, rip_load_s32(a + 4));
  put_four(to + 8, join(a[8] & 0xff, rip_load_s32(b), 8));
  put_four(to + 12, rip_load_s32(b + 3));
  put_four(to + 16, join(load_half(b + 7), rip_load_s32(c), 16));
  put_four(to + 20, rip_load_s32(c + 2));
  put_four(to + 24, (int32_t)((uint32_t)rip_load_s32(c + 5) >> 8));
}

static inline int32_t* gather_nines(const rip_row_call* call, int32_t first, int32_t second, int32_t* to) {
  widen_nines(to, call->rows, first);
  widen_nines(to + RIP_DSP_PIXEL_WORDS, call->rows, second);
  return to + 7 * RIP_DSP_FOUR_WORDS;
}

/* Three rows of three bytes: 3x3 windows over one channel. */
static inline void widen_threes(int32_t* to, const int8_t* const* rows, int32_t offset) {
  const int8_t *a = rows[0] + offset, *b = rows[1] + offset, *c = rows[2] + offset;
  put_four(to, join(join(load_half(a), a[2] & 0xff, 16), b[0], 24));
  put_four(to + 4, join(load_half(b + 1), load_half(c), 16));
  put_four(to + 8, c[2] & 0xff);
}

static inline int32_t* gather_threes(const rip_row_call* call, int32_t first, int32_t second, int32_t* to) {
  widen_threes(to, call->rows, first);
  widen_threes(to + RIP_DSP_PIXEL_WORDS, call->rows, second);
  return to + 3 * RIP_DSP_FOUR_WORDS;
}

/* Two windows inside of the image whose rows are multiples of 4 bytes without a hole. */
static inline int32_t* gather_pair(const rip_conv2d_dsp* op, const rip_row_call* call, int32_t first, int32_t second,
                                   int32_t* to) {
  const int32_t run = op->kernel_w * op->in_channels, zeros = four_times(op->in_zero);
  int32_t row;
  for (row = 0; row < op->kernel_h; row++) {
    const int8_t* from = call->rows[row];
    if (from == NULL) {
      fill(to, zeros, run);
      to = fill(to + RIP_DSP_PIXEL_WORDS, zeros, run) - RIP_DSP_PIXEL_WORDS;
    } else {
      to = rip_dsp_widen_pair(to, from + first, from + second, run);
    }
  }
  return to;
}

static int32_t* gather_one(const rip_conv2d_dsp* op, const rip_row_call* call, int32_t start, int32_t* to) {
  const window w = window_of(op, call, start);
  return op->in_channels % 4 == 0 ? gather_fours(op, call, &w, to) : gather_any(op, call, &w, to);
}

RIP_HOT void rip_dsp_gather(const rip_conv2d_dsp* op, const rip_row_call* call, int32_t x, int32_t other, int32_t* to,
                            const int32_t* end) {
  const int32_t run = op->kernel_w * op->in_channels, pitch = call->in_pitch;
  const int32_t first = x * op->stride_w - op->pad_w, second = other * op->stride_w - op->pad_w;
  const int32_t most = op->in_width - op->kernel_w;
  const int inside = first >= 0 && second >= 0 && first <= most && second <= most && op->dilation_w == 1;
  const int three = inside && op->kernel_h == 3 && !rip_any_null(call->rows, 3);
  if (inside && pitch == op->in_channels && run % 4 == 0) {
    to = gather_pair(op, call, first * pitch, second * pitch, to);
  } else if (three && pitch == 3 && run == 9) {
    to = gather_nines(call, first * pitch, second * pitch, to);
  } else if (three && pitch == 1 && run == 3) {
    to = gather_threes(call, first, second, to);
  } else {
    gather_one(op, call, first, to);
    to = gather_one(op, call, second, to + RIP_DSP_PIXEL_WORDS) - RIP_DSP_PIXEL_WORDS;
  }
  if (to != end) {
    put_four(to, 0);
    put_four(to + RIP_DSP_PIXEL_WORDS, 0);
  }
}
