// Functions of two scalars, and which lowering a function of one has.
#include <algorithm>
#include <limits>

#include "graph/broadcast.h"
#include "lower/dsp.h"
#include "lower/table_add.h"
#include "lower/unary.h"

namespace ripc {
namespace {

/// How the kernel reads a row of the operand.
std::int32_t operand_bits(const LowerBuilder& b, const Tensor& operand) {
  const std::optional<Broadcast> broadcast = broadcast_of(operand, b.output());
  if (!broadcast) b.fail("shapes that do not broadcast", {}, {}, &operand);
  const ImageShape in = image_shape(operand), out = image_shape(b.output());
  const bool every_pixel = b.one_row() ? in.height * in.width == out.height * out.width : broadcast->every_column;
  return (every_pixel ? RIP_EVERY_PIXEL : 0) | (broadcast->every_channel ? RIP_EVERY_CHANNEL : 0) |
         (operand.constant ? RIP_IN_FLASH : 0);
}

/// The two operands of one operator.
struct Pair {
  LowerBuilder& b;
  const Binary& binary;
  const Tensor &left, &right;

  const Tensor& out() const { return b.output(); }
  bool wide() const { return out().type == DataType::int16; }
  double scale(const Tensor& t) const { return static_cast<double>(b.scale(t)); }

