// The fields of the parameter structs of the kernels of a target's own: see emit/op_fields.h.
#pragma once

#include "rip/dsp.h"
#include "rip/m0.h"

namespace ripc::emit {

constexpr const char* struct_name(const rip_conv2d_dsp&) { return "rip_conv2d_dsp"; }
constexpr const char* struct_name(const rip_depthwise_dsp&) { return "rip_depthwise_dsp"; }
constexpr const char* struct_name(const rip_add_dsp&) { return "rip_add_dsp"; }
constexpr const char* struct_name(const rip_conv2d_m0&) { return "rip_conv2d_m0"; }
constexpr const char* struct_name(const rip_depthwise_m0&) { return "rip_depthwise_m0"; }

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

}  // namespace ripc::emit
