// Concatenation and slices without a copy: which tensors are stored in the bytes of another one, their slab: inputs of
// a CONCATENATION where they belong in its output, a slice where it lies in its input.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"
#include "plan/plan.h"

namespace ripc {

/// By TensorId: the tensor that the tensor is stored in, itself perhaps stored in another; or kNoTensor. Empty: no
/// tensor is.
using Slabs = std::vector<TensorId>;

/// The slabs of a finished plan.
Slabs slabs_in(const Graph& graph, const Plan& plan);

/// The tensor in whose buffer `storage` (no alias) lies: itself, or the outermost slab around it.
TensorId slab_root(const Slabs& slabs, TensorId storage);

/// Where a tensor's rows lie in the buffer of its root.
struct SlabPlace {
  TensorId root = kNoTensor;
  std::int64_t offset = 0;     ///< bytes from the root's first byte
  std::int64_t row_bytes = 0;  ///< from row to row
  std::int64_t pitch = 0;      ///< from pixel to pixel
  bool dense = true;           ///< the tensor's bytes lie side by side
};
SlabPlace slab_place(const Graph& graph, const Slabs& slabs, TensorId storage);

/// Tensors that can be stored in `whole`, all of them at once: inputs of the CONCATENATION `op` that writes it, or the
/// slice that `op` makes of it.
struct SlabGroup {
  OpId op = -1;
  TensorId whole = kNoTensor;
  std::vector<TensorId> tensors;
};

/// What can be stored without a copy, exactly. An input of a CONCATENATION: an activation of the output's own
/// quantisation, written by an operator whose kernel leaves bytes between its pixels alone, read only by operators that
/// skip such bytes, in one shape, and neither input nor output of the network. One that several concatenations read
/// belongs to the first; the others copy it from there. Where the axis is not the last, the pieces are whole tensors
/// one after another, or nothing. A slice: some channels of every pixel, read only so, or bytes that lie side by side.
std::vector<SlabGroup> slab_groups(const Graph& graph);

/// The tensors of the groups that `chosen` marks.
Slabs slabs_of(const Graph& graph, const std::vector<SlabGroup>& groups, const std::vector<bool>& chosen);

}  // namespace ripc
