#include "placement/milp.h"

#include <coin/Cbc_C_Interface.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <string>

#include "placement/conflicts.h"
#include "placement/insert.h"
#include "ripc/error.h"

namespace ripc {
namespace {

constexpr std::size_t kMaxRows = 200'000;

// One way to satisfy a pair, and the binary variable that takes it: offset(high) - offset(low) >= bytes; tied: both
// equal.
struct Way {
  BufferId low = 0;
  BufferId high = 0;
  std::int64_t bytes = 0;
  bool tied = false;
  int variable = 0;
  bool inverted = false;  // taken if the variable is 0
};

// Offsets under the ways taken, in whole bytes: the least solution of their difference constraints. A program in
// floating point decides only who lies where.
std::vector<std::int64_t> least_offsets(const Problem& problem, const std::vector<Way>& taken) {
  std::vector<std::int64_t> offsets;
  for (const Buffer& b : problem.buffers) offsets.push_back(b.offset.value_or(0));
  const auto raise = [&](BufferId id, std::int64_t least) {
    std::int64_t& offset = offsets[static_cast<std::size_t>(id)];
    if (offset >= least) return false;
    offset = round_up(least, problem.buffers[static_cast<std::size_t>(id)].alignment);
    return true;
  };
  const std::size_t rounds = 4 * problem.buffers.size() + 4;
  for (std::size_t round = 0; round < rounds; ++round) {
    bool changed = false;
    for (const Way& way : taken) {
      changed |= raise(way.high, offsets[static_cast<std::size_t>(way.low)] + (way.tied ? 0 : way.bytes));
      if (way.tied) changed |= raise(way.low, offsets[static_cast<std::size_t>(way.high)]);
    }
    if (changed) continue;
    const bool fixed_moved = std::any_of(problem.buffers.begin(), problem.buffers.end(), [&](const Buffer& b) {
      return b.offset && *b.offset != offsets[static_cast<std::size_t>(&b - problem.buffers.data())];
    });
    if (fixed_moved) break;
    return offsets;
  }
  throw Error({.problem = "the mixed-integer program answered with orders that have no placement"});
}

// Sizes are divided by what divides them all: the smaller the numbers, the sounder the floating-point program.
std::int64_t common_unit(const Problem& problem, std::int64_t penalty) {
  std::int64_t unit = penalty;
  for (const Buffer& b : problem.buffers) {
    unit = std::gcd(std::gcd(unit, b.bytes), std::gcd(b.offset.value_or(0), b.alignment > 1 ? b.alignment : 0));
  }
  for (const Choice& choice : problem.choices) {
    for (const Alternative& alternative : choice.alternatives) {
      for (const Separation& s : alternative.separations) unit = std::gcd(unit, s.bytes);
    }
  }
  return std::max<std::int64_t>(unit, 1);
}

class Program {
 public:
  // `most`: a peak that some placement is known to have.
  Program(const Problem& problem, const std::vector<Shift>& shifts, std::int64_t penalty, std::int64_t least,
          std::int64_t most)
      : problem_(problem),
        conflicts_(problem),
        model_(Cbc_newModel(), Cbc_deleteModel),
        unit_(common_unit(problem, penalty)),
        most_(most) {
    Cbc_setLogLevel(model_.get(), 0);
    Cbc_setObjSense(model_.get(), 1.0);
    peak_ = variable(scaled(least), scaled(most), 1.0, false);
    for (BufferId id = 0; id < conflicts_.size(); ++id) add_offset(id);
    for (const Choice& choice : problem.choices) {
      std::vector<int> one;
      for (std::size_t k = 0; k < choice.alternatives.size(); ++k) one.push_back(variable(0, 1, 0, true));
      row(one, std::vector<double>(one.size(), 1.0), 'E', 1.0);
      alternatives_.push_back(std::move(one));
    }
    for (BufferId id = 0; id < conflicts_.size(); ++id) {
      for (const BufferId other : conflicts_.disjoint(id)) {
        if (id < other) add_disjoint(id, other);
      }
    }
    for (const PermittedPair& pair : conflicts_.pairs()) add_permitted(pair);
    for (const Shift& shift : shifts) add_shift(shift, penalty);
  }

