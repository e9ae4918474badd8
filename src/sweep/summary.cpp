#include "sweep/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sweep/generators.h"
#include "sweep/layer_text.h"

namespace ripc {
namespace {

double percent(std::int64_t part, std::int64_t all) {
  return all == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(all);
}

std::string tally_lines(std::string_view title, std::span<const Tally> tallies) {
  std::string text = fmt::format("{:<42} {:>7} {:>7} {:>7} {:>7} {:>10} {:>10} {:>11}\n", title, "layers", "unsafe",
                                 "tight", "loose", "mean over", "worst over", "worst under");
  for (const Tally& tally : tallies) {
    if (tally.layers() == 0) continue;
    const double mean = tally.loose == 0 ? 0 : static_cast<double>(tally.total_over) / static_cast<double>(tally.loose);
    text += fmt::format("{:<42} {:>7} {:>7} {:>7} {:>7} {:>10.1f} {:>10} {:>11}\n", tally.name, tally.layers(),
                        tally.unsafe, tally.tight, tally.loose, mean, tally.worst_over, tally.worst_under);
  }
  return text + "\n";
}

std::string direction_lines(std::span<const SweptLayer> layers) {
  std::string text = "How often a direction needs less than row forward, and how much less where it does (most)\n";
  text += fmt::format("{:<24} {:<22} {:<22} {:<22} {:<22} {}\n", "", "row reverse", "column forward", "column reverse",
                      "best of four", "mean of all");
  for (const Layout layout : kLayouts) {
    for (const TapOrder order : kTapOrders) {
      text += fmt::format("{:<7} {:<16}", name_of(layout), name_of(order));
      const std::vector<Duel> duels = direction_duels(layers, layout, order);
      for (const Duel& duel : duels) {
        const double mean = duel.smaller == 0 ? 0 : 100 * duel.total_saving / static_cast<double>(duel.smaller);
        text += fmt::format(" {:<22}", fmt::format("{:.1f} %: {:.1f} % ({:.1f} %)",
                                                   percent(duel.smaller, duel.layers()), mean, 100 * duel.best_saving));
      }
      text += fmt::format(" {:.2f} %\n", 100 * duels.back().total_saving /
                                             static_cast<double>(std::max<std::size_t>(1, layers.size())));
    }
  }
  return text + "\n";
}

std::string herringbone_lines(std::span<const SweptLayer> layers) {
  std::string text = "Against the herringbone (padded, direct)\n";
  constexpr std::array kNames{"row forward", "best of four"};
  const std::vector<Duel> duels = herringbone_duels(layers);
  for (std::size_t i = 0; i < duels.size(); ++i) {
    const Duel& duel = duels[i];
    text += fmt::format("{:<13} smaller {}, equal {}, larger {}, within 5 % {}; at worst {:.3f} times as much: {}\n",
                        kNames.at(i), duel.smaller, duel.equal, duel.larger, duel.within_5_percent, duel.worst_ratio,
                        layer_command(layers[duel.worst].layer));
  }
  return text + "\n";
}

std::string unsafe_lines(std::span<const SweptLayer> layers) {
  std::string text;
  for (const SweptLayer& swept : layers) {
    const bool contradicted = swept.literal_mismatches > 0;
    if (!contradicted && swept.formula == swept.simulation) continue;
    text +=
        fmt::format("{}: {} --check\n", contradicted ? "SIMULATORS DISAGREE" : "NOT TIGHT", layer_command(swept.layer));
  }
  for (const Tally& tally : tally_published(layers)) {
    if (!tally.least_unsafe) continue;
    text += fmt::format("{} is unsafe, least case: {} --published\n", tally.name,
                        layer_command(layers[*tally.least_unsafe].layer));
  }
  return text;
}

std::string generator_lines(std::size_t layers) {
  std::array<std::int64_t, kGenerators.size()> counts{};
  for (std::size_t i = 0; i < layers; ++i) {
    ++counts.at(static_cast<std::size_t>(&generator_of(static_cast<std::int64_t>(i)) - kGenerators.data()));
  }
  std::string text;
  for (std::size_t i = 0; i < kGenerators.size(); ++i) {
    text += fmt::format("  {:<43} tier {} {:>3} % {:>7}\n", kGenerators[i].name, kGenerators[i].tier,
                        kGenerators[i].share, counts.at(i));
  }
  return text + "\n";
}

}  // namespace

bool all_tight(std::span<const SweptLayer> layers) {
  return std::ranges::all_of(layers, [](const SweptLayer& swept) {
    return swept.formula == swept.simulation && swept.literal_mismatches == 0;
  });
}

std::vector<LayerRow> rows_of(std::span<const SweptLayer> layers) {
  std::vector<LayerRow> rows;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    rows.push_back({std::to_string(i), generator_of(static_cast<std::int64_t>(i)).column, layers[i].layer});
  }
  return rows;
}

std::string summary_text(std::span<const SweptLayer> layers, std::uint64_t seed) {
  const auto stepped = std::ranges::count_if(layers, &SweptLayer::stepped_direct);
  const auto contradicted =
      std::ranges::count_if(layers, [](const SweptLayer& swept) { return swept.literal_mismatches > 0; });
  std::string text = fmt::format(
      "{} layers, seed {}, each simulated by last reads in {} configurations and as a herringbone.\n"
      "Besides, at the gap and one byte below, memory was stepped through literally: on all of them for gathered and\n"
      "row-direct orders and the herringbone, on {} for the direct orders; contradictions: {}.\n\n",
      layers.size(), seed, kConfigurationCount, stepped, contradicted);
  text += generator_lines(layers.size());
  text += tally_lines("closed form", tally_forms(layers));
  text += tally_lines("as published", tally_published(layers));
  if (!layers.empty()) text += direction_lines(layers) + herringbone_lines(layers);
  return text + unsafe_lines(layers);
}

}  // namespace ripc
