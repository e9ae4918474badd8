// The search for groups in which all pairs alive together are disjoint. It fills memory from below: each node places
// one buffer at its lowest free offset, and offsets never fall from node to node. The rules are those of MiniMalloc
// (Moffitt, ASPLOS 2023).
#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <vector>

#include "placement/search.h"

namespace ripc {
namespace {

constexpr int kMaxDepth = 1'000;  // buffers above one another in one part; a search that would go deeper is limited
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

// A buffer of the group, and the sections (steps at which most buffers live) that it spans.
struct Item {
  BufferId id = 0;
  std::int64_t bytes = 0;
  std::int64_t alignment = 1;
  std::int64_t fixed = kNever;
  int first = 0;  // section
  int last = 0;   // section
  std::int64_t steps = 0;
  std::vector<int> others;
};

struct Section {
  std::int64_t floor = 0;   // nothing still to be placed starts lower
  std::int64_t lowest = 0;  // of the free offsets of buffers still to be placed
  std::int64_t total = 0;   // bytes still to be placed
  std::vector<int> items;
};

struct Change {
  enum class Kind : std::uint8_t { placed, low, floor, lowest, total, bridge } kind;
  int at;
  std::int64_t old;
};

// Buffers still to be placed in the sections from `first` to `last`, by rank.
struct Part {
  std::vector<int> items;
  int first = 0;
  int last = 0;
};

class PackingSearch {
 public:
  PackingSearch(const Conflicts& conflicts, std::span<const BufferId> buffers, std::int64_t capacity,
                const PlacerOptions& options)
      : capacity_(capacity), options_(options) {
    // Sections: the birth steps after which something dies before the next birth. Every live set is part of one of
    // theirs.
    std::vector<std::int64_t> births;
    std::vector<std::int64_t> deaths;
    for (const BufferId id : buffers) {
      births.push_back(conflicts.buffer(id).first);
      deaths.push_back(conflicts.buffer(id).last);
    }
    std::sort(births.begin(), births.end());
    std::sort(deaths.begin(), deaths.end());
    std::vector<std::int64_t> steps;
    for (std::size_t i = 0; i < births.size(); ++i) {
      const bool last = i + 1 == births.size();
      if (!last && births[i + 1] == births[i]) continue;
      const auto death = std::lower_bound(deaths.begin(), deaths.end(), births[i]);
      if (last || *death < births[i + 1]) steps.push_back(births[i]);
    }
    sections_.resize(steps.size());
    bridges_.assign(steps.size(), 0);
    const auto section = [&](std::int64_t step) {  // the first that is not before the step
      return static_cast<int>(std::lower_bound(steps.begin(), steps.end(), step) - steps.begin());
    };
    std::vector<int> local(static_cast<std::size_t>(conflicts.size()), -1);
    for (std::size_t i = 0; i < buffers.size(); ++i) local[static_cast<std::size_t>(buffers[i])] = static_cast<int>(i);
    for (const BufferId id : buffers) {
      const Buffer& b = conflicts.buffer(id);
      Item item{id,
                b.bytes,
                b.alignment,
                b.offset.value_or(kNever),
                section(b.first),
                section(b.last + 1) - 1,
                b.last - b.first + 1,
                {}};
      for (const BufferId other : conflicts.disjoint(id)) {
        if (local[static_cast<std::size_t>(other)] >= 0) item.others.push_back(local[static_cast<std::size_t>(other)]);
      }
      const int index = static_cast<int>(items_.size());
      for (int s = item.first; s <= item.last; ++s) {
        at(sections_, s).items.push_back(index);
        at(sections_, s).total += item.bytes;
        if (s < item.last) ++at(bridges_, s);
      }
      items_.push_back(std::move(item));
      low_.push_back(b.offset.value_or(0));
    }
    for (Section& s : sections_) s.lowest = lowest(s, 0);
    rank_.resize(items_.size());
    offset_.assign(items_.size(), kUnplaced);
  }

  // `keys` orders the buffers, the largest first; ties go to the next key: T most bytes still to be placed at one of
  // its steps, W steps, A bytes times steps, S sections, R bytes times sections.
  Outcome run(std::string_view keys, Budget& budget) {
    keys_ = keys;
    budget_ = &budget;
    Part all{{}, 0, static_cast<int>(sections_.size()) - 1};
    for (int i = 0; i < static_cast<int>(items_.size()); ++i) all.items.push_back(i);
    const Outcome outcome = solve(std::move(all));
    if (outcome != Outcome::feasible) undo(0);
    return outcome;
  }

  std::int64_t least_capacity() const { return least_capacity_; }

  void write(Partial& partial) const {
    for (std::size_t i = 0; i < items_.size(); ++i)
      partial.offsets[static_cast<std::size_t>(items_[i].id)] = offset_[i];
  }

 private:
  template <class T>
  static T& at(std::vector<T>& values, int index) {
    return values[static_cast<std::size_t>(index)];
  }
  template <class T>
  static const T& at(const std::vector<T>& values, int index) {
    return values[static_cast<std::size_t>(index)];
  }

