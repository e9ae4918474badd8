#include "kernels/reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <stdexcept>

#include "kernels/case_view.h"

namespace ripc::test {
namespace {

std::int64_t nearest(double x) { return std::llround(x); }

/// 1 / (1 + v), both in Q0.31.
std::int64_t reciprocal(std::int64_t v) { return saturating_left(twice_reciprocal(v), 1); }

class Reference {
 public:
  explicit Reference(const OpCase& op_case) : v_(op_case) {}

  Bytes run() {
    std::visit([&](const auto& kind) { compute(kind); }, v_.op_case.op().kind);
    return std::move(v_.result);
  }

 private:
  void compute(const Conv2d& conv) {
    const Tensor& w = v_.tensor(conv.weights);
    const std::int64_t group_in = v_.in_image.channels / conv.groups, group_out = v_.out_image.channels / conv.groups;
    v_.for_each_output([&](std::int64_t y, std::int64_t x, std::int64_t o, std::int64_t index) {
      std::int64_t sum = v_.bias(conv.bias, o);
      v_.for_each_tap(conv.rows, conv.columns, y, x, [&](auto iy, auto ix, auto ky, auto kx) {
        for (std::int64_t i = 0; i < group_in; ++i) {
          const std::int64_t at = ((o * conv.rows.kernel + ky) * conv.columns.kernel + kx) * group_in + i;
          sum += v_.value(w, w.data, at) * (v_.in_pixel(iy, ix, o / group_out * group_in + i) - v_.zero(v_.in_tensor));
        }
      });
      v_.put(index, v_.requantized(sum, v_.scale(v_.in_tensor) * v_.scale(w, o) / v_.scale(v_.out_tensor),
                                   conv.activation, conv.bias));
    });
  }

  void compute(const DepthwiseConv2d& conv) {
    const Tensor& w = v_.tensor(conv.weights);
    v_.for_each_output([&](std::int64_t y, std::int64_t x, std::int64_t o, std::int64_t index) {
      std::int64_t sum = v_.bias(conv.bias, o);
      v_.for_each_tap(conv.rows, conv.columns, y, x, [&](auto iy, auto ix, auto ky, auto kx) {
        const std::int64_t at = (ky * conv.columns.kernel + kx) * v_.out_image.channels + o;
        sum += v_.value(w, w.data, at) * (v_.in_pixel(iy, ix, o / conv.multiplier) - v_.zero(v_.in_tensor));
      });
      v_.put(index, v_.requantized(sum, v_.scale(v_.in_tensor) * v_.scale(w, o) / v_.scale(v_.out_tensor),
                                   conv.activation, conv.bias));
    });
  }

  void compute(const FullyConnected& connected) {
    const Tensor& w = v_.tensor(connected.weights);
    const std::int64_t units = w.shape[0], features = w.shape[1];
    const bool one_scale = w.quantization.scale.size() == 1;
    for (std::int64_t index = 0; index < element_count(v_.out_tensor); ++index) {
      const std::int64_t vector = index / units, o = index % units;
      std::int64_t sum = v_.bias(connected.bias, o);
      for (std::int64_t i = 0; i < features; ++i) {
        sum += v_.value(w, w.data, o * features + i) * (v_.in(vector * features + i) - v_.zero(v_.in_tensor));
      }
      const float narrow = v_.in_tensor.quantization.scale[0] * w.quantization.scale[0];
      const double product = one_scale ? static_cast<double>(narrow) : v_.scale(v_.in_tensor) * v_.scale(w, o);
      v_.put(index, v_.requantized(sum, product / v_.scale(v_.out_tensor), connected.activation, connected.bias));
    }
  }

  void compute(const Pool2d& pool) {
    v_.for_each_output([&](std::int64_t y, std::int64_t x, std::int64_t channel, std::int64_t index) {
      std::int64_t sum = 0, count = 0, most = v_.type_limits().first;
      v_.for_each_tap(pool.rows, pool.columns, y, x, [&](auto iy, auto ix, auto, auto) {
        const std::int64_t number = v_.in_pixel(iy, ix, channel);
        sum += number;
        ++count;
        most = std::max(most, number);
      });
      if (pool.kind == PoolKind::average) most = sum > 0 ? (sum + count / 2) / count : (sum - count / 2) / count;
      v_.put(index, v_.activated(most, pool.activation));
    });
  }

