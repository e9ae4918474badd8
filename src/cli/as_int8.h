// A float32 network as if it had been converted to int8: the same shapes, for planning only.
#pragma once

#include <optional>

#include "graph/graph.h"

namespace ripc::cli {

/// Whether every tensor that the network reads, computes or answers with is float32.
bool is_float(const Graph& graph);

/// The network with int8 activations and weights and int32 biases, without values. Nothing if an operator has no int8
/// kernel.
std::optional<Graph> as_int8(Graph graph);

}  // namespace ripc::cli
