#include "plan/stages.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "plan/kernel_choices.h"
#include "plan/stage_cuts.h"
#include "plan/stage_kernels.h"
#include "plan/stage_placing.h"
#include "schedule/schedule.h"

namespace ripc {
namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

constexpr std::int64_t kLongestStage = 100;
constexpr std::int64_t kSlack = 8;      // part of a placement by which a stack may exceed it
constexpr std::int64_t kRingSlack = 4;  // part of the rings by which those of the other direction may be smaller
constexpr std::int64_t kRoom = 16;      // part of the arena that a stage leaves free if it need not be in blocks
constexpr std::int64_t kNearby = 3;     // operators by which other stages may begin or end before or after

/// By OpId, those among which a stage may choose: all of them, or for speed the fastest that makes rows.
std::vector<std::vector<KernelOption>> stage_kernels(const Graph& graph, const PlanOptions& options) {
  std::vector<std::vector<KernelOption>> kernels;
  for (const Op& op : graph.ops) {
    std::vector<KernelOption>& own = kernels.emplace_back(options.stage_kernels(graph, op));
    if (options.optimize != Optimize::speed) continue;
    const auto fastest =
        std::ranges::find_if(own, [](const KernelOption& kernel) { return makes_rows(*kernel.contract); });
    if (fastest != own.end()) own = {*fastest};
  }
  return kernels;
}

/// Where the stages begin, and what none of them is dearer than.
struct Cuts {
  std::int64_t target = 0;
  std::vector<std::int64_t> begins;
};

/// Whether a stage is small enough.
using Fits = std::function<bool(const StageDraft&)>;

class StageSearch {
 public:
  StageSearch(const Graph& graph, std::span<const OpId> order, const PlanOptions& options)
      : graph_(graph),
        options_(options),
        order_(order.begin(), order.end()),
        plain_(schedule_in_order(graph, order)),
        problems_(graph, plain_, options.memory),
        choices_(kernel_choices(graph, plain_, problems_, options)),
        drafts_(graph, order_, options.memory, stage_kernels(graph, options)) {}

  std::optional<StagedCandidate> run(std::int64_t below) {
    const StageCosts costs{
        .ops = std::ssize(order_),
        .longest = kLongestStage,
        .below = below == kNoStage ? kNoStage : below + below / kSlack,
        .least = [&](std::int64_t begin, std::int64_t end) { return least(begin, end); },
        .cost = [&](std::int64_t begin, std::int64_t end, std::int64_t most) { return cost(begin, end, most); },
        .inner = [&](std::int64_t begin, std::int64_t end) { return inner(begin, end); }};
    std::int64_t target = least_bottleneck(costs);
    if (target >= costs.below) return std::nullopt;
    // The tighter the cuts, the less room for placement: the last ones that can be placed are the best.
    std::vector<Cuts> cuts{{target, stage_begins(costs, target)}};
    while (pack_bottlenecks(cuts.back().begins, target)) {
      const std::int64_t lower = least_bottleneck(costs);
      if (lower >= target) break;
      target = lower;
      cuts.push_back({target, stage_begins(costs, target)});
    }
    std::optional<StagedCandidate> best;
    for (; !cuts.empty() && cuts.back().target < (best ? best->placement.peak : below); cuts.pop_back()) {
      StagedCandidate candidate = place_stages(cuts.back());
      if (!best || candidate.placement.peak < best->placement.peak) best = std::move(candidate);
    }
    if (!best || best->placement.peak >= below) return std::nullopt;
    prove(graph_, *best, options_);
    bool changed = split(*best);
    changed |= has_slow_kernels(*best) && speed_up(*best);
    if (changed) prove(graph_, *best, options_);
    return best;
  }

 private:
  /// Of a stage, or if not exact, less than that; and into how many blocks it divides its rows for it.
  struct Cost {
    std::int64_t bytes = 0, blocks = 1;
    bool exact = false;
    std::int64_t inner = 0;  // as StageCosts::inner
  };

  bool streams(std::int64_t begin) const { return options_.stream_input && begin == 0; }

