// MiniMalloc's CSV format: one buffer a line, columns named by the first line in any order.
#pragma once

#include <string>

#include "placement/problem.h"

namespace ripc {

/// Columns `id`, `lower`, `upper` (one past the last step), `size`, and if present `alignment` (empty: 1) and `offset`
/// (fixed; negative or empty: free). `begin` and `start` are read as `lower`, `end` as the last step itself, `buffer`
/// as `id`; `hint` is ignored. Throws ripc::Error with the line and the column of the fault, also for lives with gaps,
/// which Problem does not have.
Problem read_csv(const std::string& text);

/// The buffers, with their fixed offsets, or with those of the placement if it has any. Choices are not part of the
/// format.
std::string write_csv(const Problem& problem, const Placement* placement = nullptr);

}  // namespace ripc
