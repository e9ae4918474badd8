#include <algorithm>
#include <limits>
#include <string>

#include "placement/problem.h"

namespace ripc {
namespace {

bool allowed(const Alternative& way, BufferId a, BufferId b, const std::vector<std::int64_t>& offsets) {
  const auto at = [&](BufferId id) { return offsets[static_cast<std::size_t>(id)]; };
  for (const Separation& s : way.separations) {
    const bool this_pair = (s.low == a && s.high == b) || (s.low == b && s.high == a);
    if (this_pair && at(s.high) - at(s.low) >= s.bytes) return true;
  }
  for (const Tie& t : way.ties) {
    const bool this_pair = (t.a == a && t.b == b) || (t.a == b && t.b == a);
    if (this_pair && at(t.a) == at(t.b)) return true;
  }
  return false;
}

}  // namespace

std::string validate_placement(const Problem& problem, const Placement& placement) {
  const auto& buffers = problem.buffers;
  const auto& offsets = placement.offsets;
  if (offsets.size() != buffers.size()) return "the placement does not have one offset a buffer";
  if (placement.alternatives.size() != problem.choices.size())
    return "the placement does not have one alternative a choice";
  for (std::size_t c = 0; c < problem.choices.size(); ++c) {
    const int chosen = placement.alternatives[c];
    if (chosen < 0 || chosen >= static_cast<int>(problem.choices[c].alternatives.size())) {
      return "choice '" + problem.choices[c].name + "' has no alternative " + std::to_string(chosen);
    }
  }
  const auto name = [&](std::size_t id) {
    return "buffer " + std::to_string(id) + (buffers[id].name.empty() ? "" : " '" + buffers[id].name + "'") + " at " +
           std::to_string(offsets[id]);
  };
  std::int64_t peak = 0;
  for (std::size_t a = 0; a < buffers.size(); ++a) {
    if (offsets[a] < 0) return name(a) + " starts below 0";
    if (offsets[a] > std::numeric_limits<std::int64_t>::max() - buffers[a].bytes) return name(a) + " ends beyond 2^63";
    if (offsets[a] % buffers[a].alignment != 0)
      return name(a) + " is not aligned to " + std::to_string(buffers[a].alignment);
    if (buffers[a].offset.value_or(offsets[a]) != offsets[a]) return name(a) + " is not at its fixed offset";
    peak = std::max(peak, offsets[a] + buffers[a].bytes);
    for (std::size_t b = 0; b < a; ++b) {
      if (buffers[a].first > buffers[b].last || buffers[b].first > buffers[a].last) continue;
      if (offsets[b] - offsets[a] >= buffers[a].bytes || offsets[a] - offsets[b] >= buffers[b].bytes) continue;
      bool fine = false;
      for (std::size_t c = 0; c < problem.choices.size() && !fine; ++c) {
        const Alternative& way = problem.choices[c].alternatives[static_cast<std::size_t>(placement.alternatives[c])];
        fine = allowed(way, static_cast<BufferId>(a), static_cast<BufferId>(b), offsets);
      }
      if (!fine)
        return name(b) + " and " + name(a) + " are alive together and overlap more than any chosen alternative allows";
    }
  }
  if (placement.peak != peak) return "the peak is " + std::to_string(peak) + ", not " + std::to_string(placement.peak);
  if (problem.capacity && peak > *problem.capacity) {
    return "the peak " + std::to_string(peak) + " exceeds the capacity " + std::to_string(*problem.capacity);
  }
  if (placement.lower_bound > peak) return "the lower bound exceeds the peak";
  if (placement.proof == Proof::infeasible) return "a placement exists that is said to be impossible";
  if (placement.proof == Proof::optimal && placement.lower_bound != peak)
    return "optimal, but the peak is above the bound";
  return {};
}

}  // namespace ripc