  void compute(const Cast&) { v_.result = elementwise_reference(v_.op_case); }
  void compute(const Unary&) { v_.result = elementwise_reference(v_.op_case); }
  void compute(const Binary&) { v_.result = elementwise_reference(v_.op_case); }

  void compute(const Mean&) {
    const std::int64_t count = v_.in_image.height * v_.in_image.width;
    const Multiplier whole = multiplier_of(v_.scale(v_.in_tensor) / v_.scale(v_.out_tensor));
    int k = 0;
    while ((std::int64_t{2} << k) <= count) ++k;
    k = std::min({k, 32, 31 + whole.s});
    const Multiplier by{(whole.m * (std::int64_t{1} << k)) / count, whole.s - k};
    for (std::int64_t channel = 0; channel < v_.in_image.channels; ++channel) {
      std::int64_t sum = -v_.zero(v_.in_tensor) * count;
      for (std::int64_t pixel = 0; pixel < count; ++pixel) sum += v_.in(pixel * v_.in_image.channels + channel);
      v_.put(channel, v_.clamped(scaled(sum, by) + v_.zero(v_.out_tensor)));
    }
  }

  void compute(const Pad& pad) {
    v_.for_each_output([&](std::int64_t y, std::int64_t x, std::int64_t channel, std::int64_t index) {
      const std::int64_t from = channel - pad.before[2];
      const bool copied = v_.inside(y - pad.before[0], x - pad.before[1]) && from >= 0 && from < v_.in_image.channels;
      const std::size_t scalar = scalar_bytes(v_.out_tensor.type);
      std::byte* to = v_.result.data() + static_cast<std::size_t>(index) * scalar;
      const auto source = ((y - pad.before[0]) * v_.in_image.width + x - pad.before[1]) * v_.in_image.channels + from;
      if (copied) {
        std::memcpy(to, v_.op_case.inputs[0].data() + static_cast<std::size_t>(source) * scalar, scalar);
      } else if (!pad.fill.empty()) {
        std::memcpy(to, pad.fill.data(), scalar);
      } else if (scalar == 1) {
        v_.put(index, v_.zero(v_.out_tensor));
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
    const Multiplier by = multiplier_of(v_.scale(v_.in_tensor) * static_cast<double>(softmax.beta) / (10.0 / 65535.0));
    const std::int64_t channels = v_.in_image.channels;
    for (std::int64_t pixel = 0; pixel < element_count(v_.in_tensor) / channels; ++pixel) {
      std::int64_t most = -32768, sum = 0;
      for (std::int64_t i = 0; i < channels; ++i) most = std::max(most, v_.in(pixel * channels + i));
      const auto e = [&](std::int64_t i) {
        return looked_up(exponentials, scaled(v_.in(pixel * channels + i) - most, by) + 32767);
      };
      for (std::int64_t i = 0; i < channels; ++i) sum += e(i);
      const int zeros = std::countl_zero(static_cast<std::uint32_t>(sum));
      const std::int64_t shifted = (sum * (std::int64_t{1} << (zeros - 1)) + 8192) / 16384;
      const std::int64_t inverse = looked_up(reciprocals, shifted - 32768 - 65536);
      for (std::int64_t i = 0; i < channels; ++i) {
        const std::int64_t unit = std::int64_t{1} << (31 - zeros);
        v_.put(pixel * channels + i, std::clamp<std::int64_t>((e(i) * inverse + unit / 2) / unit, 0, 32767));
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
    const Multiplier by = multiplier_of(std::min(v_.scale(v_.in_tensor) * std::exp2(26.0), 2147483647.0));
    const Multiplier back = multiplier_of(std::exp2(31.0 - by.s) / static_cast<double>(by.m));
    const auto least = -static_cast<std::int64_t>(std::floor(31.0 * std::exp2(26.0) / std::exp2(by.s)));
    const std::int64_t channels = v_.in_image.channels;
    for (std::int64_t first = 0; first < element_count(v_.in_tensor); first += channels) {
      std::int64_t most = -128, sum = 0;
      for (std::int64_t i = 0; i < channels; ++i) most = std::max(most, v_.in(first + i));
      const auto difference = [&](std::int64_t i) { return v_.in(first + i) - most; };
      for (std::int64_t i = 0; i < channels; ++i) {
        if (difference(i) >= least) sum += rounding_divide(exp_on_negative(scaled(difference(i), by), 5), 12);
      }
      const std::int64_t log_sum = logarithm(sum);
      const std::int64_t bound = std::max(least - 1, scaled(log_sum - (std::int64_t{1} << 31), back));
      for (std::int64_t i = 0; i < channels; ++i) {
        const auto y = [&] { return rounding_divide(scaled(difference(i), by) - log_sum, 22) + 127; };
        v_.put(first + i, difference(i) > bound ? v_.clamped(y()) : -128);  // or else y is beyond 64 bits
      }
    }
  }

  void compute(const Softmax& softmax) {
    if (softmax.logarithm) return log_softmax();
    if (v_.in_tensor.type == DataType::int16) return wide_softmax(softmax);
    const double ratio =
        std::min(static_cast<double>(softmax.beta) * v_.scale(v_.in_tensor) * std::exp2(26.0), 2147483647.0);
    const Multiplier by = multiplier_of(ratio);
    const auto least = -static_cast<std::int64_t>(std::floor(31.0 * std::exp2(26.0) / std::exp2(by.s)));
    const std::int64_t channels = v_.in_image.channels;
    const bool widens = v_.out_tensor.type == DataType::int16;
    for (std::int64_t pixel = 0; pixel < element_count(v_.in_tensor) / channels; ++pixel) {
      std::int64_t most = -128, sum = 0;
      for (std::int64_t i = 0; i < channels; ++i) most = std::max(most, v_.in(pixel * channels + i));
      const auto e = [&](std::int64_t i) { return exp_on_negative(scaled(v_.in(pixel * channels + i) - most, by), 5); };
      for (std::int64_t i = 0; i < channels; ++i) {
        if (v_.in(pixel * channels + i) - most >= least) sum += rounding_divide(e(i), 12);
      }
      const int zeros = std::countl_zero(static_cast<std::uint32_t>(sum));
      const std::int64_t inverse = reciprocal((sum << zeros) - (std::int64_t{1} << 31));
      for (std::int64_t i = 0; i < channels; ++i) {
        const bool counts = v_.in(pixel * channels + i) - most >= least;
        const int bits = (widens ? 27 : 35) - zeros;
        const std::int64_t y = counts ? rounding_divide(doubling_high(inverse, e(i)), bits) : 0;
        v_.put(pixel * channels + i, v_.clamped(y - (widens ? 32768 : 128)));
      }
    }
  }

  void compute(const Quantize&) {
    for (std::int64_t index = 0; index < element_count(v_.out_tensor); ++index) {
      if (v_.in_tensor.type == DataType::float32) {
        const float quotient = v_.real(index) / v_.out_tensor.quantization.scale[0];
        v_.put(index, v_.clamped(nearest(static_cast<double>(quotient)) + v_.zero(v_.out_tensor)));
      } else {
        v_.put(index, v_.clamped(scaled(v_.in(index)-v_.zero(v_.in_tensor),
                                        multiplier_of(v_.scale(v_.in_tensor) / v_.scale(v_.out_tensor))) +
                                 v_.zero(v_.out_tensor)));
      }
    }
  }

  void compute(const Dequantize&) {
    for (std::int64_t index = 0; index < element_count(v_.out_tensor); ++index) {
      const auto number =
          static_cast<float>(v_.scale(v_.in_tensor) * static_cast<double>(v_.in(index)-v_.zero(v_.in_tensor)));
      std::memcpy(v_.result.data() + index * 4, &number, 4);
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
    v_.for_each_output([&](std::int64_t y, std::int64_t x, std::int64_t channel, std::int64_t index) {
      v_.put(index, v_.in_pixel(source(y, v_.in_image.height, v_.out_image.height),
                                source(x, v_.in_image.width, v_.out_image.width), channel));
    });
  }

  /// Index by index along the axis; scales that differ are those of the desktop's reference, in binary32.
  void compute(const Concat& concat) {
    const auto scalar = static_cast<std::int64_t>(scalar_bytes(v_.out_tensor.type));
    std::int64_t inner = 1;
    for (std::size_t i = static_cast<std::size_t>(concat.axis) + 1; i < v_.out_tensor.shape.size(); ++i)
      inner *= v_.out_tensor.shape[i];
    const std::int64_t extent = v_.out_tensor.shape[static_cast<std::size_t>(concat.axis)];
    std::int64_t start = 0;
    for (std::size_t input = 0; input < v_.op_case.inputs.size(); ++input) {
      const Tensor& in = v_.op_case.input(input);
      const std::int64_t own = in.shape[static_cast<std::size_t>(concat.axis)];
      for (std::int64_t i = 0; i < element_count(in); ++i) {
        const std::int64_t outer = i / (own * inner), along = i / inner % own, last = i % inner;
        const std::int64_t to = (outer * extent + start + along) * inner + last;
        for (std::int64_t byte = 0; byte < scalar; ++byte) {
          v_.result[static_cast<std::size_t>(to * scalar + byte)] =
              v_.op_case.inputs[input][static_cast<std::size_t>(i * scalar + byte)];
        }
        if (in.quantization == v_.out_tensor.quantization) continue;
        const auto bits = static_cast<std::int64_t>(v_.op_case.inputs[input][static_cast<std::size_t>(i)]);
        const std::int64_t x = in.type == DataType::uint8 || bits < 128 ? bits : bits - 256;
        const float ratio = in.quantization.scale[0] * (1.0F / v_.out_tensor.quantization.scale[0]);
        const float bias = static_cast<float>(-in.quantization.zero_point[0]) * ratio;
        const float scaled_x = static_cast<float>(x) * ratio;
        v_.put(to, v_.clamped(nearest(static_cast<double>(scaled_x + bias)) + v_.zero(v_.out_tensor)));
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
    v_.for_each_output([&](std::int64_t y, std::int64_t x, std::int64_t channel, std::int64_t index) {
      const Tap v = tap(y, v_.in_image.height, v_.out_image.height), h = tap(x, v_.in_image.width, v_.out_image.width);
      const std::int64_t sum = v_.in_pixel(v.low, h.low, channel) * (1024 - v.fraction) * (1024 - h.fraction) +
                               v_.in_pixel(v.high, h.low, channel) * v.fraction * (1024 - h.fraction) +
                               v_.in_pixel(v.low, h.high, channel) * (1024 - v.fraction) * h.fraction +
                               v_.in_pixel(v.high, h.high, channel) * v.fraction * h.fraction;
      v_.put(index, (sum + (sum > 0 ? 1 << 19 : -(1 << 19))) / (1 << 20));
    });
  }

  /// Scattered: every input scalar is added to all the sums that it is part of.
  void compute(const TransposeConv2d& conv) {
    const Tensor& w = v_.tensor(conv.weights);
    std::vector<std::int64_t> sums(v_.result.size(), 0);
    for (std::int64_t y = 0; y < v_.in_image.height; ++y) {
      for (std::int64_t x = 0; x < v_.in_image.width; ++x) {
        for (std::int64_t index = 0; index < element_count(w); ++index) {
          const std::int64_t i = index % v_.in_image.channels, kx = index / v_.in_image.channels % conv.columns.kernel;
          const std::int64_t ky = index / (v_.in_image.channels * conv.columns.kernel) % conv.rows.kernel;
          const std::int64_t o = index / (v_.in_image.channels * conv.columns.kernel * conv.rows.kernel);
          const std::int64_t oy = y * conv.rows.stride - conv.rows.pad_before + ky;
          const std::int64_t ox = x * conv.columns.stride - conv.columns.pad_before + kx;
          if (oy < 0 || oy >= v_.out_image.height || ox < 0 || ox >= v_.out_image.width) continue;
          sums[static_cast<std::size_t>((oy * v_.out_image.width + ox) * v_.out_image.channels + o)] +=
              v_.value(w, w.data, index) * (v_.in_pixel(y, x, i) - v_.zero(v_.in_tensor));
        }
      }
    }
    v_.for_each_output([&](std::int64_t, std::int64_t, std::int64_t o, std::int64_t index) {
      const std::int64_t sum = sums[static_cast<std::size_t>(index)] + v_.bias(conv.bias, o);
      v_.put(index, v_.requantized(sum, v_.scale(v_.in_tensor) * v_.scale(w, o) / v_.scale(v_.out_tensor),
                                   conv.activation, conv.bias));
    });
  }

  void compute(const Copy&) { v_.result = v_.op_case.inputs[0]; }

  void compute(const Rearrange& move) {
    const std::size_t scalar = scalar_bytes(v_.out_tensor.type);
    for (std::int64_t index = 0; index < element_count(v_.out_tensor); ++index) {
      std::int64_t rest = index, from = move.start;
      for (std::size_t axis = move.axes.size(); axis-- > 0;) {
        const AxisMap& map = move.axes[axis];
        const std::int64_t i = rest % map.extent;
        from += map.offsets.empty() ? i * map.stride : map.offsets[static_cast<std::size_t>(i)];
        rest /= map.extent;
      }
      std::memcpy(v_.result.data() + static_cast<std::size_t>(index) * scalar,
                  v_.op_case.inputs[0].data() + static_cast<std::size_t>(from) * scalar, scalar);
    }
  }

  void compute(const Clamp& clamp) {
    for (std::int64_t index = 0; index < element_count(v_.out_tensor); ++index) {
      if (clamp.activation == Activation::relu6) {
        const auto six = std::clamp<std::int64_t>(
            nearest(static_cast<double>(std::round(6.0F / v_.in_tensor.quantization.scale[0]))) + v_.zero(v_.in_tensor),
            -128, 127);
        v_.put(index, std::min(std::max(v_.in(index), v_.zero(v_.in_tensor)), six));
      } else {
        const double ratio =
            static_cast<double>(v_.in_tensor.quantization.scale[0] / v_.out_tensor.quantization.scale[0]);
        const std::int64_t y =
            scaled(v_.in(index)-v_.zero(v_.in_tensor), multiplier_of(ratio)) + v_.zero(v_.out_tensor);
        v_.put(index, std::clamp(y, std::max<std::int64_t>(-128, v_.zero(v_.out_tensor)), std::int64_t{127}));
      }
    }
  }

  void compute(const Reshape&) { throw std::logic_error("no kernel"); }
  void compute(const Signal&) { throw std::logic_error("elsewhere"); }
  void compute(const Load&) { throw std::logic_error("no input"); }

  void compute(const Reduce& kind) { v_.result = reduced_reference(v_.op_case, kind); }
  void compute(const ArgExtreme& kind) { v_.result = reduced_reference(v_.op_case, kind); }
  void compute(const L2Normalize& kind) { v_.result = reduced_reference(v_.op_case, kind); }
  void compute(const Svdf& kind) { v_.result = recurrent_reference(v_.op_case, kind); }
  void compute(const Lstm& kind) { v_.result = recurrent_reference(v_.op_case, kind); }

  CaseView v_;
};

}  // namespace

Bytes reference(const OpCase& op_case) {
  if (std::holds_alternative<Signal>(op_case.op().kind)) return signal_reference(op_case);
  if (std::optional<Bytes> bytes = float_reference(op_case)) return *bytes;
  return Reference(op_case).run();
}

}  // namespace ripc::test
