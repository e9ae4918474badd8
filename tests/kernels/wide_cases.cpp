#include "kernels/wide_cases.h"

#include <cmath>
#include <cstring>

namespace ripc::test {
namespace {

template <typename T>
void append(Bytes& bytes, T value) {
  const auto* data = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), data, data + sizeof value);
}

std::vector<TensorId> activations_of(const Op& op) {
  std::vector<TensorId> ids = op.inputs;
  ids.push_back(op.output);
  return ids;
}

/// Calls visit(weights) and visit(bias) with the tensors that the operator has.
template <typename Weights, typename Bias>
void for_constants(OpCase& op_case, Weights weights, Bias bias) {
  const auto tensor = [&](TensorId id) -> Tensor& { return op_case.graph.tensors[static_cast<std::size_t>(id)]; };
  std::visit(
      [&](const auto& kind) {
        if constexpr (requires { kind.weights; }) {
          weights(tensor(kind.weights));
          if (kind.bias != kNoTensor) bias(tensor(kind.bias));
        }
      },
      op_case.op().kind);
}

void drop_activation(OpKind& op) {
  std::visit(
      [](auto& kind) {
        if constexpr (requires { kind.activation; }) kind.activation = Activation::none;
      },
      op);
}

void fill_with_reals(Tensor& constant, Random& random) {
  constant.type = DataType::float32;
  constant.quantization = {};
  constant.data.clear();
  for (std::int64_t i = 0; i < element_count(constant); ++i) append(constant.data, random.real(-1.0F, 1.0F));
}

}  // namespace

OpCase as_float(OpCase op_case, Random& random) {
  for (const TensorId id : activations_of(op_case.op())) {
    Tensor& tensor = op_case.graph.tensors[static_cast<std::size_t>(id)];
    tensor.type = DataType::float32;
    tensor.quantization = {};
  }
  // Sums of real numbers of every size are mostly far beyond the limits of an activation.
  if (random.chance(70)) drop_activation(op_case.graph.ops[0].kind);
  const auto fill = [&](Tensor& constant) { fill_with_reals(constant, random); };
  for_constants(op_case, fill, fill);
  randomise_inputs(op_case, random);
  return op_case;
}

OpCase as_int16(OpCase op_case, Random& random) {
  for (const TensorId id : activations_of(op_case.op())) {
    Tensor& tensor = op_case.graph.tensors[static_cast<std::size_t>(id)];
    tensor.type = DataType::int16;
    tensor.quantization.zero_point = {0};
    // Small real numbers on a fine grid: activations cut little off.
    for (float& scale : tensor.quantization.scale) scale /= 2048.0F;
  }
  if (std::holds_alternative<Softmax>(op_case.op().kind)) {
    Tensor& in = op_case.graph.tensors[static_cast<std::size_t>(op_case.op().inputs[0])];
    Tensor& out = op_case.graph.tensors[static_cast<std::size_t>(op_case.op().output)];
    in.quantization.scale = {std::exp2(random.real(-17.0F, -10.0F))};
    out.quantization.scale = {1.0F / 32768.0F};
  }
  const bool wide = random.chance(70);
  for_constants(
      op_case, [](Tensor&) {},
      [&](Tensor& bias) {
        bias.data.clear();
        bias.type = wide ? DataType::int64 : DataType::int32;
        for (std::int64_t i = 0; i < element_count(bias); ++i) {
          // A few need more than 32 bits: channels that are all bias.
          const std::int64_t most = std::int64_t{1} << (wide && random.chance(5) ? 33 : 20);
          const std::int64_t value = random.number(-most, most);
          if (wide) {
            append(bias.data, value);
          } else {
            append(bias.data, static_cast<std::int32_t>(value));
          }
        }
      });
  randomise_inputs(op_case, random);
  return op_case;
}

}  // namespace ripc::test
