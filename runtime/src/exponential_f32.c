/* Functions of one operand in binary32 that are made of the exponential. ELU, LOG and TANH call the C library, and
 * their last bits are those of the library at hand. SPDX-License-Identifier: MIT-0 */
#include <math.h>

#include "rip/exp_f32.h"
#include "rip/f32.h"
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/singles.h"

/* exp(x) - 1 for x < 0. */
static inline float exp_less_one(float x) {
#if defined(__AVR__) /* its library has no better; small values lose some of their bits */
  return expf(x) - 1.0F;
#else
  return expm1f(x);
#endif
}

static inline void apply(const void* params, const int8_t* in, int8_t* out) {
  const rip_unary_f32* op = (const rip_unary_f32*)params;
  const float x = rip_load_f32(in);
  float y = 0.0F;
  switch (op->function) {
    case RIP_ELU:
      y = x < 0.0F ? exp_less_one(x) : x;
      break;
    case RIP_EXP:
      y = rip_exp_f32(x);
      break;
    case RIP_LOG:
      y = logf(x);
      break;
    case RIP_LOGISTIC:
      y = rip_logistic_f32(x);
      break;
    case RIP_TANH:
      y = tanhf(x);
      break;
    default:
      break;
  }
  rip_store_f32(out, y);
}

RIP_HOT void rip_exponential_f32_row(const rip_unary_f32* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_unary_f32, op, params);
  rip_each_single(op, call, op->channels, 4, 4, apply);
}
