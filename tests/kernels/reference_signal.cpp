// The audio front end from its description: whole numbers of 64 bits, and the Fourier transform as it is defined, one
// half after the other.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>

#include "kernels/reference.h"

namespace ripc::test {
namespace {

using Numbers = std::vector<std::int64_t>;

std::int64_t wrapped16(std::int64_t x) { return static_cast<std::int16_t>(static_cast<std::uint16_t>(x)); }

struct Complex {
  std::int64_t re = 0, im = 0;
};

Complex operator+(Complex a, Complex b) { return {wrapped16(a.re + b.re), wrapped16(a.im + b.im)}; }
Complex operator-(Complex a, Complex b) { return {wrapped16(a.re - b.re), wrapped16(a.im - b.im)}; }

std::int64_t q15(std::int64_t x) {
  return wrapped16(static_cast<std::int64_t>(std::floor(static_cast<double>(x) / 32768.0 + 0.5)));
}

Complex root(double angle) {
  return {static_cast<std::int64_t>(std::floor(0.5 + 32767 * std::cos(angle))),
          static_cast<std::int64_t>(std::floor(0.5 + 32767 * std::sin(angle)))};
}

Complex operator*(Complex a, Complex b) { return {q15(a.re * b.re - a.im * b.im), q15(a.re * b.im + a.im * b.re)}; }
Complex operator/(Complex a, std::int64_t by) { return {q15(a.re * (32767 / by)), q15(a.im * (32767 / by))}; }

/// Every radix-th number transformed by itself, then put together; the roots are those of the whole transform.
std::vector<Complex> transform(const std::vector<Complex>& in, std::int64_t whole) {
  const auto points = static_cast<std::int64_t>(in.size());
  if (points == 1) return in;
  const std::int64_t radix = points % 4 == 0 ? 4 : 2, m = points / radix;
  std::vector<std::vector<Complex>> parts;
  for (std::int64_t q = 0; q < radix; ++q) {
    std::vector<Complex> part;
    for (std::int64_t i = q; i < points; i += radix) part.push_back(in[static_cast<std::size_t>(i)]);
    parts.push_back(transform(part, whole));
  }
  std::vector<Complex> out(in.size());
  for (std::int64_t i = 0; i < m; ++i) {
    std::vector<Complex> turned;
    for (std::int64_t q = 0; q < radix; ++q) {
      const Complex part = parts[static_cast<std::size_t>(q)][static_cast<std::size_t>(i)] / radix;
      const std::int64_t step = q * i * (whole / points);
      turned.push_back(
          q == 0 ? part : part * root(-2 * std::numbers::pi * static_cast<double>(step) / static_cast<double>(whole)));
    }
    const auto at = [&](std::int64_t q) -> Complex& { return out[static_cast<std::size_t>(i + q * m)]; };
    if (radix == 2) {
      at(0) = turned[0] + turned[1];
      at(1) = turned[0] - turned[1];
      continue;
    }
    const Complex even = turned[0] + turned[2], odd = turned[1] + turned[3];
    const Complex left = turned[0] - turned[2], right = turned[1] - turned[3];
    const Complex quarter{right.im, wrapped16(-right.re)};
    at(0) = even + odd;
    at(2) = even - odd;
    at(1) = left + quarter;
    at(3) = left - quarter;
  }
  return out;
}

class SignalReference {
 public:
  SignalReference(const OpCase& op_case, const Signal& signal) : c_(op_case), signal_(signal) {}

  Bytes run() const {
    const Numbers made = numbers();
    const std::size_t size = scalar_bytes(c_.output().type);
    Bytes bytes(made.size() * size);
    for (std::size_t i = 0; i < made.size(); ++i) std::memcpy(bytes.data() + i * size, &made[i], size);
    return bytes;
  }

 private:
  /// Numbers of a type, the unsigned ones of 64 bits modulo 2^64.
  static Numbers read(const Bytes& bytes, DataType type) {
    Numbers numbers;
    const std::size_t size = scalar_bytes(type);
    for (std::size_t at = 0; at < bytes.size(); at += size) {
      std::int64_t number = 0;
      std::memcpy(&number, bytes.data() + at, size);
      if (type == DataType::int16) number = wrapped16(number);
      numbers.push_back(number);
    }
    return numbers;
  }
  Numbers in(std::size_t i = 0) const { return read(c_.inputs[i], c_.input(i).type); }
  Numbers constant(std::size_t i) const {
    const Tensor& t = c_.graph.tensors[static_cast<std::size_t>(signal_.constants[i])];
    return read(t.data, t.type);
  }

