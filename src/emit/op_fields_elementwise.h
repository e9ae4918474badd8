// The fields of the parameter structs of the kernels of rip/elementwise.h: see emit/op_fields.h.
#pragma once

#include "rip/elementwise.h"

namespace ripc::emit {

constexpr const char* struct_name(const rip_add&) { return "rip_add"; }
constexpr const char* struct_name(const rip_add_table&) { return "rip_add_table"; }
constexpr const char* struct_name(const rip_mul&) { return "rip_mul"; }
constexpr const char* struct_name(const rip_minmax&) { return "rip_minmax"; }
constexpr const char* struct_name(const rip_prelu_s8&) { return "rip_prelu_s8"; }
constexpr const char* struct_name(const rip_pair_f32&) { return "rip_pair_f32"; }
constexpr const char* struct_name(const rip_pair_s32&) { return "rip_pair_s32"; }
constexpr const char* struct_name(const rip_unary_f32&) { return "rip_unary_f32"; }
constexpr const char* struct_name(const rip_sigmoid_s16&) { return "rip_sigmoid_s16"; }
constexpr const char* struct_name(const rip_cast&) { return "rip_cast"; }
constexpr const char* struct_name(const rip_slopes_s16&) { return "rip_slopes_s16"; }

template <typename Visit>
void visit_fields(const rip_add_table& params, Visit& visit) {
  const auto& [table0, table1, channels, shift, act_min, act_max] = params;
  visit("table0", table0);
  visit("table1", table1);
  visit("channels", channels);
  visit("shift", shift);
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

}  // namespace ripc::emit
