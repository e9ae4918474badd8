// The sweep: tight everywhere, the same whoever computes it, and honest about the published forms.
#include "sweep/sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>

#include "sweep/layer_text.h"
#include "sweep/parallel.h"
#include "sweep/published_forms.h"
#include "sweep/summary.h"

namespace ripc::test {
namespace {

const std::vector<SweptLayer>& three_hundred() {
  static const std::vector<SweptLayer> layers =
      sweep({.layers = 300, .seed = 11, .threads = 2, .literal_limit = 50'000});
  return layers;
}

TEST(Sweep, EveryConfigurationIsTight) {
  const std::vector<Tally> tallies = tally_forms(three_hundred());
  ASSERT_EQ(tallies.size(), kConfigurationCount + 1);
  for (const Tally& tally : tallies) {
    SCOPED_TRACE(tally.name);
    EXPECT_EQ(tally.tight, 300);
    EXPECT_EQ(tally.unsafe, 0);
    EXPECT_EQ(tally.loose, 0);
  }
  EXPECT_TRUE(all_tight(three_hundred()));
}

TEST(Sweep, LiteralSteppingConfirmsTheSimulation) {
  std::int64_t stepped = 0;
  for (const SweptLayer& swept : three_hundred()) {
    EXPECT_EQ(swept.literal_mismatches, 0);
    stepped += swept.stepped_direct ? 1 : 0;
  }
  EXPECT_GT(stepped, 100);
}

TEST(Sweep, LiteralSteppingNoticesAWrongGap) {
  const Layer layer = parse_layer("6x6x2 --conv 3x3x5 --pad 1");
  for (const Configuration& configuration : kConfigurations) {
    const std::int64_t raw = gap_of(layer, configuration, Source::simulation).raw.value();
    EXPECT_TRUE(literal_run_confirms(layer, configuration, raw));
    EXPECT_FALSE(literal_run_confirms(layer, configuration, raw - 1));
    EXPECT_FALSE(literal_run_confirms(layer, configuration, raw + 1));
  }
}

TEST(Sweep, DoesNotDependOnTheNumberOfThreads) {
  const SweepOptions one{.layers = 120, .seed = 3, .threads = 1, .literal_limit = 10'000};
  SweepOptions three = one;
  three.threads = 3;
  EXPECT_EQ(sweep(one), sweep(three));
  EXPECT_EQ(summary_text(sweep(one), one.seed), summary_text(sweep(three), three.seed));
}

TEST(Sweep, ReportsProgressUpToTheEndOfItsOwnWork) {
  std::vector<std::int64_t> seen;
  sweep({.layers = 20, .seed = 3, .threads = 1, .literal_limit = 0}, [&](std::int64_t done) { seen.push_back(done); });
  ASSERT_EQ(seen.size(), 20U);
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  EXPECT_EQ(seen.back(), 20);
}

TEST(Sweep, ParallelWorkIsDoneOnceAndFaultsComeOut) {
  std::vector<std::atomic<int>> times(1000);
  parallel_for(1000, 4, [&](std::int64_t i) { ++times[static_cast<std::size_t>(i)]; });
  EXPECT_TRUE(std::ranges::all_of(times, [](const std::atomic<int>& count) { return count == 1; }));
  EXPECT_THROW(parallel_for(100, 4,
                            [](std::int64_t i) {
                              if (i == 57) throw std::runtime_error("57");
                            }),
               std::runtime_error);
}

const Tally& published(const std::vector<Tally>& tallies, const std::string& name) {
  return *std::ranges::find(tallies, name, &Tally::name);
}

TEST(Sweep, PublishedFormsFailWhereTheyAreKnownTo) {
  const std::vector<Tally> tallies = tally_published(three_hundred());
  ASSERT_EQ(tallies.size(), kPublishedForms.size());
  const Tally& first = published(tallies, "Eq. 1, herringbone");
  EXPECT_GT(first.unsafe, 0);
  EXPECT_GT(first.loose, 0);
  EXPECT_GT(first.worst_under, 0);
  ASSERT_TRUE(first.least_unsafe);
  const Tally& printed = published(tallies, "Theorem 13 printed, direct");
  EXPECT_GT(printed.loose, 0);
  EXPECT_GT(printed.worst_over, 0);
  for (const char* name : {"Corollary 1, herringbone", "Theorem 11, herringbone", "Theorem 4, gathered",
                           "Theorem 4, direct", "Theorem 13 repaired, gathered", "Theorem 13 repaired, direct"}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(published(tallies, name).tight, published(tallies, name).layers());
    EXPECT_GT(published(tallies, name).layers(), 0);
  }
}

TEST(Sweep, UnsafePublishedFormsAreReadyCommands) {
  const std::string text = summary_text(three_hundred(), 11);
  const std::vector<Tally> tallies = tally_published(three_hundred());
  const std::size_t least = published(tallies, "Eq. 1, herringbone").least_unsafe.value();
  const Layer& layer = three_hundred()[least].layer;
  EXPECT_NE(text.find(layer_command(layer) + " --published"), std::string::npos);
  EXPECT_LT(kPublishedForms[0].gap(layer).value(), three_hundred()[least].simulation.herringbone);
}

TEST(Sweep, AWrongFormulaIsCountedAndPrinted) {
  std::vector<SweptLayer> layers(three_hundred().begin(), three_hundred().begin() + 10);
  const std::size_t position = index_of({Direction::row_reverse, Layout::dense, kDirect});
  const auto at = [&](std::size_t i) -> std::optional<std::int64_t>& { return layers[i].formula.gaps[position].raw; };
  at(2) = at(2).value() - 4;
  at(5) = at(5).value() + 6;
  at(6) = at(6).value() + 2;
  const Tally tally = tally_forms(layers)[position];
  EXPECT_EQ(tally.unsafe, 1);
  EXPECT_EQ(tally.loose, 2);
  EXPECT_EQ(tally.tight, 7);
  EXPECT_EQ(tally.worst_under, 4);
  EXPECT_EQ(tally.worst_over, 6);
  EXPECT_EQ(tally.total_over, 8);
  EXPECT_EQ(tally.least_unsafe, 2U);
  EXPECT_FALSE(all_tight(layers));
  EXPECT_NE(summary_text(layers, 11).find("NOT TIGHT: " + layer_command(layers[2].layer) + " --check"),
            std::string::npos);
}

TEST(Sweep, DuelsAddUp) {
  for (const Layout layout : kLayouts) {
    for (const TapOrder order : kTapOrders) {
      const std::vector<Duel> duels = direction_duels(three_hundred(), layout, order);
      ASSERT_EQ(duels.size(), kDirections.size());
      for (const Duel& duel : duels) {
        EXPECT_EQ(duel.layers(), 300);
        EXPECT_GE(duel.within_5_percent, duel.smaller + duel.equal);
        EXPECT_LE(duel.smaller, duels.back().smaller);
        EXPECT_LE(duel.best_saving, duels.back().best_saving);
      }
      EXPECT_EQ(duels.back().larger, 0) << "the best of four includes row forward";
      EXPECT_GT(duels.back().smaller, 0);
    }
  }
  const std::vector<Duel> herringbone = herringbone_duels(three_hundred());
  EXPECT_EQ(herringbone[0].layers(), 300);
  EXPECT_GE(herringbone[1].smaller, herringbone[0].smaller);
  EXPECT_GT(herringbone[0].larger, 0);
}

}  // namespace
}  // namespace ripc::test
