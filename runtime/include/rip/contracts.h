/* The contract of every kernel of rip/kernels.h. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_CONTRACTS_H
#define RIP_CONTRACTS_H

#include "rip/contract.h"

#ifdef __cplusplus
extern "C" {
#endif

/* kernel, tap order, held channels, whole tensor, alignment, tight, scratch, kept, any scratch; bytes as fixed, per
 * output channel, per input channel, per window scalar, per ring pixel, per strip word, per lane word, per output
 * column */

static const rip_contract rip_conv2d_s8_row_contract = {"rip_conv2d_s8_row", RIP_PIXEL_DIRECT, 4, 0, 1, 1,
                                                        RIP_NOTHING,         RIP_NOTHING,      0};

static const rip_contract rip_pointwise_s8_row_contract = {
    "rip_pointwise_s8_row", RIP_PIXEL_DIRECT, 4, 0, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

/* A pixel of the output row goes through the scratch, so the row may take the place of its input row. */
static const rip_contract rip_pointwise_s8_own_row_contract = {
    "rip_pointwise_s8_own_row", RIP_PIXEL_DIRECT, INT16_MAX, 0, 1, 0, {0, 1, 0, 0, 0, 0, 0, 0}, RIP_NOTHING, 0};

static const rip_contract rip_depthwise_s8_late_row_contract = {
    "rip_depthwise_s8_late_row", RIP_ROW_PLANE, RIP_LATE_CHANNELS, 0, 1, 0, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_mean_s8_rows_contract = {
    "rip_mean_s8_rows", RIP_ROW_SUM, 1, 0, 1, 0, RIP_NOTHING, {0, 4, 0, 0, 0, 0, 0, 0}, 0};

static const rip_contract rip_avgpool_s8_rows_contract = {
    "rip_avgpool_s8_rows", RIP_ROW_SUM, 1, 0, 1, 0, RIP_NOTHING, {0, 4, 0, 0, 0, 0, 0, 0}, 0};

static const rip_contract rip_depthwise_s8_row_contract = {
    "rip_depthwise_s8_row", RIP_CHANNEL_LOCAL, 1, 0, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

/* Only for shapes in which the plane's writes stay behind its reads: see rip/kernels.h. */
static const rip_contract rip_depthwise_s8_plane_contract = {"rip_depthwise_s8_plane", RIP_PLANE,   1, 1, 1, 0,
                                                             {0, 0, 0, 0, 1, 0, 0, 0}, RIP_NOTHING, 0};

static const rip_contract rip_depthwise_s8_plane_block_contract = {
    "rip_depthwise_s8_plane_block", RIP_PLANE, 1, 1, 1, 0, {0, 0, 0, 0, 4, 0, 0, 0}, RIP_NOTHING, 0};

static const rip_contract rip_avgpool_s8_row_contract = {"rip_avgpool_s8_row", RIP_CHANNEL_LOCAL, 1, 0, 1, 1,
                                                         RIP_NOTHING,          RIP_NOTHING,       0};

static const rip_contract rip_maxpool_s8_row_contract = {"rip_maxpool_s8_row", RIP_CHANNEL_LOCAL, 1, 0, 1, 1,
                                                         RIP_NOTHING,          RIP_NOTHING,       0};

static const rip_contract rip_add_s8_row_contract = {"rip_add_s8_row", RIP_ELEMENTWISE, 1, 0, 1, 1,
                                                     RIP_NOTHING,      RIP_NOTHING,     0};

static const rip_contract rip_mul_s8_row_contract = {"rip_mul_s8_row", RIP_ELEMENTWISE, 1, 0, 1, 1,
                                                     RIP_NOTHING,      RIP_NOTHING,     0};

static const rip_contract rip_add_s16_row_contract = {"rip_add_s16_row", RIP_ELEMENTWISE, 1, 0, 1, 1,
                                                      RIP_NOTHING,       RIP_NOTHING,     0};

static const rip_contract rip_squared_difference_s8_row_contract = {
    "rip_squared_difference_s8_row", RIP_ELEMENTWISE, 1, 0, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_squared_difference_s16_row_contract = {
    "rip_squared_difference_s16_row", RIP_ELEMENTWISE, 1, 0, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_mul_s16_row_contract = {"rip_mul_s16_row", RIP_ELEMENTWISE, 1, 0, 1, 1,
                                                      RIP_NOTHING,       RIP_NOTHING,     0};

static const rip_contract rip_div_s8_row_contract = {"rip_div_s8_row", RIP_ELEMENTWISE, 1, 0, 1, 1,
                                                     RIP_NOTHING,      RIP_NOTHING,     0};

static const rip_contract rip_minmax_s8_row_contract = {"rip_minmax_s8_row", RIP_ELEMENTWISE, 1, 0, 1, 1,
                                                        RIP_NOTHING,         RIP_NOTHING,     0};

static const rip_contract rip_minmax_s16_row_contract = {"rip_minmax_s16_row", RIP_ELEMENTWISE, 1, 0, 1, 1,
                                                         RIP_NOTHING,          RIP_NOTHING,     0};

static const rip_contract rip_prelu_s8_row_contract = {"rip_prelu_s8_row", RIP_ELEMENTWISE, 1, 0, 1, 1,
                                                       RIP_NOTHING,        RIP_NOTHING,     0};

static const rip_contract rip_pair_f32_row_contract = {"rip_pair_f32_row", RIP_ELEMENTWISE, 1, 0, 1, 1,
                                                       RIP_NOTHING,        RIP_NOTHING,     0};

static const rip_contract rip_pair_s32_row_contract = {"rip_pair_s32_row", RIP_ELEMENTWISE, 1, 0, 1, 1,
                                                       RIP_NOTHING,        RIP_NOTHING,     0};

static const rip_contract rip_unary_f32_row_contract = {"rip_unary_f32_row", RIP_ELEMENTWISE, 1, 0, 1, 1,
                                                        RIP_NOTHING,         RIP_NOTHING,     0};

static const rip_contract rip_exponential_f32_row_contract = {
    "rip_exponential_f32_row", RIP_ELEMENTWISE, 1, 0, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_sigmoid_s16_row_contract = {"rip_sigmoid_s16_row", RIP_ELEMENTWISE, 1, 0, 1, 1,
                                                          RIP_NOTHING,           RIP_NOTHING,     0};

static const rip_contract rip_slopes_s16_row_contract = {"rip_slopes_s16_row", RIP_ELEMENTWISE, 1, 0, 1, 1,
                                                         RIP_NOTHING,          RIP_NOTHING,     0};

static const rip_contract rip_cast_row_contract = {"rip_cast_row", RIP_ELEMENTWISE, 1, 0, 1, 1,
                                                   RIP_NOTHING,    RIP_NOTHING,     0};

static const rip_contract rip_mean_s8_whole_contract = {"rip_mean_s8_whole", RIP_CHANNEL_LOCAL, 1, 1, 1, 1,
                                                        RIP_NOTHING,         RIP_NOTHING,       0};

static const rip_contract rip_pad_row_contract = {"rip_pad_row", RIP_PIXEL_DIRECT, INT16_MAX, 0, 1, 1,
                                                  RIP_NOTHING,   RIP_NOTHING,      0};

/* The writes of a pixel's vector follow two passes of reads over it. */
static const rip_contract rip_softmax_s8_row_contract = {"rip_softmax_s8_row", RIP_ELEMENTWISE, 1, 0, 1, 1,
                                                         RIP_NOTHING,          RIP_NOTHING,     0};

static const rip_contract rip_softmax_s8_s16_row_contract = {
    "rip_softmax_s8_s16_row", RIP_ELEMENTWISE, 1, 0, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_table_s8_row_contract = {"rip_table_s8_row", RIP_ELEMENTWISE, 1, 0, 1, 1,
                                                       RIP_NOTHING,        RIP_NOTHING,     0};

static const rip_contract rip_table_f32_row_contract = {"rip_table_f32_row", RIP_ELEMENTWISE, 1, 0, 1, 1,
                                                        RIP_NOTHING,         RIP_NOTHING,     0};

static const rip_contract rip_quantize_f32_row_contract = {
    "rip_quantize_f32_row", RIP_ELEMENTWISE, 1, 0, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_resize_nearest_row_contract = {
    "rip_resize_nearest_row", RIP_PIXEL_DIRECT, INT16_MAX, 0, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_concat_row_contract = {"rip_concat_row", RIP_IN_TURN, 1, 0, 1, 1,
                                                     RIP_NOTHING,      RIP_NOTHING, 0};
static const rip_contract rip_resize_bilinear_s8_row_contract = {
    "rip_resize_bilinear_s8_row", RIP_CHANNEL_LOCAL, 1, 0, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_transpose_conv_s8_row_contract = {
    "rip_transpose_conv_s8_row", RIP_PIXEL_DIRECT, 4, 0, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_transpose_conv_s16_row_contract = {
    "rip_transpose_conv_s16_row", RIP_PIXEL_DIRECT, 4, 0, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_transpose_conv_f32_row_contract = {
    "rip_transpose_conv_f32_row", RIP_PIXEL_DIRECT, 4, 0, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

/* One output scalar after another, each written after its own reads. */
static const rip_contract rip_sum_s8_whole_contract = {"rip_sum_s8_whole", RIP_PIXEL_DIRECT, INT16_MAX, 1, 1, 1,
                                                       RIP_NOTHING,        RIP_NOTHING,      0};

static const rip_contract rip_extreme_s8_whole_contract = {
    "rip_extreme_s8_whole", RIP_PIXEL_DIRECT, INT16_MAX, 1, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_arg_extreme_s8_whole_contract = {
    "rip_arg_extreme_s8_whole", RIP_PIXEL_DIRECT, INT16_MAX, 1, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_log_softmax_s8_row_contract = {
    "rip_log_softmax_s8_row", RIP_ELEMENTWISE, 1, 0, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_log_softmax_f32_row_contract = {
    "rip_log_softmax_f32_row", RIP_ELEMENTWISE, 1, 0, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_l2_normalize_f32_row_contract = {
    "rip_l2_normalize_f32_row", RIP_ELEMENTWISE, 1, 0, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_resize_bilinear_f32_row_contract = {
    "rip_resize_bilinear_f32_row", RIP_CHANNEL_LOCAL, 1, 0, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_sum_s16_whole_contract = {"rip_sum_s16_whole", RIP_PIXEL_DIRECT, INT16_MAX, 1, 1, 1,
                                                        RIP_NOTHING,         RIP_NOTHING,      0};

static const rip_contract rip_sum_f32_whole_contract = {"rip_sum_f32_whole", RIP_PIXEL_DIRECT, INT16_MAX, 1, 1, 1,
                                                        RIP_NOTHING,         RIP_NOTHING,      0};

static const rip_contract rip_extreme_f32_whole_contract = {
    "rip_extreme_f32_whole", RIP_PIXEL_DIRECT, INT16_MAX, 1, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_arg_extreme_f32_whole_contract = {
    "rip_arg_extreme_f32_whole", RIP_PIXEL_DIRECT, INT16_MAX, 1, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_l2_normalize_s8_row_contract = {
    "rip_l2_normalize_s8_row", RIP_ELEMENTWISE, 1, 0, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_copy_row_contract = {"rip_copy_row", RIP_PIXEL_DIRECT, INT16_MAX, 0, 1, 1,
                                                   RIP_NOTHING,    RIP_NOTHING,      0};

static const rip_contract rip_load_row_contract = {"rip_load_row", RIP_PIXEL_DIRECT, INT16_MAX, 0, 1, 0,
                                                   RIP_NOTHING,    RIP_NOTHING,      0};

/* The output row is the new hidden vector, of which every unit but the last is written before the last reads the input.
 */
static const rip_contract rip_lstm_s8_whole_contract = {"rip_lstm_s8_whole", RIP_FORWARD_DIRECT, 1, 1, 1, 1,
                                                        RIP_NOTHING,         RIP_NOTHING,        0};

static const rip_contract rip_lstm_f32_whole_contract = {"rip_lstm_f32_whole", RIP_FORWARD_DIRECT, 1, 1, 1, 1,
                                                         RIP_NOTHING,          RIP_NOTHING,        0};

static const rip_contract rip_svdf_s8_whole_contract = {"rip_svdf_s8_whole", RIP_PIXEL_DIRECT, 1, 1, 1, 0,
                                                        RIP_NOTHING,         RIP_NOTHING,      0};

static const rip_contract rip_svdf_s8_s16_whole_contract = {
    "rip_svdf_s8_s16_whole", RIP_PIXEL_DIRECT, 1, 1, 1, 0, RIP_NOTHING, RIP_NOTHING, 0};

/* A pixel is a block. */
static const rip_contract rip_rearrange_row_contract = {"rip_rearrange_row", RIP_PIXEL_DIRECT, INT16_MAX, 0, 1, 1,
                                                        RIP_NOTHING,         RIP_NOTHING,      0};

/* The audio front end. The samples are read once more before the first is written. */
static const rip_contract rip_signal_window_whole_contract = {
    "rip_signal_window_whole", RIP_ELEMENTWISE, 1, 1, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_signal_headroom_whole_contract = {
    "rip_signal_headroom_whole", RIP_PIXEL_DIRECT, INT16_MAX, 1, 1, 0, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_signal_scale_whole_contract = {
    "rip_signal_scale_whole", RIP_ELEMENTWISE, 1, 1, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

/* The input is moved to the output before anything else. */
static const rip_contract rip_signal_rfft_whole_contract = {
    "rip_signal_rfft_whole", RIP_PIXEL_DIRECT, INT16_MAX, 1, 1, 0, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_signal_energy_whole_contract = {
    "rip_signal_energy_whole", RIP_ELEMENTWISE, 1, 1, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

/* Channel after channel, each from wherever its band lies. */
static const rip_contract rip_signal_filter_bank_whole_contract = {
    "rip_signal_filter_bank_whole", RIP_FORWARD_DIRECT, 1, 1, 1, 0, RIP_NOTHING, RIP_NOTHING, 0};

/* Nothing may be written over the shift of the square root. */
static const rip_contract rip_signal_square_root_whole_contract = {
    "rip_signal_square_root_whole", RIP_ELEMENTWISE, 1, 1, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_signal_noise_whole_contract = {
    "rip_signal_noise_whole", RIP_ELEMENTWISE, 1, 1, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_signal_denoise_whole_contract = {
    "rip_signal_denoise_whole", RIP_ELEMENTWISE, 1, 1, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_signal_gain_whole_contract = {
    "rip_signal_gain_whole", RIP_ELEMENTWISE, 1, 1, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_signal_log_whole_contract = {
    "rip_signal_log_whole", RIP_ELEMENTWISE, 1, 1, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_conv2d_f32_row_contract = {"rip_conv2d_f32_row", RIP_PIXEL_DIRECT, 4, 0, 1, 1,
                                                         RIP_NOTHING,          RIP_NOTHING,      0};

static const rip_contract rip_conv2d_s16_row_contract = {"rip_conv2d_s16_row", RIP_PIXEL_DIRECT, 4, 0, 1, 1,
                                                         RIP_NOTHING,          RIP_NOTHING,      0};

static const rip_contract rip_depthwise_f32_row_contract = {
    "rip_depthwise_f32_row", RIP_CHANNEL_LOCAL, 1, 0, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_depthwise_s16_row_contract = {
    "rip_depthwise_s16_row", RIP_CHANNEL_LOCAL, 1, 0, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_depthwise_f32_plane_contract = {"rip_depthwise_f32_plane", RIP_PLANE,   1, 1, 1, 0,
                                                              {0, 0, 0, 0, 4, 0, 0, 0},  RIP_NOTHING, 0};

static const rip_contract rip_depthwise_s16_plane_contract = {"rip_depthwise_s16_plane", RIP_PLANE,   1, 1, 1, 0,
                                                              {0, 0, 0, 0, 2, 0, 0, 0},  RIP_NOTHING, 0};

static const rip_contract rip_avgpool_f32_row_contract = {"rip_avgpool_f32_row", RIP_CHANNEL_LOCAL, 1, 0, 1, 1,
                                                          RIP_NOTHING,           RIP_NOTHING,       0};

static const rip_contract rip_avgpool_s16_row_contract = {"rip_avgpool_s16_row", RIP_CHANNEL_LOCAL, 1, 0, 1, 1,
                                                          RIP_NOTHING,           RIP_NOTHING,       0};

static const rip_contract rip_maxpool_f32_row_contract = {"rip_maxpool_f32_row", RIP_CHANNEL_LOCAL, 1, 0, 1, 1,
                                                          RIP_NOTHING,           RIP_NOTHING,       0};

static const rip_contract rip_maxpool_s16_row_contract = {"rip_maxpool_s16_row", RIP_CHANNEL_LOCAL, 1, 0, 1, 1,
                                                          RIP_NOTHING,           RIP_NOTHING,       0};

static const rip_contract rip_mean_f32_whole_contract = {"rip_mean_f32_whole", RIP_CHANNEL_LOCAL, 1, 1, 1, 1,
                                                         RIP_NOTHING,          RIP_NOTHING,       0};

static const rip_contract rip_mean_s16_whole_contract = {"rip_mean_s16_whole", RIP_CHANNEL_LOCAL, 1, 1, 1, 1,
                                                         RIP_NOTHING,          RIP_NOTHING,       0};

static const rip_contract rip_softmax_f32_row_contract = {"rip_softmax_f32_row", RIP_ELEMENTWISE, 1, 0, 1, 1,
                                                          RIP_NOTHING,           RIP_NOTHING,     0};

static const rip_contract rip_softmax_s16_row_contract = {"rip_softmax_s16_row", RIP_ELEMENTWISE, 1, 0, 1, 1,
                                                          RIP_NOTHING,           RIP_NOTHING,     0};

static const rip_contract rip_quantize_f32_s16_row_contract = {
    "rip_quantize_f32_s16_row", RIP_ELEMENTWISE, 1, 0, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_dequantize_s16_row_contract = {
    "rip_dequantize_s16_row", RIP_ELEMENTWISE, 1, 0, 1, 1, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_rescale_row_contract = {"rip_rescale_row", RIP_ELEMENTWISE, 1, 0, 1, 1,
                                                      RIP_NOTHING,       RIP_NOTHING,     0};

/* Scratch: the taps of two pixels as halves, rounded up to 8 taps, and 3 bytes to align them. */
static const rip_contract rip_conv2d_dsp_row_contract = {
    "rip_conv2d_dsp_row", RIP_PIXEL_DIRECT, INT16_MAX, 0, 1, 0, {31, 0, 0, 4, 0, 0, 0, 0}, RIP_NOTHING, 0};

static const rip_contract rip_conv2d_dsp_wide_row_contract = {
    "rip_conv2d_dsp_wide_row", RIP_PIXEL_DIRECT, INT16_MAX, 0, 1, 0, {31, 0, 0, 4, 0, 0, 0, 0}, RIP_NOTHING, 0};

/* Scratch: a pixel of the output. */
static const rip_contract rip_conv2d_dsp_own_row_contract = {
    "rip_conv2d_dsp_own_row", RIP_PIXEL_DIRECT, INT16_MAX, 0, 1, 0, {0, 1, 0, 0, 0, 0, 0, 0}, RIP_NOTHING, 0};

static const rip_contract rip_conv2d_dsp_wide_own_row_contract = {
    "rip_conv2d_dsp_wide_own_row", RIP_PIXEL_DIRECT, INT16_MAX, 0, 1, 0, {0, 1, 0, 0, 0, 0, 0, 0}, RIP_NOTHING, 0};

static const rip_contract rip_conv2d_dsp_direct_row_contract = {
    "rip_conv2d_dsp_direct_row", RIP_PIXEL_DIRECT, 4, 0, 1, 0, {31, 0, 0, 4, 0, 0, 0, 0}, RIP_NOTHING, 1};

static const rip_contract rip_conv2d_dsp_wide_direct_row_contract = {
    "rip_conv2d_dsp_wide_direct_row", RIP_PIXEL_DIRECT, 4, 0, 1, 0, {31, 0, 0, 4, 0, 0, 0, 0}, RIP_NOTHING, 1};

/* Scratch: strips of four channels, two rows a strip, and 3 bytes to align them; in the row kernel the last row of two
 * channels shares one, and with less the strips are packed, or of a part of the row. */
static const rip_contract rip_depthwise3_dsp_row_contract = {"rip_depthwise3_dsp_row",  RIP_ROW_PLANE, 4, 0, 1, 0,
                                                             {3, 0, 0, 0, 0, 24, 0, 0}, RIP_NOTHING,   1};

static const rip_contract rip_depthwise3_dsp_kept_row_contract = {
    "rip_depthwise3_dsp_kept_row", RIP_ROW_PLANE, 4, 0, 1, 0, RIP_NOTHING, {3, 0, 0, 0, 0, 0, 8, 0}, 0};

static const rip_contract rip_depthwise3_dsp_plane_contract = {"rip_depthwise3_dsp_plane", RIP_PLANE,   1, 1, 1, 0,
                                                               {3, 0, 0, 0, 0, 32, 0, 0},  RIP_NOTHING, 0};

static const rip_contract rip_depthwise3_dsp_small_plane_contract = {
    "rip_depthwise3_dsp_small_plane", RIP_PLANE, 1, 1, 1, 0, {0, 0, 0, 0, 1, 0, 0, 0}, RIP_NOTHING, 0};

static const rip_contract rip_depthwise5_dsp_row_contract = {"rip_depthwise5_dsp_row",  RIP_ROW_PLANE, 4, 0, 1, 0,
                                                             {3, 0, 0, 0, 0, 40, 0, 0}, RIP_NOTHING,   1};

static const rip_contract rip_depthwise5_dsp_kept_row_contract = {
    "rip_depthwise5_dsp_kept_row", RIP_ROW_PLANE, 4, 0, 1, 0, RIP_NOTHING, {3, 0, 0, 0, 0, 0, 12, 0}, 0};

static const rip_contract rip_depthwise5_dsp_plane_contract = {"rip_depthwise5_dsp_plane", RIP_PLANE,   1, 1, 1, 0,
                                                               {3, 0, 0, 0, 0, 48, 0, 0},  RIP_NOTHING, 0};

static const rip_contract rip_depthwise5_dsp_small_plane_contract = {
    "rip_depthwise5_dsp_small_plane", RIP_PLANE, 1, 1, 1, 0, {0, 0, 0, 0, 1, 0, 0, 0}, RIP_NOTHING, 0};

static const rip_contract rip_depthwise7_dsp_row_contract = {"rip_depthwise7_dsp_row",  RIP_ROW_PLANE, 4, 0, 1, 0,
                                                             {3, 0, 0, 0, 0, 56, 0, 0}, RIP_NOTHING,   1};

static const rip_contract rip_depthwise7_dsp_kept_row_contract = {
    "rip_depthwise7_dsp_kept_row", RIP_ROW_PLANE, 4, 0, 1, 0, RIP_NOTHING, {3, 0, 0, 0, 0, 0, 16, 0}, 0};

static const rip_contract rip_depthwise7_dsp_plane_contract = {"rip_depthwise7_dsp_plane", RIP_PLANE,   1, 1, 1, 0,
                                                               {3, 0, 0, 0, 0, 64, 0, 0},  RIP_NOTHING, 0};

static const rip_contract rip_depthwise7_dsp_small_plane_contract = {
    "rip_depthwise7_dsp_small_plane", RIP_PLANE, 1, 1, 1, 0, {0, 0, 0, 0, 1, 0, 0, 0}, RIP_NOTHING, 0};

static const rip_contract rip_add_dsp_row_contract = {"rip_add_dsp_row", RIP_ELEMENTWISE, 1, 0, 1, 1,
                                                      RIP_NOTHING,       RIP_NOTHING,     0};

static const rip_contract rip_add_table_row_contract = {"rip_add_table_row", RIP_ELEMENTWISE, 1, 0, 1, 1,
                                                        RIP_NOTHING,         RIP_NOTHING,     0};

/* Scratch: the taps of a pixel, two a word, rounded up to 4 taps, and 3 bytes to align them; or of two pixels. */
static const rip_contract rip_conv2d_m0_row_contract = {"rip_conv2d_m0_row",      RIP_PIXEL_DIRECT, INT16_MAX, 0, 1, 0,
                                                        {9, 0, 0, 2, 0, 0, 0, 0}, RIP_NOTHING,      0};

static const rip_contract rip_conv2d_small_m0_row_contract = {
    "rip_conv2d_small_m0_row", RIP_PIXEL_DIRECT, INT16_MAX, 0, 1, 0, RIP_NOTHING, RIP_NOTHING, 0};

/* Of an odd number of channels the last pair has one. */
static const rip_contract rip_conv2d_any_m0_row_contract = {"rip_conv2d_any_m0_row",  RIP_PIXEL_DIRECT, 15, 0, 1, 0,
                                                            {9, 0, 0, 2, 0, 0, 0, 0}, RIP_NOTHING,      1};

static const rip_contract rip_conv2d_pairs_m0_row_contract = {
    "rip_conv2d_pairs_m0_row", RIP_PIXEL_DIRECT, INT16_MAX, 0, 1, 0, {15, 0, 0, 4, 0, 0, 0, 0}, RIP_NOTHING, 0};

/* Scratch: strips of one channel, two rows a strip, with room for padding. */
static const rip_contract rip_depthwise3_m0_row_contract = {"rip_depthwise3_m0_row",   RIP_ROW_PLANE, 1, 0, 1, 0,
                                                            {35, 0, 0, 0, 3, 0, 0, 0}, RIP_NOTHING,   1};

static const rip_contract rip_depthwise3_m0_plane_contract = {"rip_depthwise3_m0_plane", RIP_PLANE,   1, 1, 1, 0,
                                                              {35, 0, 0, 0, 3, 0, 0, 0}, RIP_NOTHING, 0};

static const rip_contract rip_depthwise3_m0_small_plane_contract = {
    "rip_depthwise3_m0_small_plane", RIP_PLANE, 1, 1, 1, 0, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_depthwise5_m0_row_contract = {"rip_depthwise5_m0_row",   RIP_ROW_PLANE, 1, 0, 1, 0,
                                                            {99, 0, 0, 0, 3, 0, 0, 0}, RIP_NOTHING,   1};

static const rip_contract rip_depthwise5_m0_plane_contract = {"rip_depthwise5_m0_plane", RIP_PLANE,   1, 1, 1, 0,
                                                              {99, 0, 0, 0, 3, 0, 0, 0}, RIP_NOTHING, 0};

static const rip_contract rip_depthwise5_m0_small_plane_contract = {
    "rip_depthwise5_m0_small_plane", RIP_PLANE, 1, 1, 1, 0, RIP_NOTHING, RIP_NOTHING, 0};

static const rip_contract rip_depthwise7_m0_row_contract = {"rip_depthwise7_m0_row",    RIP_ROW_PLANE, 1, 0, 1, 0,
                                                            {195, 0, 0, 0, 3, 0, 0, 0}, RIP_NOTHING,   1};

static const rip_contract rip_depthwise7_m0_plane_contract = {"rip_depthwise7_m0_plane",  RIP_PLANE,   1, 1, 1, 0,
                                                              {195, 0, 0, 0, 3, 0, 0, 0}, RIP_NOTHING, 0};

static const rip_contract rip_depthwise7_m0_small_plane_contract = {
    "rip_depthwise7_m0_small_plane", RIP_PLANE, 1, 1, 1, 0, RIP_NOTHING, RIP_NOTHING, 0};

/* The contract of the kernel of that name, or null. For the compiler; devices do not link it. */
const rip_contract* rip_find_contract(const char* kernel);

#ifdef __cplusplus
}
#endif
#endif
