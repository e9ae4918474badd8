// What no plan that computes nothing twice can do without, whichever operators run together.
#pragma once

#include <cstdint>

#include "graph/graph.h"

namespace ripc {

/// Bytes that some moment of every run needs in which operators make their rows in order, each once, all of them from
/// the top or all from the bottom, in any interleaving and any layout; with `streamed`, if rows of the input arrive as
/// they are asked for. Kernels that work plane by plane are beside the point. Looks only at one chain of operators from
/// the input on, up to the first that does not work by rows, and only at moments between rows: what waits beside the
/// chain is left out, so the bound is weak where there is much of it.
///
/// Method: when p rows of a tensor of the chain exist, those before it hold at least f(p) bytes and it and those after
/// it at least g(p), each the least over what the neighbour may have made by then; some p of some tensor is the moment.
std::int64_t chain_bound(const Graph& graph, bool streamed);

}  // namespace ripc
