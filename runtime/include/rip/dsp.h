/* Kernels for processors with Arm's DSP extension, and their parameters; on any other they give the same bits, slowly.
 * Their weights are laid out by the compiler. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_DSP_H
#define RIP_DSP_H

#include "rip/call.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As rip_conv2d_s8 without groups. `stream` has for every pair of output channels, the last filled up with zeros:
 *   [2] the accumulators' first values: 256 * bias1 + bias0, and bias0
 *   [taps / 2], taps rounded up to RIP_DSP_STEP: two taps a word, in each half 256 * weight1 + weight0. Four taps a, b,
 *       c, d are the words (a, c) and (b, d); taps run along the columns and channels of one kernel row after another
 *   [6] of both channels: multiplier, addend, shift
 * Without a common shift, output = clamp((addend - [sum < 0] + high(2 * sum * multiplier)) >> shift), where high() is
 * the upper word, rounded half up, and the term [sum < 0] is there only if `odd_rounding`. With one, and then without
 * odd_rounding, output = clamp((addend + low(scaled sum * multiplier)) >> common_shift), where low() is the upper word
 * rounded down, and the scaled sum is sum << shift of the first channel and (256 * sum) >> shift of the second. Bias as
 * in rip_conv2d_s8. */
typedef struct rip_conv2d_dsp {
  const int32_t* stream;
  int32_t in_width, in_channels, out_channels;
  int32_t kernel_h;
  int32_t kernel_w, stride_w, dilation_w, pad_w;
  int32_t in_zero;
  int32_t odd_rounding;
  int32_t common_shift; /* RIP_DSP_LEAST_SHIFT to RIP_DSP_MOST_SHIFT; 0: none */
  int32_t act_min, act_max;
} rip_conv2d_dsp;

/* Taps that the inner loops take at a time. */
#define RIP_DSP_STEP 8
#define RIP_DSP_WIDE_STEP 4
/* Of a pixel whose taps are read where they lie: copied to the stack, or pixels of the window, each by its address. */
#define RIP_DSP_MOST_COPIED 112
#define RIP_DSP_MOST_WINDOW 15
/* Taps of one pixel side by side, or of each of two of a kernel of 1x1, that go through the stack, where the scratch is
 * less; half as many of each of two pixels of another kernel. */
#define RIP_DSP_STACK 64
/* Output channels for which it does not pay to widen the taps of one pixel first. */
#define RIP_DSP_FEW_CHANNELS 16
#define RIP_DSP_LEAST_SHIFT 8
#define RIP_DSP_MOST_SHIFT 13

void rip_conv2d_dsp_row(const rip_conv2d_dsp* op, const rip_row_call* call);

/* The same with weights of 16 bits, which are multiplied faster. The stream's sums and weights are scaled already: by
 * 2^shift of the common shift, or by 2. Of two channels it has
 *   [2] biases
 *   [taps, rounded up to RIP_DSP_WIDE_STEP] four words for four taps: (a, c) and (b, d) of the first channel, then of
 * the second [6] as above */
void rip_conv2d_dsp_wide_row(const rip_conv2d_dsp* op, const rip_row_call* call);

/* The same with as much scratch as there is. With less than the taps of one pixel as halves, these go through the
 * stack, at most RIP_DSP_STACK of them, or are read where they lie: RIP_DSP_MOST_COPIED at most, or in_channels a
 * multiple of 4 and RIP_DSP_MOST_WINDOW pixels. Own: a pixel of the output goes through the scratch, if not its taps,
 * so that the row may take the place of its input row. Direct: any scratch, and none too; an even number of output
 * channels. */
void rip_conv2d_dsp_own_row(const rip_conv2d_dsp* op, const rip_row_call* call);
void rip_conv2d_dsp_direct_row(const rip_conv2d_dsp* op, const rip_row_call* call);
void rip_conv2d_dsp_wide_own_row(const rip_conv2d_dsp* op, const rip_row_call* call);
void rip_conv2d_dsp_wide_direct_row(const rip_conv2d_dsp* op, const rip_row_call* call);