  // The lowest free offset of a section's buffers; `known` is a bound that ends the scan early.
  std::int64_t lowest(const Section& section, std::int64_t known) const {
    std::int64_t value = kNever;
    for (const int i : section.items) {
      if (!offset_.empty() && at(offset_, i) != kUnplaced) continue;
      value = std::min(value, at(low_, i));
      if (value <= known) break;
    }
    return value;
  }

  void set(Change::Kind kind, int index, std::int64_t& value, std::int64_t to) {
    trail_.push_back({kind, index, value});
    value = to;
  }

  void undo(std::size_t mark) {
    for (; trail_.size() > mark; trail_.pop_back()) {
      const Change& change = trail_.back();
      switch (change.kind) {
        case Change::Kind::placed:
          at(offset_, change.at) = change.old;
          break;
        case Change::Kind::low:
          at(low_, change.at) = change.old;
          break;
        case Change::Kind::floor:
          at(sections_, change.at).floor = change.old;
          break;
        case Change::Kind::lowest:
          at(sections_, change.at).lowest = change.old;
          break;
        case Change::Kind::total:
          at(sections_, change.at).total = change.old;
          break;
        case Change::Kind::bridge:
          at(bridges_, change.at) = change.old;
          break;
      }
    }
  }

  void update_lowest(int s, std::int64_t gone) {
    Section& section = at(sections_, s);
    if (section.lowest != gone) return;
    const std::int64_t value = lowest(section, gone);
    if (value != gone) set(Change::Kind::lowest, s, section.lowest, value);
    if (value != kNever && value > section.floor) set(Change::Kind::floor, s, section.floor, value);
  }

  // Places an item at its lowest free offset; `hatless` tells that nothing can lie above it. False if a fixed offset is
  // passed.
  bool place(int index, bool& hatless) {
    const Item& item = at(items_, index);
    const std::int64_t offset = at(low_, index);
    const std::int64_t end = offset + item.bytes;
    set(Change::Kind::placed, index, at(offset_, index), offset);
    budget_->touched += item.last - item.first + 1;
    bool fine = offset <= item.fixed;
    for (int s = item.first; s <= item.last; ++s) {
      Section& section = at(sections_, s);
      set(Change::Kind::total, s, section.total, section.total - item.bytes);
      if (end > section.floor) set(Change::Kind::floor, s, section.floor, end);
      update_lowest(s, offset);
    }
    hatless = true;
    for (const int other : item.others) {
      if (at(offset_, other) != kUnplaced) continue;
      hatless = false;
      const std::int64_t old = at(low_, other);
      if (old >= end) continue;
      const Item& above = at(items_, other);
      set(Change::Kind::low, other, at(low_, other), round_up(end, above.alignment));
      fine &= at(low_, other) <= above.fixed;
      budget_->touched += above.last - above.first + 1;
      for (int s = above.first; s <= above.last; ++s) update_lowest(s, old);
    }
    return fine;
  }

  // What is still to be placed must fit above each section's floor, and above the buffer placed last.
  bool fits(const Part& part, std::int64_t offset) {
    const std::int64_t base = options_.monotone_floor ? offset : 0;
    for (int s = part.first; s <= part.last; ++s) {
      const Section& section = at(sections_, s);
      if (section.items.empty()) continue;
      std::int64_t top = section.total > 0 ? std::max(base, section.floor) : section.floor;
      if (options_.section_bound) top += section.total;
      if (top > capacity_) {
        least_capacity_ = std::min(least_capacity_, top);
        return false;
      }
    }
    return true;
  }

  Outcome solve(Part part) {
    struct Keys {
      std::int64_t most = 0, steps = 0, area = 0, sections = 0, box = 0;
    };
    std::vector<Keys> keys(items_.size());
    for (const int i : part.items) {
      Keys& k = at(keys, i);
      const Item& item = at(items_, i);
      k.steps = item.steps;
      k.area = capped_product(k.steps, item.bytes);
      k.sections = item.last - item.first + 1;
      k.box = capped_product(k.sections, item.bytes);
      for (int s = item.first; s <= item.last; ++s) k.most = std::max(k.most, at(sections_, s).total);
    }
    std::sort(part.items.begin(), part.items.end(), [&](int x, int y) {
      const Keys& a = at(keys, x);
      const Keys& b = at(keys, y);
      for (const char key : keys_) {
        const auto member = key == 'T'   ? &Keys::most
                            : key == 'W' ? &Keys::steps
                            : key == 'A' ? &Keys::area
                            : key == 'S' ? &Keys::sections
                                         : &Keys::box;
        if (a.*member != b.*member) return a.*member > b.*member;
      }
      return x < y;
    });
    for (std::size_t r = 0; r < part.items.size(); ++r) at(rank_, part.items[r]) = static_cast<int>(r);
    return search(part, 0, 0);
  }

