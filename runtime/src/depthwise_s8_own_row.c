/* Depthwise convolution whose output row may take the place of one of its input rows: some channels of the whole row
 * after others, each through a buffer. SPDX-License-Identifier: MIT-0 */
#include "rip/depthwise.h"

/* Makes `count` channels of the row, RIP_BLOCK or one, whose first weight is `w`. */
static void make_channels(const rip_depthwise_s8* op, const rip_row_call* call, const int8_t* w, int32_t channel,
                          int32_t count) {
  const rip_output output = RIP_OUTPUT_OF(op);
  const int null_rows = rip_any_null(call->rows, op->kernel_h);
  int8_t* held = (int8_t*)call->scratch;
  int32_t x, i;
  for (x = call->x0; x < call->x1; x++, held += count) {
    const rip_depthwise_taps t = rip_depthwise_taps_of(op, call, null_rows, x);
    int32_t sums[RIP_BLOCK] = {0, 0, 0, 0};
    rip_depthwise_add_taps(sums, &t, w, channel, count == 1);
    for (i = 0; i < count; i++) held[i] = rip_output_s8(&output, channel + i, sums[i]);
  }
  held = (int8_t*)call->scratch;
  for (x = call->x0; x < call->x1; x++, held += count) {
    int8_t* out = call->out + x * call->out_pitch + channel;
    for (i = 0; i < count; i++) out[i] = held[i];
  }
}

/* Channels [first, end), one after the other. */
static void make_one_by_one(const rip_depthwise_s8* op, const rip_row_call* call, int32_t first, int32_t end) {
  const int32_t block_weights = op->kernel_h * op->kernel_w * RIP_BLOCK;
  for (; first < end; first++) {
    make_channels(op, call, op->weights + first / RIP_BLOCK * block_weights + first % RIP_BLOCK, first, 1);
  }
}

RIP_HOT void rip_depthwise_s8_own_row(const rip_depthwise_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_depthwise_s8, op, params);
  make_one_by_one(op, call, 0, op->channels);
}

RIP_HOT void rip_depthwise_s8_own_row_block(const rip_depthwise_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_depthwise_s8, op, params);
  const int32_t block_weights = op->kernel_h * op->kernel_w * RIP_BLOCK;
  const int8_t* weights = op->weights;
  int32_t channel;
  for (channel = 0; channel + RIP_BLOCK <= op->channels; channel += RIP_BLOCK, weights += block_weights) {
    make_channels(op, call, weights, channel, RIP_BLOCK);
  }
  make_one_by_one(op, call, channel, op->channels);
}
