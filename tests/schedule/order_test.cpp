// The order search against all orders of small problems, and what it promises of large ones.
#include "schedule/order.h"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

#include "schedule/pieces.h"
#include "schedule/random_order.h"
#include "schedule/search.h"
#include "schedule/stretches.h"

namespace ripc {
namespace {

using test::RandomOrders;

std::vector<int> own_order(const OrderProblem& problem) {
  std::vector<int> order(problem.ops.size());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// The order is one, its peak is what it says, and the bounds hold.
void expect_sound(const OrderProblem& problem, const Order& order) {
  EXPECT_EQ(order.peak, test::counted_peak(problem, order.ops));
  EXPECT_EQ(order.peak, order_peak(problem, order.ops));  // throws if it cannot be executed
  EXPECT_LE(order.peak, test::counted_peak(problem, own_order(problem)));
  EXPECT_LE(order.lower_bound, order.peak);
}

TEST(Order, IsTheBestOfAllOrdersOfRandomGraphs) {
  int improved = 0;
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
    RandomOrders random(seed);
    const OrderProblem problem = random.any(random.number(1, 8));
    const std::int64_t least = test::least_peak_of_all(problem);
    const Order order = find_order(problem);
    expect_sound(problem, order);
    ASSERT_EQ(order.peak, least) << seed;
    ASSERT_EQ(order.lower_bound, least) << seed;
    improved += order.peak < order_peak(problem, own_order(problem)) ? 1 : 0;
  }
  EXPECT_GT(improved, 100);
}

TEST(Order, IsTheBestOfAllOrdersOfSeriesParallelGraphs) {
  int tried = 0;
  for (std::uint32_t seed = 0; seed < 1500; ++seed) {
    RandomOrders random(seed);
    const OrderProblem problem = random.series_parallel(random.number(3, 9));
    if (problem.ops.size() > 10) continue;
    ++tried;
    const std::int64_t least = test::least_peak_of_all(problem);
    const Order order = find_order(problem);
    expect_sound(problem, order);
    ASSERT_EQ(order.peak, least) << seed;
    ASSERT_EQ(order.lower_bound, least) << seed;
  }
  EXPECT_GT(tried, 200);
}

TEST(Order, LevelSearchAloneFindsAndRefutesEveryLevel) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    RandomOrders random(seed);
    const OrderProblem problem = random.any(random.number(2, 7));
    const order::Piece piece = order::whole_piece(problem);
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t given = 0;
    for (const OrderTensor& tensor : problem.tensors) given += tensor.given ? tensor.bytes : 0;
    test::for_each_order(problem, [&](const std::vector<int>& ops) {
      order::Progress progress(piece);
      std::int64_t peak = 0;
      for (const int op : ops) {
        peak = std::max(peak, progress.step(op).need);
        progress.run(op);
      }
      EXPECT_EQ(std::max(peak, given), test::counted_peak(problem, ops));
      least = std::min(least, peak);
    });
    EXPECT_LE(order::least_peak(piece), least) << seed;
    for (const std::int64_t start : {std::int64_t{0}, least - 1, least, least + 5}) {
      order::Budget budget{.limit = 1'000'000};
      const order::Found found = order::search_levels(piece, start, least + 10, budget);
      ASSERT_FALSE(found.ops.empty()) << seed << " from " << start;
      EXPECT_EQ(found.level, std::max(start, least)) << seed << " from " << start;
    }
    order::Budget budget{.limit = 1'000'000};
    const order::Found refuted = order::search_levels(piece, 0, least, budget);
    EXPECT_TRUE(refuted.ops.empty() && !refuted.out_of_work) << seed;
  }
}

TEST(Order, KeepsTheGivenOrderWhereNoOtherIsBetter) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    RandomOrders random(seed);
    const OrderProblem problem = random.any(7);
    const Order order = find_order(problem);
    if (order.peak < order_peak(problem, own_order(problem))) continue;
    EXPECT_EQ(order.ops, own_order(problem)) << seed;
  }
}

TEST(Order, OutOfWorkStaysSound) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    RandomOrders random(seed);
    const OrderProblem problem = random.any(40);
    const Order best = find_order(problem);
    for (const std::int64_t limit : {0, 10, 300, 5'000}) {
      const Order order = find_order(problem, {.step_limit = limit});
      expect_sound(problem, order);
      EXPECT_GE(order.peak, best.lower_bound);
      EXPECT_LE(order.lower_bound, best.peak);
    }
  }
}

TEST(Order, StretchesOnlyEverImprove) {
  int improved = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    RandomOrders random(seed);
    const OrderProblem problem = random.any(60);
    const order::Piece piece = order::whole_piece(problem);
    order::Budget budget{.limit = 200'000};
    const std::vector<int> ops = order::improve_stretches(piece, own_order(problem), 8, 0, budget);
    const std::int64_t before = test::counted_peak(problem, own_order(problem));
    EXPECT_EQ(order_peak(problem, ops), test::counted_peak(problem, ops));
    EXPECT_LE(test::counted_peak(problem, ops), before) << seed;
    EXPECT_GE(test::counted_peak(problem, ops), find_order(problem).lower_bound) << seed;
    improved += test::counted_peak(problem, ops) < before ? 1 : 0;
  }
  EXPECT_GT(improved, 20);
}

TEST(Order, IsTheSameEveryTime) {
  RandomOrders random(7);
  const OrderProblem problem = random.any(60);
  const Order order = find_order(problem, {.step_limit = 100'000});
  EXPECT_EQ(find_order(problem, {.step_limit = 100'000}).ops, order.ops);
}

TEST(Order, CutsAChainIntoSingleOperators) {
  OrderProblem problem;
  problem.tensors.push_back({.bytes = 1, .given = true});
  for (int i = 0; i < 100'000; ++i) {
    problem.tensors.push_back({.bytes = i % 7});
    problem.ops.push_back({.inputs = {i}, .output = i + 1, .ways = {{.side_bytes = 0, .shares = {0}}}});
  }
  const Order order = find_order(problem);
  EXPECT_EQ(order.steps, 0);
  EXPECT_EQ(order.lower_bound, order.peak);
  EXPECT_EQ(order.ops, own_order(problem));
}

TEST(Order, RefusesAnOrderThatReadsWhatIsNotThere) {
  OrderProblem problem;
  problem.tensors = {{.bytes = 4, .given = true}, {.bytes = 4}, {.bytes = 4}};
  problem.ops = {{.inputs = {0}, .output = 1, .ways = {{0, {0}}}}, {.inputs = {1}, .output = 2, .ways = {{0, {0}}}}};
  EXPECT_THROW(order_peak(problem, std::vector<int>{1, 0}), std::logic_error);
  EXPECT_THROW(order_peak(problem, std::vector<int>{0}), std::logic_error);
}

}  // namespace
}  // namespace ripc
