#include "schedule/ring_tenants.h"

#include <algorithm>
#include <numeric>

namespace ripc {
namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

std::int64_t modulo(std::int64_t a, std::int64_t b) { return (a % b + b) % b; }

/// The host with the guest's rows in some regular order of its slots, if there is one.
std::optional<SharedRing> with_guest(const SharedRing& host, const SharedRing& guest) {
  SharedRing both = host;
  both.ring.slot_bytes = std::max(host.ring.slot_bytes, guest.ring.slot_bytes);
  both.scalar_bytes = std::max(host.scalar_bytes, guest.scalar_bytes);
  if (both.ring.slots > 1 && both.ring.slot_bytes % both.scalar_bytes != 0) return std::nullopt;
  both.tenants.push_back(guest.tenants.front());
  RingTenant& tenant = both.tenants.back();
  const std::int64_t slots = host.ring.slots, rows = std::ssize(tenant.times.written);
  if (rows != 1 && rows < slots) return std::nullopt;  // a plan has no more slots than rows
  for (tenant.step = 1; tenant.step <= slots; ++tenant.step) {
    for (tenant.first = 0; tenant.first < slots; ++tenant.first) {
      if (both.fits()) return both;
    }
  }
  return std::nullopt;
}

}  // namespace

bool SharedRing::fits() const {
  struct Slot {
    std::int64_t busy_until = -1;
    std::size_t tenant = 0;
    std::int64_t row = 0;
  };
  std::vector<Slot> slots(index(ring.slots));
  std::vector<std::size_t> next(tenants.size(), 0);
  while (true) {
    std::optional<std::size_t> writer;
    const auto written = [&](std::size_t tenant) { return tenants[tenant].times.written[next[tenant]]; };
    for (std::size_t tenant = 0; tenant < next.size(); ++tenant) {
      if (next[tenant] == tenants[tenant].times.written.size()) continue;
      if (!writer || written(tenant) < written(*writer)) writer = tenant;
    }
    if (!writer) return true;
    const RingTenant& tenant = tenants[*writer];
    const std::int64_t time = written(*writer);
    const auto row = static_cast<std::int64_t>(next[*writer]++);
    const std::int64_t place = tenant.first + row * tenant.step;
    Slot& slot = slots[index(modulo(place, ring.slots))];
    const bool stolen = tenant.thief && slot.tenant == 0 && slot.row == place && slot.busy_until == time;
    if (slot.busy_until >= time && !stolen) return false;
    slot = {.busy_until = tenant.times.last[index(row)], .tenant = *writer, .row = row};
  }
}

std::vector<TakenIn> take_in_guests(std::vector<SharedRing>& rings, const std::vector<bool>& movable) {
  const auto bytes = [](const SharedRing& shared) { return shared.ring.slots * shared.ring.slot_bytes; };
  std::vector<std::size_t> guests(rings.size());
  std::iota(guests.begin(), guests.end(), std::size_t{0});
  std::ranges::stable_sort(guests, std::ranges::greater{}, [&](std::size_t i) { return bytes(rings[i]); });
  std::vector<TakenIn> taken;
  for (const std::size_t guest : guests) {
    const SharedRing& own = rings[guest];
    if (!movable[guest] || own.ring.slots != 1 || own.tenants.size() != 1) continue;
    std::optional<SharedRing> best;
    std::size_t host = guest;
    std::int64_t least = bytes(own);  // that the host grows by; where two grow alike, the one of smaller slots
    for (std::size_t i = 0; i < rings.size(); ++i) {
      if (i == guest || !movable[i] || rings[i].ring.slots == 0) continue;
      const std::int64_t more =
          rings[i].ring.slots * std::max<std::int64_t>(0, own.ring.slot_bytes - rings[i].ring.slot_bytes);
      const bool smaller = best && more == least && rings[i].ring.slot_bytes < rings[host].ring.slot_bytes;
      if (more >= least && !smaller) continue;
      std::optional<SharedRing> both = with_guest(rings[i], own);
      if (!both) continue;
      best = std::move(both);
      host = i;
      least = more;
    }
    if (!best) continue;
    taken.push_back({guest, host, best->tenants.back().first, best->tenants.back().step});
    rings[host] = std::move(*best);
    rings[guest].ring.slots = 0;
  }
  return taken;
}

}  // namespace ripc
