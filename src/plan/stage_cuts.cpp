#include "plan/stage_cuts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ripc {
namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Of stages with the same end that grow towards the beginning: whether the rows inside have been too much for some
/// time, and larger ones are not worth a look.
class Overgrown {
 public:
  bool operator()(std::int64_t inner, std::int64_t enough) {
    constexpr int kPatience = 8;
    times_ = inner > enough ? times_ + 1 : 0;
    return times_ > kPatience;
  }

 private:
  int times_ = 0;
};

}  // namespace

std::int64_t least_bottleneck(const StageCosts& costs) {
  std::vector<std::int64_t> best(index(costs.ops) + 1, costs.below);
  best[0] = 0;
  for (std::int64_t end = 1; end <= costs.ops; ++end) {
    std::int64_t& least = best[index(end)];
    Overgrown overgrown;
    for (std::int64_t begin = end - 1; begin >= std::max<std::int64_t>(0, end - costs.longest); --begin) {
      const std::int64_t before = best[index(begin)];
      if (before >= least || costs.least(begin, end) >= least) continue;
      const std::int64_t cost = costs.cost(begin, end, least);
      least = std::min(least, std::max(before, cost));
      if (overgrown(costs.inner(begin, end), least)) break;
    }
  }
  return best.back();
}

std::vector<std::int64_t> stage_begins(const StageCosts& costs, std::int64_t most) {
  // A stage near the limit leaves placement little room, and one of several operators takes more steps.
  constexpr double kSteepness = 8, kStagePrice = 0.002;
  std::vector<double> price(index(costs.ops) + 1, std::numeric_limits<double>::infinity());
  std::vector<std::int64_t> from(index(costs.ops) + 1, -1);
  price[0] = 0;
  const auto whole = static_cast<double>(std::max<std::int64_t>(1, most));
  for (std::int64_t end = 1; end <= costs.ops; ++end) {
    Overgrown overgrown;
    for (std::int64_t begin = end - 1; begin >= std::max<std::int64_t>(0, end - costs.longest); --begin) {
      const double before = price[index(begin)] + (end - begin > 1 ? kStagePrice : 0.0);
      if (before >= price[index(end)]) continue;
      // What costs more has a higher price than the best so far, but for rounding.
      const double share = std::min(1.0, std::pow(price[index(end)] - before, 1 / kSteepness));
      const std::int64_t enough = std::min(most, static_cast<std::int64_t>(share * whole) + 1);
      if (costs.least(begin, end) > enough) continue;
      const std::int64_t cost = costs.cost(begin, end, enough);
      if (overgrown(costs.inner(begin, end), enough)) break;
      if (cost > enough) continue;
      const double total = before + std::pow(static_cast<double>(cost) / whole, kSteepness);
      if (total >= price[index(end)]) continue;
      price[index(end)] = total;
      from[index(end)] = begin;
    }
  }
  std::vector<std::int64_t> begins;
  for (std::int64_t end = costs.ops; end > 0; end = from[index(end)]) {
    if (from[index(end)] < 0) return {};
    begins.push_back(from[index(end)]);
  }
  std::ranges::reverse(begins);
  return begins;
}

}  // namespace ripc
