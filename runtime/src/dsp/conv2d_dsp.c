/* 2-D convolution on processors with Arm's DSP extension: the taps of two pixels are gathered as halves, then
 * multiplied with the weights of two channels after two. SPDX-License-Identifier: MIT-0 */
#include "rip/columns.h"
#include "rip/dsp_tile.h"
#include "rip/flash.h"
#include "rip/halves.h"
#include "rip/kernels.h"
#include "rip/scalars.h"

/* Of one pixel, four taps take two words, and two more lie between them and the next four. */
#define PIXEL_WORDS 2
#define STEP_WORDS 4

/* Four taps from a word of bytes. */
static inline void put_four(int32_t* to, int32_t bytes) {
  to[0] = rip_even_bytes(bytes);
  to[1] = rip_odd_bytes(bytes);
}

static int32_t* fill(int32_t* to, int32_t bytes, int32_t count) {
  for (; count > 0; count -= 4, to += STEP_WORDS) put_four(to, bytes);
  return to;
}

/* `count` is a multiple of 4. */
static inline int32_t* widen(int32_t* to, const int8_t* from, int32_t count) {
  for (; count >= 16; count -= 16, from += 16, to += 4 * STEP_WORDS) {
    put_four(to, rip_load_s32(from));
    put_four(to + STEP_WORDS, rip_load_s32(from + 4));
    put_four(to + 2 * STEP_WORDS, rip_load_s32(from + 8));
    put_four(to + 3 * STEP_WORDS, rip_load_s32(from + 12));
  }
  for (; count > 0; count -= 4, from += 4, to += STEP_WORDS) put_four(to, rip_load_s32(from));
  return to;
}

/* The same bytes four times. */
static inline int32_t four_times(int32_t byte) { return (int32_t)(((uint32_t)byte & 0xffU) * 0x01010101U); }

/* The taps of the pixel at output column x; the channels are a multiple of 4. */
static void gather_fours(const rip_conv2d_dsp* op, const rip_row_call* call, int32_t x, int32_t* to) {
  const int32_t channels = op->in_channels, zeros = four_times(op->in_zero);
  const rip_columns columns =
      rip_columns_from(x * op->stride_w - op->pad_w, op->kernel_w, op->dilation_w, op->in_width);
  const int32_t stride = op->dilation_w * call->in_pitch, count = columns.end - columns.first;
  int32_t row, tap;
  for (row = 0; row < op->kernel_h; row++) {
    const int8_t* from = call->rows[row];
    if (from == NULL) {
      to = fill(to, zeros, op->kernel_w * channels);
      continue;
    }
    from += columns.column * call->in_pitch;
    to = fill(to, zeros, columns.first * channels);
    if (stride == channels) {
      to = widen(to, from, count * channels);
    } else {
      for (tap = 0; tap < count; tap++, from += stride) to = widen(to, from, channels);
    }
    to = fill(to, zeros, (op->kernel_w - columns.end) * channels);
  }
}

/* Writes bytes one after another, four of one pixel and then four of the other. */
typedef struct writer {
  int8_t* base;
  int32_t count;
} writer;

static inline void put_byte(writer* w, int32_t byte) {
  w->base[w->count / 4 * 8 + w->count % 4] = (int8_t)byte;
  w->count++;
}

/* The taps of the pixel at output column x, as bytes. */
static void gather_bytes(const rip_conv2d_dsp* op, const rip_row_call* call, int32_t x, writer* w) {
  const rip_columns columns =
      rip_columns_from(x * op->stride_w - op->pad_w, op->kernel_w, op->dilation_w, op->in_width);
  int32_t row, tap, channel;
  for (row = 0; row < op->kernel_h; row++) {
    const int8_t* from = call->rows[row];
    for (tap = 0; tap < op->kernel_w; tap++) {
      const int32_t column = x * op->stride_w - op->pad_w + tap * op->dilation_w;
      const int inside = from != NULL && tap >= columns.first && tap < columns.end;
      for (channel = 0; channel < op->in_channels; channel++) {
        put_byte(w, inside ? from[column * call->in_pitch + channel] : op->in_zero);
      }
    }
  }
}

