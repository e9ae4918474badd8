/* The inner product of the convolutions of rip/dsp.h: two pixels, two output channels after two.
 * SPDX-License-Identifier: MIT-0 */
#ifndef RIP_DSP_TILE_H
#define RIP_DSP_TILE_H

#include "rip/dsp.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rip_dsp_tile {
  const int32_t* stream;   /* as of rip_conv2d_dsp */
  const void* enter;       /* null at first; the assembly's own, for as long as the taps stay where they are */
  const int32_t* taps;     /* four taps after four: the words (a, c) and (b, d) of one pixel, then of the other */
  int8_t* out;             /* channel 0 of the first pixel */
  int32_t out_step;        /* bytes to the other pixel */
  int8_t* out_end;         /* an even number of channels on */
  const int32_t* taps_end; /* a multiple of RIP_DSP_STEP or RIP_DSP_WIDE_STEP taps on */
  const void *after_step, *after_taps; /* the assembly's own */
  int32_t odd_rounding;                /* as of rip_conv2d_dsp */
  int32_t common_shift;                /* likewise */
} rip_dsp_tile;

/* Of one pixel, four taps take two words, and two of the other pixel lie between them and the next four. */
#define RIP_DSP_PIXEL_WORDS 2
#define RIP_DSP_FOUR_WORDS 4

/* Widens the taps of the pixels at output columns x and `other`; up to `end`, at most four taps on, they are zero. */
void rip_dsp_gather(const rip_conv2d_dsp* op, const rip_row_call* call, int32_t x, int32_t other, int32_t* to,
                    const int32_t* end);

/* The taps of two pixels that lie side by side: a positive multiple of four. Returns where the next go. */
int32_t* rip_dsp_widen_pair(int32_t* to, const int8_t* first, const int8_t* second, int32_t count);

/* Makes the channels [out, out_end) of both pixels. Returns where the stream goes on. */
typedef const int32_t* rip_dsp_make(rip_dsp_tile* tile);

rip_dsp_make rip_dsp_make_tile;      /* weights of a byte */
rip_dsp_make rip_dsp_make_wide_tile; /* of a half */

#ifdef __cplusplus
}
#endif
#endif
