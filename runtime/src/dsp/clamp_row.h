/* The activation of rip_depthwise_dsp, where it is narrower than a byte. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_CLAMP_ROW_H
#define RIP_CLAMP_ROW_H

#include "rip/dsp.h"
#include "rip/requantize.h"

static void clamp_row(const rip_depthwise_dsp* op, int8_t* out, int32_t pitch, int32_t count) {
  int32_t channel;
  if (op->act_min <= -128 && op->act_max >= 127) return;
  for (; count > 0; count--, out += pitch) {
    for (channel = 0; channel < op->channels; channel++) {
      out[channel] = (int8_t)rip_clamp(out[channel], op->act_min, op->act_max);
    }
  }
}

#endif
