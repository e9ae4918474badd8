#include "lower/options.h"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "graph/row_taps.h"
#include "lower/dsp.h"
#include "lower/instructions.h"
#include "lower/m0.h"
#include "lower/table_add.h"
#include "rip/contracts.h"

namespace ripc {
namespace {

bool is_pointwise(const Conv2d& conv) {
  const auto one_tap = [](const Window& window) {
    return window.kernel == 1 && window.pad_before == 0 && window.pad_after == 0;
  };
  return conv.groups == 1 && one_tap(conv.rows) && one_tap(conv.columns);
}

/// The one of three for the type that an operator computes in.
const char* by_type(DataType type, const char* s8, const char* s16, const char* f32) {
  if (type == DataType::float32) return f32;
  return type == DataType::int16 ? s16 : s8;
}

struct Kernels {
  const Graph& graph;
  const Op& op;
  const Target& target;

  using Names = std::vector<const char*>;

  DataType input_type() const { return graph.tensors[static_cast<std::size_t>(op.inputs.at(0))].type; }
  DataType output_type() const { return graph.tensors[static_cast<std::size_t>(op.output)].type; }
  const char* of_type(const char* s8, const char* s16, const char* f32) const {
    return by_type(input_type(), s8, s16, f32);
  }
  Names convolution(const char* s8) const {
    Names names{of_type(s8, "rip_conv2d_s16_row", "rip_conv2d_f32_row")};
    Names own = target.dsp ? dsp_convolutions(graph, op) : Names{};
    if ((target.m0 || target.pairs) && m0_convolution_fits(graph, op)) {
      if (target.pairs) own.push_back("rip_conv2d_pairs_m0_row");
      const Names m0 = m0_convolutions(layer_of(graph, op));
      own.insert(own.end(), m0.begin(), m0.end());
    }
    own.insert(own.end(), names.begin(), names.end());
    return own;
  }

