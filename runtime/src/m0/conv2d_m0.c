/* 2-D convolution on processors whose only product is 32 bits of 32 by 32: two taps a word. SPDX-License-Identifier:
 * MIT-0 */
#include "rip/columns.h"
#include "rip/flash.h"
#include "rip/m0.h"

static inline int32_t pair_of(int32_t first, int32_t second) {
  return (int32_t)((uint32_t)first + ((uint32_t)second << 16));
}

static int32_t* fill(int32_t* to, int32_t zeros, int32_t pairs) {
  for (; pairs > 0; pairs--) *to++ = zeros;
  return to;
}

static int32_t* widen(int32_t* to, const int8_t* from, int32_t pairs) {
  for (; pairs >= 2; pairs -= 2, from += 4, to += 2) {
    to[0] = pair_of(from[0], from[1]);
    to[1] = pair_of(from[2], from[3]);
  }
  if (pairs > 0) *to++ = pair_of(from[0], from[1]);
  return to;
}

/* The taps of output column x, of an even number of channels. */
static int32_t* gather_even(const rip_conv2d_m0* op, const rip_row_call* call, int32_t x, int32_t* to) {
  const int32_t pairs = op->in_channels / 2, zeros = pair_of(op->in_zero, op->in_zero);
  const rip_columns columns =
      rip_columns_from(x * op->stride_w - op->pad_w, op->kernel_w, op->dilation_w, op->in_width);
  const int32_t stride = op->dilation_w * call->in_pitch, count = columns.end - columns.first;
  int32_t row, tap;
  for (row = 0; row < op->kernel_h; row++) {
    const int8_t* from = call->rows[row];
    if (from == NULL) {
      to = fill(to, zeros, op->kernel_w * pairs);
      continue;
    }
    from += columns.column * call->in_pitch;
    to = fill(to, zeros, columns.first * pairs);
    if (stride == op->in_channels) {
      to = widen(to, from, count * pairs);
    } else {
      for (tap = 0; tap < count; tap++, from += stride) to = widen(to, from, pairs);
    }
    to = fill(to, zeros, (op->kernel_w - columns.end) * pairs);
  }
  return to;
}

/* The taps of output column x, whatever the channels: as bytes in the upper half of the words that they become, so that
 * each is read before it is written over. */
static int32_t* gather_any(const rip_conv2d_m0* op, const rip_row_call* call, int32_t x, int32_t* to, int32_t words) {
  int8_t* const bytes = (int8_t*)to + 2 * words;
  int8_t* next = bytes;
  int32_t row, tap, channel;
  for (row = 0; row < op->kernel_h; row++) {
    const int8_t* from = call->rows[row];
    int32_t column = x * op->stride_w - op->pad_w;
    for (tap = 0; tap < op->kernel_w; tap++, column += op->dilation_w) {
      const int inside = from != NULL && column >= 0 && column < op->in_width;
      const int8_t* const pixel = inside ? from + column * call->in_pitch : NULL;
      for (channel = 0; channel < op->in_channels; channel++) *next++ = inside ? pixel[channel] : (int8_t)op->in_zero;
    }
  }
  if ((next - bytes) % 2 != 0) *next++ = 0;
  return widen(to, bytes, (int32_t)(next - bytes) / 2);
}

RIP_HOT void rip_conv2d_m0_row(const rip_conv2d_m0* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_conv2d_m0, op, params);
  const int32_t taps = op->kernel_h * op->kernel_w * op->in_channels, odd = op->out_channels % 2;
  const int32_t words = (taps + RIP_M0_STEP - 1) / RIP_M0_STEP * (RIP_M0_STEP / 2);
  int32_t* const gathered = (int32_t*)(void*)(((uintptr_t)call->scratch + 3U) & ~(uintptr_t)3U);
  int32_t x = call->step > 0 ? call->x0 : call->x1 - 1, pixels;
  rip_m0_pixel pixel;
  pixel.taps_end = gathered + words;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += call->step) {
    int8_t* const out = call->out + x * call->out_pitch;
    int8_t* const last = out + (op->out_channels - odd);
    const int32_t* stream = op->stream;
    int32_t* end =
        op->in_channels % 2 == 0 ? gather_even(op, call, x, gathered) : gather_any(op, call, x, gathered, words);
    while (end != pixel.taps_end) *end++ = 0;
    pixel.out = out;
    pixel.out_end = last;
    if (last != out) stream = rip_m0_make_pixel(stream, gathered, &pixel);
    if (odd) {
      int8_t two[2];
      pixel.out = two;
      pixel.out_end = two + 2;
      rip_m0_make_pixel(stream, gathered, &pixel);
      *last = two[0];
    }
  }
}
