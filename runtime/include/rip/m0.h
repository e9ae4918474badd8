/* Kernels for processors whose only product is 32 bits of 32 by 32, Arm's Cortex-M0 and M0+, and their parameters; on
 * any other they give the same bits. Their weights are laid out by the compiler. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_M0_H
#define RIP_M0_H

#include "rip/call.h"
#include "rip/flash.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RIP_M0_STEP 4   /* taps whose products are summed before they are unpacked */
#define RIP_M0_GROUP 16 /* output channels whose sums wait together for the taps that are yet to come */
#define RIP_M0_STACK 32 /* words that a kernel may take of the stack instead of scratch */
#define RIP_M0_OUTPUT 7 /* words that make an output of a sum */

/* As rip_conv2d_s8 without groups. `stream` has for every pair of output channels, the last filled up with zeros:
 *   [2] bias, as in rip_conv2d_s8
 *   [taps / RIP_M0_STEP, rounded up][2][2] weights of each channel, two a word: weight2 + 65536 * weight0, then
 *     weight3 + 65536 * weight1. A channel's four are together no larger than 255
 *   [1] number of loose words, then [number][3] bytes from the first word of taps to the one that it multiplies, and
 * the word of each channel. Two weights are together no larger than 255 [2][RIP_M0_OUTPUT] of each channel: least,
 * most, m0, m1, m2, addend, less A sum is cut to [least, most], where its output has reached the limits of the
 * activation, and is then floor(sum * (m2 * 2^20 + m1 * 2^10 + m0) / 2^20) + addend, less `less` if it is negative; its
 * output is the upper byte. */
typedef struct rip_conv2d_m0 {
  const int32_t* stream;
  int32_t in_width, in_channels, out_channels;
  int32_t kernel_h;
  int32_t kernel_w, stride_w, dilation_w, pad_w;
  int32_t in_zero;
} rip_conv2d_m0;

void rip_conv2d_m0_row(const rip_conv2d_m0* op, const rip_row_call* call);

/* The same without scratch, of no more than 2 * RIP_M0_STACK taps. */
void rip_conv2d_small_m0_row(const rip_conv2d_m0* op, const rip_row_call* call);

/* The same with any scratch: the taps of a pixel are taken in pieces that fit it, or half of RIP_M0_STACK, for
 * RIP_M0_GROUP output channels after others; those that are left over come first. */
void rip_conv2d_any_m0_row(const rip_conv2d_m0* op, const rip_row_call* call);

/* The same, two pixels at a time: for processors of many registers. */
void rip_conv2d_pairs_m0_row(const rip_conv2d_m0* op, const rip_row_call* call);

/* DEPTHWISE_CONV_2D with multiplier 1 and a square kernel of 3, 5 or 7. `stream` has for every channel one record of
 * the row kernel, one of the plane kernel if stride_h is even, two if it is odd: [1] bias, as in rip_depthwise_s8
 *   [(kernel + 1) / 2][kernel] two weights a word, of two rows: weight of the lower row + 65536 * that of the upper.
 * The upper row of the first is row 0 of the kernel, in a second record row -1; weights outside of the kernel are 0. In
 *   the row kernel the last word of each column is the weight of the last row
 *   [RIP_M0_OUTPUT] as of rip_conv2d_m0 */
typedef struct rip_depthwise_m0 {
  const int32_t* stream;
  int32_t channels;
  int32_t in_height, in_width, out_height, out_width;
  int32_t stride_h, pad_h, stride_w, pad_w;
  int32_t strip_words; /* input columns that the outputs of a row need, padding included */
  int32_t in_zero;
} rip_depthwise_m0;

/* The row kernels make a channel of the row after another, in stretches of columns as long as the scratch has room for,
 * or RIP_M0_STACK, in the order of `step`: no column is read after the output of its number, counted in that order, is
 * written. The plane kernels are as rip_depthwise_s8_plane. Scratch: (kernel + 1) / 2 strips, for small planes none:
 * theirs have no more than RIP_M0_STACK words. */
void rip_depthwise3_m0_row(const rip_depthwise_m0* op, const rip_row_call* call);
void rip_depthwise5_m0_row(const rip_depthwise_m0* op, const rip_row_call* call);
void rip_depthwise7_m0_row(const rip_depthwise_m0* op, const rip_row_call* call);
void rip_depthwise3_m0_plane(const rip_depthwise_m0* op, const rip_row_call* call);
void rip_depthwise3_m0_small_plane(const rip_depthwise_m0* op, const rip_row_call* call);
void rip_depthwise5_m0_plane(const rip_depthwise_m0* op, const rip_row_call* call);
void rip_depthwise5_m0_small_plane(const rip_depthwise_m0* op, const rip_row_call* call);
void rip_depthwise7_m0_plane(const rip_depthwise_m0* op, const rip_row_call* call);
void rip_depthwise7_m0_small_plane(const rip_depthwise_m0* op, const rip_row_call* call);

/* The output of a sum; `words` as in a stream. */
static inline int8_t rip_m0_output(int32_t sum, const int32_t* words) {
  const int32_t least = rip_flash_s32(words), most = rip_flash_s32(words + 1);
  const int32_t x = sum < least ? least : sum > most ? most : sum;
  const int32_t low = (x * rip_flash_s32(words + 2)) >> 10;
  const int32_t middle = (x * rip_flash_s32(words + 3) + low) >> 10;
  uint32_t y = (uint32_t)x * (uint32_t)rip_flash_s32(words + 4) + (uint32_t)middle + (uint32_t)rip_flash_s32(words + 5);
  if (x < 0) y -= (uint32_t)rip_flash_s32(words + 6);
  return (int8_t)(uint8_t)(y >> 24);
}

/* What rip_conv2d_m0_row makes a pixel of. */
typedef struct rip_m0_pixel {
  const int32_t* taps_end; /* a multiple of two words after the first, one at least */
  int8_t* out;             /* the first channel's byte */
  int8_t* out_end;         /* an even number of channels on, one at least */
} rip_m0_pixel;

/* Makes the channels [out, out_end) of a pixel. `taps`: as rip_m0_widen makes them. Returns where the stream goes on.
 */
const int32_t* rip_m0_make_pixel(const int32_t* stream, const int32_t* taps, const rip_m0_pixel* pixel);

/* Some of a pixel's taps, and the sums that they go into. */
typedef struct rip_m0_piece {
  const int32_t* taps_end; /* a multiple of two words after the first, one at least */
  int32_t* sums;           /* of an even number of channels, one at least, without the bias */
  int32_t* sums_end;
  int32_t before, after; /* bytes of the stream between a pair's first word, the piece's weights, and the loose words */
  int32_t begin, bytes;  /* of the words of all taps: those before the piece, and its own */
} rip_m0_piece;

/* Adds to the sums. Returns where the stream goes on after their channels. */
const int32_t* rip_m0_add_piece(const int32_t* stream, const int32_t* taps, const rip_m0_piece* piece);

/* Makes the row of rip_conv2d_m0_row with the taps of a pixel at `gathered`. */
void rip_m0_make_row(const rip_conv2d_m0* op, const rip_row_call* call, int32_t* gathered);

/* Makes of every four scalars two words: scalar0 + 65536 * scalar2, scalar1 + 65536 * scalar3. They may be written over
 * the scalars that are read already. Returns the end of the words. At least one quad. */
int32_t* rip_m0_widen(int32_t* to, const int8_t* from, int32_t quads);

#ifdef __cplusplus
}
#endif
#endif