/* DEPTHWISE_CONV_2D with multiplier 1, four channels at least and a square kernel of 3, 5 or 7. `stream` has for every
 * channel one record of the row kernel; one of the others if stride_h is even, two if it is odd:
 *   [1] twice the bias, which is as in rip_depthwise_s8
 *   [(kernel + 1) / 2][kernel] two doubled weights a word, of two rows, that of the upper row in the low half. The
 *       upper row of the first is row 0 of the kernel, in a second record row -1; weights outside of the kernel are 0
 *   [3] multiplier, addend, shift
 * For the row kernel channels are gathered by four, those that are left with the ones before them: in lanes 2 and 3 the
 * halves of the last row's words are exchanged. Output as of rip_conv2d_dsp, whose sums are not doubled; weights and
 * bias of a channel may be scaled up, if there is no shift. */
typedef struct rip_depthwise_dsp {
  const int32_t* stream;
  int32_t channels;
  int32_t in_height, in_width, out_height, out_width;
  int32_t stride_h, pad_h, stride_w, pad_w; /* stride_w is 1 or 2 */
  int32_t strip_words; /* input columns that the outputs of a row need, padding included, and those of six at least */
  int32_t in_zero;
  int32_t odd_rounding;
  int32_t act_min, act_max;
} rip_depthwise_dsp;

/* The row kernels read every column of four channels once, in the order of `step`, before they write the pixel of the
 * same number, so that the output may take the place of one of the rows. Their scratch is best four strips of
 * strip_words words for every two rows of the kernel, and two for its last row, of which one may lie on the stack if it
 * is short. With less, those of 3x3 make do with three strips in all; with less still, and other kernels, they make the
 * row in parts, with none or too little for RIP_STRIP_OUTPUTS outputs pixel by pixel. Those with kept rows take their
 * rows in order, one after another, each from one end to the other, and gather of the input only what the rows before
 * them did not. The plane kernels are as rip_depthwise_s8_plane, four planes at a time. Scratch of these, or kept for
 * all channels: four strips of strip_words words for every two rows of the kernel. */
void rip_depthwise3_dsp_row(const rip_depthwise_dsp* op, const rip_row_call* call);
void rip_depthwise5_dsp_row(const rip_depthwise_dsp* op, const rip_row_call* call);
void rip_depthwise7_dsp_row(const rip_depthwise_dsp* op, const rip_row_call* call);
void rip_depthwise3_dsp_kept_row(const rip_depthwise_dsp* op, const rip_row_call* call);
void rip_depthwise5_dsp_kept_row(const rip_depthwise_dsp* op, const rip_row_call* call);
void rip_depthwise7_dsp_kept_row(const rip_depthwise_dsp* op, const rip_row_call* call);
void rip_depthwise3_dsp_plane(const rip_depthwise_dsp* op, const rip_row_call* call);
void rip_depthwise5_dsp_plane(const rip_depthwise_dsp* op, const rip_row_call* call);
void rip_depthwise7_dsp_plane(const rip_depthwise_dsp* op, const rip_row_call* call);

#define RIP_SMALL_STACK 192                               /* bytes */
#define RIP_SMALL_OUTPUTS(kernel) ((kernel) == 3 ? 6 : 4) /* that are made together */

/* The same a plane at a time, of one record a channel:
 *   [1] twice the bias
 *   [kernel][(kernel + 1) / 2] two doubled weights of a row a word: 0 and 2, 1 and 3, 4 and 6, and 5; others are 0
 *   [3] multiplier, addend, shift
 * Scratch as of rip_depthwise_s8_plane: so many rows of the plane as the kernel has. They lie on the stack instead with
 * all of their padding, if RIP_SMALL_STACK has room; otherwise no more than RIP_SMALL_OUTPUTS at either end of an
 * output row may need padding. */
void rip_depthwise3_dsp_small_plane(const rip_depthwise_dsp* op, const rip_row_call* call);
void rip_depthwise5_dsp_small_plane(const rip_depthwise_dsp* op, const rip_row_call* call);
void rip_depthwise7_dsp_small_plane(const rip_depthwise_dsp* op, const rip_row_call* call);

/* ADD and SUB of int8, neither operand broadcast or constant: clamp((addend - [sum < 0] + high(sum * multiplier)) >>
 * shift), where the sum is that of two entries of the tables. */
typedef struct rip_add_dsp {
  const int32_t *table0, *table1; /* [256] twice what a scalar adds to the sum, by its bits as an unsigned byte */
  int32_t channels;
  int32_t multiplier, addend, shift;
  int32_t act_min, act_max;
} rip_add_dsp;

void rip_add_dsp_row(const rip_add_dsp* op, const rip_row_call* call);

#ifdef __cplusplus
}
#endif
#endif
