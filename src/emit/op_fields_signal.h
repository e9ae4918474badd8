// The fields of the parameter structs of the kernels of rip/signal.h: see emit/op_fields.h.
#pragma once

#include "rip/signal.h"

namespace ripc::emit {

constexpr const char* struct_name(const rip_signal_window&) { return "rip_signal_window"; }
constexpr const char* struct_name(const rip_signal_vector&) { return "rip_signal_vector"; }
constexpr const char* struct_name(const rip_signal_rfft&) { return "rip_signal_rfft"; }
constexpr const char* struct_name(const rip_signal_filter_bank&) { return "rip_signal_filter_bank"; }
constexpr const char* struct_name(const rip_signal_noise&) { return "rip_signal_noise"; }
constexpr const char* struct_name(const rip_signal_gain&) { return "rip_signal_gain"; }
constexpr const char* struct_name(const rip_signal_log&) { return "rip_signal_log"; }

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

}  // namespace ripc::emit
