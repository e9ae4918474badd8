// The state of the search over orders: least and greatest offsets under the decisions taken so far, with undo.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "placement/search.h"

namespace ripc {

/// One way to settle a pair: `high` starts at least `bytes` above the start of `low`, or both start together. May need
/// a choice.
struct Order {
  int low = 0;
  int high = 0;
  std::int64_t bytes = 0;
  bool tied = false;
  int choice = kUndecided;  ///< index into the problem's choices that must take `alternative`, if any
  int alternative = 0;
};

/// Bounds on the offsets of a group of buffers (by local index), kept consistent with every order that was taken.
class OrderState {
 public:
  OrderState(const Conflicts& conflicts, std::span<const BufferId> buffers, std::int64_t capacity,
             const PlacerOptions& options, Budget& budget);

  /// Brings bounds and forced orders up to date after the constructor. Like `take`, returns false on a contradiction.
  bool start();
  /// Takes an order for a pair and follows its consequences.
  bool take(int pair, const Order& order);
  /// Forbids an alternative; follows no consequences. False if none is left.
  bool forbid(int choice, int alternative);

  /// Marks and restores.
  std::size_t mark() const { return trail_.size(); }
  void undo(std::size_t mark);

  /// Orders of the pair that the bounds still allow, those that push least first. Accounts for the ones that they
  /// forbid.
  std::vector<Order> open_orders(int pair);
  /// A pair that the least offsets violate, the most constrained first; -1 if they are a placement.
  int violated_pair();

  /// After a contradiction: the least capacity at which it may vanish.
  std::int64_t least_capacity() const { return least_capacity_; }
  bool out_of_work() const { return out_of_work_; }
  void write(Partial& partial) const;

 private:
  struct Pair {
    int a = 0;
    int b = 0;
    int permitted = -1;                // index into Conflicts::pairs()
    std::vector<std::int64_t> shares;  // by permit: bytes that the two can share at most
  };
  struct Bounds {
    std::int64_t low = 0;
    std::int64_t high = 0;
    int low_from = -1;  // the buffer whose bound gave this one
    int high_from = -1;
  };
  struct Arc {
    int to = 0;
    std::int64_t bytes = 0;
  };
  struct Section {
    std::vector<int> live;
    std::vector<int> pairs;  // that may overlap
    bool changed = false;    // since they were last found to fit
  };
  struct Sections {
    int first = 0, last = -1;
  };
  struct Change {
    enum class Kind : std::uint8_t { bounds, arc, domain, settled } kind;
    int at = 0;
    int to = 0;
    Bounds bounds{};
    std::uint64_t domain = 0;
  };

  const Buffer& buffer(int local) const { return conflicts_.buffer(buffers_[static_cast<std::size_t>(local)]); }
  std::int64_t bytes(int local) const { return buffer(local).bytes; }
  std::uint64_t& domain(int choice) { return domains_[static_cast<std::size_t>(choice)]; }
  std::uint64_t domain(int choice) const { return domains_[static_cast<std::size_t>(choice)]; }

  template <class Visit>
  void for_each_order(const Pair& pair, Visit visit) const;
  bool holds(const Order& order) const;
  bool always_holds(const Order& order) const;
  std::int64_t excess(const Order& order) const;
  void blame(std::int64_t excess);
  bool raise(int local, std::int64_t low, int from);
  bool lower(int local, std::int64_t high, int from);
  bool on_cycle(int local, int from, bool rising) const;
  void save(int local);
  void wake(int local);
  bool post(int pair, const Order& order);
  bool examine(int pair);
  bool propagate();
  void change_sections(int local);
  bool sections_fit();
  bool section_fits(Section& section, std::vector<char>& in);
  std::int64_t shared(std::span<const int> pairs, std::span<const char> in);

  const Conflicts& conflicts_;
  const PlacerOptions& options_;
  Budget& budget_;
  std::vector<BufferId> buffers_;
  std::int64_t capacity_;
  std::int64_t grain_ = 1;   // every offset is a multiple of it
  std::int64_t period_ = 1;  // a multiple of every alignment
  std::vector<Bounds> bounds_;
  std::vector<Pair> pairs_;
  std::vector<char> settled_;
  std::vector<std::vector<int>> pairs_of_;
  std::vector<std::vector<Arc>> above_, below_;  // arcs to buffers above and below
  std::vector<std::uint64_t> domains_;           // alternatives left, one a choice of the problem
  std::vector<std::vector<int>> buffers_of_choice_;
  std::vector<Section> sections_;
  std::vector<Sections> sections_of_;  // by buffer: those at which it lives
  std::vector<int> changed_;           // sections, each once
  std::vector<Change> trail_;
  std::vector<int> queue_;
  std::vector<char> queued_;
  std::int64_t least_capacity_ = std::numeric_limits<std::int64_t>::max();
  bool out_of_work_ = false;
};

}  // namespace ripc
