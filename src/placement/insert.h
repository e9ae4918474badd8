// A placement under construction, and where one more buffer fits in it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "placement/conflicts.h"
#include "placement/problem.h"

namespace ripc {

inline constexpr std::int64_t kUnplaced = -1;

struct Partial {
  explicit Partial(const Problem& problem)
      : offsets(problem.buffers.size(), kUnplaced), chosen(problem.choices.size(), kUndecided) {}

  std::vector<std::int64_t> offsets;  ///< or kUnplaced
  std::vector<int> chosen;            ///< alternative of each choice, or kUndecided
};

enum class Fit : std::uint8_t {
  lowest,   ///< the lowest free offset
  tightest  ///< the smallest gap between placed buffers that holds it; the lowest of equal ones
};

/// Places `id` among the placed buffers and takes the alternatives that this needs. A choice is taken only where it
/// helps; of equally good alternatives the first. Returns false, with nothing changed, if a fixed offset is not free.
bool insert(const Conflicts& conflicts, BufferId id, Fit fit, Partial& partial);

/// Places all buffers: those with a fixed offset first, then the others in the given order. Alternatives that `preset`
/// has, one a choice, are taken beforehand; it may be empty. Empty if a fixed offset is not free.
std::optional<Partial> insert_all(const Conflicts& conflicts, std::span<const BufferId> order, Fit fit,
                                  std::span<const int> preset = {});

/// All buffers placed: adds the peak, and gives choices that are still open their first alternative.
Placement finish(const Problem& problem, const Partial& partial);

/// What a greedy placer answers: the placement in that order, or none, with the plain lower bound.
Placement place_in_order(const Problem& problem, std::span<const BufferId> order, Fit fit);

}  // namespace ripc
