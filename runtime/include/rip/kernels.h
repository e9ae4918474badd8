/* The kernels and their parameters. Every struct is the lowered form of one operator: all arithmetic that does not
 * depend on activations is done by the compiler. Structs and arrays may lie in flash; kernels read them through
 * rip/flash.h.
 *
 * A kernel makes columns [x0, x1) of one output row, in the order of `step`, from the row pointers of the call. What it
 * promises about the order of its reads and writes is its contract (rip/contracts.h). SPDX-License-Identifier: MIT-0 */
#ifndef RIP_KERNELS_H
#define RIP_KERNELS_H

#include "rip/call.h"
#include "rip/dsp.h"
#include "rip/elementwise.h"
#include "rip/m0.h"
#include "rip/signal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* CONV_2D; FULLY_CONNECTED as 1x1; DEPTHWISE_CONV_2D whose multiplier is not 1 as a convolution of one input channel a
 * group. Output channel o of a group is clamp(out_zero + requantized(bias[o] + sum of weights * input), act_min,
 * act_max). Taps outside of the image read in_zero. */
typedef struct rip_conv2d_s8 {
  const int8_t* weights;     /* [groups * group_out][kernel_h][kernel_w][group_in] */
  const int32_t* bias;       /* [groups * group_out], less in_zero * the channel's sum of weights */
  const int32_t* multiplier; /* [groups * group_out], with shift: see rip/requantize.h */
  const int8_t* shift;       /* [groups * group_out] */
  int32_t in_width;          /* pixels of an input row */
  int32_t groups;
  int32_t group_in; /* channels of one group */
  int32_t group_out;
  int32_t kernel_h; /* row pointers of a call */
  int32_t kernel_w, stride_w, dilation_w, pad_w;
  int32_t in_zero, out_zero; /* zero points */
  int32_t act_min, act_max;
} rip_conv2d_s8;

void rip_conv2d_s8_row(const rip_conv2d_s8* op, const rip_row_call* call);

/* The same for a 1x1 kernel without groups or padding. */
void rip_pointwise_s8_row(const rip_conv2d_s8* op, const rip_row_call* call);

/* The same at a stride of 1, with the output row in the place of its input row if it has no more channels. Scratch: one
 * output pixel. */
void rip_pointwise_s8_own_row(const rip_conv2d_s8* op, const rip_row_call* call);

/* The same of binary32. */
typedef struct rip_conv2d_f32 {
  const float* weights; /* as of rip_conv2d_s8 */
  const float* bias;    /* [groups * group_out] */
  int32_t in_width;
  int32_t groups, group_in, group_out;
  int32_t kernel_h;
  int32_t kernel_w, stride_w, dilation_w, pad_w;
  float act_min, act_max;
} rip_conv2d_f32;

void rip_conv2d_f32_row(const rip_conv2d_f32* op, const rip_row_call* call);

/* The same of int16 with zero point 0 and weights of int8. */
typedef struct rip_conv2d_s16 {
  const int8_t* weights;     /* as of rip_conv2d_s8 */
  const int64_t* bias;       /* [groups * group_out] */
  const int32_t* multiplier; /* [groups * group_out], with shift: see rip/s16.h */
  const int8_t* shift;
  int32_t in_width;
  int32_t groups, group_in, group_out;
  int32_t kernel_h;
  int32_t kernel_w, stride_w, dilation_w, pad_w;
  int32_t narrow; /* 1: sums of 32 bits, requantized as those of int8; 0: of 64 bits */
  int32_t act_min, act_max;
} rip_conv2d_s16;

void rip_conv2d_s16_row(const rip_conv2d_s16* op, const rip_row_call* call);

#define RIP_PLANE_ROWS 8 /* most kernel rows of rip_depthwise_s8_plane_block */

