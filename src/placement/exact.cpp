#include <algorithm>
#include <optional>
#include <vector>

#include "placement/greedy.h"
#include "placement/insert.h"
#include "placement/kernel.h"
#include "placement/placers.h"
#include "placement/search.h"

namespace ripc {
namespace {

constexpr std::int64_t kFirstTry = 2'000;    // nodes before a group is cut into windows
constexpr std::int64_t kWindowTry = 10'000;  // nodes of one window
constexpr std::size_t kMaxWindows = 64;      // of one size

// Every problem that has a placement has one within this capacity.
std::int64_t ample_capacity(const Problem& problem) {
  std::int64_t stacked = 0;
  std::int64_t fixed = 0;
  for (const Buffer& b : problem.buffers) {
    stacked += b.bytes + b.alignment - 1;
    fixed = std::max(fixed, b.offset.value_or(0) + b.bytes);
  }
  return stacked + fixed;
}

class ExactPlacer {
 public:
  ExactPlacer(const Problem& problem, const PlacerOptions& options)
      : problem_(problem), options_(options), conflicts_(problem), budget_(options) {}

  Placement run() {
    lower_ = lower_bound(problem_);
    if (problem_.capacity && lower_ > *problem_.capacity) return answer(Proof::infeasible);
    const std::int64_t goal = std::max(lower_, problem_.capacity.value_or(0));
    std::optional<Greedy> greedy = greedy_portfolio(conflicts_, goal, options_.greedy_start);
    if (greedy) best_ = greedy->placement;
    bool infeasible = false;
    bool at_bound = true;
    std::int64_t unknown = -1;  // the largest capacity at which the nodes ran out
    while (!enough() && budget_.left > 0) {
      std::int64_t most = best_ ? best_->peak - 1 : ample_capacity(problem_);
      if (problem_.capacity) most = std::min(most, *problem_.capacity);
      const std::int64_t least = std::max(lower_, unknown + 1);
      if (least > most) break;
      // Just above a capacity that was too much work is as much work again.
      const bool try_bound = at_bound && unknown < lower_;
      const std::int64_t capacity = problem_.capacity || !best_ ? most : try_bound ? least : least + (most - least) / 2;
      at_bound = !at_bound;
      const Verdict verdict = decide(capacity);
      if (verdict.outcome == Outcome::limited) unknown = capacity;
      if (verdict.outcome == Outcome::limited && options_.greedy_start && greedy) {
        improve(conflicts_, goal, *greedy);
        if (greedy->placement.peak < best_->peak) best_ = greedy->placement;
        greedy.reset();
      }
      if (verdict.outcome == Outcome::infeasible) {
        lower_ = std::max(lower_, verdict.least);
        infeasible = capacity == problem_.capacity || !best_;
        if (infeasible) break;
        lower_ = std::min(lower_, best_->peak);
      }
    }
    if (infeasible) return answer(Proof::infeasible);
    return answer(best_ && best_->peak == lower_ ? Proof::optimal : Proof::limited);
  }

 private:
  bool enough() const {
    return best_ && (best_->peak <= lower_ || (problem_.capacity && best_->peak <= *problem_.capacity));
  }

  Placement answer(Proof proof) const {
    Placement placement = best_ && proof != Proof::infeasible ? *best_ : Placement{};
    placement.lower_bound = lower_;
    placement.proof = proof;
    placement.nodes = budget_.spent;
    return placement;
  }

  bool may_overlap(std::span<const BufferId> buffers) const {
    return std::any_of(buffers.begin(), buffers.end(), [&](BufferId id) { return !conflicts_.permitted(id).empty(); });
  }

  // A search with at most `nodes` of the nodes left.
  Verdict search(std::span<const BufferId> buffers, std::int64_t capacity, std::int64_t nodes, Partial& partial) {
    Budget part = budget_.part(nodes);
    const auto decide_by = may_overlap(buffers) ? search_orders : search_packing;
    const Verdict verdict = decide_by(conflicts_, buffers, capacity, options_, part, partial);
    budget_.settle(part);
    return verdict;
  }

  Verdict decide_group(const std::vector<BufferId>& group, std::int64_t capacity, std::int64_t nodes,
                       Partial& partial) {
    if (!options_.windows) return search(group, capacity, nodes, partial);
    const bool overlaps = may_overlap(group);
    const Verdict first = search(group, capacity, overlaps ? std::min(nodes, kFirstTry) : nodes - nodes / 4, partial);
    if (first.outcome != Outcome::limited) return first;
    const std::int64_t stop = budget_.left - nodes / 4;
    for (std::size_t births = 2;; births *= 2) {
      const auto parts = windows(conflicts_, group, births, kMaxWindows);
      if (parts.empty()) break;
      for (const auto& part : parts) {
        if (part.size() == group.size() || budget_.left <= stop) continue;
        Partial scratch(problem_);
        const Verdict verdict = search(part, capacity, std::min(kWindowTry, budget_.left - stop), scratch);
        if (verdict.outcome != Outcome::infeasible) continue;
        refuting_ = part;
        return verdict;
      }
    }
    // A packing would be searched in the same way again.
    return overlaps ? search(group, capacity, nodes - nodes / 4, partial) : first;
  }

  // Is there a placement within `capacity`? Spends a part of the nodes left. If there is, it becomes the best.
  Verdict decide(std::int64_t capacity) {
    if (!refuting_.empty()) {
      Partial scratch(problem_);
      const Verdict verdict = search(refuting_, capacity, kWindowTry, scratch);
      if (verdict.outcome == Outcome::infeasible) return verdict;
    }
    Kernel kernel;
    if (options_.peel) {
      kernel = peel(conflicts_, capacity);
    } else {
      for (BufferId id = 0; id < conflicts_.size(); ++id) kernel.kernel.push_back(id);
    }
    std::vector<std::vector<BufferId>> groups;
    if (options_.components) {
      groups = components(conflicts_, kernel.kernel);
    } else if (!kernel.kernel.empty()) {
      groups.push_back(kernel.kernel);
    }
    Partial partial(problem_);
    Verdict worst{Outcome::feasible, 0};
    const std::int64_t nodes = problem_.capacity ? budget_.left : budget_.left / 2 + 1;
    for (const auto& group : groups) {
      const Verdict verdict = decide_group(group, capacity, nodes, partial);
      if (verdict.outcome == Outcome::infeasible) return verdict;
      if (verdict.outcome == Outcome::limited) worst = verdict;
    }
    if (worst.outcome == Outcome::feasible) {
      // Peeled buffers fit under any alternatives, but not under none.
      for (int& chosen : partial.chosen) chosen = std::max(chosen, 0);
      std::for_each(kernel.peeled.rbegin(), kernel.peeled.rend(),
                    [&](BufferId id) { insert(conflicts_, id, Fit::lowest, partial); });
      best_ = finish(problem_, partial);
    }
    return worst;
  }

  const Problem& problem_;
  const PlacerOptions& options_;
  Conflicts conflicts_;
  Budget budget_;
  std::int64_t lower_ = 0;
  std::optional<Placement> best_;
  std::vector<BufferId> refuting_;  // the window that refuted a capacity last; it may refute a larger one too
};

}  // namespace

Placement place_exact(const Problem& problem, const PlacerOptions& options) {
  return ExactPlacer(problem, options).run();
}

}  // namespace ripc
