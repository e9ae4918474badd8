#include "kernels/reference.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <stdexcept>

namespace ripc::test {

std::int64_t doubling_high(std::int64_t a, std::int64_t b) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int32_t>::min();
  if (a == kLeast && b == kLeast) return std::numeric_limits<std::int32_t>::max();
  const std::int64_t doubled = a * b + (std::int64_t{1} << 30), unit = std::int64_t{1} << 31;
  const std::int64_t quotient = doubled / unit;
  return doubled % unit < 0 ? quotient - 1 : quotient;
}

std::int64_t rounding_divide(std::int64_t x, int bits) {
  const std::int64_t unit = std::int64_t{1} << bits, magnitude = (2 * std::abs(x) + unit) / (2 * unit);
  return x < 0 ? -magnitude : magnitude;
}

std::int64_t scaled(std::int64_t x, std::int64_t multiplier, int shift) {
  const std::int64_t left = std::int64_t{1} << std::max(shift, 0);
  return rounding_divide(doubling_high(x * left, multiplier), std::max(-shift, 0));
}

namespace {

struct Multiplier {
  std::int64_t m = 0;
  int s = 0;
};

Multiplier multiplier_of(double value) {
  if (value == 0.0) return {};
  int exponent = 0;
  double fraction = std::frexp(value, &exponent);
  std::int64_t m = std::llround(std::ldexp(fraction, 31));
  if (m == std::int64_t{1} << 31) {
    m >>= 1;
    exponent += 1;
  }
  if (exponent < -31) return {};
  return {m, exponent};
}

std::int64_t scaled(std::int64_t x, Multiplier by) { return test::scaled(x, by.m, by.s); }

std::int64_t nearest(double x) { return std::llround(x); }

/// What a sum becomes in 32 bits.
std::int64_t wrapped(std::int64_t x) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(x)); }

std::int64_t saturating_left(std::int64_t x, int bits) {
  return std::clamp<std::int64_t>(x * (std::int64_t{1} << bits), std::numeric_limits<std::int32_t>::min(),
                                  std::numeric_limits<std::int32_t>::max());
}

/// exp of a number not above zero in Q5.26, in Q0.31.
std::int64_t exp_on_negative(std::int64_t a) {
  if (a == 0) return std::numeric_limits<std::int32_t>::max();
  const std::int64_t quarter = std::int64_t{1} << 24;
  std::int64_t t = a % quarter;  // towards zero: in (-1/4, 0]
  t = t == 0 ? -quarter : (t > 0 ? t - quarter : t);
  const std::int64_t x = saturating_left(t, 5) + (std::int64_t{1} << 28);
  const std::int64_t x2 = doubling_high(x, x), x3 = doubling_high(x2, x), x4 = doubling_high(x2, x2);
  const std::int64_t p = rounding_divide(doubling_high(rounding_divide(x4, 2) + x3, 715827883) + x2, 1);
  std::int64_t result = 1895147668 + doubling_high(1895147668, x + p);
  const std::array<std::int64_t, 7> factors{1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (((t - a) / (quarter << i)) % 2 == 1) result = doubling_high(result, factors[i]);
  }
  return result;
}

/// 1 / (1 + v), both in Q0.31.
std::int64_t reciprocal(std::int64_t v) {
  const std::int64_t half = (v + (std::int64_t{1} << 31)) / 2;
  std::int64_t x = 1515870810 + doubling_high(half, -1010580540);
  for (int i = 0; i < 3; ++i) {
    const std::int64_t rest = (std::int64_t{1} << 29) - doubling_high(half, x);
    x += saturating_left(doubling_high(x, rest), 2);
  }
  return saturating_left(x, 1);
}

class Reference {
 public:
  explicit Reference(const OpCase& op_case) : c_(op_case), in_(op_case.input()), out_(op_case.output()) {
    out_image_ = image_shape(out_);
    in_image_ = image_shape(in_);
    result_.resize(static_cast<std::size_t>(byte_count(out_)));
  }

  Bytes run() {
    std::visit([&](const auto& kind) { compute(kind); }, c_.op().kind);
    return std::move(result_);
  }

 private:
  const Tensor& tensor(TensorId id) const { return c_.graph.tensors[static_cast<std::size_t>(id)]; }
  static double scale(const Tensor& t, std::int64_t i = 0) {
    const std::vector<float>& scales = t.quantization.scale;
    return static_cast<double>(scales[scales.size() == 1 ? 0 : static_cast<std::size_t>(i)]);
  }
  static std::int64_t zero(const Tensor& t) { return t.quantization.zero_point[0]; }

