// The fields of each parameter struct, listed once. A structured binding has as many names as the struct has fields, so
// a field that is added to a struct and not here does not compile.
#pragma once

#include "rip/kernels.h"

namespace ripc::emit {

constexpr const char* struct_name(const rip_conv2d_s8&) { return "rip_conv2d_s8"; }
constexpr const char* struct_name(const rip_conv2d_dsp&) { return "rip_conv2d_dsp"; }
constexpr const char* struct_name(const rip_depthwise_dsp&) { return "rip_depthwise_dsp"; }
constexpr const char* struct_name(const rip_add_dsp&) { return "rip_add_dsp"; }
constexpr const char* struct_name(const rip_conv2d_m0&) { return "rip_conv2d_m0"; }
constexpr const char* struct_name(const rip_depthwise_m0&) { return "rip_depthwise_m0"; }
constexpr const char* struct_name(const rip_depthwise_s8&) { return "rip_depthwise_s8"; }
constexpr const char* struct_name(const rip_pool_s8&) { return "rip_pool_s8"; }
constexpr const char* struct_name(const rip_add&) { return "rip_add"; }
constexpr const char* struct_name(const rip_mul&) { return "rip_mul"; }
constexpr const char* struct_name(const rip_minmax&) { return "rip_minmax"; }
constexpr const char* struct_name(const rip_prelu_s8&) { return "rip_prelu_s8"; }
constexpr const char* struct_name(const rip_pair_f32&) { return "rip_pair_f32"; }
constexpr const char* struct_name(const rip_pair_s32&) { return "rip_pair_s32"; }
constexpr const char* struct_name(const rip_unary_f32&) { return "rip_unary_f32"; }
constexpr const char* struct_name(const rip_sigmoid_s16&) { return "rip_sigmoid_s16"; }
constexpr const char* struct_name(const rip_cast&) { return "rip_cast"; }
constexpr const char* struct_name(const rip_slopes_s16&) { return "rip_slopes_s16"; }
constexpr const char* struct_name(const rip_mean_s8&) { return "rip_mean_s8"; }
constexpr const char* struct_name(const rip_pad&) { return "rip_pad"; }
constexpr const char* struct_name(const rip_softmax_s8&) { return "rip_softmax_s8"; }
constexpr const char* struct_name(const rip_table_s8&) { return "rip_table_s8"; }
constexpr const char* struct_name(const rip_table_f32&) { return "rip_table_f32"; }
constexpr const char* struct_name(const rip_quantize_f32&) { return "rip_quantize_f32"; }
constexpr const char* struct_name(const rip_resize_nearest&) { return "rip_resize_nearest"; }
constexpr const char* struct_name(const rip_rearrange&) { return "rip_rearrange"; }
constexpr const char* struct_name(const rip_concat&) { return "rip_concat"; }
constexpr const char* struct_name(const rip_conv2d_f32&) { return "rip_conv2d_f32"; }
constexpr const char* struct_name(const rip_conv2d_s16&) { return "rip_conv2d_s16"; }
constexpr const char* struct_name(const rip_depthwise_f32&) { return "rip_depthwise_f32"; }
constexpr const char* struct_name(const rip_depthwise_s16&) { return "rip_depthwise_s16"; }
constexpr const char* struct_name(const rip_pool_f32&) { return "rip_pool_f32"; }
constexpr const char* struct_name(const rip_mean_f32&) { return "rip_mean_f32"; }
constexpr const char* struct_name(const rip_softmax_f32&) { return "rip_softmax_f32"; }
constexpr const char* struct_name(const rip_softmax_s16&) { return "rip_softmax_s16"; }
constexpr const char* struct_name(const rip_dequantize_s16&) { return "rip_dequantize_s16"; }
constexpr const char* struct_name(const rip_rescale&) { return "rip_rescale"; }
constexpr const char* struct_name(const rip_resize_bilinear_s8&) { return "rip_resize_bilinear_s8"; }
constexpr const char* struct_name(const rip_transpose_conv_s8&) { return "rip_transpose_conv_s8"; }
constexpr const char* struct_name(const rip_sum_s8&) { return "rip_sum_s8"; }
constexpr const char* struct_name(const rip_extreme_s8&) { return "rip_extreme_s8"; }
constexpr const char* struct_name(const rip_l2_normalize_s8&) { return "rip_l2_normalize_s8"; }
constexpr const char* struct_name(const rip_signal_window&) { return "rip_signal_window"; }
constexpr const char* struct_name(const rip_signal_vector&) { return "rip_signal_vector"; }
constexpr const char* struct_name(const rip_signal_rfft&) { return "rip_signal_rfft"; }
constexpr const char* struct_name(const rip_signal_filter_bank&) { return "rip_signal_filter_bank"; }
constexpr const char* struct_name(const rip_signal_noise&) { return "rip_signal_noise"; }
constexpr const char* struct_name(const rip_signal_gain&) { return "rip_signal_gain"; }
constexpr const char* struct_name(const rip_signal_log&) { return "rip_signal_log"; }
constexpr const char* struct_name(const rip_load&) { return "rip_load"; }
constexpr const char* struct_name(const rip_log_softmax_s8&) { return "rip_log_softmax_s8"; }
constexpr const char* struct_name(const rip_resize_bilinear_f32&) { return "rip_resize_bilinear_f32"; }
constexpr const char* struct_name(const rip_sum_f32&) { return "rip_sum_f32"; }
constexpr const char* struct_name(const rip_copy&) { return "rip_copy"; }
constexpr const char* struct_name(const rip_lstm_s8&) { return "rip_lstm_s8"; }
constexpr const char* struct_name(const rip_svdf_s8&) { return "rip_svdf_s8"; }
constexpr const char* struct_name(const rip_transpose_conv_s16&) { return "rip_transpose_conv_s16"; }
constexpr const char* struct_name(const rip_transpose_conv_f32&) { return "rip_transpose_conv_f32"; }
constexpr const char* struct_name(const rip_lstm_f32&) { return "rip_lstm_f32"; }

// visit_fields(params, visit) calls visit(name, value) for every field, in the order of the struct.

template <typename Visit>
void visit_fields(const rip_conv2d_s8& params, Visit& visit) {
  const auto& [weights, bias, multiplier, shift, in_width, groups, group_in, group_out, kernel_h, kernel_w, stride_w,
               dilation_w, pad_w, in_zero, out_zero, act_min, act_max] = params;
  visit("weights", weights);
  visit("bias", bias);
  visit("multiplier", multiplier);
  visit("shift", shift);
  visit("in_width", in_width);
  visit("groups", groups);
  visit("group_in", group_in);
  visit("group_out", group_out);
  visit("kernel_h", kernel_h);
  visit("kernel_w", kernel_w);
  visit("stride_w", stride_w);
  visit("dilation_w", dilation_w);
  visit("pad_w", pad_w);
  visit("in_zero", in_zero);
  visit("out_zero", out_zero);
  visit("act_min", act_min);
  visit("act_max", act_max);
}

template <typename Visit>
void visit_fields(const rip_conv2d_dsp& params, Visit& visit) {
  const auto& [stream, in_width, in_channels, out_channels, kernel_h, kernel_w, stride_w, dilation_w, pad_w, in_zero,
               odd_rounding, common_shift, act_min, act_max] = params;
  visit("stream", stream);
  visit("in_width", in_width);
  visit("in_channels", in_channels);
  visit("out_channels", out_channels);
  visit("kernel_h", kernel_h);
  visit("kernel_w", kernel_w);
  visit("stride_w", stride_w);
  visit("dilation_w", dilation_w);
  visit("pad_w", pad_w);
  visit("in_zero", in_zero);
  visit("odd_rounding", odd_rounding);
  visit("common_shift", common_shift);
  visit("act_min", act_min);
  visit("act_max", act_max);
}

template <typename Visit>
void visit_fields(const rip_depthwise_dsp& params, Visit& visit) {
  const auto& [stream, channels, in_height, in_width, out_height, out_width, stride_h, pad_h, stride_w, pad_w,
               strip_words, in_zero, odd_rounding, act_min, act_max] = params;
  visit("stream", stream);
  visit("channels", channels);
  visit("in_height", in_height);
  visit("in_width", in_width);
  visit("out_height", out_height);
  visit("out_width", out_width);
  visit("stride_h", stride_h);
  visit("pad_h", pad_h);
  visit("stride_w", stride_w);
  visit("pad_w", pad_w);
  visit("strip_words", strip_words);
  visit("in_zero", in_zero);
  visit("odd_rounding", odd_rounding);
  visit("act_min", act_min);
  visit("act_max", act_max);
}

template <typename Visit>
void visit_fields(const rip_add_dsp& params, Visit& visit) {
  const auto& [table0, table1, channels, multiplier, addend, shift, act_min, act_max] = params;
  visit("table0", table0);
  visit("table1", table1);
  visit("channels", channels);
  visit("multiplier", multiplier);
  visit("addend", addend);
  visit("shift", shift);
  visit("act_min", act_min);
  visit("act_max", act_max);
}

template <typename Visit>
void visit_fields(const rip_conv2d_m0& params, Visit& visit) {
  const auto& [stream, in_width, in_channels, out_channels, kernel_h, kernel_w, stride_w, dilation_w, pad_w, in_zero] =
      params;
  visit("stream", stream);
  visit("in_width", in_width);
  visit("in_channels", in_channels);
  visit("out_channels", out_channels);
  visit("kernel_h", kernel_h);
  visit("kernel_w", kernel_w);
  visit("stride_w", stride_w);
  visit("dilation_w", dilation_w);
  visit("pad_w", pad_w);
  visit("in_zero", in_zero);
}

template <typename Visit>
void visit_fields(const rip_depthwise_m0& params, Visit& visit) {
  const auto& [stream, channels, in_height, in_width, out_height, out_width, stride_h, pad_h, stride_w, pad_w,
               strip_words, in_zero] = params;
  visit("stream", stream);
  visit("channels", channels);
  visit("in_height", in_height);
  visit("in_width", in_width);
  visit("out_height", out_height);
  visit("out_width", out_width);
  visit("stride_h", stride_h);
  visit("pad_h", pad_h);
  visit("stride_w", stride_w);
  visit("pad_w", pad_w);
  visit("strip_words", strip_words);
  visit("in_zero", in_zero);
}

template <typename Visit>
void visit_fields(const rip_depthwise_s8& params, Visit& visit) {
  const auto& [weights, bias, multiplier, shift, channels, in_height, in_width, out_height, out_width, kernel_h,
               stride_h, dilation_h, pad_h, kernel_w, stride_w, dilation_w, pad_w, in_zero, out_zero, act_min,
               act_max] = params;
  visit("weights", weights);
  visit("bias", bias);
  visit("multiplier", multiplier);
  visit("shift", shift);
  visit("channels", channels);
  visit("in_height", in_height);
  visit("in_width", in_width);
  visit("out_height", out_height);
  visit("out_width", out_width);
  visit("kernel_h", kernel_h);
  visit("stride_h", stride_h);
  visit("dilation_h", dilation_h);
  visit("pad_h", pad_h);
  visit("kernel_w", kernel_w);
  visit("stride_w", stride_w);
  visit("dilation_w", dilation_w);
  visit("pad_w", pad_w);
  visit("in_zero", in_zero);
  visit("out_zero", out_zero);
  visit("act_min", act_min);
  visit("act_max", act_max);
}

template <typename Visit>
void visit_fields(const rip_pool_s8& params, Visit& visit) {
  const auto& [in_width, channels, kernel_h, kernel_w, stride_w, pad_w, act_min, act_max] = params;
  visit("in_width", in_width);
  visit("channels", channels);
  visit("kernel_h", kernel_h);
  visit("kernel_w", kernel_w);
  visit("stride_w", stride_w);
  visit("pad_w", pad_w);
  visit("act_min", act_min);
  visit("act_max", act_max);
}

template <typename Visit>
void visit_fields(const rip_add& params, Visit& visit) {
  const auto& [channels, operand0, operand1, sign1, zero0, multiplier0, shift0, zero1, multiplier1, shift1, out_zero,
               out_multiplier, out_shift, act_min, act_max] = params;
  visit("channels", channels);
  visit("operand0", operand0);
  visit("operand1", operand1);
  visit("sign1", sign1);
  visit("zero0", zero0);
  visit("multiplier0", multiplier0);
  visit("shift0", shift0);
  visit("zero1", zero1);
  visit("multiplier1", multiplier1);
  visit("shift1", shift1);
  visit("out_zero", out_zero);
  visit("out_multiplier", out_multiplier);
  visit("out_shift", out_shift);
  visit("act_min", act_min);
  visit("act_max", act_max);
}

template <typename Visit>
void visit_fields(const rip_mul& params, Visit& visit) {
  const auto& [channels, operand0, operand1, zero0, zero1, multiplier, shift, out_zero, act_min, act_max] = params;
  visit("channels", channels);
  visit("operand0", operand0);
  visit("operand1", operand1);
  visit("zero0", zero0);
  visit("zero1", zero1);
  visit("multiplier", multiplier);
  visit("shift", shift);
  visit("out_zero", out_zero);
  visit("act_min", act_min);
  visit("act_max", act_max);
}

template <typename Visit>
void visit_fields(const rip_minmax& params, Visit& visit) {
  const auto& [channels, operand0, operand1, maximum] = params;
  visit("channels", channels);
  visit("operand0", operand0);
  visit("operand1", operand1);
  visit("maximum", maximum);
}

template <typename Visit>
void visit_fields(const rip_prelu_s8& params, Visit& visit) {
  const auto& [channels, operand0, operand1, zero0, zero1, multiplier, shift, slope_multiplier, slope_shift, out_zero] =
      params;
  visit("channels", channels);
  visit("operand0", operand0);
  visit("operand1", operand1);
  visit("zero0", zero0);
  visit("zero1", zero1);
  visit("multiplier", multiplier);
  visit("shift", shift);
  visit("slope_multiplier", slope_multiplier);
  visit("slope_shift", slope_shift);
  visit("out_zero", out_zero);
}

template <typename Visit>
void visit_fields(const rip_pair_f32& params, Visit& visit) {
  const auto& [function, channels, operand0, operand1, act_min, act_max] = params;
  visit("function", function);
  visit("channels", channels);
  visit("operand0", operand0);
  visit("operand1", operand1);
  visit("act_min", act_min);
  visit("act_max", act_max);
}

template <typename Visit>
void visit_fields(const rip_pair_s32& params, Visit& visit) {
  const auto& [function, channels, operand0, operand1] = params;
  visit("function", function);
  visit("channels", channels);
  visit("operand0", operand0);
  visit("operand1", operand1);
}

template <typename Visit>
void visit_fields(const rip_unary_f32& params, Visit& visit) {
  const auto& [function, channels, low, high] = params;
  visit("function", function);
  visit("channels", channels);
  visit("low", low);
  visit("high", high);
}

template <typename Visit>
void visit_fields(const rip_sigmoid_s16& params, Visit& visit) {
  const auto& [table, channels, multiplier, shift, tanh] = params;
  visit("table", table);
  visit("channels", channels);
  visit("multiplier", multiplier);
  visit("shift", shift);
  visit("tanh", tanh);
}

template <typename Visit>
void visit_fields(const rip_cast& params, Visit& visit) {
  const auto& [from, to, channels] = params;
  visit("from", from);
  visit("to", to);
  visit("channels", channels);
}

template <typename Visit>
void visit_fields(const rip_slopes_s16& params, Visit& visit) {
  const auto& [channels, absolute, multiplier, shift, below_multiplier, below_shift, below_negative] = params;
  visit("channels", channels);
  visit("absolute", absolute);
  visit("multiplier", multiplier);
  visit("shift", shift);
  visit("below_multiplier", below_multiplier);
  visit("below_shift", below_shift);
  visit("below_negative", below_negative);
}

template <typename Visit>
void visit_fields(const rip_mean_s8& params, Visit& visit) {
  const auto& [channels, pixels, rows, offset, multiplier, shift, out_zero] = params;
  visit("channels", channels);
  visit("pixels", pixels);
  visit("rows", rows);
  visit("offset", offset);
  visit("multiplier", multiplier);
  visit("shift", shift);
  visit("out_zero", out_zero);
}

template <typename Visit>
void visit_fields(const rip_pad& params, Visit& visit) {
  const auto& [in_width, pad_w, pixel_bytes, before_bytes, after_bytes, scalar_bytes, fill] = params;
  visit("in_width", in_width);
  visit("pad_w", pad_w);
  visit("pixel_bytes", pixel_bytes);
  visit("before_bytes", before_bytes);
  visit("after_bytes", after_bytes);
  visit("scalar_bytes", scalar_bytes);
  visit("fill", fill);
}

template <typename Visit>
void visit_fields(const rip_softmax_s8& params, Visit& visit) {
  const auto& [channels, multiplier, shift, diff_min] = params;
  visit("channels", channels);
  visit("multiplier", multiplier);
  visit("shift", shift);
  visit("diff_min", diff_min);
}

template <typename Visit>
void visit_fields(const rip_table_s8& params, Visit& visit) {
  const auto& [table, channels] = params;
  visit("table", table);
  visit("channels", channels);
}

template <typename Visit>
void visit_fields(const rip_table_f32& params, Visit& visit) {
  const auto& [table, channels] = params;
  visit("table", table);
  visit("channels", channels);
}

template <typename Visit>
void visit_fields(const rip_quantize_f32& params, Visit& visit) {
  const auto& [scale, channels, out_zero, out_min, out_max] = params;
  visit("scale", scale);
  visit("channels", channels);
  visit("out_zero", out_zero);
  visit("out_min", out_min);
  visit("out_max", out_max);
}

template <typename Visit>
void visit_fields(const rip_rearrange& params, Visit& visit) {
  const auto& [axes, offsets, count, start, block_bytes] = params;
  visit("axes", axes);
  visit("offsets", offsets);
  visit("count", count);
  visit("start", start);
  visit("block_bytes", block_bytes);
}

template <typename Visit>
void visit_fields(const rip_concat& params, Visit& visit) {
  const auto& [bytes, tables, table, inputs] = params;
  visit("bytes", bytes);
  visit("tables", tables);
  visit("table", table);
  visit("inputs", inputs);
}

template <typename Visit>
void visit_fields(const rip_resize_nearest& params, Visit& visit) {
  const auto& [columns, pixel_bytes] = params;
  visit("columns", columns);
  visit("pixel_bytes", pixel_bytes);
}

template <typename Visit>
void visit_fields(const rip_conv2d_f32& params, Visit& visit) {
  const auto& [weights, bias, in_width, groups, group_in, group_out, kernel_h, kernel_w, stride_w, dilation_w, pad_w,
               act_min, act_max] = params;
  visit("weights", weights);
  visit("bias", bias);
  visit("in_width", in_width);
  visit("groups", groups);
  visit("group_in", group_in);
  visit("group_out", group_out);
  visit("kernel_h", kernel_h);
  visit("kernel_w", kernel_w);
  visit("stride_w", stride_w);
  visit("dilation_w", dilation_w);
  visit("pad_w", pad_w);
  visit("act_min", act_min);
  visit("act_max", act_max);
}

template <typename Visit>
void visit_fields(const rip_conv2d_s16& params, Visit& visit) {
  const auto& [weights, bias, multiplier, shift, in_width, groups, group_in, group_out, kernel_h, kernel_w, stride_w,
               dilation_w, pad_w, narrow, act_min, act_max] = params;
  visit("weights", weights);
  visit("bias", bias);
  visit("multiplier", multiplier);
  visit("shift", shift);
  visit("in_width", in_width);
  visit("groups", groups);
  visit("group_in", group_in);
  visit("group_out", group_out);
  visit("kernel_h", kernel_h);
  visit("kernel_w", kernel_w);
  visit("stride_w", stride_w);
  visit("dilation_w", dilation_w);
  visit("pad_w", pad_w);
  visit("narrow", narrow);
  visit("act_min", act_min);
  visit("act_max", act_max);
}

template <typename Visit>
void visit_fields(const rip_depthwise_f32& params, Visit& visit) {
  const auto& [weights, bias, channels, in_height, in_width, out_height, out_width, kernel_h, stride_h, dilation_h,
               pad_h, kernel_w, stride_w, dilation_w, pad_w, act_min, act_max] = params;
  visit("weights", weights);
  visit("bias", bias);
  visit("channels", channels);
  visit("in_height", in_height);
  visit("in_width", in_width);
  visit("out_height", out_height);
  visit("out_width", out_width);
  visit("kernel_h", kernel_h);
  visit("stride_h", stride_h);
  visit("dilation_h", dilation_h);
  visit("pad_h", pad_h);
  visit("kernel_w", kernel_w);
  visit("stride_w", stride_w);
  visit("dilation_w", dilation_w);
  visit("pad_w", pad_w);
  visit("act_min", act_min);
  visit("act_max", act_max);
}

template <typename Visit>
void visit_fields(const rip_depthwise_s16& params, Visit& visit) {
  const auto& [weights, bias, multiplier, shift, channels, in_height, in_width, out_height, out_width, kernel_h,
               stride_h, dilation_h, pad_h, kernel_w, stride_w, dilation_w, pad_w, narrow, act_min, act_max] = params;
  visit("weights", weights);
  visit("bias", bias);
  visit("multiplier", multiplier);
  visit("shift", shift);
  visit("channels", channels);
  visit("in_height", in_height);
  visit("in_width", in_width);
  visit("out_height", out_height);
  visit("out_width", out_width);
  visit("kernel_h", kernel_h);
  visit("stride_h", stride_h);
  visit("dilation_h", dilation_h);
  visit("pad_h", pad_h);
  visit("kernel_w", kernel_w);
  visit("stride_w", stride_w);
  visit("dilation_w", dilation_w);
  visit("pad_w", pad_w);
  visit("narrow", narrow);
  visit("act_min", act_min);
  visit("act_max", act_max);
}

template <typename Visit>
void visit_fields(const rip_pool_f32& params, Visit& visit) {
  const auto& [in_width, channels, kernel_h, kernel_w, stride_w, pad_w, act_min, act_max] = params;
  visit("in_width", in_width);
  visit("channels", channels);
  visit("kernel_h", kernel_h);
  visit("kernel_w", kernel_w);
  visit("stride_w", stride_w);
  visit("pad_w", pad_w);
  visit("act_min", act_min);
  visit("act_max", act_max);
}

template <typename Visit>
void visit_fields(const rip_mean_f32& params, Visit& visit) {
  const auto& [channels, pixels] = params;
  visit("channels", channels);
  visit("pixels", pixels);
}

template <typename Visit>
void visit_fields(const rip_softmax_f32& params, Visit& visit) {
  const auto& [channels, beta] = params;
  visit("channels", channels);
  visit("beta", beta);
}

template <typename Visit>
void visit_fields(const rip_softmax_s16& params, Visit& visit) {
  const auto& [exponentials, reciprocals, channels, multiplier, shift] = params;
  visit("exponentials", exponentials);
  visit("reciprocals", reciprocals);
  visit("channels", channels);
  visit("multiplier", multiplier);
  visit("shift", shift);
}

template <typename Visit>
void visit_fields(const rip_signal_window& params, Visit& visit) {
  const auto& [weights, samples, period, shift] = params;
  visit("weights", weights);
  visit("samples", samples);
  visit("period", period);
  visit("shift", shift);
}

template <typename Visit>
void visit_fields(const rip_signal_vector& params, Visit& visit) {
  const auto& [size, first, end] = params;
  visit("size", size);
  visit("first", first);
  visit("end", end);
}

template <typename Visit>
void visit_fields(const rip_signal_rfft& params, Visit& visit) {
  const auto& [twiddles, unpacking, samples, points] = params;
  visit("twiddles", twiddles);
  visit("unpacking", unpacking);
  visit("samples", samples);
  visit("points", points);
}

template <typename Visit>
void visit_fields(const rip_signal_filter_bank& params, Visit& visit) {
  const auto& [weights, rests, bands, channels] = params;
  visit("weights", weights);
  visit("rests", rests);
  visit("bands", bands);
  visit("channels", channels);
}

template <typename Visit>
void visit_fields(const rip_signal_noise& params, Visit& visit) {
  const auto& [channels, even_weight, even_rest, odd_weight, odd_rest, smoothing_bits, weight_bits, least_part,
               clamps] = params;
  visit("channels", channels);
  visit("even_weight", even_weight);
  visit("even_rest", even_rest);
  visit("odd_weight", odd_weight);
  visit("odd_rest", odd_rest);
  visit("smoothing_bits", smoothing_bits);
  visit("weight_bits", weight_bits);
  visit("least_part", least_part);
  visit("clamps", clamps);
}

template <typename Visit>
void visit_fields(const rip_signal_gain& params, Visit& visit) {
  const auto& [table, channels, shift] = params;
  visit("table", table);
  visit("channels", channels);
  visit("shift", shift);
}

template <typename Visit>
void visit_fields(const rip_signal_log& params, Visit& visit) {
  const auto& [table, channels, shift, scale] = params;
  visit("table", table);
  visit("channels", channels);
  visit("shift", shift);
  visit("scale", scale);
}

template <typename Visit>
void visit_fields(const rip_load& params, Visit& visit) {
  const auto& [pixel_bytes] = params;
  visit("pixel_bytes", pixel_bytes);
}

template <typename Visit>
void visit_fields(const rip_log_softmax_s8& params, Visit& visit) {
  const auto& [channels, multiplier, shift, back_multiplier, back_shift, diff_min] = params;
  visit("channels", channels);
  visit("multiplier", multiplier);
  visit("shift", shift);
  visit("back_multiplier", back_multiplier);
  visit("back_shift", back_shift);
  visit("diff_min", diff_min);
}

template <typename Visit>
void visit_fields(const rip_resize_bilinear_f32& params, Visit& visit) {
  const auto& [columns, column_fraction, row_fraction, channels] = params;
  visit("columns", columns);
  visit("column_fraction", column_fraction);
  visit("row_fraction", row_fraction);
  visit("channels", channels);
}

template <typename Visit>
void visit_fields(const rip_sum_f32& params, Visit& visit) {
  const auto& [outer, first, middle, second, inner, divides] = params;
  visit("outer", outer);
  visit("first", first);
  visit("middle", middle);
  visit("second", second);
  visit("inner", inner);
  visit("divides", divides);
}

template <typename Visit>
void visit_fields(const rip_dequantize_s16& params, Visit& visit) {
  const auto& [scale, channels, in_zero] = params;
  visit("scale", scale);
  visit("channels", channels);
  visit("in_zero", in_zero);
}

template <typename Visit>
void visit_fields(const rip_rescale& params, Visit& visit) {
  const auto& [channels, in_bytes, out_bytes, in_zero, multiplier, shift, out_zero, out_min, out_max] = params;
  visit("channels", channels);
  visit("in_bytes", in_bytes);
  visit("out_bytes", out_bytes);
  visit("in_zero", in_zero);
  visit("multiplier", multiplier);
  visit("shift", shift);
  visit("out_zero", out_zero);
  visit("out_min", out_min);
  visit("out_max", out_max);
}

template <typename Visit>
void visit_fields(const rip_resize_bilinear_s8& params, Visit& visit) {
  const auto& [columns, column_fraction, row_fraction, channels] = params;
  visit("columns", columns);
  visit("column_fraction", column_fraction);
  visit("row_fraction", row_fraction);
  visit("channels", channels);
}

template <typename Visit>
void visit_fields(const rip_transpose_conv_s8& params, Visit& visit) {
  const auto& [weights, bias, multiplier, shift, in_width, in_channels, out_channels, kernel_h, kernel_w, upsample_w,
               pad_w, in_zero, out_zero, act_min, act_max] = params;
  visit("weights", weights);
  visit("bias", bias);
  visit("multiplier", multiplier);
  visit("shift", shift);
  visit("in_width", in_width);
  visit("in_channels", in_channels);
  visit("out_channels", out_channels);
  visit("kernel_h", kernel_h);
  visit("kernel_w", kernel_w);
  visit("upsample_w", upsample_w);
  visit("pad_w", pad_w);
  visit("in_zero", in_zero);
  visit("out_zero", out_zero);
  visit("act_min", act_min);
  visit("act_max", act_max);
}

template <typename Visit>
void visit_fields(const rip_sum_s8& params, Visit& visit) {
  const auto& [outer, first, middle, second, inner, offset, multiplier, shift, out_zero] = params;
  visit("outer", outer);
  visit("first", first);
  visit("middle", middle);
  visit("second", second);
  visit("inner", inner);
  visit("offset", offset);
  visit("multiplier", multiplier);
  visit("shift", shift);
  visit("out_zero", out_zero);
}

template <typename Visit>
void visit_fields(const rip_extreme_s8& params, Visit& visit) {
  const auto& [outer, first, middle, second, inner, largest] = params;
  visit("outer", outer);
  visit("first", first);
  visit("middle", middle);
  visit("second", second);
  visit("inner", inner);
  visit("largest", largest);
}

template <typename Visit>
void visit_fields(const rip_l2_normalize_s8& params, Visit& visit) {
  const auto& [channels, in_zero] = params;
  visit("channels", channels);
  visit("in_zero", in_zero);
}

template <typename Visit>
void visit_fields(const rip_copy& params, Visit& visit) {
  const auto& [pixel_bytes] = params;
  visit("pixel_bytes", pixel_bytes);
}

template <typename Visit>
void visit_fields(const rip_lstm_s8& params, Visit& visit) {
  const auto& [input_weights, hidden_weights, input_bias, hidden_bias, multiplier, shift, table, inputs, units,
               forget_multiplier, forget_shift, fresh_multiplier, fresh_shift, out_multiplier, out_shift, cell_clip,
               cell_shift, out_zero] = params;
  visit("input_weights", input_weights);
  visit("hidden_weights", hidden_weights);
  visit("input_bias", input_bias);
  visit("hidden_bias", hidden_bias);
  visit("multiplier", multiplier);
  visit("shift", shift);
  visit("table", table);
  visit("inputs", inputs);
  visit("units", units);
  visit("forget_multiplier", forget_multiplier);
  visit("forget_shift", forget_shift);
  visit("fresh_multiplier", fresh_multiplier);
  visit("fresh_shift", fresh_shift);
  visit("out_multiplier", out_multiplier);
  visit("out_shift", out_shift);
  visit("cell_clip", cell_clip);
  visit("cell_shift", cell_shift);
  visit("out_zero", out_zero);
}

template <typename Visit>
void visit_fields(const rip_svdf_s8& params, Visit& visit) {
  const auto& [feature_weights, time_weights, bias, inputs, units, rank, memory, in_zero, memory_zero, out_zero,
               feature_multiplier, feature_shift, multiplier, shift, act_min, act_max] = params;
  visit("feature_weights", feature_weights);
  visit("time_weights", time_weights);
  visit("bias", bias);
  visit("inputs", inputs);
  visit("units", units);
  visit("rank", rank);
  visit("memory", memory);
  visit("in_zero", in_zero);
  visit("memory_zero", memory_zero);
  visit("out_zero", out_zero);
  visit("feature_multiplier", feature_multiplier);
  visit("feature_shift", feature_shift);
  visit("multiplier", multiplier);
  visit("shift", shift);
  visit("act_min", act_min);
  visit("act_max", act_max);
}

template <typename Visit>
void visit_fields(const rip_transpose_conv_s16& params, Visit& visit) {
  const auto& [weights, bias, multiplier, shift, in_width, in_channels, out_channels, kernel_h, kernel_w, upsample_w,
               pad_w, narrow, act_min, act_max] = params;
  visit("weights", weights);
  visit("bias", bias);
  visit("multiplier", multiplier);
  visit("shift", shift);
  visit("in_width", in_width);
  visit("in_channels", in_channels);
  visit("out_channels", out_channels);
  visit("kernel_h", kernel_h);
  visit("kernel_w", kernel_w);
  visit("upsample_w", upsample_w);
  visit("pad_w", pad_w);
  visit("narrow", narrow);
  visit("act_min", act_min);
  visit("act_max", act_max);
}

template <typename Visit>
void visit_fields(const rip_transpose_conv_f32& params, Visit& visit) {
  const auto& [weights, bias, in_width, in_channels, out_channels, kernel_h, kernel_w, upsample_w, pad_w, act_min,
               act_max] = params;
  visit("weights", weights);
  visit("bias", bias);
  visit("in_width", in_width);
  visit("in_channels", in_channels);
  visit("out_channels", out_channels);
  visit("kernel_h", kernel_h);
  visit("kernel_w", kernel_w);
  visit("upsample_w", upsample_w);
  visit("pad_w", pad_w);
  visit("act_min", act_min);
  visit("act_max", act_max);
}

template <typename Visit>
void visit_fields(const rip_lstm_f32& params, Visit& visit) {
  const auto& [input_weights, hidden_weights, bias, inputs, units, cell_clip] = params;
  visit("input_weights", input_weights);
  visit("hidden_weights", hidden_weights);
  visit("bias", bias);
  visit("inputs", inputs);
  visit("units", units);
  visit("cell_clip", cell_clip);
}

}  // namespace ripc::emit