  Names operator()(const Conv2d& conv) const {
    return convolution(is_pointwise(conv) ? "rip_pointwise_s8_row" : "rip_conv2d_s8_row");
  }
  Names operator()(const FullyConnected&) const { return convolution("rip_pointwise_s8_row"); }
  Names operator()(const DepthwiseConv2d& conv) const {
    // With a multiplier the layer is a convolution of one input channel a group.
    if (conv.multiplier != 1) return convolution("rip_conv2d_s8_row");
    Names names;
    const bool planes = planes_fit(layer_of(graph, op));
    const DspDepthwise dsp = target.dsp ? dsp_depthwise_kernels(graph, op) : DspDepthwise{};
    const M0Depthwise m0 = target.m0 ? m0_depthwise_kernels(graph, op) : M0Depthwise{};
    for (const char* name : {dsp.plane, dsp.small_plane, m0.plane}) {
      if (name != nullptr && planes) names.push_back(name);
    }
    for (const char* name : {dsp.row, m0.row}) {
      if (name != nullptr) names.push_back(name);
    }
    names.push_back(of_type("rip_depthwise_s8_row", "rip_depthwise_s16_row", "rip_depthwise_f32_row"));
    if (planes) {
      const bool few_rows = conv.rows.kernel <= RIP_PLANE_ROWS;
      if (few_rows && input_type() == DataType::int8) names.push_back("rip_depthwise_s8_plane_block");
      names.push_back(of_type("rip_depthwise_s8_plane", "rip_depthwise_s16_plane", "rip_depthwise_f32_plane"));
    }
    return names;
  }
  Names operator()(const Pool2d& pool) const {
    if (pool.kind == PoolKind::average) {
      return {of_type("rip_avgpool_s8_row", "rip_avgpool_s16_row", "rip_avgpool_f32_row")};
    }
    return {of_type("rip_maxpool_s8_row", "rip_maxpool_s16_row", "rip_maxpool_f32_row")};
  }
  Names operator()(const Unary& unary) const {
    if (output_type() == DataType::int8) return {"rip_table_s8_row"};
    const bool sigmoid = unary.kind == UnaryKind::logistic || unary.kind == UnaryKind::tanh;
    if (output_type() == DataType::int16) return {sigmoid ? "rip_sigmoid_s16_row" : "rip_slopes_s16_row"};
    const bool library =
        sigmoid || unary.kind == UnaryKind::elu || unary.kind == UnaryKind::exp || unary.kind == UnaryKind::log;
    return {library ? "rip_exponential_f32_row" : "rip_unary_f32_row"};
  }
  Names operator()(const Binary& binary) const {
    if (output_type() == DataType::float32) return {"rip_pair_f32_row"};
    if (output_type() == DataType::int32) return {"rip_pair_s32_row"};
    const bool wide = output_type() == DataType::int16;
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
        return sum(wide ? "rip_add_s16_row" : "rip_add_s8_row");
    }
  }
  Names sum(const char* portable) const {
    Names names;
    if (target.dsp && dsp_add_fits(graph, op)) names.push_back("rip_add_dsp_row");
    if (target.tables && table_add_fits(graph, op)) names.push_back("rip_add_table_row");
    names.push_back(portable);
    return names;
  }
  Names operator()(const Mean&) const {
    return {of_type("rip_mean_s8_whole", "rip_mean_s16_whole", "rip_mean_f32_whole")};
  }
  Names operator()(const Pad&) const { return {"rip_pad_row"}; }
  Names operator()(const Softmax& softmax) const {
    if (softmax.logarithm) return {of_type("rip_log_softmax_s8_row", nullptr, "rip_log_softmax_f32_row")};
    const bool widens = input_type() == DataType::int8 && output_type() == DataType::int16;
    return {of_type(widens ? "rip_softmax_s8_s16_row" : "rip_softmax_s8_row", "rip_softmax_s16_row",
                    "rip_softmax_f32_row")};
  }
  Names operator()(const Quantize&) const {
    if (input_type() == DataType::float32) {
      return {output_type() == DataType::int16 ? "rip_quantize_f32_s16_row" : "rip_quantize_f32_row"};
    }
    const bool bytes = scalar_bytes(input_type()) == 1 && scalar_bytes(output_type()) == 1;
    return {bytes ? "rip_table_s8_row" : "rip_rescale_row"};
  }
  Names operator()(const Dequantize&) const {
    return {input_type() == DataType::int16 ? "rip_dequantize_s16_row" : "rip_table_f32_row"};
  }
  Names operator()(const ResizeNearest&) const { return {"rip_resize_nearest_row"}; }
  Names operator()(const Rearrange&) const { return {"rip_rearrange_row"}; }
  Names operator()(const Concat&) const { return {"rip_concat_row"}; }
  Names operator()(const ResizeBilinear&) const {
    return {of_type("rip_resize_bilinear_s8_row", nullptr, "rip_resize_bilinear_f32_row")};
  }
  Names operator()(const TransposeConv2d&) const {
    return {of_type("rip_transpose_conv_s8_row", "rip_transpose_conv_s16_row", "rip_transpose_conv_f32_row")};
  }
  Names operator()(const Reduce& reduce) const {
    const bool sum = reduce.kind == ReduceKind::mean || reduce.kind == ReduceKind::sum;
    if (sum) return {of_type("rip_sum_s8_whole", "rip_sum_s16_whole", "rip_sum_f32_whole")};
    return {of_type("rip_extreme_s8_whole", nullptr, "rip_extreme_f32_whole")};
  }
  Names operator()(const ArgExtreme&) const {
    return {of_type("rip_arg_extreme_s8_whole", nullptr, "rip_arg_extreme_f32_whole")};
  }
  Names operator()(const L2Normalize&) const {
    return {of_type("rip_l2_normalize_s8_row", nullptr, "rip_l2_normalize_f32_row")};
  }
  Names operator()(const Copy&) const { return {"rip_copy_row"}; }
  Names operator()(const Svdf& svdf) const {
    return {svdf.memory_type == DataType::int8 ? "rip_svdf_s8_whole" : "rip_svdf_s8_s16_whole"};
  }
  Names operator()(const Lstm&) const {
    return {input_type() == DataType::float32 ? "rip_lstm_f32_whole" : "rip_lstm_s8_whole"};
  }
  Names operator()(const Signal& signal) const {
    switch (signal.kind) {
      case SignalKind::headroom:
        return {"rip_signal_headroom_whole"};
      case SignalKind::scale:
        return {"rip_signal_scale_whole"};
      case SignalKind::rfft:
        return {"rip_signal_rfft_whole"};
      case SignalKind::energy:
        return {"rip_signal_energy_whole"};
      case SignalKind::filter_bank:
        return {"rip_signal_filter_bank_whole"};
      case SignalKind::square_root:
        return {"rip_signal_square_root_whole"};
      case SignalKind::noise:
        return {"rip_signal_noise_whole"};
      case SignalKind::denoise:
        return {"rip_signal_denoise_whole"};
      case SignalKind::gain:
        return {"rip_signal_gain_whole"};
      case SignalKind::log:
        return {"rip_signal_log_whole"};
      case SignalKind::window:
        break;
    }
    return {"rip_signal_window_whole"};
  }
  Names operator()(const Load&) const { return {"rip_load_row"}; }
  Names operator()(const Cast&) const { return {"rip_cast_row"}; }
  Names operator()(const Clamp&) const {
    return {output_type() == DataType::float32 ? "rip_unary_f32_row" : "rip_table_s8_row"};
  }
  Names operator()(const Reshape&) const { throw std::logic_error("a RESHAPE has no kernel: it is an alias"); }
};

bool is_empty(const rip_bytes& b) {
  return b.fixed == 0 && b.per_out_channel == 0 && b.per_in_channel == 0 && b.per_window_scalar == 0 &&
         b.per_ring_pixel == 0 && b.per_strip_word == 0 && b.per_lane_word == 0 && b.per_out_column == 0;
}

KernelOption option_of(const Graph& graph, const Op& op, const char* kernel, const Target& target) {
  KernelOption option{.contract = rip_find_contract(kernel)};
  if (option.contract == nullptr) throw std::logic_error(std::string("no contract for kernel ") + kernel);
  if (!is_empty(option.contract->scratch)) {
    option.scratch_bytes = contract_bytes(option.contract->scratch, layer_of(graph, op));
  }
  if (!is_empty(option.contract->kept)) {
    option.kept_bytes = contract_bytes(option.contract->kept, layer_of(graph, op));
  }
  option.instructions = estimated_instructions(graph, op, kernel, target, option.scratch_bytes);
  return option;
}

bool is_dsp_convolution(const KernelOption& option) {
  return std::string_view(option.contract->kernel).starts_with("rip_conv2d_dsp");
}

/// Any kernel of rip/dsp.h but that of ADD and SUB, which is alone.
bool is_of_dsp(const KernelOption& option) {
  const std::string_view kernel = option.contract->kernel;
  return is_dsp_convolution(option) || (kernel.starts_with("rip_depthwise") && kernel.find("_dsp_") != kernel.npos);
}

/// The bytes of scratch that are worth giving to a kernel, most first.
std::vector<std::int64_t> scratch_choices(const Graph& graph, const Op& op, const KernelOption& option) {
  const std::string_view kernel = option.contract->kernel;
  if (is_dsp_convolution(option)) return dsp_scratch_choices(layer_of(graph, op), *option.contract);
  if (option.contract->any_scratch == 0) return {option.scratch_bytes};
  if (kernel.ends_with("_dsp_row")) return dsp_strip_choices(layer_of(graph, op), *option.contract);
  return {option.scratch_bytes, 0};
}

std::vector<KernelOption> with_scratch_choices(const Graph& graph, const Op& op, const Target& target,
                                               KernelOption option) {
  std::vector<KernelOption> chosen;
  for (const std::int64_t bytes : scratch_choices(graph, op, option)) {
    option.scratch_bytes = bytes;
    option.instructions = estimated_instructions(graph, op, option.contract->kernel, target, bytes);
    chosen.push_back(option);
  }
  return chosen;
}

/// Kernels of int8 that only pay in a stage.
std::vector<const char*> stage_kernels(const Graph& graph, const Op& op) {
  if (op.inputs.empty() || graph.tensors[static_cast<std::size_t>(op.inputs[0])].type != DataType::int8) return {};
  if (sums_rows(graph, op)) {
    return {std::holds_alternative<Mean>(op.kind) ? "rip_mean_s8_rows" : "rip_avgpool_s8_rows"};
  }
  if (const auto* conv = std::get_if<Conv2d>(&op.kind)) {
    const Layer layer = layer_of(graph, op);
    const bool narrows = layer.out_channels <= layer.in_channels;
    if (is_pointwise(*conv) && conv->rows.stride == 1 && conv->columns.stride == 1 && narrows) {
      return {"rip_pointwise_s8_own_row"};
    }
  }
  if (const auto* conv = std::get_if<DepthwiseConv2d>(&op.kind); conv != nullptr && conv->multiplier == 1) {
    const Layer layer = layer_of(graph, op);
    const Window& columns = layer.columns;
    const std::int64_t late = std::max(columns.pad_before, columns.pad_after) / columns.stride;
    if (out_width(layer) <= layer.in_width && late <= RIP_LATE_PIXELS) return {"rip_depthwise_s8_late_row"};
  }
  return {};
}

}  // namespace