  bool is_possible(std::int64_t begin, std::int64_t end) const {
    if (streams(begin) && !drafts_.can_stream(end)) return false;
    if (end - begin == 1 && !streams(begin)) return true;
    for (std::int64_t position = begin; position < end; ++position) {
      if (!drafts_.can_join(position)) return false;
    }
    return true;
  }

  std::int64_t least(std::int64_t begin, std::int64_t end, std::int64_t inner = 0) const {
    if (!is_possible(begin, end)) return kNoStage;
    return drafts_.least_bytes(begin, end, streams(begin), inner);
  }

  /// As StageCosts::cost, but that a stage is taken to need at least the rings of a shorter one with the same end.
  std::int64_t cost(std::int64_t begin, std::int64_t end, std::int64_t most = kNoStage) {
    if (end - begin == 1 && !streams(begin)) return std::ranges::min(choices_.needs[index(order_[index(begin)])]);
    const std::int64_t shorter = inner(begin + 1, end), bound = least(begin, end, shorter);
    if (bound == kNoStage) return kNoStage;
    Cost& known = costs_[{end, begin}];
    if (known.exact || known.bytes > most) return known.bytes;
    if (bound > most) {
      known = {.bytes = bound, .inner = shorter};
      return known.bytes;
    }
    known = {.bytes = kNoStage, .inner = kNoStage};
    for (const StageMode& mode : modes(begin, end)) {
      // The other direction's rings are about as high.
      if (mode.reverse && known.inner != kNoStage && known.inner - known.inner / kRingSlack > most) continue;
      const StageDraft draft = drafts_.draft(begin, end, mode, {}, most);
      known.inner = std::min(known.inner, draft.inner);
      if (draft.bytes < known.bytes) {
        known.bytes = draft.bytes;
        known.blocks = mode.blocks;
      }
    }
    known.exact = known.bytes <= most;
    return known.bytes;
  }

  /// As StageCosts::inner: of the longest stage that ends there, begins there or later, and has been looked at.
  std::int64_t inner(std::int64_t begin, std::int64_t end) const {
    const auto known = costs_.lower_bound({end, begin});
    return known == costs_.end() || known->first.first != end ? 0 : known->second.inner;
  }

  /// The ways of running the stage: both directions unless it streams, with whole rows first, then in blocks.
  std::vector<StageMode> modes(std::int64_t begin, std::int64_t end) const {
    std::vector<std::int64_t> divisions{1};
    bool divides = options_.optimize != Optimize::speed;
    for (std::int64_t position = begin; position < end; ++position) divides = divides && drafts_.can_divide(position);
    if (divides) divisions.insert(divisions.end(), options_.stage_blocks.begin(), options_.stage_blocks.end());
    std::vector<StageMode> modes;
    for (const std::int64_t blocks : divisions) {
      modes.push_back({.reverse = false, .streamed = streams(begin), .blocks = blocks});
      if (!streams(begin)) modes.push_back({.reverse = true, .streamed = false, .blocks = blocks});
    }
    return modes;
  }

  /// Into how many blocks the stage divides its rows: as few as leave placement some room, or what takes least.
  std::int64_t blocks_of(std::int64_t begin, std::int64_t end, std::int64_t allowed) const {
    const std::int64_t least = costs_.at({end, begin}).blocks;
    if (least == 1) return 1;
    for (const StageMode& mode : modes(begin, end)) {
      if (drafts_.draft(begin, end, mode).bytes <= allowed - allowed / kRoom) return mode.blocks;
    }
    return least;
  }

  /// A stack is not the best placement: tries to place the dearest stages, and those that begin or end nearby, by
  /// themselves within less than `target`. Whether there was one.
  bool pack_bottlenecks(const std::vector<std::int64_t>& begins, std::int64_t target) {
    bool any = false;
    for (std::size_t i = 0; i < begins.size(); ++i) {
      const std::int64_t begin = begins[i], end = i + 1 < begins.size() ? begins[i + 1] : std::ssize(order_);
      if (cost(begin, end) < target) continue;
      for (std::int64_t from = std::max<std::int64_t>(0, begin - kNearby); from <= begin + kNearby; ++from) {
        for (std::int64_t to = end - kNearby; to <= std::min(end + kNearby, std::ssize(order_)); ++to) {
          if (to > from && to - from <= kLongestStage) any |= pack(from, to, target);
        }
      }
    }
    return any;
  }

