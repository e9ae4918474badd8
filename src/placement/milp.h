// The mixed-integer program of the publication, over pairs alive together, solved by Cbc.
#pragma once

#include <vector>

#include "placement/placers.h"
#include "placement/problem.h"

namespace ripc {

/// A buffer that is moved, before the step at which it dies, from its own place to that of `copy`.
struct Shift {
  BufferId buffer = 0;
  BufferId copy = 0;
};

/// The problem in which shifts are possible: each buffer that may be overwritten at its last step ends one step
/// earlier, and a copy of it lives at that step in its stead. Where the two lie at one offset, nothing moves.
struct ShiftableProblem {
  Problem problem;  ///< the buffers and choices of the original in their order, then the copies
  std::vector<Shift> shifts;
};

ShiftableProblem with_shifts(const Problem& problem);

struct ShiftedPlacement {
  ShiftableProblem shiftable;
  Placement placement;  ///< of shiftable.problem
  std::vector<Shift> taken;
  bool proven = false;  ///< no placement has a smaller peak plus penalties
};

/// Least peak + options.shift_penalty * (number of shifts): the publication's program with offsets x, alternatives d,
/// shifts r.
ShiftedPlacement place_with_shifts(const Problem& problem, const PlacerOptions& options);

}  // namespace ripc
