#include "placement/greedy.h"

#include <algorithm>
#include <iterator>
#include <random>
#include <utility>

#include "placement/kernel.h"
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
  constexpr std::int64_t kWork = 40'000'000;
  constexpr std::int64_t kMaxRounds = 8'000;
  // Only the buffers that matter near the peak take part; the others fit afterwards, wherever these lie.
  const Kernel kernel = peel(conflicts, enough);
  std::vector<char> in(static_cast<std::size_t>(conflicts.size()), 0);
  std::int64_t work = 1;
  for (const BufferId id : kernel.kernel) {
    in[static_cast<std::size_t>(id)] = 1;
    work += 1 + static_cast<std::int64_t>(conflicts.disjoint(id).size() + 8 * conflicts.permitted(id).size());
  }
  std::vector<BufferId> order;
  std::copy_if(greedy.order.begin(), greedy.order.end(), std::back_inserter(order),
               [&](BufferId id) { return in[static_cast<std::size_t>(id)] != 0; });
  const auto& choices = conflicts.problem().choices;
  std::vector<int> ways(choices.size(), kUndecided);  // alternatives taken beforehand
  std::optional<Partial> best = insert_all(conflicts, order, greedy.fit);
  if (!best || order.empty()) return;
  const auto end_of = [&](const Partial& partial, BufferId id) {
    return partial.offsets[static_cast<std::size_t>(id)] + conflicts.buffer(id).bytes;
  };
  const auto peak_of = [&](const Partial& partial) {
    std::int64_t peak = 0;
    for (const BufferId id : order) peak = std::max(peak, end_of(partial, id));
    return peak;
  };
  std::int64_t peak = peak_of(*best);
  std::mt19937_64 engine(1);
  for (std::int64_t round = 0; round < std::min(kMaxRounds, kWork / work) && peak > enough; ++round) {
    std::vector<std::size_t> topmost;  // places in the order of the buffers that set the peak
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (end_of(*best, order[i]) == peak) topmost.push_back(i);
    }
    const std::size_t from = topmost[engine() % topmost.size()];
    std::vector<BufferId> changed = order;
    std::vector<int> changed_ways = ways;
    if (!conflicts.pairs().empty() && engine() % 3 == 0) {
      const std::size_t choice = engine() % choices.size();
      changed_ways[choice] = static_cast<int>(engine() % (choices[choice].alternatives.size() + 1)) - 1;
    } else if (from > 0) {
      const auto begin = changed.begin();
      std::rotate(begin + static_cast<std::ptrdiff_t>(engine() % from), begin + static_cast<std::ptrdiff_t>(from),
                  begin + static_cast<std::ptrdiff_t>(from) + 1);
    } else {
      continue;
    }
    std::optional<Partial> partial = insert_all(conflicts, changed, greedy.fit, changed_ways);
    if (!partial || peak_of(*partial) > peak) continue;
    best = std::move(partial);
    peak = peak_of(*best);
    order = std::move(changed);
    ways = std::move(changed_ways);
  }
  // Peeled buffers fit under any alternatives, but not under none.
  for (int& chosen : best->chosen) chosen = std::max(chosen, 0);
  std::for_each(kernel.peeled.rbegin(), kernel.peeled.rend(),
                [&](BufferId id) { insert(conflicts, id, Fit::lowest, *best); });
  Placement placement = finish(conflicts.problem(), *best);
  if (placement.peak < greedy.placement.peak) greedy.placement = std::move(placement);
}

}  // namespace ripc
