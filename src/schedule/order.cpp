#include "schedule/order.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "schedule/pieces.h"
#include "schedule/search.h"
#include "schedule/stretches.h"

namespace ripc {
namespace {

using order::Budget;
using order::Found;
using order::Piece;

/// What the caller's writing of the inputs needs.
std::int64_t given_bytes(const OrderProblem& problem) {
  std::int64_t bytes = 0;
  for (const OrderTensor& tensor : problem.tensors) bytes += tensor.given ? tensor.bytes : 0;
  return bytes;
}

std::int64_t peak_of(const Piece& piece, std::span<const int> ops) {
  order::Progress progress(piece);
  std::int64_t peak = progress.live();
  for (const int op : ops) {
    if (!progress.is_ready(op)) throw std::logic_error("an operator of the order reads what is not yet there");
    peak = std::max(peak, progress.step(op).need);
    progress.run(op);
  }
  if (!progress.finished()) throw std::logic_error("the order leaves out an operator");
  return peak;
}

/// A piece and the best that is known of it.
struct Ordered {
  Piece piece;
  std::vector<int> ops;
  std::int64_t peak = 0, lower_bound = 0;
};

Ordered as_given(Piece piece) {
  Ordered ordered{.piece = std::move(piece), .ops = {}, .peak = 0, .lower_bound = 0};
  ordered.ops.resize(ordered.piece.ops.size());
  std::iota(ordered.ops.begin(), ordered.ops.end(), 0);
  ordered.peak = peak_of(ordered.piece, ordered.ops);
  ordered.lower_bound = ordered.peak;
  return ordered;
}

class Improver {
 public:
  /// A peak of `floor` is good enough.
  Improver(Ordered& ordered, std::int64_t floor, Budget& budget) : ordered_(ordered), floor_(floor), budget_(budget) {}

  void run() {
    beam(1);
    beam(8);
    prove(budget_.limit / 2);
    for (int width = 16; !done() && !budget_.spent() && width < 2 * ordered_.piece.size(); width *= 2) stretches(width);
    while (!done() && !budget_.spent()) {
      const Found found = order::search_levels(ordered_.piece, ordered_.peak - 1, ordered_.peak, budget_);
      if (!found.ops.empty()) {
        accept(found.ops);
      } else if (!found.out_of_work) {
        ordered_.lower_bound = ordered_.peak;
      }
    }
  }

 private:
  std::int64_t good_enough() const { return std::max(floor_, ordered_.lower_bound); }
  bool done() const { return ordered_.peak <= good_enough(); }

  void accept(std::vector<int> ops) {
    ordered_.peak = peak_of(ordered_.piece, ops);
    ordered_.ops = std::move(ops);
  }

  void beam(int width) {
    if (done()) return;
    if (auto ops = order::search_beam(ordered_.piece, width, good_enough(), ordered_.peak, budget_)) {
      accept(std::move(*ops));
    }
  }

  void stretches(int width) {
    accept(order::improve_stretches(ordered_.piece, ordered_.ops, width, good_enough(), budget_));
  }

  /// From below: each level that holds no order raises the bound.
  void prove(std::int64_t limit) {
    if (done()) return;
    Budget part = budget_;
    part.limit = limit;
    const std::int64_t start = good_enough();
    const Found found = order::search_levels(ordered_.piece, start, ordered_.peak, part);
    budget_.steps = part.steps;
    budget_.states = part.states;
    if (found.level > start) ordered_.lower_bound = found.level;
    if (!found.ops.empty()) accept(found.ops);
  }

  Ordered& ordered_;
  std::int64_t floor_;
  Budget& budget_;
};

}  // namespace

std::int64_t order_peak(const OrderProblem& problem, std::span<const int> order) {
  return std::max(given_bytes(problem), peak_of(order::whole_piece(problem), order));
}

Order find_order(const OrderProblem& problem, const OrderOptions& options) {
  std::vector<Ordered> pieces;
  Order order;
  order.peak = given_bytes(problem);
  std::int64_t own_peak = order.peak;
  for (Piece& piece : order::pieces_of(problem)) {
    pieces.push_back(as_given(std::move(piece)));
    own_peak = std::max(own_peak, pieces.back().peak);
  }
  for (Ordered& ordered : pieces) {
    if (ordered.ops.size() > 1) ordered.lower_bound = order::least_peak(ordered.piece);
    order.peak = std::max(order.peak, ordered.lower_bound);
  }
  order.lower_bound = order.peak;

  // What one piece needs, no other need stay below: the worst first.
  std::vector<Ordered*> by_peak;
  for (Ordered& ordered : pieces) by_peak.push_back(&ordered);
  std::ranges::stable_sort(by_peak, std::ranges::greater{}, [](const Ordered* ordered) { return ordered->peak; });
  std::size_t end = by_peak.size();
  for (std::size_t at = 0;; ++at) {
    while (end > at && by_peak[end - 1]->peak <= order.peak) --end;
    if (at == end) break;
    Budget budget{.limit = (options.step_limit - order.steps) / static_cast<std::int64_t>(end - at)};
    Improver(*by_peak[at], order.peak, budget).run();
    order.steps += budget.steps;
    order.states += budget.states;
    order.peak = std::max(order.peak, by_peak[at]->peak);
    order.lower_bound = std::max(order.lower_bound, by_peak[at]->lower_bound);
  }
  for (const Ordered& ordered : pieces) {
    for (const int op : ordered.ops) order.ops.push_back(ordered.piece.first + op);
  }
  if (order.peak == own_peak) std::ranges::sort(order.ops);
  return order;
}

}  // namespace ripc
