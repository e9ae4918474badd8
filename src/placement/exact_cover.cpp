// Placement as an exact cover, solved by Algorithm X with dancing links (Knuth, 2000). Memory times schedule is a
// canvas of cells; each buffer is an item that must be covered once, each cell one that may be covered once, each start
// of a buffer an option. Buffers are taken in decreasing area.
#include "placement/exact_cover.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "placement/conflicts.h"
#include "placement/insert.h"
#include "placement/orders.h"
#include "placement/placers.h"
#include "placement/search.h"
#include "ripc/error.h"

namespace ripc {
namespace {

constexpr std::size_t kMaxBuffers = 4'000;  // the search recurses once a buffer
constexpr std::int64_t kMaxOnes = std::int64_t{1} << 24;

// A sparse matrix of zeros and ones as circular lists, linked in both directions, so that removals undo themselves.
class DancingLinks {
 public:
  // Items up to `required` must be covered exactly once, in this order; the rest at most once.
  DancingLinks(int required, int items) : nodes_(static_cast<std::size_t>(items) + 1), options_(nodes_.size(), -1) {
    for (int i = 0; i <= items; ++i) at(i) = {i, i, i, i, i};
    for (int i = 0; i <= required; ++i) {
      at(i).left = i > 0 ? i - 1 : required;
      at(i).right = i < required ? i + 1 : 0;
    }
  }

  void add_option(int option, const std::vector<int>& items) {
    const int first = static_cast<int>(nodes_.size());
    for (const int item : items) {
      const int node = static_cast<int>(nodes_.size());
      nodes_.push_back({node - 1, node + 1, at(item).up, item, item});
      options_.push_back(option);
      at(at(item).up).down = node;
      at(item).up = node;
    }
    at(first).left = static_cast<int>(nodes_.size()) - 1;
    nodes_.back().right = first;
  }

  // If feasible, `chosen` has an option for each required item.
  Outcome solve(Budget& budget, std::vector<int>& chosen) {
    if (!budget.take()) return Outcome::limited;
    const int item = at(0).right;
    if (item == 0) return Outcome::feasible;
    cover(item, budget);
    for (int row = at(item).down; row != item; row = at(row).down) {
      for (int node = at(row).right; node != row; node = at(node).right) cover(at(node).item, budget);
      chosen.push_back(options_[static_cast<std::size_t>(row)]);
      const Outcome outcome = solve(budget, chosen);
      if (outcome != Outcome::infeasible) return outcome;
      chosen.pop_back();
      for (int node = at(row).left; node != row; node = at(node).left) uncover(at(node).item);
    }
    uncover(item);
    return Outcome::infeasible;
  }

 private:
  struct Node {
    int left = 0, right = 0, up = 0, down = 0, item = 0;
  };
  Node& at(int node) { return nodes_[static_cast<std::size_t>(node)]; }

  void cover(int item, Budget& budget) {
    at(at(item).right).left = at(item).left;
    at(at(item).left).right = at(item).right;
    for (int row = at(item).down; row != item; row = at(row).down) {
      for (int node = at(row).right; node != row; node = at(node).right) {
        at(at(node).down).up = at(node).up;
        at(at(node).up).down = at(node).down;
        ++budget.touched;
      }
    }
  }

  void uncover(int item) {
    for (int row = at(item).up; row != item; row = at(row).up) {
      for (int node = at(row).left; node != row; node = at(node).left) {
        at(at(node).down).up = node;
        at(at(node).up).down = node;
      }
    }
    at(at(item).right).left = item;
    at(at(item).left).right = item;
  }

  std::vector<Node> nodes_;
  std::vector<int> options_;
};

std::int64_t capped_sum(std::int64_t a, std::int64_t b) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  return a > kMost - b ? kMost : a + b;
}

std::int64_t cells_of(std::int64_t bytes, std::int64_t cell) { return round_up(bytes, cell) / cell; }

// An empty buffer may lie between others but not inside one: it is kept at 0, or takes a cell where the caller wants
// it.
std::int64_t rows_of(const Buffer& b, std::int64_t cell) {
  return b.bytes == 0 && b.offset ? 1 : cells_of(b.bytes, cell);
}

class Canvas {
 public:
  Canvas(const Problem& problem, std::int64_t cell) : problem_(problem), cell_(cell) {
    for (const Buffer& b : problem.buffers) births_.push_back(b.first);
    std::sort(births_.begin(), births_.end());
    births_.erase(std::unique(births_.begin(), births_.end()), births_.end());
    order_ = sorted_by(problem, [&](const Buffer& b) {
      return -capped_product(rows_of(b, cell), column(b.last + 1) - column(b.first));
    });
  }

  ExactCoverSize size(std::int64_t height) const {
    const auto columns = static_cast<std::int64_t>(births_.size());
    const std::int64_t cells = capped_product(height, columns);
    ExactCoverSize size{.cells = cells, .options = 0, .ones = cells};
    for (const Buffer& b : problem_.buffers) {
      const std::int64_t starts = start_count(b, height);
      const std::int64_t covered = capped_product(rows_of(b, cell_), column(b.last + 1) - column(b.first));
      size.options = capped_sum(size.options, starts);
      size.ones = capped_sum(size.ones, capped_product(starts, capped_sum(1, covered)));
    }
    return size;
  }

