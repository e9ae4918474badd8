// What a run reads from flash, and what of it a cache in front of the flash would miss: on chips that execute from an
// external flash, most of the time of a large network may go there.
//
// The model: an output pixel reads the weights, biases, multipliers and shifts of its operator once, front to back, and
// one element of a table for each of its scalars; kernels that make two pixels or a row at once read once for all of
// them. Taps in the padding are counted, instructions and parameters are not. The cache is fully associative, replaces
// what was used least recently, and starts empty. Then a pass over an operator's constants either finds all of them or
// none: all if they and what was read since the last pass fit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "graph/graph.h"
#include "plan/plan.h"

namespace ripc {

struct FlashTraffic {
  std::int64_t fetched = 0;              ///< bytes read in one run
  std::optional<std::int64_t> missed{};  ///< of them not in the cache; empty: no cache was asked for
};

/// Throws ripc::Error for a network without weights.
FlashTraffic flash_traffic(const Graph& graph, const Plan& plan, std::optional<std::int64_t> cache_bytes);

/// "1,234 bytes read in a run, 56 of them not in a cache of 16,384".
std::string flash_text(const FlashTraffic& traffic, std::optional<std::int64_t> cache_bytes);

}  // namespace ripc
