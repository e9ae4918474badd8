// The finished plan of a network: order, stages, steps, kernels, offsets. Everything needed to emit code, to run, and
// to check.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "graph/steps.h"

namespace ripc {

/// Where the rows of a tensor lie: row y begins at offset + ((first_slot + y * slot_step) mod slots) * row_bytes, in
/// either direction. A whole tensor has as many slots as rows; a ring of a stage has fewer. Storages may overlay each
/// other's slots, their rows of different lengths: slots are then as far apart as the longer ones ask.
struct Storage {
  TensorId tensor = kNoTensor;  ///< never an alias
  std::int64_t offset = 0;      ///< bytes from the start of the arena to the first row's byte in slot 0
  std::int64_t row_bytes = 0;   ///< from slot to slot; a row itself may be shorter
  std::int64_t slots = 0;
  std::int64_t first_slot = 0;  ///< of row 0; less than slots
  std::int64_t slot_step = 1;   ///< from row to row; positive
  bool pixel_slots = false;     ///< a slot holds a pixel: pixel x of a row lies x slots after the row's first, and the
                                ///< first slot comes after the last
  bool external = false;        ///< the caller's buffer; offset is 0, and nothing writes it
  bool state = false;           ///< in what survives from run to run: offset is from its start
  std::int64_t pitch = 0;       ///< bytes from pixel to pixel; 0: the pixels lie side by side
  TensorId within = kNoTensor;  ///< the tensor in whose bytes this one lies: see plan/slabs.h

  bool operator==(const Storage&) const = default;
};

/// Whether each of `height` rows has the slot of its own number.
inline bool stored_whole(const Storage& storage, std::int64_t height) {
  return !storage.pixel_slots && storage.slots >= height && storage.first_slot == 0 && storage.slot_step == 1;
}

/// The storage of a stage that runs forward, seen in a mirror, for the stage to run in reverse: byte b of `span` bytes
/// is byte span - 1 - b, row y of `height` rows is row height - 1 - y. A ring's slots are then counted from the high
/// end, and a row shorter than its slot lies at the slot's high end. `row` is the bytes of what a slot holds, and
/// `row_slots` the slots that a row takes.
Storage mirrored(Storage storage, std::int64_t height, std::int64_t row, std::int64_t span, std::int64_t row_slots = 1);

/// A stretch of the arena.
struct Region {
  std::int64_t offset = 0;
  std::int64_t bytes = 0;

  bool operator==(const Region&) const = default;
};

/// The kernel of one operator and what it needs beside its tensors.
struct PlannedOp {
  OpId op = 0;
  std::string kernel;  ///< as in its contract
  Region scratch;      ///< bytes 0: none
  Region kept;
  Region state{};                       ///< of what the operator itself keeps from run to run, in the state
  std::vector<Region> scratch_steps{};  ///< by step, where it moves from step to step; then `scratch` is empty

  bool operator==(const PlannedOp&) const = default;
};

/// Bytes of the largest scratch of any step.
inline std::int64_t most_scratch(const PlannedOp& op) {
  std::int64_t most = op.scratch.bytes;
  for (const Region& region : op.scratch_steps) most = std::max(most, region.bytes);
  return most;
}

struct Plan {
  std::string model;       ///< name of the graph
  std::string graph_hash;  ///< FNV-1a 64 of the canonical graph, in hex
  Schedule schedule;
  std::vector<PlannedOp> ops;        ///< one an operator of the graph, indexed by OpId
  std::vector<Storage> storages;     ///< one a stored activation
  bool streamed_input = false;       ///< the only input arrives row by row, in the steps that say so (kSourceRows)
  std::int64_t alignment = 1;        ///< of the arena's first byte
  std::int64_t arena_bytes = 0;      ///< the peak, in-arena scratch and rings included
  Region progress{};                 ///< of a plan that runs step by step: how far it has come; see plan/stream.h
  std::int64_t state_bytes = 0;      ///< beside the arena
  std::int64_t state_alignment = 1;  ///< of the state's first byte
  std::int64_t outside_scratch = 0;  ///< scratch beside the arena (published accounting only; never emitted)
  std::int64_t lower_bound = 0;
  bool proven = false;                 ///< no placement of these buffers, kernels and order is smaller
  std::int64_t order_lower_bound = 0;  ///< nor in any other order below this; 0 if no other order was looked at
  bool order_proven = false;           ///< no other order of the operators needs less
};

/// FNV-1a 64 over the plan's JSON without its own hash, in hex.
std::string plan_hash(const Plan& plan);

/// JSON text and back; from_json throws ripc::Error with the place of the fault.
std::string to_json(const Plan& plan);
Plan plan_from_json(const std::string& text);

}  // namespace ripc
