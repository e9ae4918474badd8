/* Means over the whole image, made of one input row after another. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/pooling.h"
#include "rip/requantize.h"
#include "rip/scalars.h"

/* Adds a row of pixels to the sums, of which the first row is the first. */
static void add_row(const rip_row_call* call, int32_t channels, int32_t width, int first) {
  const int8_t* row = call->rows[0];
  int8_t* sums = (int8_t*)call->kept;
  int32_t channel, x;
  for (channel = 0; channel < channels; channel++, row++, sums += sizeof(int32_t)) {
    const int8_t* in = row;
    int32_t sum = first ? 0 : rip_load_s32(sums);
    for (x = 0; x < width; x++, in += call->in_pitch) sum += *in;
    rip_store_s32(sums, sum);
  }
}

/* Whether input row `y` of `rows` is the first or the last to come. */
static int is_first(const rip_row_call* call, int32_t rows) { return call->y == (call->step > 0 ? 0 : rows - 1); }
static int is_last(const rip_row_call* call, int32_t rows) { return call->y == (call->step > 0 ? rows - 1 : 0); }

RIP_HOT void rip_mean_s8_rows(const rip_mean_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_mean_s8, op, params);
  const int8_t* sums = (const int8_t*)call->kept;
  int32_t channel;
  add_row(call, op->channels, op->pixels / op->rows, is_first(call, op->rows));
  if (!is_last(call, op->rows)) return;
  for (channel = 0; channel < op->channels; channel++, sums += sizeof(int32_t)) {
    const int32_t mean = rip_requantize(op->offset + rip_load_s32(sums), op->multiplier, op->shift) + op->out_zero;
    call->out[channel] = (int8_t)rip_clamp(mean, INT8_MIN, INT8_MAX);
  }
}

RIP_HOT void rip_avgpool_s8_rows(const rip_pool_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_pool_s8, op, params);
  const int8_t* sums = (const int8_t*)call->kept;
  const int32_t rows = op->kernel_h;
  int32_t channel;
  add_row(call, op->channels, op->in_width, is_first(call, rows));
  if (!is_last(call, rows)) return;
  for (channel = 0; channel < op->channels; channel++, sums += sizeof(int32_t)) {
    const int32_t mean = rip_rounded_mean(rip_load_s32(sums), rows * op->in_width);
    call->out[channel] = (int8_t)rip_clamp(mean, op->act_min, op->act_max);
  }
}
