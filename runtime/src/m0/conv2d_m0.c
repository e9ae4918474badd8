/* 2-D convolution on processors whose only product is 32 bits of 32 by 32: two taps a word. SPDX-License-Identifier:
 * MIT-0 */
#include "gather_m0.h"
#include "rip/flash.h"

RIP_HOT void rip_m0_make_row(const rip_conv2d_m0* op, const rip_row_call* call, int32_t* gathered) {
  const int32_t words = words_of(op), odd = op->out_channels % 2;
  const int touching = all_touch(op, call);
  int32_t x = call->step > 0 ? call->x0 : call->x1 - 1, pixels;
  rip_m0_pixel pixel;
  pixel.taps_end = gathered + words;
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += call->step) {
    int8_t* const out = call->out + x * call->out_pitch;
    int8_t* const last = out + (op->out_channels - odd);
    const int32_t* stream = op->stream;
    gather(op, call, x, gathered, words, touching);
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

RIP_HOT void rip_conv2d_m0_row(const rip_conv2d_m0* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_conv2d_m0, op, params);
  rip_m0_make_row(op, call, aligned(call->scratch));
}

RIP_HOT void rip_conv2d_small_m0_row(const rip_conv2d_m0* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_conv2d_m0, op, params);
  int32_t gathered[RIP_M0_STACK];
  rip_m0_make_row(op, call, gathered);
}
