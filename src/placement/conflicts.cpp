#include "placement/conflicts.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "ripc/error.h"

namespace ripc {
namespace {

constexpr std::size_t kMaxPairs = std::size_t{1} << 26;

bool alive_together(const Buffer& a, const Buffer& b) { return a.first <= b.last && b.first <= a.last; }

// Calls visit(a, b) once for each pair alive together.
template <class Visit>
void for_each_live_pair(const Problem& problem, Visit visit) {
  const auto& buffers = problem.buffers;
  std::vector<BufferId> by_birth(buffers.size());
  std::iota(by_birth.begin(), by_birth.end(), 0);
  const auto first = [&](BufferId id) { return buffers[static_cast<std::size_t>(id)].first; };
  std::stable_sort(by_birth.begin(), by_birth.end(), [&](BufferId a, BufferId b) { return first(a) < first(b); });
  std::vector<BufferId> alive;
  for (const BufferId born : by_birth) {
    std::erase_if(alive, [&](BufferId id) { return buffers[static_cast<std::size_t>(id)].last < first(born); });
    for (const BufferId id : alive) visit(id, born);
    alive.push_back(born);
  }
}

}  // namespace

std::int64_t round_up(std::int64_t value, std::int64_t grain) {
  const std::int64_t rest = value % grain;
  if (rest == 0) return value;
  return rest > 0 ? value + (grain - rest) : value - rest;
}

std::int64_t capped_product(std::int64_t a, std::int64_t b) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  return b > 0 && a > kMost / b ? kMost : a * b;
}

std::int64_t offset_grain(const Problem& problem) {
  std::int64_t grain = 0;
  for (const Buffer& buffer : problem.buffers) grain = std::gcd(grain, buffer.alignment);
  return std::max<std::int64_t>(grain, 1);
}

std::vector<PermittedPair> permitted_pairs(const Problem& problem) {
  std::map<std::pair<BufferId, BufferId>, std::vector<Permit>> found;
  const auto add = [&](BufferId low, BufferId high, Permit permit) {
    const Buffer& x = problem.buffers[static_cast<std::size_t>(low)];
    const Buffer& y = problem.buffers[static_cast<std::size_t>(high)];
    if (!alive_together(x, y)) return;
    permit.low = low;
    const bool in_order = x.first != y.first ? x.first < y.first : low < high;
    found[in_order ? std::pair{low, high} : std::pair{high, low}].push_back(permit);
  };
  for (int c = 0; c < static_cast<int>(problem.choices.size()); ++c) {
    const auto& alternatives = problem.choices[static_cast<std::size_t>(c)].alternatives;
    for (int k = 0; k < static_cast<int>(alternatives.size()); ++k) {
      const Alternative& alternative = alternatives[static_cast<std::size_t>(k)];
      for (const Separation& s : alternative.separations) add(s.low, s.high, {c, k, false, s.low, s.bytes});
      for (const Tie& t : alternative.ties) add(t.a, t.b, {c, k, true, t.a, 0});
    }
  }
  std::vector<PermittedPair> pairs;
  pairs.reserve(found.size());
  for (auto& [ids, permits] : found) pairs.push_back({ids.first, ids.second, std::move(permits)});
  return pairs;
}

std::int64_t most_shared(const Problem& problem, const PermittedPair& pair, const Permit& permit, std::int64_t grain) {
  const auto span = [&](BufferId id) { return round_up(problem.buffers[static_cast<std::size_t>(id)].bytes, grain); };
  const std::int64_t smaller = std::min(span(pair.a), span(pair.b));
  if (permit.tied || permit.bytes <= 0) return smaller;
  return std::clamp<std::int64_t>(span(permit.low) - round_up(permit.bytes, grain), 0, smaller);
}

Conflicts::Conflicts(const Problem& problem) : problem_(&problem), pairs_(permitted_pairs(problem)) {
  const std::size_t n = problem.buffers.size();
  permitted_.begin.assign(n + 1, 0);
  for (const PermittedPair& pair : pairs_) {
    ++permitted_.begin[static_cast<std::size_t>(pair.a) + 1];
    ++permitted_.begin[static_cast<std::size_t>(pair.b) + 1];
  }
  std::partial_sum(permitted_.begin.begin(), permitted_.begin.end(), permitted_.begin.begin());
  permitted_.items.resize(2 * pairs_.size());
  std::vector<std::size_t> next(permitted_.begin.begin(), permitted_.begin.end() - 1);
  for (int p = 0; p < static_cast<int>(pairs_.size()); ++p) {
    const PermittedPair& pair = pairs_[static_cast<std::size_t>(p)];
    permitted_.items[next[static_cast<std::size_t>(pair.a)]++] = p;
    permitted_.items[next[static_cast<std::size_t>(pair.b)]++] = p;
  }

  const auto may_overlap = [&](BufferId x, BufferId y) {
    const auto few = permitted(x).size() <= permitted(y).size() ? permitted(x) : permitted(y);
    return std::any_of(few.begin(), few.end(), [&](int p) {
      const PermittedPair& pair = pairs_[static_cast<std::size_t>(p)];
      return (pair.a == x && pair.b == y) || (pair.a == y && pair.b == x);
    });
  };
  std::size_t count = 0;
  disjoint_.begin.assign(n + 1, 0);
  for_each_live_pair(problem, [&](BufferId x, BufferId y) {
    if (++count > kMaxPairs) {
      throw Error({.problem = "too many pairs of buffers are alive together",
                   .expected = "at most " + std::to_string(kMaxPairs),
                   .remedy = "Shorten lives, or merge buffers that live alike"});
    }
    if (may_overlap(x, y)) return;
    ++disjoint_.begin[static_cast<std::size_t>(x) + 1];
    ++disjoint_.begin[static_cast<std::size_t>(y) + 1];
  });
  std::partial_sum(disjoint_.begin.begin(), disjoint_.begin.end(), disjoint_.begin.begin());
  disjoint_.items.resize(disjoint_.begin.back());
  next.assign(disjoint_.begin.begin(), disjoint_.begin.end() - 1);
  for_each_live_pair(problem, [&](BufferId x, BufferId y) {
    if (may_overlap(x, y)) return;
    disjoint_.items[next[static_cast<std::size_t>(x)]++] = y;
    disjoint_.items[next[static_cast<std::size_t>(y)]++] = x;
  });
}

Relation Conflicts::relation(const PermittedPair& pair, std::span<const int> chosen) const {
  Relation relation{buffer(pair.a).bytes, buffer(pair.b).bytes, false};
  for (const Permit& permit : pair.permits) {
    if (chosen[static_cast<std::size_t>(permit.choice)] != permit.alternative) continue;
    if (permit.tied) {
      relation.tied = true;
    } else {
      std::int64_t& below = permit.low == pair.a ? relation.a_below : relation.b_below;
      below = std::min(below, permit.bytes);
    }
  }
  return relation;
}

}  // namespace ripc
