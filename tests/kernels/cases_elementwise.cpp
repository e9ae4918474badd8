#include <cmath>

#include "kernels/case_builder.h"

namespace ripc::test {
namespace {

template <UnaryKind kind>
OpCase unary(Random& r) {
  CaseBuilder b(r);
  const ImageShape image = random_image(r);
  // The reference takes no HARD_SWISH whose output is more than 128 times finer than its input.
  const float most = kind == UnaryKind::hard_swish ? 0.0F : 1.0F;
  const TensorId in = b.image(image, one_scale(std::exp2(r.real(-9.0F, most)), r.number(-128, 127)));
  Unary op{.kind = kind};
  Quantization quantization = one_scale(1.0F / 256.0F, -128);
  if (kind == UnaryKind::tanh) quantization = one_scale(1.0F / 128.0F, 0);
  if (kind == UnaryKind::hard_swish || kind == UnaryKind::leaky_relu) quantization = random_scale(r);
  if (kind == UnaryKind::leaky_relu) op.alpha = r.real(-0.5F, 1.5F);
  const TensorId out = b.image(image, quantization);
  return b.finish(op, {in}, out);
}

Quantization scale_of(Random& r, BinaryKind kind) {
  return kind == BinaryKind::multiply ? one_scale(std::exp2(r.real(-8.0F, 0.0F)), r.number(-128, 127))
                                      : random_scale(r);
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

enum class Operands : std::uint8_t { whole, broadcast, constant };

template <BinaryKind kind, Operands operands>
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
  Binary op{.kind = kind, .activation = random_activation(r)};
  const bool swapped = r.chance(50);
  std::vector<TensorId> inputs{b.tensor(first, scale_of(r, kind))};
  if (operands == Operands::constant) {
    op.constant = b.constant(second, scale_of(r, kind));
    op.constant_first = swapped;
  } else {
    inputs.push_back(b.tensor(second, scale_of(r, kind)));
    if (swapped) std::swap(inputs[0], inputs[1]);
  }
  return b.finish(op, inputs, b.tensor(shape, scale_of(r, kind)));
}

}  // namespace

std::vector<Family> elementwise_families() {
  return {{"logistic", unary<UnaryKind::logistic>},
          {"tanh", unary<UnaryKind::tanh>},
          {"hard_swish", unary<UnaryKind::hard_swish>},
          {"leaky_relu", unary<UnaryKind::leaky_relu>},
          {"add", binary<BinaryKind::add, Operands::whole>},
          {"broadcast_add", binary<BinaryKind::add, Operands::broadcast>},
          {"constant_add", binary<BinaryKind::add, Operands::constant>},
          {"subtract", binary<BinaryKind::subtract, Operands::whole>},
          {"broadcast_subtract", binary<BinaryKind::subtract, Operands::broadcast>},
          {"multiply", binary<BinaryKind::multiply, Operands::whole>},
          {"broadcast_multiply", binary<BinaryKind::multiply, Operands::broadcast>},
          {"constant_multiply", binary<BinaryKind::multiply, Operands::constant>}};
}

}  // namespace ripc::test
