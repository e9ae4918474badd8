#include "lower/lower.h"

#include <algorithm>
#include <stdexcept>

#include "graph/broadcast.h"
#include "lower/builder.h"

namespace ripc {
namespace {

/// Whether pixel i of the output reads pixel i of each operand, or the same one throughout.
bool operands_follow_pixels(const Graph& graph, const Op& op, const Binary& binary) {
  const ImageShape out = image_shape(graph.tensors[static_cast<std::size_t>(op.output)]);
  return std::ranges::all_of(operands_of(op, binary), [&](TensorId id) {
    const ImageShape in = image_shape(graph.tensors[static_cast<std::size_t>(id)]);
    return (in.height == out.height && in.width == out.width) || in.height * in.width == 1;
  });
}

template <typename... Kinds>
bool is_any(const Op& op) {
  return (std::holds_alternative<Kinds>(op.kind) || ...);
}

/// Whether the kernel's pixels are those of made_image, in the input as well.
bool makes_own_image(const Op& op) { return is_any<Concat, Rearrange>(op); }

bool has_window(const Op& op) {
  return !is_any<Softmax, L2Normalize, ResizeNearest, ResizeBilinear, Load>(op) && !makes_own_image(op);
}

/// Every call makes one row of the output, or all of its pixels at once.
rip_node node_of(const LowerBuilder& b, bool one_call) {
  const bool own = makes_own_image(b.op());
  const ImageShape out = own ? made_image(b.graph(), b.op()) : image_shape(b.output());
  const bool loads = std::holds_alternative<Load>(b.op().kind);
  const ImageShape in = own || loads ? out : image_shape(b.input());
  rip_node node{};
  node.inputs = loads ? 1 : static_cast<std::int32_t>(b.op().inputs.size());
  if (std::holds_alternative<Binary>(b.op().kind)) node.inputs = 2;
  node.in_height = one_call ? 1 : b.narrow(in.height);
  node.out_height = one_call ? 1 : b.narrow(out.height);
  node.out_width = b.narrow(one_call ? out.height * out.width : out.width);
  node.upsample = 1;
  if (const auto* conv = std::get_if<TransposeConv2d>(&b.op().kind); conv != nullptr && !one_call) {
    node.kernel_rows = b.narrow(conv->rows.kernel);
    node.stride = node.dilation = 1;
    node.pad = b.narrow(conv->rows.kernel - 1 - conv->rows.pad_before);
    node.upsample = b.narrow(conv->rows.stride);
    return node;
  }
  const Window rows = one_call || !has_window(b.op()) ? Window{} : layer_of(b.graph(), b.op()).rows;
  node.kernel_rows = b.narrow(rows.kernel);
  node.stride = b.narrow(rows.stride);
  node.dilation = b.narrow(rows.dilation);
  node.pad = b.narrow(rows.pad_before);
  return node;
}

/// Every call takes one row of the input, and all together make the output.
rip_node gathering_node_of(const LowerBuilder& b) {
  rip_node node = node_of(b, true);
  node.gathers = 1;
  node.in_height = node.out_height = b.narrow(image_shape(b.input()).height);
  return node;
}

/// Which row of each operand makes each output row; empty where those are the output's own, or one for all.
std::vector<std::uint16_t> operand_rows(const LowerBuilder& b, const Binary& binary) {
  std::vector<std::vector<std::int64_t>> rows;
  bool plain = true;
  for (const TensorId id : operands_of(b.op(), binary)) {
    const std::int64_t height = image_shape(b.tensor(id)).height;
    rows.push_back(broadcast_of(b.tensor(id), b.output()).value().rows);
    for (std::size_t y = 0; y < rows.back().size(); ++y) {
      plain = plain && rows.back()[y] == static_cast<std::int64_t>(y) % height;
    }
  }
  std::vector<std::uint16_t> map;
  for (std::size_t y = 0; !plain && y < rows[0].size(); ++y) {
    for (const std::vector<std::int64_t>& of_operand : rows) {
      if (!std::in_range<std::uint16_t>(of_operand[y])) {
        b.fail("too many rows to broadcast", "at most 65536", std::to_string(of_operand[y]));
      }
      map.push_back(static_cast<std::uint16_t>(of_operand[y]));
    }
  }
  return map;
}

/// An operand in flash, in its own image or in that of `seen`.
void place_constant(LowerBuilder& b, const Tensor& constant, const Tensor& seen, LoweredOp& lowered) {
  const ImageShape image = image_shape(seen);
  const auto pitch = b.narrow(image.channels * static_cast<std::int64_t>(scalar_bytes(constant.type)));
  lowered.node.constant = b.bytes("operand", constant);
  lowered.constant_view = {.offset = 0,
                           .row_bytes = b.narrow(b.one_row() ? byte_count(constant) : image.width * pitch),
                           .slots = b.narrow(b.one_row() ? 1 : image.height),
                           .first_slot = 0,
                           .pitch = pitch,
                           .pixel = pitch,
                           .slot_step = 1,
                           .space = kConstantSpace};
}

void place_operands(LowerBuilder& b, const Binary& binary, LoweredOp& lowered) {
  if (binary.constant != kNoTensor) {
    place_constant(b, b.tensor(binary.constant), b.tensor(binary.constant), lowered);
    lowered.constant_first = binary.constant_first;
  }
  if (b.one_row()) return;
  const std::vector<std::uint16_t> map = operand_rows(b, binary);
  if (!map.empty()) lowered.node.row_map = b.array("row_map", map);
}

}  // namespace

bool is_pixelwise(const Graph& graph, const Op& op) {
  if (is_any<Softmax, FullyConnected, L2Normalize, Load>(op) || makes_own_image(op)) return true;
  if (is_any<ResizeNearest, ResizeBilinear, TransposeConv2d>(op)) return false;
  if (const auto* binary = std::get_if<Binary>(&op.kind)) return operands_follow_pixels(graph, op, *binary);
  const Layer layer = layer_of(graph, op);
  return layer.rows == Window{} && layer.columns == Window{};
}

LoweredOp lower(const Graph& graph, const Op& op, const std::string& kernel, bool whole) {
  const std::vector<KernelOption> options = stage_kernel_options(graph, op, kEveryKernel);
  const auto option = std::ranges::find(options, kernel, [](const KernelOption& o) { return o.contract->kernel; });
  if (option == options.end()) {
    LowerBuilder(graph, op, false).fail("a kernel that cannot run this operator", options[0].contract->kernel, kernel);
  }
  const bool whole_tensor = option->contract->whole_tensor != 0;
  const bool gathers = option->contract->order == RIP_ROW_SUM;
  const bool one_row = std::holds_alternative<FullyConnected>(op.kind) ||
                       (whole && !whole_tensor && !gathers && is_pixelwise(graph, op));

  LowerBuilder builder(graph, op, one_row, kernel);
  LoweredOp lowered{.kernel = kernel,
                    .params = {},
                    .constants = {},
                    .node = gathers ? gathering_node_of(builder) : node_of(builder, one_row || whole_tensor)};
  lowered.params = std::visit(
      [&](const auto& kind) -> KernelParams {
        if constexpr (std::is_same_v<std::decay_t<decltype(kind)>, Reshape>) {
          throw std::logic_error("a RESHAPE has no kernel: it is an alias");
        } else {
          return params_of(builder, kind);
        }
      },
      op.kind);
  if (const auto* resize = std::get_if<ResizeNearest>(&op.kind)) {
    const std::int64_t in = image_shape(builder.input()).height, out = image_shape(builder.output()).height;
    lowered.node.row_map = builder.array("row_map", nearest_table(builder, in, out, *resize));
  }
  if (const auto* load = std::get_if<Load>(&op.kind)) {
    place_constant(builder, builder.tensor(load->constants[0]), builder.output(), lowered);
  }
  if (const auto* binary = std::get_if<Binary>(&op.kind)) place_operands(builder, *binary, lowered);
  if (const auto* resize = std::get_if<ResizeBilinear>(&op.kind)) {
    const std::int64_t in = image_shape(builder.input()).height, out = image_shape(builder.output()).height;
    lowered.node.row_map = builder.array("row_map", bilinear_table(builder, in, out, *resize));
    lowered.node.kernel_rows = 2;
  }
  lowered.constants = builder.take_constants();
  return lowered;
}

std::int64_t constant_bytes(const LoweredOp& op) {
  std::int64_t bytes = 0;
  for (const Constant& constant : op.constants) bytes += std::ssize(constant.data);
  return bytes;
}

}  // namespace ripc
