// What operators with weights ask of these, of their bias, and of the multipliers that follow.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "graph/checks.h"

namespace ripc {
namespace {

const Tensor& tensor_of(const Graph& graph, TensorId id) { return graph.tensors[static_cast<std::size_t>(id)]; }

double scale_of(const Tensor& tensor) { return static_cast<double>(tensor.quantization.scale[0]); }

/// One for each output channel, of the type of the sums: 64 or 32 bits for int16 activations.
Complaint bias_fault(const Tensor& input, const Tensor& output, const Tensor& bias) {
  const bool is_float = input.type == DataType::float32, is_wide = input.type == DataType::int16;
  const bool wide = is_wide && bias.type == DataType::int64;
  if (!wide && bias.type != (is_float ? DataType::float32 : DataType::int32)) {
    return type_fault(bias, is_float ? "float32 bias" : is_wide ? "int64 or int32 bias" : "int32 bias");
  }
  const std::int64_t channels = image_shape(output).channels;
  if (element_count(bias) == channels) return {};
  return complain("bias of the wrong size", fmt::format("{}", channels), shape_text(bias.shape), bias.name);
}

}  // namespace

Complaint weights_fault(const Tensor& input, const Tensor& w, int axis, std::initializer_list<std::int64_t> shape) {
  const bool is_float = input.type == DataType::float32;
  if (is_float && w.type != DataType::float32) {
    Complaint fault =
        complain("quantised weights with float activations", "float32 weights", type_name(w.type), w.name);
    fault->remedy = "Quantise the activations too, with a representative data set, or leave the weights float32.";
    return fault;
  }
  if (!is_float && w.type != DataType::int8) return type_fault(w, "int8 weights");
  if (!std::ranges::equal(w.shape, shape)) {
    return complain("weights of the wrong shape", shape_text(shape), shape_text(w.shape), w.name);
  }
  if (is_float) return {};
  const Quantization& q = w.quantization;
  if (q.scale.empty()) return complain("weights without a scale", {}, {}, w.name);
  if (q.scale.size() > 1 &&
      (q.axis != axis || static_cast<std::int64_t>(q.scale.size()) != w.shape[static_cast<std::size_t>(axis)])) {
    return complain("scales that do not match the shape", fmt::format("one for each index of axis {}", axis),
                    fmt::format("{} along axis {}", q.scale.size(), q.axis), w.name);
  }
  if (std::ranges::any_of(q.zero_point, [](std::int32_t zero) { return zero != 0; })) {
    return complain("asymmetric weights", "zero point 0", {}, w.name);
  }
  return {};
}

Complaint after_weights_fault(const Graph& graph, const Op& op, TensorId weights, TensorId bias, Activation limits) {
  const Tensor &input = tensor_of(graph, op.inputs[0]), &output = tensor_of(graph, op.output);
  if (bias != kNoTensor) {
    if (Complaint fault = bias_fault(input, output, tensor_of(graph, bias))) return fault;
  }
  if (input.type == DataType::float32) return {};
  for (const float scale : tensor_of(graph, weights).quantization.scale) {
    if (Complaint fault = multiplier_fault(scale_of(input) * static_cast<double>(scale) / scale_of(output)))
      return fault;
  }
  return activation_fault(limits, output);
}

Complaint connected_bias_fault(const Graph& graph, const Op& op, const FullyConnected& connected) {
  const Tensor &input = tensor_of(graph, op.inputs[0]), &weights = tensor_of(graph, connected.weights);
  const bool compares = input.type != DataType::float32 && connected.bias != kNoTensor;
  if (!compares || weights.quantization.scale.size() != 1) return {};
  const Tensor& bias = tensor_of(graph, connected.bias);
  if (bias.quantization.scale.empty()) return {};
  const double product = scale_of(input) * scale_of(weights);
  const double difference = std::abs(product - scale_of(bias));
  if (difference / scale_of(tensor_of(graph, op.output)) <= 0.02) return {};
  return complain("bias with another scale than the sum", fmt::format("{}", product),
                  fmt::format("{}", bias.quantization.scale[0]), bias.name);
}

}  // namespace ripc
