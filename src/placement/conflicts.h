// Which buffers of a problem are alive together, and what the choices allow for each such pair.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "placement/problem.h"

namespace ripc {

inline constexpr int kUndecided = -1;  ///< a choice without its alternative yet: it allows nothing

/// What one alternative of one choice allows for a pair alive together.
struct Permit {
  int choice = 0;
  int alternative = 0;
  bool tied = false;       ///< equal starts; otherwise a separation
  BufferId low = 0;        ///< of a separation: the buffer that may lie below
  std::int64_t bytes = 0;  ///< of a separation: least offset(other) - offset(low)
};

/// A pair that some alternative lets overlap; `a` is born before `b`, or has the smaller id.
struct PermittedPair {
  BufferId a = 0;
  BufferId b = 0;
  std::vector<Permit> permits;
};

/// How two buffers may lie, once alternatives are chosen: offset(b) - offset(a) is at least `a_below`, or at most
/// -`b_below`, or 0 if they are tied.
struct Relation {
  std::int64_t a_below = 0;
  std::int64_t b_below = 0;
  bool tied = false;
};

class Conflicts {
 public:
  /// Finds all pairs by a sweep over the schedule, in time linear in their number. Throws ripc::Error above 2^26 pairs.
  explicit Conflicts(const Problem& problem);

  const Problem& problem() const { return *problem_; }
  const Buffer& buffer(BufferId id) const { return problem_->buffers[static_cast<std::size_t>(id)]; }
  int size() const { return static_cast<int>(problem_->buffers.size()); }

  /// Buffers alive together with `id` that must be disjoint from it.
  std::span<const BufferId> disjoint(BufferId id) const { return row(disjoint_, id); }
  /// Indices into `pairs` of the pairs of `id` that may overlap.
  std::span<const int> permitted(BufferId id) const { return row(permitted_, id); }
  const std::vector<PermittedPair>& pairs() const { return pairs_; }

  /// How the pair may lie under the chosen alternatives (one a choice, or kUndecided).
  Relation relation(const PermittedPair& pair, std::span<const int> chosen) const;

 private:
  struct Rows {
    std::vector<std::size_t> begin;
    std::vector<int> items;
  };
  static std::span<const int> row(const Rows& rows, BufferId id) {
    const auto at = static_cast<std::size_t>(id);
    return {rows.items.data() + rows.begin[at], rows.begin[at + 1] - rows.begin[at]};
  }

  const Problem* problem_;
  std::vector<PermittedPair> pairs_;
  Rows disjoint_;
  Rows permitted_;
};

/// The pairs of a problem that are alive together and that some alternative lets overlap, sorted by (a, b).
std::vector<PermittedPair> permitted_pairs(const Problem& problem);

/// Bytes that a pair can at most share under one permit, with sizes and distances rounded up to `grain` bytes.
std::int64_t most_shared(const Problem& problem, const PermittedPair& pair, const Permit& permit, std::int64_t grain);

/// The greatest common divisor of all alignments: every offset is a multiple of it.
std::int64_t offset_grain(const Problem& problem);

/// a * b, both at least 0, or the greatest number if that is too large: good enough to sort by.
std::int64_t capped_product(std::int64_t a, std::int64_t b);

/// `value` rounded up to a multiple of `grain` (any sign).
std::int64_t round_up(std::int64_t value, std::int64_t grain);

}  // namespace ripc
