// Functions of one scalar and of two, element by element over the whole shape, from the published arithmetic.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "kernels/fixed_point.h"
#include "kernels/reference.h"

namespace ripc::test {
namespace {

using Wide = std::int64_t;

Wide logistic(Wide x) {
  if (x == 0) return Wide{1} << 30;
  const Wide y = saturating_left(twice_reciprocal(exp_on_negative(-std::abs(x), 4)), 1);
  return x > 0 ? y : std::numeric_limits<std::int32_t>::max() - y;
}

Wide hyperbolic_tangent(Wide x) {
  if (x == 0) return 0;
  const Wide y = saturating_left(twice_reciprocal(exp_on_negative(-std::abs(x), 5)) - (Wide{1} << 29), 2);
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
    for (Wide i = 0; i < element_count(out_); ++i) {
      if (out_.type == DataType::float32) {
        put_real(i, function(unary, real(c_.inputs[0], i)));
      } else {
        put(i, function(unary, in, value(in, c_.inputs[0], i)));
      }
    }
    return std::move(result_);
  }

  Bytes run(const Cast&) {
    const bool from_real = c_.input().type == DataType::float32, to_real = out_.type == DataType::float32;
    for (Wide i = 0; i < element_count(out_); ++i) {
      const float x = from_real ? real(c_.inputs[0], i) : 0;
      const Wide n = from_real ? 0 : unsigned_value(c_.input(), c_.inputs[0], i);
      if (to_real) {
        put_real(i, from_real ? x : static_cast<float>(n));
      } else if (out_.type == DataType::boolean) {
        put(i, from_real ? x != 0 : n != 0);
      } else {
        put(i, from_real ? held_real(x) : n);
      }
    }
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
      const Wide at_a = index_in(*a, i), at_b = index_in(*b, i);
      if (out_.type == DataType::float32) {
        put_real(i, function(binary, real(*a_bytes, at_a), real(*b_bytes, at_b)));
      } else if (out_.type == DataType::int32) {
        put(i, whole(binary, value(*a, *a_bytes, at_a), value(*b, *b_bytes, at_b)));
      } else {
        put(i, function(binary, *a, *b, value(*a, *a_bytes, at_a), value(*b, *b_bytes, at_b)));
      }
    }
    return std::move(result_);
  }

  /// 2^16 times the logistic function of i / 24, as the reference has it.
  static Wide logistic_point(Wide i) { return kPoints[static_cast<std::size_t>(i)]; }

 private:
  static double scale(const Tensor& t) { return static_cast<double>(t.quantization.scale[0]); }
  static float narrow_scale(const Tensor& t) { return t.quantization.scale[0]; }
  static Wide zero(const Tensor& t) { return t.quantization.zero_point[0]; }

  /// Little endian, with a sign.
  static Wide value(const Tensor& tensor, const Bytes& bytes, Wide index) {
    const std::size_t size = scalar_bytes(tensor.type), first = static_cast<std::size_t>(index) * size;
    std::uint64_t number = 0;
    for (std::size_t i = size; i-- > 0;) number = number * 256 + std::to_integer<std::uint64_t>(bytes[first + i]);
    const std::size_t unused = 64 - 8 * size;
    return static_cast<Wide>(number << unused) >> unused;
  }

  /// Bytes without a sign where the type has none.
  static Wide unsigned_value(const Tensor& tensor, const Bytes& bytes, Wide index) {
    const Wide number = value(tensor, bytes, index);
    if (tensor.type == DataType::boolean) return number != 0;
    return tensor.type == DataType::uint8 && number < 0 ? number + 256 : number;
  }

  /// Towards zero, within the output's type.
  Wide held_real(float x) const {
    const double bits = 8.0 * static_cast<double>(scalar_bytes(out_.type));
    if (out_.type == DataType::uint8) return static_cast<Wide>(std::clamp(std::trunc(x), 0.0F, 255.0F));
    if (x >= static_cast<float>(std::exp2(bits - 1)))
      return bits == 64.0 ? INT64_MAX : (Wide{1} << static_cast<int>(bits - 1)) - 1;
    if (static_cast<double>(x) <= -std::exp2(bits - 1)) return -static_cast<Wide>(std::exp2(bits - 2)) * 2;
    return static_cast<Wide>(std::min(static_cast<double>(x), bits == 64.0 ? 0x1p62 : std::exp2(bits - 1) - 1));
  }

