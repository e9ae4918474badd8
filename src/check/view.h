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
  TensorId root = kNoTensor;  ///< the tensor whose bytes these are
  ImageShape image;
  std::int64_t scalar = 1;     ///< bytes
  Region region;               ///< all slots
  std::int64_t row_bytes = 0;  ///< from slot to slot
  std::int64_t slots = 0;
  bool external = false;
  bool state = false;  ///< the region lies in what survives from run to run, not in the arena

  std::int64_t pixel_bytes() const { return image.channels * scalar; }
  std::int64_t address(std::int64_t row) const { return region.offset + (row < slots ? row : row % slots) * row_bytes; }
  std::int64_t byte(std::int64_t row) const { return row * image.width * pixel_bytes(); }
  Tag tag(std::int64_t row) const { return make_tag(Content::tensor, root, byte(row)); }
};

/// The storages of a plan, by tensor.
class Storages {
 public:
  /// Checks the record: one storage at most a tensor, none for an alias, slots that hold its rows, all of it in an
  /// arena whose alignment is that of its scalars. Throws ripc::Error.
  Storages(const Graph& graph, const Plan& plan);

  /// `tensor` seen as `image` by operator `op` (-1: by the caller). Throws ripc::Error if it has no storage, or has
  /// fewer slots or longer ones than `image` can be seen through.
  View view(TensorId tensor, const ImageShape& image, OpId op) const;

 private:
  const Graph& graph_;
  std::vector<const Storage*> by_tensor_;
};

/// Whether `region` lies in an arena of so many bytes.
bool lies_in(const Region& region, std::int64_t arena_bytes);

}  // namespace ripc::check