/* DEPTHWISE_CONV_2D with multiplier 1. The row kernel uses neither the heights nor stride_h, dilation_h and pad_h. */
typedef struct rip_depthwise_s8 {
  const int8_t* weights;     /* [ceil(channels / 4)][kernel_h][kernel_w][4], filled up with zeros */
  const int32_t* bias;       /* [channels], less in_zero * the channel's sum of weights */
  const int32_t* multiplier; /* [channels] */
  const int8_t* shift;       /* [channels] */
  int32_t channels;
  int32_t in_height, in_width, out_height, out_width;
  int32_t kernel_h, stride_h, dilation_h, pad_h;
  int32_t kernel_w, stride_w, dilation_w, pad_w;
  int32_t in_zero, out_zero;
  int32_t act_min, act_max;
} rip_depthwise_s8;

void rip_depthwise_s8_row(const rip_depthwise_s8* op, const rip_row_call* call);

/* The same with the output row in the place of one of its input rows. Each pixel waits until RIP_LATE_PIXELS others
 * have read their taps: of the input pixels in its place no later one may read any. */
void rip_depthwise_s8_late_row(const rip_depthwise_s8* op, const rip_row_call* call);

/* Makes the whole output, one channel plane after another from the top, whatever the step. Input and output may start
 * at the same byte if in every output row r the last pixel, r * out_width + out_width - 1, is one whose input row the
 * taps of row r or of an earlier one have reached, or these have reached the last input row. Scratch: a ring of
 * (kernel_h - 1) * dilation_h + 1 input rows of one channel. */
void rip_depthwise_s8_plane(const rip_depthwise_s8* op, const rip_row_call* call);

/* The same for four channels after others, and for at most RIP_PLANE_ROWS kernel rows. */
void rip_depthwise_s8_plane_block(const rip_depthwise_s8* op, const rip_row_call* call);

/* The same of binary32, and of int16; the plane's ring holds scalars of that size. */
typedef struct rip_depthwise_f32 {
  const float* weights; /* [kernel_h][kernel_w][channels] */
  const float* bias;    /* [channels] */
  int32_t channels;
  int32_t in_height, in_width, out_height, out_width;
  int32_t kernel_h, stride_h, dilation_h, pad_h;
  int32_t kernel_w, stride_w, dilation_w, pad_w;
  float act_min, act_max;
} rip_depthwise_f32;

void rip_depthwise_f32_row(const rip_depthwise_f32* op, const rip_row_call* call);
void rip_depthwise_f32_plane(const rip_depthwise_f32* op, const rip_row_call* call);

typedef struct rip_depthwise_s16 {
  const int8_t* weights;     /* [kernel_h][kernel_w][channels] */
  const int64_t* bias;       /* [channels] */
  const int32_t* multiplier; /* [channels] */
  const int8_t* shift;       /* [channels] */
  int32_t channels;
  int32_t in_height, in_width, out_height, out_width;
  int32_t kernel_h, stride_h, dilation_h, pad_h;
  int32_t kernel_w, stride_w, dilation_w, pad_w;
  int32_t narrow; /* as of rip_conv2d_s16 */
  int32_t act_min, act_max;
} rip_depthwise_s16;

void rip_depthwise_s16_row(const rip_depthwise_s16* op, const rip_row_call* call);
void rip_depthwise_s16_plane(const rip_depthwise_s16* op, const rip_row_call* call);

/* AVERAGE_POOL_2D and MAX_POOL_2D: over the taps inside the image only. */
typedef struct rip_pool_s8 {
  int32_t in_width, channels;
  int32_t kernel_h;
  int32_t kernel_w, stride_w, pad_w;
  int32_t act_min, act_max;
} rip_pool_s8;

void rip_avgpool_s8_row(const rip_pool_s8* op, const rip_row_call* call);

/* Of a window of the whole image, one of its rows a call. Kept: an int32 for each channel. */
void rip_avgpool_s8_rows(const rip_pool_s8* op, const rip_row_call* call);
void rip_maxpool_s8_row(const rip_pool_s8* op, const rip_row_call* call);

/* The same of int16, and of binary32. */
void rip_avgpool_s16_row(const rip_pool_s8* op, const rip_row_call* call);
void rip_maxpool_s16_row(const rip_pool_s8* op, const rip_row_call* call);

