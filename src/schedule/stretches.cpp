#include "schedule/stretches.h"

#include <algorithm>

namespace ripc::order {
namespace {

/// The piece as a problem of its own, in that order.
OrderProblem as_problem(const Piece& piece, const std::vector<int>& ops) {
  OrderProblem problem;
  for (const Piece::Tensor& tensor : piece.tensors)
    problem.tensors.push_back({.bytes = tensor.bytes, .given = tensor.given, .kept = tensor.kept});
  problem.tensors.push_back({.bytes = piece.base, .given = true, .kept = true});
  for (const int op : ops) problem.ops.push_back(piece.op(op));
  return problem;
}

struct Worst {
  std::size_t at = 0;
  std::int64_t need = 0;
};

Worst worst_step(const Piece& piece, const std::vector<int>& ops) {
  Progress progress(piece);
  Worst worst;
  for (std::size_t at = 0; at < ops.size(); ++at) {
    const std::int64_t need = progress.step(ops[at]).need;
    if (at == 0 || need > worst.need) worst = {.at = at, .need = need};
    progress.run(ops[at]);
  }
  return worst;
}

}  // namespace

std::vector<int> improve_stretches(const Piece& piece, std::vector<int> ops, int width, std::int64_t floor,
                                   Budget& budget) {
  const auto length = std::min(ops.size(), static_cast<std::size_t>(width));
  while (!budget.spent()) {
    budget.steps += 4 * std::int64_t{piece.size()};
    const Worst worst = worst_step(piece, ops);
    if (worst.need <= floor) return ops;
    const std::size_t from = std::min(worst.at - std::min(worst.at, length / 2), ops.size() - length);
    const Piece stretch = stretch_of(as_problem(piece, ops), from, from + length);
    const std::int64_t level = std::max(floor, least_peak(stretch));
    if (level >= worst.need) return ops;
    Budget part{.limit = (budget.limit - budget.steps) / 8};
    const Found found = search_levels(stretch, level, worst.need, part);
    budget.steps += part.steps;
    budget.states += part.states;
    if (found.ops.empty()) return ops;
    std::vector<int> better;
    for (const int op : found.ops) better.push_back(ops[from + static_cast<std::size_t>(op)]);
    std::ranges::copy(better, ops.begin() + static_cast<std::ptrdiff_t>(from));
  }
  return ops;
}

}  // namespace ripc::order
