// From a lowered operator to the C function that runs it.
#include <stdexcept>

#include "lower/lower.h"

namespace ripc {
namespace {

struct Call {
  const std::string& kernel;
  const rip_row_call& call;

  void operator()(const rip_conv2d_s8& p) const {
    if (kernel == "rip_pointwise_s8_row") {
      rip_pointwise_s8_row(&p, &call);
    } else if (kernel == "rip_pointwise_s8_own_row") {
      rip_pointwise_s8_own_row(&p, &call);
    } else {
      rip_conv2d_s8_row(&p, &call);
    }
  }
  void operator()(const rip_conv2d_dsp& p) const {
    if (kernel == "rip_conv2d_dsp_wide_row") rip_conv2d_dsp_wide_row(&p, &call);
    if (kernel == "rip_conv2d_dsp_wide_own_row") rip_conv2d_dsp_wide_own_row(&p, &call);
    if (kernel == "rip_conv2d_dsp_wide_direct_row") rip_conv2d_dsp_wide_direct_row(&p, &call);
    if (kernel == "rip_conv2d_dsp_row") rip_conv2d_dsp_row(&p, &call);
    if (kernel == "rip_conv2d_dsp_own_row") rip_conv2d_dsp_own_row(&p, &call);
    if (kernel == "rip_conv2d_dsp_direct_row") rip_conv2d_dsp_direct_row(&p, &call);
  }
  void operator()(const rip_depthwise_dsp& p) const {
    if (kernel == "rip_depthwise3_dsp_row") rip_depthwise3_dsp_row(&p, &call);
    if (kernel == "rip_depthwise5_dsp_row") rip_depthwise5_dsp_row(&p, &call);
    if (kernel == "rip_depthwise7_dsp_row") rip_depthwise7_dsp_row(&p, &call);
    if (kernel == "rip_depthwise3_dsp_kept_row") rip_depthwise3_dsp_kept_row(&p, &call);
    if (kernel == "rip_depthwise3_dsp_plane") rip_depthwise3_dsp_plane(&p, &call);
    if (kernel == "rip_depthwise3_dsp_small_plane") rip_depthwise3_dsp_small_plane(&p, &call);
    if (kernel == "rip_depthwise5_dsp_kept_row") rip_depthwise5_dsp_kept_row(&p, &call);
    if (kernel == "rip_depthwise5_dsp_plane") rip_depthwise5_dsp_plane(&p, &call);
    if (kernel == "rip_depthwise5_dsp_small_plane") rip_depthwise5_dsp_small_plane(&p, &call);
    if (kernel == "rip_depthwise7_dsp_kept_row") rip_depthwise7_dsp_kept_row(&p, &call);
    if (kernel == "rip_depthwise7_dsp_plane") rip_depthwise7_dsp_plane(&p, &call);
    if (kernel == "rip_depthwise7_dsp_small_plane") rip_depthwise7_dsp_small_plane(&p, &call);
  }
  void operator()(const rip_conv2d_m0& p) const {
    if (kernel == "rip_conv2d_pairs_m0_row") {
      rip_conv2d_pairs_m0_row(&p, &call);
    } else if (kernel == "rip_conv2d_small_m0_row") {
      rip_conv2d_small_m0_row(&p, &call);
    } else if (kernel == "rip_conv2d_any_m0_row") {
      rip_conv2d_any_m0_row(&p, &call);
    } else {
      rip_conv2d_m0_row(&p, &call);
    }
  }
  void operator()(const rip_depthwise_m0& p) const {
    if (kernel == "rip_depthwise3_m0_row") rip_depthwise3_m0_row(&p, &call);
    if (kernel == "rip_depthwise5_m0_row") rip_depthwise5_m0_row(&p, &call);
    if (kernel == "rip_depthwise7_m0_row") rip_depthwise7_m0_row(&p, &call);
    if (kernel == "rip_depthwise3_m0_plane") rip_depthwise3_m0_plane(&p, &call);
    if (kernel == "rip_depthwise3_m0_small_plane") rip_depthwise3_m0_small_plane(&p, &call);
    if (kernel == "rip_depthwise5_m0_plane") rip_depthwise5_m0_plane(&p, &call);
    if (kernel == "rip_depthwise5_m0_small_plane") rip_depthwise5_m0_small_plane(&p, &call);
    if (kernel == "rip_depthwise7_m0_plane") rip_depthwise7_m0_plane(&p, &call);
    if (kernel == "rip_depthwise7_m0_small_plane") rip_depthwise7_m0_small_plane(&p, &call);
  }
  void operator()(const rip_add_dsp& p) const { rip_add_dsp_row(&p, &call); }
  void operator()(const rip_add_table& p) const { rip_add_table_row(&p, &call); }
  void operator()(const rip_depthwise_s8& p) const {
    if (kernel == "rip_depthwise_s8_plane") {
      rip_depthwise_s8_plane(&p, &call);
    } else if (kernel == "rip_depthwise_s8_plane_block") {
      rip_depthwise_s8_plane_block(&p, &call);
    } else if (kernel == "rip_depthwise_s8_late_row") {
      rip_depthwise_s8_late_row(&p, &call);
    } else {
      rip_depthwise_s8_row(&p, &call);
    }
  }
  void operator()(const rip_pool_s8& p) const {
    if (kernel == "rip_maxpool_s8_row") {
      rip_maxpool_s8_row(&p, &call);
    } else if (kernel == "rip_maxpool_s16_row") {
      rip_maxpool_s16_row(&p, &call);
    } else if (kernel == "rip_avgpool_s16_row") {
      rip_avgpool_s16_row(&p, &call);
    } else if (kernel == "rip_avgpool_s8_rows") {
      rip_avgpool_s8_rows(&p, &call);
    } else {
      rip_avgpool_s8_row(&p, &call);
    }
  }
  void operator()(const rip_add& p) const {
    if (kernel == "rip_add_s16_row") {
      rip_add_s16_row(&p, &call);
    } else if (kernel == "rip_squared_difference_s8_row") {
      rip_squared_difference_s8_row(&p, &call);
    } else if (kernel == "rip_squared_difference_s16_row") {
      rip_squared_difference_s16_row(&p, &call);
    } else {
      rip_add_s8_row(&p, &call);
    }
  }
  void operator()(const rip_mul& p) const {
    if (kernel == "rip_mul_s16_row") {
      rip_mul_s16_row(&p, &call);
    } else if (kernel == "rip_div_s8_row") {
      rip_div_s8_row(&p, &call);
    } else {
      rip_mul_s8_row(&p, &call);
    }
  }
  void operator()(const rip_minmax& p) const {
    if (kernel == "rip_minmax_s16_row") {
      rip_minmax_s16_row(&p, &call);
    } else {
      rip_minmax_s8_row(&p, &call);
    }
  }
  void operator()(const rip_prelu_s8& p) const { rip_prelu_s8_row(&p, &call); }
  void operator()(const rip_pair_f32& p) const { rip_pair_f32_row(&p, &call); }
  void operator()(const rip_pair_s32& p) const { rip_pair_s32_row(&p, &call); }
  void operator()(const rip_unary_f32& p) const {
    if (kernel == "rip_exponential_f32_row") {
      rip_exponential_f32_row(&p, &call);
    } else {
      rip_unary_f32_row(&p, &call);
    }
  }
  void operator()(const rip_sigmoid_s16& p) const { rip_sigmoid_s16_row(&p, &call); }
  void operator()(const rip_cast& p) const { rip_cast_row(&p, &call); }
  void operator()(const rip_slopes_s16& p) const { rip_slopes_s16_row(&p, &call); }
  void operator()(const rip_mean_s8& p) const {
    if (kernel == "rip_mean_s16_whole") {
      rip_mean_s16_whole(&p, &call);
    } else if (kernel == "rip_mean_s8_rows") {
      rip_mean_s8_rows(&p, &call);
    } else {
      rip_mean_s8_whole(&p, &call);
    }
  }
  void operator()(const rip_pad& p) const { rip_pad_row(&p, &call); }
  void operator()(const rip_softmax_s8& p) const {
    if (kernel == "rip_softmax_s8_s16_row") {
      rip_softmax_s8_s16_row(&p, &call);
    } else {
      rip_softmax_s8_row(&p, &call);
    }
  }
  void operator()(const rip_table_s8& p) const { rip_table_s8_row(&p, &call); }
  void operator()(const rip_table_f32& p) const { rip_table_f32_row(&p, &call); }
  void operator()(const rip_quantize_f32& p) const {
    if (kernel == "rip_quantize_f32_s16_row") {
      rip_quantize_f32_s16_row(&p, &call);
    } else {
      rip_quantize_f32_row(&p, &call);
    }
  }
  void operator()(const rip_rearrange& p) const { rip_rearrange_row(&p, &call); }
  void operator()(const rip_concat& p) const { rip_concat_row(&p, &call); }
  void operator()(const rip_resize_bilinear_s8& p) const { rip_resize_bilinear_s8_row(&p, &call); }
  void operator()(const rip_transpose_conv_s8& p) const { rip_transpose_conv_s8_row(&p, &call); }
  void operator()(const rip_transpose_conv_s16& p) const { rip_transpose_conv_s16_row(&p, &call); }
  void operator()(const rip_transpose_conv_f32& p) const { rip_transpose_conv_f32_row(&p, &call); }
  void operator()(const rip_lstm_f32& p) const { rip_lstm_f32_whole(&p, &call); }
  void operator()(const rip_sum_s8& p) const {
    if (kernel == "rip_sum_s16_whole") {
      rip_sum_s16_whole(&p, &call);
    } else {
      rip_sum_s8_whole(&p, &call);
    }
  }
  void operator()(const rip_sum_f32& p) const { rip_sum_f32_whole(&p, &call); }
  void operator()(const rip_extreme_s8& p) const {
    if (kernel == "rip_extreme_s8_whole") {
      rip_extreme_s8_whole(&p, &call);
    } else if (kernel == "rip_extreme_f32_whole") {
      rip_extreme_f32_whole(&p, &call);
    } else if (kernel == "rip_arg_extreme_f32_whole") {
      rip_arg_extreme_f32_whole(&p, &call);
    } else {
      rip_arg_extreme_s8_whole(&p, &call);
    }
  }
  void operator()(const rip_l2_normalize_s8& p) const {
    if (kernel == "rip_l2_normalize_f32_row") {
      rip_l2_normalize_f32_row(&p, &call);
    } else {
      rip_l2_normalize_s8_row(&p, &call);
    }
  }
  void operator()(const rip_log_softmax_s8& p) const { rip_log_softmax_s8_row(&p, &call); }
  void operator()(const rip_resize_bilinear_f32& p) const { rip_resize_bilinear_f32_row(&p, &call); }
  void operator()(const rip_copy& p) const { rip_copy_row(&p, &call); }
  void operator()(const rip_lstm_s8& p) const { rip_lstm_s8_whole(&p, &call); }
  void operator()(const rip_svdf_s8& p) const {
    if (kernel == "rip_svdf_s8_whole") {
      rip_svdf_s8_whole(&p, &call);
    } else {
      rip_svdf_s8_s16_whole(&p, &call);
    }
  }
  void operator()(const rip_resize_nearest& p) const { rip_resize_nearest_row(&p, &call); }
  void operator()(const rip_conv2d_f32& p) const { rip_conv2d_f32_row(&p, &call); }
  void operator()(const rip_conv2d_s16& p) const { rip_conv2d_s16_row(&p, &call); }
  void operator()(const rip_depthwise_f32& p) const {
    if (kernel == "rip_depthwise_f32_plane") {
      rip_depthwise_f32_plane(&p, &call);
    } else {
      rip_depthwise_f32_row(&p, &call);
    }
  }
  void operator()(const rip_depthwise_s16& p) const {
    if (kernel == "rip_depthwise_s16_plane") {
      rip_depthwise_s16_plane(&p, &call);
    } else {
      rip_depthwise_s16_row(&p, &call);
    }
  }
  void operator()(const rip_pool_f32& p) const {
    if (kernel == "rip_maxpool_f32_row") {
      rip_maxpool_f32_row(&p, &call);
    } else {
      rip_avgpool_f32_row(&p, &call);
    }
  }
  void operator()(const rip_mean_f32& p) const { rip_mean_f32_whole(&p, &call); }
  void operator()(const rip_softmax_f32& p) const {
    if (kernel == "rip_log_softmax_f32_row") {
      rip_log_softmax_f32_row(&p, &call);
    } else {
      rip_softmax_f32_row(&p, &call);
    }
  }
  void operator()(const rip_softmax_s16& p) const { rip_softmax_s16_row(&p, &call); }
  void operator()(const rip_dequantize_s16& p) const { rip_dequantize_s16_row(&p, &call); }
  void operator()(const rip_rescale& p) const { rip_rescale_row(&p, &call); }
  void operator()(const rip_signal_window& p) const { rip_signal_window_whole(&p, &call); }
  void operator()(const rip_signal_vector& p) const {
    if (kernel == "rip_signal_headroom_whole") {
      rip_signal_headroom_whole(&p, &call);
    } else if (kernel == "rip_signal_scale_whole") {
      rip_signal_scale_whole(&p, &call);
    } else if (kernel == "rip_signal_energy_whole") {
      rip_signal_energy_whole(&p, &call);
    } else {
      rip_signal_square_root_whole(&p, &call);
    }
  }
  void operator()(const rip_signal_rfft& p) const { rip_signal_rfft_whole(&p, &call); }
  void operator()(const rip_signal_filter_bank& p) const { rip_signal_filter_bank_whole(&p, &call); }
  void operator()(const rip_signal_noise& p) const {
    if (kernel == "rip_signal_noise_whole") {
      rip_signal_noise_whole(&p, &call);
    } else {
      rip_signal_denoise_whole(&p, &call);
    }
  }
  void operator()(const rip_signal_gain& p) const { rip_signal_gain_whole(&p, &call); }
  void operator()(const rip_signal_log& p) const { rip_signal_log_whole(&p, &call); }
  void operator()(const rip_load& p) const { rip_load_row(&p, &call); }
};

}  // namespace

void call_kernel(const LoweredOp& op, const rip_row_call& call) { std::visit(Call{op.kernel, call}, op.params); }

}  // namespace ripc
