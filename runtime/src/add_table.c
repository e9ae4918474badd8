/* Sum or difference of two int8 tensors of one shape without a product: each scalar's part of the output comes from a
 * table. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/runs.h"

static void add_run(const void* params, const int8_t* a, const int8_t* b, int8_t* out, int32_t count, int32_t step) {
  const rip_add_table* op = (const rip_add_table*)params;
  const int32_t *const table0 = op->table0, *const table1 = op->table1;
  const int32_t shift = op->shift, end = count * step;
  int32_t i;
  for (i = 0; i != end; i += step) {
    const int32_t y = (rip_flash_s32(table0 + (uint8_t)a[i]) + rip_flash_s32(table1 + (uint8_t)b[i])) >> shift;
    out[i] = (int8_t)(y == (int8_t)y ? y : y < 0 ? -128 : 127);
  }
}

RIP_HOT void rip_add_table_row(const rip_add_table* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_add_table, op, params);
  rip_each_run(op, call, op->channels, op->act_min, op->act_max, add_run);
}
