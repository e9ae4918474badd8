#include "placement/insert.h"

#include <algorithm>
#include <limits>

namespace ripc {
namespace {

constexpr std::int64_t kInfinity = std::numeric_limits<std::int64_t>::max();

// Starts strictly between `after` and `before` are taken.
struct Blocked {
  std::int64_t after;
  std::int64_t before;
};

struct Spot {
  std::int64_t offset = 0;
  std::int64_t room = kInfinity;  // how much higher it could start within its gap
};

// The open interval of starts that a placed buffer at `at` takes away; a tie leaves the very start free.
void block(std::int64_t at, const Relation& placed_to_new, std::vector<Blocked>& blocked) {
  const Blocked all{at - placed_to_new.b_below, at + placed_to_new.a_below};
  if (all.before - all.after < 2) return;
  if (placed_to_new.tied && all.after < at && at < all.before) {
    if (at - all.after >= 2) blocked.push_back({all.after, at});
    if (all.before - at >= 2) blocked.push_back({at, all.before});
    return;
  }
  blocked.push_back(all);
}

std::vector<Blocked> blocked_starts(const Conflicts& conflicts, BufferId id, const Partial& partial) {
  std::vector<Blocked> blocked;
  const std::int64_t bytes = conflicts.buffer(id).bytes;
  for (const BufferId other : conflicts.disjoint(id)) {
    const std::int64_t at = partial.offsets[static_cast<std::size_t>(other)];
    if (at != kUnplaced) block(at, {conflicts.buffer(other).bytes, bytes, false}, blocked);
  }
  for (const int p : conflicts.permitted(id)) {
    const PermittedPair& pair = conflicts.pairs()[static_cast<std::size_t>(p)];
    const BufferId other = pair.a == id ? pair.b : pair.a;
    const std::int64_t at = partial.offsets[static_cast<std::size_t>(other)];
    if (at == kUnplaced) continue;
    Relation relation = conflicts.relation(pair, partial.chosen);
    if (pair.a == id) std::swap(relation.a_below, relation.b_below);
    block(at, relation, blocked);
  }
  std::sort(blocked.begin(), blocked.end(), [](const Blocked& x, const Blocked& y) { return x.after < y.after; });
  return blocked;
}

std::optional<Spot> find_spot(const Conflicts& conflicts, BufferId id, Fit fit, const Partial& partial) {
  const Buffer& buffer = conflicts.buffer(id);
  const std::vector<Blocked> blocked = blocked_starts(conflicts, id, partial);
  if (buffer.offset) {
    const std::int64_t at = *buffer.offset;
    const bool taken = at % buffer.alignment != 0 || std::any_of(blocked.begin(), blocked.end(), [&](const Blocked& b) {
                         return b.after < at && at < b.before;
                       });
    return taken ? std::nullopt : std::optional<Spot>(Spot{at, 0});
  }
  std::optional<Spot> best;
  std::int64_t start = 0;
  for (const Blocked& next : blocked) {
    if (next.after >= start) {
      if (!best || next.after - start < best->room) best = Spot{start, next.after - start};
      if (fit == Fit::lowest) return best;
    }
    start = std::max(start, round_up(next.before, buffer.alignment));
  }
  return best ? best : Spot{start, kInfinity};
}

bool better(const std::optional<Spot>& x, const std::optional<Spot>& y, Fit fit) {
  if (!x || !y) return x && !y;
  if (fit == Fit::tightest && x->room != y->room) return x->room < y->room;
  return x->offset < y->offset;
}

}  // namespace

bool insert(const Conflicts& conflicts, BufferId id, Fit fit, Partial& partial) {
  std::vector<int> open;
  for (const int p : conflicts.permitted(id)) {
    const PermittedPair& pair = conflicts.pairs()[static_cast<std::size_t>(p)];
    if (partial.offsets[static_cast<std::size_t>(pair.a == id ? pair.b : pair.a)] == kUnplaced) continue;
    for (const Permit& permit : pair.permits) {
      if (partial.chosen[static_cast<std::size_t>(permit.choice)] == kUndecided) open.push_back(permit.choice);
    }
  }
  std::sort(open.begin(), open.end());
  open.erase(std::unique(open.begin(), open.end()), open.end());

  std::optional<Spot> spot = find_spot(conflicts, id, fit, partial);
  for (const int choice : open) {
    int& chosen = partial.chosen[static_cast<std::size_t>(choice)];
    int best = kUndecided;
    const auto& alternatives = conflicts.problem().choices[static_cast<std::size_t>(choice)].alternatives;
    for (chosen = 0; chosen < static_cast<int>(alternatives.size()); ++chosen) {
      const std::optional<Spot> other = find_spot(conflicts, id, fit, partial);
      if (!better(other, spot, fit)) continue;
      spot = other;
      best = chosen;
    }
    chosen = best;
  }
  if (!spot) {
    for (const int choice : open) partial.chosen[static_cast<std::size_t>(choice)] = kUndecided;
    return false;
  }
  partial.offsets[static_cast<std::size_t>(id)] = spot->offset;
  return true;
}

std::optional<Partial> insert_all(const Conflicts& conflicts, std::span<const BufferId> order, Fit fit,
                                  std::span<const int> preset) {
  Partial partial(conflicts.problem());
  std::copy(preset.begin(), preset.end(), partial.chosen.begin());
  for (const bool fixed : {true, false}) {
    for (const BufferId id : order) {
      if (conflicts.buffer(id).offset.has_value() != fixed) continue;
      if (!insert(conflicts, id, fit, partial)) return std::nullopt;
    }
  }
  return partial;
}

Placement finish(const Problem& problem, const Partial& partial) {
  Placement placement;
  placement.offsets = partial.offsets;
  placement.alternatives = partial.chosen;
  for (int& chosen : placement.alternatives) chosen = std::max(chosen, 0);
  for (std::size_t id = 0; id < problem.buffers.size(); ++id) {
    placement.peak = std::max(placement.peak, partial.offsets[id] + problem.buffers[id].bytes);
  }
  return placement;
}

Placement place_in_order(const Problem& problem, std::span<const BufferId> order, Fit fit) {
  const Conflicts conflicts(problem);
  const std::optional<Partial> partial = insert_all(conflicts, order, fit);
  Placement placement = partial ? finish(problem, *partial) : Placement{};
  placement.lower_bound = lower_bound(problem);
  return placement;
}

}  // namespace ripc
