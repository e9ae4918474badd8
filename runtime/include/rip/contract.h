/* What a kernel promises about its reads and writes. Planner, checker and tests read these same constants.
 * SPDX-License-Identifier: MIT-0 */
#ifndef RIP_CONTRACT_H
#define RIP_CONTRACT_H

#include <stdint.h>

typedef enum rip_tap_order {
  RIP_DISJOINT, /* output and inputs share no byte                                                                   */
  RIP_ROW_DIRECT,   /* may write anywhere in its output row while it still reads its input rows, all of their columns */
  RIP_ELEMENTWISE,  /* element i is written only after element i of every input is read; in the order of `step`   */
  RIP_PIXEL_DIRECT, /* pixel by pixel; `held` output channels of a group are computed before the first of them is
                       written */
  RIP_CHANNEL_LOCAL, /* pixel by pixel; channel c is written after the last read of input channel c by this pixel */
  RIP_IN_TURN, /* pixel by pixel, and of each the piece of one input after another, in the order of `step`: a piece
                  is read, then written */
  RIP_FORWARD_DIRECT, /* as RIP_PIXEL_DIRECT, from the first pixel to the last whatever the step */
  RIP_PLANE, /* whole channel planes through a buffer in scratch: output and input start at the same byte          */
  RIP_ROW_PLANE, /* row by row, in each `held` channels after others, from the first: pixel by pixel in the order of
                    `step`; pixel number i, counted in that order, is written when its taps are read, and those of all
                    pixels of the row up to column number i */
  RIP_ROW_SUM    /* only in a stage: a call takes one input row, in the order of `step`, and adds it to what is kept;
                    the last one then writes the only output pixel */
} rip_tap_order;

/* Bytes as a sum over what a layer has; the planner fills in the numbers (rip_contract_bytes in the compiler). */
typedef struct rip_bytes {
  int32_t fixed;
  int32_t per_out_channel;
  int32_t per_in_channel;
  int32_t per_window_scalar; /* times kernel_h * kernel_w * in_channels / groups       */
  int32_t per_ring_pixel;    /* times ((kernel_h - 1) * dilation_h + 1) * in_width     */
  int32_t per_strip_word;    /* times (max(out_width, RIP_STRIP_OUTPUTS) - 1) * stride_w + kernel_w */
  int32_t per_lane_word;     /* times as many words for each channel, these rounded up to a multiple of 4 */
  int32_t per_out_column;    /* times out_width                                         */
} rip_bytes;

#define RIP_NOTHING \
  { 0, 0, 0, 0, 0, 0, 0, 0 }
#define RIP_STRIP_OUTPUTS 6  /* that rip/dsp.h makes together */
#define RIP_LATE_CHANNELS 16 /* that rip_depthwise_s8_late_row makes together ... */
#define RIP_LATE_PIXELS 3    /* ... and its pixels that wait */

typedef struct rip_contract {
  const char* kernel; /* the function's name                                                            */
  rip_tap_order order;
  int16_t held;        /* RIP_PIXEL_DIRECT, RIP_ROW_PLANE: output channels held; INT16_MAX = the whole pixel */
  int8_t whole_tensor; /* 1: one call makes the whole output; rows[i] is the first byte of input i        */
  int8_t alignment;    /* of every row pointer and pitch, in bytes                                        */
  int8_t tight;        /* 1: at one scalar less than its gap some input breaks the output                 */
  rip_bytes scratch, kept;
  int8_t any_scratch; /* 1: makes do with less scratch, and with none: slower, never with other bytes */
} rip_contract;

#endif