  /// Whether the stage can be placed by itself within less than `target`, which its stack is not.
  bool pack(std::int64_t begin, std::int64_t end, std::int64_t target) {
    if (end - begin == 1 && !streams(begin)) return false;
    if (least(begin, end) >= target || cost(begin, end) < target || !packed_.insert({begin, end}).second) return false;
    Cost& best = costs_.at({end, begin});
    for (const StageMode& mode : modes(begin, end)) {
      const Problem problem = drafts_.problem(drafts_.draft(begin, end, mode)).problem;
      if (lower_bound(problem) >= target) continue;
      const std::int64_t peak = place_alone(problem).peak;
      if (peak < best.bytes) best = {.bytes = peak, .blocks = mode.blocks, .exact = true, .inner = best.inner};
    }
    return best.bytes < target;
  }

  /// Both directions if they need the same buffers, or the better one; with the fastest kernels that fit, or those of
  /// least side memory.
  StageWays ways_of(std::int64_t begin, std::int64_t end, std::int64_t allowed, const Fits& fits) const {
    StageMode mode{.reverse = false, .streamed = streams(begin), .blocks = blocks_of(begin, end, allowed)};
    const auto drafts = [&](const KernelPicks& picks) {
      mode.reverse = false;
      std::vector<StageDraft> both{drafts_.draft(begin, end, mode, picks)};
      mode.reverse = true;
      if (!mode.streamed) both.push_back(drafts_.draft(begin, end, mode, picks));
      return both;
    };
    std::vector<StageDraft> both = drafts({});
    const auto better = [&] { return both.size() == 1 || both[0].bytes <= both[1].bytes ? 0U : 1U; };
    if (fits) {
      mode.reverse = both[better()].reverse;
      both = drafts(drafts_.fast_picks(begin, end, mode, fits));
    }
    for (StageDraft& draft : both) drafts_.add_steps(draft);
    const bool alike =
        both.size() == 2 && std::ranges::equal(both[0].rings.rings, both[1].rings.rings) &&
        both[0].scratch == both[1].scratch &&
        std::ranges::equal(both[0].rings.places, both[1].rings.places, {}, &RowPlace::tensor, &RowPlace::tensor);
    if (alike) return {.drafts = std::move(both)};
    return {.drafts = {std::move(both[better()])}};
  }

  /// All but the placement. Operators that are stages of their own have the fastest kernels that stay within `allowed`.
  StagedCandidate candidate_of(const std::vector<std::int64_t>& begins, std::int64_t allowed,
                               const Fits& fits = {}) const {
    StagedCandidate candidate;
    candidate.begins = begins;
    for (std::size_t i = 0; i < begins.size(); ++i) {
      const std::int64_t begin = begins[i], end = i + 1 < begins.size() ? begins[i + 1] : std::ssize(order_);
      StageWays& ways = candidate.ways.emplace_back();
      if (end - begin == 1 && !streams(begin)) {
        candidate.schedule.stages.push_back(plain_.stages[index(begin)]);
        continue;
      }
      ways = ways_of(begin, end, allowed, fits);
      candidate.schedule.stages.push_back({.ops = ways.drafts.front().ops, .reverse = false, .steps = {}});
    }
    candidate.kernels = pick(choices_, [&](std::int64_t bytes, const auto&) { return bytes <= allowed; });
    candidate.network =
        NetworkProblems(graph_, candidate.schedule, options_.memory, {}, candidate.ways).whole(candidate.kernels);
    return candidate;
  }

  StagedCandidate place_stages(const Cuts& cuts) const {
    const Optimize aim = options_.optimize == Optimize::speed ? Optimize::speed : Optimize::ram;
    StagedCandidate candidate = candidate_of(cuts.begins, allowed_arena(cuts.target, aim));
    std::optional<Placement> placement = place_within(drafts_, candidate, cuts.target, options_);
    candidate.placement = placement ? std::move(*placement) : place_least(graph_, candidate.network.problem, options_);
    return candidate;
  }