typedef struct rip_pool_f32 {
  int32_t in_width, channels;
  int32_t kernel_h;
  int32_t kernel_w, stride_w, pad_w;
  float act_min, act_max;
} rip_pool_f32;

void rip_avgpool_f32_row(const rip_pool_f32* op, const rip_row_call* call);
void rip_maxpool_f32_row(const rip_pool_f32* op, const rip_row_call* call);

/* MEAN over height and width; rows[0] is the first of `pixels` pixels. The multiplier has the division by their number
 * in it. */
typedef struct rip_mean_s8 {
  int32_t channels, pixels, rows;
  int32_t offset; /* - in_zero * pixels */
  int32_t multiplier, shift;
  int32_t out_zero;
} rip_mean_s8;

void rip_mean_s8_whole(const rip_mean_s8* op, const rip_row_call* call);

/* The same, one of the `rows` a call. Kept: an int32 for each channel. */
void rip_mean_s8_rows(const rip_mean_s8* op, const rip_row_call* call);

/* The same of int16, and of binary32. */
void rip_mean_s16_whole(const rip_mean_s8* op, const rip_row_call* call);

typedef struct rip_mean_f32 {
  int32_t channels, pixels;
} rip_mean_f32;

void rip_mean_f32_whole(const rip_mean_f32* op, const rip_row_call* call);

/* PAD of any scalar type: rows (a null row pointer), columns, and bytes within a pixel. */
typedef struct rip_pad {
  int32_t in_width, pad_w;
  int32_t pixel_bytes;               /* of the input */
  int32_t before_bytes, after_bytes; /* around it in an output pixel */
  int32_t scalar_bytes;
  const int8_t* fill; /* [scalar_bytes]: what every other scalar holds */
} rip_pad;

void rip_pad_row(const rip_pad* op, const rip_row_call* call);

/* SOFTMAX over the channels of each pixel, to scale 1/256 and zero point -128. */
typedef struct rip_softmax_s8 {
  int32_t channels;
  int32_t multiplier, shift; /* of (x - largest x), to Q5.26 */
  int32_t diff_min;          /* where x - largest x is below it, the output is the least */
} rip_softmax_s8;

void rip_softmax_s8_row(const rip_softmax_s8* op, const rip_row_call* call);

/* The same to int16, at scale 1/65536 and zero point -32768. */
void rip_softmax_s8_s16_row(const rip_softmax_s8* op, const rip_row_call* call);

/* SOFTMAX of int16, to scale 1/32768 and zero point 0. */
typedef struct rip_softmax_s16 {
  const int16_t* exponentials; /* [513] e^x for x from -10 to 0, see rip_lookup_s16 */
  const int16_t* reciprocals;  /* [513] 1 / (1 + x) for x from 0 to 1 */
  int32_t channels;
  int32_t multiplier, shift; /* of (x - largest x), to 65535 / 10 */
} rip_softmax_s16;

void rip_softmax_s16_row(const rip_softmax_s16* op, const rip_row_call* call);

/* SOFTMAX of binary32. */
typedef struct rip_softmax_f32 {
  int32_t channels;
  float beta;
} rip_softmax_f32;

void rip_softmax_f32_row(const rip_softmax_f32* op, const rip_row_call* call);

/* LOG_SOFTMAX over the channels of each pixel, to scale 1/16 and zero point 127. */
typedef struct rip_log_softmax_s8 {
  int32_t channels;
  int32_t multiplier, shift;           /* of (x - largest x), to Q5.26 */
  int32_t back_multiplier, back_shift; /* the other way */
  int32_t diff_min;                    /* where x - largest x is below it, its exponential is nothing */
} rip_log_softmax_s8;

void rip_log_softmax_s8_row(const rip_log_softmax_s8* op, const rip_row_call* call);

/* LOG_SOFTMAX of binary32, with beta 1. */
void rip_log_softmax_f32_row(const rip_softmax_f32* op, const rip_row_call* call);

