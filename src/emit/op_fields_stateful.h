// The fields of the parameter structs of the kernels that keep a state: see emit/op_fields.h.
#pragma once

#include "rip/kernels.h"

namespace ripc::emit {

constexpr const char* struct_name(const rip_lstm_s8&) { return "rip_lstm_s8"; }
constexpr const char* struct_name(const rip_svdf_s8&) { return "rip_svdf_s8"; }
constexpr const char* struct_name(const rip_lstm_f32&) { return "rip_lstm_f32"; }

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
