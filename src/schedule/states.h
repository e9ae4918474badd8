// The sets of executed operators that a search has met, and how it came to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "schedule/pieces.h"

namespace ripc::order {

using StateId = int;

class States {
 public:
  explicit States(const Piece& piece);

  struct Place {
    StateId id = 0;
    bool fresh = false;
  };
  /// The state of that set; a fresh one is reached from `parent` (-1: none) by `steps`.
  Place insert(const Progress& progress, StateId parent, std::span<const int> steps);

  /// Another way to a state that is already there.
  void reach_by(StateId id, StateId parent, std::span<const int> steps);

  const std::uint64_t* bits(StateId id) const { return bits_.data() + static_cast<std::size_t>(id) * words_; }

  /// All steps that lead to a state, from the first.
  std::vector<int> path_to(StateId id) const;

  std::size_t size() const { return routes_.size(); }

 private:
  struct Route {
    StateId parent = -1;
    std::vector<int> steps;
  };

  void grow();
  std::size_t slot_of(const std::uint64_t* bits) const;

  std::size_t words_;
  std::vector<std::uint64_t> bits_;  ///< `words_` a state
  std::vector<Route> routes_;
  std::vector<StateId> slots_;  ///< open addressing, a power of two of them, at most half of them taken; -1: free
};

}  // namespace ripc::order