  Outcome search(const Part& part, std::int64_t last_offset, int last_rank) {
    if (!budget_->take() || depth_ >= kMaxDepth) return Outcome::limited;
    struct Candidate {
      std::int64_t offset;
      int rank;
      int item;
    };
    std::int64_t lowest_end = kNever;  // a buffer that starts here or higher leaves a gap that another one fills
    for (const int i : part.items) {
      if (at(offset_, i) != kUnplaced) continue;
      lowest_end = std::min(lowest_end, at(low_, i) + std::max<std::int64_t>(at(items_, i).bytes, 1));
    }
    if (lowest_end == kNever) return Outcome::feasible;
    std::vector<Candidate> candidates;
    for (const int i : part.items) {
      if (at(offset_, i) != kUnplaced) continue;
      const Candidate c{at(low_, i), at(rank_, i), i};
      const bool seen = c.offset < last_offset || (c.offset == last_offset && c.rank < last_rank);
      if ((options_.canonical && seen) || (options_.dominance && c.offset >= lowest_end)) continue;
      candidates.push_back(c);
    }
    budget_->touched += static_cast<std::int64_t>(part.items.size()) + part.last - part.first;
    std::int64_t most = 0;
    for (int s = part.first; s <= part.last; ++s) most = std::max(most, at(sections_, s).total);
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& x, const Candidate& y) {
      return x.offset != y.offset ? x.offset < y.offset : x.rank < y.rank;
    });
    for (const Candidate& c : candidates) {
      if (options_.monotone_floor && options_.section_bound && c.offset + most > capacity_) {
        least_capacity_ = std::min(least_capacity_, c.offset + most);
        break;
      }
      const std::size_t mark = trail_.size();
      bool hatless = false;
      if (place(c.item, hatless) && fits(part, c.offset)) {
        ++depth_;
        const Outcome outcome = descend(part, c.item, c.offset, c.rank);
        --depth_;
        if (outcome != Outcome::infeasible) return outcome;
      }
      undo(mark);
      if (hatless && options_.hatless) break;
    }
    return Outcome::infeasible;
  }

  // Goes on after `item` was placed; where nothing bridges two sections any more, the parts are solved one by one.
  Outcome descend(const Part& part, int index, std::int64_t offset, int rank) {
    if (!options_.decomposition) return search(part, offset, rank);
    const Item& item = at(items_, index);
    std::vector<Part> parts;
    int from = part.first;
    for (int s = item.first; s < item.last; ++s) {
      set(Change::Kind::bridge, s, at(bridges_, s), at(bridges_, s) - 1);
      if (at(bridges_, s) > 0) continue;
      parts.push_back({{}, from, s});
      from = s + 1;
    }
    if (parts.empty()) return search(part, offset, rank);
    parts.push_back({{}, from, part.last});
    for (const int i : part.items) {
      if (at(offset_, i) != kUnplaced) continue;
      const auto mine =
          std::find_if(parts.begin(), parts.end(), [&](const Part& p) { return at(items_, i).first <= p.last; });
      mine->items.push_back(i);
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const Part& x, const Part& y) { return x.items.size() < y.items.size(); });
    for (Part& each : parts) {
      if (each.items.empty()) continue;
      const Outcome outcome = solve(std::move(each));
      if (outcome != Outcome::feasible) {
        // The ranks of this part were overwritten.
        for (std::size_t r = 0; r < part.items.size(); ++r) at(rank_, part.items[r]) = static_cast<int>(r);
        return outcome;
      }
    }
    return Outcome::feasible;
  }

  std::int64_t capacity_;
  const PlacerOptions& options_;
  std::string_view keys_;
  Budget* budget_ = nullptr;
  int depth_ = 0;
  std::vector<Item> items_;
  std::vector<Section> sections_;
  std::vector<std::int64_t> bridges_;  // buffers still to be placed that live on from section s into s + 1
  std::vector<std::int64_t> low_;      // lowest free offset
  std::vector<std::int64_t> offset_;
  std::vector<int> rank_;
  std::vector<Change> trail_;
  std::int64_t least_capacity_ = kNever;
};

}  // namespace

Verdict search_packing(const Conflicts& conflicts, std::span<const BufferId> buffers, std::int64_t capacity,
                       const PlacerOptions& options, Budget& budget, Partial& partial) {
  PackingSearch search(conflicts, buffers, capacity, options);
  constexpr std::array<std::string_view, 7> kOrders = {"TWA", "TRS", "WAT", "ATW", "TAW", "RTS", "SRT"};
  const std::int64_t first = 2 * static_cast<std::int64_t>(buffers.size());
  Outcome outcome = Outcome::limited;
  for (std::int64_t nodes = first;; nodes *= 2) {
    // Most packings yield to one of the first three; the others get a smaller share.
    for (std::size_t order = 0; order < (options.restarts ? kOrders.size() : 1); ++order) {
      const std::string_view keys = kOrders[order];
      const std::int64_t share = order < 3 ? nodes : nodes / 4;
      Budget part = budget.part(options.restarts ? share : budget.left);
      outcome = search.run(keys, part);
      budget.settle(part);
      if (outcome != Outcome::limited || budget.left <= 0) {
        if (outcome == Outcome::feasible) search.write(partial);
        return {outcome, search.least_capacity()};
      }
    }
  }
}

}  // namespace ripc
