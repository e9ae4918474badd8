#include "plan/plan.h"

namespace ripc {

Storage mirrored(Storage storage, std::int64_t height, std::int64_t row, std::int64_t span, std::int64_t row_slots) {
  const std::int64_t slots = storage.slots;
  storage.offset = span - storage.offset - (slots - 1) * storage.row_bytes - row;
  const std::int64_t last_slot = (storage.first_slot + (height - 1) * storage.slot_step + row_slots - 1) % slots;
  storage.first_slot = slots - 1 - last_slot;
  return storage;
}

}  // namespace ripc
