#include <cmath>

#include "kernels/case_builder.h"

namespace ripc::test {
namespace {

constexpr bool is_quantized(DataType type) { return type == DataType::int8 || type == DataType::int16; }

/// A scale of 2^least to 2^most.
Quantization scale_between(Random& r, DataType type, float least, float most) {
  if (!is_quantized(type)) return {};
  return one_scale(std::exp2(r.real(least, most)), type == DataType::int8 ? r.number(-128, 127) : 0);
}

/// Scales of int16 that the table of LOGISTIC and TANH is made for, and others.
Quantization sigmoid_scale(Random& r) {
  return r.chance(40) ? one_scale(std::exp2(-static_cast<float>(r.number(11, 13))), 0)
                      : scale_between(r, DataType::int16, -16.0F, -8.0F);
}

template <UnaryKind kind, DataType type>
OpCase unary(Random& r) {
  CaseBuilder b(r);
  const ImageShape image = random_image(r);
  const bool wide = type == DataType::int16, sigmoid = kind == UnaryKind::logistic || kind == UnaryKind::tanh;
  // The reference takes no HARD_SWISH whose output is more than 128 times finer than its input.
  Quantization in = scale_between(r, type, -9.0F, kind == UnaryKind::hard_swish ? 0.0F : 1.0F);
  Quantization out = scale_between(r, type, -6.0F, -2.0F);
  if (type == DataType::int8 && kind == UnaryKind::logistic) out = one_scale(1.0F / 256.0F, -128);
  if (type == DataType::int8 && kind == UnaryKind::tanh) out = one_scale(1.0F / 128.0F, 0);
  if (wide) in = sigmoid ? sigmoid_scale(r) : scale_between(r, type, -14.0F, -10.0F);
  if (wide) out = sigmoid ? one_scale(1.0F / 32768.0F, 0) : scale_between(r, type, -14.0F, -10.0F);
  if (kind == UnaryKind::abs && type != DataType::float32 && r.chance(30)) out.scale = in.scale;
  if (type == DataType::int8 && kind == UnaryKind::rsqrt)
    in.zero_point[0] = static_cast<std::int32_t>(r.number(-128, -100));
  Unary op{.kind = kind};
  if (kind == UnaryKind::leaky_relu) op.alpha = r.real(-0.5F, 1.5F);
  const TensorId from = b.image(image, in, type);
  return b.finish(op, {from}, b.image(image, out, type));
}

DataType random_type(Random& r) {
  constexpr DataType kTypes[] = {DataType::float32, DataType::int32, DataType::uint8,  DataType::int8,
                                 DataType::int16,   DataType::int64, DataType::boolean};
  return kTypes[r.number(0, 6)];
}

OpCase cast(Random& r) {
  CaseBuilder b(r);
  const ImageShape image = random_image(r);
  const DataType from = random_type(r);
  DataType to = random_type(r);
  // Of a real number a small integer does not show the last byte, nor a boolean that of any: cast_test.cpp has those.
  const bool hidden = from == DataType::float32 ? scalar_bytes(to) < 4 : to == DataType::boolean;
  if (hidden && from != DataType::boolean) to = DataType::int32;
  const TensorId in = b.image(image, {}, from);
  return b.finish(Cast{}, {in}, b.image(image, {}, to));
}

template <Activation activation>
OpCase float_clamp(Random& r) {
  CaseBuilder b(r);
  const ImageShape image = random_image(r);
  const TensorId in = b.image(image, {}, DataType::float32);
  return b.finish(Clamp{activation}, {in}, b.image(image, {}, DataType::float32));
}

/// Some extents of a shape become one; sometimes the axes before the last are left out.
std::vector<std::int64_t> shrunk(Random& r, std::vector<std::int64_t> shape) {
  const bool pixel = r.chance(40);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (pixel ? i + 1 < shape.size() : r.chance(50)) shape[i] = 1;
  }
  while (shape.size() > 1 && shape.front() == 1 && r.chance(50)) shape.erase(shape.begin());
  return shape;
}

std::vector<std::int64_t> random_shape(Random& r) {
  if (r.chance(50)) {
    const ImageShape image = random_image(r);
    return {1, image.height, image.width, image.channels};
  }
  std::vector<std::int64_t> shape;
  for (std::int64_t rank = r.number(1, 5); rank > 0; --rank) shape.push_back(r.number(1, 4));
  return shape;
}

/// The scales of the two operands and of the output, such that most results fit.
struct Scales {
  Quantization left, right, out;
};

Scales random_scales(Random& r, BinaryKind kind, DataType type) {
  const bool wide = type == DataType::int16;
  const float least = wide ? -13.0F : -7.0F, most = wide ? -10.0F : -2.0F;
  Scales scales{scale_between(r, type, least, most), scale_between(r, type, least, most),
                scale_between(r, type, least, most)};
  if (!is_quantized(type)) return {};
  const float left = scales.left.scale[0], right = scales.right.scale[0], range = wide ? 32768.0F : 128.0F;
  const float spread = std::exp2(r.real(-2.0F, 2.0F));
  if (kind == BinaryKind::multiply) scales.out.scale[0] = left * right * range * spread / (wide ? 2.0F : 8.0F);
  if (kind == BinaryKind::prelu) scales.out.scale[0] = left * spread;
  if (kind == BinaryKind::divide) scales.out.scale[0] = left / right * spread / 16.0F;
  if (kind == BinaryKind::squared_difference) {
    scales.out.scale[0] = (wide ? 5.0F : 1.0F) * std::max(left * left, right * right) * range * spread;
  }
  return scales;
}

enum class Operands : std::uint8_t { whole, broadcast, constant };

template <BinaryKind kind, DataType type, Operands operands>
OpCase binary(Random& r) {
  CaseBuilder b(r);
  const std::vector<std::int64_t> shape = random_shape(r);
  std::vector<std::int64_t> first = shape, second = shape;
  if (operands == Operands::broadcast || (operands == Operands::constant && r.chance(70))) second = shrunk(r, shape);
  if (operands == Operands::broadcast && r.chance(20)) {
    // Both: each keeps what the other lacks.
    for (std::size_t i = 0; i < shape.size(); ++i) {
      const std::size_t from_end = shape.size() - i;
      if (from_end <= second.size() && second[second.size() - from_end] == shape[i] && r.chance(50)) first[i] = 1;
    }
  }
  const bool arithmetic = kind == BinaryKind::add || kind == BinaryKind::subtract || kind == BinaryKind::multiply ||
                          kind == BinaryKind::divide;
  Binary op{.kind = kind};
  if (arithmetic && type != DataType::int32) op.activation = random_activation(r);
  const bool swapped = r.chance(50);
  Scales scales = random_scales(r, kind, type);
  if (operands == Operands::constant) {
    op.constant_first = swapped;
    if (swapped) std::swap(scales.left, scales.right);
    const TensorId in = b.tensor(first, scales.left, type);
    op.constant = b.constant(second, scales.right, type);
    return b.finish(op, {in}, b.tensor(shape, scales.out, type));
  }
  if (swapped) std::swap(first, second);
  const TensorId left = b.tensor(first, scales.left, type), right = b.tensor(second, scales.right, type);
  return b.finish(op, {left, right}, b.tensor(shape, scales.out, type));
}

template <BinaryKind kind, DataType type>
void add_pairs(std::vector<Family>& families, const std::string& name) {
  families.push_back({name, binary<kind, type, Operands::whole>});
  families.push_back({"broadcast_" + name, binary<kind, type, Operands::broadcast>});
  families.push_back({"constant_" + name, binary<kind, type, Operands::constant>});
}

template <BinaryKind kind>
void add_pairs_of_every_type(std::vector<Family>& families, const std::string& name) {
  add_pairs<kind, DataType::int8>(families, name);
  add_pairs<kind, DataType::float32>(families, name + "_f32");
  if constexpr (kind != BinaryKind::prelu) add_pairs<kind, DataType::int32>(families, name + "_s32");
  if constexpr (kind != BinaryKind::prelu && kind != BinaryKind::divide) {
    add_pairs<kind, DataType::int16>(families, name + "_s16");
  }
}

}  // namespace

