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
  const bool own_slots = storage.pixel_slots || (storage.first_slot == 0 && storage.slot_step == 1);
  const std::int64_t most_slots = storage.pixel_slots ? image.height * image.width : image.height;
  if (storage.slots < 1 || !sound(storage.slots) || (own_slots && storage.slots > most_slots)) {
    complain(
        storage.pixel_slots ? "the storage has a wrong number of pixels" : "the storage has a wrong number of rows",
        fmt::format("1 to {}", most_slots), std::to_string(storage.slots));
  }
  constexpr std::int64_t kMostStep = std::numeric_limits<std::int16_t>::max();
  if (storage.first_slot < 0 || storage.first_slot >= storage.slots || storage.slot_step < 1 ||
      storage.slot_step > kMostStep) {
    complain("its rows lie in slots that cannot be",
             fmt::format("the first in slot 0 to {}, 1 to {} slots from row to row", storage.slots - 1, kMostStep),
             fmt::format("slot {}, {} slots from row to row", storage.first_slot, storage.slot_step));
  }
  const std::int64_t pixel = image.channels * scalar;
  if (storage.pitch != 0 && (storage.pitch < pixel || !sound(storage.pitch) || storage.within == kNoTensor)) {
    complain("a pitch that cannot be", fmt::format("0, or at least {} within another tensor", pixel),
             std::to_string(storage.pitch));
  }
  if (storage.pixel_slots) {
    const bool apart = storage.pitch == 0 && storage.within == kNoTensor && !storage.external && !storage.state;
    if (!apart || storage.row_bytes != pixel) {
      complain("its pixels lie in slots that cannot be", fmt::format("slots of {} bytes, in the arena", pixel),
               std::to_string(storage.row_bytes));
    }
  }
  const std::int64_t row = storage.pixel_slots  ? pixel
                           : storage.pitch == 0 ? dense
                                                : (image.width - 1) * storage.pitch + pixel;
  if (storage.row_bytes < row || !sound(storage.row_bytes)) {
    complain("a stored row is too short", fmt::format("{} bytes", row), std::to_string(storage.row_bytes));
  }
  if (storage.within < kNoTensor || storage.within >= static_cast<TensorId>(graph.tensors.size())) {
    complain("it is stored within a tensor that does not exist", fmt::format("less than {}", graph.tensors.size()),
             std::to_string(storage.within));
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
  if (!lies_in({storage.offset, (storage.slots - 1) * storage.row_bytes + row}, space_bytes)) {
    complain(storage.state ? "the storage lies outside the state" : "the storage lies outside the arena",
             fmt::format("the end at byte {} or before", space_bytes),
             fmt::format("{} rows of {} bytes from byte {}", storage.slots, storage.row_bytes, storage.offset));
  }
  if (storage.offset % scalar != 0 || storage.row_bytes % scalar != 0 || storage.pitch % scalar != 0 ||
      alignment % scalar != 0) {
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
  for (const Storage& storage : plan.storages) {
    if (storage.within != kNoTensor) check_within(storage);
  }
}

/// `storage` must be an input of the CONCATENATION that writes the tensor around it, at that one's quantisation, and
/// lie in the bytes that it would be copied to. Then what is written there is right for both tensors at any time.
void Storages::check_within(const Storage& storage) const {
  const auto complain = [&](const char* problem, std::string expected, std::string found) {
    fail(graph_, {.op = -1,
                  .tensor = storage.tensor,
                  .problem = problem,
                  .expected = std::move(expected),
                  .found = std::move(found)});
  };
  for (const auto* edge : {&graph_.inputs, &graph_.outputs}) {
    for (const TensorId id : *edge) {
      if (storage_of(graph_, id) == storage.tensor)
        complain("an input or output of the network is stored within another", {}, {});
    }
  }
  const Storage* whole = by_tensor_[static_cast<std::size_t>(storage.within)];
  if (whole == nullptr || whole->external) complain("the tensor that it is stored within is not in the arena", {}, {});
  const auto slice =
      std::ranges::find_if(graph_.ops, [&](const Op& op) { return op.output == storage.tensor && is_view(op); });
  if (slice != graph_.ops.end()) return check_slice(*slice, storage, *whole);
  const auto concat = std::ranges::find_if(
      graph_.ops, [&](const Op& op) { return op.output == storage.within && std::holds_alternative<Concat>(op.kind); });
  if (concat == graph_.ops.end()) {
    complain("it is stored within a tensor that no concatenation makes", {}, std::to_string(storage.within));
  }
  const Tensor& out = graph_.tensors[static_cast<std::size_t>(storage.within)];
  const Tensor& tensor = graph_.tensors[static_cast<std::size_t>(storage.tensor)];
  const auto axis = static_cast<std::size_t>(std::get<Concat>(concat->kind).axis);
  const auto scalar = static_cast<std::int64_t>(scalar_bytes(out.type));
  std::int64_t pixels = 1, before = 0;
  for (std::size_t i = 0; i < axis; ++i) pixels *= out.shape[i];
  const ImageShape image = image_shape(out), own = image_shape(tensor);
  const std::int64_t whole_pitch = whole->pitch == 0 ? image.channels * scalar : whole->pitch;
  // Among the channels of every pixel, or pixels of one piece each, of which there is but one.
  const bool channels = axis + 1 == out.shape.size() && own.height == image.height && own.width == image.width;
  for (const TensorId input : concat->inputs) {
    const Tensor& piece = graph_.tensors[static_cast<std::size_t>(input)];
    const std::int64_t offset = whole->offset + before;
    before += element_count(piece) / pixels * scalar;
    if (storage_of(graph_, input) != storage.tensor || piece.quantization != out.quantization) continue;
    if (!stored_whole(*whole, image.height) || !stored_whole(storage, own.height)) continue;
    const bool among =
        channels && storage.offset == offset && storage.pitch == whole_pitch && storage.row_bytes == whole->row_bytes;
    const bool after = pixels == 1 && whole->pitch == 0 && whole->row_bytes == image.width * image.channels * scalar &&
                       storage.offset == offset && storage.pitch == 0 &&
                       storage.row_bytes == own.width * own.channels * scalar;
    if (among || after) return;
  }
  complain("it does not lie where the concatenation around it belongs", {},
           fmt::format("byte {}, rows of {} bytes, pixels of {}", storage.offset, storage.row_bytes, storage.pitch));
}

bool Storages::is_view(const Op& op) const {
  const Storage* storage = by_tensor_[static_cast<std::size_t>(op.output)];
  return std::holds_alternative<Rearrange>(op.kind) && storage != nullptr &&
         storage->within == storage_of(graph_, op.inputs[0]);
}

/// Every scalar must lie where the input, which is whole, has the one that it is.
void Storages::check_slice(const Op& op, const Storage& storage, const Storage& whole) const {
  const auto& move = std::get<Rearrange>(op.kind);
  const Tensor& out = graph_.tensors[static_cast<std::size_t>(storage.tensor)];
  const Tensor& in = graph_.tensors[static_cast<std::size_t>(whole.tensor)];
  const ImageShape image = image_shape(out), from = image_shape(in);
  const auto scalar = static_cast<std::int64_t>(scalar_bytes(out.type));
  const std::int64_t pitch = storage.pitch == 0 ? image.channels * scalar : storage.pitch;
  bool right = whole.pitch == 0 && stored_whole(whole, from.height) &&
               whole.row_bytes == from.width * from.channels * scalar && stored_whole(storage, image.height);
  for (std::int64_t i = 0; right && i < element_count(out); ++i) {
    std::int64_t rest = i, source = move.start;
    for (auto axis = move.axes.rbegin(); axis != move.axes.rend(); ++axis) {
      const std::int64_t at = rest % axis->extent;
      source += axis->offsets.empty() ? at * axis->stride : axis->offsets[static_cast<std::size_t>(at)];
      rest /= axis->extent;
    }
    const std::int64_t pixel = i / image.channels;
    const std::int64_t address = storage.offset + pixel / image.width * storage.row_bytes +
                                 pixel % image.width * pitch + i % image.channels * scalar;
    right = address == whole.offset + source * scalar;
  }
  if (right) return;
  fail(graph_,
       {.op = -1,
        .tensor = storage.tensor,
        .problem = "a slice does not lie where its input has it",
        .expected = {},
        .found = fmt::format("byte {}, rows of {} bytes, pixels of {}", storage.offset, storage.row_bytes, pitch)});
}

Storages::Part Storages::part_of(const Storage& storage) const {
  // Every step leads to the output of a later operator.
  const Storage* outer = &storage;
  while (outer->within != kNoTensor) outer = by_tensor_[static_cast<std::size_t>(outer->within)];
  return {outer->tensor, storage.offset - outer->offset};
}

View Storages::view(TensorId tensor, const ImageShape& image, OpId op) const {
  const TensorId root = storage_of(graph_, tensor);
  const Storage* storage = by_tensor_[static_cast<std::size_t>(root)];
  if (storage == nullptr) {
    fail(graph_, {.op = op, .tensor = root, .problem = "an activation has no storage", .expected = {}, .found = {}});
  }
  const Tensor& stored = graph_.tensors[static_cast<std::size_t>(root)];
  const ImageShape rows = image_shape(stored);
  const auto scalar = static_cast<std::int64_t>(scalar_bytes(stored.type));
  const Part part = part_of(*storage);
  const std::int64_t dense_row = rows.width * rows.channels * scalar;
  View view{.root = part.root,
            .image = image,
            .scalar = scalar,
            .region = {storage->offset, storage->slots * storage->row_bytes},
            .row_bytes = storage->row_bytes,
            .pitch = storage->pitch == 0 ? image.channels * scalar : storage->pitch,
            .slots = storage->slots,
            .first_slot = storage->first_slot,
            .slot_step = storage->slot_step,
            .pixel_slots = storage->pixel_slots,
            .external = storage->external,
            .state = storage->state,
            .first_byte = part.first_byte,
            .byte_row = storage->within == kNoTensor ? dense_row : storage->row_bytes};
  if (storage->pitch != 0 || storage->pixel_slots) {
    if (image == rows) return view;
    fail(graph_, {.op = op,
                  .tensor = root,
                  .problem = "a slice of a tensor, or a ring of its pixels, is seen in another shape",
                  .expected = fmt::format("{} x {} x {}", rows.height, rows.width, rows.channels),
                  .found = fmt::format("{} x {} x {}", image.height, image.width, image.channels)});
  }
  const std::int64_t row_scalars = rows.width * rows.channels;
  const std::int64_t seen_scalars = image.width * image.channels;
  const bool whole = stored_whole(*storage, rows.height) && storage->row_bytes == row_scalars * view.scalar;
  if (whole && image.height * seen_scalars == element_count(stored)) {  // no holes: any image of as many bytes will do
    view.row_bytes = view.byte_row = seen_scalars * view.scalar;
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

View Storages::stream() const {
  const TensorId input = graph_.inputs.size() == 1 ? storage_of(graph_, graph_.inputs[0]) : kNoTensor;
  if (input == kNoTensor) {
    fail(graph_, {.op = -1,
                  .tensor = kNoTensor,
                  .problem = "the input is streamed",
                  .expected = "one input",
                  .found = std::to_string(graph_.inputs.size())});
  }
  const View stream = view(input, image_shape(graph_.tensors[static_cast<std::size_t>(input)]), -1);
  if (stream.external || stream.state || stream.pixel_slots || stream.pitch != stream.pixel_bytes()) {
    fail(graph_, {.op = -1,
                  .tensor = input,
                  .problem = "the streamed input lies outside the arena or in a slice",
                  .expected = {},
                  .found = {}});
  }
  return stream;
}

bool lies_in(const Region& region, std::int64_t arena_bytes) {
  return sound(region.offset) && sound(region.bytes) && region.offset + region.bytes <= arena_bytes;
}

}  // namespace ripc::check
