/* A row of the convolutions of rip/dsp.h: where the scratch is large enough, the taps of two pixels are gathered as
 * halves, then multiplied with the weights of two channels after two. SPDX-License-Identifier: MIT-0 */
#include "rip/dsp_pixel.h"
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/memory.h"

static void clamp_channels(const rip_conv2d_dsp* op, int8_t* out) {
  int32_t channel;
  for (channel = 0; channel < op->out_channels; channel++) {
    if (out[channel] < op->act_min) out[channel] = (int8_t)op->act_min;
    if (out[channel] > op->act_max) out[channel] = (int8_t)op->act_max;
  }
}

/* The last of an odd number of channels, of a pixel and of the one `step` bytes on. */
static void make_last_channel(const rip_conv2d_dsp* op, rip_dsp_make* make, rip_dsp_tile* tile, int8_t* out,
                              int32_t step) {
  int8_t pairs[4];
  tile->out = pairs;
  tile->out_end = pairs + 2;
  tile->out_step = 2;
  make(tile);
  out[op->out_channels - 1] = pairs[0];
  out[op->out_channels - 1 + step] = pairs[2];
}

/* Whether a pixel's taps are the channels of one pixel of the input, four after four. */
static inline int is_pointwise(const rip_conv2d_dsp* op, const rip_row_call* call) {
  return op->kernel_h == 1 && op->kernel_w == 1 && op->pad_w == 0 && op->in_channels % 4 == 0 &&
         call->rows[0] != NULL && (call->x1 - 1) * op->stride_w < op->in_width;
}

/* Pixels two by two, from x on. */
static void make_pairs(const rip_conv2d_dsp* op, const rip_row_call* call, const rip_dsp_loops* loops,
                       int32_t* gathered, int32_t x, int32_t pairs) {
  const int32_t own_taps = op->kernel_h * op->kernel_w * op->in_channels;
  const int32_t taps = (own_taps + loops->step - 1) & -loops->step, odd = op->out_channels % 2;
  const int pointwise = is_pointwise(op, call);
  const int32_t in_pitch = op->stride_w * call->in_pitch, even = op->out_channels - odd;
  rip_dsp_tile tile;
  tile.enter = NULL;
  tile.taps = gathered;
  tile.taps_end = gathered + taps;
  tile.odd_rounding = op->odd_rounding;
  tile.common_shift = op->common_shift;
  /* What no pixel's taps fill up. */
  if (pointwise && taps > own_taps) memset(gathered + own_taps, 0, (size_t)(taps - own_taps) * sizeof *gathered);
  for (; pairs > 0; pairs--, x += 2 * call->step) {
    const int32_t other = x + call->step;
    int8_t* const out = call->out + x * call->out_pitch;
    if (pointwise) {
      const int8_t* const row = call->rows[0];
      rip_dsp_widen_pair(gathered, row + x * in_pitch, row + other * in_pitch, own_taps);
    } else {
      rip_dsp_gather(op, call, x, other, gathered, gathered + taps);
    }
    tile.stream = op->stream;
    tile.out = out;
    tile.out_end = out + even;
    tile.out_step = call->step * call->out_pitch;
    tile.stream = loops->pair(&tile);
    if (odd) make_last_channel(op, loops->pair, &tile, out, call->step * call->out_pitch);
  }
}

/* The same without scratch. In a frame of its own, so that single pixels do not lie deeper. */
__attribute__((noinline)) static void make_pairs_on_stack(const rip_conv2d_dsp* op, const rip_row_call* call,
                                                          const rip_dsp_loops* loops, int32_t x, int32_t pairs) {
  int32_t gathered[RIP_DSP_STACK];
  make_pairs(op, call, loops, gathered, x, pairs);
}

/* Half as deep: the taps of other than 1x1 are gathered by more calls. */
__attribute__((noinline)) static void make_small_pairs_on_stack(const rip_conv2d_dsp* op, const rip_row_call* call,
                                                                const rip_dsp_loops* loops, int32_t x, int32_t pairs) {
  int32_t gathered[RIP_DSP_STACK / 2];
  make_pairs(op, call, loops, gathered, x, pairs);
}

/* Whole words of the scratch. */
static int32_t words_of(const rip_row_call* call) {
  return (call->scratch_bytes - (int32_t)((0U - (uintptr_t)call->scratch) & 3U)) / 4;
}

/* Pixel by pixel. */
static void make_single(const rip_conv2d_dsp* op, const rip_row_call* call, const rip_dsp_loops* loops, int held,
                        int32_t x, int32_t pixels) {
  const uintptr_t start = (uintptr_t)call->scratch, aligned = (start + 3U) & ~(uintptr_t)3U;
  rip_dsp_room room;
  room.words = (int32_t*)aligned;
  room.count = words_of(call);
  room.held = held ? (int8_t*)call->scratch : NULL;
  for (; pixels > 0; pixels--, x += call->step) rip_dsp_make_one(op, call, loops, &room, x);
}

RIP_HOT void rip_dsp_make_row(const rip_conv2d_dsp* params, const rip_row_call* call, const rip_dsp_loops* loops,
                              int held) {
  RIP_FLASH_STRUCT(rip_conv2d_dsp, op, params);
  const int32_t taps = (op->kernel_h * op->kernel_w * op->in_channels + loops->step - 1) & -loops->step;
  const int32_t pixels = call->x1 - call->x0;
  int32_t x = call->step > 0 ? call->x0 : call->x1 - 1, left = pixels % 2;
  if (pixels <= 0) return;
  if (words_of(call) >= taps) {
    make_pairs(op, call, loops, (int32_t*)(((uintptr_t)call->scratch + 3U) & ~(uintptr_t)3U), x, pixels / 2);
  } else if (taps <= RIP_DSP_STACK / 2) {
    make_small_pairs_on_stack(op, call, loops, x, pixels / 2);
  } else if (taps <= RIP_DSP_STACK && is_pointwise(op, call)) {
    make_pairs_on_stack(op, call, loops, x, pixels / 2);
  } else {
    left = pixels;
  }
  if (left > 0) make_single(op, call, loops, held, x + call->step * (pixels - left), left);
  if (op->act_min > -128 || op->act_max < 127) {
    for (x = call->x0; x < call->x1; x++) clamp_channels(op, call->out + x * call->out_pitch);
  }
}
