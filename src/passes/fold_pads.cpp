#include <algorithm>
#include <utility>

#include "passes/passes.h"
#include "passes/uses.h"

namespace ripc {
namespace {

Tensor& tensor(Graph& graph, TensorId id) { return graph.tensors[static_cast<std::size_t>(id)]; }

bool is_spatial(const Pad& pad) { return pad.before[2] == 0 && pad.after[2] == 0; }

/// The window over the input of the PAD. A window that could lie in padding alone has no exact counterpart in pooling,
/// and is left to PAD everywhere.
bool widen(Window& window, std::int64_t before, std::int64_t after) {
  window.pad_before += before;
  window.pad_after += after;
  return std::max(window.pad_before, window.pad_after) < effective_kernel(window);
}

/// Whether `kind` skips padded taps as if they held the fill.
bool skips(const OpKind& kind, const Tensor& padded) {
  if (const auto* pool = std::get_if<Pool2d>(&kind)) {
    return pool->kind == PoolKind::max && padded.type == DataType::int8 && padded.quantization.zero_point[0] == -128;
  }
  return std::holds_alternative<Conv2d>(kind) || std::holds_alternative<DepthwiseConv2d>(kind);
}

/// The reader of the PAD reading the PAD's input instead; nothing if that is not the same.
std::optional<Op> folded(Graph& graph, const Op& pad_op, const Op& reader) {
  const Pad& pad = std::get<Pad>(pad_op.kind);
  // An alias of the padded tensor has another shape.
  if (reader.inputs[0] != pad_op.output) return std::nullopt;
  if (!skips(reader.kind, tensor(graph, pad_op.output))) return std::nullopt;
  Op op = reader;
  op.inputs[0] = pad_op.inputs[0];
  const bool wide = std::visit(
      [&](auto& kind) {
        if constexpr (requires { kind.rows; }) {
          return widen(kind.rows, pad.before[0], pad.after[0]) && widen(kind.columns, pad.before[1], pad.after[1]);
        } else {
          return false;
        }
      },
      op.kind);
  if (!wide || fault_of(graph, op)) return std::nullopt;
  return op;
}

/// A PAD is worth folding only if no reader is left: otherwise its input would live longer beside its output.
bool fold(Graph& graph, const Op& pad, const Use& use) {
  const auto& kind = std::get<Pad>(pad.kind);
  if (use.is_output || !is_spatial(kind) || !kind.fill.empty()) return false;
  if (tensor(graph, pad.inputs[0]).quantization != tensor(graph, pad.output).quantization) return false;
  std::vector<Op> readers;
  for (const OpId id : use.readers) {
    std::optional<Op> reader = folded(graph, pad, graph.ops[static_cast<std::size_t>(id)]);
    if (!reader) return false;
    readers.push_back(std::move(*reader));
  }
  for (std::size_t i = 0; i < readers.size(); ++i) {
    graph.ops[static_cast<std::size_t>(use.readers[i])] = std::move(readers[i]);
  }
  return true;
}

}  // namespace

Graph fold_pads(Graph graph) {
  const std::vector<Use> uses = uses_of(graph);
  std::vector<Op> kept;
  for (std::size_t i = 0; i < graph.ops.size(); ++i) {
    const Op op = graph.ops[i];
    const bool gone =
        std::holds_alternative<Pad>(op.kind) && fold(graph, op, uses[static_cast<std::size_t>(op.output)]);
    if (!gone) kept.push_back(op);
  }
  graph.ops = std::move(kept);
  return graph;
}

}  // namespace ripc
