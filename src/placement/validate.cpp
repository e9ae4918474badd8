#include <algorithm>
#include <string>

#include "placement/problem.h"

namespace ripc {
namespace {

bool allowed(const Alternative& way, BufferId a, BufferId b, const std::vector<std::int64_t>& offsets) {
  const auto at = [&](BufferId id) { return offsets[static_cast<std::size_t>(id)]; };
  const auto is_pair = [&](BufferId x, BufferId y) { return (x == a && y == b) || (x == b && y == a); };
  const auto apart = [&](const Separation& s) { return is_pair(s.low, s.high) && at(s.high) - at(s.low) >= s.bytes; };
  const auto tied = [&](const Tie& t) { return is_pair(t.a, t.b) && at(t.a) == at(t.b); };
  return std::ranges::any_of(way.separations, apart) || std::ranges::any_of(way.ties, tied);
}

}  // namespace

std::string validate_placement(const Problem& problem, const Placement& placement) {
  const std::vector<Buffer>& buffers = problem.buffers;
  const auto& choices = problem.choices;
  const std::vector<std::int64_t>& offsets = placement.offsets;
  if (offsets.size() != buffers.size()) return "the placement does not have one offset a buffer";
  if (placement.alternatives.size() != choices.size()) return "there is not one alternative a choice";
  for (std::size_t c = 0; c < choices.size(); ++c) {
    const int way = placement.alternatives[c];
    if (way < 0 || way >= std::ssize(choices[c].alternatives))
      return "choice '" + choices[c].name + "' has no alternative " + std::to_string(way);
  }
  const auto name = [&](std::size_t id) {
    return "buffer " + std::to_string(id) + " '" + buffers[id].name + "' at " + std::to_string(offsets[id]);
  };
  std::int64_t peak = 0;
  for (std::size_t a = 0; a < buffers.size(); ++a) {
    const Buffer& buffer = buffers[a];
    if (offsets[a] < 0) return name(a) + " starts below 0";
    if (offsets[a] > INT64_MAX - buffer.bytes) return name(a) + " ends beyond 2^63";
    if (offsets[a] % buffer.alignment != 0) return name(a) + " is not aligned to " + std::to_string(buffer.alignment);
    if (buffer.offset.value_or(offsets[a]) != offsets[a]) return name(a) + " is not at its fixed offset";
    peak = std::max(peak, offsets[a] + buffer.bytes);
    for (std::size_t b = 0; b < a; ++b) {
      if (buffer.first > buffers[b].last || buffers[b].first > buffer.last) continue;
      if (offsets[b] - offsets[a] >= buffer.bytes || offsets[a] - offsets[b] >= buffers[b].bytes) continue;
      bool fine = false;
      for (std::size_t c = 0; c < choices.size() && !fine; ++c) {
        const Alternative& way = choices[c].alternatives[static_cast<std::size_t>(placement.alternatives[c])];
        fine = allowed(way, static_cast<BufferId>(a), static_cast<BufferId>(b), offsets);
      }
      if (!fine) return name(b) + " and " + name(a) + " are alive together and overlap more than any choice allows";
    }
  }
  if (placement.peak != peak) return "the peak is " + std::to_string(peak) + ", not " + std::to_string(placement.peak);
  if (peak > problem.capacity.value_or(peak)) return "the peak exceeds the capacity";
  if (placement.lower_bound > peak) return "the lower bound exceeds the peak";
  if (placement.proof == Proof::infeasible) return "a placement exists that is said to be impossible";
  if (placement.proof == Proof::optimal && placement.lower_bound != peak) return "optimal, but above the bound";
  return {};
}

}  // namespace ripc
