// The identity of a network.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <span>

#include "graph/fnv.h"
#include "graph/graph.h"

namespace ripc {
namespace {

/// FNV-1a 64. Every list is preceded by its length, so that no two graphs feed the same bytes.
class Hasher {
 public:
  void bytes(std::span<const std::byte> data) { state_ = fnv1a64(data, state_); }
  void number(std::int64_t value) {
    std::array<std::byte, 8> data;
    for (int i = 0; i < 8; ++i) data[static_cast<std::size_t>(i)] = static_cast<std::byte>(value >> (8 * i));
    bytes(data);
  }
  void real(float value) { number(std::bit_cast<std::int32_t>(value)); }
  template <typename T>
  void list(const std::vector<T>& values) {
    number(static_cast<std::int64_t>(values.size()));
    for (const T& value : values) {
      if constexpr (std::is_same_v<T, float>) {
        real(value);
      } else {
        number(value);
      }
    }
  }
  std::uint64_t state() const { return state_; }

 private:
  std::uint64_t state_ = kFnv64Start;
};

struct HashKind {
  Hasher& hash;

  void window(const Window& w) const {
    for (const std::int64_t field : {w.kernel, w.stride, w.dilation, w.pad_before, w.pad_after}) hash.number(field);
  }
  void weights(TensorId weights, TensorId bias, Activation activation) const {
    hash.number(weights);
    hash.number(bias);
    hash.number(static_cast<int>(activation));
  }
  void operator()(const Conv2d& op) const {
    window(op.rows);
    window(op.columns);
    hash.number(op.groups);
    weights(op.weights, op.bias, op.activation);
  }
  void operator()(const DepthwiseConv2d& op) const {
    window(op.rows);
    window(op.columns);
    hash.number(op.multiplier);
    weights(op.weights, op.bias, op.activation);
  }
  void operator()(const FullyConnected& op) const { weights(op.weights, op.bias, op.activation); }
  void operator()(const Pool2d& op) const {
    hash.number(static_cast<int>(op.kind));
    window(op.rows);
    window(op.columns);
    hash.number(static_cast<int>(op.activation));
  }
  void operator()(const Unary& op) const {
    hash.number(static_cast<int>(op.kind));
    hash.real(op.alpha);
  }
  void operator()(const Binary& op) const {
    hash.number(static_cast<int>(op.kind));
    hash.number(static_cast<int>(op.activation));
    hash.number(op.constant);
    hash.number(op.constant_first ? 1 : 0);
  }
  void operator()(const Pad& op) const {
    for (const std::int64_t pad : op.before) hash.number(pad);
    for (const std::int64_t pad : op.after) hash.number(pad);
    hash.number(static_cast<std::int64_t>(op.fill.size()));
    hash.bytes(op.fill);
  }
  void operator()(const Softmax& op) const {
    hash.real(op.beta);
    hash.number(op.logarithm ? 1 : 0);
  }
  void operator()(const ResizeNearest& op) const {
    hash.number(op.align_corners ? 1 : 0);
    hash.number(op.half_pixel_centers ? 1 : 0);
  }
  void operator()(const Clamp& op) const { hash.number(static_cast<int>(op.activation)); }
  void operator()(const Concat& op) const {
    hash.number(op.axis);
    hash.number(op.stacks ? 1 : 0);
  }
  void operator()(const Rearrange& op) const {
    hash.number(op.start);
    hash.number(static_cast<std::int64_t>(op.axes.size()));
    for (const AxisMap& axis : op.axes) {
      hash.number(axis.extent);
      hash.number(axis.stride);
      hash.list(axis.offsets);
    }
  }
  void operator()(const Cast&) const {}
  void operator()(const ResizeBilinear& op) const {
    hash.number(op.align_corners ? 1 : 0);
    hash.number(op.half_pixel_centers ? 1 : 0);
  }
  void operator()(const TransposeConv2d& op) const {
    window(op.rows);
    window(op.columns);
    weights(op.weights, op.bias, op.activation);
  }
  void operator()(const Reduce& op) const {
    hash.number(static_cast<int>(op.kind));
    hash.list(op.axes);
  }
  void operator()(const ArgExtreme& op) const {
    hash.number(op.largest ? 1 : 0);
    hash.number(op.axis);
  }
  void operator()(const L2Normalize&) const {}
  void operator()(const Copy&) const {}
  void operator()(const Svdf& op) const {
    hash.number(op.rank);
    hash.list(op.constants);
    hash.number(static_cast<int>(op.memory_type));
    hash.real(op.memory_scale);
    hash.number(op.memory_zero);
    hash.number(op.state);
  }
  void operator()(const Lstm& op) const {
    hash.list(op.constants);
    hash.real(op.cell_scale);
    hash.real(op.cell_clip);
    hash.number(op.state);
  }
  void operator()(const Signal& op) const {
    hash.number(static_cast<int>(op.kind));
    hash.list(op.constants);
    for (const std::int64_t field : {op.shift, op.scale, op.first, op.end}) hash.number(field);
    const SignalNoise& noise = op.noise;
    for (const std::int64_t field : {noise.even_weight, noise.even_rest, noise.odd_weight, noise.odd_rest,
                                     noise.smoothing_bits, noise.weight_bits, noise.least_part}) {
      hash.number(field);
    }
    hash.number(noise.clamps ? 1 : 0);
    hash.number(op.state);
  }
  void operator()(const Load& op) const { hash.list(op.constants); }
  void operator()(const Mean&) const {}
  void operator()(const Reshape&) const {}
  void operator()(const Quantize&) const {}
  void operator()(const Dequantize&) const {}
};

void hash_tensor(Hasher& hash, const Tensor& tensor) {
  hash.number(static_cast<int>(tensor.type));
  hash.list(tensor.shape);
  hash.list(tensor.quantization.scale);
  hash.list(tensor.quantization.zero_point);
  hash.number(tensor.quantization.axis);
  hash.number(tensor.constant ? 1 : 0);
  hash.number(tensor.alias_of);
  if (tensor.state != kNoState) hash.number(tensor.state);
  hash.number(static_cast<std::int64_t>(tensor.data.size()));
  hash.bytes(tensor.data);
}

}  // namespace

std::string graph_hash(const Graph& graph) {
  Hasher hash;
  hash.number(static_cast<std::int64_t>(graph.tensors.size()));
  for (const Tensor& tensor : graph.tensors) hash_tensor(hash, tensor);
  hash.number(static_cast<std::int64_t>(graph.ops.size()));
  for (const Op& op : graph.ops) {
    hash.number(static_cast<std::int64_t>(op.kind.index()));
    std::visit(HashKind{hash}, op.kind);
    hash.list(op.inputs);
    hash.number(op.output);
  }
  hash.list(graph.inputs);
  hash.list(graph.outputs);
  for (const State& state : graph.states) {
    hash.number(state.alignment);
    hash.number(static_cast<std::int64_t>(state.initial.size()));
    hash.bytes(state.initial);
  }
  return fmt::format("{:016x}", hash.state());
}

}  // namespace ripc
