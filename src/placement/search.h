// What the two searches of the exact placer have in common: the question they answer and the work they may spend.
#pragma once

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

/// Nodes left, counted down by every search of one call.
struct Budget {
  std::int64_t left = 0;
  std::int64_t spent = 0;

  bool take() {
    if (left <= 0) return false;
    --left;
    ++spent;
    return true;
  }
};

/// Can `buffers` (no others) be placed within `capacity`? Works for every problem: decides, pair by pair, who lies below whom,
/// and keeps for each buffer the least and the greatest offset that the decisions leave. If feasible, writes the offsets and
/// alternatives into `partial`.
Verdict search_orders(const Conflicts& conflicts, std::span<const BufferId> buffers, std::int64_t capacity,
                      const PlacerOptions& options, Budget& budget, Partial& partial);

/// The same for buffers of which no pair may overlap; much faster on dense packings.
Verdict search_packing(const Conflicts& conflicts, std::span<const BufferId> buffers, std::int64_t capacity,
                       const PlacerOptions& options, Budget& budget, Partial& partial);

}  // namespace ripc
