#include <algorithm>
#include <numeric>

#include "placement/search_orders.h"

namespace ripc {
namespace {

constexpr std::int64_t kTouchesAtOnce = 1 << 16;  // in one propagation, before it counts as a node of its own

constexpr std::int64_t kLongestPeriod = std::int64_t{1} << 61;  // of alignments; as good as endless

std::int64_t round_down(std::int64_t value, std::int64_t grain) { return -round_up(-value, grain); }

}  // namespace

OrderState::OrderState(const Conflicts& conflicts, std::span<const BufferId> buffers, std::int64_t capacity,
                       const PlacerOptions& options, Budget& budget)
    : conflicts_(conflicts),
      options_(options),
      budget_(budget),
      buffers_(buffers.begin(), buffers.end()),
      capacity_(capacity) {
  const std::size_t n = buffers_.size();
  pairs_of_.resize(n);
  above_.resize(n);
  below_.resize(n);
  queued_.assign(n, 0);
  domains_.assign(conflicts.problem().choices.size(), 0);
  buffers_of_choice_.resize(domains_.size());

  std::vector<int> local(static_cast<std::size_t>(conflicts.size()), -1);
  for (std::size_t i = 0; i < n; ++i) local[static_cast<std::size_t>(buffers_[i])] = static_cast<int>(i);
  grain_ = buffer(0).alignment;
  for (int i = 0; i < static_cast<int>(n); ++i) {
    const Buffer& b = buffer(i);
    grain_ = std::gcd(grain_, b.alignment);
    period_ = std::min(capped_product(period_, b.alignment / std::gcd(period_, b.alignment)), kLongestPeriod);
    Bounds bounds{0, round_down(capacity - b.bytes, b.alignment), -1, -1};
    if (b.offset) bounds = {*b.offset, std::min(*b.offset, bounds.high), -1, -1};
    bounds_.push_back(bounds);
    const auto add = [&](int other, int permitted) {
      if (other <= i) return;
      const int index = static_cast<int>(pairs_.size());
      pairs_.push_back({i, other, permitted, {}});
      pairs_of_[static_cast<std::size_t>(i)].push_back(index);
      pairs_of_[static_cast<std::size_t>(other)].push_back(index);
    };
    for (const BufferId id : conflicts.disjoint(buffers_[static_cast<std::size_t>(i)])) {
      add(local[static_cast<std::size_t>(id)], -1);
    }
    for (const int p : conflicts.permitted(buffers_[static_cast<std::size_t>(i)])) {
      const PermittedPair& pair = conflicts.pairs()[static_cast<std::size_t>(p)];
      add(local[static_cast<std::size_t>(pair.a == buffers_[static_cast<std::size_t>(i)] ? pair.b : pair.a)], p);
    }
  }
  settled_.assign(pairs_.size(), 0);

  for (Pair& pair : pairs_) {
    if (pair.permitted < 0) continue;
    const PermittedPair& permitted = conflicts.pairs()[static_cast<std::size_t>(pair.permitted)];
    for (const Permit& permit : permitted.permits) {
      pair.shares.push_back(most_shared(conflicts.problem(), permitted, permit, grain_));
      const std::size_t count =
          conflicts.problem().choices[static_cast<std::size_t>(permit.choice)].alternatives.size();
      domain(permit.choice) = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
      auto& users = buffers_of_choice_[static_cast<std::size_t>(permit.choice)];
      users.push_back(pair.a);
      users.push_back(pair.b);
    }
  }

  // The sections that matter are those where a buffer is born.
  std::vector<int> by_birth(n);
  std::iota(by_birth.begin(), by_birth.end(), 0);
  std::stable_sort(by_birth.begin(), by_birth.end(), [&](int x, int y) { return buffer(x).first < buffer(y).first; });
  sections_of_.resize(n);
  std::vector<int> live;
  std::vector<int> live_pairs;  // that may overlap
  for (std::size_t at = 0; at < n;) {
    const std::int64_t step = buffer(by_birth[at]).first;
    const auto dead = [&](int i) { return buffer(i).last < step; };
    std::erase_if(live, dead);
    std::erase_if(live_pairs, [&](int p) {
      const Pair& pair = pairs_[static_cast<std::size_t>(p)];
      return dead(pair.a) || dead(pair.b);
    });
    for (; at < n && buffer(by_birth[at]).first == step; ++at) {
      const int born = by_birth[at];
      live.push_back(born);
      for (const int p : pairs_of_[static_cast<std::size_t>(born)]) {
        const Pair& pair = pairs_[static_cast<std::size_t>(p)];
        if (pair.permitted < 0) continue;
        const int other = pair.a == born ? pair.b : pair.a;
        // A pair joins with the one of it that is born later, or comes later in the order.
        if (std::find(live.begin(), live.end(), other) != live.end()) live_pairs.push_back(p);
      }
    }
    const int section = static_cast<int>(sections_.size());
    for (const int i : live) {
      Sections& of = sections_of_[static_cast<std::size_t>(i)];
      if (of.last < of.first) of.first = section;
      of.last = section;
    }
    sections_.push_back({live, live_pairs, false});
  }
}

template <class Visit>
void OrderState::for_each_order(const Pair& pair, Visit visit) const {
  Order a_below{pair.a, pair.b, bytes(pair.a), false, kUndecided, 0};
  Order b_below{pair.b, pair.a, bytes(pair.b), false, kUndecided, 0};
  bool tied = false;
  if (pair.permitted >= 0) {
    const PermittedPair& permitted = conflicts_.pairs()[static_cast<std::size_t>(pair.permitted)];
    const auto order_of = [&](const Permit& permit) -> Order& {
      return permit.low == buffers_[static_cast<std::size_t>(pair.a)] ? a_below : b_below;
    };
    for (const Permit& permit : permitted.permits) {
      if (domain(permit.choice) != std::uint64_t{1} << permit.alternative) continue;
      if (permit.tied) {
        tied = true;
      } else {
        order_of(permit).bytes = std::min(order_of(permit).bytes, permit.bytes);
      }
    }
    for (const Permit& permit : permitted.permits) {
      const std::uint64_t bit = std::uint64_t{1} << permit.alternative;
      if ((domain(permit.choice) & bit) == 0 || domain(permit.choice) == bit) continue;
      if (permit.tied && !tied) visit(Order{pair.a, pair.b, 0, true, permit.choice, permit.alternative});
      if (permit.tied || permit.bytes >= order_of(permit).bytes) continue;
      Order order = order_of(permit);
      order.bytes = permit.bytes;
      order.choice = permit.choice;
      order.alternative = permit.alternative;
      visit(order);
    }
  }
  visit(a_below);
  visit(b_below);
  if (tied) visit(Order{pair.a, pair.b, 0, true, kUndecided, 0});
}

bool OrderState::holds(const Order& order) const {
  const std::int64_t distance =
      bounds_[static_cast<std::size_t>(order.high)].low - bounds_[static_cast<std::size_t>(order.low)].low;
  return order.tied ? distance == 0 : distance >= order.bytes;
}

bool OrderState::always_holds(const Order& order) const {
  const Bounds& low = bounds_[static_cast<std::size_t>(order.low)];
  const Bounds& high = bounds_[static_cast<std::size_t>(order.high)];
  if (order.tied) return low.low == low.high && high.low == high.high && low.low == high.low;
  return high.low - low.high >= order.bytes;
}

// Bytes by which the bounds miss what the order needs; positive: impossible.
std::int64_t OrderState::excess(const Order& order) const {
  const Bounds& low = bounds_[static_cast<std::size_t>(order.low)];
  const Bounds& high = bounds_[static_cast<std::size_t>(order.high)];
  const std::int64_t up = low.low + order.bytes - high.high;
  return order.tied ? std::max(up, high.low - low.high) : up;
}

// A bound is missed by `excess` bytes: greatest offsets grow with the capacity, but for their alignment.
void OrderState::blame(std::int64_t excess) {
  const std::int64_t least = capacity_ + std::max<std::int64_t>(1, excess - (period_ - 1));
  least_capacity_ = std::min(least_capacity_, least);
}

void OrderState::save(int local) {
  trail_.push_back({Change::Kind::bounds, local, 0, bounds_[static_cast<std::size_t>(local)], 0});
}

void OrderState::wake(int local) {
  char& queued = queued_[static_cast<std::size_t>(local)];
  if (queued) return;
  queued = 1;
  queue_.push_back(local);
}

// Would a bound that comes from `from` hang on itself?
bool OrderState::on_cycle(int local, int from, bool rising) const {
  // Circles that gain less than a period are let be, and others may lead into one.
  for (std::size_t steps = 0; from >= 0 && from != local && steps < buffers_.size(); ++steps) {
    const Bounds& bounds = bounds_[static_cast<std::size_t>(from)];
    from = rising ? bounds.low_from : bounds.high_from;
  }
  return from == local;
}

bool OrderState::raise(int local, std::int64_t low, int from) {
  Bounds& bounds = bounds_[static_cast<std::size_t>(local)];
  low = round_up(low, buffer(local).alignment);
  if (low <= bounds.low) return true;
  if (low > bounds.high) {
    blame(low - bounds.high);
    return false;
  }
  // Orders that run in a circle and gain a whole period have no solution at any capacity.
  if (low - bounds.low >= period_ && on_cycle(local, from, true)) return false;
  save(local);
  bounds.low = low;
  bounds.low_from = from;
  wake(local);
  return true;
}

bool OrderState::lower(int local, std::int64_t high, int from) {
  Bounds& bounds = bounds_[static_cast<std::size_t>(local)];
  high = round_down(high, buffer(local).alignment);
  if (high >= bounds.high) return true;
  if (high < bounds.low) {
    blame(bounds.low - high);
    return false;
  }
  if (bounds.high - high >= period_ && on_cycle(local, from, false)) return false;
  save(local);
  bounds.high = high;
  bounds.high_from = from;
  wake(local);
  return true;
}

bool OrderState::post(int pair, const Order& order) {
  settled_[static_cast<std::size_t>(pair)] = 1;
  trail_.push_back({Change::Kind::settled, pair});
  if (order.choice != kUndecided) {
    const std::uint64_t only = std::uint64_t{1} << order.alternative;
    if ((domain(order.choice) & only) == 0) return false;
    if (domain(order.choice) != only) {
      trail_.push_back({Change::Kind::domain, order.choice, 0, {}, domain(order.choice)});
      domain(order.choice) = only;
      for (const int user : buffers_of_choice_[static_cast<std::size_t>(order.choice)]) wake(user);
    }
  }
  const auto arc = [&](int low, int high, std::int64_t bytes) {
    above_[static_cast<std::size_t>(low)].push_back({high, bytes});
    below_[static_cast<std::size_t>(high)].push_back({low, bytes});
    trail_.push_back({Change::Kind::arc, low, high});
    return raise(high, bounds_[static_cast<std::size_t>(low)].low + bytes, low) &&
           lower(low, bounds_[static_cast<std::size_t>(high)].high - bytes, high);
  };
  return arc(order.low, order.high, order.bytes) && (!order.tied || arc(order.high, order.low, 0));
}

std::vector<Order> OrderState::open_orders(int pair) {
  std::vector<Order> orders;
  for_each_order(pairs_[static_cast<std::size_t>(pair)], [&](const Order& order) {
    const std::int64_t missing = excess(order);
    if (missing > 0) {
      blame(missing);
    } else {
      orders.push_back(order);
    }
  });
  const auto push = [&](const Order& order) {
    const std::int64_t distance =
        bounds_[static_cast<std::size_t>(order.high)].low - bounds_[static_cast<std::size_t>(order.low)].low;
    return order.tied ? std::max(distance, -distance) : std::max<std::int64_t>(0, order.bytes - distance);
  };
  std::stable_sort(orders.begin(), orders.end(), [&](const Order& x, const Order& y) { return push(x) < push(y); });
  return orders;
}

// Settles the pair if one order is left. False if none is.
bool OrderState::examine(int pair) {
  int possible = 0;
  bool settled = false;
  Order last;
  for_each_order(pairs_[static_cast<std::size_t>(pair)], [&](const Order& order) {
    if (excess(order) > 0) return;
    ++possible;
    last = order;
    settled |= order.choice == kUndecided && always_holds(order);
  });
  if (settled) {
    settled_[static_cast<std::size_t>(pair)] = 1;
    trail_.push_back({Change::Kind::settled, pair});
    return true;
  }
  if (possible > 1 || (possible == 1 && !options_.forced_pairs)) return true;
  open_orders(pair);
  return possible == 1 && post(pair, last);
}

bool OrderState::propagate() {
  bool fine = true;
  for (std::size_t at = 0; at < queue_.size() && fine; ++at) {
    const int local = queue_[at];
    const auto index = static_cast<std::size_t>(local);
    queued_[index] = 0;
    if (options_.section_bound) change_sections(local);
    budget_.touched +=
        static_cast<std::int64_t>(above_[index].size() + below_[index].size() + 4 * pairs_of_[index].size());
    if (budget_.touched > kTouchesAtOnce && !budget_.take()) {
      out_of_work_ = true;
      fine = false;
    }
    for (std::size_t i = 0; fine && i < above_[index].size(); ++i) {
      const Arc arc = above_[index][i];
      fine = raise(arc.to, bounds_[index].low + arc.bytes, local);
    }
    for (std::size_t i = 0; fine && i < below_[index].size(); ++i) {
      const Arc arc = below_[index][i];
      fine = lower(arc.to, bounds_[index].high - arc.bytes, local);
    }
    for (std::size_t i = 0; fine && i < pairs_of_[index].size(); ++i) {
      const int pair = pairs_of_[index][i];
      if (!settled_[static_cast<std::size_t>(pair)]) fine = examine(pair);
    }
  }
  for (const int local : queue_) queued_[static_cast<std::size_t>(local)] = 0;
  queue_.clear();
  fine = fine && sections_fit();
  for (const int section : changed_) sections_[static_cast<std::size_t>(section)].changed = false;
  changed_.clear();
  return fine;
}

void OrderState::change_sections(int local) {
  const Sections& of = sections_of_[static_cast<std::size_t>(local)];
  budget_.touched += of.last - of.first + 1;
  for (int s = of.first; s <= of.last; ++s) {
    bool& changed = sections_[static_cast<std::size_t>(s)].changed;
    if (!changed) changed_.push_back(s);
    changed = true;
  }
}

bool OrderState::start() {
  for (int i = 0; i < static_cast<int>(buffers_.size()); ++i) {
    const Bounds& bounds = bounds_[static_cast<std::size_t>(i)];
    if (bounds.low > bounds.high || bounds.low % buffer(i).alignment != 0) {
      blame(bounds.low - bounds.high);
      return false;
    }
    wake(i);
  }
  return propagate();
}

bool OrderState::take(int pair, const Order& order) { return post(pair, order) && propagate(); }

bool OrderState::forbid(int choice, int alternative) {
  const std::uint64_t bit = std::uint64_t{1} << alternative;
  if ((domain(choice) & bit) == 0) return true;
  trail_.push_back({Change::Kind::domain, choice, 0, {}, domain(choice)});
  domain(choice) &= ~bit;
  for (const int user : buffers_of_choice_[static_cast<std::size_t>(choice)]) wake(user);
  return domain(choice) != 0;
}

void OrderState::undo(std::size_t mark) {
  for (; trail_.size() > mark; trail_.pop_back()) {
    const Change& change = trail_.back();
    const auto at = static_cast<std::size_t>(change.at);
    switch (change.kind) {
      case Change::Kind::bounds:
        bounds_[at] = change.bounds;
        break;
      case Change::Kind::domain:
        domains_[at] = change.domain;
        break;
      case Change::Kind::settled:
        settled_[at] = 0;
        break;
      case Change::Kind::arc:
        above_[at].pop_back();
        below_[static_cast<std::size_t>(change.to)].pop_back();
        break;
    }
  }
  for (const int local : queue_) queued_[static_cast<std::size_t>(local)] = 0;
  queue_.clear();
}

// The most that the pairs (both ends `in`) can share: the smaller of what the buffers born later and those born earlier
// can save.
std::int64_t OrderState::shared(std::span<const int> pairs, std::span<const char> in) {
  budget_.touched += static_cast<std::int64_t>(16 * pairs.size());
  std::int64_t totals[2] = {0, 0};
  std::vector<std::pair<int, std::int64_t>> shares[2];
  for (const int p : pairs) {
    const Pair& pair = pairs_[static_cast<std::size_t>(p)];
    if (!in[static_cast<std::size_t>(pair.a)] || !in[static_cast<std::size_t>(pair.b)]) continue;
    const PermittedPair& permitted = conflicts_.pairs()[static_cast<std::size_t>(pair.permitted)];
    std::int64_t most = 0;
    for (std::size_t i = 0; i < permitted.permits.size(); ++i) {
      const Permit& permit = permitted.permits[i];
      if ((domain(permit.choice) >> permit.alternative & 1) != 0) most = std::max(most, pair.shares[i]);
    }
    // No more than the bounds let them share either.
    const Bounds& a = bounds_[static_cast<std::size_t>(pair.a)];
    const Bounds& b = bounds_[static_cast<std::size_t>(pair.b)];
    most = std::min({most, std::max<std::int64_t>(0, round_up(a.high + bytes(pair.a) - b.low, grain_)),
                     std::max<std::int64_t>(0, round_up(b.high + bytes(pair.b) - a.low, grain_))});
    const bool a_first = permitted.a == buffers_[static_cast<std::size_t>(pair.a)];
    shares[0].emplace_back(a_first ? pair.a : pair.b, most);
    shares[1].emplace_back(a_first ? pair.b : pair.a, most);
  }
  for (const int side : {0, 1}) {
    auto& list = shares[side];
    std::sort(list.begin(), list.end());
    for (std::size_t from = 0; from < list.size();) {
      std::int64_t sum = 0;
      std::size_t to = from;
      for (; to < list.size() && list[to].first == list[from].first; ++to) sum += list[to].second;
      totals[side] += std::min(sum, round_up(bytes(list[from].first), grain_));
      from = to;
    }
  }
  return std::min(totals[0], totals[1]);
}

// At each step where bounds have changed.
bool OrderState::sections_fit() {
  if (changed_.empty()) return true;
  std::sort(changed_.begin(), changed_.end());
  std::vector<char> in(buffers_.size(), 0);
  return std::all_of(changed_.begin(), changed_.end(),
                     [&](int s) { return section_fits(sections_[static_cast<std::size_t>(s)], in); });
}

// For each offset: the buffers that lie above it must fit between it and the highest end that they may have. `in` is
// scratch, all 0.
bool OrderState::section_fits(Section& section, std::vector<char>& in) {
  budget_.touched += static_cast<std::int64_t>(8 * section.live.size());
  std::stable_sort(section.live.begin(), section.live.end(), [&](int x, int y) {
    return bounds_[static_cast<std::size_t>(x)].low > bounds_[static_cast<std::size_t>(y)].low;
  });
  std::int64_t total = 0;
  std::int64_t slack = 0;
  std::int64_t top = std::numeric_limits<std::int64_t>::min();
  bool fits = true;
  for (const int local : section.live) {
    in[static_cast<std::size_t>(local)] = 1;
    const Bounds& bounds = bounds_[static_cast<std::size_t>(local)];
    const std::int64_t span = round_up(bytes(local), grain_);
    total += span;
    slack = std::max(slack, span - bytes(local));
    top = std::max(top, bounds.high + bytes(local));
    std::int64_t over = bounds.low + total - slack - top;
    if (over <= 0) continue;
    over -= shared(section.pairs, in);
    if (over <= 0) continue;
    blame(over);
    fits = false;
    break;
  }
  for (const int local : section.live) in[static_cast<std::size_t>(local)] = 0;
  return fits;
}

int OrderState::violated_pair() {
  budget_.touched += static_cast<std::int64_t>(pairs_.size());
  int best = -1;
  std::pair<int, std::int64_t> best_score;
  for (int p = 0; p < static_cast<int>(pairs_.size()); ++p) {
    if (settled_[static_cast<std::size_t>(p)]) continue;
    const Pair& pair = pairs_[static_cast<std::size_t>(p)];
    const std::int64_t distance =
        bounds_[static_cast<std::size_t>(pair.b)].low - bounds_[static_cast<std::size_t>(pair.a)].low;
    if (distance >= bytes(pair.a) || -distance >= bytes(pair.b)) continue;
    budget_.touched += 4;
    int possible = 0;
    bool fine = false;
    for_each_order(pair, [&](const Order& order) {
      fine |= order.choice == kUndecided && holds(order);
      possible += excess(order) <= 0 ? 1 : 0;
    });
    if (fine) continue;
    const std::pair<int, std::int64_t> score{possible, -std::min(bytes(pair.a), bytes(pair.b))};
    if (best < 0 || score < best_score) {
      best = p;
      best_score = score;
    }
  }
  return best;
}

void OrderState::write(Partial& partial) const {
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    partial.offsets[static_cast<std::size_t>(buffers_[i])] = bounds_[i].low;
  }
  for (std::size_t c = 0; c < domains_.size(); ++c) {
    if (std::has_single_bit(domains_[c])) partial.chosen[c] = std::countr_zero(domains_[c]);
  }
}

}  // namespace ripc
