#include "report/axis.h"

#include <algorithm>
#include <cmath>

namespace ripc {
namespace {

constexpr double kDecade = 10, kMargin = 0.08;
constexpr std::int64_t kMostSteps = 6;
constexpr std::size_t kMostTicks = 8;

/// The next round number after `value`, which is one itself.
std::int64_t next_round(std::int64_t value, RoundNumbers round) {
  if (round == RoundNumbers::binary) return 2 * value;
  std::int64_t digit = value;
  while (digit % 10 == 0) digit /= 10;
  return digit == 2 ? value / 2 * 5 : 2 * value;
}

std::vector<std::int64_t> linear_ticks(double high, RoundNumbers round) {
  std::int64_t step = 1;
  while (static_cast<double>(kMostSteps * step) < high) step = next_round(step, round);
  std::vector<std::int64_t> ticks;
  for (std::int64_t tick = 0; static_cast<double>(tick) <= high; tick += step) ticks.push_back(tick);
  return ticks;
}

/// All round numbers, or every second, fourth ..., or the powers of ten.
std::vector<std::int64_t> logarithmic_ticks(double low, double high, RoundNumbers round) {
  const std::size_t fewer = round == RoundNumbers::binary ? 2 : 3;
  for (std::size_t every = 1;; every *= fewer) {
    std::vector<std::int64_t> ticks;
    std::int64_t value = 1;
    for (std::size_t i = 0; static_cast<double>(value) <= high; ++i, value = next_round(value, round)) {
      if (i % every == 0 && static_cast<double>(value) >= low) ticks.push_back(value);
    }
    if (ticks.size() <= kMostTicks) return ticks;
  }
}

}  // namespace

double Axis::place(std::int64_t value) const {
  const auto real = static_cast<double>(value);
  return logarithmic ? std::log(real / low) / std::log(high / low) : (real - low) / (high - low);
}

Axis axis_of(const std::vector<std::int64_t>& values, RoundNumbers round) {
  if (values.empty()) return {.ticks = {0, 1}};
  const auto least = static_cast<double>(std::ranges::min(values));
  const auto most = static_cast<double>(std::ranges::max(values));
  if (least > 0 && most >= kDecade * least) {
    const double margin = std::pow(most / least, kMargin);
    const double low = least / margin, high = most * margin;
    return {.logarithmic = true, .low = low, .high = high, .ticks = logarithmic_ticks(low, high, round)};
  }
  const double high = std::max(1.0, most * (1 + kMargin));
  return {.high = high, .ticks = linear_ticks(high, round)};
}

}  // namespace ripc