  StoredRange range() const { return activation_range(binary.activation, out().type, b.scale(out()), b.zero(out())); }
};

/// What the factors of a sum are made of: in binary64 for ADD, step by step in binary32 for SUB. `unit`: of the head
/// room of the sum.
struct SumFactors {
  double left = 0, right = 0, back = 0;
};

template <typename Real>
SumFactors sum_factors(Real left, Real right, Real out, Real unit) {
  const Real twice = 2 * std::max(left, right);
  return {static_cast<double>(left / twice), static_cast<double>(right / twice),
          static_cast<double>(twice / (unit * out))};
}

SumFactors factors_of(const Pair& p) {
  if (p.binary.kind == BinaryKind::subtract) {
    return sum_factors<float>(p.b.scale(p.left), p.b.scale(p.right), p.b.scale(p.out()), p.wide() ? 0x1p15F : 0x1p20F);
  }
  if (p.binary.kind == BinaryKind::add) {
    return sum_factors<double>(p.scale(p.left), p.scale(p.right), p.scale(p.out()), p.wide() ? 0x1p15 : 0x1p20);
  }
  // The square of the difference has twice the head room.
  const double twice = 2.0 * std::max(p.scale(p.left), p.scale(p.right));
  const float unit = (p.wide() ? 1.0F : 0x1p14F) * p.b.scale(p.out());
  return {p.scale(p.left) / twice, p.scale(p.right) / twice, twice * twice / static_cast<double>(unit)};
}

/// The reference takes no factor of a sum that is not below one.
FixedPoint below_one(const LowerBuilder& b, double factor, const Tensor& t) {
  const FixedPoint fixed = quantize_multiplier(factor);
  if (fixed.shift > 0) b.fail("scales too far apart", "a ratio below 1", std::to_string(factor), &t);
  return fixed;
}

KernelParams sum(const Pair& p) {
  const SumFactors factors = factors_of(p);
  const FixedPoint factor0 = below_one(p.b, factors.left, p.left), factor1 = below_one(p.b, factors.right, p.right);
  const FixedPoint back = below_one(p.b, factors.back, p.out());
  return rip_add{.channels = p.b.out_channels(),
                 .operand0 = operand_bits(p.b, p.left),
                 .operand1 = operand_bits(p.b, p.right),
                 .sign1 = p.binary.kind == BinaryKind::add ? 1 : -1,
                 .zero0 = p.b.zero(p.left),
                 .multiplier0 = factor0.multiplier,
                 .shift0 = factor0.shift,
                 .zero1 = p.b.zero(p.right),
                 .multiplier1 = factor1.multiplier,
                 .shift1 = factor1.shift,
                 .out_zero = p.b.zero(p.out()),
                 .out_multiplier = back.multiplier,
                 .out_shift = back.shift,
                 .act_min = p.range().min,
                 .act_max = p.range().max};
}

/// MUL and DIV; the ratio of a quotient is rounded to binary32.
KernelParams product(const Pair& p) {
  const float quotient = p.b.scale(p.left) / (p.b.scale(p.right) * p.b.scale(p.out()));
  const FixedPoint fixed =
      quantize_multiplier(p.binary.kind == BinaryKind::divide ? static_cast<double>(quotient)
                                                              : p.scale(p.left) * p.scale(p.right) / p.scale(p.out()));
  return rip_mul{.channels = p.b.out_channels(),
                 .operand0 = operand_bits(p.b, p.left),
                 .operand1 = operand_bits(p.b, p.right),
                 .zero0 = p.b.zero(p.left),
                 .zero1 = p.b.zero(p.right),
                 .multiplier = fixed.multiplier,
                 .shift = fixed.shift,
                 .out_zero = p.b.zero(p.out()),
                 .act_min = p.range().min,
                 .act_max = p.range().max};
}

KernelParams prelu(const Pair& p) {
  const FixedPoint plain = quantize_multiplier(p.scale(p.left) / p.scale(p.out()));
  const FixedPoint slope = quantize_multiplier(p.scale(p.left) * p.scale(p.right) / p.scale(p.out()));
  return rip_prelu_s8{.channels = p.b.out_channels(),
                      .operand0 = operand_bits(p.b, p.left),
                      .operand1 = operand_bits(p.b, p.right),
                      .zero0 = p.b.zero(p.left),
                      .zero1 = p.b.zero(p.right),
                      .multiplier = plain.multiplier,
                      .shift = plain.shift,
                      .slope_multiplier = slope.multiplier,
                      .slope_shift = slope.shift,
                      .out_zero = p.b.zero(p.out())};
}

rip_function function_of(BinaryKind kind) {
  switch (kind) {
    case BinaryKind::subtract:
      return RIP_SUBTRACT;
    case BinaryKind::multiply:
      return RIP_MULTIPLY;
    case BinaryKind::divide:
      return RIP_DIVIDE;
    case BinaryKind::minimum:
      return RIP_MINIMUM;
    case BinaryKind::maximum:
      return RIP_MAXIMUM;
    case BinaryKind::squared_difference:
      return RIP_SQUARED_DIFFERENCE;
    case BinaryKind::prelu:
      return RIP_PRELU;
    case BinaryKind::floor_divide:
      return RIP_FLOOR_DIVIDE;
    case BinaryKind::floor_modulo:
      return RIP_FLOOR_MODULO;
    case BinaryKind::add:
      break;
  }
  return RIP_ADD;
}

/// Without an activation the reference holds a result within what binary32 can say.
struct FloatRange {
  float min = std::numeric_limits<float>::lowest(), max = std::numeric_limits<float>::max();
};

FloatRange float_range(Activation activation) {
  switch (activation) {
    case Activation::relu:
      return {.min = 0.0F};
    case Activation::relu6:
      return {.min = 0.0F, .max = 6.0F};
    case Activation::relu_n1_to_1:
      return {.min = -1.0F, .max = 1.0F};
    case Activation::none:
      break;
  }
  return {};
}

KernelParams float_pair(const Pair& p) {
  const FloatRange range = float_range(p.binary.activation);
  return rip_pair_f32{.function = function_of(p.binary.kind),
                      .channels = p.b.out_channels(),
                      .operand0 = operand_bits(p.b, p.left),
                      .operand1 = operand_bits(p.b, p.right),
                      .act_min = range.min,
                      .act_max = range.max};
}

KernelParams int32_pair(const Pair& p) {
  return rip_pair_s32{.function = function_of(p.binary.kind),
                      .channels = p.b.out_channels(),
                      .operand0 = operand_bits(p.b, p.left),
                      .operand1 = operand_bits(p.b, p.right)};
}

rip_type type_of(DataType type) {
  switch (type) {
    case DataType::float32:
      return RIP_F32;
    case DataType::int32:
    case DataType::uint32:
      return RIP_S32;  // CAST goes from and to uint32 modulo 2^32 only

    case DataType::uint8:
      return RIP_U8;
    case DataType::int16:
      return RIP_S16;
    case DataType::int64:
    case DataType::uint64:
      return RIP_S64;
    case DataType::boolean:
      return RIP_BOOL;
    case DataType::int8:
      break;
  }
  return RIP_S8;
}

KernelParams minmax(const Pair& p) {
  return rip_minmax{.channels = p.b.out_channels(),
                    .operand0 = operand_bits(p.b, p.left),
                    .operand1 = operand_bits(p.b, p.right),
                    .maximum = p.binary.kind == BinaryKind::maximum ? 1 : 0};
}

}  // namespace

KernelParams params_of(LowerBuilder& b, const Cast&) {
  return rip_cast{.from = type_of(b.input().type), .to = type_of(b.output().type), .channels = b.out_channels()};
}

KernelParams params_of(LowerBuilder& b, const Unary& unary) {
  if (b.input().type == DataType::float32) return float_unary(b, unary);
  return b.input().type == DataType::int16 ? wide_unary(b, unary) : byte_unary(b, unary);
}

KernelParams params_of(LowerBuilder& b, const Binary& binary) {
  if (b.kernel() == "rip_add_dsp_row") return dsp_add(b);
  if (b.kernel() == "rip_add_table_row") return table_add(b);
  const auto [left, right] = operands_of(b.op(), binary);
  const Pair pair{b, binary, b.tensor(left), b.tensor(right)};
  if (b.output().type == DataType::float32) return float_pair(pair);
  if (b.output().type == DataType::int32) return int32_pair(pair);
  switch (binary.kind) {
    case BinaryKind::multiply:
    case BinaryKind::divide:
      return product(pair);
    case BinaryKind::minimum:
    case BinaryKind::maximum:
      return minmax(pair);
    case BinaryKind::prelu:
      return prelu(pair);
    default:
      return sum(pair);
  }
}

}  // namespace ripc
