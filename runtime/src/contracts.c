/* Finds a contract by the name of its kernel. Not part of what devices link. SPDX-License-Identifier: MIT-0 */
#include "rip/contracts.h"

#include <stddef.h>
#include <string.h>

const rip_contract* rip_find_contract(const char* kernel) {
  static const rip_contract* const contracts[] = {&rip_conv2d_s8_row_contract,
                                                  &rip_pointwise_s8_row_contract,
                                                  &rip_depthwise_s8_row_contract,
                                                  &rip_depthwise_s8_plane_contract,
                                                  &rip_avgpool_s8_row_contract,
                                                  &rip_maxpool_s8_row_contract,
                                                  &rip_add_s8_row_contract,
                                                  &rip_mul_s8_row_contract,
                                                  &rip_cast_row_contract,
                                                  &rip_mean_s8_whole_contract,
                                                  &rip_pad_row_contract,
                                                  &rip_softmax_s8_row_contract,
                                                  &rip_table_s8_row_contract,
                                                  &rip_table_f32_row_contract,
                                                  &rip_quantize_f32_row_contract,
                                                  &rip_resize_nearest_row_contract,
                                                  &rip_concat_row_contract,
                                                  &rip_rearrange_row_contract,
                                                  &rip_add_s16_row_contract,
                                                  &rip_squared_difference_s8_row_contract,
                                                  &rip_squared_difference_s16_row_contract,
                                                  &rip_mul_s16_row_contract,
                                                  &rip_div_s8_row_contract,
                                                  &rip_minmax_s8_row_contract,
                                                  &rip_minmax_s16_row_contract,
                                                  &rip_prelu_s8_row_contract,
                                                  &rip_pair_f32_row_contract,
                                                  &rip_pair_s32_row_contract,
                                                  &rip_unary_f32_row_contract,
                                                  &rip_exponential_f32_row_contract,
                                                  &rip_sigmoid_s16_row_contract,
                                                  &rip_slopes_s16_row_contract,
                                                  &rip_conv2d_f32_row_contract,
                                                  &rip_conv2d_s16_row_contract,
                                                  &rip_depthwise_f32_row_contract,
                                                  &rip_depthwise_s16_row_contract,
                                                  &rip_depthwise_f32_plane_contract,
                                                  &rip_depthwise_s16_plane_contract,
                                                  &rip_avgpool_f32_row_contract,
                                                  &rip_avgpool_s16_row_contract,
                                                  &rip_maxpool_f32_row_contract,
                                                  &rip_maxpool_s16_row_contract,
                                                  &rip_mean_f32_whole_contract,
                                                  &rip_mean_s16_whole_contract,
                                                  &rip_softmax_f32_row_contract,
                                                  &rip_softmax_s16_row_contract,
                                                  &rip_quantize_f32_s16_row_contract,
                                                  &rip_dequantize_s16_row_contract,
                                                  &rip_rescale_row_contract,
                                                  &rip_resize_bilinear_s8_row_contract,
                                                  &rip_transpose_conv_s8_row_contract,
                                                  &rip_sum_s8_whole_contract,
                                                  &rip_extreme_s8_whole_contract,
                                                  &rip_arg_extreme_s8_whole_contract,
                                                  &rip_l2_normalize_s8_row_contract,
                                                  &rip_copy_row_contract,
                                                  &rip_lstm_s8_whole_contract,
                                                  &rip_svdf_s8_whole_contract,
                                                  &rip_svdf_s8_s16_whole_contract};
  size_t i;
  for (i = 0; i < sizeof contracts / sizeof contracts[0]; i++) {
    if (strcmp(contracts[i]->kernel, kernel) == 0) return contracts[i];
  }
  return NULL;
}
