/* Concatenation, piece by piece. SPDX-License-Identifier: MIT-0 */
#include <stddef.h>

#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/memory.h"
#include "rip/node.h"

static void through_table(int8_t* out, const int8_t* in, int32_t bytes, const int8_t* table, int32_t step) {
  int32_t i = step > 0 ? 0 : bytes - 1;
  for (; bytes > 0; bytes--, i += step) out[i] = rip_flash_s8(table + (uint8_t)in[i]);
}

/* Whether every piece lies where it belongs already: then it does so in every pixel. */
static int all_in_place(const rip_concat* op, const rip_row_call* call) {
  const int8_t* out = call->out;
  int32_t i;
  if (op->tables != NULL) return 0;
  for (i = 0; i < op->inputs; i++) {
    if (call->rows[i] != out || rip_flash_s32(&call->in[i].pitch) != call->out_pitch) return 0;
    out += rip_flash_s32(op->bytes + i);
  }
  return 1;
}

RIP_HOT void rip_concat_row(const rip_concat* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_concat, op, params);
  const int32_t step = call->step;
  int32_t x = step > 0 ? call->x0 : call->x1 - 1;
  int32_t end = 0, pixels, i;
  if (all_in_place(op, call)) return;
  for (i = 0; i < op->inputs; i++) end += rip_flash_s32(op->bytes + i);
  for (pixels = call->x1 - call->x0; pixels > 0; pixels--, x += step) {
    int8_t* out = call->out + x * call->out_pitch + (step > 0 ? 0 : end);
    i = step > 0 ? 0 : op->inputs - 1;
    for (; i >= 0 && i < op->inputs; i += step) {
      const int32_t bytes = rip_flash_s32(op->bytes + i);
      const int32_t table = op->tables == NULL ? -1 : rip_flash_s32(op->tables + i);
      const int8_t* in = call->rows[i] + x * rip_flash_s32(&call->in[i].pitch);
      if (step < 0) out -= bytes;
      if (table >= 0) {
        through_table(out, in, bytes, op->table + table * 256, step);
      } else if (in != out) {
        memmove(out, in, (size_t)bytes);
      }
      if (step > 0) out += bytes;
    }
  }
}
