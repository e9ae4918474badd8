// Where the rows of a stage's inner tensors lie: rings, and rows that are written where another row dies. All of it is
// found by stepping the stage; slots count from the end at which the stage begins (the low one, or the high one in
// reverse).
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/stage_flow.h"
#include "schedule/stage_steps.h"

namespace ripc {

/// A step of the stage reads the tensor from that pixel on, rows one after the other.
struct PixelRead {
  std::int64_t time = 0, first = 0;
};

/// When each block of a tensor is written, and when the stage reads it last: the step that writes it if never.
struct RowTimes {
  std::vector<std::int64_t> written, last;
  std::vector<PixelRead> reads{};  ///< in the order of time; only where rows are made in blocks
};

struct StageTimes {
  std::vector<RowTimes> ops;  ///< as StageFlow::ops
  RowTimes source;
};

StageTimes stage_times(const StageFlow& flow, const std::vector<RowStep>& steps);

/// Least slots such that no row is written into the slot of one that a step reads then or later.
std::int64_t ring_height(const RowTimes& times);

/// Bytes of inner rows that wait at some steps of the stage to be read: no storage of them takes less. 0 in blocks.
std::int64_t waiting_bytes(const StageFlow& flow, const StageTimes& times);

/// What the kernels of an operator can do with an input row that they read for the last time, and what that takes.
struct RowSharing {
  bool elementwise = false;              ///< write element after element of it
  std::int64_t own_row_scratch = -1;     ///< write the pixels of a 1x1 layer over it: bytes, or -1
  std::int64_t oldest_row_scratch = -1;  ///< write a window's row over the window's first row: bytes, or -1
};

/// How the rows of one operator's output are stored.
enum class RowHome : std::uint8_t {
  whole,      ///< as a tensor of its own
  ring,       ///< row i in slot i mod slots
  elements,   ///< in the slot of an input's row, element over element
  own_row,    ///< likewise, pixel over pixel
  oldest_row  ///< in the slot of the first row of its own window: first_slot + i * slot_step
};

struct RowPlace {
  RowHome home = RowHome::whole;
  int ring = -1;  ///< index into StageRings::rings; -1: in the whole tensor `tensor`
  TensorId tensor = kNoTensor;
  std::int64_t first_slot = 0, slot_step = 1;
};

/// Of rows, or where rows are made in blocks, of pixels: then a row of w pixels takes w slots, and may go on in the
/// first after the last.
struct Ring {
  std::int64_t slots = 0, slot_bytes = 0;
  bool pixels = false;

  bool operator==(const Ring&) const = default;
};

struct StageRings {
  std::vector<RowPlace> places;  ///< as StageFlow::ops
  RowPlace source;
  std::vector<Ring> rings;
  std::int64_t scratch = 0;  ///< that the shared rows take, one at a time
};

/// Storage of least bytes, op after op. With `into_outputs`, what an elementwise operator finishes is made where its
/// output is stored.
StageRings stage_rings(const StageFlow& flow, const StageTimes& times, const std::vector<RowSharing>& sharing,
                       bool into_outputs);

}  // namespace ripc