  static float real(const Bytes& bytes, Wide index) {
    float number = 0;
    std::memcpy(&number, bytes.data() + index * 4, 4);
    return number;
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

  bool wide() const { return out_.type == DataType::int16; }
  std::pair<Wide, Wide> limits() const {
    return wide() ? std::pair<Wide, Wide>{-32768, 32767} : std::pair<Wide, Wide>{-128, 127};
  }
  Wide held(Wide y) const { return std::clamp(y, limits().first, limits().second); }

  void put(Wide index, Wide number) {
    const std::size_t size = scalar_bytes(out_.type);
    for (std::size_t i = 0; i < size; ++i) {
      result_[static_cast<std::size_t>(index) * size + i] = static_cast<std::byte>(static_cast<std::uint8_t>(number));
      number >>= 8;
    }
  }

  void put_real(Wide index, float number) { std::memcpy(result_.data() + index * 4, &number, 4); }

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
    const auto radius = static_cast<Wide>(std::floor(15.0 * 134217728.0 / std::exp2(by.s)));
    const Wide v = x - zero(in);
    if (std::abs(v) >= radius) return v > 0 ? 127 : -128;
    return held(rounding_divide(f(scaled(v, by)), bits) + zero(out_));
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

  /// 16 bits: lines between points of the logistic function that are 1/24 apart, in 25 bits after the point.
  Wide sigmoid(const Tensor& in, Wide x, bool tanh) const {
    double factor = scale(in) * 12288.0;
    int shift = 0;
    if (scale(in) != std::exp2(-12.0) && !(tanh && scale(in) == std::exp2(-11.0))) {
      for (; factor <= 16383.5; factor *= 2) ++shift;
    }
    const Wide y = static_cast<Wide>(
        std::floor((static_cast<double>(x * static_cast<Wide>(factor)) + (shift > 0 ? std::exp2(shift - 1) : 0.0)) /
                   std::exp2(shift)));
    const int bits = tanh ? 8 : 9;
    const Wide place = std::abs(y) >> bits, rest = std::abs(y) & ((1 << bits) - 1);
    const auto point = [&](Wide i) { return kPoints[static_cast<std::size_t>(i)]; };
    Wide f = (tanh ? Wide{0xFFFF} : Wide{0xFFFE}) << bits;
    if (place < 255) f = (point(place) << bits) + rest * (point(place + 1) - point(place));
    if (tanh) {
      f -= Wide{1} << 23;
      return ((y < 0 ? -f - 1 : f) + 128) >> 8;
    }
    return ((y < 0 ? (Wide{1} << 25) - f - 1 : f) + 512) >> 10;
  }

  /// 2^16 times the logistic function of i / 24, as the reference has it.
  static constexpr std::array<Wide, 256> kPoints = {
      32768, 33451, 34133, 34813, 35493, 36169, 36843, 37513, 38180, 38841, 39498, 40149, 40794, 41432, 42064, 42688,
      43304, 43912, 44511, 45102, 45683, 46255, 46817, 47369, 47911, 48443, 48964, 49475, 49975, 50464, 50942, 51409,
      51865, 52311, 52745, 53169, 53581, 53983, 54374, 54755, 55125, 55485, 55834, 56174, 56503, 56823, 57133, 57433,
      57724, 58007, 58280, 58544, 58800, 59048, 59288, 59519, 59743, 59959, 60168, 60370, 60565, 60753, 60935, 61110,
      61279, 61441, 61599, 61750, 61896, 62036, 62172, 62302, 62428, 62549, 62666, 62778, 62886, 62990, 63090, 63186,
      63279, 63368, 63454, 63536, 63615, 63691, 63765, 63835, 63903, 63968, 64030, 64090, 64148, 64204, 64257, 64308,
      64357, 64405, 64450, 64494, 64536, 64576, 64614, 64652, 64687, 64721, 64754, 64786, 64816, 64845, 64873, 64900,
      64926, 64950, 64974, 64997, 65019, 65039, 65060, 65079, 65097, 65115, 65132, 65149, 65164, 65179, 65194, 65208,
      65221, 65234, 65246, 65258, 65269, 65280, 65291, 65301, 65310, 65319, 65328, 65337, 65345, 65352, 65360, 65367,
      65374, 65381, 65387, 65393, 65399, 65404, 65410, 65415, 65420, 65425, 65429, 65433, 65438, 65442, 65445, 65449,
      65453, 65456, 65459, 65462, 65465, 65468, 65471, 65474, 65476, 65479, 65481, 65483, 65485, 65488, 65489, 65491,
      65493, 65495, 65497, 65498, 65500, 65501, 65503, 65504, 65505, 65507, 65508, 65509, 65510, 65511, 65512, 65513,
      65514, 65515, 65516, 65517, 65517, 65518, 65519, 65520, 65520, 65521, 65522, 65522, 65523, 65523, 65524, 65524,
      65525, 65525, 65526, 65526, 65526, 65527, 65527, 65528, 65528, 65528, 65529, 65529, 65529, 65529, 65530, 65530,
      65530, 65530, 65531, 65531, 65531, 65531, 65531, 65532, 65532, 65532, 65532, 65532, 65532, 65533, 65533, 65533,
      65533, 65533, 65533, 65533, 65533, 65534, 65534, 65534, 65534, 65534, 65534, 65534, 65534, 65534, 65534, 65535};

  Wide abs(const Tensor& in, Wide v) const {
    const Wide y = std::abs(v);
    return held((scale(in) == scale(out_) ? y : scaled(y, multiplier_of(scale(in) / scale(out_)))) + zero(out_));
  }

  /// 1 / sqrt(v) of an integer, by Newton's iteration on numbers of 28 bits below the point; 20 bits of it are kept.
  /// What has no root gets the largest value.
  Wide rsqrt(const Tensor& in, Wide v) const {
    if (v <= 0) return 127;
    Multiplier root{2147483647, 0};
    if (v > 1) {
      int shift = 11;
      Wide x = v;
      for (; x < Wide{1} << 27; x *= 4) --shift;
      const Wide half = rounding_divide(x / 2, 1);
      Wide y = Wide{1} << 28;
      for (int i = 0; i < 5; ++i) {
        const Wide cube = saturating_left(doubling_high(doubling_high(y, y), y), 6);
        y = saturating_left(doubling_high(402653184, y) - doubling_high(half, cube), 3);
      }
      y = doubling_high(y, 1518500250);
      root = shift < 0 ? Multiplier{y << -shift, 0} : Multiplier{y, -shift};
    }
    Multiplier back = multiplier_of(1.0 / (std::sqrt(scale(in)) * scale(out_)));
    root.s += 20;
    back.s -= 20;
    return held(scaled(scaled(1, root), back) + zero(out_));
  }

  Wide function(const Unary& unary, const Tensor& in, Wide x) const {
    switch (unary.kind) {
      case UnaryKind::logistic:
        return wide() ? sigmoid(in, x, false) : exponential(in, x, logistic, 23);
      case UnaryKind::tanh:
        return wide() ? sigmoid(in, x, true) : exponential(in, x, hyperbolic_tangent, 24);
      case UnaryKind::hard_swish:
        return hard_swish(in, x);
      case UnaryKind::abs:
        return abs(in, x - zero(in));
      case UnaryKind::rsqrt:
        return rsqrt(in, x - zero(in));
      case UnaryKind::elu: {
        const float v = narrow_scale(in) * static_cast<float>(x - zero(in));
        const float y = std::round((v < 0 ? std::exp(v) - 1 : v) * (1 / narrow_scale(out_)));
        return held(static_cast<Wide>(y + static_cast<float>(zero(out_))));
      }
      case UnaryKind::leaky_relu: {
        const Wide v = x - zero(in);
        const float slope = narrow_scale(in) * unary.alpha / narrow_scale(out_);
        const auto plain = static_cast<double>(narrow_scale(in) / narrow_scale(out_));
        if (v >= 0) return held(zero(out_) + scaled(v, multiplier_of(plain)));
        const Wide y = scaled(v, multiplier_of(static_cast<double>(std::abs(slope))));
        return held(zero(out_) + (slope < 0 ? -y : y));
      }
      default:
        throw std::logic_error("no integer reference");
    }
  }

  static float function(const Unary& unary, float x) {
    switch (unary.kind) {
      case UnaryKind::abs:
        return std::abs(x);
      case UnaryKind::elu:
        return x < 0 ? std::expm1(x) : x;
      case UnaryKind::exp:
        return std::exp(x);
      case UnaryKind::hard_swish:
        return x * std::min(6.0F, std::max(0.0F, x + 3.0F)) / 6.0F;
      case UnaryKind::leaky_relu:
        return x > 0 ? x : x * unary.alpha;
      case UnaryKind::log:
        return std::log(x);
      case UnaryKind::logistic:
        if (x > 16.619047164916992188F) return 1;
        return x < -9 ? std::exp(x) : 1 / (1 + std::exp(-x));
      case UnaryKind::neg:
        return -x;
      case UnaryKind::rsqrt:
        return 1 / std::sqrt(x);
      case UnaryKind::sqrt:
        return std::sqrt(x);
      case UnaryKind::square:
        return x * x;
      case UnaryKind::tanh:
        break;
    }
    return std::tanh(x);
  }

  Wide quotient(Wide x, Wide y, Multiplier by) const {
    if (y == 0) return x == 0 ? 0 : (x > 0 ? 100000 : -100000);
    // The divisor as (1 + v) * 2^exponent, v in Q0.31; the dividend with 31 bits.
    int exponent = 0;
    while ((std::abs(y) >> (exponent + 1)) > 0) ++exponent;
    const Wide v = (std::abs(y) << (31 - exponent)) - (Wide{1} << 31);
    const Wide inverse = saturating_left(twice_reciprocal(v), 1) * (y < 0 ? -1 : 1);
    int room = 0;
    while (room < 31 && x << (room + 1) <= 2147483647 && x << (room + 1) >= -2147483648LL) ++room;
    const int right = room + exponent - by.s;
    return right > 31 ? 0 : rounding_divide(doubling_high(doubling_high(x << room, inverse), by.m), right);
  }

  Wide function(const Binary& binary, const Tensor& a, const Tensor& b, Wide x, Wide y) const {
    const Wide left = x - zero(a), right = y - zero(b);
    const double twice = 2 * std::max(scale(a), scale(b)), room = wide() ? 32768 : 1048576;
    const auto narrow = [](float ratio) { return multiplier_of(static_cast<double>(ratio)); };
    const auto at_one_scale = [&](Wide v, const Tensor& t, Wide head) {
      return scaled(v * head, multiplier_of(scale(t) / twice));
    };
    switch (binary.kind) {
      case BinaryKind::add: {
        const auto head = static_cast<Wide>(room);
        const Wide sum = at_one_scale(left, a, head) + at_one_scale(right, b, head);
        return activated(scaled(sum, multiplier_of(twice / (room * scale(out_)))) + zero(out_), binary.activation);
      }
      case BinaryKind::subtract: {
        const auto head = static_cast<Wide>(room);
        const float wider = 2 * std::max(narrow_scale(a), narrow_scale(b));
        const Wide difference = scaled(left * head, narrow(narrow_scale(a) / wider)) -
                                scaled(right * head, narrow(narrow_scale(b) / wider));
        const Multiplier back = narrow(wider / (static_cast<float>(room) * narrow_scale(out_)));
        return activated(scaled(difference, back) + zero(out_), binary.activation);
      }
      case BinaryKind::squared_difference: {
        const Wide head = wide() ? 1 : 128;
        const Wide difference = at_one_scale(left, a, head) - at_one_scale(right, b, head);
        const float unit = static_cast<float>(head * head) * narrow_scale(out_);
        return held(scaled(difference * difference, multiplier_of(twice * twice / static_cast<double>(unit))) +
                    zero(out_));
      }
      case BinaryKind::multiply:
        return activated(scaled(left * right, multiplier_of(scale(a) * scale(b) / scale(out_))) + zero(out_),
                         binary.activation);
      case BinaryKind::divide: {
        const Multiplier by = narrow(narrow_scale(a) / (narrow_scale(b) * narrow_scale(out_)));
        return activated(quotient(left, right, by) + zero(out_), binary.activation);
      }
      case BinaryKind::minimum:
        return std::min(x, y);
      case BinaryKind::maximum:
        return std::max(x, y);
      case BinaryKind::floor_divide:
      case BinaryKind::floor_modulo:
        break;
      case BinaryKind::prelu:
        if (left >= 0) return held(scaled(left, multiplier_of(scale(a) / scale(out_))) + zero(out_));
        return held(scaled(left * right, multiplier_of(scale(a) * scale(b) / scale(out_))) + zero(out_));
    }
    throw std::logic_error("no integer reference");
  }

  static float function(const Binary& binary, float x, float y) {
    const auto activated = [&](float z) {
      float low = std::numeric_limits<float>::lowest(), high = std::numeric_limits<float>::max();
      if (binary.activation != Activation::none) low = binary.activation == Activation::relu_n1_to_1 ? -1.0F : 0.0F;
      if (binary.activation == Activation::relu6) high = 6.0F;
      if (binary.activation == Activation::relu_n1_to_1) high = 1.0F;
      return std::min(std::max(z, low), high);
    };
    switch (binary.kind) {
      case BinaryKind::add:
        return activated(x + y);
      case BinaryKind::subtract:
        return activated(x - y);
      case BinaryKind::multiply:
        return activated(x * y);
      case BinaryKind::divide:
        return activated(x / y);
      case BinaryKind::minimum:
        return std::min(x, y);
      case BinaryKind::maximum:
        return std::max(x, y);
      case BinaryKind::squared_difference:
        return (x - y) * (x - y);
      case BinaryKind::floor_divide:
        return std::floor(x / y);
      case BinaryKind::floor_modulo: {
        const float rest = std::fmod(x, y);
        return rest != 0 && std::signbit(rest) != std::signbit(y) ? rest + y : rest;
      }
      case BinaryKind::prelu:
        break;
    }
    return x >= 0 ? x : x * y;
  }

  static Wide floor_of(Wide x, Wide y) { return x / y - (x % y != 0 && (x < 0) != (y < 0) ? 1 : 0); }

  /// int32: put() takes it modulo 2^32.
  static Wide whole(const Binary& binary, Wide x, Wide y) {
    switch (binary.kind) {
      case BinaryKind::add:
        return x + y;
      case BinaryKind::subtract:
        return x - y;
      case BinaryKind::multiply:
        return x * y;
      case BinaryKind::divide:
        return y == 0 ? 0 : x / y;
      case BinaryKind::floor_divide:
        return y == 0 ? 0 : floor_of(x, y);
      case BinaryKind::floor_modulo:
        return y == 0 ? x : x - floor_of(x, y) * y;
      case BinaryKind::minimum:
        return std::min(x, y);
      case BinaryKind::maximum:
        return std::max(x, y);
      default:
        break;
    }
    const auto difference = static_cast<std::uint64_t>(x - y);
    return static_cast<Wide>(difference * difference);
  }

  const OpCase& c_;
  const Tensor& out_;
  Bytes result_;
};

}  // namespace

Bytes elementwise_reference(const OpCase& op_case) {
  if (const auto* unary = std::get_if<Unary>(&op_case.op().kind)) return Elementwise(op_case).run(*unary);
  if (const auto* cast = std::get_if<Cast>(&op_case.op().kind)) return Elementwise(op_case).run(*cast);
  return Elementwise(op_case).run(std::get<Binary>(op_case.op().kind));
}

std::int64_t logistic_point(std::int64_t i) { return Elementwise::logistic_point(i); }

}  // namespace ripc::test
