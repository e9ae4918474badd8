#include <cmath>
#include <random>

#include "passes/passes.h"

namespace ripc {
namespace {

constexpr int kLargest = 127;
const double kWeightRms = kLargest / std::sqrt(3.0);  ///< of what is uniform in [-127, 127]

/// The standard library's distributions differ from one library to another; its engines do not.
class Uniform {
 public:
  explicit Uniform(std::uint32_t seed) : engine_(seed) {}

  /// In [-limit, limit].
  std::int32_t next(std::int32_t limit) {
    return static_cast<std::int32_t>(engine_() % (2U * static_cast<std::uint32_t>(limit) + 1U)) - limit;
  }

 private:
  std::mt19937 engine_;
};

bool cuts_at_zero(Activation activation) { return activation == Activation::relu || activation == Activation::relu6; }

class Filler {
 public:
  Filler(Graph& graph, std::uint32_t seed) : graph_(graph), uniform_(seed), halved_(graph.tensors.size(), false) {}

  /// `terms`: products that one output sums up.
  template <typename Kind>
  void weigh(const Op& op, const Kind& kind, std::int64_t terms) {
    const auto input = static_cast<std::size_t>(op.inputs.front());
    const double spread = std::sqrt(static_cast<double>(terms));
    Tensor& weights = at(kind.weights);
    if (!weights.data.empty()) return;
    const double gain = halved_[input] ? std::sqrt(2.0) : 1.0;
    const float of_input = at(op.inputs.front()).quantization.scale.front();
    const float of_output = at(op.output).quantization.scale.front();
    weights.quantization = {.scale = {static_cast<float>(gain * of_output / (of_input * kWeightRms * spread))},
                            .zero_point = {0}};
    fill(weights, kLargest);
    if (kind.bias != kNoTensor) fill(at(kind.bias), static_cast<std::int32_t>(kBiasPerSpread * spread));
  }

  void visit(const Op& op) {
    if (const auto* conv = std::get_if<Conv2d>(&op.kind)) {
      const Tensor& weights = at(conv->weights);
      weigh(op, *conv, element_count(weights) / weights.shape.front());
      mark(op, conv->activation);
    } else if (const auto* depthwise = std::get_if<DepthwiseConv2d>(&op.kind)) {
      weigh(op, *depthwise, depthwise->rows.kernel * depthwise->columns.kernel);
      mark(op, depthwise->activation);
    } else if (const auto* connected = std::get_if<FullyConnected>(&op.kind)) {
      weigh(op, *connected, at(connected->weights).shape.back());
      mark(op, connected->activation);
    }
  }

  /// Constants that are no weights.
  void fill_others() {
    for (Tensor& tensor : graph_.tensors) {
      if (tensor.constant && tensor.data.empty()) fill(tensor, kLargest);
    }
  }

 private:
  static constexpr double kBiasPerSpread = 1500.0;  ///< about half of what the products of such inputs sum up to

  Tensor& at(TensorId id) { return graph_.tensors[static_cast<std::size_t>(id)]; }
  void mark(const Op& op, Activation activation) {
    halved_[static_cast<std::size_t>(op.output)] = cuts_at_zero(activation);
  }

  void fill(Tensor& tensor, std::int32_t limit) {
    const std::size_t bytes = scalar_bytes(tensor.type);
    for (std::int64_t i = element_count(tensor); i > 0; --i) {
      const auto value = static_cast<std::uint32_t>(uniform_.next(limit));
      for (std::size_t byte = 0; byte < bytes; ++byte) {
        tensor.data.push_back(static_cast<std::byte>((byte < 4 ? value >> (8 * byte) : 0U) & 0xffU));
      }
    }
  }

  Graph& graph_;
  Uniform uniform_;
  std::vector<bool> halved_;  ///< by TensorId: negative values have become zero
};

}  // namespace

Graph fill_weights(Graph graph, std::uint32_t seed) {
  Filler filler(graph, seed);
  for (const Op& op : graph.ops) filler.visit(op);
  filler.fill_others();
  return graph;
}

}  // namespace ripc
