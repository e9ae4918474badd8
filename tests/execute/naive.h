// The reference arithmetic as plain loops over whole tensors: no kernels, no plan, no shared address.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace ripc::test {

/// Values of every tensor after a run of an int8 graph, by TensorId; empty for constants. Knows the operators of
/// networks.h.
std::vector<std::vector<std::int8_t>> evaluate(const Graph& graph, const std::vector<std::vector<std::int8_t>>& inputs);

}  // namespace ripc::test
