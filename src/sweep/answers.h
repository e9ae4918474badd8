// What can be asked of one layer, answered by formula or by simulation. The two share nothing but the layer.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "ripc/layer.h"
#include "sweep/configuration.h"

namespace ripc {

enum class Source : std::uint8_t { formula, simulation };

/// Extents in pixels, tensors in bytes.
struct LayerSizes {
  std::int64_t out_height = 0;
  std::int64_t out_width = 0;
  std::int64_t padded_in = 0;  ///< with the padding stored
  std::int64_t dense_in = 0;
  std::int64_t out = 0;

  bool operator==(const LayerSizes&) const = default;
};

struct GapAnswer {
  std::optional<std::int64_t> raw;  ///< bytes; empty if any two places will do
  std::int64_t gap = 0;             ///< bytes, clamped at 0 and at out - in bytes

  bool operator==(const GapAnswer&) const = default;
};

/// Throws ripc::Error (usage) if a simulator would visit more than 2^28 pixels of a tensor.
void require_simulable(const Layer& layer);

LayerSizes sizes_of(const Layer& layer, Source source);

/// The layer must make an output. By simulation: the last reads of every stored pixel (simulate/simulate.h).
GapAnswer gap_of(const Layer& layer, const Configuration& configuration, Source source);

/// Slots beyond the padded input, frontier liveness (debt/herringbone.h).
std::int64_t herringbone_of(const Layer& layer, Source source);

/// All of kConfigurations, in order, and the herringbone.
struct LayerAnswers {
  std::array<GapAnswer, kConfigurationCount> gaps;
  std::int64_t herringbone = 0;

  const GapAnswer& of(const Configuration& configuration) const { return gaps.at(index_of(configuration)); }
  bool operator==(const LayerAnswers&) const = default;
};

LayerAnswers answers_of(const Layer& layer, Source source);

/// Steps through memory at the raw gap, which must be exact, and at one byte less, which must not be; where there is no
/// raw gap, at 0. True if both came out so.
bool literal_run_confirms(const Layer& layer, const Configuration& configuration, std::optional<std::int64_t> raw);

}  // namespace ripc
