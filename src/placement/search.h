// What the two searches of the exact placer have in common: the question they answer and the work they may spend.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "placement/conflicts.h"
#include "placement/insert.h"
#include "placement/placers.h"

namespace ripc {

enum class Outcome : std::uint8_t {
  feasible,
  infeasible,  ///< proven
  limited      ///< the nodes ran out; says nothing
};

struct Verdict {
  Outcome outcome = Outcome::limited;
  std::int64_t least = 0;  ///< if infeasible: no smaller capacity than this is feasible either
};

/// Nodes left, counted down by every search of one call. A node that touches many bounds counts for several, so that
/// the limit stands for about the same time on every problem.
struct Budget {
  std::int64_t left = 0;
  std::int64_t spent = 0;
  std::int64_t touched = 0;

  bool take() {
    constexpr std::int64_t kTouchesPerNode = 1024;
    const std::int64_t nodes = std::min(left, 1 + touched / kTouchesPerNode);
    touched %= kTouchesPerNode;
    left -= nodes;
    spent += nodes;
    return nodes > 0;
  }

  /// A part of it for one search; `settle` takes what that search spent.
  Budget part(std::int64_t nodes) const { return {std::min(nodes, left), 0, 0}; }
  void settle(const Budget& part) {
    left -= part.spent;
    spent += part.spent;
  }
};

/// Can `buffers` (no others) be placed within `capacity`? Works for every problem: decides, pair by pair, who lies
/// below whom, and keeps for each buffer the least and the greatest offset that the decisions leave. If feasible,
/// writes the offsets and alternatives into `partial`.
Verdict search_orders(const Conflicts& conflicts, std::span<const BufferId> buffers, std::int64_t capacity,
                      const PlacerOptions& options, Budget& budget, Partial& partial);

/// The same for buffers of which no pair may overlap; much faster on dense packings.
Verdict search_packing(const Conflicts& conflicts, std::span<const BufferId> buffers, std::int64_t capacity,
                       const PlacerOptions& options, Budget& budget, Partial& partial);

}  // namespace ripc
