// What a sweep found, as text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sweep/layer_table.h"
#include "sweep/sweep.h"

namespace ripc {

/// One closed form over many layers. Unsafe: it asks for less than is needed; loose: for more. Sizes in bytes.
struct Tally {
  std::string name;
  std::int64_t unsafe = 0, tight = 0, loose = 0;
  std::int64_t total_over = 0;  ///< of the loose ones
  std::int64_t worst_over = 0, worst_under = 0;
  std::optional<std::size_t> least_unsafe{};  ///< index of the unsafe layer with the smallest tensors

  std::int64_t layers() const { return unsafe + tight + loose; }
};

/// Workspaces that are smaller than others: a direction against row forward, or either against the herringbone.
struct Duel {
  std::int64_t smaller = 0, equal = 0, larger = 0;
  std::int64_t within_5_percent = 0;  ///< of those at most 5 % larger, the smaller and equal ones among them
  double total_saving = 0;            ///< sum of 1 - workspace / other, over the smaller ones
  double best_saving = 0;
  double worst_ratio = 0;
  std::size_t worst = 0;  ///< index of the layer with the worst ratio

  std::int64_t layers() const { return smaller + equal + larger; }
};

/// kConfigurations in order, then the herringbone: raw gaps, so that negative ones are held to account too.
std::vector<Tally> tally_forms(std::span<const SweptLayer> layers);

/// kPublishedForms in order, over the layers that each speaks of.
std::vector<Tally> tally_published(std::span<const SweptLayer> layers);

/// Reverse, column forward, column reverse, and the best of all four, each against row forward.
std::vector<Duel> direction_duels(std::span<const SweptLayer> layers, Layout layout, TapOrder order);

/// Row forward, and the best of four, with padding stored and direct taps, against the herringbone.
std::vector<Duel> herringbone_duels(std::span<const SweptLayer> layers);

/// Everything above, for people, with ready commands for unsafe layers.
std::string summary_text(std::span<const SweptLayer> layers, std::uint64_t seed);

/// True if every form of this project was tight on every layer and no simulator contradicted the other.
bool all_tight(std::span<const SweptLayer> layers);

/// The layers with their generators as categories, for layer_table().
std::vector<LayerRow> rows_of(std::span<const SweptLayer> layers);

}  // namespace ripc
