#include "lower/lower.h"

#include <algorithm>
#include <stdexcept>

#include "lower/builder.h"

namespace ripc {
namespace {

/// Whether output pixel i is made of input pixel i and of no other.
bool is_pixelwise(const Graph& graph, const Op& op) {
  if (std::holds_alternative<Softmax>(op.kind) || std::holds_alternative<FullyConnected>(op.kind)) return true;
  if (std::holds_alternative<ResizeNearest>(op.kind)) return false;
  if (std::holds_alternative<Concat>(op.kind)) return true;
  const Layer layer = layer_of(graph, op);
  return layer.rows == Window{} && layer.columns == Window{};
}

bool has_window(const Op& op) {
  return !std::holds_alternative<Softmax>(op.kind) && !std::holds_alternative<ResizeNearest>(op.kind) &&
         !std::holds_alternative<Concat>(op.kind);
}

/// Every call makes one row of the output, or all of its pixels at once.
rip_node node_of(const LowerBuilder& b, bool one_call) {
  const bool concat = std::holds_alternative<Concat>(b.op().kind);
  const ImageShape out = concat ? made_image(b.graph(), b.op()) : image_shape(b.output());
  const ImageShape in = concat ? out : image_shape(b.input());
  rip_node node{};
  node.inputs = static_cast<std::int32_t>(b.op().inputs.size());
  node.in_height = one_call ? 1 : b.narrow(in.height);
  node.out_height = one_call ? 1 : b.narrow(out.height);
  node.out_width = b.narrow(one_call ? out.height * out.width : out.width);
  const Window rows = one_call || !has_window(b.op()) ? Window{} : layer_of(b.graph(), b.op()).rows;
  node.kernel_rows = b.narrow(rows.kernel);
  node.stride = b.narrow(rows.stride);
  node.dilation = b.narrow(rows.dilation);
  node.pad = b.narrow(rows.pad_before);
  return node;
}

}  // namespace

LoweredOp lower(const Graph& graph, const Op& op, const std::string& kernel, bool whole) {
  const std::vector<KernelOption> options = kernel_options(graph, op);
  const auto option = std::ranges::find(options, kernel, [](const KernelOption& o) { return o.contract->kernel; });
  if (option == options.end()) {
    LowerBuilder(graph, op, false).fail("a kernel that cannot run this operator", options[0].contract->kernel, kernel);
  }
  const bool whole_tensor = option->contract->whole_tensor != 0;
  const bool one_row =
      std::holds_alternative<FullyConnected>(op.kind) || (whole && !whole_tensor && is_pixelwise(graph, op));

  LowerBuilder builder(graph, op, one_row);
  LoweredOp lowered{.kernel = kernel, .params = {}, .constants = {}, .node = node_of(builder, one_row || whole_tensor)};
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
  lowered.constants = builder.take_constants();
  return lowered;
}

}  // namespace ripc
