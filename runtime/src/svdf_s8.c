/* SVDF: every filter weighs the input, keeps its last results and weighs those. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/memory.h"
#include "rip/requantize.h"

/* The requantized product of the input with a filter's feature weights. */
static int32_t feature(const rip_svdf_s8* op, int32_t filter, const int8_t* input) {
  const int8_t* weights = op->feature_weights + filter * op->inputs;
  int32_t sum = 0, i;
  for (i = 0; i < op->inputs; i++) sum += (input[i] - op->in_zero) * rip_flash_s8(weights + i);
  return rip_requantize(sum, op->feature_multiplier, op->feature_shift) + op->memory_zero;
}

RIP_HOT void rip_svdf_s8_whole(const rip_svdf_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_svdf_s8, op, params);
  int8_t* memories = (int8_t*)call->state;
  int32_t unit = call->step > 0 ? 0 : op->units - 1;
  int32_t units, rank, i;
  for (units = op->units; units > 0; units--, unit += call->step) {
    uint32_t sum = 0;
    int32_t y;
    for (rank = 0; rank < op->rank; rank++) {
      const int32_t filter = unit * op->rank + rank;
      int8_t* memory = memories + filter * op->memory;
      const int8_t* weights = (const int8_t*)op->time_weights + filter * op->memory;
      memmove(memory, memory + 1, (size_t)op->memory - 1);
      memory[op->memory - 1] = (int8_t)rip_clamp(feature(op, filter, call->rows[0]), INT8_MIN, INT8_MAX);
      for (i = 0; i < op->memory; i++) sum += (uint32_t)(rip_flash_s8(weights + i) * (memory[i] - op->memory_zero));
    }
    if (op->bias != NULL) sum += (uint32_t)rip_flash_s32(op->bias + unit);
    y = rip_requantize((int32_t)sum, op->multiplier, op->shift) + op->out_zero;
    call->out[unit] = (int8_t)rip_clamp(y, op->act_min, op->act_max);
  }
}

RIP_HOT void rip_svdf_s8_s16_whole(const rip_svdf_s8* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_svdf_s8, op, params);
  int8_t* memories = (int8_t*)call->state;
  int32_t unit = call->step > 0 ? 0 : op->units - 1;
  int32_t units, rank, i;
  for (units = op->units; units > 0; units--, unit += call->step) {
    uint32_t sum = 0;
    int32_t y;
    for (rank = 0; rank < op->rank; rank++) {
      const int32_t filter = unit * op->rank + rank;
      int8_t* memory = memories + 2 * (filter * op->memory);
      const int16_t* weights = (const int16_t*)op->time_weights + filter * op->memory;
      int16_t value = (int16_t)rip_clamp(feature(op, filter, call->rows[0]), INT16_MIN, INT16_MAX);
      memmove(memory, memory + 2, 2 * ((size_t)op->memory - 1));
      memcpy(memory + 2 * (op->memory - 1), &value, sizeof value);
      for (i = 0; i < op->memory; i++) {
        memcpy(&value, memory + 2 * i, sizeof value);
        sum += (uint32_t)(rip_flash_s16(weights + i) * value);
      }
    }
    if (op->bias != NULL) sum += (uint32_t)rip_flash_s32(op->bias + unit);
    y = rip_requantize((int32_t)sum, op->multiplier, op->shift) + op->out_zero;
    call->out[unit] = (int8_t)rip_clamp(y, op->act_min, op->act_max);
  }
}
