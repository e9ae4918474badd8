#include <fmt/format.h>

#include <algorithm>

#include "sweep/published_forms.h"
#include "sweep/summary.h"

namespace ripc {
namespace {

std::int64_t bytes_of(const Layer& layer) { return padded_in_bytes(layer) + out_bytes(layer); }

/// Counts one answer; an empty gap is less than every other.
void count(Tally& tally, std::optional<std::int64_t> says, std::optional<std::int64_t> truth,
           std::span<const SweptLayer> layers, std::size_t index) {
  if (says == truth) {
    ++tally.tight;
    return;
  }
  const std::int64_t difference = says.value_or(0) - truth.value_or(0);
  if (says > truth) {
    ++tally.loose;
    tally.total_over += difference;
    tally.worst_over = std::max(tally.worst_over, difference);
    return;
  }
  ++tally.unsafe;
  tally.worst_under = std::max(tally.worst_under, -difference);
  if (!tally.least_unsafe || bytes_of(layers[index].layer) < bytes_of(layers[*tally.least_unsafe].layer)) {
    tally.least_unsafe = index;
  }
}

/// Bytes of a workspace with the true gap.
std::int64_t workspace_bytes(const SweptLayer& swept, const Configuration& configuration) {
  const Layer& layer = swept.layer;
  const std::int64_t in = configuration.layout == Layout::padded ? padded_in_bytes(layer) : in_bytes(layer);
  return in + swept.simulation.of(configuration).gap;
}

std::int64_t least_of_four(const SweptLayer& swept, Layout layout, TapOrder order) {
  std::int64_t least = workspace_bytes(swept, {kDirections.front(), layout, order});
  for (const Direction direction : kDirections) {
    least = std::min(least, workspace_bytes(swept, {direction, layout, order}));
  }
  return least;
}

void count(Duel& duel, std::int64_t bytes, std::int64_t other, std::size_t index) {
  const double ratio = static_cast<double>(bytes) / static_cast<double>(other);
  if (bytes < other) {
    ++duel.smaller;
    duel.total_saving += 1 - ratio;
    duel.best_saving = std::max(duel.best_saving, 1 - ratio);
  } else {
    ++(bytes == other ? duel.equal : duel.larger);
  }
  if (bytes * 20 <= other * 21) ++duel.within_5_percent;
  if (ratio > duel.worst_ratio) {
    duel.worst_ratio = ratio;
    duel.worst = index;
  }
}

}  // namespace

std::vector<Tally> tally_forms(std::span<const SweptLayer> layers) {
  std::vector<Tally> tallies;
  for (const auto& [direction, layout, order] : kConfigurations) {
    Tally& tally = tallies.emplace_back();
    tally.name = fmt::format("{:<15} {:<7} {}", name_of(direction), name_of(layout), name_of(order));
    const std::size_t position = tallies.size() - 1;
    for (std::size_t i = 0; i < layers.size(); ++i) {
      count(tally, layers[i].formula.gaps[position].raw, layers[i].simulation.gaps[position].raw, layers, i);
    }
  }
  Tally& herringbone = tallies.emplace_back();
  herringbone.name = fmt::format("{:<15} padded", "herringbone");
  for (std::size_t i = 0; i < layers.size(); ++i) {
    count(herringbone, layers[i].formula.herringbone, layers[i].simulation.herringbone, layers, i);
  }
  return tallies;
}

std::vector<Tally> tally_published(std::span<const SweptLayer> layers) {
  std::vector<Tally> tallies;
  for (const PublishedForm& form : kPublishedForms) {
    Tally& tally = tallies.emplace_back();
    tally.name = form.name;
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const std::optional<std::int64_t> says = form.gap(layers[i].layer);
      if (says) count(tally, says, truth_of(form, layers[i].simulation), layers, i);
    }
  }
  return tallies;
}

std::vector<Duel> direction_duels(std::span<const SweptLayer> layers, Layout layout, TapOrder order) {
  std::vector<Duel> duels(kDirections.size());
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::int64_t forward = workspace_bytes(layers[i], {Direction::row_forward, layout, order});
    for (std::size_t d = 1; d < kDirections.size(); ++d) {
      count(duels[d - 1], workspace_bytes(layers[i], {kDirections.at(d), layout, order}), forward, i);
    }
    count(duels.back(), least_of_four(layers[i], layout, order), forward, i);
  }
  return duels;
}

std::vector<Duel> herringbone_duels(std::span<const SweptLayer> layers) {
  std::vector<Duel> duels(2);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::int64_t herringbone = padded_in_bytes(layers[i].layer) + layers[i].simulation.herringbone;
    count(duels[0], workspace_bytes(layers[i], {Direction::row_forward, Layout::padded, kDirect}), herringbone, i);
    count(duels[1], least_of_four(layers[i], Layout::padded, kDirect), herringbone, i);
  }
  return duels;
}

}  // namespace ripc