  bool has_slow_kernels(const StagedCandidate& candidate) const {
    const auto& stages = candidate.schedule.stages;
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
      const auto& drafts = candidate.ways[stage].drafts;
      for (std::size_t i = 0; i < stages[stage].ops.size(); ++i) {
        const std::size_t op = index(stages[stage].ops[i]);
        const bool fastest = drafts.empty() ? candidate.kernels[op].contract == choices_.kernels[op].front().contract
                                            : drafts.front().kernels[i].contract ==
                                                  drafts_.kernels(stages[stage].ops[i]).front().contract;
        if (!fastest) return true;
      }
    }
    return false;
  }

  /// Cuts stages into operators by themselves, for fewer calls, where the arena has room for the fastest kernels of all
  /// of them: as many stages, those that need least, as can be placed together. Whether it did.
  bool split(StagedCandidate& best) const {
    struct Split {
      std::int64_t bytes = 0, begin = 0, end = 0;  // what the dearest of its operators needs alone
    };
    const std::int64_t arena = best.placement.peak;
    std::vector<Split> splits;
    for (std::size_t i = 0; i < best.begins.size(); ++i) {
      Split stage{.begin = best.begins[i], .end = i + 1 < best.begins.size() ? best.begins[i + 1] : std::ssize(order_)};
      if (stage.end - stage.begin == 1 || streams(stage.begin)) continue;
      for (std::int64_t op = stage.begin; op < stage.end; ++op) {
        stage.bytes = std::max(stage.bytes, choices_.needs[index(order_[index(op)])].front());
      }
      if (stage.bytes <= arena) splits.push_back(stage);
    }
    std::ranges::stable_sort(splits, {}, &Split::bytes);
    for (; !splits.empty(); splits.resize(splits.size() * 3 / 4)) {
      std::set<std::int64_t> begins(best.begins.begin(), best.begins.end());
      for (const Split& stage : splits) {
        for (std::int64_t op = stage.begin; op < stage.end; ++op) begins.insert(op);
      }
      StagedCandidate apart = candidate_of({begins.begin(), begins.end()}, arena);
      std::optional<Placement> placement = place_within(drafts_, apart, arena, options_);
      if (!placement) continue;
      apart.placement = std::move(*placement);
      best = std::move(apart);
      return true;
    }
    return false;
  }

  /// Gives the stages faster kernels, as far as the arena allows. The less of it the stages by themselves may take, the
  /// more room is left for placement. Whether it did.
  bool speed_up(StagedCandidate& best) const {
    const std::int64_t allowed = allowed_arena(best.placement.peak, options_.optimize);
    for (const std::int64_t room : {std::int64_t{0}, allowed / 32, allowed / 8}) {
      const std::int64_t most = allowed - room;
      const auto fits = [&](const StageDraft& draft) { return draft.bytes <= most || packs(draft, most); };
      StagedCandidate fast = candidate_of(best.begins, most, fits);
      std::optional<Placement> placement = place_within(drafts_, fast, allowed, options_);
      if (!placement) continue;
      fast.placement = std::move(*placement);
      best = std::move(fast);
      return true;
    }
    return false;
  }

  /// Whether the stage by itself can be placed within `most`.
  bool packs(const StageDraft& draft, std::int64_t most) const {
    const Problem problem = drafts_.problem(draft).problem;
    return lower_bound(problem) <= most && place_alone(problem).peak <= most;
  }

  const Graph& graph_;
  const PlanOptions& options_;
  std::vector<OpId> order_;
  Schedule plain_;
  NetworkProblems problems_;
  KernelChoices choices_;
  StageDrafts drafts_;
  std::map<std::pair<std::int64_t, std::int64_t>, Cost> costs_;  // by end and begin
  std::set<std::pair<std::int64_t, std::int64_t>> packed_;       // whose costs are those of a search, not of a stack
};

}  // namespace

std::optional<Plan> plan_stages(const Graph& graph, std::span<const OpId> order, const PlanOptions& options,
                                std::int64_t below) {
  std::optional<StagedCandidate> found = StageSearch(graph, order, options).run(below);
  if (!found) return std::nullopt;
  return plan_of(graph, found->schedule, found->kernels, found->network, found->placement, options.memory, {},
                 found->ways);
}

}  // namespace ripc
