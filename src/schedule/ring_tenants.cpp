#include "schedule/ring_tenants.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace ripc {
namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

std::int64_t modulo(std::int64_t a, std::int64_t b) { return (a % b + b) % b; }

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

/// Steps from the first to the last.
struct Span {
  std::int64_t first = 0, last = std::numeric_limits<std::int64_t>::max();
};

/// The rows of all tenants that are alive in `span`, in the order of time; none if more than `slots` of them are alive
/// together, where the rows of each tenant die in their order.
std::vector<RowWrite> writes_of(const Tenants& tenants, std::int64_t slots, const Span& span) {
  struct Cursor {
    std::size_t written = 0, dead = 0;
  };
  std::vector<Cursor> cursors(tenants.size());
  for (std::size_t tenant = 0; span.first > 0 && tenant < tenants.size(); ++tenant) {
    const std::vector<std::int64_t>& last = tenants[tenant]->times.last;
    const auto alive = static_cast<std::size_t>(std::ranges::lower_bound(last, span.first) - last.begin());
    cursors[tenant] = {alive, alive};
  }
  std::vector<RowWrite> writes;
  while (true) {
    std::size_t writer = tenants.size();
    std::int64_t time = std::numeric_limits<std::int64_t>::max();
    for (std::size_t tenant = 0; tenant < tenants.size(); ++tenant) {
      const std::vector<std::int64_t>& written = tenants[tenant]->times.written;
      const std::size_t row = cursors[tenant].written;
      if (row == written.size() || written[row] >= time || written[row] > span.last) continue;
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

/// Whether more than `slots` rows of the two are alive when a row in the middle of the guest's is written.
bool crowded(const Tenants& tenants, const RingTenant& guest, std::int64_t slots) {
  const std::int64_t time = guest.times.written[guest.times.written.size() / 2];
  std::int64_t alive = 0;
  for (const RingTenant* tenant : tenants) {
    const RowTimes& times = tenant->times;
    alive += std::ranges::upper_bound(times.written, time) - times.written.begin();
    alive -= std::ranges::lower_bound(times.last, time) - times.last.begin();
  }
  return alive > slots;
}

/// Some steps in the middle of a tenant's.
Span middle_of(const RingTenant& tenant) {
  constexpr std::int64_t kRows = 3;
  const std::int64_t rows = std::ssize(tenant.times.written), first = std::max<std::int64_t>(0, rows / 2 - kRows / 2);
  return {tenant.times.written[index(first)], tenant.times.last[index(std::min(rows, first + kRows) - 1)]};
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
  if (crowded(tenants, guest.tenants.front(), most)) return std::nullopt;
  // Most pairs and most orders are ruled out by a few rows of the guest.
  const std::vector<RowWrite> some = writes_of(tenants, most, middle_of(guest.tenants.front()));
  if (some.empty()) return std::nullopt;
  std::vector<RowWrite> all;
  // The host makes so many rows while the guest makes one.
  const std::int64_t rows = std::ssize(guest.tenants.front().times.written);
  RingTenant moved{.times = {}};
  moved.step = std::max<std::int64_t>(1, (std::ssize(host.tenants.front().times.written) + rows / 2) / rows);
  const Tenants pair = tenants;
  tenants.back() = &moved;
  const auto settle = [&] {
    std::vector<Slot> slots(index(both.ring.slots));
    for (moved.first = 0; moved.first < both.ring.slots; ++moved.first) {
      if (!stay(some, tenants, slots)) continue;
      if (all.empty()) all = writes_of(pair, most, {});
      if (all.empty()) return false;
      if (stay(all, tenants, slots)) return true;
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
  return stay(writes_of(all, std::numeric_limits<std::int64_t>::max(), {}), all, slots);
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
      const std::int64_t slot_bytes = std::max(rings[i].ring.slot_bytes, own.ring.slot_bytes);
      const std::int64_t growth = rings[i].ring.slots * slot_bytes - bytes_of(rings[i]);  // at least
      if (growth > least || (best && growth == least && slot_bytes >= best->ring.slot_bytes)) continue;
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
