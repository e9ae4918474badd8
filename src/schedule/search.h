// Two searches over the orders of a piece: one that proves, one that is quick.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "schedule/pieces.h"

namespace ripc::order {

/// Work, counted.
struct Budget {
  std::int64_t limit = 0;  ///< of steps
  std::int64_t steps = 0;  ///< looked at
  std::int64_t states = 0;

  bool spent() const { return steps >= limit; }
};

struct Found {
  std::vector<int> ops;      ///< an order with a peak of at most `level`; empty if none was found
  std::int64_t level = 0;    ///< proven: no order has a peak below both this and what the search was told to start from
  bool out_of_work = false;  ///< otherwise, without an order: no order has a peak below `ceiling`
};

/// Looks through every set of operators that can be reached with peaks of at most `level`, and raises the level to the
/// next that a step needs when it finds no way to the end, as long as it stays below `ceiling`.
Found search_levels(const Piece& piece, std::int64_t level, std::int64_t ceiling, Budget& budget);

/// Keeps the `width` best sets of each number of operators. An order with a peak below `ceiling`, or nothing. Peaks of
/// at most `floor` are all as good.
std::optional<std::vector<int>> search_beam(const Piece& piece, int width, std::int64_t floor, std::int64_t ceiling,
                                            Budget& budget);

}  // namespace ripc::order
