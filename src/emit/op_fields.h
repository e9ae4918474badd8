// The fields of each parameter struct, listed once. A structured binding has as many names as the struct has fields, so
// a field that is added to a struct and not here does not compile.
#pragma once

#include "emit/op_fields_elementwise.h"
#include "emit/op_fields_signal.h"
#include "emit/op_fields_stateful.h"
#include "emit/op_fields_targets.h"
#include "rip/kernels.h"

namespace ripc::emit {

constexpr const char* struct_name(const rip_conv2d_s8&) { return "rip_conv2d_s8"; }
constexpr const char* struct_name(const rip_depthwise_s8&) { return "rip_depthwise_s8"; }
constexpr const char* struct_name(const rip_pool_s8&) { return "rip_pool_s8"; }
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
constexpr const char* struct_name(const rip_load&) { return "rip_load"; }
constexpr const char* struct_name(const rip_log_softmax_s8&) { return "rip_log_softmax_s8"; }
constexpr const char* struct_name(const rip_resize_bilinear_f32&) { return "rip_resize_bilinear_f32"; }
constexpr const char* struct_name(const rip_sum_f32&) { return "rip_sum_f32"; }
constexpr const char* struct_name(const rip_copy&) { return "rip_copy"; }
constexpr const char* struct_name(const rip_transpose_conv_s16&) { return "rip_transpose_conv_s16"; }
constexpr const char* struct_name(const rip_transpose_conv_f32&) { return "rip_transpose_conv_f32"; }

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

}  // namespace ripc::emit
