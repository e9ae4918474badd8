// The audio front end: tables of its operators.
#include <cmath>
#include <numbers>

#include "lower/builder.h"

namespace ripc {
namespace {

/// cos and sin of an angle in Q.15, halves up.
void append_root(std::vector<std::int16_t>& roots, double angle) {
  for (const double part : {std::cos(angle), std::sin(angle)}) {
    roots.push_back(static_cast<std::int16_t>(std::floor(0.5 + 32767.0 * part)));
  }
}

rip_signal_rfft rfft(LowerBuilder& b) {
  const auto points = static_cast<std::int32_t>(b.out_channels() / 2 - 1);
  std::vector<std::int16_t> twiddles, unpacking;
  for (std::int32_t i = 0; i < points; ++i) append_root(twiddles, -2.0 * std::numbers::pi * i / points);
  for (std::int32_t i = 0; i < points / 2; ++i) {
    append_root(unpacking, -std::numbers::pi * (static_cast<double>(i + 1) / points + 0.5));
  }
  return {.twiddles = b.array("twiddles", twiddles),
          .unpacking = b.array("unpacking", unpacking),
          .samples = b.narrow(element_count(b.input())),
          .points = points};
}

rip_signal_filter_bank filter_bank(LowerBuilder& b, const Signal& signal) {
  const auto constant = [&](std::size_t i) { return b.values<std::int16_t>(b.tensor(signal.constants[i])); };
  const std::vector<std::int16_t> weights = constant(0), points = constant(2), starts = constant(3),
                                  widths = constant(4);
  std::vector<std::int16_t> bands;
  for (std::size_t i = 0; i < points.size(); ++i) {
    // A band without points may start anywhere.
    const bool inside = widths[i] <= 0 || (points[i] >= 0 && points[i] + widths[i] <= element_count(b.input()) &&
                                           starts[i] >= 0 && starts[i] + widths[i] <= std::ssize(weights));
    if (!inside) b.fail("band outside of the spectrum or of its weights", {}, std::to_string(i));
    bands.insert(bands.end(), {points[i], starts[i], widths[i]});
  }
  return {.weights = b.array("weights", weights),
          .rests = b.array("rests", constant(1)),
          .bands = b.array("bands", bands),
          .channels = b.out_channels()};
}

rip_signal_noise noise(const LowerBuilder& b, const SignalNoise& n) {
  return {.channels = b.out_channels(),
          .even_weight = b.narrow(n.even_weight),
          .even_rest = b.narrow(n.even_rest),
          .odd_weight = b.narrow(n.odd_weight),
          .odd_rest = b.narrow(n.odd_rest),
          .smoothing_bits = b.narrow(n.smoothing_bits),
          .weight_bits = b.narrow(n.weight_bits),
          .least_part = b.narrow(n.least_part),
          .clamps = n.clamps ? 1 : 0};
}

rip_signal_log logarithm(LowerBuilder& b, const Signal& signal) {
  std::vector<std::uint16_t> table;
  for (int i = 0; i <= 128; ++i) {
    const double part = i / 128.0;
    table.push_back(static_cast<std::uint16_t>(std::lround(65536.0 * (std::log2(1.0 + part) - part))));
  }
  table.push_back(0);  // read with a weight of nothing
  return {.table = b.array("table", table),
          .channels = b.out_channels(),
          .shift = b.narrow(signal.shift),
          .scale = b.narrow(signal.scale)};
}

}  // namespace

KernelParams params_of(LowerBuilder& b, const Signal& signal) {
  const auto values = [&](std::size_t i) { return b.values<std::int16_t>(b.tensor(signal.constants[i])); };
  switch (signal.kind) {
    case SignalKind::window:
      return rip_signal_window{.weights = b.array("weights", values(0)),
                               .samples = b.out_channels(),
                               .period = b.narrow(element_count(b.tensor(signal.constants[0]))),
                               .shift = b.narrow(signal.shift)};
    case SignalKind::rfft:
      return rfft(b);
    case SignalKind::filter_bank:
      return filter_bank(b, signal);
    case SignalKind::noise:
    case SignalKind::denoise:
      return noise(b, signal.noise);
    case SignalKind::gain:
      return rip_signal_gain{
          .table = b.array("table", values(0)), .channels = b.out_channels(), .shift = b.narrow(signal.shift)};
    case SignalKind::log:
      return logarithm(b, signal);
    case SignalKind::headroom:
      return rip_signal_vector{.size = b.narrow(element_count(b.input())), .first = 0, .end = 0};
    case SignalKind::scale:
    case SignalKind::energy:
    case SignalKind::square_root:
      break;
  }
  return rip_signal_vector{.size = b.out_channels(), .first = b.narrow(signal.first), .end = b.narrow(signal.end)};
}

}  // namespace ripc
