#include "lower/options.h"

#include <algorithm>
#include <stdexcept>

#include "rip/contracts.h"

namespace ripc {
namespace {

struct Kernels {
  const Graph& graph;
  const Op& op;

  using Names = std::vector<const char*>;
  Names operator()(const Conv2d& conv) const {
    const bool one_tap = conv.rows.kernel == 1 && conv.columns.kernel == 1 && conv.groups == 1;
    for (const Window& window : {conv.rows, conv.columns}) {
      if (!one_tap || window.pad_before != 0 || window.pad_after != 0) return {"rip_conv2d_s8_row"};
    }
    return {"rip_pointwise_s8_row"};
  }
  Names operator()(const FullyConnected&) const { return {"rip_pointwise_s8_row"}; }
  Names operator()(const DepthwiseConv2d& conv) const {
    // With a multiplier the layer is a convolution of one input channel a group.
    if (conv.multiplier != 1) return {"rip_conv2d_s8_row"};
    if (!planes_fit(layer_of(graph, op))) return {"rip_depthwise_s8_row"};
    return {"rip_depthwise_s8_row", "rip_depthwise_s8_plane"};
  }
  Names operator()(const Pool2d& pool) const {
    return {pool.kind == PoolKind::average ? "rip_avgpool_s8_row" : "rip_maxpool_s8_row"};
  }
  DataType type() const { return graph.tensors[static_cast<std::size_t>(op.output)].type; }

  Names operator()(const Unary& unary) const {
    if (type() == DataType::int8) return {"rip_table_s8_row"};
    const bool sigmoid = unary.kind == UnaryKind::logistic || unary.kind == UnaryKind::tanh;
    if (type() == DataType::int16) return {sigmoid ? "rip_sigmoid_s16_row" : "rip_slopes_s16_row"};
    const bool library =
        sigmoid || unary.kind == UnaryKind::elu || unary.kind == UnaryKind::exp || unary.kind == UnaryKind::log;
    return {library ? "rip_exponential_f32_row" : "rip_unary_f32_row"};
  }
  Names operator()(const Binary& binary) const {
    if (type() == DataType::float32) return {"rip_pair_f32_row"};
    if (type() == DataType::int32) return {"rip_pair_s32_row"};
    const bool wide = type() == DataType::int16;
    switch (binary.kind) {
      case BinaryKind::multiply:
        return {wide ? "rip_mul_s16_row" : "rip_mul_s8_row"};
      case BinaryKind::divide:
        return {"rip_div_s8_row"};
      case BinaryKind::minimum:
      case BinaryKind::maximum:
        return {wide ? "rip_minmax_s16_row" : "rip_minmax_s8_row"};
      case BinaryKind::prelu:
        return {"rip_prelu_s8_row"};
      case BinaryKind::squared_difference:
        return {wide ? "rip_squared_difference_s16_row" : "rip_squared_difference_s8_row"};
      default:
        return {wide ? "rip_add_s16_row" : "rip_add_s8_row"};
    }
  }
  Names operator()(const Mean&) const { return {"rip_mean_s8_whole"}; }
  Names operator()(const Pad&) const { return {"rip_pad_row"}; }
  Names operator()(const Softmax&) const { return {"rip_softmax_s8_row"}; }
  Names operator()(const Quantize&) const {
    const Tensor& in = graph.tensors[static_cast<std::size_t>(op.inputs.at(0))];
    return {in.type == DataType::float32 ? "rip_quantize_f32_row" : "rip_table_s8_row"};
  }
  Names operator()(const Dequantize&) const { return {"rip_table_f32_row"}; }
  Names operator()(const ResizeNearest&) const { return {"rip_resize_nearest_row"}; }
  Names operator()(const Concat&) const { return {"rip_concat_row"}; }
  Names operator()(const Cast&) const { return {"rip_cast_row"}; }
  Names operator()(const Clamp&) const {
    return {type() == DataType::float32 ? "rip_unary_f32_row" : "rip_table_s8_row"};
  }
  Names operator()(const Reshape&) const { throw std::logic_error("a RESHAPE has no kernel: it is an alias"); }
};

bool is_empty(const rip_bytes& b) {
  return b.fixed == 0 && b.per_out_channel == 0 && b.per_in_channel == 0 && b.per_window_scalar == 0 &&
         b.per_ring_pixel == 0;
}

}  // namespace

std::int64_t contract_bytes(const rip_bytes& bytes, const Layer& layer) {
  const std::int64_t window = layer.rows.kernel * layer.columns.kernel * (layer.in_channels / layer.groups);
  return bytes.fixed + bytes.per_out_channel * layer.out_channels + bytes.per_in_channel * layer.in_channels +
         bytes.per_window_scalar * window + bytes.per_ring_pixel * effective_kernel(layer.rows) * layer.in_width;
}

bool planes_fit(const Layer& layer) {
  if (layer.in_channels != layer.out_channels || in_pitch(layer) != out_pitch(layer)) return false;
  const std::int64_t height = out_height(layer), width = out_width(layer);
  for (std::int64_t row = 0; row < height; ++row) {
    const std::int64_t end = row * layer.rows.stride - layer.rows.pad_before + effective_kernel(layer.rows);
    const std::int64_t loaded = std::clamp<std::int64_t>(end, 0, layer.in_height);
    if (loaded < layer.in_height && (row + 1) * width > loaded * layer.in_width) return false;
  }
  return true;
}

std::vector<KernelOption> kernel_options(const Graph& graph, const Op& op) {
  std::vector<KernelOption> options;
  for (const char* name : std::visit(Kernels{graph, op}, op.kind)) {
    KernelOption option{.contract = rip_find_contract(name)};
    if (option.contract == nullptr) throw std::logic_error(std::string("no contract for kernel ") + name);
    if (!is_empty(option.contract->scratch)) {
      option.scratch_bytes = contract_bytes(option.contract->scratch, layer_of(graph, op));
    }
    if (!is_empty(option.contract->kept)) {
      option.kept_bytes = contract_bytes(option.contract->kept, layer_of(graph, op));
    }
    options.push_back(option);
  }
  return options;
}

}  // namespace ripc
