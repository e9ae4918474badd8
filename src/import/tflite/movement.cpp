// Operators of TensorFlow Lite that move scalars and compute nothing.
#include "import/tflite/movement.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "graph/limits.h"
#include "graph/movement.h"

namespace ripc {
namespace {

using Shape = std::vector<std::int64_t>;

/// Scalars from one index to the next, axis by axis.
Shape strides_of(const Shape& shape) {
  Shape strides(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

/// A copy of the whole input, to be changed axis by axis.
Rearrange whole(const TfliteOp& op, const char* name) {
  Rearrange move{.name = name, .start = 0, .axes = {}};
  const Shape& shape = op.input.shape;
  const Shape strides = strides_of(shape);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    move.axes.push_back({.extent = shape[i], .stride = strides[i], .offsets = {}});
  }
  return move;
}

Complaint finish(Rearrange move, OpKind& kind) {
  move = simplified(std::move(move));
  if (move.axes.size() > kMostAxes) {
    return complain("too many axes", fmt::format("at most {} after merging", kMostAxes),
                    fmt::format("{}", move.axes.size()));
  }
  kind = std::move(move);
  return {};
}

/// The integers of operand `i`, as many as there are.
Complaint integers(const TfliteOp& op, std::size_t i, std::size_t count, Shape& out) {
  if (Complaint complaint = op.reader.integers(op.inputs[i], out)) return complaint;
  if (out.size() == count) return {};
  return complain("parameter of the wrong size", fmt::format("{} numbers", count), fmt::format("{}", out.size()),
                  op.reader.name(op.inputs[i]));
}

Complaint wrap_axis(std::int64_t axis, std::size_t rank, std::size_t& out) {
  const auto extent = static_cast<std::int64_t>(rank);
  const std::int64_t wrapped = axis < 0 ? axis + extent : axis;
  if (wrapped < 0 || wrapped >= extent) {
    return complain("no such axis", fmt::format("{} to {}", -extent, extent - 1), fmt::format("{}", axis));
  }
  out = static_cast<std::size_t>(wrapped);
  return {};
}

/// Indices begin, begin + 1, ... of one axis.
Complaint cut(Rearrange& move, std::size_t axis, std::int64_t begin, std::int64_t extent) {
  AxisMap& map = move.axes[axis];
  if (begin < 0 || extent < 1 || begin > map.extent || extent > map.extent - begin) {
    return complain("slice outside of the input", fmt::format("0 to {} of axis {}", map.extent, axis),
                    fmt::format("{} from {}", extent, begin));
  }
  move.start += begin * map.stride;
  map.extent = extent;
  return {};
}

bool bit(std::int32_t mask, std::size_t i) { return (static_cast<std::uint32_t>(mask) >> i & 1U) != 0; }

}  // namespace

Complaint read_slice(const TfliteOp& op, OpKind& kind) {
  const std::size_t rank = op.input.shape.size();
  Shape begin, size;
  if (Complaint complaint = integers(op, 1, rank, begin)) return complaint;
  if (Complaint complaint = integers(op, 2, rank, size)) return complaint;
  Rearrange move = whole(op, "SLICE");
  for (std::size_t i = 0; i < rank; ++i) {
    const bool rest = size[i] == -1 && begin[i] >= 0 && begin[i] <= op.input.shape[i];
    const std::int64_t extent = rest ? op.input.shape[i] - begin[i] : size[i];
    if (Complaint complaint = cut(move, i, begin[i], extent)) return complaint;
  }
  return finish(std::move(move), kind);
}

Complaint read_strided_slice(const TfliteOp& op, OpKind& kind) {
  const auto* options = op.op.builtin_options_as_StridedSliceOptions();
  if (options == nullptr) return complain("options are missing");
  if (options->ellipsis_mask() != 0 || options->new_axis_mask() != 0)
    return complain("ellipsis or new axis in a slice");
  const std::size_t rank = op.input.shape.size();
  Shape begin, end, step;
  if (Complaint complaint = op.reader.integers(op.inputs[1], begin)) return complaint;
  if (begin.size() > rank) return complain("slice of more axes than the input has");
  if (Complaint complaint = integers(op, 2, begin.size(), end)) return complaint;
  if (Complaint complaint = integers(op, 3, begin.size(), step)) return complaint;
  // Beyond the longest axis all indices are alike.
  for (Shape* indices : {&begin, &end}) {
    for (std::int64_t& index : *indices) index = std::clamp(index, -kMaxStep, kMaxStep);
  }
  Rearrange move = whole(op, "STRIDED_SLICE");
  for (std::size_t i = 0; i < begin.size(); ++i) {
    AxisMap& map = move.axes[i];
    const std::int64_t extent = map.extent, stride = step[i];
    if (stride == 0 || stride < -kMaxStep || stride > kMaxStep)
      return complain("bad stride of a slice", {}, fmt::format("{}", stride));
    const auto wrapped = [&](std::int64_t index) {
      return std::clamp<std::int64_t>(index < 0 ? index + extent : index, stride > 0 ? 0 : -1,
                                      stride > 0 ? extent : extent - 1);
    };
    std::int64_t first = bit(options->begin_mask(), i) ? (stride > 0 ? 0 : extent - 1) : wrapped(begin[i]);
    std::int64_t last = bit(options->end_mask(), i) ? (stride > 0 ? extent : -1)
                                                    : wrapped(options->offset() ? begin[i] + end[i] : end[i]);
    if (bit(options->shrink_axis_mask(), i)) last = first + (stride > 0 ? 1 : -1);
    const std::int64_t count =
        stride > 0 ? (last - first + stride - 1) / stride : (first - last - stride - 1) / -stride;
    if (count < 1 || first < 0 || first >= extent)
      return complain("empty slice", {}, fmt::format("axis {}", i), op.input.name);
    move.start += first * map.stride;
    map.extent = count;
    map.stride *= stride;
  }
  return finish(std::move(move), kind);
}

Complaint read_split(const TfliteOp& op, OpKind& kind) {
  const std::size_t rank = op.input.shape.size(), parts = op.outputs;
  Shape axes;
  if (Complaint complaint = integers(op, 1, 1, axes)) return complaint;
  std::size_t axis = 0;
  if (Complaint complaint = wrap_axis(axes[0], rank, axis)) return complaint;
  const auto count = static_cast<std::int64_t>(parts);
  if (op.input.shape[axis] % count != 0)
    return complain("parts that do not divide the axis", {}, fmt::format("{}", count));
  const std::int64_t extent = op.input.shape[axis] / count;
  Rearrange move = whole(op, "SPLIT");
  if (Complaint complaint = cut(move, axis, extent * static_cast<std::int64_t>(op.output_index), extent))
    return complaint;
  return finish(std::move(move), kind);
}

Complaint read_split_v(const TfliteOp& op, OpKind& kind) {
  const std::size_t rank = op.input.shape.size();
  Shape sizes, axes;
  if (Complaint complaint = integers(op, 1, op.outputs, sizes)) return complaint;
  if (Complaint complaint = integers(op, 2, 1, axes)) return complaint;
  std::size_t axis = 0;
  if (Complaint complaint = wrap_axis(axes[0], rank, axis)) return complaint;
  const std::int64_t extent = op.input.shape[axis];
  std::int64_t known = 0;
  for (const std::int64_t size : sizes) {
    if (size < -1 || size > extent) return complain("bad size of a part", {}, fmt::format("{}", size));
    known += size == -1 ? 0 : size;
  }
  for (std::int64_t& size : sizes) size = size == -1 ? extent - known : size;
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < op.output_index; ++i) begin += sizes[i];
  Rearrange move = whole(op, "SPLIT_V");
  if (Complaint complaint = cut(move, axis, begin, sizes[op.output_index])) return complaint;
  return finish(std::move(move), kind);
}

Complaint read_unpack(const TfliteOp& op, OpKind& kind) {
  const auto* options = op.op.builtin_options_as_UnpackOptions();
  if (options == nullptr) return complain("options are missing");
  std::size_t axis = 0;
  if (Complaint complaint = wrap_axis(options->axis(), op.input.shape.size(), axis)) return complaint;
  Rearrange move = whole(op, "UNPACK");
  if (Complaint complaint = cut(move, axis, static_cast<std::int64_t>(op.output_index), 1)) return complaint;
  return finish(std::move(move), kind);
}

Complaint read_pack(const TfliteOp& op, OpKind& kind) {
  const auto* options = op.op.builtin_options_as_PackOptions();
  if (options == nullptr) return complain("options are missing");
  std::size_t axis = 0;
  if (Complaint complaint = wrap_axis(options->axis(), op.output.shape.size(), axis)) return complaint;
  kind = Concat{.axis = static_cast<std::int64_t>(axis), .stacks = true};
  return {};
}

Complaint read_transpose(const TfliteOp& op, OpKind& kind) {
  const std::size_t rank = op.input.shape.size();
  Shape permutation;
  if (Complaint complaint = integers(op, 1, rank, permutation)) return complaint;
  const Rearrange from = whole(op, "TRANSPOSE");
  Rearrange move{.name = from.name, .start = 0, .axes = {}};
  std::vector<bool> used(rank, false);
  for (const std::int64_t source : permutation) {
    std::size_t axis = 0;
    if (Complaint complaint = wrap_axis(source, rank, axis)) return complaint;
    if (used[axis]) return complain("axis twice in a permutation", {}, fmt::format("{}", source));
    used[axis] = true;
    move.axes.push_back(from.axes[axis]);
  }
  return finish(std::move(move), kind);
}

Complaint read_gather(const TfliteOp& op, OpKind& kind) {
  const auto* options = op.op.builtin_options_as_GatherOptions();
  if (options == nullptr) return complain("options are missing");
  if (options->batch_dims() != 0) return complain("gather with batches of indices");
  Shape indices;
  if (Complaint complaint = op.reader.integers(op.inputs[1], indices)) return complaint;
  std::size_t axis = 0;
  if (Complaint complaint = wrap_axis(options->axis(), op.input.shape.size(), axis)) return complaint;
  Rearrange move = whole(op, "GATHER");
  AxisMap& map = move.axes[axis];
  for (const std::int64_t index : indices) {
    if (index < 0 || index >= map.extent)
      return complain("index outside of the axis", fmt::format("0 to {}", map.extent - 1), fmt::format("{}", index));
    map.offsets.push_back(index * map.stride);
  }
  map.extent = static_cast<std::int64_t>(map.offsets.size());
  return finish(std::move(move), kind);
}

namespace {

/// Output (y, x, c) of DEPTH_TO_SPACE is input (y / b, x / b, (y % b * b + x % b) * depth + c).
Rearrange space_from_depth(const char* name, std::int64_t height, std::int64_t width, std::int64_t depth,
                           std::int64_t b) {
  const std::int64_t pixel = b * b * depth;
  return {
      .name = name,
      .start = 0,
      .axes = {{height, width * pixel, {}}, {b, b * depth, {}}, {width, pixel, {}}, {b, depth, {}}, {depth, 1, {}}}};
}

}  // namespace

Complaint read_depth_to_space(const TfliteOp& op, OpKind& kind) {
  const auto* options = op.op.builtin_options_as_DepthToSpaceOptions();
  if (options == nullptr) return complain("options are missing");
  const Shape& in = op.input.shape;
  const std::int64_t b = options->block_size();
  if (in.size() != 4 || b < 1 || b > kMaxStep || in[3] % (b * b) != 0) {
    return complain("blocks that do not divide the channels", {}, fmt::format("{}", b), op.input.name);
  }
  return finish(space_from_depth("DEPTH_TO_SPACE", in[0] * in[1], in[2], in[3] / (b * b), b), kind);
}

Complaint read_space_to_depth(const TfliteOp& op, OpKind& kind) {
  const auto* options = op.op.builtin_options_as_SpaceToDepthOptions();
  if (options == nullptr) return complain("options are missing");
  const Shape& in = op.input.shape;
  const std::int64_t b = options->block_size();
  if (in.size() != 4 || b < 1 || b > kMaxStep || in[1] % b != 0 || in[2] % b != 0) {
    return complain("blocks that do not divide the image", {}, fmt::format("{}", b), op.input.name);
  }
  const std::int64_t depth = in[3], row = in[2] * depth;
  return finish({.name = "SPACE_TO_DEPTH",
                 .start = 0,
                 .axes = {{in[0] * in[1] / b, b * row, {}},
                          {in[2] / b, b * depth, {}},
                          {b, row, {}},
                          {b, depth, {}},
                          {depth, 1, {}}}},
                kind);
}

Complaint read_mirror_pad(const TfliteOp& op, OpKind& kind) {
  const auto* options = op.op.builtin_options_as_MirrorPadOptions();
  if (options == nullptr) return complain("options are missing");
  const std::size_t rank = op.input.shape.size();
  Shape pads;
  if (Complaint complaint = integers(op, 1, 2 * rank, pads)) return complaint;
  const std::int64_t edge = options->mode() == tflite::MirrorPadMode::REFLECT ? 1 : 0;
  Rearrange move = whole(op, "MIRROR_PAD");
  for (std::size_t i = 0; i < rank; ++i) {
    AxisMap& map = move.axes[i];
    const std::int64_t before = pads[2 * i], after = pads[2 * i + 1], extent = map.extent;
    if (std::min(before, after) < 0 || std::max(before, after) > extent - edge) {
      return complain("mirrored padding larger than the input", fmt::format("at most {}", extent - edge),
                      fmt::format("{} and {}", before, after));
    }
    if (before == 0 && after == 0) continue;
    if (extent + before + after > kMaxTable) {
      return complain("mirrored axis too long", fmt::format("at most {}", kMaxTable),
                      fmt::format("{} + {} + {}", before, extent, after), op.input.name);
    }
    for (std::int64_t x = -before; x < extent + after; ++x) {
      const std::int64_t low = x < 0 ? -x - 1 + edge : x;
      const std::int64_t index = low >= extent ? 2 * extent - 1 - edge - low : low;
      map.offsets.push_back(index * map.stride);
    }
    map.extent = static_cast<std::int64_t>(map.offsets.size());
  }
  return finish(std::move(move), kind);
}

Complaint read_reverse(const TfliteOp& op, OpKind& kind) {
  Shape axes;
  if (Complaint complaint = op.reader.integers(op.inputs[1], axes)) return complaint;
  Rearrange move = whole(op, "REVERSE_V2");
  for (const std::int64_t number : axes) {
    std::size_t axis = 0;
    if (Complaint complaint = wrap_axis(number, move.axes.size(), axis)) return complaint;
    AxisMap& map = move.axes[axis];
    move.start += (map.extent - 1) * map.stride;
    map.stride = -map.stride;
  }
  return finish(std::move(move), kind);
}

Complaint read_tile(const TfliteOp& op, OpKind& kind) {
  const std::size_t rank = op.input.shape.size();
  Shape times;
  if (Complaint complaint = integers(op, 1, rank, times)) return complaint;
  const Rearrange from = whole(op, "TILE");
  Rearrange move{.name = from.name, .start = 0, .axes = {}};
  std::int64_t scalars = element_count(op.input);
  for (std::size_t i = 0; i < rank; ++i) {
    if (times[i] < 1 || times[i] > kMaxTensorBytes / scalars)
      return complain("bad number of repetitions", {}, fmt::format("{}", times[i]));
    scalars *= times[i];
    move.axes.push_back({.extent = times[i], .stride = 0, .offsets = {}});
    move.axes.push_back(from.axes[i]);
  }
  return finish(std::move(move), kind);
}

Complaint read_broadcast_to(const TfliteOp& op, OpKind& kind) {
  const Shape& to = op.output.shape;
  const Rearrange from = whole(op, "BROADCAST_TO");
  if (from.axes.size() > to.size()) return complain("broadcast to fewer axes", {}, {}, op.output.name);
  Rearrange move{.name = from.name, .start = 0, .axes = {}};
  const std::size_t fresh = to.size() - from.axes.size();
  for (std::size_t i = 0; i < to.size(); ++i) {
    AxisMap map = i < fresh ? AxisMap{} : from.axes[i - fresh];
    if (map.extent == 1) map = {.extent = to[i], .stride = 0, .offsets = {}};
    if (map.extent != to[i]) return complain("shape that the input does not broadcast to", {}, {}, op.output.name);
    move.axes.push_back(map);
  }
  return finish(std::move(move), kind);
}

}  // namespace ripc