/* The taps of any two pixels. The bytes lie in the upper half of the words that they become, so that each is read
 * before it is written over. */
static void gather_pair(const rip_conv2d_dsp* op, const rip_row_call* call, const int32_t x[2], int32_t* to,
                        int32_t taps) {
  int8_t* const bytes = (int8_t*)(to + taps / 2);
  int32_t pixel, step;
  for (pixel = 0; pixel < 2; pixel++) {
    writer w;
    w.base = bytes + 4 * pixel;
    w.count = 0;
    gather_bytes(op, call, x[pixel], &w);
    while (w.count < taps) put_byte(&w, 0);
  }
  for (step = 0; step < taps / 4; step++, to += STEP_WORDS) {
    const int32_t first = rip_load_s32(bytes + 8 * step), second = rip_load_s32(bytes + 8 * step + 4);
    put_four(to, first);
    put_four(to + PIXEL_WORDS, second);
  }
}

static void clamp_channels(const rip_conv2d_dsp* op, int8_t* out) {
  int32_t channel;
  for (channel = 0; channel < op->out_channels; channel++) {
    if (out[channel] < op->act_min) out[channel] = (int8_t)op->act_min;
    if (out[channel] > op->act_max) out[channel] = (int8_t)op->act_max;
  }
}

/* All channels of a pixel and of the one `step` bytes on. */
static void make_pixels(const rip_conv2d_dsp* op, rip_dsp_tile* tile, int8_t* out, int32_t step) {
  const int32_t odd = op->out_channels % 2;
  tile->stream = op->stream;
  tile->out = out;
  tile->out_end = out + (op->out_channels - odd);
  tile->out_step = step;
  tile->stream = rip_dsp_make_tile(tile);
  if (odd) {
    int8_t pairs[4];
    tile->out = pairs;
    tile->out_end = pairs + 2;
    tile->out_step = 2;
    rip_dsp_make_tile(tile);
    out[op->out_channels - 1] = pairs[0];
    out[op->out_channels - 1 + step] = pairs[2];
  }
  if (op->act_min > -128 || op->act_max < 127) {
    clamp_channels(op, out);
    if (step != 0) clamp_channels(op, out + step);
  }
}

RIP_HOT void rip_conv2d_dsp_row(const rip_conv2d_dsp* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_conv2d_dsp, op, params);
  const int32_t own_taps = op->kernel_h * op->kernel_w * op->in_channels;
  const int32_t taps = (own_taps + RIP_DSP_STEP - 1) / RIP_DSP_STEP * RIP_DSP_STEP;
  int32_t* const gathered = (int32_t*)(((uintptr_t)call->scratch + 3U) & ~(uintptr_t)3U);
  const int fours = op->in_channels % 4 == 0;
  rip_dsp_tile tile;
  int32_t pixels = call->x1 - call->x0;
  int32_t x = call->step > 0 ? call->x0 : call->x1 - 1;
  tile.taps = gathered;
  tile.taps_end = gathered + taps;
  tile.odd_rounding = op->odd_rounding;
  if (fours && own_taps < taps) {
    fill(gathered + own_taps, 0, 4);
    fill(gathered + own_taps + PIXEL_WORDS, 0, 4);
  }
  while (pixels > 0) {
    /* The last pixel of an odd number is made twice. */
    const int32_t other = pixels > 1 ? x + call->step : x;
    if (fours) {
      gather_fours(op, call, x, gathered);
      gather_fours(op, call, other, gathered + PIXEL_WORDS);
    } else {
      int32_t pair[2];
      pair[0] = x;
      pair[1] = other;
      gather_pair(op, call, pair, gathered, taps);
    }
    make_pixels(op, &tile, call->out + x * call->out_pitch, (other - x) * call->out_pitch);
    x = other + call->step;
    pixels -= 2;
  }
}
