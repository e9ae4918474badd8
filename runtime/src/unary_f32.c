/* Functions of one operand in binary32 that need arithmetic alone. SPDX-License-Identifier: MIT-0 */
#include <math.h>

#include "rip/f32.h"
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/singles.h"

/* Comparisons are written so that a NaN comes out as the reference's comparisons leave it. */
static inline float gate(float x) {
  const float positive = 0.0F < x + 3.0F ? x + 3.0F : 0.0F;
  return positive < 6.0F ? positive : 6.0F;
}

static inline void apply(const void* params, const int8_t* in, int8_t* out) {
  const rip_unary_f32* op = (const rip_unary_f32*)params;
  const float x = rip_load_f32(in);
  float y = 0.0F;
  switch (op->function) {
    case RIP_ABS:
      y = fabsf(x);
      break;
    case RIP_CLAMP:
      y = x > op->high ? op->high : x < op->low ? op->low : x;
      break;
    case RIP_HARD_SWISH:
      y = x * gate(x) / 6.0F;
      break;
    case RIP_LEAKY_RELU:
      y = x > 0.0F ? x : x * op->low;
      break;
    case RIP_NEG:
      y = -x;
      break;
    case RIP_RELU:
      y = x < 0.0F ? 0.0F : x;
      break;
    case RIP_RSQRT:
      y = 1.0F / sqrtf(x);
      break;
    case RIP_SQRT:
      y = sqrtf(x);
      break;
    case RIP_SQUARE:
      y = x * x;
      break;
    default:
      break;
  }
  rip_store_f32(out, y);
}

RIP_HOT void rip_unary_f32_row(const rip_unary_f32* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_unary_f32, op, params);
  rip_each_single(op, call, op->channels, 4, 4, apply);
}
