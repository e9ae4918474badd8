// Where to cut a network into stages: the cuts whose most expensive stage takes least, and of those the fewest stages
// of several operators and the most slack.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace ripc {

inline constexpr std::int64_t kNoStage = INT64_MAX;

/// What operators [begin, end) cost as one stage, in bytes.
struct StageCosts {
  std::int64_t ops = 0;
  std::int64_t longest = 0;       ///< operators of a stage at most
  std::int64_t below = kNoStage;  ///< what costs as much is of no use
  /// No stage of these operators costs less; asked before `cost`, and cheap.
  std::function<std::int64_t(std::int64_t begin, std::int64_t end)> least;
  /// If that is beyond `most`, anything between. kNoStage: not possible.
  std::function<std::int64_t(std::int64_t begin, std::int64_t end, std::int64_t most)> cost;
  /// Of that, what rows inside the stage take as far as `cost` has found out: around more operators seldom less.
  std::function<std::int64_t(std::int64_t begin, std::int64_t end)> inner;
};

/// The most expensive stage of the cuts that keep it cheapest; at least costs.below if there are none below that.
std::int64_t least_bottleneck(const StageCosts& costs);

/// The begin of each stage, such that none costs more than `most`; empty if there are none such. Among them the ones
/// that leave most room for placement.
std::vector<std::int64_t> stage_begins(const StageCosts& costs, std::int64_t most);

}  // namespace ripc
