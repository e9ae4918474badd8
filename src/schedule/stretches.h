// A local search over orders: a stretch around the worst step is put into its own best order, again and again.
#pragma once

#include <vector>

#include "schedule/pieces.h"
#include "schedule/search.h"

namespace ripc::order {

/// An order of `piece` with a peak no higher than that of `ops`: stretches of up to `width` operators are reordered
/// until the worst step cannot be lowered so, the peak is at most `floor`, or the work is spent.
std::vector<int> improve_stretches(const Piece& piece, std::vector<int> ops, int width, std::int64_t floor,
                                   Budget& budget);

}  // namespace ripc::order
