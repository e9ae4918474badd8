/* Depthwise convolution of a whole image, four channels after others. SPDX-License-Identifier: MIT-0 */
#include "depthwise_s8_plane.h"

static void make_row(const plane* p, const rip_output* output, int8_t* out, int32_t pitch) {
  const int8_t* rows[RIP_PLANE_ROWS];
  rip_depthwise_taps t;
  place at = first_place(p);
  int32_t j, x;
  for (j = 0; j < p->op->kernel_h; j++, move_on(p, &at)) rows[j] = is_inside(p, &at) ? at.row : NULL;
  t = rip_depthwise_taps_of(p->op, rows, p->channels, p->channel, p->channels, 0);
  for (x = 0; x < p->op->out_width; x++, out += pitch) {
    rip_depthwise_move(&t, p->op, p->channels, x);
    rip_depthwise_pixel(&t, output, 1, out);
  }
}

RIP_HOT void rip_depthwise_s8_plane_block(const rip_depthwise_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_depthwise_s8, op, params);
  int32_t channel;
  for (channel = 0; channel < op->channels; channel += RIP_BLOCK) {
    const int32_t left = op->channels - channel;
    make_plane(op, call, channel, left < RIP_BLOCK ? left : RIP_BLOCK);
  }
}
