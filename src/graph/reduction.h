// The axes of an operator that reduces some of them, with neighbours run together.
#pragma once

#include <cstdint>
#include <optional>

#include "graph/graph.h"

namespace ripc {

/// The input as [outer][first][middle][second][inner]; the operator reduces `first` and `second`, and its output is
/// [outer][middle][inner].
struct Reduction {
  std::int64_t outer = 1, first = 1, middle = 1, second = 1, inner = 1;

  bool operator==(const Reduction&) const = default;
};

/// Of Reduce and ArgExtreme; nothing for other operators, for axes that the input does not have, and for reduced axes
/// that others part into more than two.
std::optional<Reduction> reduction_of(const Graph& graph, const Op& op);

}  // namespace ripc