  Outcome solve(std::int64_t height, Budget& budget, Partial& partial) const {
    const std::vector<Start> starts = all_starts(height);
    budget.touched += size(height).ones;  // making the matrix is work too, where one height after another fails
    const auto n = static_cast<int>(order_.size());
    const auto columns = static_cast<std::int64_t>(births_.size());
    DancingLinks links(n, n + static_cast<int>(height * columns));
    for (int option = 0; option < static_cast<int>(starts.size()); ++option) {
      const Start& start = starts[static_cast<std::size_t>(option)];
      const Buffer& b = problem_.buffers[static_cast<std::size_t>(order_[static_cast<std::size_t>(start.rank)])];
      std::vector<int> items{start.rank + 1};
      for (std::int64_t row = start.row; row < start.row + rows_of(b, cell_); ++row) {
        for (std::int64_t c = column(b.first); c < column(b.last + 1); ++c) {
          items.push_back(n + 1 + static_cast<int>(row * columns + c));
        }
      }
      links.add_option(option, items);
    }
    std::vector<int> chosen;
    const Outcome outcome = links.solve(budget, chosen);
    if (outcome != Outcome::feasible) return outcome;
    for (const int option : chosen) {
      const Start& start = starts[static_cast<std::size_t>(option)];
      partial.offsets[static_cast<std::size_t>(order_[static_cast<std::size_t>(start.rank)])] = start.row * cell_;
    }
    return outcome;
  }

 private:
  struct Start {
    int rank = 0;  // in order_
    std::int64_t row = 0;
  };

  std::vector<Start> all_starts(std::int64_t height) const {
    if (size(height).ones > kMaxOnes || order_.size() > kMaxBuffers) {
      throw Error(
          {.problem = "the exact cover is too large",
           .expected = "at most " + std::to_string(kMaxOnes) + " ones and " + std::to_string(kMaxBuffers) + " buffers",
           .remedy = "Use coarser cells than " + std::to_string(cell_) + " bytes, or another placer"});
    }
    std::vector<Start> starts;
    for (int rank = 0; rank < static_cast<int>(order_.size()); ++rank) {
      const Buffer& b = problem_.buffers[static_cast<std::size_t>(order_[static_cast<std::size_t>(rank)])];
      const std::int64_t rows = rows_of(b, cell_);
      for (std::int64_t row = 0; row + rows <= height; ++row) {
        if (rows == 0 && row > 0) break;
        if (may_start(b, row)) starts.push_back({rank, row});
      }
    }
    return starts;
  }

  bool may_start(const Buffer& b, std::int64_t row) const {
    return row * cell_ % b.alignment == 0 && b.offset.value_or(row * cell_) == row * cell_;
  }

  std::int64_t start_count(const Buffer& b, std::int64_t height) const {
    const std::int64_t room = height - rows_of(b, cell_);
    if (room < 0) return 0;
    if (b.offset) return *b.offset / cell_ <= room && may_start(b, *b.offset / cell_) ? 1 : 0;
    return rows_of(b, cell_) == 0 ? 1 : 1 + room / (b.alignment / std::gcd(b.alignment, cell_));
  }

  // Columns are the steps at which something is born; a life spans those from its birth to its end.
  std::int64_t column(std::int64_t step) const {
    return std::lower_bound(births_.begin(), births_.end(), step) - births_.begin();
  }

  const Problem& problem_;
  std::int64_t cell_;
  std::vector<std::int64_t> births_;
  std::vector<BufferId> order_;
};

// An optimal placement lies on this grid: to refute a height of the canvas is then to prove a bound.
bool grid_is_exact(const Problem& problem, std::int64_t cell) {
  return std::all_of(problem.buffers.begin(), problem.buffers.end(), [&](const Buffer& b) {
    const bool aligned = cell % b.alignment == 0 || b.alignment % cell == 0;
    return b.bytes % cell == 0 && (b.bytes > 0 || !b.offset) && aligned && b.offset.value_or(0) % cell == 0;
  });
}

void check_cell(std::int64_t cell) {
  if (cell > 0) return;
  throw Error({.fault = Fault::usage, .problem = "coarsening is not positive", .found = std::to_string(cell)});
}

}  // namespace

ExactCoverSize exact_cover_size(const Problem& problem, std::int64_t cell) {
  check_cell(cell);
  return Canvas(problem, cell).size(cells_of(lower_bound(problem), cell));
}

Placement place_exact_cover(const Problem& problem, const PlacerOptions& options) {
  if (!permitted_pairs(problem).empty()) {
    throw Error({.problem = "the placer exact-cover cannot state overlaps",
                 .expected = "disjoint buffers",
                 .remedy = "Use the placer exact, or forbid overlaps"});
  }
  const std::int64_t cell = options.coarsening;
  check_cell(cell);
  const bool exact = grid_is_exact(problem, cell);
  const Canvas canvas(problem, cell);
  std::int64_t most = 0;  // cells that suffice for every problem that has a placement on this grid
  for (const Buffer& b : problem.buffers) {
    most += rows_of(b, cell) + cells_of(b.alignment, cell) + cells_of(b.offset.value_or(0), cell);
  }
  if (problem.capacity) most = std::min(most, *problem.capacity / cell);
  Budget budget(options);
  Partial partial(problem);
  std::int64_t bound = lower_bound(problem);
  Outcome outcome = Outcome::infeasible;
  for (std::int64_t height = cells_of(bound, cell); height <= most; ++height) {
    outcome = canvas.solve(height, budget, partial);
    if (outcome != Outcome::infeasible) break;
    if (exact) bound = std::max(bound, (height + 1) * cell);
  }
  Placement placement = outcome == Outcome::feasible ? finish(problem, partial) : Placement{};
  placement.lower_bound = bound;
  placement.nodes = budget.spent;
  placement.proof = Proof::limited;
  if (outcome == Outcome::feasible && placement.peak == bound) placement.proof = Proof::optimal;
  if (outcome == Outcome::infeasible && exact) placement.proof = Proof::infeasible;
  return placement;
}

}  // namespace ripc