std::int64_t strip_words(const Layer& layer) {
  const std::int64_t outputs = std::max<std::int64_t>(out_width(layer), RIP_STRIP_OUTPUTS);
  return (outputs - 1) * layer.columns.stride + layer.columns.kernel;
}

std::int64_t contract_bytes(const rip_bytes& bytes, const Layer& layer) {
  const std::int64_t window = layer.rows.kernel * layer.columns.kernel * (layer.in_channels / layer.groups);
  const std::int64_t strip = strip_words(layer), lanes = (layer.out_channels + 3) / 4 * 4;
  return bytes.fixed + bytes.per_out_channel * layer.out_channels + bytes.per_in_channel * layer.in_channels +
         bytes.per_window_scalar * window + bytes.per_ring_pixel * effective_kernel(layer.rows) * layer.in_width +
         bytes.per_strip_word * strip + bytes.per_lane_word * strip * lanes + bytes.per_out_column * out_width(layer);
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

std::vector<KernelOption> kernel_options(const Graph& graph, const Op& op, const Target& target) {
  std::vector<KernelOption> options;
  for (const char* name : std::visit(Kernels{graph, op, target}, op.kind)) {
    for (const KernelOption& option : with_scratch_choices(graph, op, target, option_of(graph, op, name, target)))
      options.push_back(option);
  }
  // One kernel may be faster with little scratch than another with much.
  std::ranges::stable_sort(
      options.begin(), std::ranges::find_if_not(options, is_of_dsp), {},
      [](const KernelOption& option) { return std::pair(option.instructions, option.scratch_bytes); });
  return options;
}

std::vector<KernelOption> stage_kernel_options(const Graph& graph, const Op& op, const Target& target) {
  std::vector<KernelOption> options = kernel_options(graph, op, target);
  const auto* depthwise = std::get_if<DepthwiseConv2d>(&op.kind);
  if (target.dsp && depthwise != nullptr && depthwise->multiplier == 1) {
    const char* kept = dsp_depthwise_kernels(graph, op).kept_row;
    if (kept != nullptr) options.insert(options.begin(), option_of(graph, op, kept, target));
  }
  for (const char* name : stage_kernels(graph, op)) options.push_back(option_of(graph, op, name, target));
  return options;
}

}  // namespace ripc
