#include "schedule/ring_tenants.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace ripc {
namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

std::int64_t modulo(std::int64_t a, std::int64_t b) { return (a % b + b) % b; }

constexpr std::int64_t kMostStep = 16;  // slots from a guest's row to its next

std::int64_t bytes_of(const SharedRing& shared) { return shared.ring.slots * shared.ring.slot_bytes; }

using Tenants = std::vector<const RingTenant*>;

Tenants tenants_of(const SharedRing& shared) {
  Tenants tenants;
  for (const RingTenant& tenant : shared.tenants) tenants.push_back(&tenant);
  return tenants;
}

/// A row as it is written.
struct RowWrite {
  std::int64_t time = 0, last = 0, row = 0;
  std::size_t tenant = 0;
};

/// The rows of all tenants in the order of time; none if more than `slots` of them are alive together, where the rows
/// of each tenant die in their order.
std::vector<RowWrite> writes_of(const Tenants& tenants, std::int64_t slots) {
  struct Cursor {
    std::size_t written = 0, dead = 0;
  };
  std::vector<Cursor> cursors(tenants.size());
  std::vector<RowWrite> writes;
  while (true) {
    std::size_t writer = tenants.size();
    std::int64_t time = std::numeric_limits<std::int64_t>::max();
    for (std::size_t tenant = 0; tenant < tenants.size(); ++tenant) {
      const std::vector<std::int64_t>& written = tenants[tenant]->times.written;
      const std::size_t row = cursors[tenant].written;
      if (row == written.size() || written[row] >= time) continue;
      time = written[row];
      writer = tenant;
    }
    if (writer == tenants.size()) return writes;
    const std::size_t row = cursors[writer].written++;
    writes.push_back({time, tenants[writer]->times.last[row], static_cast<std::int64_t>(row), writer});
    if (tenants[writer]->thief) continue;  // what it is written over may die in this very step
    std::int64_t alive = 0;
    for (std::size_t tenant = 0; tenant < tenants.size(); ++tenant) {
      Cursor& cursor = cursors[tenant];
      while (cursor.dead < cursor.written && tenants[tenant]->times.last[cursor.dead] < time) ++cursor.dead;
      alive += static_cast<std::int64_t>(cursor.written - cursor.dead);
    }
    if (alive > slots) return {};
  }
}

struct Slot {
  std::int64_t busy_until = -1;
  std::size_t tenant = 0;
  std::int64_t place = 0;
};

/// Whether every row stays in its slot until it is read last.
bool stay(const std::vector<RowWrite>& writes, const Tenants& tenants, std::vector<Slot>& slots) {
  std::ranges::fill(slots, Slot{});
  return std::ranges::all_of(writes, [&](const RowWrite& write) {
    const RingTenant& tenant = *tenants[write.tenant];
    const std::int64_t place = tenant.first + write.row * tenant.step;
    Slot& slot = slots[index(modulo(place, std::ssize(slots)))];
    const bool stolen = tenant.thief && slot.tenant == 0 && slot.place == place && slot.busy_until == write.time;
    if (slot.busy_until >= write.time && !stolen) return false;
    slot = {.busy_until = write.last, .tenant = write.tenant, .place = place};
    return true;
  });
}

/// What a host takes in a guest for.
struct Stay {
  Ring ring;
  std::int64_t first = 0, step = 1;  ///< of the guest's rows
};

/// The host's ring with the guest's rows, of as few slots as are found, if that takes less than the two apart.
std::optional<Stay> stay_of(const SharedRing& guest, const SharedRing& host) {
  Stay both{.ring = host.ring};
  both.ring.slot_bytes = std::max(host.ring.slot_bytes, guest.ring.slot_bytes);
  std::int64_t most =
      std::min((bytes_of(host) + bytes_of(guest) - 1) / both.ring.slot_bytes, host.ring.slots + guest.ring.slots - 1);
  Tenants tenants = tenants_of(host);
  tenants.push_back(&guest.tenants.front());
  for (const RingTenant* tenant : tenants) {  // a plan has no more slots than rows
    const std::int64_t rows = std::ssize(tenant->times.written);
    if (rows != 1) most = std::min(most, rows);
  }
  if (most < host.ring.slots) return std::nullopt;
  if (most > 1 && both.ring.slot_bytes % std::max(host.scalar_bytes, guest.scalar_bytes) != 0) return std::nullopt;
  const std::vector<RowWrite> writes = writes_of(tenants, most);
  if (writes.empty()) return std::nullopt;
  RingTenant moved{.times = {}};
  tenants.back() = &moved;
  const auto settle = [&] {
    std::vector<Slot> slots(index(both.ring.slots));
    for (moved.step = 1; moved.step <= std::min(both.ring.slots, kMostStep); ++moved.step) {
      for (moved.first = 0; moved.first < both.ring.slots; ++moved.first) {
        if (stay(writes, tenants, slots)) return true;
      }
    }
    return false;
  };
  std::optional<Stay> best;
  for (both.ring.slots = most; both.ring.slots >= host.ring.slots && settle(); --both.ring.slots) {
    both.first = moved.first;
    both.step = moved.step;
    best = both;
  }
  return best;
}

void take_in(const SharedRing& guest, const Stay& stay, SharedRing& host) {
  host.ring = stay.ring;
  host.scalar_bytes = std::max(host.scalar_bytes, guest.scalar_bytes);
  host.tenants.push_back(guest.tenants.front());
  host.tenants.back().first = stay.first;
  host.tenants.back().step = stay.step;
}

}  // namespace

bool SharedRing::fits() const {
  const Tenants all = tenants_of(*this);
  std::vector<Slot> slots(index(ring.slots));
  return stay(writes_of(all, std::numeric_limits<std::int64_t>::max()), all, slots);
}

std::vector<TakenIn> take_in_guests(std::vector<SharedRing>& rings, const std::vector<bool>& movable) {
  // A host of guests in its dead slots seldom takes more slots, so those that it would have to take more for come
  // first.
  std::vector<std::size_t> guests(rings.size());
  std::iota(guests.begin(), guests.end(), std::size_t{0});
  std::ranges::stable_sort(guests, std::ranges::greater{},
                           [&](std::size_t i) { return std::pair(rings[i].ring.slots > 1, bytes_of(rings[i])); });
  std::vector<TakenIn> taken;
  for (const std::size_t guest : guests) {
    const SharedRing& own = rings[guest];
    if (!movable[guest] || own.ring.slots == 0 || own.tenants.size() != 1) continue;
    std::optional<Stay> best;
    std::size_t host = guest;
    std::int64_t least = bytes_of(own);  // that a host grows by
    for (std::size_t i = 0; i < rings.size(); ++i) {
      if (i == guest || !movable[i] || rings[i].ring.slots < own.ring.slots) continue;
      const std::optional<Stay> both = stay_of(own, rings[i]);
      if (!both) continue;
      const std::int64_t more = both->ring.slots * both->ring.slot_bytes - bytes_of(rings[i]);
      const bool smaller = best && more == least && both->ring.slot_bytes < best->ring.slot_bytes;
      if (more >= least && !smaller) continue;
      best = both;
      host = i;
      least = more;
    }
    if (!best) continue;
    taken.push_back({guest, host, best->first, best->step});
    take_in(own, *best, rings[host]);
    rings[guest].ring.slots = 0;
  }
  return taken;
}

}  // namespace ripc