/* Any function of one byte: QUANTIZE between 8-bit types, RELU, RELU6, ... */
typedef struct rip_table_s8 {
  const int8_t* table; /* [256], by the input's bits as an unsigned byte */
  int32_t channels;
} rip_table_s8;

void rip_table_s8_row(const rip_table_s8* op, const rip_row_call* call);

/* Any function from a byte to binary32: DEQUANTIZE. */
typedef struct rip_table_f32 {
  const float* table; /* [256], by the input's bits as an unsigned byte */
  int32_t channels;
} rip_table_f32;

void rip_table_f32_row(const rip_table_f32* op, const rip_row_call* call);

/* QUANTIZE from binary32 to int8 or uint8: clamp(out_zero + round(x / scale)), halves away from zero; NaN becomes
 * out_min. */
typedef struct rip_quantize_f32 {
  float scale;
  int32_t channels;
  int32_t out_zero;
  int32_t out_min, out_max; /* of the output type */
} rip_quantize_f32;

void rip_quantize_f32_row(const rip_quantize_f32* op, const rip_row_call* call);

/* QUANTIZE from binary32 to int16, likewise. */
void rip_quantize_f32_s16_row(const rip_quantize_f32* op, const rip_row_call* call);

/* DEQUANTIZE of int16. */
typedef struct rip_dequantize_s16 {
  float scale;
  int32_t channels;
  int32_t in_zero;
} rip_dequantize_s16;

void rip_dequantize_s16_row(const rip_dequantize_s16* op, const rip_row_call* call);

/* QUANTIZE between signed integers of 1, 2 and 4 bytes: clamp(out_zero + requantized(x - in_zero)). */
typedef struct rip_rescale {
  int32_t channels;
  int32_t in_bytes, out_bytes; /* of a scalar */
  int32_t in_zero, multiplier, shift, out_zero;
  int32_t out_min, out_max;
} rip_rescale;

void rip_rescale_row(const rip_rescale* op, const rip_row_call* call);

/* RESIZE_NEAREST_NEIGHBOR of any scalar type; the row map belongs to the node. */
typedef struct rip_resize_nearest {
  const uint16_t* columns; /* input column of each output column */
  int32_t pixel_bytes;
} rip_resize_nearest;

void rip_resize_nearest_row(const rip_resize_nearest* op, const rip_row_call* call);

/* CONCATENATION of any scalar type: a pixel of the output is one piece of every input's pixel after another. Where in
 * and out lie on the same bytes already, nothing is moved. */
typedef struct rip_concat {
  const int32_t* bytes;  /* [inputs]: of each input's piece */
  const int32_t* tables; /* null: copies; else [inputs]: which table of `table` each byte goes through, or -1 */
  const int8_t* table;   /* [][256], by the input's bits as an unsigned byte */
  int32_t inputs;
} rip_concat;

void rip_concat_row(const rip_concat* op, const rip_row_call* call);
/* RESIZE_BILINEAR. Fractions are in 1024ths of the way from the first input row or column to the second; the row map
 * belongs to the node, and rows[0] and rows[1] are its two rows of output row `y`. */
typedef struct rip_resize_bilinear_s8 {
  const uint16_t* columns;        /* two input columns for each output column */
  const int16_t* column_fraction; /* by output column */
  const int16_t* row_fraction;    /* by output row */
  int32_t channels;
} rip_resize_bilinear_s8;

void rip_resize_bilinear_s8_row(const rip_resize_bilinear_s8* op, const rip_row_call* call);

/* The same of binary32; fractions are parts of 1. */
typedef struct rip_resize_bilinear_f32 {
  const uint16_t* columns;      /* two input columns for each output column */
  const float* column_fraction; /* by output column */
  const float* row_fraction;    /* by output row */
  int32_t channels;
} rip_resize_bilinear_f32;

void rip_resize_bilinear_f32_row(const rip_resize_bilinear_f32* op, const rip_row_call* call);

/* TRANSPOSE_CONV as a convolution of stride 1 over an input whose rows and columns are spread upsample apart: kernel
 * rows and columns in the order in which they meet it. A null row meets none. */