std::vector<Family> elementwise_families() {
  constexpr DataType kByte = DataType::int8, kWide = DataType::int16, kReal = DataType::float32;
  std::vector<Family> families{{"abs", unary<UnaryKind::abs, kByte>},
                               {"elu", unary<UnaryKind::elu, kByte>},
                               {"hard_swish", unary<UnaryKind::hard_swish, kByte>},
                               {"leaky_relu", unary<UnaryKind::leaky_relu, kByte>},
                               {"logistic", unary<UnaryKind::logistic, kByte>},
                               {"tanh", unary<UnaryKind::tanh, kByte>},
                               {"rsqrt", unary<UnaryKind::rsqrt, kByte>},
                               {"abs_s16", unary<UnaryKind::abs, kWide>},
                               {"leaky_relu_s16", unary<UnaryKind::leaky_relu, kWide>},
                               {"logistic_s16", unary<UnaryKind::logistic, kWide>},
                               {"tanh_s16", unary<UnaryKind::tanh, kWide>},
                               {"abs_f32", unary<UnaryKind::abs, kReal>},
                               {"elu_f32", unary<UnaryKind::elu, kReal>},
                               {"exp_f32", unary<UnaryKind::exp, kReal>},
                               {"hard_swish_f32", unary<UnaryKind::hard_swish, kReal>},
                               {"leaky_relu_f32", unary<UnaryKind::leaky_relu, kReal>},
                               {"log_f32", unary<UnaryKind::log, kReal>},
                               {"logistic_f32", unary<UnaryKind::logistic, kReal>},
                               {"neg_f32", unary<UnaryKind::neg, kReal>},
                               {"rsqrt_f32", unary<UnaryKind::rsqrt, kReal>},
                               {"sqrt_f32", unary<UnaryKind::sqrt, kReal>},
                               {"square_f32", unary<UnaryKind::square, kReal>},
                               {"tanh_f32", unary<UnaryKind::tanh, kReal>},
                               {"cast", cast},
                               {"relu_f32", float_clamp<Activation::relu>},
                               {"relu6_f32", float_clamp<Activation::relu6>},
                               {"relu_n1_to_1_f32", float_clamp<Activation::relu_n1_to_1>}};
  add_pairs_of_every_type<BinaryKind::add>(families, "add");
  add_pairs_of_every_type<BinaryKind::subtract>(families, "subtract");
  add_pairs_of_every_type<BinaryKind::multiply>(families, "multiply");
  add_pairs_of_every_type<BinaryKind::divide>(families, "divide");
  add_pairs_of_every_type<BinaryKind::minimum>(families, "minimum");
  add_pairs_of_every_type<BinaryKind::maximum>(families, "maximum");
  add_pairs_of_every_type<BinaryKind::squared_difference>(families, "squared_difference");
  add_pairs_of_every_type<BinaryKind::prelu>(families, "prelu");
  add_pairs<BinaryKind::floor_divide, DataType::float32>(families, "floor_divide_f32");
  add_pairs<BinaryKind::floor_divide, DataType::int32>(families, "floor_divide_s32");
  add_pairs<BinaryKind::floor_modulo, DataType::float32>(families, "floor_modulo_f32");
  add_pairs<BinaryKind::floor_modulo, DataType::int32>(families, "floor_modulo_s32");
  return families;
}

}  // namespace ripc::test
