#include "plan/stages.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "plan/kernel_choices.h"
#include "plan/stage_cuts.h"
#include "schedule/schedule.h"

namespace ripc {
namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

constexpr std::int64_t kLongestStage = 100;
constexpr std::int64_t kNearby = 3;          // operators by which other stages may begin or end before or after
constexpr std::int64_t kPackingNodes = 300;  // of one stage by itself

std::vector<OpId> own_order(const Graph& graph) {
  std::vector<OpId> order(graph.ops.size());
  std::iota(order.begin(), order.end(), OpId{0});
  return order;
}

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

/// A plan to be: the stages, and what the placer made of them.
struct Candidate {
  Schedule schedule;
  std::vector<StageWays> ways;
  std::vector<KernelOption> kernels;
  NetworkProblem network;
  Placement placement;
};

class StageSearch {
 public:
  StageSearch(const Graph& graph, const PlanOptions& options)
      : graph_(graph),
        options_(options),
        order_(own_order(graph)),
        plain_(plain_schedule(graph)),
        problems_(graph, plain_, options.memory),
        choices_(kernel_choices(graph, plain_, problems_, options)),
        drafts_(graph, order_, options.memory, stage_kernels(graph, options)) {}

  std::optional<Candidate> run() {
    const StageCosts costs{.ops = std::ssize(order_),
                           .longest = kLongestStage,
                           .least = [&](std::int64_t begin, std::int64_t end) { return least(begin, end); },
                           .cost = [&](std::int64_t begin, std::int64_t end) { return cost(begin, end); }};
    std::int64_t target = least_bottleneck(costs);
    if (target == kNoStage) return std::nullopt;
    std::vector<std::int64_t> begins = stage_begins(costs, target);
    Candidate best = place_stages(begins, target);
    while (pack_bottlenecks(begins, std::min(target, best.placement.peak))) {
      const std::int64_t lower = least_bottleneck(costs);
      if (lower >= target) break;
      target = lower;
      begins = stage_begins(costs, target);
      Candidate candidate = place_stages(begins, target);
      if (candidate.placement.peak < best.placement.peak) best = std::move(candidate);
    }
    prove(best);
    return best;
  }

 private:
  bool streams(std::int64_t begin) const { return options_.stream_input && begin == 0; }

  bool is_possible(std::int64_t begin, std::int64_t end) const {
    if (streams(begin) && !drafts_.can_stream(end)) return false;
    if (end - begin == 1 && !streams(begin)) return true;
    for (std::int64_t position = begin; position < end; ++position) {
      if (!drafts_.can_join(position)) return false;
    }
    return true;
  }

  std::int64_t least(std::int64_t begin, std::int64_t end) {
    if (!is_possible(begin, end)) return kNoStage;
    return drafts_.least_bytes(begin, end, streams(begin));
  }

  std::int64_t cost(std::int64_t begin, std::int64_t end) {
    if (end - begin == 1 && !streams(begin)) return std::ranges::min(choices_.needs[index(order_[index(begin)])]);
    if (!is_possible(begin, end)) return kNoStage;
    const auto [place, fresh] = costs_.try_emplace({begin, end}, kNoStage);
    if (!fresh) return place->second;
    for (const bool reverse : {false, true}) {
      if (reverse && streams(begin)) continue;
      const StageDraft draft = drafts_.draft(begin, end, reverse, streams(begin));
      place->second = std::min(place->second, draft.bytes);
    }
    return place->second;
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
    if (least(begin, end) >= target || cost(begin, end) < target) return false;
    std::int64_t& bytes = costs_.at({begin, end});
    for (const bool reverse : {false, true}) {
      if (reverse && streams(begin)) continue;
      Problem problem = drafts_.problem(drafts_.draft(begin, end, reverse, streams(begin)));
      if (lower_bound(problem) >= target) continue;
      const Placement placement = place(problem, "exact", {.node_limit = kPackingNodes});
      if (!placement.offsets.empty()) bytes = std::min(bytes, placement.peak);
    }
    return bytes < target;
  }

