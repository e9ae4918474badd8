#include "placement/greedy.h"

#include <algorithm>
#include <random>

#include "placement/orders.h"

namespace ripc {
namespace {

std::int64_t area(const Buffer& b) { return capped_product(b.bytes, b.last - b.first + 1); }

}  // namespace

std::optional<Greedy> greedy_portfolio(const Conflicts& conflicts, std::int64_t enough, bool several) {
  const Problem& problem = conflicts.problem();
  std::vector<std::vector<BufferId>> orders{by_birth(problem)};
  if (several) {
    orders.push_back(by_size(problem));
    orders.push_back(sorted_by(problem, [](const Buffer& b) { return -area(b); }));
    orders.push_back(sorted_by(problem, [](const Buffer& b) { return b.first - b.last; }));
    orders.push_back(sorted_by(problem, [](const Buffer& b) { return -b.last; }));
  }
  std::optional<Greedy> best;
  for (const auto& order : orders) {
    for (const Fit fit : {Fit::lowest, Fit::tightest}) {
      const std::optional<Partial> partial = insert_all(conflicts, order, fit);
      if (!partial) continue;
      Placement placement = finish(problem, *partial);
      if (!best || placement.peak < best->placement.peak) best = Greedy{order, fit, std::move(placement)};
      if (best->placement.peak <= enough || !several) return best;
    }
  }
  return best;
}

void improve(const Conflicts& conflicts, std::int64_t enough, Greedy& greedy) {
  constexpr std::int64_t kWork = 10'000'000;
  constexpr std::int64_t kMaxRounds = 2'000;
  std::int64_t work = 1;
  for (BufferId id = 0; id < conflicts.size(); ++id) {
    work += 1 + static_cast<std::int64_t>(conflicts.disjoint(id).size() + 8 * conflicts.permitted(id).size());
  }
  std::mt19937_64 engine(1);
  for (std::int64_t round = 0; round < std::min(kMaxRounds, kWork / work) && greedy.placement.peak > enough; ++round) {
    std::vector<std::size_t> topmost;  // places in the order of the buffers that set the peak
    for (std::size_t i = 1; i < greedy.order.size(); ++i) {
      const BufferId id = greedy.order[i];
      if (greedy.placement.offsets[static_cast<std::size_t>(id)] + conflicts.buffer(id).bytes ==
          greedy.placement.peak) {
        topmost.push_back(i);
      }
    }
    if (topmost.empty()) return;
    const std::size_t from = topmost[engine() % topmost.size()];
    const std::size_t to = engine() % from;
    std::vector<BufferId> order = greedy.order;
    const auto begin = order.begin();
    std::rotate(begin + static_cast<std::ptrdiff_t>(to), begin + static_cast<std::ptrdiff_t>(from),
                begin + static_cast<std::ptrdiff_t>(from) + 1);
    const std::optional<Partial> partial = insert_all(conflicts, order, greedy.fit);
    if (!partial) continue;
    Placement placement = finish(conflicts.problem(), *partial);
    if (placement.peak > greedy.placement.peak) continue;
    greedy.order = std::move(order);
    greedy.placement = std::move(placement);
  }
}

}  // namespace ripc
