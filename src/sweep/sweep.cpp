#include "sweep/sweep.h"

#include <algorithm>

#include "simulate/herringbone.h"
#include "sweep/generators.h"
#include "sweep/parallel.h"

namespace ripc {
namespace {

/// Tag checks of a literal run that reads every tap once an output channel.
std::int64_t direct_cost(const Layer& layer) {
  return out_height(layer) * out_width(layer) * layer.rows.kernel * layer.columns.kernel * layer.in_channels *
         layer.out_channels;
}

bool reads_once_a_channel(TapOrder order) { return order == kDirect || order == kDirectOnOwnTap; }

bool herringbone_confirms(const Layer& layer, std::int64_t gap) {
  return herringbone_run_is_exact(layer, Liveness::frontier, gap) &&
         !herringbone_run_is_exact(layer, Liveness::frontier, gap - 1);
}

SweptLayer swept(const Layer& layer, std::int64_t literal_limit) {
  SweptLayer result{.layer = layer,
                    .formula = answers_of(layer, Source::formula),
                    .simulation = answers_of(layer, Source::simulation)};
  result.stepped_direct = direct_cost(layer) <= literal_limit;
  for (std::size_t i = 0; i < kConfigurationCount; ++i) {
    if (reads_once_a_channel(kConfigurations[i].order) && !result.stepped_direct) continue;
    if (!literal_run_confirms(layer, kConfigurations[i], result.simulation.gaps[i].raw)) ++result.literal_mismatches;
  }
  if (!herringbone_confirms(layer, result.simulation.herringbone)) ++result.literal_mismatches;
  return result;
}

}  // namespace

std::vector<SweptLayer> sweep(const SweepOptions& options, const std::function<void(std::int64_t)>& progress) {
  std::vector<SweptLayer> layers(static_cast<std::size_t>(options.layers));
  parallel_for(
      options.layers, options.threads,
      [&](std::int64_t i) {
        layers[static_cast<std::size_t>(i)] = swept(generated_layer(options.seed, i), options.literal_limit);
      },
      progress);
  return layers;
}

}  // namespace ripc
