// Copies to a state and out of flash, SVDF and UNIDIRECTIONAL_SEQUENCE_LSTM.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "lower/unary.h"

namespace ripc {
namespace {

/// The reference multiplies two scales of a fully connected layer in binary32.
FixedPoint connected(const LowerBuilder& b, float in, const Tensor& weights, double out) {
  return quantize_multiplier(static_cast<double>(in * b.scale(weights)) / out);
}

/// Weights of the four gates one after another, and each unit's bias less zero * its sum of weights.
struct Gates {
  std::vector<std::int8_t> weights;
  std::vector<std::int32_t> bias;
};

Gates gates_of(const LowerBuilder& b, std::span<const TensorId> weights, std::span<const TensorId> bias,
               std::int32_t zero) {
  Gates gates;
  for (std::size_t gate = 0; gate < 4; ++gate) {
    const std::vector<std::int8_t> own = b.values<std::int8_t>(b.tensor(weights[gate]));
    const auto units = static_cast<std::size_t>(b.out_channels());
    std::vector<std::int32_t> start(units);
    if (!bias.empty()) start = b.values<std::int32_t>(b.tensor(bias[gate]));
    const std::size_t taps = own.size() / units;
    for (std::size_t unit = 0; unit < units; ++unit) {
      const auto row = std::span(own).subspan(unit * taps, taps);
      const std::int32_t sum = std::accumulate(row.begin(), row.end(), 0);
      gates.bias.push_back(
          static_cast<std::int32_t>(static_cast<std::uint32_t>(start[unit]) - static_cast<std::uint32_t>(sum * zero)));
    }
    gates.weights.insert(gates.weights.end(), own.begin(), own.end());
  }
  return gates;
}

/// Four constants one after another.
std::vector<float> joined(const LowerBuilder& b, std::span<const TensorId> constants) {
  std::vector<float> all;
  for (const TensorId id : constants) {
    const std::vector<float> own = b.values<float>(b.tensor(id));
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

rip_lstm_f32 real_lstm(LowerBuilder& b, const Lstm& lstm) {
  const std::span<const TensorId> constants(lstm.constants);
  rip_lstm_f32 params{};
  params.input_weights = b.array("input_weights", joined(b, constants.first(4)));
  params.hidden_weights = b.array("hidden_weights", joined(b, constants.subspan(4, 4)));
  params.bias = b.array("bias", joined(b, constants.subspan(8)));
  params.inputs = b.narrow(image_shape(b.input()).channels);
  params.units = b.out_channels();
  params.cell_clip = lstm.cell_clip;
  return params;
}

}  // namespace

KernelParams params_of(LowerBuilder& b, const Load&) {
  return rip_load{.pixel_bytes = b.out_channels() * static_cast<std::int32_t>(scalar_bytes(b.output().type))};
}

KernelParams params_of(LowerBuilder& b, const Copy&) {
  const std::int64_t scalar = static_cast<std::int64_t>(scalar_bytes(b.output().type));
  return rip_copy{.pixel_bytes = b.narrow(image_shape(b.output()).channels * scalar)};
}

KernelParams params_of(LowerBuilder& b, const Svdf& svdf) {
  const Tensor &feature = b.tensor(svdf.constants[0]), &time = b.tensor(svdf.constants[1]);
  const double memory = static_cast<double>(svdf.memory_scale);
  const FixedPoint in =
      quantize_multiplier(static_cast<double>(b.scale(b.input())) * static_cast<double>(b.scale(feature)) / memory);
  const FixedPoint out =
      quantize_multiplier(memory * static_cast<double>(b.scale(time)) / static_cast<double>(b.scale(b.output())));
  const StoredRange range = type_range(b.output().type);
  rip_svdf_s8 params{};
  params.feature_weights = b.array("feature_weights", b.values<std::int8_t>(feature));
  if (svdf.memory_type == DataType::int8) {
    params.time_weights = b.array("time_weights", b.values<std::int8_t>(time));
  } else {
    params.time_weights = b.array("time_weights", b.values<std::int16_t>(time));
  }
  if (svdf.constants.size() > 2) params.bias = b.array("bias", b.values<std::int32_t>(b.tensor(svdf.constants[2])));
  params.inputs = b.narrow(element_count(b.input()));
  params.units = b.narrow(element_count(b.output()));
  params.rank = b.narrow(svdf.rank);
  params.memory = b.narrow(time.shape[1]);
  params.in_zero = b.zero(b.input());
  params.memory_zero = svdf.memory_zero;
  params.out_zero = b.zero(b.output());
  params.feature_multiplier = in.multiplier;
  params.feature_shift = in.shift;
  params.multiplier = out.multiplier;
  params.shift = out.shift;
  params.act_min = range.min;
  params.act_max = range.max;
  return params;
}

KernelParams params_of(LowerBuilder& b, const Lstm& lstm) {
  if (b.input().type == DataType::float32) return real_lstm(b, lstm);
  constexpr double kGateInput = 0x1p-12, kGate = 0x1p-15;
  const std::span<const TensorId> constants(lstm.constants);
  const Tensor& out = b.output();
  const Gates from_input = gates_of(b, constants.first(4), constants.subspan(8), b.zero(b.input()));
  const Gates from_hidden = gates_of(b, constants.subspan(4, 4), {}, b.zero(out));
  std::vector<std::int32_t> multipliers;
  std::vector<std::int8_t> shifts;
  for (std::size_t i = 0; i < 8; ++i) {
    const float scale = i < 4 ? b.scale(b.input()) : b.scale(out);
    const FixedPoint fixed = connected(b, scale, b.tensor(constants[i]), kGateInput);
    if (fixed.shift > 30) b.fail("scales of a gate too far apart", {}, {}, &b.tensor(constants[i]));
    multipliers.push_back(fixed.multiplier);
    shifts.push_back(static_cast<std::int8_t>(fixed.shift));
  }
  const auto cell = static_cast<double>(lstm.cell_scale);
  const FixedPoint forget = quantize_multiplier(kGate * cell / cell);
  const FixedPoint fresh = quantize_multiplier(kGate * kGate / cell);
  const FixedPoint hidden = quantize_multiplier(kGate * kGate / static_cast<double>(b.scale(out)));
  int exponent = 0;
  std::frexp(lstm.cell_scale, &exponent);
  rip_lstm_s8 params{};
  params.input_weights = b.array("input_weights", from_input.weights);
  params.hidden_weights = b.array("hidden_weights", from_hidden.weights);
  params.input_bias = b.array("input_bias", from_input.bias);
  params.hidden_bias = b.array("hidden_bias", from_hidden.bias);
  params.multiplier = b.array("multiplier", multipliers);
  params.shift = b.array("shift", shifts);
  params.table = b.array("table", logistic_table());
  params.inputs = b.narrow(image_shape(b.input()).channels);
  params.units = b.out_channels();
  params.forget_multiplier = forget.multiplier;
  params.forget_shift = forget.shift;
  params.fresh_multiplier = fresh.multiplier;
  params.fresh_shift = fresh.shift;
  params.out_multiplier = hidden.multiplier;
  params.out_shift = hidden.shift;
  params.cell_clip = static_cast<std::int32_t>(std::min(static_cast<double>(lstm.cell_clip) / cell, 32767.0));
  params.cell_shift = exponent - 1 + 12;
  params.out_zero = b.zero(out);
  return params;
}

}  // namespace ripc
