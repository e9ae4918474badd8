// What elementwise operators ask of their tensors.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "graph/broadcast.h"
#include "graph/checks.h"
#include "graph/limits.h"

namespace ripc {
namespace {

const Tensor& tensor_of(const Graph& graph, TensorId id) { return graph.tensors[static_cast<std::size_t>(id)]; }

double scale_of(const Tensor& tensor) { return static_cast<double>(tensor.quantization.scale[0]); }
std::int32_t zero_of(const Tensor& tensor) { return tensor.quantization.zero_point[0]; }

Complaint count_fault(const Op& op, std::size_t count) {
  if (op.inputs.size() == count) return {};
  return complain("wrong number of inputs", fmt::format("{}", count), fmt::format("{}", op.inputs.size()));
}

Complaint no_form_fault(const Tensor& tensor, const char* expected) {
  return complain("no kernel of this operator for the type", expected, type_name(tensor.type), tensor.name);
}

/// The tensors are all of the output's type, and quantised if that is a type of 8 or 16 bits.
Complaint same_type_fault(const std::vector<const Tensor*>& tensors, const Tensor& output) {
  for (const Tensor* tensor : tensors) {
    if (tensor->type != output.type) return type_fault(*tensor, type_name(output.type));
    if (tensor->type != DataType::int8 && tensor->type != DataType::int16) continue;
    if (Complaint fault = scale_fault(*tensor)) return fault;
  }
  return {};
}

/// A value that is requantized with `factor` must fit 31 bits with the factor's shift.
Complaint factor_fault(double factor, double most) {
  if (std::abs(factor) < most) return {};
  return complain("scales too far apart", fmt::format("a ratio below {}", most), fmt::format("{}", factor));
}

/// Of functions whose range the reference takes for granted. It looks at no scale of int8.
Complaint output_zero_fault(const Tensor& output, std::int32_t zero) {
  if (zero_of(output) == zero) return {};
  return complain("output zero point", fmt::format("{}", zero), fmt::format("{}", zero_of(output)), output.name);
}

Complaint input_scale_fault(const Tensor& input, double least, double most) {
  if (scale_of(input) >= least && scale_of(input) < most) return {};
  return complain("input scale out of range", fmt::format("from {} to {}", least, most),
                  fmt::format("{}", scale_of(input)), input.name);
}

Complaint byte_fault(const Unary& unary, const Tensor& input, const Tensor& output) {
  const float in = input.quantization.scale[0], out = output.quantization.scale[0];
  constexpr double kMost = 0x1p22;  // differences of bytes have 9 bits
  switch (unary.kind) {
    case UnaryKind::logistic:
      if (Complaint fault = input_scale_fault(input, 0x1p-58, 0x1p22)) return fault;
      return output_zero_fault(output, -128);
    case UnaryKind::tanh:
      if (Complaint fault = input_scale_fault(input, 0x1p-58, 0x1p22)) return fault;
      return output_zero_fault(output, 0);
    case UnaryKind::hard_swish:
      if (in / 128.0F / out < 1.0F) return factor_fault(static_cast<double>(in), kMost);
      return complain("output scale too small", "above a 128th of the input's", fmt::format("{}", out), output.name);
    case UnaryKind::leaky_relu:
      if (Complaint fault = factor_fault(static_cast<double>(in * unary.alpha / out), kMost)) return fault;
      return factor_fault(static_cast<double>(in / out), kMost);
    case UnaryKind::abs:
    case UnaryKind::elu:
      return factor_fault(scale_of(input) / scale_of(output), kMost);
    case UnaryKind::rsqrt: {
      const double factor = 1.0 / (std::sqrt(scale_of(input)) * scale_of(output));
      if (factor >= 0x1p-11 && factor < 0x1p30) return {};
      return complain("scales too far apart", "a factor from 2^-11 to 2^30", fmt::format("{}", factor));
    }
    default:
      return no_form_fault(input, "float32");
  }
}

Complaint wide_fault(const Unary& unary, const Tensor& input, const Tensor& output) {
  const float in = input.quantization.scale[0], out = output.quantization.scale[0];
  switch (unary.kind) {
    case UnaryKind::logistic:
    case UnaryKind::tanh:
      if (std::abs(std::log2(scale_of(output)) + 15.0) >= 1e-3) {
        return complain("output scale", "2^-15", fmt::format("{}", out), output.name);
      }
      return input_scale_fault(input, 0x1p-28, 0x1p15 / 12288.0);
    case UnaryKind::leaky_relu:
      if (Complaint fault = factor_fault(static_cast<double>(in * unary.alpha / out), 0x1p14)) return fault;
      return factor_fault(static_cast<double>(in / out), 0x1p14);
    case UnaryKind::abs:
      return factor_fault(scale_of(input) / scale_of(output), 0x1p14);
    default:
      return no_form_fault(
          input, unary.kind == UnaryKind::elu || unary.kind == UnaryKind::hard_swish || unary.kind == UnaryKind::rsqrt
                     ? "int8 or float32"
                     : "float32");
  }
}

/// The reference takes no multiplier of a sum that rounds to one or more, and squares overflow at larger ones.
Complaint sum_fault(double ratio, const Tensor& output) {
  if (ratio < 1.0 - 0x1p-32) return {};
  return complain("output scale too small", {}, fmt::format("{}", scale_of(output)), output.name);
}

/// The scales of an integer operator.
Complaint quantized_fault(const Binary& binary, const Tensor& left, const Tensor& right, const Tensor& output) {
  const bool wide = output.type == DataType::int16;
  const double twice = 2.0 * std::max(scale_of(left), scale_of(right));
  const double product = scale_of(left) * scale_of(right) / scale_of(output);
  switch (binary.kind) {
    case BinaryKind::add:
    case BinaryKind::subtract:
      return sum_fault(twice / ((wide ? 0x1p15 : 0x1p20) * scale_of(output)), output);
    case BinaryKind::squared_difference:
      return sum_fault(twice * twice / ((wide ? 1.0 : 0x1p14) * scale_of(output)), output);
    case BinaryKind::multiply:  // products of 17 bits and a sign, or of 31
      return factor_fault(product, wide ? 1.0 - 0x1p-32 : 0x1p13);
    case BinaryKind::divide:
      if (wide) return no_form_fault(output, "int8, int32 or float32");
      return factor_fault(scale_of(left) / (scale_of(right) * scale_of(output)), 0x1p22);
    case BinaryKind::prelu:
      if (wide) return no_form_fault(output, "int8 or float32");
      if (Complaint fault = factor_fault(product, 0x1p13)) return fault;
      return factor_fault(scale_of(left) / scale_of(output), 0x1p22);
    case BinaryKind::floor_divide:
    case BinaryKind::floor_modulo:
      return no_form_fault(output, "int32 or float32");
    case BinaryKind::minimum:
    case BinaryKind::maximum:
      break;
  }
  return {};
}

bool has_activation(BinaryKind kind) {
  return kind == BinaryKind::add || kind == BinaryKind::subtract || kind == BinaryKind::multiply ||
         kind == BinaryKind::divide;
}

Complaint shapes_fault(const Tensor& left, const Tensor& right, const Tensor& output) {
  for (const Tensor* operand : {&left, &right}) {
    if (broadcasts(*operand, output)) continue;
    return complain("shapes that do not broadcast", shape_text(output.shape), shape_text(operand->shape),
                    operand->name);
  }
  if (image_shape(output).height > kMaxTable) {
    return complain("too many rows", fmt::format("at most {}", kMaxTable), shape_text(output.shape), output.name);
  }
  // Every extent of the output is that of an operand.
  const auto extent = [](const Tensor& t, std::size_t from_end) {
    return from_end < t.shape.size() ? t.shape[t.shape.size() - 1 - from_end] : 1;
  };
  for (std::size_t i = 0; i < output.shape.size(); ++i) {
    if (extent(output, i) == std::max(extent(left, i), extent(right, i))) continue;
    return complain("output that is larger than both operands", {}, shape_text(output.shape), output.name);
  }
  return {};
}

}  // namespace

Complaint elementwise_fault(const Graph& graph, const Op& op, const Unary& unary) {
  if (Complaint fault = count_fault(op, 1)) return fault;
  const Tensor &input = tensor_of(graph, op.inputs[0]), &output = tensor_of(graph, op.output);
  if (image_shape(input) != image_shape(output)) {
    return complain("output of another shape", shape_text(input.shape), shape_text(output.shape), output.name);
  }
  if (Complaint fault = same_type_fault({&input, &output}, output)) return fault;
  if (!std::isfinite(unary.alpha)) return complain("slope that is no number");
  switch (output.type) {
    case DataType::int8:
      return byte_fault(unary, input, output);
    case DataType::int16:
      return wide_fault(unary, input, output);
    case DataType::float32:
      return {};
    default:
      return no_form_fault(output, "int8, int16 or float32");
  }
}

Complaint elementwise_fault(const Graph& graph, const Op& op, const Binary& binary) {
  if (Complaint fault = count_fault(op, binary.constant == kNoTensor ? 2 : 1)) return fault;
  const auto [first, second] = operands_of(op, binary);
  const Tensor &left = tensor_of(graph, first), &right = tensor_of(graph, second),
               &output = tensor_of(graph, op.output);
  if (Complaint fault = same_type_fault({&left, &right, &output}, output)) return fault;
  if (Complaint fault = shapes_fault(left, right, output)) return fault;
  if (binary.activation != Activation::none && !has_activation(binary.kind)) {
    return complain("activation of an operator that has none");
  }
  switch (output.type) {
    case DataType::int8:
    case DataType::int16:
      if (Complaint fault = quantized_fault(binary, left, right, output)) return fault;
      return activation_fault(binary.activation, output);
    case DataType::int32:
      if (binary.kind == BinaryKind::prelu) return no_form_fault(output, "int8 or float32");
      if (binary.activation != Activation::none) return complain("activation of an operator on int32");
      return {};
    case DataType::float32:
      return {};
    default:
      return no_form_fault(output, "int8, int16, int32 or float32");
  }
}

}  // namespace ripc
