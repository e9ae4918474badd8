// Graphs of one operator around random tensors.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "kernels/cases.h"

namespace ripc::test {

inline Quantization one_scale(float scale, std::int64_t zero) {
  return {{scale}, {static_cast<std::int32_t>(zero)}, 0};
}

inline Quantization random_scale(Random& r) { return one_scale(r.real(0.01F, 0.2F), r.number(-128, 127)); }

/// Scalars of the tensor's type: any integer; real numbers, infinity and NaN left out, most of them small.
/// `every_size`: so large, too, that among quotients and rounded numbers there are some that the last bits change.
Bytes random_bytes(const Tensor& tensor, Random& random, bool every_size = false);

inline Activation random_activation(Random& r) { return static_cast<Activation>(r.number(0, 3)); }

inline ImageShape random_image(Random& r) { return {r.number(1, 6), r.number(1, 7), r.number(1, 11)}; }

/// Builds a graph of one operator around its tensors.
class CaseBuilder {
 public:
  explicit CaseBuilder(Random& random) : random_(random) {}

  TensorId tensor(std::vector<std::int64_t> shape, Quantization quantization, DataType type = DataType::int8) {
    Tensor tensor;
    tensor.name = "t" + std::to_string(graph_.tensors.size());
    tensor.type = type;
    tensor.shape = std::move(shape);
    tensor.quantization = std::move(quantization);
    graph_.tensors.push_back(std::move(tensor));
    return static_cast<TensorId>(graph_.tensors.size()) - 1;
  }

  TensorId image(const ImageShape& shape, Quantization quantization, DataType type = DataType::int8) {
    return tensor({1, shape.height, shape.width, shape.channels}, std::move(quantization), type);
  }

  /// Any bytes that are at hand at compile time.
  TensorId constant(std::vector<std::int64_t> shape, Quantization quantization, DataType type = DataType::int8) {
    const TensorId id = tensor(std::move(shape), std::move(quantization), type);
    Tensor& t = graph_.tensors.back();
    t.constant = true;
    t.data = random_bytes(t, random_);
    return id;
  }

  /// Weights of any value; one scale, or one for each index of `axis`.
  TensorId weights(std::vector<std::int64_t> shape, int axis, bool per_channel) {
    Quantization scales{{}, {}, per_channel ? axis : 0};
    const std::int64_t count = per_channel ? shape[static_cast<std::size_t>(axis)] : 1;
    for (std::int64_t i = 0; i < count; ++i) scales.scale.push_back(random_.real(0.001F, 0.01F));
    scales.zero_point.assign(scales.scale.size(), 0);
    return constant(std::move(shape), std::move(scales));
  }

  TensorId bias(std::int64_t channels) {
    if (random_.chance(10)) return kNoTensor;
    const TensorId id = tensor({channels}, {}, DataType::int32);
    Tensor& t = graph_.tensors.back();
    t.constant = true;
    for (std::int64_t i = 0; i < channels; ++i) {
      // Dead channels of real networks have biases like the second.
      const auto value = static_cast<std::int32_t>(random_.chance(95) ? random_.number(-8000, 8000)
                                                                      : random_.number(-(1 << 30), 1 << 30));
      const auto* bytes = reinterpret_cast<const std::byte*>(&value);
      t.data.insert(t.data.end(), bytes, bytes + sizeof value);
    }
    return id;
  }

  /// An output scale that sums of `taps` products fill, or saturate, or hardly move.
  Quantization scale_of_sum(TensorId in, TensorId weights, std::int64_t taps) {
    const float product = graph_.tensors[static_cast<std::size_t>(in)].quantization.scale[0] *
                          graph_.tensors[static_cast<std::size_t>(weights)].quantization.scale[0];
    const float fitting = product * 60.0F * std::sqrt(static_cast<float>(taps));
    return one_scale(fitting * std::exp2(random_.real(-3.0F, 3.0F)), random_.number(-128, 127));
  }

  /// A state of random bytes.
  StateId state(std::int64_t bytes, std::int64_t alignment) {
    State state{.name = "state", .alignment = alignment, .initial = {}};
    for (std::int64_t i = 0; i < bytes; ++i) state.initial.push_back(static_cast<std::byte>(random_.number(0, 255)));
    graph_.states.push_back(std::move(state));
    return static_cast<StateId>(graph_.states.size()) - 1;
  }

  Tensor& at(TensorId id) { return graph_.tensors[static_cast<std::size_t>(id)]; }

  OpCase finish(OpKind kind, std::vector<TensorId> inputs, TensorId output) {
    Op op;
    op.kind = std::move(kind);
    op.inputs = inputs;
    op.output = output;
    op.source = 0;
    graph_.name = "case";
    graph_.ops.push_back(std::move(op));
    graph_.inputs = std::move(inputs);
    graph_.outputs = {output};
    OpCase result{.graph = std::move(graph_), .inputs = {}};
    randomise_inputs(result, random_);
    return result;
  }

 private:
  Random& random_;
  Graph graph_;
};

}  // namespace ripc::test
