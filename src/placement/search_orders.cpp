#include "placement/search_orders.h"

namespace ripc {
namespace {

constexpr int kMaxDepth = 4'000;  // pairs; a search that would go deeper is limited

class OrderSearch {
 public:
  OrderSearch(OrderState& state, Budget& budget) : state_(state), budget_(budget) {}

  Outcome run(int depth) {
    const int pair = state_.violated_pair();
    if (pair < 0) return Outcome::feasible;
    if (depth > kMaxDepth) return Outcome::limited;
    const std::vector<Order> orders = state_.open_orders(pair);
    for (std::size_t i = 0; i < orders.size(); ++i) {
      if (!budget_.take()) return Outcome::limited;
      const std::size_t mark = state_.mark();
      if (differs_from_refuted(orders, i) && state_.take(pair, orders[i])) {
        const Outcome outcome = run(depth + 1);
        if (outcome != Outcome::infeasible) return outcome;
      }
      if (state_.out_of_work()) return Outcome::limited;
      state_.undo(mark);
    }
    return Outcome::infeasible;
  }

 private:
  // A wider distance in the same direction is new only where the alternative that allowed the narrower one is not
  // taken.
  bool differs_from_refuted(const std::vector<Order>& orders, std::size_t at) {
    const Order& order = orders[at];
    for (std::size_t i = 0; i < at; ++i) {
      const Order& refuted = orders[i];
      const bool implied = !order.tied && !refuted.tied && refuted.low == order.low && refuted.bytes <= order.bytes;
      if (!implied) continue;
      if (refuted.choice == kUndecided) return false;
      if (refuted.choice == order.choice && refuted.alternative == order.alternative) return false;
      if (refuted.choice == order.choice) continue;
      if (!state_.forbid(refuted.choice, refuted.alternative)) return false;
    }
    return true;
  }

  OrderState& state_;
  Budget& budget_;
};

}  // namespace

Verdict search_orders(const Conflicts& conflicts, std::span<const BufferId> buffers, std::int64_t capacity,
                      const PlacerOptions& options, Budget& budget, Partial& partial) {
  OrderState state(conflicts, buffers, capacity, options, budget);
  Outcome outcome = Outcome::infeasible;
  if (state.start()) {
    outcome = OrderSearch(state, budget).run(0);
  } else if (state.out_of_work()) {
    outcome = Outcome::limited;
  }
  if (outcome == Outcome::feasible) state.write(partial);
  return {outcome, state.least_capacity()};
}

}  // namespace ripc
