#include "plan/slabs.h"

#include <algorithm>
#include <stdexcept>

#include "graph/movement.h"
#include "lower/pitch.h"

namespace ripc {
namespace {

std::size_t index(std::int32_t id) { return static_cast<std::size_t>(id); }

const Tensor& tensor_of(const Graph& graph, TensorId id) { return graph.tensors[index(id)]; }

std::int64_t pixel_bytes(const Tensor& tensor) {
  return image_shape(tensor).channels * static_cast<std::int64_t>(scalar_bytes(tensor.type));
}

/// Along the last axis the pieces interleave; elsewhere they follow each other if nothing lies before the axis.
bool interleaves(const Graph& graph, const Op& op) {
  const ImageShape made = made_image(graph, op);
  return made == image_shape(tensor_of(graph, op.output)) && made.height * made.width > 1;
}

bool follows(const Graph& graph, const Op& op) {
  const ImageShape made = made_image(graph, op);
  return made.height * made.width == 1;
}

/// Some channels of every pixel of the input.
bool slices_channels(const Graph& graph, const Op& op, const Blocks& blocks) {
  const ImageShape in = image_shape(tensor_of(graph, op.inputs[0]));
  return blocks.axes.size() == 1 && blocks.axes[0].offsets.empty() && blocks.axes[0].stride == in.channels &&
         blocks.count == in.height * in.width && blocks.start + blocks.scalars <= in.channels &&
         image_shape(tensor_of(graph, op.output)) == ImageShape{in.height, in.width, blocks.scalars};
}

const Op& writer_of(const Graph& graph, TensorId storage) {
  const auto found = std::ranges::find(graph.ops, storage, &Op::output);
  if (found == graph.ops.end()) throw std::logic_error("a slab that no operator writes");
  return *found;
}

/// What a tensor's neighbours ask of its layout.
struct Uses {
  bool dense_writer = true;  ///< the operator that writes it needs its pixels side by side; so does the caller
  bool dense_reader = false;
  bool edge = false;     ///< input or output of the network
  bool aliased = false;  ///< seen in another shape
};

std::vector<Uses> uses_of_layout(const Graph& graph) {
  std::vector<Uses> uses(graph.tensors.size());
  const auto at = [&](TensorId id) -> Uses& { return uses[index(storage_of(graph, id))]; };
  for (const Op& op : graph.ops) {
    at(op.output).dense_writer = !writes_pitched(graph, op);
    for (std::size_t i = 0; i < op.inputs.size(); ++i) at(op.inputs[i]).dense_reader |= !reads_pitched(graph, op, i);
  }
  for (std::size_t id = 0; id < graph.tensors.size(); ++id) {
    if (graph.tensors[id].alias_of != kNoTensor) at(static_cast<TensorId>(id)).aliased = true;
  }
  for (const TensorId input : graph.inputs) at(input).edge = true;
  for (const TensorId output : graph.outputs) at(output).edge = true;
  return uses;
}

/// What survives from run to run lies elsewhere than the slabs.
bool is_state(const Graph& graph, TensorId tensor) {
  return tensor_of(graph, storage_of(graph, tensor)).state != kNoState;
}

}  // namespace

Slabs slabs_in(const Graph& graph, const Plan& plan) {
  Slabs slabs(graph.tensors.size(), kNoTensor);
  for (const Storage& storage : plan.storages) slabs[index(storage.tensor)] = storage.within;
  return slabs;
}

TensorId slab_root(const Slabs& slabs, TensorId storage) {
  while (!slabs.empty() && slabs[index(storage)] != kNoTensor) storage = slabs[index(storage)];
  return storage;
}

SlabPlace slab_place(const Graph& graph, const Slabs& slabs, TensorId storage) {
  const Tensor& tensor = tensor_of(graph, storage);
  const std::int64_t pitch = pixel_bytes(tensor), row_bytes = image_shape(tensor).width * pitch;
  const TensorId whole = slabs.empty() ? kNoTensor : slabs[index(storage)];
  if (whole == kNoTensor) {
    return {.root = storage, .offset = 0, .row_bytes = row_bytes, .pitch = pitch, .dense = true};
  }
  SlabPlace place = slab_place(graph, slabs, whole);
  const auto scalar = static_cast<std::int64_t>(scalar_bytes(tensor.type));
  const Op& writer = writer_of(graph, storage);
  const auto* move = std::get_if<Rearrange>(&writer.kind);
  if (move != nullptr && storage_of(graph, writer.inputs[0]) == whole) {
    const Blocks blocks = blocks_of(*move);
    const Tensor& from = tensor_of(graph, writer.inputs[0]);  // perhaps in another shape than `whole`, and dense
    place.offset += blocks.start * scalar;
    place.dense = blocks.count == 1;
    place.pitch = place.dense ? pitch : pixel_bytes(from);
    place.row_bytes = place.dense ? row_bytes : image_shape(from).width * pixel_bytes(from);
    return place;
  }
  const Op& concat = writer_of(graph, whole);
  for (const TensorId input : concat.inputs) {
    if (storage_of(graph, input) == storage) break;
    place.offset += piece_scalars(graph, concat, input) * scalar;
  }
  if (interleaves(graph, concat)) {
    place.dense = false;
  } else {
    place.row_bytes = row_bytes;
    place.pitch = pitch;
  }
  return place;
}

std::vector<SlabGroup> slab_groups(const Graph& graph) {
  const std::vector<Uses> uses = uses_of_layout(graph);
  std::vector<bool> written(graph.tensors.size(), false), taken(graph.tensors.size(), false);
  std::vector<SlabGroup> groups;
  for (std::size_t id = 0; id < graph.ops.size(); ++id) {
    const Op& op = graph.ops[id];
    written[index(op.output)] = true;
    if (!std::holds_alternative<Concat>(op.kind) || is_state(graph, op.output)) continue;
    const bool channels = interleaves(graph, op);
    if (!channels && !follows(graph, op)) continue;
    SlabGroup group{.op = static_cast<OpId>(id), .whole = op.output, .tensors = {}};
    for (const TensorId input : op.inputs) {
      const TensorId storage = storage_of(graph, input);
      const Tensor& tensor = tensor_of(graph, storage);
      const Uses& use = uses[index(storage)];
      if (tensor.constant || taken[index(storage)] || !written[index(storage)] || use.edge) continue;
      if (is_state(graph, storage)) continue;
      if (tensor_of(graph, input).quantization != tensor_of(graph, op.output).quantization) continue;
      if (channels && (use.dense_writer || use.dense_reader || use.aliased)) continue;
      taken[index(storage)] = true;
      group.tensors.push_back(storage);
    }
    if (!group.tensors.empty()) groups.push_back(std::move(group));
  }
  for (std::size_t id = 0; id < graph.ops.size(); ++id) {
    const Op& op = graph.ops[id];
    const auto* move = std::get_if<Rearrange>(&op.kind);
    if (move == nullptr) continue;
    const TensorId whole = storage_of(graph, op.inputs[0]);
    const Uses& use = uses[index(op.output)];
    const bool fixed = tensor_of(graph, whole).constant || !written[index(whole)] || use.edge;
    if (fixed || taken[index(op.output)] || is_state(graph, whole) || is_state(graph, op.output)) continue;
    const Blocks blocks = blocks_of(*move);
    const bool channels = slices_channels(graph, op, blocks) && !use.dense_reader && !use.aliased;
    if (blocks.count == 1 || channels) {
      groups.push_back({.op = static_cast<OpId>(id), .whole = whole, .tensors = {op.output}});
    }
  }
  return groups;
}

Slabs slabs_of(const Graph& graph, const std::vector<SlabGroup>& groups, const std::vector<bool>& chosen) {
  Slabs slabs(graph.tensors.size(), kNoTensor);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (!chosen[i]) continue;
    for (const TensorId tensor : groups[i].tensors) slabs[index(tensor)] = groups[i].whole;
  }
  return slabs;
}

}  // namespace ripc