  /// Both directions if they need the same buffers, or the better one.
  StageWays ways_of(std::int64_t begin, std::int64_t end) const {
    StageDraft forward = drafts_.draft(begin, end, false, streams(begin));
    if (streams(begin)) return {.drafts = {std::move(forward)}};
    StageDraft reverse = drafts_.draft(begin, end, true, false);
    const bool alike =
        std::ranges::equal(forward.rings.rings, reverse.rings.rings) && forward.scratch == reverse.scratch &&
        std::ranges::equal(forward.rings.places, reverse.rings.places, {}, &RowPlace::tensor, &RowPlace::tensor);
    StageWays ways;
    if (alike || forward.bytes <= reverse.bytes) ways.drafts.push_back(std::move(forward));
    if (alike || ways.drafts.empty()) ways.drafts.push_back(std::move(reverse));
    return ways;
  }

  Candidate place_stages(const std::vector<std::int64_t>& begins, std::int64_t target) {
    Candidate candidate;
    for (std::size_t i = 0; i < begins.size(); ++i) {
      const std::int64_t begin = begins[i], end = i + 1 < begins.size() ? begins[i + 1] : std::ssize(order_);
      StageWays& ways = candidate.ways.emplace_back();
      if (end - begin == 1 && !streams(begin)) {
        candidate.schedule.stages.push_back(plain_.stages[index(begin)]);
        continue;
      }
      ways = ways_of(begin, end);
      candidate.schedule.stages.push_back({.ops = ways.drafts.front().ops, .reverse = false, .steps = {}});
    }
    const std::int64_t allowed = allowed_arena(target, options_.optimize);
    candidate.kernels = pick(choices_, [&](std::int64_t bytes, const auto&) { return bytes <= allowed; });
    candidate.network =
        NetworkProblems(graph_, candidate.schedule, options_.memory, {}, candidate.ways).whole(candidate.kernels);
    candidate.placement = place_within(candidate.network.problem, target);
    return candidate;
  }

  /// A placement within `target` if one is soon found, and less if that is easy: what a whole network needs at least is
  /// seldom known, and a search for the very least finds less than one for a little less.
  Placement place_within(Problem problem, std::int64_t target) const {
    PlacerOptions few = options_.placer_options;
    few.node_limit /= 8;
    const auto attempt = [&](std::int64_t capacity, const PlacerOptions& placer) {
      problem.capacity = capacity;
      Placement placement = place(problem, options_.placer, placer);
      const bool fits = !placement.offsets.empty() && placement.peak <= capacity;
      return fits ? std::optional(std::move(placement)) : std::nullopt;
    };
    std::optional<Placement> best = attempt(target, options_.placer_options);
    problem.capacity.reset();
    if (!best) return checked_placement(graph_, problem, options_);
    const std::int64_t least = lower_bound(problem);
    for (std::int64_t step = (best->peak - least) / 8; step > best->peak / 1000; step /= 2) {
      while (std::optional<Placement> smaller = attempt(best->peak - step, few)) best = std::move(smaller);
    }
    return std::move(*best);
  }

  /// What is known of its least, by the search for it; it also finds what is wrong with the candidate's placement, and
  /// perhaps a smaller one.
  void prove(Candidate& candidate) const {
    Placement placement = checked_placement(graph_, candidate.network.problem, options_);
    const bool right = validate_placement(candidate.network.problem, candidate.placement).empty();
    if (!right || placement.peak <= candidate.placement.peak) {
      candidate.placement = std::move(placement);
      return;
    }
    candidate.placement.lower_bound = placement.lower_bound;
    const bool least = candidate.placement.peak == placement.lower_bound;
    candidate.placement.proof = least ? Proof::optimal : Proof::limited;
  }

  const Graph& graph_;
  const PlanOptions& options_;
  std::vector<OpId> order_;
  Schedule plain_;
  NetworkProblems problems_;
  KernelChoices choices_;
  StageDrafts drafts_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> costs_;
};

}  // namespace

std::optional<Plan> plan_stages(const Graph& graph, const PlanOptions& options) {
  std::optional<Candidate> found = StageSearch(graph, options).run();
  if (!found) return std::nullopt;
  return plan_of(graph, found->schedule, found->kernels, found->network, found->placement, options.memory, {},
                 found->ways);
}

}  // namespace ripc
