// The gap of a herringbone traversal, in O(1).
#pragma once

#include <cstdint>

#include "ripc/layer.h"

namespace ripc {

/// Slots (scalars, not bytes) beyond those of the padded input that a herringbone needs in a pool whose slots may be
/// used in any order: legs of a row part and a column part, the longer output axis first. Exact if input pixel (y, x)
/// is held until every output (r, c) with r * stride <= y and c * stride <= x is made. Any window; groups, scalar sizes
/// and pitches play no part. 0 if the layer makes no output.
///
/// Source: Theorem 11 (Eq. 23-38) of the publication. Its text says that inputs are held until their last reader, which
/// its numbers are not; its Eq. 37 must use the collected Eq. 35, and a single leg has neither of its part-to-part
/// candidates. Here the four ends of a leg's two straight parts are four quadratics in the leg, each maximised on the
/// integers.
std::int64_t herringbone_gap(const Layer& layer);

}  // namespace ripc
