#include "schedule/search.h"

#include <algorithm>
#include <compare>
#include <functional>
#include <queue>
#include <span>
#include <tuple>

#include "schedule/executed_sets.h"

namespace ripc::order {
namespace {

/// Steps that any order may take at once. Let a chain of operators, each reading the one before, run now within the
/// level, and leave no more alive than there is now, but not earlier. Then any order that goes on from here may run
/// that chain first: whatever else it runs finds no more alive beside it and no fewer of its inputs dying, for what the
/// chain frees it frees whenever it runs, and what it writes is no larger.
class Settler {
 public:
  Settler(const Piece& piece, Budget& budget) : piece_(piece), budget_(budget) {}

  /// Takes all such steps and appends them to `trail`.
  void settle(Progress& progress, std::int64_t level, std::vector<int>& trail) const {
    for (bool moved = true; moved;) {
      moved = false;
      budget_.steps += 1 + piece_.size() / 16;
      for (int op = 0; op < piece_.size(); ++op) {
        if (progress.is_ready(op)) moved |= take_chain(progress, op, level, trail);
      }
    }
  }

 private:
  bool take_chain(Progress& progress, int op, std::int64_t level, std::vector<int>& trail) const {
    const std::int64_t live = progress.live();
    const std::size_t start = trail.size();
    while (op >= 0) {
      ++budget_.steps;
      const Step step = progress.step(op);
      if (step.need > level) break;
      progress.run(op);
      trail.push_back(op);
      if (step.after <= live) return true;
      op = only_ready_reader(progress, op);
    }
    for (; trail.size() > start; trail.pop_back()) progress.undo(trail.back());
    return false;
  }

  int only_ready_reader(const Progress& progress, int op) const {
    int only = -1;
    for (const int reader : piece_.tensor(piece_.op(op).output).readers) {
      if (!progress.is_ready(reader)) continue;
      if (only >= 0) return -1;
      only = reader;
    }
    return only;
  }

  const Piece& piece_;
  Budget& budget_;
};

/// Runs `op` and what may follow at once, calls `use`, and takes it all back.
template <typename Use>
void try_step(Progress& progress, const Settler& settler, int op, std::int64_t level, std::vector<int>& trail,
              Use use) {
  trail.assign(1, op);
  progress.run(op);
  settler.settle(progress, level, trail);
  use();
  for (; !trail.empty(); trail.pop_back()) progress.undo(trail.back());
}

class LevelSearch {
 public:
  LevelSearch(const Piece& piece, std::int64_t level, std::int64_t ceiling, Budget& budget)
      : piece_(piece),
        budget_(budget),
        settler_(piece, budget),
        states_(piece),
        progress_(piece),
        level_(level),
        ceiling_(ceiling) {}

  Found run() {
    settler_.settle(progress_, level_, trail_);
    open_.push_back(states_.insert(progress_, -1, trail_).id);
    if (progress_.finished()) goal_ = open_.back();
    while (goal_ < 0 && (!open_.empty() || raise_level())) {
      if (budget_.spent()) return {.ops = {}, .level = level_, .out_of_work = true};
      const SetId state = open_.back();
      open_.pop_back();
      expand(state);
    }
    if (goal_ < 0) return {.ops = {}, .level = ceiling_};
    return {.ops = states_.path_to(goal_), .level = level_};
  }

 private:
  struct Child {
    std::int64_t live = 0;
    SetId id = 0;
  };

  void add(SetId parent) {
    const ExecutedSets::Place place = states_.insert(progress_, parent, trail_);
    if (!place.fresh) return;
    ++budget_.states;
    if (progress_.finished()) goal_ = place.id;
    children_.push_back({.live = progress_.live(), .id = place.id});
  }

  void expand(SetId state) {
    progress_.load(states_.bits(state));
    budget_.steps += 1 + piece_.size() / 8;
    children_.clear();
    trail_.clear();
    settler_.settle(progress_, level_, trail_);  // the level may have risen since this state was found
    if (!trail_.empty()) {
      add(state);
    } else {
      try_all(state);
    }
    // The state with the least alive is looked at first.
    std::ranges::sort(children_,
                      [](const Child& a, const Child& b) { return std::tie(b.live, b.id) < std::tie(a.live, a.id); });
    for (const Child& child : children_) open_.push_back(child.id);
  }

