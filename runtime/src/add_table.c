/* Sum or difference of two int8 tensors of one shape without a product: each scalar's part of the output comes from a
 * table. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/requantize.h"

/* `count` scalars, each `step` bytes after the last. */
static void add_run(const rip_add_table* op, const int8_t* a, const int8_t* b, int8_t* out, int32_t count,
                    int32_t step) {
  const int32_t *const table0 = op->table0, *const table1 = op->table1;
  const int32_t shift = op->shift, end = count * step;
  int32_t i;
  for (i = 0; i != end; i += step) {
    const int32_t y = (rip_flash_s32(table0 + (uint8_t)a[i]) + rip_flash_s32(table1 + (uint8_t)b[i])) >> shift;
    out[i] = (int8_t)(y == (int8_t)y ? y : y < 0 ? -128 : 127);
  }
}

static void clamp_run(const rip_add_table* op, int8_t* out, int32_t count) {
  if (op->act_min <= -128 && op->act_max >= 127) return;
  for (; count > 0; count--, out++) *out = (int8_t)rip_clamp(*out, op->act_min, op->act_max);
}

RIP_HOT void rip_add_table_row(const rip_add_table* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_add_table, op, params);
  const int32_t channels = op->channels;
  /* Pixels side by side are one run. */
  const int dense = call->in_pitch == channels && call->out_pitch == channels;
  const int32_t run = dense ? (call->x1 - call->x0) * channels : channels;
  const int32_t last = call->step > 0 ? 0 : run - 1;
  int32_t runs = dense ? run > 0 : call->x1 - call->x0;
  int32_t x = dense || call->step > 0 ? call->x0 : call->x1 - 1;
  for (; runs > 0; runs--, x += call->step) {
    int8_t* const out = call->out + x * call->out_pitch;
    const int32_t in = x * call->in_pitch + last;
    add_run(op, call->rows[0] + in, call->rows[1] + in, out + last, run, call->step);
    clamp_run(op, out, run);
  }
}
