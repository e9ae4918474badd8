// Small random order problems, and their least peak by trying every order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "schedule/order.h"

namespace ripc::test {

/// Bytes that each step of `order` needs, and those alive before the first and after the last, counted from the sets of
/// readers anew; the largest of them.
inline std::int64_t counted_peak(const OrderProblem& problem, const std::vector<int>& order) {
  std::vector<std::multiset<int>> readers(problem.tensors.size());
  for (int op = 0; op < static_cast<int>(problem.ops.size()); ++op) {
    for (const int input : problem.ops[static_cast<std::size_t>(op)].inputs)
      readers[static_cast<std::size_t>(input)].insert(op);
  }
  std::set<int> alive;
  const auto bytes_alive = [&] {
    std::int64_t bytes = 0;
    for (const int id : alive) bytes += problem.tensors[static_cast<std::size_t>(id)].bytes;
    return bytes;
  };
  const auto drop_dead = [&] {
    std::erase_if(alive, [&](int id) {
      return readers[static_cast<std::size_t>(id)].empty() && !problem.tensors[static_cast<std::size_t>(id)].kept;
    });
  };
  for (int id = 0; id < static_cast<int>(problem.tensors.size()); ++id) {
    if (problem.tensors[static_cast<std::size_t>(id)].given) alive.insert(id);
  }
  std::int64_t peak = bytes_alive();
  for (const int id : order) {
    const OrderOp& op = problem.ops[static_cast<std::size_t>(id)];
    drop_dead();
    alive.insert(op.output);
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const OrderWay& way : op.ways) {
      std::int64_t shared = 0;
      for (std::size_t i = 0; i < op.inputs.size(); ++i) {
        const auto input = static_cast<std::size_t>(op.inputs[i]);
        if (readers[input] == std::multiset<int>{id} && !problem.tensors[input].kept) shared += way.shares[i];
      }
      const std::int64_t out = problem.tensors[static_cast<std::size_t>(op.output)].bytes;
      least = std::min(least, bytes_alive() + way.side_bytes - std::min(out, shared));
    }
    peak = std::max(peak, least);
    for (const int input : op.inputs) readers[static_cast<std::size_t>(input)].erase(id);
  }
  drop_dead();
  return std::max(peak, bytes_alive());
}

/// Calls `use` with every order that can be executed.
template <typename Use>
void for_each_order(const OrderProblem& problem, Use use) {
  std::vector<bool> there(problem.tensors.size());
  for (std::size_t id = 0; id < there.size(); ++id) there[id] = problem.tensors[id].given;
  std::vector<bool> done(problem.ops.size());
  std::vector<int> order;
  const auto go = [&](const auto& self) -> void {
    if (order.size() == problem.ops.size()) return use(order);
    for (int id = 0; id < static_cast<int>(problem.ops.size()); ++id) {
      const OrderOp& op = problem.ops[static_cast<std::size_t>(id)];
      if (done[static_cast<std::size_t>(id)]) continue;
      if (!std::ranges::all_of(op.inputs, [&](int input) { return there[static_cast<std::size_t>(input)]; })) continue;
      done[static_cast<std::size_t>(id)] = true;
      there[static_cast<std::size_t>(op.output)] = true;
      order.push_back(id);
      self(self);
      order.pop_back();
      there[static_cast<std::size_t>(op.output)] = false;
      done[static_cast<std::size_t>(id)] = false;
    }
  };
  go(go);
}

inline std::int64_t least_peak_of_all(const OrderProblem& problem) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for_each_order(problem,
                 [&](const std::vector<int>& order) { least = std::min(least, counted_peak(problem, order)); });
  return least;
}

/// Random problems of one seed.
class RandomOrders {
 public:
  explicit RandomOrders(std::uint32_t seed) : random_(seed) {}

  int number(int least, int most) {
    return least + static_cast<int>(random_() % static_cast<std::uint32_t>(most - least + 1));
  }

  /// Any graph: operators read one to three of the tensors before them, old ones or new ones.
  OrderProblem any(int ops) {
    OrderProblem problem;
    for (int i = number(1, 2); i > 0; --i) tensor(problem, true);
    const int reach = number(2, 6);
    for (int i = 0; i < ops; ++i) {
      std::set<int> inputs;
      const int last = static_cast<int>(problem.tensors.size()) - 1;
      for (int reads = number(1, 3); reads > 0; --reads) inputs.insert(number(std::max(0, last - reach), last));
      op(problem, {inputs.begin(), inputs.end()});
    }
    for (OrderTensor& t : problem.tensors) t.kept = number(0, 9) == 0;
    return problem;
  }

  /// A series-parallel graph: branches of chains and of such graphs, joined.
  OrderProblem series_parallel(int ops) {
    OrderProblem problem;
    int at = tensor(problem, true);
    while (static_cast<int>(problem.ops.size()) < ops) at = part(problem, at, 2);
    problem.tensors.back().kept = true;
    return problem;
  }

 private:
  int tensor(OrderProblem& problem, bool given) {
    problem.tensors.push_back({.bytes = number(0, 3) == 0 ? number(0, 4) : number(1, 40), .given = given});
    return static_cast<int>(problem.tensors.size()) - 1;
  }

  int op(OrderProblem& problem, std::vector<int> inputs) {
    OrderOp op{.inputs = std::move(inputs), .output = tensor(problem, false), .ways = {}};
    const std::int64_t out = problem.tensors.back().bytes;
    for (int ways = number(1, 3); ways > 0; --ways) {
      OrderWay& way = op.ways.emplace_back();
      way.side_bytes = number(0, 1) * number(0, 12);
      for (const int input : op.inputs) {
        const std::int64_t most = std::min(out, problem.tensors[static_cast<std::size_t>(input)].bytes);
        way.shares.push_back(number(0, 2) == 0 ? most : number(0, static_cast<int>(most)));
      }
    }
    problem.ops.push_back(std::move(op));
    return problem.ops.back().output;
  }

  int part(OrderProblem& problem, int from, int depth) {
    if (depth == 0 || number(0, 2) == 0) return op(problem, {from});
    std::vector<int> ends;
    for (int branches = number(2, 3); branches > 0; --branches) {
      int at = from;
      for (int parts = number(1, 2); parts > 0; --parts) at = part(problem, at, depth - 1);
      ends.push_back(at);
    }
    return op(problem, ends);
  }

  std::mt19937 random_;
};

}  // namespace ripc::test
