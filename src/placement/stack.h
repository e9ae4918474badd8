// Buffers that are all alive at once, stacked in the best order that a local search finds.
#pragma once

#include <cstdint>

#include "placement/problem.h"

namespace ripc {

/// Places buffers of which every two are alive together, none of them fixed, with the first alternative of each choice.
/// In every order from the bottom up each buffer lies as low as those below it let it; of the orders that `moves` steps
/// of a search see, which moves and exchanges buffers at random from several starts, the one of least peak counts.
/// Deterministic. Proves nothing.
Placement stack(const Problem& problem, std::int64_t moves);

}  // namespace ripc
