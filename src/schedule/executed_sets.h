// The sets of executed operators that a search has met, and how it came to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "schedule/pieces.h"

namespace ripc::order {

using SetId = int;

/// Each set once, by number, with the steps that lead to it.
class ExecutedSets {
 public:
  explicit ExecutedSets(const Piece& piece);

  struct Place {
    SetId id = 0;
    bool fresh = false;
  };
  /// The number of that set; a fresh one is reached from `parent` (-1: none) by `steps`.
  Place insert(const Progress& progress, SetId parent, std::span<const int> steps);

  /// Another way to a set that is already there.
  void reach_by(SetId id, SetId parent, std::span<const int> steps);

  const std::uint64_t* bits(SetId id) const { return bits_.data() + static_cast<std::size_t>(id) * words_; }

  /// All steps that lead to a set, from the first.
  std::vector<int> path_to(SetId id) const;

  std::size_t size() const { return routes_.size(); }

 private:
  struct Route {
    SetId parent = -1;
    std::vector<int> steps;
  };

  void grow();
  std::size_t slot_of(const std::uint64_t* bits) const;

  std::size_t words_;
  std::vector<std::uint64_t> bits_;  ///< `words_` a set
  std::vector<Route> routes_;
  std::vector<SetId> slots_;  ///< open addressing, a power of two of them, at most half of them taken; -1: free
};

}  // namespace ripc::order