  std::int64_t headroom() const {
    // The magnitude of the least sample is no int16, and turns negative; then any sample is larger.
    std::int64_t most = 0;
    for (const std::int64_t sample : in()) {
      if (sample > most) {
        most = sample;
      } else if (-sample > most) {
        most = wrapped16(-sample);
      }
    }
    return most <= 0 ? 0 : 15 - static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(most)));
  }

  Numbers spectrum() const {
    const std::int64_t points = element_count(c_.output()) / 2 - 1;
    Numbers samples = in();
    samples.resize(static_cast<std::size_t>(2 * points));
    std::vector<Complex> pairs;
    for (std::size_t i = 0; i < samples.size(); i += 2) pairs.push_back({samples[i], samples[i + 1]});
    const std::vector<Complex> half = transform(pairs, points);
    std::vector<Complex> made(half.size() + 1);
    const Complex first = half[0] / 2;
    made.front().re = wrapped16(first.re + first.im);
    made.back().re = wrapped16(first.re - first.im);
    for (std::int64_t k = 1; k <= points / 2; ++k) {
      const auto low = static_cast<std::size_t>(k), high = static_cast<std::size_t>(points - k);
      const Complex a = half[low] / 2, b = Complex{half[high].re, wrapped16(-half[high].im)} / 2;
      const Complex sum = a + b;
      const double angle = -std::numbers::pi * (static_cast<double>(k) / static_cast<double>(points) + 0.5);
      const Complex turned = (a - b) * root(angle);
      made[low] = {(sum.re + turned.re) >> 1, (sum.im + turned.im) >> 1};
      made[high] = {(sum.re - turned.re) >> 1, (turned.im - sum.im) >> 1};
    }
    Numbers numbers;
    for (const Complex& c : made) numbers.insert(numbers.end(), {c.re, c.im});
    return numbers;
  }

