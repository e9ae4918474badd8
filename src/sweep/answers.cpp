#include "sweep/answers.h"

#include <algorithm>

#include "debt/herringbone.h"
#include "ripc/error.h"
#include "simulate/herringbone.h"
#include "simulate/simulate.h"
#include "sweep/layer_text.h"

namespace ripc {

void require_simulable(const Layer& layer) {
  constexpr std::int64_t kMostPixels = std::int64_t{1} << 28;
  const Layer stored = padding_stored(layer);
  // check_layer has seen to it that neither product overflows.
  if (std::max(stored.in_height * stored.in_width, out_height(layer) * out_width(layer)) > kMostPixels) {
    throw Error({.fault = Fault::usage,
                 .problem = "too large to be simulated or drawn",
                 .expected = "at most 2^28 pixels in a tensor",
                 .found = describe(layer)});
  }
}

LayerSizes sizes_of(const Layer& layer, Source source) {
  if (source == Source::formula) {
    return {out_height(layer), out_width(layer), padded_in_bytes(layer), in_bytes(layer), out_bytes(layer)};
  }
  const TapTable padded = tap_table(layer, Layout::padded);
  const TapTable dense = tap_table(layer, Layout::dense);
  return {dense.out_height(), dense.out_width(), padded.in_bytes(), dense.in_bytes(), dense.out_bytes()};
}

GapAnswer gap_of(const Layer& layer, const Configuration& configuration, Source source) {
  const auto& [direction, layout, order] = configuration;
  if (source == Source::formula) {
    return {raw_gap(layer, direction, order, layout), workspace(layer, direction, order, layout).gap};
  }
  const TapTable table = tap_table(layer, layout);
  const std::optional<std::int64_t> raw = direct_raw_gap(table, direction, order);
  return {raw, std::max({std::int64_t{0}, table.out_bytes() - table.in_bytes(), raw.value_or(0)})};
}

std::int64_t herringbone_of(const Layer& layer, Source source) {
  return source == Source::formula ? herringbone_gap(layer) : simulated_herringbone_gap(layer, Liveness::frontier);
}

LayerAnswers answers_of(const Layer& layer, Source source) {
  LayerAnswers answers;
  for (std::size_t i = 0; i < kConfigurationCount; ++i) answers.gaps[i] = gap_of(layer, kConfigurations[i], source);
  answers.herringbone = herringbone_of(layer, source);
  return answers;
}

bool literal_run_confirms(const Layer& layer, const Configuration& configuration, std::optional<std::int64_t> raw) {
  const auto& [direction, layout, order] = configuration;
  const TapTable table = tap_table(layer, layout);
  if (!raw) return literal_run_is_exact(table, direction, order, 0);
  return literal_run_is_exact(table, direction, order, *raw) &&
         !literal_run_is_exact(table, direction, order, *raw - 1);
}

}  // namespace ripc
