// Functions of one scalar of int16 or float32.
#include <algorithm>
#include <cmath>

#include "lower/unary.h"

namespace ripc {
namespace {

/// x * multiplier / 2^shift is at a scale of 1 / (3 * 2^12). Scales of 2^-12 (TANH: 2^-11 too) need no fraction; for
/// any other the reference keeps 15 bits, and cuts off the rest.
FixedPoint table_factor(float scale, bool tanh) {
  const double log = std::log2(static_cast<double>(scale)), whole = std::round(log);
  if (std::abs(log - whole) < 1e-3 && (whole == -12.0 || (tanh && whole == -11.0))) return {whole == -12.0 ? 3 : 6, 0};
  double factor = static_cast<double>(scale) * 4096.0 * 3.0;
  std::int32_t shift = 0;
  for (; factor <= 32767.0 / 2.0 && shift <= 30; factor *= 2.0) ++shift;
  return {static_cast<std::int32_t>(factor), shift};
}

KernelParams sigmoid(LowerBuilder& b, bool tanh) {
  const FixedPoint factor = table_factor(b.scale(b.input()), tanh);
  return rip_sigmoid_s16{.table = b.array("table", logistic_table()),
                         .channels = b.out_channels(),
                         .multiplier = factor.multiplier,
                         .shift = factor.shift,
                         .tanh = tanh ? 1 : 0};
}

KernelParams slopes(LowerBuilder& b, bool absolute, double above, double below) {
  const FixedPoint plain = quantize_multiplier(above), slope = quantize_multiplier(std::abs(below));
  return rip_slopes_s16{.channels = b.out_channels(),
                        .absolute = absolute ? 1 : 0,
                        .multiplier = plain.multiplier,
                        .shift = plain.shift,
                        .below_multiplier = slope.multiplier,
                        .below_shift = slope.shift,
                        .below_negative = below < 0.0 ? 1 : 0};
}

rip_function function_of(UnaryKind kind) {
  switch (kind) {
    case UnaryKind::abs:
      return RIP_ABS;
    case UnaryKind::elu:
      return RIP_ELU;
    case UnaryKind::exp:
      return RIP_EXP;
    case UnaryKind::hard_swish:
      return RIP_HARD_SWISH;
    case UnaryKind::leaky_relu:
      return RIP_LEAKY_RELU;
    case UnaryKind::log:
      return RIP_LOG;
    case UnaryKind::logistic:
      return RIP_LOGISTIC;
    case UnaryKind::neg:
      return RIP_NEG;
    case UnaryKind::rsqrt:
      return RIP_RSQRT;
    case UnaryKind::sqrt:
      return RIP_SQRT;
    case UnaryKind::square:
      return RIP_SQUARE;
    case UnaryKind::tanh:
      break;
  }
  return RIP_TANH;
}

}  // namespace

std::vector<std::uint16_t> logistic_table() {
  // The reference's points are the rounded function but for these, which are one higher.
  constexpr int kHigher[] = {4,  8,  12, 14, 15, 16, 17, 19, 20,  21,  22,  25,  27,  28, 29,
                             30, 31, 33, 34, 35, 37, 39, 40, 41,  43,  44,  45,  46,  49, 50,
                             54, 62, 63, 64, 66, 82, 86, 93, 100, 103, 112, 116, 135, 255};
  std::vector<std::uint16_t> table;
  for (int i = 0; i < 256; ++i) {
    const double point = std::round(0x1p16 / (1.0 + std::exp(-i / 24.0)));
    table.push_back(static_cast<std::uint16_t>(static_cast<int>(point) + (std::ranges::count(kHigher, i) > 0 ? 1 : 0)));
  }
  return table;
}

KernelParams wide_unary(LowerBuilder& b, const Unary& unary) {
  const float in = b.scale(b.input()), out = b.scale(b.output());
  switch (unary.kind) {
    case UnaryKind::abs:
      return slopes(b, true, static_cast<double>(in) / static_cast<double>(out), 0.0);
    case UnaryKind::leaky_relu:
      return slopes(b, false, static_cast<double>(in / out), static_cast<double>(in * unary.alpha / out));
    case UnaryKind::logistic:
      return sigmoid(b, false);
    case UnaryKind::tanh:
      return sigmoid(b, true);
    default:
      break;
  }
  b.fail("operator without an integer form", "float32", type_name(b.input().type), &b.input());
}

KernelParams float_unary(LowerBuilder& b, const Unary& unary) {
  return rip_unary_f32{
      .function = function_of(unary.kind), .channels = b.out_channels(), .low = unary.alpha, .high = 0.0F};
}

}  // namespace ripc
