// Which operators leave bytes between the pixels of a tensor alone: what may read from or write into a slice of the
// channels of a larger tensor.
#pragma once

#include <cstddef>

#include "graph/graph.h"

namespace ripc {

/// Whether every kernel of `op` reads input `input` by its pitch. Source: tests/kernels/pitch_test.cpp runs them so.
bool reads_pitched(const Graph& graph, const Op& op, std::size_t input);

/// Whether every kernel of `op` writes its output by its pitch and nothing between.
bool writes_pitched(const Graph& graph, const Op& op);

}  // namespace ripc
