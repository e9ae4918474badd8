// Functions of one scalar and of two, element by element over the whole shape, from the published arithmetic.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "kernels/reference.h"

namespace ripc::test {
namespace {

using Wide = std::int64_t;

struct Multiplier {
  Wide m = 0;
  int s = 0;
};

/// Rounded to 31 bits after the point; no exponent below -31.
Multiplier multiplier_of(double value) {
  if (value == 0.0) return {};
  Multiplier result;
  result.m = std::llround(std::frexp(value, &result.s) * 2147483648.0);
  if (result.m == Wide{1} << 31) {
    result.m /= 2;
    ++result.s;
  }
  return result.s < -31 ? Multiplier{} : result;
}

Wide times(Wide x, Multiplier by) { return scaled(x, by.m, by.s); }

/// x * 2^bits in 32 bits, saturated.
Wide saturating_left(Wide x, int bits) {
  return std::clamp<Wide>(x * (Wide{1} << bits), std::numeric_limits<std::int32_t>::min(),
                          std::numeric_limits<std::int32_t>::max());
}

/// exp of a number not above zero, of which `integer_bits` bits stand above the point.
Wide exp_on_negative(Wide a, int integer_bits) {
  if (a == 0) return std::numeric_limits<std::int32_t>::max();
  const Wide quarter = Wide{1} << (29 - integer_bits);
  const Wide t = ((a % quarter) + quarter) % quarter - quarter;
  const Wide x = saturating_left(t, integer_bits) + (Wide{1} << 28);
  const Wide x2 = doubling_high(x, x), x3 = doubling_high(x2, x), x4 = doubling_high(x2, x2);
  const Wide p = rounding_divide(doubling_high(rounding_divide(x4, 2) + x3, 715827883) + x2, 1);
  Wide result = 1895147668 + doubling_high(1895147668, x + p);
  const std::array<Wide, 7> factors{1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
  for (int i = 0; i < integer_bits + 2; ++i) {
    if (((t - a) / (quarter << i)) % 2 == 1) result = doubling_high(result, factors[static_cast<std::size_t>(i)]);
  }
  return result;
}

/// 2 / (1 + v) in Q2.29.
Wide newton(Wide v) {
  const Wide half = (v + (Wide{1} << 31)) / 2;
  Wide x = 1515870810 + doubling_high(half, -1010580540);
  for (int i = 0; i < 3; ++i) x += saturating_left(doubling_high(x, (Wide{1} << 29) - doubling_high(half, x)), 2);
  return x;
}

Wide logistic(Wide x) {
  if (x == 0) return Wide{1} << 30;
  const Wide y = saturating_left(newton(exp_on_negative(-std::abs(x), 4)), 1);
  return x > 0 ? y : std::numeric_limits<std::int32_t>::max() - y;
}

Wide hyperbolic_tangent(Wide x) {
  if (x == 0) return 0;
  const Wide y = saturating_left(newton(exp_on_negative(-std::abs(x), 5)) - (Wide{1} << 29), 2);
  return x > 0 ? y : -y;
}

Wide doubling_high_16(Wide a, Wide b) {
  if (a == -32768 && b == -32768) return 32767;
  return static_cast<Wide>(std::floor(static_cast<double>(a * b + (1 << 14)) / 32768.0));
}

Wide narrow_multiplier(Multiplier by) { return by.m >= 2147483647 - 32768 ? 32767 : (by.m + 32768) / 65536; }

class Elementwise {
 public:
  explicit Elementwise(const OpCase& op_case) : c_(op_case), out_(op_case.output()) {
    result_.resize(static_cast<std::size_t>(byte_count(out_)));
  }

  Bytes run(const Unary& unary) {
    const Tensor& in = c_.input();
    for (Wide i = 0; i < element_count(out_); ++i) put(i, function(unary, in, value(in, c_.inputs[0], i)));
    return std::move(result_);
  }

  Bytes run(const Binary& binary) {
    const bool constant = binary.constant != kNoTensor;
    const std::size_t left = constant && binary.constant_first ? 1 : 0;
    const auto operand = [&](std::size_t i) -> std::pair<const Tensor*, const Bytes*> {
      if (constant && i == 1) {
        const Tensor& tensor = c_.graph.tensors[static_cast<std::size_t>(binary.constant)];
        return {&tensor, &tensor.data};
      }
      return {&c_.input(i), &c_.inputs[i]};
    };
    const auto [a, a_bytes] = operand(left);
    const auto [b, b_bytes] = operand(1 - left);
    for (Wide i = 0; i < element_count(out_); ++i) {
      put(i, function(binary, *a, *b, value(*a, *a_bytes, index_in(*a, i)), value(*b, *b_bytes, index_in(*b, i))));
    }
    return std::move(result_);
  }

 private:
  static double scale(const Tensor& t) { return static_cast<double>(t.quantization.scale[0]); }
  static float narrow_scale(const Tensor& t) { return t.quantization.scale[0]; }
  static Wide zero(const Tensor& t) { return t.quantization.zero_point[0]; }

  static Wide value(const Tensor&, const Bytes& bytes, Wide index) {
    const auto byte = std::to_integer<Wide>(bytes[static_cast<std::size_t>(index)]);
    return byte < 128 ? byte : byte - 256;
  }

  /// Where an operand has what element `index` of the output needs: axis by axis from the last.
  Wide index_in(const Tensor& operand, Wide index) const {
    Wide result = 0, stride = 1;
    for (std::size_t back = 1; back <= out_.shape.size(); ++back) {
      const Wide extent = out_.shape[out_.shape.size() - back];
      const Wide own = back <= operand.shape.size() ? operand.shape[operand.shape.size() - back] : 1;
      if (own > 1) result += index % extent * stride;
      stride *= own;
      index /= extent;
    }
    return result;
  }

  static std::pair<Wide, Wide> limits() { return {-128, 127}; }
  Wide held(Wide y) const { return std::clamp(y, limits().first, limits().second); }

  void put(Wide index, Wide number) {
    result_[static_cast<std::size_t>(index)] = static_cast<std::byte>(static_cast<std::uint8_t>(number));
  }

  Wide activated(Wide y, Activation activation) const {
    auto [low, high] = limits();
    const auto stored = [&](float limit) {
      return zero(out_) + static_cast<Wide>(std::llround(limit / narrow_scale(out_)));
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
  Wide exponential(const Tensor& in, Wide x, Function f, int bits) const {
    Multiplier by;
    by.m = std::llround(std::frexp(scale(in) * 134217728.0, &by.s) * 2147483648.0);
    const Wide radius = static_cast<Wide>(std::floor(15.0 * 134217728.0 / std::exp2(by.s)));
    const Wide v = x - zero(in);
    if (std::abs(v) >= radius) return v > 0 ? 127 : -128;
    return held(rounding_divide(f(times(v, by)), bits) + zero(out_));
  }

  Wide hard_swish(const Tensor& in, Wide x) const {
    const float fine = narrow_scale(in) / 128.0F;
    const Multiplier out = multiplier_of(static_cast<double>(fine / narrow_scale(out_)));
    const Multiplier gate = multiplier_of(static_cast<double>(fine / (3.0F / 32768.0F)));
    const auto saturated = [](Wide y) { return std::clamp<Wide>(y, -32768, 32767); };
    const Wide v = (x - zero(in)) * 128;
    Wide r = v;
    if (gate.s > 0) r = saturated(r * (Wide{1} << (gate.s - 1)));
    r = doubling_high_16(r, narrow_multiplier(gate));
    if (gate.s > 0) r = saturated(r * 2);
    if (gate.s < 0) r = rounding_divide(r, -gate.s);
    r = (r + 32768) / 2;
    const Wide q = saturated(r * doubling_high_16(v, narrow_multiplier(out)) / 32768);
    return held(rounding_divide(q, -out.s) + zero(out_));
  }

  Wide function(const Unary& unary, const Tensor& in, Wide x) const {
    switch (unary.kind) {
      case UnaryKind::logistic:
        return exponential(in, x, logistic, 23);
      case UnaryKind::tanh:
        return exponential(in, x, hyperbolic_tangent, 24);
      case UnaryKind::hard_swish:
        return hard_swish(in, x);
      case UnaryKind::leaky_relu: {
        const Wide v = x - zero(in);
        const float slope = narrow_scale(in) * unary.alpha / narrow_scale(out_);
        if (v >= 0)
          return held(zero(out_) + times(v, multiplier_of(static_cast<double>(narrow_scale(in) / narrow_scale(out_)))));
        const Wide y = times(v, multiplier_of(static_cast<double>(std::abs(slope))));
        return held(zero(out_) + (slope < 0 ? -y : y));
      }
      default:
        throw std::logic_error("no integer reference");
    }
  }

  Wide function(const Binary& binary, const Tensor& a, const Tensor& b, Wide x, Wide y) const {
    const Wide left = x - zero(a), right = y - zero(b);
    switch (binary.kind) {
      case BinaryKind::add: {
        const double twice = 2 * std::max(scale(a), scale(b));
        const Wide sum =
            times(left << 20, multiplier_of(scale(a) / twice)) + times(right << 20, multiplier_of(scale(b) / twice));
        return activated(times(sum, multiplier_of(twice / (1048576.0 * scale(out_)))) + zero(out_), binary.activation);
      }
      case BinaryKind::subtract: {
        const float twice = 2 * std::max(narrow_scale(a), narrow_scale(b));
        const auto by = [&](float ratio) { return multiplier_of(static_cast<double>(ratio)); };
        const Wide difference =
            times(left << 20, by(narrow_scale(a) / twice)) - times(right << 20, by(narrow_scale(b) / twice));
        return activated(times(difference, by(twice / (1048576.0F * narrow_scale(out_)))) + zero(out_),
                         binary.activation);
      }
      case BinaryKind::multiply:
        return activated(times(left * right, multiplier_of(scale(a) * scale(b) / scale(out_))) + zero(out_),
                         binary.activation);
      default:
        throw std::logic_error("no integer reference");
    }
  }

  const OpCase& c_;
  const Tensor& out_;
  Bytes result_;
};

}  // namespace

Bytes elementwise_reference(const OpCase& op_case) {
  if (const auto* unary = std::get_if<Unary>(&op_case.op().kind)) return Elementwise(op_case).run(*unary);
  return Elementwise(op_case).run(std::get<Binary>(op_case.op().kind));
}

}  // namespace ripc::test
