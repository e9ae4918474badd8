#include <utility>

#include "passes/passes.h"
#include "passes/uses.h"

namespace ripc {
namespace {

/// Whether the reference's kernel has an activation at its end.
bool can_clamp(BinaryKind kind) {
  return kind == BinaryKind::add || kind == BinaryKind::subtract || kind == BinaryKind::multiply ||
         kind == BinaryKind::divide;
}

/// Gives `op` the activation; false if it cannot have one, or has one.
bool activate(OpKind& op, Activation activation) {
  if (const auto* binary = std::get_if<Binary>(&op); binary != nullptr && !can_clamp(binary->kind)) return false;
  return std::visit(
      [&](auto& kind) {
        using Kind = std::decay_t<decltype(kind)>;
        if constexpr (!std::is_same_v<Kind, Clamp> && requires { kind.activation; }) {
          if (kind.activation != Activation::none) return false;
          kind.activation = activation;
          return true;
        } else {
          return false;
        }
      },
      op);
}

}  // namespace

Graph fuse_clamps(Graph graph) {
  const std::vector<Use> uses = uses_of(graph);
  std::vector<bool> gone(graph.ops.size(), false);
  for (std::size_t i = 0; i < graph.ops.size(); ++i) {
    const auto* clamp = std::get_if<Clamp>(&graph.ops[i].kind);
    if (clamp == nullptr) continue;
    const Op& op = graph.ops[i];
    const auto input = static_cast<std::size_t>(op.inputs[0]), output = static_cast<std::size_t>(op.output);
    if (graph.tensors[input].alias_of != kNoTensor) continue;
    const Use& use = uses[input];
    if (use.writer < 0 || use.readers.size() != 1 || use.is_output) continue;
    if (graph.tensors[input].quantization != graph.tensors[output].quantization) continue;
    Op& producer = graph.ops[static_cast<std::size_t>(use.writer)];
    // A second clamp after this one finds the activation taken.
    if (producer.output != op.inputs[0] || !activate(producer.kind, clamp->activation)) continue;
    producer.output = op.output;
    producer.source = op.source;
    gone[i] = true;
  }
  std::vector<Op> kept;
  for (std::size_t i = 0; i < gone.size(); ++i) {
    if (!gone[i]) kept.push_back(std::move(graph.ops[i]));
  }
  graph.ops = std::move(kept);
  return graph;
}

}  // namespace ripc
