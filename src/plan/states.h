// Where each state lies in what survives from run to run.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace ripc {

/// All states side by side.
struct StateLayout {
  std::vector<std::int64_t> offsets;  ///< by StateId
  std::int64_t bytes = 0;
  std::int64_t alignment = 1;
};

/// The states with the widest scalars first, so that no byte is lost between them.
StateLayout layout_states(const Graph& graph);

}  // namespace ripc
