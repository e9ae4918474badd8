// What operators that keep a state ask of their tensors.
#include <fmt/format.h>

#include <cmath>

#include "graph/checks.h"

namespace ripc {
namespace {

const Tensor& tensor_of(const Graph& graph, TensorId id) { return graph.tensors[static_cast<std::size_t>(id)]; }

/// Weights with one scale.
Complaint plain_weights(const Tensor& w, DataType type, const std::vector<std::int64_t>& shape) {
  if (w.type != type) return type_fault(w, type_name(type));
  if (w.shape != shape) return complain("weights of the wrong shape", shape_text(shape), shape_text(w.shape), w.name);
  if (Complaint fault = scale_fault(w)) return fault;
  if (w.quantization.zero_point[0] == 0) return {};
  return complain("asymmetric weights", "zero point 0", fmt::format("{}", w.quantization.zero_point[0]), w.name);
}

Complaint real_constant(const Tensor& c, const std::vector<std::int64_t>& shape) {
  if (c.type != DataType::float32) return type_fault(c, "float32");
  if (c.shape == shape) return {};
  return complain("weights of the wrong shape", shape_text(shape), shape_text(c.shape), c.name);
}

Complaint plain_bias(const Tensor& b, std::int64_t count) {
  if (b.type != DataType::int32) return type_fault(b, "int32 bias");
  if (element_count(b) == count) return {};
  return complain("bias of the wrong size", fmt::format("{}", count), shape_text(b.shape), b.name);
}

/// Whether the state has so many bytes.
Complaint state_fault(const Graph& graph, StateId state, std::int64_t bytes) {
  if (state < 0 || static_cast<std::size_t>(state) >= graph.states.size()) return complain("no such state");
  const std::int64_t found = std::ssize(graph.states[static_cast<std::size_t>(state)].initial);
  if (found == bytes) return {};
  return complain("state of the wrong size", fmt::format("{} bytes", bytes), fmt::format("{}", found),
                  graph.states[static_cast<std::size_t>(state)].name);
}

}  // namespace

Complaint recurrent_fault(const Graph& graph, const Op& op, const Svdf& svdf) {
  const Tensor &input = tensor_of(graph, op.inputs[0]), &output = tensor_of(graph, op.output);
  if (svdf.constants.size() < 2 || svdf.constants.size() > 3) return complain("wrong number of weights");
  const Tensor &feature = tensor_of(graph, svdf.constants[0]), &time = tensor_of(graph, svdf.constants[1]);
  const std::int64_t in = element_count(input), units = element_count(output), filters = units * svdf.rank;
  if (svdf.rank < 1 || svdf.rank > filters) return complain("rank out of range");
  if (svdf.memory_type != DataType::int8 && svdf.memory_type != DataType::int16) {
    return complain("unsupported type of state", "int8 or int16", type_name(svdf.memory_type));
  }
  if (Complaint fault = plain_weights(feature, DataType::int8, {filters, in})) return fault;
  const std::int64_t memory = time.shape.size() == 2 ? time.shape[1] : 0;
  if (Complaint fault = plain_weights(time, svdf.memory_type, {filters, memory})) return fault;
  if (svdf.constants.size() == 3) {
    if (Complaint fault = plain_bias(tensor_of(graph, svdf.constants[2]), units)) return fault;
  }
  const double state_scale = static_cast<double>(svdf.memory_scale);
  if (!(state_scale > 0.0)) return complain("bad scale of the state");
  const double in_factor = static_cast<double>(input.quantization.scale[0]) *
                           static_cast<double>(feature.quantization.scale[0]) / state_scale;
  if (Complaint fault = multiplier_fault(in_factor)) return fault;
  const double out_factor =
      state_scale * static_cast<double>(time.quantization.scale[0]) / static_cast<double>(output.quantization.scale[0]);
  if (Complaint fault = multiplier_fault(out_factor)) return fault;
  return state_fault(graph, svdf.state, filters * memory * static_cast<std::int64_t>(scalar_bytes(svdf.memory_type)));
}

Complaint recurrent_fault(const Graph& graph, const Op& op, const Lstm& lstm) {
  const Tensor &input = tensor_of(graph, op.inputs[0]), &output = tensor_of(graph, op.output);
  const bool real = output.type == DataType::float32;
  if (lstm.constants.size() != 12) return complain("wrong number of weights", "12");
  const ImageShape in = image_shape(input), out = image_shape(output);
  if (in.height != out.height || in.width != out.width) {
    return complain("output of another number of steps", shape_text(input.shape), shape_text(output.shape));
  }
  for (std::size_t i = 0; i < 12; ++i) {
    const Tensor& t = tensor_of(graph, lstm.constants[i]);
    const std::vector<std::int64_t> shape{out.channels, i < 4 ? in.channels : out.channels};
    Complaint fault = real    ? real_constant(t, i < 8 ? shape : std::vector{out.channels})
                         : i < 8 ? plain_weights(t, DataType::int8, shape)
                              : plain_bias(t, out.channels);
    if (fault) return fault;
  }
  if (real) return state_fault(graph, lstm.state, 8 * out.channels);
  int exponent = 0;
  if (!(lstm.cell_scale > 0.0F) || std::frexp(lstm.cell_scale, &exponent) != 0.5F || exponent - 1 < -12 ||
      exponent - 1 > 0) {
    return complain("scale of the cells", "a power of two from 2^-12 to 1", fmt::format("{}", lstm.cell_scale));
  }
  return state_fault(graph, lstm.state, 3 * out.channels);
}

}  // namespace ripc
