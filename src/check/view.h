// Where the rows of a tensor lie, as one operator sees them.
#pragma once

#include <cstdint>
#include <vector>

#include "check/shadow.h"
#include "graph/graph.h"
#include "plan/plan.h"

namespace ripc::check {

/// A tensor's rows in the arena or in the caller's buffer, and the tags that belong there.
struct View {
  TensorId root = kNoTensor;  ///< the tensor whose bytes these are: the outermost in which they belong
  ImageShape image;
  std::int64_t scalar = 1;     ///< bytes
  Region region;               ///< all slots
  std::int64_t row_bytes = 0;  ///< from slot to slot
  std::int64_t pitch = 0;      ///< from pixel to pixel
  std::int64_t slots = 0;
  std::int64_t first_slot = 0, slot_step = 1;
  bool pixel_slots = false;  ///< a slot holds a pixel: pixel x of a row lies x slots after the row's first
  bool external = false;
  bool state = false;  ///< the region lies in what survives from run to run, not in the arena
  /// Tags count as addresses do: a pixel's bytes, a pitch to the next pixel, and from row to row the root's own bytes.
  std::int64_t first_byte = 0;  ///< of the root
  std::int64_t byte_row = 0;    ///< bytes of the root from row to row

  std::int64_t pixel_bytes() const { return image.channels * scalar; }
  /// Of the slot of a pixel, where slots hold pixels.
  std::int64_t slot(std::int64_t row, std::int64_t column) const {
    return (first_slot + row * slot_step + column) % slots;
  }
  std::int64_t address(std::int64_t row, std::int64_t column = 0) const {
    if (pixel_slots) return region.offset + slot(row, column) * pitch;
    return region.offset + (first_slot + row * slot_step) % slots * row_bytes + column * pitch;
  }
  std::int64_t byte(std::int64_t row) const { return first_byte + row * byte_row; }
  Tag tag(std::int64_t row, std::int64_t column = 0) const {
    return make_tag(Content::tensor, root, byte(row) + column * pitch);
  }
};

/// The storages of a plan, by tensor.
class Storages {
 public:
  /// Checks the record: one storage at most a tensor, none for an alias, slots that hold its rows, all of it in an
  /// arena whose alignment is that of its scalars; what is stored within another tensor lies exactly where that
  /// tensor's CONCATENATION would put it. Throws ripc::Error.
  Storages(const Graph& graph, const Plan& plan);

  /// The network's only input, whose rows arrive one by one. Throws ripc::Error if that cannot be.
  View stream() const;

  /// `tensor` seen as `image` by operator `op` (-1: by the caller). Throws ripc::Error if it has no storage, or has
  /// fewer slots or longer ones than `image` can be seen through.
  View view(TensorId tensor, const ImageShape& image, OpId op) const;

  /// Whether the output of `op` is a slice that is stored within its input.
  bool is_view(const Op& op) const;

 private:
  struct Part {
    TensorId root = kNoTensor;
    std::int64_t first_byte = 0;
  };
  /// Where the bytes of `storage` belong in the outermost tensor around it.
  Part part_of(const Storage& storage) const;
  void check_within(const Storage& storage) const;
  void check_slice(const Op& op, const Storage& storage, const Storage& whole) const;

  const Graph& graph_;
  std::vector<const Storage*> by_tensor_;
};

/// Whether `region` lies in an arena of so many bytes.
bool lies_in(const Region& region, std::int64_t arena_bytes);

}  // namespace ripc::check
