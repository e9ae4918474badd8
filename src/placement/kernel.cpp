#include "placement/kernel.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace ripc {
namespace {

std::int64_t ceil_div(std::int64_t value, std::int64_t by) { return value <= 0 ? 0 : (value - 1) / by + 1; }

class Peeling {
 public:
  Peeling(const Conflicts& conflicts, std::int64_t capacity)
      : conflicts_(conflicts),
        capacity_(capacity),
        in_(static_cast<std::size_t>(conflicts.size()), 1),
        taken_(in_.size(), 0) {
    for (BufferId id = 0; id < conflicts.size(); ++id) {
      for (const BufferId other : conflicts.disjoint(id)) taken_[static_cast<std::size_t>(id)] += most_taken(id, other);
    }
  }

  Kernel run() {
    Kernel result;
    std::vector<BufferId> queue(in_.size());
    std::iota(queue.begin(), queue.end(), 0);
    for (std::size_t at = 0; at < queue.size(); ++at) {
      const BufferId id = queue[at];
      if (!in_[static_cast<std::size_t>(id)] || !always_fits(id)) continue;
      in_[static_cast<std::size_t>(id)] = 0;
      result.peeled.push_back(id);
      for (const BufferId other : conflicts_.disjoint(id)) {
        taken_[static_cast<std::size_t>(other)] -= most_taken(other, id);
        if (in_[static_cast<std::size_t>(other)]) queue.push_back(other);
      }
      for (const int p : conflicts_.permitted(id)) queue.push_back(other_end(p, id));
    }
    for (BufferId id = 0; id < conflicts_.size(); ++id) {
      if (in_[static_cast<std::size_t>(id)]) result.kernel.push_back(id);
    }
    return result;
  }

 private:
  BufferId other_end(int pair, BufferId id) const {
    const PermittedPair& ends = conflicts_.pairs()[static_cast<std::size_t>(pair)];
    return ends.a == id ? ends.b : ends.a;
  }

  // Starts of `id` that a buffer can take which keeps it out of an open interval of `width` + 1 bytes.
  std::int64_t starts(BufferId id, std::int64_t width) const {
    return ceil_div(width, conflicts_.buffer(id).alignment);
  }

  std::int64_t most_taken(BufferId id, BufferId other) const {
    return starts(id, conflicts_.buffer(id).bytes + conflicts_.buffer(other).bytes - 1);
  }

  // Over the alternatives of each choice the worst; the pairs of one choice share its alternative.
  std::int64_t most_taken_by_permitted(BufferId id) const {
    std::int64_t total = 0;
    std::map<int, std::vector<int>> by_choice;
    for (const int p : conflicts_.permitted(id)) {
      const BufferId other = other_end(p, id);
      if (!in_[static_cast<std::size_t>(other)]) continue;
      const auto& permits = conflicts_.pairs()[static_cast<std::size_t>(p)].permits;
      const int choice = permits.front().choice;
      const bool one = std::all_of(permits.begin(), permits.end(), [&](const Permit& x) { return x.choice == choice; });
      if (one) {
        by_choice[choice].push_back(p);
      } else {
        total += most_taken(id, other);
      }
    }
    for (const auto& [choice, pairs] : by_choice) {
      const auto count = conflicts_.problem().choices[static_cast<std::size_t>(choice)].alternatives.size();
      std::int64_t worst = 0;
      for (int k = 0; k < static_cast<int>(count); ++k) {
        std::int64_t sum = 0;
        for (const int p : pairs) {
          const PermittedPair& pair = conflicts_.pairs()[static_cast<std::size_t>(p)];
          std::int64_t a_below = conflicts_.buffer(pair.a).bytes;
          std::int64_t b_below = conflicts_.buffer(pair.b).bytes;
          for (const Permit& permit : pair.permits) {
            if (permit.alternative != k || permit.tied) continue;
            std::int64_t& below = permit.low == pair.a ? a_below : b_below;
            below = std::min(below, permit.bytes);
          }
          sum += starts(id, a_below + b_below - 1);
        }
        worst = std::max(worst, sum);
      }
      total += worst;
    }
    return total;
  }

