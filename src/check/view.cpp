#include "check/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "check/fault.h"

namespace ripc::check {
namespace {

bool is_input(const Graph& graph, TensorId tensor) {
  return std::ranges::any_of(graph.inputs, [&](TensorId input) { return storage_of(graph, input) == tensor; });
}

/// Offsets and sizes that fit 31 bits, so that no sum of them overflows.
bool sound(std::int64_t number) { return number >= 0 && number <= std::numeric_limits<std::int32_t>::max(); }

void check_storage(const Graph& graph, const Storage& storage, const Plan& plan) {
  const auto complain = [&](std::string problem, std::string expected, std::string found) {
    fail(graph, {.op = -1,
                 .tensor = storage.tensor,
                 .problem = std::move(problem),
                 .expected = std::move(expected),
                 .found = std::move(found)});
  };
  const Tensor& tensor = graph.tensors[static_cast<std::size_t>(storage.tensor)];
  if (tensor.alias_of != kNoTensor || tensor.constant) {
    complain("the storage is not of an activation of its own", "neither alias nor constant", {});
  }
  const ImageShape image = image_shape(tensor);
  const auto scalar = static_cast<std::int64_t>(scalar_bytes(tensor.type));
  const std::int64_t dense = image.width * image.channels * scalar;
  if (storage.slots < 1 || storage.slots > image.height) {
    complain("the storage has a wrong number of rows", fmt::format("1 to {}", image.height),
             std::to_string(storage.slots));
  }
  if (storage.row_bytes < dense || !sound(storage.row_bytes)) {
    complain("a stored row is too short", fmt::format("{} bytes", dense), std::to_string(storage.row_bytes));
  }
  if (storage.external && !is_input(graph, storage.tensor)) {
    complain("the storage is the caller's", "an input of the network", "another tensor");
  }
  if (storage.external) return;
  if (storage.state != (tensor.state != kNoState)) {
    complain(storage.state ? "the storage is a state's" : "the storage is in the arena",
             storage.state ? "a tensor of a state" : "a place in the state", {});
  }
  const std::int64_t space_bytes = storage.state ? plan.state_bytes : plan.arena_bytes;
  const std::int64_t alignment = storage.state ? plan.state_alignment : plan.alignment;
  if (!lies_in({storage.offset, storage.slots * storage.row_bytes}, space_bytes)) {
    complain(storage.state ? "the storage lies outside the state" : "the storage lies outside the arena",
             fmt::format("the end at byte {} or before", space_bytes),
             fmt::format("{} rows of {} bytes from byte {}", storage.slots, storage.row_bytes, storage.offset));
  }
  if (storage.offset % scalar != 0 || storage.row_bytes % scalar != 0 || alignment % scalar != 0) {
    complain("the storage is misaligned", fmt::format("multiples of {} bytes", scalar),
             fmt::format("rows of {} bytes from byte {} of an arena aligned to {}", storage.row_bytes, storage.offset,
                         alignment));
  }
}

}  // namespace

Storages::Storages(const Graph& graph, const Plan& plan) : graph_(graph), by_tensor_(graph.tensors.size()) {
  for (const Storage& storage : plan.storages) {
    if (storage.tensor < 0 || static_cast<std::size_t>(storage.tensor) >= graph.tensors.size()) {
      fail(graph, {.op = -1,
                   .tensor = kNoTensor,
                   .problem = "a storage is of no tensor",
                   .expected = fmt::format("0 to {}", graph.tensors.size()),
                   .found = std::to_string(storage.tensor)});
    }
    check_storage(graph, storage, plan);
    const Storage*& place = by_tensor_[static_cast<std::size_t>(storage.tensor)];
    if (place != nullptr) {
      fail(graph, {.op = -1, .tensor = storage.tensor, .problem = "it is stored twice", .expected = {}, .found = {}});
    }
    place = &storage;
  }
}

View Storages::view(TensorId tensor, const ImageShape& image, OpId op) const {
  const TensorId root = storage_of(graph_, tensor);
  const Storage* storage = by_tensor_[static_cast<std::size_t>(root)];
  if (storage == nullptr) {
    fail(graph_, {.op = op, .tensor = root, .problem = "an activation has no storage", .expected = {}, .found = {}});
  }
  const Tensor& stored = graph_.tensors[static_cast<std::size_t>(root)];
  View view{.root = root,
            .image = image,
            .scalar = static_cast<std::int64_t>(scalar_bytes(stored.type)),
            .region = {storage->offset, storage->slots * storage->row_bytes},
            .row_bytes = storage->row_bytes,
            .slots = storage->slots,
            .external = storage->external,
            .state = storage->state};
  const ImageShape rows = image_shape(stored);
  const std::int64_t row_scalars = rows.width * rows.channels;
  const std::int64_t seen_scalars = image.width * image.channels;
  const bool whole = storage->slots == rows.height && storage->row_bytes == row_scalars * view.scalar;
  if (whole && image.height * seen_scalars == element_count(stored)) {  // no holes: any image of as many bytes will do
    view.row_bytes = seen_scalars * view.scalar;
    view.slots = image.height;
  } else if (image.height != rows.height || seen_scalars != row_scalars) {
    fail(graph_, {.op = op,
                  .tensor = root,
                  .problem = "the stored rows cannot be seen in the shape that is asked for",
                  .expected = fmt::format("{} rows of {} scalars", image.height, seen_scalars),
                  .found = fmt::format("{} of {}, {} stored", rows.height, row_scalars, storage->slots)});
  }
  return view;
}

bool lies_in(const Region& region, std::int64_t arena_bytes) {
  return sound(region.offset) && sound(region.bytes) && region.offset + region.bytes <= arena_bytes;
}

}  // namespace ripc::check
