// What moves bytes from tensor to tensor: CONCATENATION, slices, transposes and their like.
#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

#include "graph/movement.h"
#include "lower/builder.h"

namespace ripc {
namespace {

/// A byte at the input's scale as one at the output's, in the binary32 arithmetic of TensorFlow Lite for the desktop:
/// round(x * ratio - in_zero * ratio) + out_zero. TensorFlow Lite Micro refuses unequal scales.
std::vector<std::int8_t> rescaling_table(const LowerBuilder& b, const Tensor& in, const Tensor& out) {
  const float ratio = b.scale(in) * (1.0F / b.scale(out));
  const float bias = static_cast<float>(-b.zero(in)) * ratio;
  const StoredRange range = type_range(out.type);
  std::vector<std::int8_t> table;
  for (std::int32_t bits = 0; bits < 256; ++bits) {
    const std::int32_t x = in.type == DataType::uint8 || bits < 128 ? bits : bits - 256;
    const float product = static_cast<float>(x) * ratio;
    const float value = std::round(product + bias) + static_cast<float>(b.zero(out));
    const float clamped = std::clamp(value, static_cast<float>(range.min), static_cast<float>(range.max));
    table.push_back(std::bit_cast<std::int8_t>(static_cast<std::uint8_t>(static_cast<std::int32_t>(clamped))));
  }
  return table;
}

}  // namespace

KernelParams params_of(LowerBuilder& b, const Concat&) {
  const auto scalar = static_cast<std::int64_t>(scalar_bytes(b.output().type));
  std::vector<std::int32_t> bytes, tables;
  std::vector<std::int8_t> table;
  for (const TensorId id : b.op().inputs) {
    const Tensor& in = b.tensor(id);
    bytes.push_back(b.narrow(piece_scalars(b.graph(), b.op(), id) * scalar));
    const bool equal = in.quantization == b.output().quantization;
    tables.push_back(equal ? -1 : b.narrow(static_cast<std::int64_t>(table.size()) / 256));
    if (equal) continue;
    const std::vector<std::int8_t> rescaling = rescaling_table(b, in, b.output());
    table.insert(table.end(), rescaling.begin(), rescaling.end());
  }
  return rip_concat{.bytes = b.array("piece_bytes", bytes),
                    .tables = table.empty() ? nullptr : b.array("piece_tables", tables),
                    .table = table.empty() ? nullptr : b.array("table", table),
                    .inputs = b.narrow(static_cast<std::int64_t>(bytes.size()))};
}

KernelParams params_of(LowerBuilder& b, const Rearrange& move) {
  static_assert(kMostAxes == RIP_REARRANGE_AXES);
  const auto scalar = static_cast<std::int64_t>(scalar_bytes(b.output().type));
  const Blocks blocks = blocks_of(move);
  std::vector<std::int32_t> axes, offsets;
  for (const AxisMap& axis : blocks.axes) {
    const bool listed = !axis.offsets.empty();
    axes.push_back(b.narrow(axis.extent));
    axes.push_back(b.narrow(axis.stride * scalar));
    axes.push_back(listed ? b.narrow(std::ssize(offsets)) : -1);
    for (const std::int64_t offset : axis.offsets) offsets.push_back(b.narrow(offset * scalar));
  }
  return rip_rearrange{.axes = axes.empty() ? nullptr : b.array("axes", axes),
                       .offsets = offsets.empty() ? nullptr : b.array("offsets", offsets),
                       .count = b.narrow(std::ssize(blocks.axes)),
                       .start = b.narrow(blocks.start * scalar),
                       .block_bytes = b.narrow(blocks.scalars * scalar)};
}

}  // namespace ripc