  /// A stored scalar as the number that its type says; float32 as its bits.
  static std::int64_t value(const Tensor& t, const Bytes& bytes, std::int64_t index) {
    const std::size_t size = scalar_bytes(t.type);
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + static_cast<std::size_t>(index) * size, size);
    if (t.type == DataType::uint8 || size == 8) return static_cast<std::int64_t>(bits);
    const std::uint64_t sign = std::uint64_t{1} << (8 * size - 1);
    return static_cast<std::int64_t>(bits) - static_cast<std::int64_t>(bits & sign) * 2;
  }
  std::int64_t in(std::int64_t index, std::size_t input = 0) const {
    return value(c_.input(input), c_.inputs[input], index);
  }
  std::int64_t in_pixel(std::int64_t y, std::int64_t x, std::int64_t channel) const {
    return in((y * in_image_.width + x) * in_image_.channels + channel);
  }
  bool inside(std::int64_t y, std::int64_t x) const {
    return y >= 0 && y < in_image_.height && x >= 0 && x < in_image_.width;
  }
  void put(std::int64_t index, std::int64_t number) {
    const std::size_t size = scalar_bytes(out_.type);
    std::memcpy(result_.data() + static_cast<std::size_t>(index) * size, &number, size);
  }
  float real(std::int64_t index) const {
    float number = 0;
    std::memcpy(&number, c_.inputs[0].data() + index * 4, 4);
    return number;
  }

  std::pair<std::int64_t, std::int64_t> type_limits() const {
    if (out_.type == DataType::uint8) return {0, 255};
    const std::int64_t most = (std::int64_t{1} << (8 * scalar_bytes(out_.type) - 1)) - 1;
    return {-most - 1, most};
  }
  std::int64_t clamped(std::int64_t y) const { return std::clamp(y, type_limits().first, type_limits().second); }

  std::int64_t activated(std::int64_t y, Activation activation) const {
    auto [low, high] = type_limits();
    const auto stored = [&](float limit) {
      return zero(out_) + nearest(static_cast<double>(std::round(limit / out_.quantization.scale[0])));
    };
    if (activation == Activation::relu || activation == Activation::relu6) low = std::max(low, stored(0.0F));
    if (activation == Activation::relu6) high = std::min(high, stored(6.0F));
    if (activation == Activation::relu_n1_to_1) {
      low = std::max(low, stored(-1.0F));
      high = std::min(high, stored(1.0F));
    }
    return std::min(std::max(y, low), high);
  }

  template <typename Function>
  void for_each_output(Function function) {
    std::int64_t index = 0;
    for (std::int64_t y = 0; y < out_image_.height; ++y) {
      for (std::int64_t x = 0; x < out_image_.width; ++x) {
        for (std::int64_t channel = 0; channel < out_image_.channels; ++channel) function(y, x, channel, index++);
      }
    }
  }

  /// tap(y, x, ky, kx) for every tap inside of the image.
  template <typename Function>
  void for_each_tap(const Window& rows, const Window& columns, std::int64_t y, std::int64_t x, Function tap) const {
    for (std::int64_t ky = 0; ky < rows.kernel; ++ky) {
      for (std::int64_t kx = 0; kx < columns.kernel; ++kx) {
        const std::int64_t iy = y * rows.stride - rows.pad_before + ky * rows.dilation;
        const std::int64_t ix = x * columns.stride - columns.pad_before + kx * columns.dilation;
        if (inside(iy, ix)) tap(iy, ix, ky, kx);
      }
    }
  }

  std::int64_t bias(TensorId id, std::int64_t channel) const {
    return id == kNoTensor ? 0 : value(tensor(id), tensor(id).data, channel);
  }

  /// Sums of int16 have the bits of their bias, and 64 without one.
  bool has_wide_sum(TensorId bias) const {
    return in_.type == DataType::int16 && (bias == kNoTensor || tensor(bias).type == DataType::int64);
  }

  std::int64_t requantized(std::int64_t sum, double factor, Activation activation, TensorId bias) const {
    if (has_wide_sum(bias)) {
      const Multiplier by = multiplier_of(factor);
      const std::int64_t m = by.m < 0x7fff0000 ? (by.m + 0x8000) / 0x10000 : 0x7fff;
      const double quotient = std::floor(static_cast<double>(sum * m) / std::exp2(15 - by.s) + 0.5);
      return activated(wrapped(static_cast<std::int64_t>(quotient)) + zero(out_), activation);
    }
    return activated(scaled(wrapped(sum), multiplier_of(factor)) + zero(out_), activation);
  }

  void compute(const Conv2d& conv) {
    const Tensor& w = tensor(conv.weights);
    const std::int64_t group_in = in_image_.channels / conv.groups, group_out = out_image_.channels / conv.groups;
    for_each_output([&](std::int64_t y, std::int64_t x, std::int64_t o, std::int64_t index) {
      std::int64_t sum = bias(conv.bias, o);
      for_each_tap(conv.rows, conv.columns, y, x, [&](auto iy, auto ix, auto ky, auto kx) {
        for (std::int64_t i = 0; i < group_in; ++i) {
          const std::int64_t at = ((o * conv.rows.kernel + ky) * conv.columns.kernel + kx) * group_in + i;
          sum += value(w, w.data, at) * (in_pixel(iy, ix, o / group_out * group_in + i) - zero(in_));
        }
      });
      put(index, requantized(sum, scale(in_) * scale(w, o) / scale(out_), conv.activation, conv.bias));
    });
  }

  void compute(const DepthwiseConv2d& conv) {
    const Tensor& w = tensor(conv.weights);
    for_each_output([&](std::int64_t y, std::int64_t x, std::int64_t o, std::int64_t index) {
      std::int64_t sum = bias(conv.bias, o);
      for_each_tap(conv.rows, conv.columns, y, x, [&](auto iy, auto ix, auto ky, auto kx) {
        const std::int64_t at = (ky * conv.columns.kernel + kx) * out_image_.channels + o;
        sum += value(w, w.data, at) * (in_pixel(iy, ix, o / conv.multiplier) - zero(in_));
      });
      put(index, requantized(sum, scale(in_) * scale(w, o) / scale(out_), conv.activation, conv.bias));
    });
  }

  void compute(const FullyConnected& connected) {
    const Tensor& w = tensor(connected.weights);
    const std::int64_t units = w.shape[0], features = w.shape[1];
    const bool one_scale = w.quantization.scale.size() == 1;
    for (std::int64_t index = 0; index < element_count(out_); ++index) {
      const std::int64_t vector = index / units, o = index % units;
      std::int64_t sum = bias(connected.bias, o);
      for (std::int64_t i = 0; i < features; ++i) {
        sum += value(w, w.data, o * features + i) * (in(vector * features + i) - zero(in_));
      }
      const float narrow = in_.quantization.scale[0] * w.quantization.scale[0];
      const double product = one_scale ? static_cast<double>(narrow) : scale(in_) * scale(w, o);
      put(index, requantized(sum, product / scale(out_), connected.activation, connected.bias));
    }
  }

  void compute(const Pool2d& pool) {
    for_each_output([&](std::int64_t y, std::int64_t x, std::int64_t channel, std::int64_t index) {
      std::int64_t sum = 0, count = 0, most = type_limits().first;
      for_each_tap(pool.rows, pool.columns, y, x, [&](auto iy, auto ix, auto, auto) {
        const std::int64_t number = in_pixel(iy, ix, channel);
        sum += number;
        ++count;
        most = std::max(most, number);
      });
      if (pool.kind == PoolKind::average) most = sum > 0 ? (sum + count / 2) / count : (sum - count / 2) / count;
      put(index, activated(most, pool.activation));
    });
  }

  void compute(const Cast&) { result_ = elementwise_reference(c_); }
  void compute(const Unary&) { result_ = elementwise_reference(c_); }
  void compute(const Binary&) { result_ = elementwise_reference(c_); }

  void compute(const Mean&) {
    const std::int64_t count = in_image_.height * in_image_.width;
    const Multiplier whole = multiplier_of(scale(in_) / scale(out_));
    int k = 0;
    while ((std::int64_t{2} << k) <= count) ++k;
    k = std::min({k, 32, 31 + whole.s});
    const Multiplier by{(whole.m * (std::int64_t{1} << k)) / count, whole.s - k};
    for (std::int64_t channel = 0; channel < in_image_.channels; ++channel) {
      std::int64_t sum = -zero(in_) * count;
      for (std::int64_t pixel = 0; pixel < count; ++pixel) sum += in(pixel * in_image_.channels + channel);
      put(channel, clamped(scaled(sum, by) + zero(out_)));
    }
  }

  void compute(const Pad& pad) {
    for_each_output([&](std::int64_t y, std::int64_t x, std::int64_t channel, std::int64_t index) {
      const std::int64_t from = channel - pad.before[2];
      const bool copied = inside(y - pad.before[0], x - pad.before[1]) && from >= 0 && from < in_image_.channels;
      const std::size_t scalar = scalar_bytes(out_.type);
      std::byte* to = result_.data() + static_cast<std::size_t>(index) * scalar;
      const auto source = ((y - pad.before[0]) * in_image_.width + x - pad.before[1]) * in_image_.channels + from;
      if (copied) {
        std::memcpy(to, c_.inputs[0].data() + static_cast<std::size_t>(source) * scalar, scalar);
      } else if (!pad.fill.empty()) {
        std::memcpy(to, pad.fill.data(), scalar);
      } else if (scalar == 1) {
        put(index, zero(out_));
      }
    });
  }

  /// 513 values of a function on [least, most] in Q0.15.
  static std::vector<std::int64_t> lookup_table(float least, float most, const std::function<float(float)>& function) {
    const float inverse = 65536.0F / (2.0F / 65535.0F * 32767.0F + 2.0F / 65535.0F * 32768.0F);
    const float step = (most - least) / 512.0F;
    const auto stored = [&](float x) { return std::round(function(x) * inverse); };
    std::vector<std::int64_t> table;
    for (int i = 0; i < 512; ++i) {
      const float x = least + static_cast<float>(i) * step, next = least + static_cast<float>(i + 1) * step;
      const float middle = std::round((function(next) * inverse + stored(x)) / 2.0F) - stored(x + step / 2.0F);
      table.push_back(std::clamp<std::int64_t>(std::llround(stored(x) - std::round(middle / 2.0F)), -32768, 32767));
    }
    table.push_back(std::clamp<std::int64_t>(std::llround(stored(most)), -32768, 32767));
    return table;
  }

  static std::int64_t looked_up(const std::vector<std::int64_t>& table, std::int64_t x) {
    const std::int64_t place = std::clamp<std::int64_t>(x, -32768, 32767) + 32768;
    const auto index = static_cast<std::size_t>(place / 128);
    const double part = static_cast<double>((table[index + 1] - table[index]) * (place % 128));
    return table[index] + static_cast<std::int64_t>(std::floor(part / 128.0 + 0.5));
  }

  void wide_softmax(const Softmax& softmax) {
    static const auto exponentials =
        lookup_table(10.0F / 65535.0F * -65535.0F, 0.0F, [](float x) { return std::exp(x); });
    static const auto reciprocals =
        lookup_table(0.0F, 1.0F / 65535.0F * 65535.0F, [](float x) { return 1.0F / (1.0F + x); });
    const Multiplier by = multiplier_of(scale(in_) * static_cast<double>(softmax.beta) / (10.0 / 65535.0));
    const std::int64_t channels = in_image_.channels;
    for (std::int64_t pixel = 0; pixel < element_count(in_) / channels; ++pixel) {
      std::int64_t most = -32768, sum = 0;
      for (std::int64_t i = 0; i < channels; ++i) most = std::max(most, in(pixel * channels + i));
      const auto e = [&](std::int64_t i) {
        return looked_up(exponentials, scaled(in(pixel * channels + i) - most, by) + 32767);
      };
      for (std::int64_t i = 0; i < channels; ++i) sum += e(i);
      const int zeros = std::countl_zero(static_cast<std::uint32_t>(sum));
      const std::int64_t shifted = (sum * (std::int64_t{1} << (zeros - 1)) + 8192) / 16384;
      const std::int64_t inverse = looked_up(reciprocals, shifted - 32768 - 65536);
      for (std::int64_t i = 0; i < channels; ++i) {
        const std::int64_t unit = std::int64_t{1} << (31 - zeros);
        put(pixel * channels + i, std::clamp<std::int64_t>((e(i) * inverse + unit / 2) / unit, 0, 32767));
      }
    }
  }

  /// log(x) of x in Q12.19, at least 1, in Q5.26. Source: common.h of the reference.
  static std::int64_t logarithm(std::int64_t x) {
    const auto zeros = [](std::int64_t n) { return std::countl_zero(static_cast<std::uint32_t>(n)); };
    const std::int64_t half_root = 1518500250, center = 1805811301;
    const int high = zeros(x), low = zeros(doubling_high(x, half_root)) - 1;
    const std::int64_t unit = std::int64_t{1} << 25, quarter = std::int64_t{1} << 23;
    const std::int64_t r =
        std::min(saturating_left(doubling_high(saturating_left(x, high - 1), half_root), 1), saturating_left(x, low));
    const std::int64_t power = std::max((12 - high) * unit + quarter, (12 - low) * unit - quarter);
    const std::int64_t q = 2 * (r - center), square = doubling_high(q, q), mean = (r + center + 1) / 2;
    const std::int64_t above = doubling_high(q, r) + doubling_high(doubling_high(q, square), 117049297);
    const std::int64_t below =
        doubling_high(mean, 1057819769 + q + doubling_high(127690142, square)) + doubling_high(638450708, q);
    const std::int64_t part = doubling_high(rounding_divide(above, 6), reciprocal(below));
    return saturating_left(doubling_high(power, 1488522236) + part, 1);
  }

  void log_softmax() {
    const Multiplier by = multiplier_of(std::min(scale(in_) * std::exp2(26.0), 2147483647.0));
    const Multiplier back = multiplier_of(std::exp2(31.0 - by.s) / static_cast<double>(by.m));
    const auto least = -static_cast<std::int64_t>(std::floor(31.0 * std::exp2(26.0) / std::exp2(by.s)));
    const std::int64_t channels = in_image_.channels;
    for (std::int64_t first = 0; first < element_count(in_); first += channels) {
      std::int64_t most = -128, sum = 0;
      for (std::int64_t i = 0; i < channels; ++i) most = std::max(most, in(first + i));
      const auto difference = [&](std::int64_t i) { return in(first + i) - most; };
      for (std::int64_t i = 0; i < channels; ++i) {
        if (difference(i) >= least) sum += rounding_divide(exp_on_negative(scaled(difference(i), by)), 12);
      }
      const std::int64_t log_sum = logarithm(sum);
      const std::int64_t bound = std::max(least - 1, scaled(log_sum - (std::int64_t{1} << 31), back));
      for (std::int64_t i = 0; i < channels; ++i) {
        const std::int64_t y = rounding_divide(scaled(difference(i), by) - log_sum, 22) + 127;
        put(first + i, difference(i) > bound ? clamped(y) : -128);
      }
    }
  }

  void compute(const Softmax& softmax) {
    if (softmax.logarithm) return log_softmax();
    if (in_.type == DataType::int16) return wide_softmax(softmax);
    const double ratio = std::min(static_cast<double>(softmax.beta) * scale(in_) * std::exp2(26.0), 2147483647.0);
    const Multiplier by = multiplier_of(ratio);
    const auto least = -static_cast<std::int64_t>(std::floor(31.0 * std::exp2(26.0) / std::exp2(by.s)));
    const std::int64_t channels = in_image_.channels;
    const bool widens = out_.type == DataType::int16;
    for (std::int64_t pixel = 0; pixel < element_count(in_) / channels; ++pixel) {
      std::int64_t most = -128, sum = 0;
      for (std::int64_t i = 0; i < channels; ++i) most = std::max(most, in(pixel * channels + i));
      const auto e = [&](std::int64_t i) { return exp_on_negative(scaled(in(pixel * channels + i) - most, by)); };
      for (std::int64_t i = 0; i < channels; ++i) {
        if (in(pixel * channels + i) - most >= least) sum += rounding_divide(e(i), 12);
      }
      const int zeros = std::countl_zero(static_cast<std::uint32_t>(sum));
      const std::int64_t inverse = reciprocal((sum << zeros) - (std::int64_t{1} << 31));
      for (std::int64_t i = 0; i < channels; ++i) {
        const bool counts = in(pixel * channels + i) - most >= least;
        const int bits = (widens ? 27 : 35) - zeros;
        const std::int64_t y = counts ? rounding_divide(doubling_high(inverse, e(i)), bits) : 0;
        put(pixel * channels + i, clamped(y - (widens ? 32768 : 128)));
      }
    }
  }

  void compute(const Quantize&) {
    for (std::int64_t index = 0; index < element_count(out_); ++index) {
      if (in_.type == DataType::float32) {
        const float quotient = real(index) / out_.quantization.scale[0];
        put(index, clamped(nearest(static_cast<double>(quotient)) + zero(out_)));
      } else {
        put(index, clamped(scaled(in(index)-zero(in_), multiplier_of(scale(in_) / scale(out_))) + zero(out_)));
      }
    }
  }

  void compute(const Dequantize&) {
    for (std::int64_t index = 0; index < element_count(out_); ++index) {
      const auto number = static_cast<float>(scale(in_) * static_cast<double>(in(index)-zero(in_)));
      std::memcpy(result_.data() + index * 4, &number, 4);
    }
  }

  void compute(const ResizeNearest& resize) {
    const auto source = [&](std::int64_t i, std::int64_t from, std::int64_t to) {
      const bool align = resize.align_corners && to > 1;
      const float step = align ? static_cast<float>(from - 1) / static_cast<float>(to - 1)
                               : static_cast<float>(from) / static_cast<float>(to);
      const float place = (static_cast<float>(i) + (resize.half_pixel_centers ? 0.5F : 0.0F)) * step;
      const float index = resize.align_corners ? std::round(place) : std::floor(place);
      return std::clamp<std::int64_t>(static_cast<std::int64_t>(index), 0, from - 1);
    };
    for_each_output([&](std::int64_t y, std::int64_t x, std::int64_t channel, std::int64_t index) {
      put(index, in_pixel(source(y, in_image_.height, out_image_.height), source(x, in_image_.width, out_image_.width),
                          channel));
    });
  }

  /// Index by index along the axis; scales that differ are those of the desktop's reference, in binary32.
  void compute(const Concat& concat) {
    const auto scalar = static_cast<std::int64_t>(scalar_bytes(out_.type));
    std::int64_t inner = 1;
    for (std::size_t i = static_cast<std::size_t>(concat.axis) + 1; i < out_.shape.size(); ++i) inner *= out_.shape[i];
    const std::int64_t extent = out_.shape[static_cast<std::size_t>(concat.axis)];
    std::int64_t start = 0;
    for (std::size_t input = 0; input < c_.inputs.size(); ++input) {
      const Tensor& in = c_.input(input);
      const std::int64_t own = in.shape[static_cast<std::size_t>(concat.axis)];
      for (std::int64_t i = 0; i < element_count(in); ++i) {
        const std::int64_t outer = i / (own * inner), along = i / inner % own, last = i % inner;
        const std::int64_t to = (outer * extent + start + along) * inner + last;
        for (std::int64_t byte = 0; byte < scalar; ++byte) {
          result_[static_cast<std::size_t>(to * scalar + byte)] =
              c_.inputs[input][static_cast<std::size_t>(i * scalar + byte)];
        }
        if (in.quantization == out_.quantization) continue;
        const auto bits = static_cast<std::int64_t>(c_.inputs[input][static_cast<std::size_t>(i)]);
        const std::int64_t x = in.type == DataType::uint8 || bits < 128 ? bits : bits - 256;
        const float ratio = in.quantization.scale[0] * (1.0F / out_.quantization.scale[0]);
        const float bias = static_cast<float>(-in.quantization.zero_point[0]) * ratio;
        const float scaled_x = static_cast<float>(x) * ratio;
        put(to, clamped(nearest(static_cast<double>(scaled_x + bias)) + zero(out_)));
      }
      start += own;
    }
  }

  void compute(const ResizeBilinear& resize) {
    struct Tap {
      std::int64_t low, high, fraction;
    };
    const auto tap = [&](std::int64_t i, std::int64_t in, std::int64_t out) {
      std::int64_t step = (1024 * in + out / 2) / out;
      if (resize.align_corners && out > 1) step = (1024 * (in - 1) + (out - 1) / 2) / (out - 1);
      const std::int64_t p = i * step + (resize.half_pixel_centers ? step / 2 - 512 : 0);
      const std::int64_t low = std::max<std::int64_t>(p / 1024, 0);
      return Tap{low, std::min((p + 1023) / 1024, in - 1), p - 1024 * low};
    };
    for_each_output([&](std::int64_t y, std::int64_t x, std::int64_t channel, std::int64_t index) {
      const Tap v = tap(y, in_image_.height, out_image_.height), h = tap(x, in_image_.width, out_image_.width);
      const std::int64_t sum = in_pixel(v.low, h.low, channel) * (1024 - v.fraction) * (1024 - h.fraction) +
                               in_pixel(v.high, h.low, channel) * v.fraction * (1024 - h.fraction) +
                               in_pixel(v.low, h.high, channel) * (1024 - v.fraction) * h.fraction +
                               in_pixel(v.high, h.high, channel) * v.fraction * h.fraction;
      put(index, (sum + (sum > 0 ? 1 << 19 : -(1 << 19))) / (1 << 20));
    });
  }

  /// Scattered: every input scalar is added to all the sums that it is part of.
  void compute(const TransposeConv2d& conv) {
    const Tensor& w = tensor(conv.weights);
    std::vector<std::int64_t> sums(result_.size(), 0);
    for (std::int64_t y = 0; y < in_image_.height; ++y) {
      for (std::int64_t x = 0; x < in_image_.width; ++x) {
        for (std::int64_t index = 0; index < element_count(w); ++index) {
          const std::int64_t i = index % in_image_.channels, kx = index / in_image_.channels % conv.columns.kernel;
          const std::int64_t ky = index / (in_image_.channels * conv.columns.kernel) % conv.rows.kernel;
          const std::int64_t o = index / (in_image_.channels * conv.columns.kernel * conv.rows.kernel);
          const std::int64_t oy = y * conv.rows.stride - conv.rows.pad_before + ky;
          const std::int64_t ox = x * conv.columns.stride - conv.columns.pad_before + kx;
          if (oy < 0 || oy >= out_image_.height || ox < 0 || ox >= out_image_.width) continue;
          sums[static_cast<std::size_t>((oy * out_image_.width + ox) * out_image_.channels + o)] +=
              value(w, w.data, index) * (in_pixel(y, x, i) - zero(in_));
        }
      }
    }
    for_each_output([&](std::int64_t, std::int64_t, std::int64_t o, std::int64_t index) {
      const std::int64_t sum = sums[static_cast<std::size_t>(index)] + bias(conv.bias, o);
      put(index, requantized(sum, scale(in_) * scale(w, o) / scale(out_), conv.activation, conv.bias));
    });
  }

  /// visit(output index, input index) for every input scalar, in order.
  template <typename Visit>
  void for_each_reduced(const std::vector<int>& axes, Visit visit) const {
    for (std::int64_t index = 0; index < element_count(in_); ++index) {
      std::int64_t rest = index, output = 0, pitch = 1;
      for (auto axis = static_cast<int>(in_.shape.size()) - 1; axis >= 0; --axis) {
        const std::int64_t extent = in_.shape[static_cast<std::size_t>(axis)], at = rest % extent;
        rest /= extent;
        if (std::ranges::find(axes, axis) != axes.end()) continue;
        output += at * pitch;
        pitch *= extent;
      }
      visit(output, index);
    }
  }

  void compute(const Reduce& reduce) {
    const std::int64_t outputs = element_count(out_), count = element_count(in_) / outputs;
    const bool extreme = reduce.kind == ReduceKind::max || reduce.kind == ReduceKind::min;
    const std::int64_t sign = reduce.kind == ReduceKind::min ? -1 : 1;
    std::vector<std::int64_t> results(static_cast<std::size_t>(outputs), extreme ? -1000 : 0);
    for_each_reduced(reduce.axes, [&](std::int64_t output, std::int64_t index) {
      std::int64_t& result = results[static_cast<std::size_t>(output)];
      result = extreme ? std::max(result, sign * in(index)) : result + in(index)-zero(in_);
    });
    const Multiplier whole = multiplier_of(scale(in_) / scale(out_));
    int k = 0;
    while ((std::int64_t{2} << k) <= count) ++k;
    k = std::min({k, 32, 31 + whole.s});
    const Multiplier mean{(whole.m * (std::int64_t{1} << k)) / count, whole.s - k};
    for (std::int64_t i = 0; i < outputs; ++i) {
      const std::int64_t result = results[static_cast<std::size_t>(i)];
      const Multiplier by = reduce.kind == ReduceKind::mean ? mean : whole;
      put(i, extreme ? sign * result : clamped(scaled(result, by) + zero(out_)));
    }
  }

  void real_arg_extreme(const ArgExtreme& arg) {
    std::vector<float> best(static_cast<std::size_t>(element_count(out_)));
    std::vector<std::int32_t> found(best.size()), seen(best.size());
    for_each_reduced({arg.axis}, [&](std::int64_t output, std::int64_t index) {
      const auto at = static_cast<std::size_t>(output);
      if (seen[at] == 0 || (arg.largest ? real(index) > best[at] : real(index) < best[at])) {
        best[at] = real(index);
        found[at] = seen[at];
      }
      ++seen[at];
    });
    std::memcpy(result_.data(), found.data(), result_.size());
  }

  void compute(const ArgExtreme& arg) {
    std::vector<std::int64_t> best(static_cast<std::size_t>(element_count(out_)), -1000);
    std::vector<std::int32_t> found(best.size()), seen(best.size());
    if (in_.type == DataType::float32) return real_arg_extreme(arg);
    for_each_reduced({arg.axis}, [&](std::int64_t output, std::int64_t index) {
      const auto at = static_cast<std::size_t>(output);
      const std::int64_t number = arg.largest ? in(index) : -in(index);
      if (number > best[at]) {
        best[at] = number;
        found[at] = seen[at];
      }
      ++seen[at];
    });
    std::memcpy(result_.data(), found.data(), result_.size());
  }

  /// As multiplier and right shift. Source: docs/arithmetic.md.
  static std::pair<std::int64_t, int> inverse_root(std::int64_t v) {
    if (v <= 1) return {std::numeric_limits<std::int32_t>::max(), 0};
    int right = 11;
    while (v >= std::int64_t{1} << 29) {
      v /= 4;
      ++right;
    }
    const int zeros = std::countl_zero(static_cast<std::uint32_t>(v)), k = (zeros - 1) / 2 - 1;
    right -= k;
    v *= std::int64_t{1} << (2 * k);
    const std::int64_t half = rounding_divide(v / 2, 1);
    std::int64_t x = std::int64_t{1} << 28;
    for (int i = 0; i < 5; ++i) {
      const std::int64_t cube = saturating_left(doubling_high(doubling_high(x, x), x), 6);
      x = saturating_left(doubling_high(402653184, x) - doubling_high(half, cube), 3);
    }
    x = doubling_high(x, 1518500250);
    if (right < 0) return {x * (std::int64_t{1} << -right), 0};
    return {x, right};
  }

  void compute(const L2Normalize&) {
    const std::int64_t channels = in_image_.channels;
    for (std::int64_t start = 0; start < element_count(in_); start += channels) {
      std::int64_t squares = 0;
      for (std::int64_t i = start; i < start + channels; ++i) squares += (in(i)-zero(in_)) * (in(i)-zero(in_));
      const auto [m, right] = inverse_root(squares);
      for (std::int64_t i = start; i < start + channels; ++i) {
        put(i, clamped(test::scaled(in(i)-zero(in_), m, 7 - right)));
      }
    }
  }

  void compute(const Copy&) { result_ = c_.inputs[0]; }

  /// Scalar `index` of some bytes of 8 or 16 bits.
  static std::int64_t stored_scalar(const Bytes& bytes, bool wide, std::int64_t index) {
    if (!wide) return static_cast<std::int8_t>(bytes[static_cast<std::size_t>(index)]);
    std::int16_t number = 0;
    std::memcpy(&number, bytes.data() + 2 * index, 2);
    return number;
  }
  const Bytes& state() const { return c_.graph.states[0].initial; }

  void compute(const Svdf& svdf) {
    const Tensor &feature = tensor(svdf.constants[0]), &time = tensor(svdf.constants[1]);
    const bool wide = svdf.memory_type == DataType::int16;
    const std::int64_t features = feature.shape[1], memory = time.shape[1], units = element_count(out_);
    const std::int64_t most = wide ? 32767 : 127;
    const double held = static_cast<double>(svdf.memory_scale);
    for (std::int64_t unit = 0; unit < units; ++unit) {
      std::int64_t sum = svdf.constants.size() > 2 ? bias(svdf.constants[2], unit) : 0;
      for (std::int64_t filter = unit * svdf.rank; filter < (unit + 1) * svdf.rank; ++filter) {
        std::int64_t fresh = 0;
        for (std::int64_t i = 0; i < features; ++i) {
          fresh += (in(i)-zero(in_)) * stored_scalar(feature.data, false, filter * features + i);
        }
        fresh = scaled(fresh, multiplier_of(scale(in_) * scale(feature) / held)) + svdf.memory_zero;
        fresh = std::clamp(fresh, -most - 1, most);
        for (std::int64_t i = 0; i < memory; ++i) {
          const std::int64_t kept = i + 1 < memory ? stored_scalar(state(), wide, filter * memory + i + 1) : fresh;
          sum += (kept - svdf.memory_zero) * stored_scalar(time.data, wide, filter * memory + i);
        }
      }
      put(unit, clamped(scaled(wrapped(sum), multiplier_of(held * scale(time) / scale(out_))) + zero(out_)));
    }
  }

  /// Of x as Q3.12 in thirds; the table is interpolated between its entries 1 / 24 apart.
  static std::int64_t sigmoid(std::int64_t x3) {
    const std::int64_t x = std::abs(x3), entry = x / 512, rest = x % 512;
    std::int64_t y = std::int64_t{32767} * 1024;
    if (entry < 255) y = logistic_point(entry) * 512 + rest * (logistic_point(entry + 1) - logistic_point(entry));
    y = x3 >= 0 ? y + 512 : (std::int64_t{1} << 25) - y + 511;
    return y / 1024;
  }
  static std::int64_t tanh(std::int64_t x3) {
    const std::int64_t x = std::abs(x3), entry = x / 256, rest = x % 256;
    std::int64_t y = std::int64_t{65535} * 256;
    if (entry < 255) y = logistic_point(entry) * 256 + rest * (logistic_point(entry + 1) - logistic_point(entry));
    y -= std::int64_t{1} << 23;
    y = x3 >= 0 ? y + 128 : 127 - y;
    return y < 0 ? -((-y + 255) / 256) : y / 256;
  }

  void compute(const Lstm& lstm) {
    const auto narrow = [](std::int64_t x) { return std::clamp<std::int64_t>(x, -32768, 32767); };
    const std::int64_t units = out_image_.channels, inputs = in_image_.channels;
    const auto cell_scale = static_cast<double>(lstm.cell_scale);
    std::vector<std::int64_t> cells, hidden;
    for (std::int64_t unit = 0; unit < units; ++unit) {
      cells.push_back(stored_scalar(state(), true, unit));
      hidden.push_back(static_cast<std::int8_t>(state()[static_cast<std::size_t>(2 * units + unit)]));
    }
    for (std::int64_t step = 0; step < element_count(out_) / units; ++step) {
      const std::vector<std::int64_t> old = hidden;
      for (std::int64_t unit = 0; unit < units; ++unit) {
        std::array<std::int64_t, 4> gates{};
        for (std::size_t g = 0; g < 4; ++g) {
          const Tensor &w = tensor(lstm.constants[g]), &v = tensor(lstm.constants[4 + g]);
          std::int64_t a = bias(lstm.constants[8 + g], unit), b = 0;
          for (std::int64_t i = 0; i < inputs; ++i) {
            a += (in(step * inputs + i) - zero(in_)) * stored_scalar(w.data, false, unit * inputs + i);
          }
          for (std::int64_t i = 0; i < units; ++i) {
            b += (old[static_cast<std::size_t>(i)] - zero(out_)) * stored_scalar(v.data, false, unit * units + i);
          }
          const float from_in = in_.quantization.scale[0] * w.quantization.scale[0];
          const float from_hidden = out_.quantization.scale[0] * v.quantization.scale[0];
          gates[g] = narrow(narrow(scaled(wrapped(a), multiplier_of(static_cast<double>(from_in) * 4096.0))) +
                            narrow(scaled(wrapped(b), multiplier_of(static_cast<double>(from_hidden) * 4096.0))));
        }
        std::int64_t& cell = cells[static_cast<std::size_t>(unit)];
        const std::int64_t kept = scaled(sigmoid(3 * gates[1]) * cell, multiplier_of(1.0 / 32768.0));
        const std::int64_t fresh =
            scaled(sigmoid(3 * gates[0]) * tanh(3 * gates[2]), multiplier_of(1.0 / 32768.0 / 32768.0 / cell_scale));
        cell = narrow(narrow(kept) + narrow(fresh));
        const auto clip =
            static_cast<std::int64_t>(std::min(static_cast<double>(lstm.cell_clip) / cell_scale, 32767.0));
        if (clip > 0) cell = std::clamp(cell, -clip, clip);
        const auto in_range = static_cast<std::int64_t>(cell_scale * 4096.0);
        const std::int64_t y = scaled(sigmoid(3 * gates[3]) * tanh(3 * cell * in_range),
                                      multiplier_of(1.0 / 32768.0 / 32768.0 / scale(out_))) +
                               zero(out_);
        hidden[static_cast<std::size_t>(unit)] = clamped(y);
        put(step * units + unit, clamped(y));
      }
    }
  }

  void compute(const Rearrange& move) {
    const std::size_t scalar = scalar_bytes(out_.type);
    for (std::int64_t index = 0; index < element_count(out_); ++index) {
      std::int64_t rest = index, from = move.start;
      for (std::size_t axis = move.axes.size(); axis-- > 0;) {
        const AxisMap& map = move.axes[axis];
        const std::int64_t i = rest % map.extent;
        from += map.offsets.empty() ? i * map.stride : map.offsets[static_cast<std::size_t>(i)];
        rest /= map.extent;
      }
      std::memcpy(result_.data() + static_cast<std::size_t>(index) * scalar,
                  c_.inputs[0].data() + static_cast<std::size_t>(from) * scalar, scalar);
    }
  }

  void compute(const Clamp& clamp) {
    for (std::int64_t index = 0; index < element_count(out_); ++index) {
      if (clamp.activation == Activation::relu6) {
        const auto six = std::clamp<std::int64_t>(
            nearest(static_cast<double>(std::round(6.0F / in_.quantization.scale[0]))) + zero(in_), -128, 127);
        put(index, std::min(std::max(in(index), zero(in_)), six));
      } else {
        const double ratio = static_cast<double>(in_.quantization.scale[0] / out_.quantization.scale[0]);
        const std::int64_t y = scaled(in(index)-zero(in_), multiplier_of(ratio)) + zero(out_);
        put(index, std::clamp(y, std::max<std::int64_t>(-128, zero(out_)), std::int64_t{127}));
      }
    }
  }

  void compute(const Reshape&) { throw std::logic_error("no kernel"); }
  void compute(const Signal&) { throw std::logic_error("elsewhere"); }
  void compute(const Load&) { throw std::logic_error("no input"); }

  const OpCase& c_;
  const Tensor& in_;
  const Tensor& out_;
  ImageShape in_image_, out_image_;
  Bytes result_;
};

}  // namespace

Bytes reference(const OpCase& op_case) {
  if (std::holds_alternative<Signal>(op_case.op().kind)) return signal_reference(op_case);
  if (std::optional<Bytes> bytes = float_reference(op_case)) return *bytes;
  return Reference(op_case).run();
}

}  // namespace ripc::test
