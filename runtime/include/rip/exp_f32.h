/* The exponential of binary32, the same bits on every machine. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_EXP_F32_H
#define RIP_EXP_F32_H

#ifdef __cplusplus
extern "C" {
#endif

/* e^x to within 0.502 units in the last place, in integers throughout: neither the C library nor the floating-point
 * unit has a say in the last bit. */
float rip_exp_f32(float x);

#ifdef __cplusplus
}
#endif
#endif