  Placement solve(const PlacerOptions& options, std::vector<char>& moved) {
    Cbc_setAllowableGap(model_.get(), 0.999);  // in units; peaks and penalties are whole numbers of them
    Cbc_setAllowableFractionGap(model_.get(), 0.0);
    Cbc_setMaximumNodes(model_.get(), static_cast<int>(std::min<std::int64_t>(options.node_limit, 1'000'000'000)));
    if (options.time_limit) Cbc_setMaximumSeconds(model_.get(), std::max(0.0, *options.time_limit));
    Cbc_solve(model_.get());
    Placement placement;
    placement.proof = Cbc_isProvenInfeasible(model_.get()) != 0 ? Proof::infeasible : Proof::limited;
    placement.nodes = Cbc_getNodeCount(model_.get());
    const bool proven = Cbc_isProvenOptimal(model_.get()) != 0;
    const double* values = Cbc_bestSolution(model_.get());
    if (values == nullptr && proven) values = Cbc_getColSolution(model_.get());  // of a program without binaries
    if (placement.proof == Proof::infeasible || values == nullptr) return placement;
    const auto value = [&](int v) { return values[static_cast<std::size_t>(v)]; };
    Partial partial(problem_);
    for (std::size_t c = 0; c < alternatives_.size(); ++c) {
      const auto& ways = alternatives_[c];
      const auto best = std::max_element(ways.begin(), ways.end(), [&](int x, int y) { return value(x) < value(y); });
      partial.chosen[c] = static_cast<int>(best - ways.begin());
    }
    std::vector<Way> taken;
    for (const Way& way : ways_) {
      if ((value(way.variable) > 0.5) != way.inverted) taken.push_back(way);
    }
    for (std::size_t s = 0; s < shifts_.size(); ++s) {
      moved.push_back(value(moves_[s]) > 0.5 ? 1 : 0);
      if (!moved.back()) taken.push_back({shifts_[s].buffer, shifts_[s].copy, 0, true, 0, false});
    }
    partial.offsets = least_offsets(problem_, taken);
    const std::int64_t nodes = placement.nodes;
    placement = finish(problem_, partial);
    placement.nodes = nodes;
    // Rounding may have hidden a conflict, which the whole numbers bring back as a higher peak.
    const bool same = static_cast<double>(placement.peak) / static_cast<double>(unit_) <= value(peak_) + 0.5;
    placement.proof = proven && same ? Proof::optimal : Proof::limited;
    return placement;
  }

 private:
  double scaled(std::int64_t bytes) const { return static_cast<double>(bytes) / static_cast<double>(unit_); }

  int variable(double low, double high, double cost, bool integer) {
    Cbc_addCol(model_.get(), "", low, high, cost, integer ? 1 : 0, 0, nullptr, nullptr);
    return Cbc_getNumCols(model_.get()) - 1;
  }

  void row(const std::vector<int>& variables, const std::vector<double>& factors, char sense, double right) {
    if (++rows_ > kMaxRows) {
      throw Error({.problem = "the mixed-integer program is too large",
                   .expected = "at most " + std::to_string(kMaxRows) + " rows",
                   .remedy = "Use the placer exact"});
    }
    Cbc_addRow(model_.get(), "", static_cast<int>(variables.size()), variables.data(), factors.data(), sense, right);
  }

  // offset = factor * variable, with a whole-number variable where the alignment asks for one.
  void add_offset(BufferId id) {
    const Buffer& b = conflicts_.buffer(id);
    const std::int64_t step = b.alignment > 1 ? b.alignment : unit_;
    const std::int64_t first = b.offset.value_or(0);
    const std::int64_t last = b.offset.value_or(std::max<std::int64_t>(0, most_ - b.bytes));
    const auto in_steps = [&](std::int64_t bytes) { return static_cast<double>(bytes) / static_cast<double>(step); };
    offsets_.push_back(variable(in_steps(first), in_steps(last), 0, b.alignment > 1));
    factors_.push_back(scaled(step));
    row({peak_, offset(id)}, {1.0, -factor(id)}, 'G', scaled(b.bytes));
  }
  int offset(BufferId id) const { return offsets_[static_cast<std::size_t>(id)]; }
  double factor(BufferId id) const { return factors_[static_cast<std::size_t>(id)]; }

  // offset(high) - offset(low) >= bytes if the binary `active` (or 1 - it) is set.
  void above(BufferId low, BufferId high, std::int64_t bytes, int active, bool inverted) {
    const double big = scaled(bytes + std::max<std::int64_t>(0, conflicts_.buffer(low).offset.value_or(most_)));
    const std::vector<int> variables{offset(high), offset(low), active};
    if (inverted) {
      row(variables, {factor(high), -factor(low), big}, 'G', scaled(bytes));
    } else {
      row(variables, {factor(high), -factor(low), -big}, 'G', scaled(bytes) - big);
    }
  }

  int add_way(BufferId low, BufferId high, std::int64_t bytes, bool tied) {
    const int taken = variable(0, 1, 0, true);
    above(low, high, tied ? 0 : bytes, taken, false);
    if (tied) above(high, low, 0, taken, false);
    ways_.push_back({low, high, bytes, tied, taken, false});
    return taken;
  }

  void add_disjoint(BufferId a, BufferId b) {
    const int a_below = add_way(a, b, conflicts_.buffer(a).bytes, false);
    above(b, a, conflicts_.buffer(b).bytes, a_below, true);
    ways_.push_back({b, a, conflicts_.buffer(b).bytes, false, a_below, true});
  }

  void add_permitted(const PermittedPair& pair) {
    std::vector<int> ways{add_way(pair.a, pair.b, conflicts_.buffer(pair.a).bytes, false),
                          add_way(pair.b, pair.a, conflicts_.buffer(pair.b).bytes, false)};
    for (const Permit& permit : pair.permits) {
      const BufferId high = permit.low == pair.a ? pair.b : pair.a;
      ways.push_back(add_way(permit.low, high, permit.bytes, permit.tied));
      const auto& choice = alternatives_[static_cast<std::size_t>(permit.choice)];
      row({choice[static_cast<std::size_t>(permit.alternative)], ways.back()}, {1.0, -1.0}, 'G', 0.0);
    }
    row(ways, std::vector<double>(ways.size(), 1.0), 'G', 1.0);
  }

  void add_shift(const Shift& shift, std::int64_t penalty) {
    const int moves = variable(0, 1, scaled(penalty), true);
    above(shift.buffer, shift.copy, 0, moves, true);
    above(shift.copy, shift.buffer, 0, moves, true);
    shifts_.push_back(shift);
    moves_.push_back(moves);
  }

  const Problem& problem_;
  Conflicts conflicts_;
  std::unique_ptr<Cbc_Model, void (*)(Cbc_Model*)> model_;
  std::int64_t unit_;
  std::int64_t most_;
  int peak_ = 0;
  std::vector<int> offsets_;
  std::vector<double> factors_;
  std::vector<std::vector<int>> alternatives_;
  std::vector<Way> ways_;
  std::vector<Shift> shifts_;
  std::vector<int> moves_;
  std::size_t rows_ = 0;
};

// A capacity that every problem with a placement can be placed in: that of a greedy placement, or of all buffers in a
// stack.
std::int64_t enough(const Problem& problem, const Placement& greedy) {
  if (!greedy.offsets.empty()) return greedy.peak;
  std::int64_t stacked = 0;
  for (const Buffer& b : problem.buffers) stacked += b.bytes + b.alignment + b.offset.value_or(0);
  return stacked;
}

}  // namespace

ShiftableProblem with_shifts(const Problem& problem) {
  ShiftableProblem result{problem, {}};
  Problem& changed = result.problem;
  std::vector<BufferId> copy_of(problem.buffers.size(), -1);
  for (const PermittedPair& pair : permitted_pairs(problem)) {
    // `a` is born first; a shift helps if it is overwritten by `b` where it dies.
    const Buffer& a = problem.buffers[static_cast<std::size_t>(pair.a)];
    const Buffer& b = problem.buffers[static_cast<std::size_t>(pair.b)];
    if (a.last != b.first || a.first == a.last || copy_of[static_cast<std::size_t>(pair.a)] >= 0) continue;
    copy_of[static_cast<std::size_t>(pair.a)] = static_cast<BufferId>(changed.buffers.size());
    result.shifts.push_back({pair.a, static_cast<BufferId>(changed.buffers.size())});
    Buffer copy = a;
    copy.name += "'";
    copy.first = copy.last;
    changed.buffers.push_back(copy);
    --changed.buffers[static_cast<std::size_t>(pair.a)].last;
  }
  // What a choice says of a buffer at its last step holds for its copy; what it says of it at its birth, for itself.
  const auto dying = [&](BufferId id, BufferId other) {
    const Buffer& x = problem.buffers[static_cast<std::size_t>(id)];
    const Buffer& y = problem.buffers[static_cast<std::size_t>(other)];
    const BufferId copy = copy_of[static_cast<std::size_t>(id)];
    return copy >= 0 && y.last >= x.last && y.first <= x.last ? copy : kUndecided;
  };
  for (Choice& choice : changed.choices) {
    for (Alternative& alternative : choice.alternatives) {
      for (std::size_t i = 0, n = alternative.separations.size(); i < n; ++i) {
        const Separation s = alternative.separations[i];
        const BufferId low = dying(s.low, s.high);
        const BufferId high = dying(s.high, s.low);
        if (low >= 0) alternative.separations.push_back({low, s.high, s.bytes});
        if (high >= 0) alternative.separations.push_back({s.low, high, s.bytes});
        if (low >= 0 && high >= 0) alternative.separations.push_back({low, high, s.bytes});
      }
      for (std::size_t i = 0, n = alternative.ties.size(); i < n; ++i) {
        const Tie t = alternative.ties[i];
        const BufferId a = dying(t.a, t.b);
        const BufferId b = dying(t.b, t.a);
        if (a >= 0) alternative.ties.push_back({a, t.b});
        if (b >= 0) alternative.ties.push_back({t.a, b});
        if (a >= 0 && b >= 0) alternative.ties.push_back({a, b});
      }
    }
  }
  return result;
}

Placement place_milp(const Problem& problem, const PlacerOptions& options) {
  const std::int64_t least = lower_bound(problem);
  const Placement greedy = place_greedy_by_size(problem);
  const std::int64_t most =
      std::min(enough(problem, greedy), problem.capacity.value_or(std::numeric_limits<std::int64_t>::max()));
  Placement placement;
  placement.proof = Proof::infeasible;
  if (least <= most) {
    std::vector<char> moved;
    placement = Program(problem, {}, 0, least, most).solve(options, moved);
  }
  if (placement.proof == Proof::limited && placement.offsets.empty() && !greedy.offsets.empty()) {
    const std::int64_t nodes = placement.nodes;
    placement = greedy;
    placement.nodes = nodes;
    placement.proof = greedy.peak == least ? Proof::optimal : Proof::limited;
  }
  placement.lower_bound = placement.proof == Proof::optimal ? placement.peak : least;
  return placement;
}

ShiftedPlacement place_with_shifts(const Problem& problem, const PlacerOptions& options) {
  check_problem(problem);
  ShiftedPlacement result{with_shifts(problem), {}, {}, false};
  const std::vector<Shift>& shifts = result.shiftable.shifts;
  std::vector<char> moved;
  const std::int64_t least = lower_bound(result.shiftable.problem);
  Program program(result.shiftable.problem, shifts, options.shift_penalty, least,
                  enough(problem, place_greedy_by_size(problem)));
  result.placement = program.solve(options, moved);
  result.proven = result.placement.proof == Proof::optimal;
  result.placement.lower_bound = least;
  if (result.placement.peak != least) result.placement.proof = Proof::heuristic;
  for (std::size_t s = 0; s < moved.size(); ++s) {
    if (moved[s]) result.taken.push_back(shifts[s]);
  }
  return result;
}

}  // namespace ripc
