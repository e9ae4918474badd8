/* The taps of a pixel as rip_conv2d_m0's kernels take them, two a word. SPDX-License-Identifier: MIT-0 */
#include "rip/columns.h"
#include "rip/m0.h"

static int32_t* fill(int32_t* to, int32_t words, int32_t count) {
  for (; count > 0; count--) *to++ = words;
  return to;
}

/* The taps of a row of an output column: scalars outside of the image, stretches inside of it, scalars outside. */
typedef struct row_taps {
  int32_t offset; /* bytes from the start of an input row to the first stretch */
  int32_t before, stretches, length, after;
} row_taps;

static inline row_taps taps_of(const rip_conv2d_m0* op, int32_t x, int32_t pitch) {
  const int32_t channels = op->in_channels;
  const rip_columns columns =
      rip_columns_from(x * op->stride_w - op->pad_w, op->kernel_w, op->dilation_w, op->in_width);
  row_taps t;
  t.offset = columns.column * pitch;
  t.before = columns.first * channels;
  t.stretches = columns.end - columns.first;
  t.length = channels;
  t.after = (op->kernel_w - columns.end) * channels;
  if (op->dilation_w * pitch == channels && t.stretches > 0) { /* neighbouring taps touch */
    t.length = t.stretches * channels;
    t.stretches = 1;
  }
  return t;
}

/* The taps of output column x, whose channels are four after four. */
static void gather_quads(const rip_conv2d_m0* op, const rip_row_call* call, int32_t x, int32_t* to) {
  const int32_t zeros = (int32_t)((uint32_t)op->in_zero * 0x10001U), step = op->dilation_w * call->in_pitch;
  const row_taps t = taps_of(op, x, call->in_pitch);
  const int32_t before = t.before / 2, quads = t.length / 4, after = t.after / 2, words = 2 * quads * t.stretches;
  const int8_t* const* rows = call->rows;
  int32_t row, i;
  for (row = op->kernel_h; row > 0; row--) {
    const int8_t* from = *rows++;
    if (from == NULL) {
      to = fill(to, zeros, before + words + after);
      continue;
    }
    from += t.offset;
    if (before > 0) to = fill(to, zeros, before);
    for (i = t.stretches; i > 0; i--, from += step) to = rip_m0_widen(to, from, quads);
    if (after > 0) to = fill(to, zeros, after);
  }
}

static int8_t* fill_bytes(int8_t* to, int8_t byte, int32_t count) {
  for (; count > 0; count--) *to++ = byte;
  return to;
}

static int8_t* copy_bytes(int8_t* to, const int8_t* from, int32_t count) {
  for (; count > 0; count--) *to++ = *from++;
  return to;
}

/* The taps of output column x, whatever the channels: as bytes in the upper half of the words that they become, so that
 * each is read before it is written over. */
static void gather_any(const rip_conv2d_m0* op, const rip_row_call* call, int32_t x, int32_t* to, int32_t words) {
  const int8_t zero = (int8_t)op->in_zero;
  const int32_t step = op->dilation_w * call->in_pitch;
  const row_taps t = taps_of(op, x, call->in_pitch);
  int8_t *const bytes = (int8_t*)to + 2 * words, *const end = bytes + 2 * words;
  const int8_t* const* rows = call->rows;
  int8_t* next = bytes;
  int32_t row, i;
  for (row = op->kernel_h; row > 0; row--) {
    const int8_t* from = *rows++;
    if (from == NULL) {
      next = fill_bytes(next, zero, t.before + t.stretches * t.length + t.after);
      continue;
    }
    from += t.offset;
    if (t.before > 0) next = fill_bytes(next, zero, t.before);
    for (i = t.stretches; i > 0; i--, from += step) next = copy_bytes(next, from, t.length);
    if (t.after > 0) next = fill_bytes(next, zero, t.after);
  }
  while (next != end) *next++ = 0;
  rip_m0_widen(to, bytes, words / 2);
}

/* The first word in the scratch. */
static inline int32_t* aligned(void* scratch) { return (int32_t*)(void*)(((uintptr_t)scratch + 3U) & ~(uintptr_t)3U); }

/* Words of the taps of a pixel. */
static int32_t words_of(const rip_conv2d_m0* op) {
  const int32_t taps = op->kernel_h * op->kernel_w * op->in_channels;
  return (taps + RIP_M0_STEP - 1) / RIP_M0_STEP * (RIP_M0_STEP / 2);
}

/* Whether all taps lie side by side in every pixel: 1x1, channels four after four. */
static inline int all_touch(const rip_conv2d_m0* op, const rip_row_call* call) {
  return op->kernel_h == 1 && op->kernel_w == 1 && op->pad_w == 0 && op->in_channels % 4 == 0 &&
         call->rows[0] != NULL && (call->x1 - 1) * op->stride_w < op->in_width;
}

/* The taps of output column x. `touching`: what all_touch() says. */
static inline void gather(const rip_conv2d_m0* op, const rip_row_call* call, int32_t x, int32_t* to, int32_t words,
                          int touching) {
  if (touching) {
    rip_m0_widen(to, call->rows[0] + x * op->stride_w * call->in_pitch, words / 2);
  } else if (op->in_channels % 4 == 0) {
    gather_quads(op, call, x, to);
  } else {
    gather_any(op, call, x, to, words);
  }
}
