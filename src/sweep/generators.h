// The twenty kinds of layers of the publication's sweep (its Table 5), with its shares. The ranges are this project's:
// channels to 64 (projection 192, expansion 282), extents to about 128 pixels.
#pragma once

#include <array>
#include <cstdint>

#include "ripc/layer.h"
#include "sweep/random.h"

namespace ripc {

struct Generator {
  int tier;            ///< 1: layers of real networks, 2: boundary cases, 3: what the square theory leaves out
  const char* name;    ///< as in Table 5
  int share;           ///< percent
  const char* column;  ///< one word, for tables
  Layer (*make)(Random&);
};

extern const std::array<Generator, 20> kGenerators;

/// The generator of layer `index` of a sweep: over every hundred layers, each has its share.
const Generator& generator_of(std::int64_t index);

/// Layer `index` of the sweep with that seed: checked, with at least one output, scalars of one byte. A function of its
/// arguments alone.
Layer generated_layer(std::uint64_t seed, std::int64_t index);

}  // namespace ripc