  bool always_fits(BufferId id) const {
    const Buffer& buffer = conflicts_.buffer(id);
    if (buffer.offset || buffer.bytes > capacity_) return false;
    const std::int64_t available = (capacity_ - buffer.bytes) / buffer.alignment + 1;
    const std::int64_t taken = taken_[static_cast<std::size_t>(id)];
    return taken < available && taken + most_taken_by_permitted(id) < available;
  }

  const Conflicts& conflicts_;
  std::int64_t capacity_;
  std::vector<char> in_;
  std::vector<std::int64_t> taken_;  // by buffers still in that must be disjoint
};

}  // namespace

Kernel peel(const Conflicts& conflicts, std::int64_t capacity) { return Peeling(conflicts, capacity).run(); }

std::vector<std::vector<BufferId>> components(const Conflicts& conflicts, std::span<const BufferId> buffers) {
  std::vector<BufferId> root(static_cast<std::size_t>(conflicts.size()), -1);
  for (const BufferId id : buffers) root[static_cast<std::size_t>(id)] = id;
  const auto find = [&](BufferId id) {
    while (root[static_cast<std::size_t>(id)] != id) {
      BufferId& up = root[static_cast<std::size_t>(id)];
      up = root[static_cast<std::size_t>(up)];
      id = up;
    }
    return id;
  };
  const auto in = [&](BufferId id) { return root[static_cast<std::size_t>(id)] >= 0; };
  const auto join = [&](BufferId a, BufferId b) {
    const BufferId x = find(a);
    const BufferId y = find(b);
    root[static_cast<std::size_t>(std::max(x, y))] = std::min(x, y);
  };
  for (const BufferId id : buffers) {
    for (const BufferId other : conflicts.disjoint(id)) {
      if (in(other)) join(id, other);
    }
  }
  std::map<int, BufferId> of_choice;
  for (const PermittedPair& pair : conflicts.pairs()) {
    if (!in(pair.a) || !in(pair.b)) continue;
    join(pair.a, pair.b);
    for (const Permit& permit : pair.permits) join(pair.a, of_choice.try_emplace(permit.choice, pair.a).first->second);
  }
  std::map<BufferId, std::vector<BufferId>> groups;
  for (const BufferId id : buffers) groups[find(id)].push_back(id);
  std::vector<std::vector<BufferId>> result;
  for (auto& [id, group] : groups) result.push_back(std::move(group));
  std::stable_sort(result.begin(), result.end(), [](const auto& x, const auto& y) { return x.size() < y.size(); });
  return result;
}

std::vector<std::vector<BufferId>> windows(const Conflicts& conflicts, std::span<const BufferId> buffers,
                                           std::size_t births, std::size_t most) {
  std::vector<std::int64_t> steps;
  for (const BufferId id : buffers) steps.push_back(conflicts.buffer(id).first);
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  if (births > steps.size()) return {};
  std::vector<std::int64_t> live(steps.size() + 1, 0);  // bytes at each birth, first as differences
  const auto at = [&](std::int64_t step) {
    return static_cast<std::size_t>(std::lower_bound(steps.begin(), steps.end(), step) - steps.begin());
  };
  for (const BufferId id : buffers) {
    const Buffer& buffer = conflicts.buffer(id);
    live[at(buffer.first)] += buffer.bytes;
    live[at(buffer.last + 1)] -= buffer.bytes;
  }
  std::partial_sum(live.begin(), live.end(), live.begin());

  std::vector<std::size_t> starts(steps.size() - births + 1);
  std::iota(starts.begin(), starts.end(), 0);
  std::vector<std::int64_t> peak(starts.size());
  for (const std::size_t start : starts) {
    const auto from = live.begin() + static_cast<std::ptrdiff_t>(start);
    peak[start] = *std::max_element(from, from + static_cast<std::ptrdiff_t>(births));
  }
  std::stable_sort(starts.begin(), starts.end(), [&](std::size_t x, std::size_t y) { return peak[x] > peak[y]; });
  starts.resize(std::min(starts.size(), most));
  std::vector<std::vector<BufferId>> result;
  for (const std::size_t start : starts) {
    std::vector<BufferId>& window = result.emplace_back();
    for (const BufferId id : buffers) {
      const Buffer& buffer = conflicts.buffer(id);
      if (buffer.first <= steps[start + births - 1] && steps[start] <= buffer.last) window.push_back(id);
    }
  }
  return result;
}

}  // namespace ripc
