// What elementwise operators ask of their tensors.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "graph/broadcast.h"
#include "graph/checks.h"

namespace ripc {
namespace {

const Tensor& tensor_of(const Graph& graph, TensorId id) { return graph.tensors[static_cast<std::size_t>(id)]; }

double scale_of(const Tensor& tensor) { return static_cast<double>(tensor.quantization.scale[0]); }
std::int32_t zero_of(const Tensor& tensor) { return tensor.quantization.zero_point[0]; }

Complaint count_fault(const Op& op, std::size_t count) {
  if (op.inputs.size() == count) return {};
  return complain("wrong number of inputs", fmt::format("{}", count), fmt::format("{}", op.inputs.size()));
}

Complaint int8_fault(const Tensor& tensor) {
  if (tensor.type != DataType::int8) return type_fault(tensor, "int8");
  return scale_fault(tensor);
}

/// Of functions whose range the reference takes for granted. It looks at no scale.
Complaint output_zero_fault(const Tensor& output, std::int32_t zero) {
  if (zero_of(output) == zero) return {};
  return complain("output zero point", fmt::format("{}", zero), fmt::format("{}", zero_of(output)), output.name);
}

/// Q4.27 at that scale takes a multiplier of the reference's range.
Complaint exponent_fault(const Tensor& input) {
  if (scale_of(input) >= 0x1p-58 && scale_of(input) < 0x1p22) return {};
  return complain("input scale out of range", "from 2^-58 to 2^22", fmt::format("{}", scale_of(input)), input.name);
}

/// (x - zero) times a factor of up to 2^22 fits 31 bits.
Complaint byte_factor_fault(double factor) {
  if (factor < 0x1p22) return {};
  return complain("scales too far apart", "a ratio below 2^22", fmt::format("{}", factor));
}

Complaint sum_fault(const Tensor& left, const Tensor& right, const Tensor& output) {
  const double twice = 2.0 * std::max(scale_of(left), scale_of(right));
  const double ratio = twice / (1048576.0 * scale_of(output));
  // The reference takes no multiplier that rounds to one or more.
  if (ratio >= 1.0 - 0x1p-32) return complain("output scale too small for the sum", {}, {}, output.name);
  return {};
}

}  // namespace

Complaint elementwise_fault(const Graph& graph, const Op& op, const Unary& unary) {
  if (Complaint fault = count_fault(op, 1)) return fault;
  const Tensor &input = tensor_of(graph, op.inputs[0]), &output = tensor_of(graph, op.output);
  if (image_shape(input) != image_shape(output)) {
    return complain("output of another shape", shape_text(input.shape), shape_text(output.shape), output.name);
  }
  if (Complaint fault = int8_fault(input)) return fault;
  if (Complaint fault = int8_fault(output)) return fault;
  const float in_scale = input.quantization.scale[0], out_scale = output.quantization.scale[0];
  switch (unary.kind) {
    case UnaryKind::logistic:
      if (Complaint fault = exponent_fault(input)) return fault;
      return output_zero_fault(output, -128);
    case UnaryKind::tanh:
      if (Complaint fault = exponent_fault(input)) return fault;
      return output_zero_fault(output, 0);
    case UnaryKind::hard_swish: {
      const float fine = in_scale / 128.0F;
      if (fine / out_scale < 1.0F) return byte_factor_fault(static_cast<double>(in_scale));
      return complain("output scale too small", "above the input's by 128", fmt::format("{}", out_scale), output.name);
    }
    case UnaryKind::leaky_relu:
      if (!std::isfinite(unary.alpha)) return complain("slope that is no number");
      if (Complaint fault = byte_factor_fault(std::abs(static_cast<double>(in_scale * unary.alpha / out_scale)))) {
        return fault;
      }
      return byte_factor_fault(static_cast<double>(in_scale / out_scale));
    default:
      break;
  }
  return complain("operator without an integer form", "float32", "int8", input.name);
}

Complaint elementwise_fault(const Graph& graph, const Op& op, const Binary& binary) {
  if (Complaint fault = count_fault(op, binary.constant == kNoTensor ? 2 : 1)) return fault;
  const Tensor& output = tensor_of(graph, op.output);
  for (const TensorId id : operands_of(op, binary)) {
    const Tensor& operand = tensor_of(graph, id);
    if (Complaint fault = int8_fault(operand)) return fault;
    if (broadcast_of(operand, output)) continue;
    return complain("shapes that do not broadcast", shape_text(output.shape), shape_text(operand.shape), operand.name);
  }
  if (Complaint fault = int8_fault(output)) return fault;
  const auto [first, second] = operands_of(op, binary);
  const Tensor &left = tensor_of(graph, first), &right = tensor_of(graph, second);
  // Every extent of the output is that of an operand.
  const auto extent = [&](const Tensor& t, std::size_t from_end) {
    return from_end < t.shape.size() ? t.shape[t.shape.size() - 1 - from_end] : 1;
  };
  for (std::size_t i = 0; i < output.shape.size(); ++i) {
    if (extent(output, i) == std::max(extent(left, i), extent(right, i))) continue;
    return complain("output that is larger than both operands", {}, shape_text(output.shape), output.name);
  }
  switch (binary.kind) {
    case BinaryKind::add:
    case BinaryKind::subtract:
      if (Complaint fault = sum_fault(left, right, output)) return fault;
      break;
    case BinaryKind::multiply:
      if (Complaint fault = multiplier_fault(scale_of(left) * scale_of(right) / scale_of(output))) return fault;
      break;
    default:
      return complain("operator without an integer form", "float32", "int8", output.name);
  }
  return activation_fault(binary.activation, output);
}

}  // namespace ripc