  /// To nearest, but never with more bits than half of 32 or of 64.
  static std::int64_t square_root(std::uint64_t x) {
    auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<long double>(x)));
    while (root * root > x || root > 0xffffffffU) --root;
    while (root < 0xffffffffU && (root + 1) * (root + 1) <= x) ++root;
    const std::uint64_t most = x <= 0xffffffffU ? 0xffffU : 0xffffffffU;
    return static_cast<std::int64_t>(x - root * root > root && root != most ? root + 1 : root);
  }

  std::int64_t noise_of(std::int64_t in, std::int64_t old, std::size_t channel) const {
    const SignalNoise& n = signal_.noise;
    const bool even = channel % 2 == 0;
    const std::uint64_t signal = static_cast<std::uint32_t>(in << n.smoothing_bits);
    const std::uint64_t sum =
        signal * static_cast<std::uint64_t>(even ? n.even_weight : n.odd_weight) +
        static_cast<std::uint64_t>(old) * static_cast<std::uint64_t>(even ? n.even_rest : n.odd_rest);
    const std::uint64_t estimate = static_cast<std::uint32_t>(sum >> n.weight_bits);
    return static_cast<std::int64_t>(n.clamps ? std::min(estimate, signal) : estimate);
  }

  std::int64_t without_noise(std::int64_t in, std::int64_t noise) const {
    const SignalNoise& n = signal_.noise;
    const std::int64_t signal = static_cast<std::uint32_t>(in << n.smoothing_bits);
    const auto floor = static_cast<std::uint32_t>((in * n.least_part) >> n.weight_bits);
    return std::max<std::int64_t>((signal - std::min(noise, signal)) >> n.smoothing_bits, floor);
  }

  std::int64_t gained(std::int64_t in, std::int64_t noise) const {
    const Numbers table = constant(0);
    std::int64_t gain = noise <= 2 ? table[static_cast<std::size_t>(noise)] : 0;
    if (noise > 2) {
      const auto bits = static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(noise)));
      const std::int64_t part = (bits < 11 ? noise << (11 - bits) : noise >> (bits - 11)) & 1023;
      const auto at = [&](std::int64_t i) { return table[static_cast<std::size_t>(4 * bits - 6 + i)]; };
      const std::int64_t slope = static_cast<std::int32_t>(((at(2) * part) >> 5) + at(1) * 32);
      const auto product = static_cast<std::int32_t>(static_cast<std::uint32_t>(slope * part + 16384));
      gain = wrapped16((product >> 15) + at(0));
    }
    const std::uint64_t unsigned_gain = static_cast<std::uint32_t>(gain);
    const auto snr = static_cast<std::uint32_t>((static_cast<std::uint64_t>(in) * unsigned_gain) >> signal_.shift);
    if (snr < 8192) return (std::int64_t{snr} * snr) >> 20;
    return (snr >> 6U) - 64;
  }

  std::int64_t logarithm(std::int64_t in) const {
    const std::uint64_t x = static_cast<std::uint32_t>(in << signal_.shift);
    if (x <= 1) return 0;
    const int bit = static_cast<int>(std::bit_width(x)) - 1;
    const auto fraction = static_cast<std::int64_t>(((x << 16U) >> static_cast<unsigned>(bit)) & 0xffffU);
    const auto curve = [](std::int64_t i) {
      const double part = static_cast<double>(i) / 128;
      return static_cast<std::int64_t>(std::llround(65536 * (std::log2(1 + part) - part)));
    };
    const std::int64_t segment = fraction / 512, rest = fraction % 512;
    const std::int64_t rise = ((curve(segment + 1) - curve(segment)) * rest) >> 16;
    const std::int64_t log2 = bit * 65536 + fraction + curve(segment) + rise;
    const std::int64_t natural = (45426 * log2 + 32768) >> 16;
    const std::int64_t scaled = static_cast<std::uint32_t>(signal_.scale * natural + 32768) >> 16U;
    return std::min<std::int64_t>(scaled, 32767);
  }

  Numbers filtered() const {
    const Numbers spectrum = in(), weights = constant(0), rests = constant(1);
    const Numbers points = constant(2), starts = constant(3), widths = constant(4);
    // Each channel is what its own band weighs, and what the band before leaves it.
    const auto sum = [&](std::size_t band, const Numbers& by) {
      std::uint64_t total = 0;
      for (std::int64_t i = 0; i < widths[band]; ++i) {
        total += static_cast<std::uint64_t>(by[static_cast<std::size_t>(starts[band] + i)]) *
                 static_cast<std::uint64_t>(spectrum[static_cast<std::size_t>(points[band] + i)]);
      }
      return total;
    };
    Numbers made;
    for (std::size_t band = 1; band < points.size(); ++band) {
      made.push_back(static_cast<std::int64_t>(sum(band, weights) + sum(band - 1, rests)));
    }
    return made;
  }

  std::int64_t made_of(const Numbers& first, const Numbers& second, std::size_t i) const {
    const std::int64_t x = first[i % first.size()];
    switch (signal_.kind) {
      case SignalKind::window: {
        const Numbers weights = constant(0);
        return std::clamp<std::int64_t>((x * weights[i % weights.size()]) >> signal_.shift, -32768, 32767);
      }
      case SignalKind::scale:
        return x * (std::int64_t{1} << headroom());
      case SignalKind::energy: {
        const bool inside = static_cast<std::int64_t>(i) >= signal_.first && static_cast<std::int64_t>(i) < signal_.end;
        return inside ? first[2 * i] * first[2 * i] + first[2 * i + 1] * first[2 * i + 1] : 0;
      }
      case SignalKind::square_root:
        return square_root(static_cast<std::uint64_t>(x)) >> second[0];
      case SignalKind::noise:
        return noise_of(x, read(c_.graph.states[0].initial, DataType::uint32)[i], i);
      case SignalKind::denoise:
        return without_noise(x, second[i]);
      case SignalKind::gain:
        return gained(x, second[i]);
      default:
        return logarithm(x);
    }
  }

  Numbers numbers() const {
    if (signal_.kind == SignalKind::rfft) return spectrum();
    if (signal_.kind == SignalKind::filter_bank) return filtered();
    if (signal_.kind == SignalKind::headroom) return {headroom()};
    const Numbers first = in(), second = c_.inputs.size() > 1 ? in(1) : Numbers{};
    Numbers made;
    for (std::size_t i = 0; i < static_cast<std::size_t>(element_count(c_.output())); ++i) {
      made.push_back(made_of(first, second, i));
    }
    return made;
  }

  const OpCase& c_;
  const Signal& signal_;
};

}  // namespace

Bytes signal_reference(const OpCase& op_case) {
  return SignalReference(op_case, std::get<Signal>(op_case.op().kind)).run();
}

}  // namespace ripc::test
