#include "cli/as_int8.h"

#include <algorithm>
#include <utility>

#include "graph/complaint.h"

namespace ripc::cli {
namespace {

void quantize(Tensor& tensor) {
  if (tensor.type != DataType::float32) return;
  tensor.type = DataType::int8;
  tensor.quantization = {.scale = {0.0625F}, .zero_point = {0}};
  tensor.data.clear();
}

/// Functions whose range is known have one quantisation of the output that their kernels take.
void fix_output(const OpKind& kind, Quantization& output) {
  const auto* unary = std::get_if<Unary>(&kind);
  const bool logistic = unary != nullptr && unary->kind == UnaryKind::logistic;
  const bool tanh = unary != nullptr && unary->kind == UnaryKind::tanh;
  if (logistic || std::holds_alternative<Softmax>(kind)) output = {.scale = {0x1p-8F}, .zero_point = {-128}};
  if (tanh || std::holds_alternative<L2Normalize>(kind)) output = {.scale = {0x1p-7F}, .zero_point = {0}};
}

void fix_bias(Graph& graph, const OpKind& kind) {
  std::visit(
      [&](const auto& fields) {
        if constexpr (requires { fields.bias; }) {
          if (fields.bias == kNoTensor) return;
          Tensor& bias = graph.tensors[static_cast<std::size_t>(fields.bias)];
          bias.type = DataType::int32;
          bias.quantization = {};
        }
      },
      kind);
}

}  // namespace

bool is_float(const Graph& graph) {
  return !graph.ops.empty() && std::ranges::all_of(graph.tensors, [](const Tensor& tensor) {
    return tensor.constant || tensor.type == DataType::float32;
  });
}

std::optional<Graph> as_int8(Graph graph) {
  if (!graph.states.empty()) return std::nullopt;
  for (Tensor& tensor : graph.tensors) quantize(tensor);
  for (const Op& op : graph.ops) {
    fix_output(op.kind, graph.tensors[static_cast<std::size_t>(op.output)].quantization);
    fix_bias(graph, op.kind);
  }
  if (fault_of(graph)) return std::nullopt;
  return graph;
}

}  // namespace ripc::cli