typedef struct rip_transpose_conv_s8 {
  const int8_t* weights;     /* [out_channels][kernel_h][kernel_w][in_channels], both ways reversed */
  const int32_t* bias;       /* [out_channels] */
  const int32_t* multiplier; /* [out_channels] */
  const int8_t* shift;       /* [out_channels] */
  int32_t in_width;
  int32_t in_channels, out_channels;
  int32_t kernel_h, kernel_w;
  int32_t upsample_w, pad_w; /* the input's first column lies pad_w after the kernel's first at output column 0 */
  int32_t in_zero, out_zero;
  int32_t act_min, act_max;
} rip_transpose_conv_s8;

void rip_transpose_conv_s8_row(const rip_transpose_conv_s8* op, const rip_row_call* call);

typedef struct rip_transpose_conv_s16 {
  const int8_t* weights;     /* as of rip_transpose_conv_s8 */
  const int64_t* bias;       /* [out_channels] */
  const int32_t* multiplier; /* [out_channels] */
  const int8_t* shift;       /* [out_channels] */
  int32_t in_width;
  int32_t in_channels, out_channels;
  int32_t kernel_h, kernel_w;
  int32_t upsample_w, pad_w;
  int32_t narrow; /* as of rip_conv2d_s16 */
  int32_t act_min, act_max;
} rip_transpose_conv_s16;

void rip_transpose_conv_s16_row(const rip_transpose_conv_s16* op, const rip_row_call* call);

typedef struct rip_transpose_conv_f32 {
  const float* weights; /* as of rip_transpose_conv_s8 */
  const float* bias;    /* [out_channels] */
  int32_t in_width;
  int32_t in_channels, out_channels;
  int32_t kernel_h, kernel_w;
  int32_t upsample_w, pad_w;
  float act_min, act_max;
} rip_transpose_conv_f32;

void rip_transpose_conv_f32_row(const rip_transpose_conv_f32* op, const rip_row_call* call);

/* SUM and MEAN over any axes: the input is [outer][first][middle][second][inner] and loses `first` and `second`. */
typedef struct rip_sum_s8 {
  int32_t outer, first, middle, second, inner;
  int32_t offset; /* - in_zero * first * second */
  int32_t multiplier, shift;
  int32_t out_zero;
} rip_sum_s8;

void rip_sum_s8_whole(const rip_sum_s8* op, const rip_row_call* call);
void rip_sum_s16_whole(const rip_sum_s8* op, const rip_row_call* call);

typedef struct rip_sum_f32 {
  int32_t outer, first, middle, second, inner;
  int32_t divides; /* 1: by first * second */
} rip_sum_f32;

void rip_sum_f32_whole(const rip_sum_f32* op, const rip_row_call* call);

/* REDUCE_MAX and REDUCE_MIN over the same; ARG_MAX and ARG_MIN over `first` alone, to int32. */
typedef struct rip_extreme_s8 {
  int32_t outer, first, middle, second, inner;
  int32_t largest; /* 0: the smallest */
} rip_extreme_s8;

void rip_extreme_s8_whole(const rip_extreme_s8* op, const rip_row_call* call);
void rip_arg_extreme_s8_whole(const rip_extreme_s8* op, const rip_row_call* call);

/* The same of binary32. */
void rip_extreme_f32_whole(const rip_extreme_s8* op, const rip_row_call* call);
void rip_arg_extreme_f32_whole(const rip_extreme_s8* op, const rip_row_call* call);

/* L2_NORMALIZATION over the channels of each pixel, to scale 1/128 and zero point 0. */
typedef struct rip_l2_normalize_s8 {
  int32_t channels;
  int32_t in_zero;
} rip_l2_normalize_s8;

void rip_l2_normalize_s8_row(const rip_l2_normalize_s8* op, const rip_row_call* call);

/* The same of binary32; in_zero is not read. */
void rip_l2_normalize_f32_row(const rip_l2_normalize_s8* op, const rip_row_call* call);

