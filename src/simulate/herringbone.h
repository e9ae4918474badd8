// Herringbone traversal of a layer in a pool of slots: scalars have no addresses, so a gap counts slots, not bytes.
#pragma once

#include <cstdint>

#include "ripc/layer.h"

namespace ripc {

/// When an input pixel (padding is stored) gives its slots back.
enum class Liveness : std::uint8_t {
  frontier,  ///< once every output (r, c) with r * stride <= y and c * stride <= x is made: the publication's numbers
  unread_first,  ///< after its last reader; pixels that nobody reads before the run starts
  unread_held,   ///< after its last reader; pixels that nobody reads never
};

/// Slots beyond those of the padded input that the pool needs. Legs run along the longer axis of the output first (rows
/// of a square one), and each is a row part then a column part, or the reverse. A pixel takes its output slots before
/// the inputs that it made stale come back. In scalars; groups, scalar sizes and pitches of the layer play no part.
std::int64_t simulated_herringbone_gap(const Layer& layer, Liveness liveness);

/// Runs in a pool of `gap` (not negative) extra slots, checking every tap when it is read. False if the pool runs out
/// or a tap is gone.
bool herringbone_run_is_exact(const Layer& layer, Liveness liveness, std::int64_t gap);

}  // namespace ripc
