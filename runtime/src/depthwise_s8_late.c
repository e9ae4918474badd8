/* Depthwise convolution whose output row may take the place of one of its input rows: pixel after pixel, each written
 * when a few more have been read. SPDX-License-Identifier: MIT-0 */
#include "rip/depthwise.h"

/* Makes `count` channels of pixel x, RIP_BLOCK or one, whose first weight is `w`. They are exchanged with those in
 * `held`, which go to `out` if there is one. */
static void make_channels(const rip_depthwise_taps* t, const rip_output* output, const int8_t* w, int32_t channel,
                          int32_t count, int8_t* held, int8_t* out) {
  int32_t sums[RIP_BLOCK] = {0, 0, 0, 0};
  int32_t i;
  rip_depthwise_add_taps(sums, t, w, channel, count == 1);
  for (i = 0; i < count; i++) {
    if (out != NULL) out[channel + i] = held[channel + i];
    held[channel + i] = rip_output_s8(output, channel + i, sums[i]);
  }
}

static void make_row(const rip_depthwise_s8* params, const rip_row_call* call, int32_t late) {
  RIP_FLASH_STRUCT(rip_depthwise_s8, op, params);
  const rip_output output = RIP_OUTPUT_OF(op);
  const int null_rows = rip_any_null(call->rows, op->kernel_h);
  const int32_t pixels = call->x1 - call->x0;
  const int32_t first = call->step > 0 ? call->x0 : call->x1 - 1;
  int8_t* const line = (int8_t*)call->scratch;
  int32_t n, i;
  for (n = 0; n < pixels + late; n++) {
    int8_t* held = line + n % late * op->channels;
    int8_t* out = n < late ? NULL : call->out + (first + (n - late) * call->step) * call->out_pitch;
    if (n < pixels) {
      const rip_depthwise_taps t = rip_depthwise_taps_of(op, call, null_rows, first + n * call->step);
      const int8_t* w = op->weights;
      int32_t channel = 0;
      for (; channel + RIP_BLOCK <= op->channels; channel += RIP_BLOCK, w += t.block_weights) {
        make_channels(&t, &output, w, channel, RIP_BLOCK, held, out);
      }
      for (i = 0; channel + i < op->channels; i++) make_channels(&t, &output, w + i, channel + i, 1, held, out);
    } else if (out != NULL) {
      for (i = 0; i < op->channels; i++) out[i] = held[i];
    }
  }
}

RIP_HOT void rip_depthwise_s8_late1_row(const rip_depthwise_s8* op, const rip_row_call* call) { make_row(op, call, 1); }

RIP_HOT void rip_depthwise_s8_late2_row(const rip_depthwise_s8* op, const rip_row_call* call) { make_row(op, call, 2); }

RIP_HOT void rip_depthwise_s8_late3_row(const rip_depthwise_s8* op, const rip_row_call* call) { make_row(op, call, 3); }
