#include "placement/problem.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "placement/conflicts.h"
#include "placement/placers.h"
#include "ripc/error.h"

namespace ripc {
namespace {

// Bytes that a permitted pair can share under one alternative.
struct Share {
  int choice = 0;
  int alternative = 0;
  BufferId a = 0;
  BufferId b = 0;
  std::int64_t bytes = 0;
};

// One share a pair and alternative, sorted by choice and alternative.
std::vector<Share> shares_of(const Problem& problem, const PermittedPair& pair, std::int64_t grain) {
  std::vector<Share> shares;
  for (const Permit& permit : pair.permits) {
    const std::int64_t bytes = most_shared(problem, pair, permit, grain);
    const auto same = std::find_if(shares.begin(), shares.end(), [&](const Share& share) {
      return share.choice == permit.choice && share.alternative == permit.alternative;
    });
    if (same != shares.end()) {
      same->bytes = std::max(same->bytes, bytes);
    } else {
      shares.push_back({permit.choice, permit.alternative, pair.a, pair.b, bytes});
    }
  }
  return shares;
}

// The most that buffers alive at one step can save by overlapping. Laying the buffers down one after the other in any
// fixed order, each saves at most its own size and at most what it shares with those before it. Two orders are tried:
// by birth and against it. A single largest saving per step would be unsound: an operator may bear several outputs.
class Saving {
 public:
  Saving(const Problem& problem, std::int64_t grain) : problem_(problem), grain_(grain) {}

  // `shares` is sorted by choice and alternative; all its pairs are alive.
  std::int64_t operator()(const std::vector<Share>& shares) const {
    std::int64_t by_birth = 0;
    std::int64_t against = 0;
    std::int64_t alone = 0;
    int choices = 0;
    for (auto at = shares.begin(); at != shares.end();) {
      const auto choice_end = std::find_if(at, shares.end(), [&](const Share& s) { return s.choice != at->choice; });
      std::int64_t most_by_birth = 0;
      std::int64_t most_against = 0;
      std::int64_t most = 0;
      for (auto from = at; from != choice_end;) {
        const auto to =
            std::find_if(from, choice_end, [&](const Share& s) { return s.alternative != from->alternative; });
        const std::vector<Share> together(from, to);
        const std::int64_t later = total(together, &Share::b);
        const std::int64_t earlier = total(together, &Share::a);
        most_by_birth = std::max(most_by_birth, later);
        most_against = std::max(most_against, earlier);
        most = std::max(most, std::min(later, earlier));
        from = to;
      }
      by_birth += most_by_birth;
      against += most_against;
      alone = most;
      ++choices;
      at = choice_end;
    }
    return choices == 1 ? alone : std::min(by_birth, against);
  }

 private:
  std::int64_t total(std::vector<Share> shares, BufferId Share::*side) const {
    std::sort(shares.begin(), shares.end(), [&](const Share& x, const Share& y) { return x.*side < y.*side; });
    std::int64_t sum = 0;
    for (auto from = shares.begin(); from != shares.end();) {
      std::int64_t shared = 0;
      auto to = from;
      for (; to != shares.end() && (*to).*side == (*from).*side; ++to) shared += to->bytes;
      const std::int64_t size = problem_.buffers[static_cast<std::size_t>((*from).*side)].bytes;
      sum += std::min(round_up(size, grain_), shared);
      from = to;
    }
    return sum;
  }

