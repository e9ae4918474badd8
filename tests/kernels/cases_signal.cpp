// The audio front end, and what of a vector decides how its kernels round.
#include "kernels/case_builder.h"

namespace ripc::test {
namespace {

OpCase window(Random& r) {
  CaseBuilder b(r);
  const std::int64_t period = r.number(1, 20), samples = period * r.number(1, 3);
  Signal signal{.kind = SignalKind::window, .constants = {b.constant({period}, {}, DataType::int16)}};
  signal.shift = r.number(8, 16);
  const TensorId in = b.tensor({1, samples}, {}, DataType::int16);
  return b.finish(signal, {in}, b.tensor({1, samples}, {}, DataType::int16));
}

/// Samples of which few need all their bits.
OpCase softer(OpCase made, Random& r) {
  const std::int64_t quieter = r.number(0, 15);
  for (std::size_t i = 0; i + 1 < made.inputs[0].size(); i += 2) {
    std::int16_t sample = 0;
    std::memcpy(&sample, made.inputs[0].data() + i, sizeof sample);
    sample = static_cast<std::int16_t>(sample >> quieter);
    if (r.chance(3)) sample = -32768;
    std::memcpy(made.inputs[0].data() + i, &sample, sizeof sample);
  }
  return made;
}

OpCase headroom(Random& r) {
  CaseBuilder b(r);
  const TensorId in = b.tensor({r.number(1, 20)}, {}, DataType::int16);
  return softer(b.finish(Signal{.kind = SignalKind::headroom}, {in}, b.tensor({}, {}, DataType::int32)), r);
}

OpCase scale(Random& r) {
  CaseBuilder b(r);
  const std::int64_t samples = r.number(1, 20);
  const TensorId in = b.tensor({samples}, {}, DataType::int16), out = b.tensor({samples}, {}, DataType::int16);
  return softer(b.finish(Signal{.kind = SignalKind::scale}, {in}, out), r);
}

OpCase rfft(Random& r) {
  CaseBuilder b(r);
  const std::int64_t length = std::int64_t{1} << r.number(2, 8);
  const TensorId in = b.tensor({r.number(1, length)}, {}, DataType::int16);
  return softer(b.finish(Signal{.kind = SignalKind::rfft}, {in}, b.tensor({length + 2}, {}, DataType::int16)), r);
}

OpCase energy(Random& r) {
  CaseBuilder b(r);
  const std::int64_t points = r.number(1, 40);
  Signal signal{.kind = SignalKind::energy};
  signal.first = r.number(0, points / 2);
  signal.end = r.number(signal.first, points);
  const TensorId in = b.tensor({2 * points}, {}, DataType::int16);
  return b.finish(signal, {in}, b.tensor({points}, {}, DataType::uint32));
}

OpCase filter_bank(Random& r) {
  CaseBuilder b(r);
  const std::int64_t points = r.number(1, 60), channels = r.number(1, 9), weights = r.number(1, 40);
  Signal signal{.kind = SignalKind::filter_bank};
  for (int i = 0; i < 2; ++i) signal.constants.push_back(b.constant({weights}, {}, DataType::int16));
  for (int i = 0; i < 3; ++i) signal.constants.push_back(b.constant({channels + 1}, {}, DataType::int16));
  for (std::int64_t channel = 0; channel <= channels; ++channel) {
    const std::int64_t width = r.number(0, std::min(points, weights));
    const std::int64_t numbers[] = {r.number(0, points - width), r.number(0, weights - width), width};
    for (std::size_t i = 0; i < 3; ++i) {
      std::memcpy(b.at(signal.constants[2 + i]).data.data() + 2 * channel, &numbers[i], 2);
    }
  }
  const TensorId in = b.tensor({points}, {}, DataType::uint32);
  return b.finish(signal, {in}, b.tensor({channels}, {}, DataType::uint64));
}

OpCase square_root(Random& r) {
  CaseBuilder b(r);
  const std::int64_t channels = r.number(2, 20);
  const TensorId in = b.tensor({channels}, {}, DataType::uint64), shift = b.tensor({}, {}, DataType::int32);
  OpCase made =
      b.finish(Signal{.kind = SignalKind::square_root}, {in, shift}, b.tensor({channels}, {}, DataType::uint32));
  for (std::size_t i = 0; i < made.inputs[0].size(); i += 8) {
    // Of every size, and next to squares.
    std::uint64_t x = 0;
    std::memcpy(&x, made.inputs[0].data() + i, 8);
    x >>= r.number(0, 63);
    if (r.chance(30)) x = (x >> 32) * (x >> 32) + static_cast<std::uint64_t>(r.number(0, 2));
    if (r.chance(5)) x = 0xffffffffU;
    std::memcpy(made.inputs[0].data() + i, &x, 8);
  }
  return made;
}

SignalNoise random_noise(Random& r) {
  SignalNoise noise;
  noise.weight_bits = 14;
  noise.even_weight = r.number(0, 16384);
  noise.even_rest = 16384 - noise.even_weight;
  noise.odd_weight = r.number(0, 16384);
  noise.odd_rest = 16384 - noise.odd_weight;
  noise.smoothing_bits = r.number(0, 12);
  noise.least_part = r.number(0, 4000);
  noise.clamps = r.chance(50);
  return noise;
}

OpCase noise(Random& r) {
  CaseBuilder b(r);
  const std::int64_t channels = r.number(1, 20);
  Signal signal{.kind = SignalKind::noise};
  signal.noise = random_noise(r);
  signal.state = b.state(4 * channels, 4);
  const TensorId in = b.tensor({channels}, {}, DataType::uint32);
  return b.finish(signal, {in}, b.tensor({channels}, {}, DataType::uint32));
}

OpCase denoise(Random& r) {
  CaseBuilder b(r);
  const std::int64_t channels = r.number(1, 20);
  Signal signal{.kind = SignalKind::denoise};
  signal.noise = random_noise(r);
  const TensorId in = b.tensor({channels}, {}, DataType::uint32), noise = b.tensor({channels}, {}, DataType::uint32);
  return b.finish(signal, {in, noise}, b.tensor({channels}, {}, DataType::uint32));
}

OpCase gain(Random& r) {
  CaseBuilder b(r);
  const std::int64_t channels = r.number(1, 20);
  Signal signal{.kind = SignalKind::gain, .constants = {b.constant({125}, {}, DataType::int16)}};
  signal.shift = r.number(4, 30);
  const TensorId in = b.tensor({channels}, {}, DataType::uint32), noise = b.tensor({channels}, {}, DataType::uint32);
  return b.finish(signal, {in, noise}, b.tensor({channels}, {}, DataType::uint32));
}

OpCase logarithm(Random& r) {
  CaseBuilder b(r);
  const std::int64_t channels = r.number(1, 20);
  Signal signal{.kind = SignalKind::log};
  signal.shift = r.number(0, 4);
  signal.scale = r.number(1, 3000);
  const TensorId in = b.tensor({channels}, {}, DataType::uint32);
  return b.finish(signal, {in}, b.tensor({channels}, {}, DataType::int16));
}

}  // namespace

std::vector<Family> signal_families() {
  return {{"signal_window", window},
          {"signal_headroom", headroom},
          {"signal_scale", scale},
          {"signal_rfft", rfft},
          {"signal_energy", energy},
          {"signal_filter_bank", filter_bank},
          {"signal_square_root", square_root},
          {"signal_noise", noise},
          {"signal_denoise", denoise},
          {"signal_gain", gain},
          {"signal_log", logarithm}};
}

}  // namespace ripc::test
