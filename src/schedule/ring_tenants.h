// Rows of several tensors that share the slots of one ring, each in a regular order of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "schedule/stage_rings.h"

namespace ripc {

/// Rows that share a ring, one after another in the slot first + row * step. Rows of other tensors that are written
/// where these die belong to the same tenant.
struct RingTenant {
  RowTimes times;
  std::int64_t first = 0, step = 1;
  bool thief = false;  ///< may be written in the step that reads row first + row * step of the first tenant last
};

struct SharedRing {
  Ring ring;
  std::int64_t scalar_bytes = 1;  ///< the largest of a tenant: what each slot must begin at a multiple of
  std::vector<RingTenant> tenants;

  /// Whether every row stays in its slot until it is read last.
  bool fits() const;
};

/// A ring that another one takes in.
struct TakenIn {
  std::size_t guest = 0, host = 0;
  std::int64_t first = 0, step = 1;  ///< of the guest's rows among the host's slots
};

/// Looks for rings whose rows find dead slots of another ring of at least as many slots, or where one slot fewer than
/// the two have is enough for both; makes the ring that spares most their host, and leaves them without slots.
/// `movable`: by ring, whether it may be guest or host. Returns what was taken in, in the order in which it was.
std::vector<TakenIn> take_in_guests(std::vector<SharedRing>& rings, const std::vector<bool>& movable);

}  // namespace ripc
