// Small random networks of everything that can run row by row.
#pragma once

#include <cstdint>

#include "graph/graph.h"

namespace ripc::test {

/// Shapes without weights: strides 1 to 3, dilation, windows that do not fit evenly, padding on one side only, residual
/// sums, gates by a channel vector, concatenation, upsampling, several heads.
Graph random_shapes(std::uint32_t seed);

/// A network with weights, of convolutions, depthwise layers, pooling and residual sums, that ends in a dense layer.
/// Its image has 7 to 12 columns, and `more_columns`.
Graph random_weighted(std::uint32_t seed, std::int64_t more_columns = 0);

}  // namespace ripc::test
