/* The inner product of the convolutions of rip/dsp.h for one pixel, four output channels after four: of taps that were
 * widened before, or of the input's bytes where they lie. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_DSP_PIXEL_H
#define RIP_DSP_PIXEL_H

#include "rip/dsp.h"
#include "rip/dsp_tile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Taps side by side in memory. */
typedef struct rip_dsp_run {
  const int8_t* from; /* null: all of them are the zero point */
  int32_t count;      /* a positive multiple of 4 */
} rip_dsp_run;

/* Runs that a pixel may have: one for each pixel of the window, and one behind them. */
#define RIP_DSP_MOST_RUNS (RIP_DSP_MOST_WINDOW + 1)

typedef struct rip_dsp_pixel {
  const int32_t* stream;   /* as of rip_conv2d_dsp: of the first pair of channels ...          */
  const int32_t* second;   /* ... and of the next                                              */
  const int32_t* halves;   /* the words (a, c) and (b, d) of four taps after four; null: by runs */
  int32_t taps;            /* a multiple of RIP_DSP_STEP or RIP_DSP_WIDE_STEP                  */
  const rip_dsp_run* runs; /* as many taps; not with `halves`                                  */
  const rip_dsp_run* runs_end;
  int8_t* out;
  int8_t* out_end;                    /* a multiple of four channels on */
  int32_t zeros;                      /* the zero point in both halves  */
  int32_t odd_rounding, common_shift; /* as of rip_conv2d_dsp */
} rip_dsp_pixel;

/* Makes the channels [out, out_end). Each four are written when they all are computed. */
typedef void rip_dsp_make_channels(const rip_dsp_pixel* pixel);

rip_dsp_make_channels rip_dsp_make_pixel;      /* weights of a byte */
rip_dsp_make_channels rip_dsp_make_wide_pixel; /* of a half */

/* The runs of the pixel at output column x. Returns how many; 0 where they would be too many for one to follow, or
 * not of four taps after four. */
int32_t rip_dsp_find_runs(const rip_conv2d_dsp* op, const rip_row_call* call, int32_t x,
                          rip_dsp_run runs[RIP_DSP_MOST_RUNS]);

/* The taps of the pixel at output column x as bytes, and zeros up to a multiple of 4. */
void rip_dsp_copy_taps(const rip_conv2d_dsp* op, const rip_row_call* call, int32_t x, int8_t* to);

/* The taps of runs one after the other as halves. They may lie at the end of the memory at `to`. */
void rip_dsp_widen_runs(const rip_dsp_run* runs, const rip_dsp_run* end, int32_t zeros, int32_t* to);

/* Memory for the taps of one pixel or two, and for the outputs of one where its inputs are still needed. */
typedef struct rip_dsp_room {
  int32_t* words; /* aligned */
  int32_t count;  /* of words */
  int8_t* held;   /* null: the output may be written where four channels are computed */
} rip_dsp_room;

/* What the convolutions with either weights are made of. */
typedef struct rip_dsp_loops {
  rip_dsp_make* pair;
  rip_dsp_make_channels* pixel;
  int32_t step;          /* taps are rounded up to a multiple of it */
  int32_t words_of_four; /* words of the stream that four taps of two channels take */
} rip_dsp_loops;

/* Makes the pixel at output column x. With less room than for its taps as halves, they are read where they lie. */
void rip_dsp_make_one(const rip_conv2d_dsp* op, const rip_row_call* call, const rip_dsp_loops* loops,
                      const rip_dsp_room* room, int32_t x);

/* A row of pixels. `held`: a pixel's channels are written when all of them are computed; then the scratch is at least
 * as large as a pixel of the output, or as two pixels' taps. */
void rip_dsp_make_row(const rip_conv2d_dsp* op, const rip_row_call* call, const rip_dsp_loops* loops, int held);

#ifdef __cplusplus
}
#endif
#endif
