// Every way of running a layer in place that has a closed form: four directions, two layouts, four tap orders.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "ripc/gap.h"

namespace ripc {

inline constexpr std::array kDirections{Direction::row_forward, Direction::row_reverse, Direction::column_forward,
                                        Direction::column_reverse};
inline constexpr std::array kLayouts{Layout::padded, Layout::dense};
inline constexpr std::array kTapOrders{kGathered, kDirect, kDirectOnOwnTap, kRowDirect};

struct Configuration {
  Direction direction = Direction::row_forward;
  Layout layout = Layout::dense;
  TapOrder order = kGathered;

  bool operator==(const Configuration&) const = default;
};

inline constexpr std::size_t kConfigurationCount = kDirections.size() * kLayouts.size() * kTapOrders.size();

/// All of them, by direction, then layout, then order.
inline constexpr std::array<Configuration, kConfigurationCount> kConfigurations = [] {
  std::array<Configuration, kConfigurationCount> all{};
  std::size_t next = 0;
  for (const Direction direction : kDirections) {
    for (const Layout layout : kLayouts) {
      for (const TapOrder order : kTapOrders) all.at(next++) = {direction, layout, order};
    }
  }
  return all;
}();

/// Where a configuration stands in kConfigurations; kConfigurationCount if its order is none of the four.
std::size_t index_of(const Configuration& configuration);

/// For people: "row forward", "padded", "gathered".
const char* name_of(Direction direction);
const char* name_of(Layout layout);
const char* name_of(TapOrder order);

/// For columns of tables: "rf_den_g". Directions rf, rr, cf, cr; layouts pad, den; orders g, wsA (direct), wsB (direct
/// on own tap), row.
std::string column_of(const Configuration& configuration);

}  // namespace ripc
