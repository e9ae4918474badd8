/* From a sum to an output, as the convolutions of rip/dsp.h do it. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_DSP_OUTPUT_H
#define RIP_DSP_OUTPUT_H

#include <stdint.h>

#include "rip/flash.h"
#include "rip/halves.h"

/* `scaled`: the sum doubled, or as far as the common shift asks for. `constants`: multiplier, addend, shift. The others
 * as of rip_conv2d_dsp. */
static inline int8_t rip_dsp_output(int32_t scaled, const int32_t* constants, int32_t common_shift,
                                    int32_t odd_rounding) {
  const int32_t multiplier = rip_flash_s32(constants), addend = rip_flash_s32(constants + 1);
  int32_t y;
  if (common_shift != 0) {
    y = rip_smmla(scaled, multiplier, addend) >> common_shift;
  } else {
    y = rip_smmlar(scaled, multiplier, addend + (odd_rounding ? scaled >> 31 : 0)) >> rip_flash_s32(constants + 2);
  }
  return (int8_t)rip_saturate_byte(y);
}

#endif