  void try_all(SetId state) {
    std::int64_t refused = ceiling_;
    for (int op = 0; op < piece_.size() && goal_ < 0; ++op) {
      if (!progress_.is_ready(op)) continue;
      ++budget_.steps;
      if (const std::int64_t need = progress_.step(op).need; need > level_) {
        refused = std::min(refused, need);
      } else {
        try_step(progress_, settler_, op, level_, trail_, [&] { add(state); });
      }
    }
    if (refused < ceiling_) refused_.push({refused, state});
  }

  bool raise_level() {
    if (refused_.empty()) return false;
    level_ = refused_.top().first;
    for (; !refused_.empty() && refused_.top().first == level_; refused_.pop()) open_.push_back(refused_.top().second);
    return true;
  }

  const Piece& piece_;
  Budget& budget_;
  Settler settler_;
  ExecutedSets states_;
  Progress progress_;
  std::int64_t level_, ceiling_;
  std::vector<SetId> open_;
  std::vector<Child> children_;
  std::vector<int> trail_;
  /// ExecutedSets with a step that was above the level, by what the least such step needs.
  std::priority_queue<std::pair<std::int64_t, SetId>, std::vector<std::pair<std::int64_t, SetId>>, std::greater<>>
      refused_;
  SetId goal_ = -1;
};

}  // namespace

Found search_levels(const Piece& piece, std::int64_t level, std::int64_t ceiling, Budget& budget) {
  return LevelSearch(piece, level, ceiling, budget).run();
}

std::optional<std::vector<int>> search_beam(const Piece& piece, int width, std::int64_t floor, std::int64_t ceiling,
                                            Budget& budget) {
  struct Entry {
    std::int64_t peak = 0, live = 0;
    SetId id = 0;
    auto operator<=>(const Entry&) const = default;
  };
  const Settler settler(piece, budget);
  ExecutedSets states(piece);
  Progress progress(piece);
  std::vector<std::int64_t> peaks;  // by state
  std::vector<std::vector<Entry>> layers(static_cast<std::size_t>(piece.size()) +
                                         1);  // by number of operators executed
  std::vector<int> trail;
  const auto add = [&](SetId parent, std::int64_t peak) {
    const ExecutedSets::Place place = states.insert(progress, parent, trail);
    if (place.fresh) {
      ++budget.states;
      peaks.push_back(peak);
    } else if (peak < peaks[static_cast<std::size_t>(place.id)]) {
      peaks[static_cast<std::size_t>(place.id)] = peak;
      states.reach_by(place.id, parent, trail);
    } else {
      return;
    }
    layers[static_cast<std::size_t>(progress.executed())].push_back(
        {.peak = peak, .live = progress.live(), .id = place.id});
  };
  settler.settle(progress, floor, trail);
  add(-1, floor);
  for (std::vector<Entry>& layer : layers) {
    // A state that was reached again with a lower peak is in its layer twice; the better entry comes first.
    std::ranges::sort(layer);
    int kept = 0;
    for (const Entry& entry : layer) {
      if (entry.peak != peaks[static_cast<std::size_t>(entry.id)]) continue;
      if (kept == width) break;
      ++kept;
      progress.load(states.bits(entry.id));
      if (progress.finished()) return states.path_to(entry.id);
      budget.steps += 1 + piece.size() / 8;
      for (int op = 0; op < piece.size(); ++op) {
        if (!progress.is_ready(op)) continue;
        if (budget.spent()) return std::nullopt;
        ++budget.steps;
        const std::int64_t peak = std::max(entry.peak, progress.step(op).need);
        if (peak < ceiling) try_step(progress, settler, op, peak, trail, [&] { add(entry.id, peak); });
      }
    }
  }
  return std::nullopt;
}

}  // namespace ripc::order
