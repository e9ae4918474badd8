// Who writes and who reads the bytes of a tensor.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace ripc {

/// The uses of one storage: a tensor together with its aliases.
struct Use {
  OpId writer = -1;           ///< -1: an input or a constant
  std::vector<OpId> readers;  ///< one entry a reading operand
  bool is_output = false;     ///< of the graph
};

/// By TensorId. Aliases have no entry of their own: look up storage_of.
std::vector<Use> uses_of(const Graph& graph);

}  // namespace ripc
