// Greedy placements for the exact placer to start from, and their improvement by small changes of order.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "placement/conflicts.h"
#include "placement/insert.h"

namespace ripc {

struct Greedy {
  std::vector<BufferId> order;
  Fit fit = Fit::lowest;
  Placement placement;
};

/// The best of several orders, each with both fits; stops at the first with a peak of `enough` or less. With `several`
/// false, first fit by birth only. Empty if no order frees the fixed offsets.
std::optional<Greedy> greedy_portfolio(const Conflicts& conflicts, std::int64_t enough, bool several);

/// Lowers the peak of greedy.placement, if it can: moves buffers that set it to earlier places in the order, and takes
/// alternatives beforehand. `enough` is at least the lower bound. Work is limited by the number of pairs.
/// Deterministic.
void improve(const Conflicts& conflicts, std::int64_t enough, Greedy& greedy);

}  // namespace ripc
