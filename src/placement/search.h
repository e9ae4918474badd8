// What the two searches of the exact placer have in common: the question they answer and the work they may spend.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
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
  using Clock = std::chrono::steady_clock;

  std::int64_t left = 0;
  std::int64_t spent = 0;
  std::int64_t touched = 0;
  std::optional<Clock::time_point> deadline{};

  Budget(std::int64_t nodes, std::optional<Clock::time_point> until) : left(nodes), deadline(until) {}
  explicit Budget(const PlacerOptions& options) : left(options.node_limit) {
    // A longer wait than this has no end.
    constexpr double kLongest = 1e8;
    if (!options.time_limit || *options.time_limit >= kLongest) return;
    deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(std::max(0.0, *options.time_limit)));
  }

  bool take() {
    constexpr std::int64_t kTouchesPerNode = 1024;
    if (deadline && Clock::now() >= *deadline) left = 0;
    const std::int64_t nodes = std::min(left, 1 + touched / kTouchesPerNode);
    touched %= kTouchesPerNode;
    left -= nodes;
    spent += nodes;
    return nodes > 0;
  }

  /// A part of it for one search; `settle` takes what that search spent.
  Budget part(std::int64_t nodes) const { return {std::min(nodes, left), deadline}; }
  void settle(const Budget& part) {
    left -= part.spent;
    spent += part.spent;
    if (deadline && Clock::now() >= *deadline) left = 0;
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
