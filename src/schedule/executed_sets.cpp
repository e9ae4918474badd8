#include "schedule/executed_sets.h"

#include <algorithm>

namespace ripc::order {

ExecutedSets::ExecutedSets(const Piece& piece) : words_((piece.ops.size() + 63) / 64), slots_(64, -1) {}

std::size_t ExecutedSets::slot_of(const std::uint64_t* bits) const {
  std::uint64_t hash = 0x9e3779b97f4a7c15U;
  for (std::size_t w = 0; w < words_; ++w) {
    hash = (hash ^ bits[w]) * 0xff51afd7ed558ccdU;
    hash ^= hash >> 32;
  }
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot] >= 0 && !std::equal(bits, bits + words_, this->bits(slots_[slot]))) slot = (slot + 1) & mask;
  return slot;
}

void ExecutedSets::grow() {
  slots_.assign(2 * slots_.size(), -1);
  for (std::size_t id = 0; id < size(); ++id) {
    const auto state = static_cast<SetId>(id);
    slots_[slot_of(bits(state))] = state;
  }
}

ExecutedSets::Place ExecutedSets::insert(const Progress& progress, SetId parent, std::span<const int> steps) {
  if (2 * (size() + 1) > slots_.size()) grow();
  const std::size_t slot = slot_of(progress.bits().data());
  if (slots_[slot] >= 0) return {.id = slots_[slot], .fresh = false};
  const auto id = static_cast<SetId>(size());
  slots_[slot] = id;
  bits_.insert(bits_.end(), progress.bits().begin(), progress.bits().end());
  routes_.push_back({.parent = parent, .steps = {steps.begin(), steps.end()}});
  return {.id = id, .fresh = true};
}

void ExecutedSets::reach_by(SetId id, SetId parent, std::span<const int> steps) {
  routes_[static_cast<std::size_t>(id)] = {.parent = parent, .steps = {steps.begin(), steps.end()}};
}

std::vector<int> ExecutedSets::path_to(SetId id) const {
  std::vector<int> path;
  for (; id >= 0; id = routes_[static_cast<std::size_t>(id)].parent) {
    const std::vector<int>& steps = routes_[static_cast<std::size_t>(id)].steps;
    path.insert(path.end(), steps.rbegin(), steps.rend());
  }
  std::ranges::reverse(path);
  return path;
}

}  // namespace ripc::order
