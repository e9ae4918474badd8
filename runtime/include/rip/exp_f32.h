/* The exponential of binary32, the same bits on every machine. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_EXP_F32_H
#define RIP_EXP_F32_H

#ifdef __cplusplus
extern "C" {
#endif

/* e^x to within 0.502 units in the last place, in integers throughout: neither the C library nor the floating-point
 * unit has a say in the last bit. */
float rip_exp_f32(float x);

/* From the first limit on 1 + exp(-x) is 1; below the second one the sum is exp(-x) for what it is used for. */
static inline float rip_logistic_f32(float x) {
  if (x > 16.619047164916992188F) return 1.0F;
  if (x < -9.0F) return rip_exp_f32(x);
  return 1.0F / (1.0F + rip_exp_f32(-x));
}

#ifdef __cplusplus
}
#endif
#endif
