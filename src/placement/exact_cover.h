// How large a placement problem is as an exact cover.
#pragma once

#include <cstdint>

#include "placement/problem.h"

namespace ripc {

/// The matrix of zeros and ones of Algorithm X, on a canvas as high as the lower bound.
struct ExactCoverSize {
  std::int64_t cells = 0;    ///< of the canvas: memory in cells times steps at which something is born
  std::int64_t options = 0;  ///< rows of the matrix: starts of a buffer
  std::int64_t ones = 0;     ///< nodes of the dancing links, heads of the cells included
};

/// For cells of so many bytes; each number at most 2^63 - 1. Expects a checked problem. Throws ripc::Error for a cell
/// that is not positive.
ExactCoverSize exact_cover_size(const Problem& problem, std::int64_t cell);

}  // namespace ripc