/* The same bytes elsewhere: a state that is assigned. */
typedef struct rip_copy {
  int32_t pixel_bytes;
} rip_copy;

void rip_copy_row(const rip_copy* op, const rip_row_call* call);

/* A constant of the model as an activation: rows[0] lies in flash. */
typedef struct rip_load {
  int32_t pixel_bytes;
} rip_load;

void rip_load_row(const rip_load* op, const rip_row_call* call);

/* UNIDIRECTIONAL_SEQUENCE_LSTM: columns [x0, x1) are the steps, always in their order. Gates are those of the input, of
 * what is forgotten, of the new cells, and of the output. call->state: the cells as int16, then the hidden vector. */
typedef struct rip_lstm_s8 {
  const int8_t* input_weights;  /* [4][units][inputs] */
  const int8_t* hidden_weights; /* [4][units][units] */
  const int32_t* input_bias;    /* [4][units], less the input's zero point * the unit's sum of weights */
  const int32_t* hidden_bias;   /* [4][units], less the hidden vector's zero point * the unit's sum of weights */
  const int32_t* multiplier;    /* [8]: of each gate's sum over the input, then over the hidden vector, to Q3.12 */
  const int8_t* shift;          /* [8] */
  const uint16_t* table;        /* [256], see rip/logistic.h */
  int32_t inputs, units;
  int32_t forget_multiplier, forget_shift; /* of a gate and a cell, to a cell */
  int32_t fresh_multiplier, fresh_shift;   /* of a gate and a new cell, to a cell */
  int32_t out_multiplier, out_shift;       /* of a gate and the tanh of a cell, to the output */
  int32_t cell_clip;                       /* 0: none */
  int32_t cell_shift;                      /* to the left, from a cell to Q3.12 */
  int32_t out_zero;
} rip_lstm_s8;

void rip_lstm_s8_whole(const rip_lstm_s8* op, const rip_row_call* call);

/* The same in binary32; call->state: the cells, then the hidden vector. */
typedef struct rip_lstm_f32 {
  const float* input_weights;  /* [4][units][inputs] */
  const float* hidden_weights; /* [4][units][units] */
  const float* bias;           /* [4][units] */
  int32_t inputs, units;
  float cell_clip; /* 0: none */
} rip_lstm_f32;

void rip_lstm_f32_whole(const rip_lstm_f32* op, const rip_row_call* call);

/* SVDF. call->state: the memories of the filters one after another, int8 or int16, the oldest first. */
typedef struct rip_svdf_s8 {
  const int8_t* feature_weights; /* [units * rank][inputs] */
  const void* time_weights;      /* [units * rank][memory], of the memory's type */
  const int32_t* bias;           /* [units], or null */
  int32_t inputs, units, rank, memory;
  int32_t in_zero, memory_zero, out_zero;
  int32_t feature_multiplier, feature_shift; /* of a filter's products with the input, to its memory */
  int32_t multiplier, shift;                 /* of a unit's sum, to the output */
  int32_t act_min, act_max;
} rip_svdf_s8;

void rip_svdf_s8_whole(const rip_svdf_s8* op, const rip_row_call* call);
void rip_svdf_s8_s16_whole(const rip_svdf_s8* op, const rip_row_call* call);

/* SLICE, TRANSPOSE, SPLIT, GATHER, MIRROR_PAD, ... of any scalar type, as one row of blocks of neighbouring bytes.
 * Index i of an axis lies i * stride bytes further into the input, or as many as `offsets` says. */
#define RIP_REARRANGE_AXES 6
typedef struct rip_rearrange {
  const int32_t* axes;    /* [count][3], outermost first: extent, stride, first of its offsets or -1 */
  const int32_t* offsets; /* null: every axis has a stride */
  int32_t count;          /* up to RIP_REARRANGE_AXES */
  int32_t start;          /* bytes */
  int32_t block_bytes;
} rip_rearrange;

void rip_rearrange_row(const rip_rearrange* op, const rip_row_call* call);

#ifdef __cplusplus
}
#endif
#endif