  const Problem& problem_;
  std::int64_t grain_;
};

[[noreturn]] void malformed(const Problem& problem, std::size_t id, std::string what, std::string found) {
  throw Error({.tensor = problem.buffers[id].name,
               .problem = "buffer " + std::to_string(id) + ": " + std::move(what),
               .found = std::move(found)});
}

}  // namespace

std::int64_t lower_bound(const Problem& problem) {
  const std::int64_t grain = offset_grain(problem);
  struct Event {
    std::int64_t step;
    bool birth;
    BufferId buffer;  // or -1 and a range of shares
    std::size_t from, to;
  };
  std::vector<Event> events;
  std::int64_t bound = 0;
  for (BufferId id = 0; id < static_cast<BufferId>(problem.buffers.size()); ++id) {
    const Buffer& buffer = problem.buffers[static_cast<std::size_t>(id)];
    bound = std::max(bound, buffer.bytes + buffer.offset.value_or(0));
    events.push_back({buffer.first, true, id, 0, 0});
    events.push_back({buffer.last + 1, false, id, 0, 0});
  }
  std::vector<Share> all_shares;
  for (const PermittedPair& pair : permitted_pairs(problem)) {
    const Buffer& a = problem.buffers[static_cast<std::size_t>(pair.a)];
    const Buffer& b = problem.buffers[static_cast<std::size_t>(pair.b)];
    const std::vector<Share> shares = shares_of(problem, pair, grain);
    const std::size_t from = all_shares.size();
    all_shares.insert(all_shares.end(), shares.begin(), shares.end());
    events.push_back({std::max(a.first, b.first), true, -1, from, all_shares.size()});
    events.push_back({std::min(a.last, b.last) + 1, false, -1, from, all_shares.size()});
  }
  std::sort(events.begin(), events.end(), [](const Event& x, const Event& y) { return x.step < y.step; });

  const Saving saving(problem, grain);
  const auto in_order = [&](std::size_t x, std::size_t y) {
    const Share& p = all_shares[x];
    const Share& q = all_shares[y];
    return std::tie(p.choice, p.alternative, x) < std::tie(q.choice, q.alternative, y);
  };
  std::set<std::size_t, decltype(in_order)> live_shares(in_order);
  std::multiset<std::int64_t>
      slacks;  // what rounding to the grain adds to each live buffer: the topmost need not pay it
  std::int64_t live = 0;
  for (std::size_t at = 0; at < events.size();) {
    const std::int64_t step = events[at].step;
    for (; at < events.size() && events[at].step == step; ++at) {
      const Event& event = events[at];
      if (event.buffer >= 0) {
        const std::int64_t bytes = problem.buffers[static_cast<std::size_t>(event.buffer)].bytes;
        const std::int64_t span = round_up(bytes, grain);
        live += event.birth ? span : -span;
        if (grain > 1) {
          if (event.birth) {
            slacks.insert(span - bytes);
          } else {
            slacks.erase(slacks.find(span - bytes));
          }
        }
      }
      for (std::size_t s = event.from; s < event.to; ++s) {
        if (event.birth) {
          live_shares.insert(s);
        } else {
          live_shares.erase(s);
        }
      }
    }
    const std::int64_t slack = slacks.empty() ? 0 : *slacks.rbegin();
    if (live - slack <= bound) continue;
    std::vector<Share> shares;
    for (const std::size_t s : live_shares) shares.push_back(all_shares[s]);
    bound = std::max(bound, live - slack - saving(shares));
  }
  return bound;
}

void check_problem(const Problem& problem) {
  constexpr std::int64_t kLimit = std::int64_t{1} << 61;
  std::int64_t total = 0;
  for (std::size_t id = 0; id < problem.buffers.size(); ++id) {
    const Buffer& buffer = problem.buffers[id];
    const auto text = [](std::int64_t value) { return std::to_string(value); };
    if (buffer.bytes < 0) malformed(problem, id, "its size is negative", text(buffer.bytes));
    if (buffer.first > buffer.last) {
      malformed(problem, id, "it dies before it is born", "steps " + text(buffer.first) + " to " + text(buffer.last));
    }
    if (buffer.last >= kLimit || buffer.first <= -kLimit)
      malformed(problem, id, "its steps exceed 2^61", text(buffer.last));
    if (buffer.alignment <= 0) malformed(problem, id, "its alignment is not positive", text(buffer.alignment));
    if (buffer.region != 0) malformed(problem, id, "only memory region 0 exists", "region " + text(buffer.region));
    if (buffer.offset.value_or(0) < 0) malformed(problem, id, "its fixed offset is negative", text(*buffer.offset));
    for (const std::int64_t part : {buffer.bytes, buffer.alignment, buffer.offset.value_or(0)}) {
      if (part > kLimit - total) malformed(problem, id, "all buffers together exceed 2^61 bytes", text(part));
      total += part;
    }
  }
  const auto check_pair = [&](const Choice& choice, BufferId a, BufferId b, std::int64_t bytes) {
    const auto n = static_cast<BufferId>(problem.buffers.size());
    if (a < 0 || b < 0 || a >= n || b >= n || a == b || bytes > kLimit || bytes < -kLimit) {
      throw Error({.problem = "choice '" + choice.name + "' is malformed",
                   .expected = "two different buffers out of " + std::to_string(n) + ", at most 2^61 bytes apart",
                   .found = std::to_string(a) + ", " + std::to_string(b) + " at " + std::to_string(bytes)});
    }
  };
  for (const Choice& choice : problem.choices) {
    if (choice.alternatives.empty() || choice.alternatives.size() > 64) {
      throw Error({.problem = "choice '" + choice.name + "' is malformed",
                   .expected = "1 to 64 alternatives",
                   .found = std::to_string(choice.alternatives.size())});
    }
    for (const Alternative& alternative : choice.alternatives) {
      for (const Separation& s : alternative.separations) check_pair(choice, s.low, s.high, s.bytes);
      for (const Tie& t : alternative.ties) check_pair(choice, t.a, t.b, 0);
    }
  }
}

}  // namespace ripc
