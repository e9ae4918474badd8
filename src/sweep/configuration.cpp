#include "sweep/configuration.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace ripc {
namespace {

std::size_t position(TapOrder order) {
  return static_cast<std::size_t>(std::distance(kTapOrders.begin(), std::ranges::find(kTapOrders, order)));
}

template <std::size_t N>
const char* pick(const std::array<const char*, N>& names, std::size_t index) {
  return index < N ? names[index] : "held";
}

}  // namespace

std::size_t index_of(const Configuration& configuration) {
  return static_cast<std::size_t>(
      std::distance(kConfigurations.begin(), std::ranges::find(kConfigurations, configuration)));
}

const char* name_of(Direction direction) {
  constexpr std::array kNames{"row forward", "row reverse", "column forward", "column reverse"};
  return pick(kNames, static_cast<std::size_t>(direction));
}

const char* name_of(Layout layout) { return layout == Layout::padded ? "padded" : "dense"; }

const char* name_of(TapOrder order) {
  constexpr std::array kNames{"gathered", "direct", "direct, own tap", "row-direct"};
  return pick(kNames, position(order));
}

std::string column_of(const Configuration& configuration) {
  constexpr std::array kDirectionColumns{"rf", "rr", "cf", "cr"};
  constexpr std::array kOrderColumns{"g", "wsA", "wsB", "row"};
  return fmt::format("{}_{}_{}", pick(kDirectionColumns, static_cast<std::size_t>(configuration.direction)),
                     configuration.layout == Layout::padded ? "pad" : "den",
                     pick(kOrderColumns, position(configuration.order)));
}

}  // namespace ripc
