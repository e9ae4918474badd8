#include "import/tflite/operators.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/limits.h"
#include "import/same.h"
#include "import/tflite/movement.h"

namespace ripc {
namespace {

using tflite::BuiltinOperator;

Complaint no_options() { return complain("options are missing"); }

Complaint read_activation(tflite::ActivationFunctionType source, Activation& out) {
  switch (source) {
    case tflite::ActivationFunctionType::NONE:
      out = Activation::none;
      return {};
    case tflite::ActivationFunctionType::RELU:
      out = Activation::relu;
      return {};
    case tflite::ActivationFunctionType::RELU6:
      out = Activation::relu6;
      return {};
    case tflite::ActivationFunctionType::RELU_N1_TO_1:
      out = Activation::relu_n1_to_1;
      return {};
    default:
      break;
  }
  return complain("unsupported fused activation", "NONE, RELU, RELU6 or RELU_N1_TO_1",
                  fmt::format("{}", static_cast<int>(source)));
}

/// Makes the padding explicit.
Complaint read_window(tflite::Padding padding, std::int64_t kernel, std::int64_t stride, std::int64_t dilation,
                      std::int64_t extent, Window& out) {
  if (std::min({kernel, stride, dilation}) < 1 || std::max({kernel, stride, dilation}) > kMaxWindow) {
    return complain("window out of range", fmt::format("extents from 1 to {}", kMaxWindow),
                    fmt::format("kernel {}, stride {}, dilation {}", kernel, stride, dilation));
  }
  out = {.kernel = kernel, .stride = stride, .dilation = dilation};
  if (padding == tflite::Padding::VALID) return {};
  if (padding != tflite::Padding::SAME) {
    return complain("unknown padding", "SAME or VALID", fmt::format("{}", static_cast<int>(padding)));
  }
  pad_same(out, extent);
  return {};
}

/// Windows whose kernel is that of the weights.
template <typename Options, typename Kind>
Complaint read_convolution(const TfliteOp& op, const Options& options, Kind& kind) {
  for (const Tensor* tensor : {&op.input, op.weights}) {
    if (tensor->shape.size() != 4) return complain("rank", "4", fmt::format("{}", tensor->shape.size()), tensor->name);
  }
  if (Complaint complaint = read_window(options.padding(), op.weights->shape[1], options.stride_h(),
                                        options.dilation_h_factor(), op.input.shape[1], kind.rows)) {
    return complaint;
  }
  if (Complaint complaint = read_window(options.padding(), op.weights->shape[2], options.stride_w(),
                                        options.dilation_w_factor(), op.input.shape[2], kind.columns)) {
    return complaint;
  }
  return read_activation(options.fused_activation_function(), kind.activation);
}

/// The type of the bias is that of the sums; only a layer without one could say something else.
Complaint read_sum_type(const TfliteOp& op, tflite::TensorType type) {
  if (op.inputs.size() > 2 || op.input.type != DataType::int16 || type != tflite::TensorType::INT32) return {};
  Complaint complaint = complain("sums of 32 bits without a bias", "a bias of int32", {}, op.weights->name);
  complaint->remedy = "Give the layer a bias, of zeros if need be, before the model is converted.";
  return complaint;
}

Complaint read_conv2d(const TfliteOp& op, OpKind& kind) {
  const auto* options = op.op.builtin_options_as_Conv2DOptions();
  if (options == nullptr) return no_options();
  Conv2d conv;
  if (Complaint complaint = read_convolution(op, *options, conv)) return complaint;
  if (op.input.shape[3] % op.weights->shape[3] != 0) {
    return complain("weights whose channels do not divide the input's", {},
                    fmt::format("{} and {}", op.weights->shape[3], op.input.shape[3]), op.weights->name);
  }
  if (Complaint complaint = read_sum_type(op, options->quantized_bias_type())) return complaint;
  conv.groups = op.input.shape[3] / op.weights->shape[3];
  kind = conv;
  return {};
}

Complaint read_depthwise(const TfliteOp& op, OpKind& kind) {
  const auto* options = op.op.builtin_options_as_DepthwiseConv2DOptions();
  if (options == nullptr) return no_options();
  DepthwiseConv2d conv;
  if (Complaint complaint = read_convolution(op, *options, conv)) return complaint;
  conv.multiplier = options->depth_multiplier();
  kind = conv;
  return {};
}

Complaint read_fully_connected(const TfliteOp& op, OpKind& kind) {
  const auto* options = op.op.builtin_options_as_FullyConnectedOptions();
  if (options == nullptr) return no_options();
  if (options->weights_format() != tflite::FullyConnectedOptionsWeightsFormat::DEFAULT) {
    return complain("shuffled weights");
  }
  if (Complaint complaint = read_sum_type(op, options->quantized_bias_type())) return complaint;
  FullyConnected connected;
  if (Complaint complaint = read_activation(options->fused_activation_function(), connected.activation))
    return complaint;
  kind = connected;
  return {};
}

template <PoolKind pool_kind>
Complaint read_pool(const TfliteOp& op, OpKind& kind) {
  const auto* options = op.op.builtin_options_as_Pool2DOptions();
  if (options == nullptr) return no_options();
  if (op.input.shape.size() != 4) return complain("rank", "4", fmt::format("{}", op.input.shape.size()), op.input.name);
  Pool2d pool;
  pool.kind = pool_kind;
  if (Complaint complaint = read_window(options->padding(), options->filter_height(), options->stride_h(), 1,
                                        op.input.shape[1], pool.rows)) {
    return complaint;
  }
  if (Complaint complaint = read_window(options->padding(), options->filter_width(), options->stride_w(), 1,
                                        op.input.shape[2], pool.columns)) {
    return complaint;
  }
  if (Complaint complaint = read_activation(options->fused_activation_function(), pool.activation)) return complaint;
  kind = pool;
  return {};
}

/// ADD, SUB, MUL and DIV have an activation each in a table of their own, all alike.
template <BinaryKind binary_kind>
Complaint read_binary(const TfliteOp& op, OpKind& kind) {
  Binary binary{.kind = binary_kind};
  const auto read = [&](const auto* options) {
    return options == nullptr ? Complaint{} : read_activation(options->fused_activation_function(), binary.activation);
  };
  Complaint complaint;
  if constexpr (binary_kind == BinaryKind::add) complaint = read(op.op.builtin_options_as_AddOptions());
  if constexpr (binary_kind == BinaryKind::subtract) complaint = read(op.op.builtin_options_as_SubOptions());
  if constexpr (binary_kind == BinaryKind::multiply) complaint = read(op.op.builtin_options_as_MulOptions());
  if constexpr (binary_kind == BinaryKind::divide) complaint = read(op.op.builtin_options_as_DivOptions());
  kind = binary;
  return complaint;
}

template <UnaryKind unary_kind>
Complaint read_unary(const TfliteOp&, OpKind& kind) {
  kind = Unary{.kind = unary_kind};
  return {};
}

Complaint read_leaky_relu(const TfliteOp& op, OpKind& kind) {
  const auto* options = op.op.builtin_options_as_LeakyReluOptions();
  if (options == nullptr) return no_options();
  kind = Unary{.kind = UnaryKind::leaky_relu, .alpha = options->alpha()};
  return {};
}

Complaint read_concat(const TfliteOp& op, OpKind& kind) {
  const auto* options = op.op.builtin_options_as_ConcatenationOptions();
  if (options == nullptr) return no_options();
  Activation activation = Activation::none;
  if (Complaint complaint = read_activation(options->fused_activation_function(), activation)) return complaint;
  if (activation != Activation::none) return complain("activation of a concatenation", "NONE");
  const std::int64_t axis = options->axis();
  kind = Concat{.axis = axis < 0 ? axis + static_cast<std::int64_t>(op.output.shape.size()) : axis};
  return {};
}

/// Axes as the model has them, counted from the last where negative: ascending, each once.
Complaint read_axes(const TfliteOp& op, std::vector<int>& out) {
  std::vector<std::int64_t> axes;
  if (Complaint complaint = op.reader.integers(op.inputs[1], axes)) return complaint;
  const auto rank = static_cast<std::int64_t>(op.input.shape.size());
  for (const std::int64_t axis : axes) {
    const std::int64_t wrapped = axis < 0 ? axis + rank : axis;
    if (wrapped < 0 || wrapped >= rank) return complain("no such axis", {}, fmt::format("{}", axis), op.input.name);
    out.push_back(static_cast<int>(wrapped));
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out.empty() ? complain("no axes to reduce") : Complaint{};
}

/// Whether the axes are all those of the image that have more than one index, and not the channels.
bool is_spatial(const Tensor& input, const std::vector<int>& axes) {
  const std::vector<std::int64_t>& shape = input.shape;
  const auto reduced = [&](std::size_t axis) { return std::ranges::find(axes, static_cast<int>(axis)) != axes.end(); };
  if (shape.size() < 2 || reduced(shape.size() - 1)) return false;
  for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis) {
    if (!reduced(axis) && shape[axis] != 1) return false;
  }
  return true;
}

template <ReduceKind reduce_kind>
Complaint read_reduce(const TfliteOp& op, OpKind& kind) {
  Reduce reduce{.kind = reduce_kind, .axes = {}};
  if (Complaint complaint = read_axes(op, reduce.axes)) return complaint;
  if (reduce_kind == ReduceKind::mean && is_spatial(op.input, reduce.axes)) {
    kind = Mean{};
  } else {
    kind = std::move(reduce);
  }
  return {};
}

template <bool largest>
Complaint read_arg_extreme(const TfliteOp& op, OpKind& kind) {
  std::vector<int> axes;
  if (Complaint complaint = read_axes(op, axes)) return complaint;
  if (axes.size() != 1) return complain("more than one axis", "1", fmt::format("{}", axes.size()));
  kind = ArgExtreme{.largest = largest, .axis = axes[0]};
  return {};
}

Complaint read_l2_normalize(const TfliteOp& op, OpKind& kind) {
  Activation activation = Activation::none;
  if (const auto* options = op.op.builtin_options_as_L2NormOptions()) {
    if (Complaint complaint = read_activation(options->fused_activation_function(), activation)) return complaint;
  }
  if (activation != Activation::none) return complain("fused activation", "NONE");
  kind = L2Normalize{};
  return {};
}

/// Input, weights and bias; the first of the model's inputs is the output's shape.
std::vector<int> arrange_transpose_conv(const std::vector<int>& inputs) {
  if (inputs.size() < 3) return inputs;
  std::vector<int> arranged{inputs[2], inputs[1]};
  if (inputs.size() > 3) arranged.push_back(inputs[3]);
  return arranged;
}

Complaint read_transpose_conv(const TfliteOp& op, OpKind& kind) {
  const auto* options = op.op.builtin_options_as_TransposeConvOptions();
  if (options == nullptr) return no_options();
  for (const Tensor* tensor : {&op.input, op.weights, &op.output}) {
    if (tensor->shape.size() != 4) return complain("rank", "4", fmt::format("{}", tensor->shape.size()), tensor->name);
  }
  TransposeConv2d conv;
  if (Complaint complaint = read_window(options->padding(), op.weights->shape[1], options->stride_h(), 1,
                                        op.output.shape[1], conv.rows)) {
    return complaint;
  }
  if (Complaint complaint = read_window(options->padding(), op.weights->shape[2], options->stride_w(), 1,
                                        op.output.shape[2], conv.columns)) {
    return complaint;
  }
  if (Complaint complaint = read_activation(options->fused_activation_function(), conv.activation)) return complaint;
  kind = conv;
  return {};
}

/// Rows, columns and channels are the last three axes. Of those before, none is padded, and where rows are padded the
/// others have one index: their images would not lie one below the other any more.
Complaint read_pad(const TfliteOp& op, OpKind& kind) {
  std::vector<std::int64_t> paddings;
  if (Complaint complaint = op.reader.integers(op.inputs[1], paddings)) return complaint;
  const std::size_t rank = op.input.shape.size();
  if (rank < 1 || rank > 5 || paddings.size() != 2 * rank) {
    return complain("paddings of the wrong rank", fmt::format("{} numbers for up to 5 axes", 2 * rank),
                    fmt::format("{}", paddings.size()));
  }
  Pad pad;
  const std::size_t axes = std::min<std::size_t>(rank, 3);
  for (std::size_t i = 1; i <= axes; ++i) {
    pad.before[3 - i] = paddings[2 * (rank - i)];
    pad.after[3 - i] = paddings[2 * (rank - i) + 1];
  }
  for (std::size_t axis = 0; axis + axes < rank; ++axis) {
    if (paddings[2 * axis] != 0 || paddings[2 * axis + 1] != 0) return complain("padding of the batch");
    if (op.input.shape[axis] != 1 && (pad.before[0] != 0 || pad.after[0] != 0)) {
      return complain("padded rows of several images", "1", fmt::format("{}", op.input.shape[axis]), op.input.name);
    }
  }
  kind = pad;
  return {};
}

/// PAD with a value of its own, which must be a constant at the output's quantisation.
Complaint read_pad_v2(const TfliteOp& op, OpKind& kind) {
  if (Complaint complaint = read_pad(op, kind)) return complaint;
  Tensor value;
  if (Complaint complaint = op.reader.scalar(op.inputs[2], value)) return complaint;
  if (value.type != op.output.type || value.quantization != op.output.quantization) {
    return complain("fill of another type or quantisation than the output's", {}, {}, value.name);
  }
  std::get<Pad>(kind).fill = value.data;
  return {};
}

Complaint read_softmax(const TfliteOp& op, OpKind& kind) {
  const auto* options = op.op.builtin_options_as_SoftmaxOptions();
  if (options == nullptr) return no_options();
  kind = Softmax{.beta = options->beta()};
  return {};
}

Complaint read_log_softmax(const TfliteOp&, OpKind& kind) {
  kind = Softmax{.beta = 1.0F, .logarithm = true};
  return {};
}

/// With constants on the right it is a fully connected layer; the importer turns them around.
Complaint read_batch_matmul(const TfliteOp& op, OpKind& kind) {
  const auto* options = op.op.builtin_options_as_BatchMatMulOptions();
  if (options != nullptr && options->adj_x()) return complain("transposed left side", "adj_x false");
  kind = FullyConnected{};
  return {};
}

template <typename Kind, typename Options>
Complaint read_resize(const TfliteOp& op, const Options* options, OpKind& kind) {
  if (options == nullptr) return no_options();
  for (const Tensor* tensor : {&op.input, &op.output}) {
    if (tensor->shape.size() != 4) return complain("rank", "4", fmt::format("{}", tensor->shape.size()), tensor->name);
  }
  kind = Kind{.align_corners = options->align_corners(), .half_pixel_centers = options->half_pixel_centers()};
  return {};
}

Complaint read_resize_nearest(const TfliteOp& op, OpKind& kind) {
  return read_resize<ResizeNearest>(op, op.op.builtin_options_as_ResizeNearestNeighborOptions(), kind);
}

Complaint read_resize_bilinear(const TfliteOp& op, OpKind& kind) {
  return read_resize<ResizeBilinear>(op, op.op.builtin_options_as_ResizeBilinearOptions(), kind);
}

/// Around a convolution they are its dilation; anything else would need a batch.
Complaint read_batches(const TfliteOp& op, OpKind&) {
  Complaint complaint = complain("batches of images that are no dilation of one convolution",
                                 "SPACE_TO_BATCH_ND, a convolution of stride 1, BATCH_TO_SPACE_ND", {}, op.input.name);
  complaint->remedy = "Export the convolution with its dilation, or the model without these operators.";
  return complaint;
}

template <typename Kind>
Complaint read_plain(const TfliteOp&, OpKind& kind) {
  kind = Kind{};
  return {};
}

template <Activation activation>
Complaint read_clamp(const TfliteOp&, OpKind& kind) {
  kind = Clamp{activation};
  return {};
}

// Parameters that follow from the shapes (of RESHAPE, SQUEEZE, EXPAND_DIMS, RESIZE) are not read again.
constexpr TfliteKind kKinds[] = {
    {BuiltinOperator::CONV_2D, true, 2, 3, 1, read_conv2d},
    {BuiltinOperator::DEPTHWISE_CONV_2D, true, 2, 3, 1, read_depthwise},
    {BuiltinOperator::FULLY_CONNECTED, true, 2, 3, 1, read_fully_connected},
    {BuiltinOperator::AVERAGE_POOL_2D, false, 1, 1, 1, read_pool<PoolKind::average>},
    {BuiltinOperator::MAX_POOL_2D, false, 1, 1, 1, read_pool<PoolKind::max>},
    {BuiltinOperator::CONCATENATION, false, 1, kAnyNumber, kAnyNumber, read_concat},
    {BuiltinOperator::ADD, false, 2, 2, 2, read_binary<BinaryKind::add>, true},
    {BuiltinOperator::SUB, false, 2, 2, 2, read_binary<BinaryKind::subtract>, true},
    {BuiltinOperator::MUL, false, 2, 2, 2, read_binary<BinaryKind::multiply>, true},
    {BuiltinOperator::DIV, false, 2, 2, 2, read_binary<BinaryKind::divide>, true},
    {BuiltinOperator::MINIMUM, false, 2, 2, 2, read_binary<BinaryKind::minimum>, true},
    {BuiltinOperator::MAXIMUM, false, 2, 2, 2, read_binary<BinaryKind::maximum>, true},
    {BuiltinOperator::SQUARED_DIFFERENCE, false, 2, 2, 2, read_binary<BinaryKind::squared_difference>, true},
    {BuiltinOperator::PRELU, false, 2, 2, 2, read_binary<BinaryKind::prelu>, true},
    {BuiltinOperator::FLOOR_DIV, false, 2, 2, 2, read_binary<BinaryKind::floor_divide>, true},
    {BuiltinOperator::FLOOR_MOD, false, 2, 2, 2, read_binary<BinaryKind::floor_modulo>, true},
    {BuiltinOperator::CAST, false, 1, 1, 1, read_plain<Cast>},
    {BuiltinOperator::ABS, false, 1, 1, 1, read_unary<UnaryKind::abs>},
    {BuiltinOperator::ELU, false, 1, 1, 1, read_unary<UnaryKind::elu>},
    {BuiltinOperator::EXP, false, 1, 1, 1, read_unary<UnaryKind::exp>},
    {BuiltinOperator::HARD_SWISH, false, 1, 1, 1, read_unary<UnaryKind::hard_swish>},
    {BuiltinOperator::LEAKY_RELU, false, 1, 1, 1, read_leaky_relu},
    {BuiltinOperator::LOG, false, 1, 1, 1, read_unary<UnaryKind::log>},
    {BuiltinOperator::LOGISTIC, false, 1, 1, 1, read_unary<UnaryKind::logistic>},
    {BuiltinOperator::NEG, false, 1, 1, 1, read_unary<UnaryKind::neg>},
    {BuiltinOperator::RSQRT, false, 1, 1, 1, read_unary<UnaryKind::rsqrt>},
    {BuiltinOperator::SQRT, false, 1, 1, 1, read_unary<UnaryKind::sqrt>},
    {BuiltinOperator::SQUARE, false, 1, 1, 1, read_unary<UnaryKind::square>},
    {BuiltinOperator::TANH, false, 1, 1, 1, read_unary<UnaryKind::tanh>},
    {BuiltinOperator::MEAN, false, 2, 2, 1, read_reduce<ReduceKind::mean>},
    {BuiltinOperator::SUM, false, 2, 2, 1, read_reduce<ReduceKind::sum>},
    {BuiltinOperator::REDUCE_MAX, false, 2, 2, 1, read_reduce<ReduceKind::max>},
    {BuiltinOperator::REDUCE_MIN, false, 2, 2, 1, read_reduce<ReduceKind::min>},
    {BuiltinOperator::ARG_MAX, false, 2, 2, 1, read_arg_extreme<true>},
    {BuiltinOperator::ARG_MIN, false, 2, 2, 1, read_arg_extreme<false>},
    {BuiltinOperator::L2_NORMALIZATION, false, 1, 1, 1, read_l2_normalize},
    {BuiltinOperator::TRANSPOSE_CONV, true, 3, 4, 1, read_transpose_conv, false, arrange_transpose_conv},
    {BuiltinOperator::RESIZE_BILINEAR, false, 2, 2, 1, read_resize_bilinear},
    {BuiltinOperator::PACK, false, 1, kAnyNumber, kAnyNumber, read_pack},
    {BuiltinOperator::SLICE, false, 3, 3, 1, read_slice},
    {BuiltinOperator::STRIDED_SLICE, false, 4, 4, 1, read_strided_slice},
    {BuiltinOperator::SPLIT, false, 2, 2, 1, read_split, false, nullptr, true},
    {BuiltinOperator::SPLIT_V, false, 3, 3, 1, read_split_v, false, nullptr, true},
    {BuiltinOperator::UNPACK, false, 1, 1, 1, read_unpack, false, nullptr, true},
    {BuiltinOperator::TRANSPOSE, false, 2, 2, 1, read_transpose},
    {BuiltinOperator::GATHER, false, 2, 2, 1, read_gather},
    {BuiltinOperator::SPACE_TO_DEPTH, false, 1, 1, 1, read_space_to_depth},
    {BuiltinOperator::DEPTH_TO_SPACE, false, 1, 1, 1, read_depth_to_space},
    {BuiltinOperator::MIRROR_PAD, false, 2, 2, 1, read_mirror_pad},
    {BuiltinOperator::REVERSE_V2, false, 2, 2, 1, read_reverse},
    {BuiltinOperator::TILE, false, 2, 2, 1, read_tile},
    {BuiltinOperator::BROADCAST_TO, false, 2, 2, 1, read_broadcast_to},
    {BuiltinOperator::SPACE_TO_BATCH_ND, false, 3, 3, 1, read_batches},
    {BuiltinOperator::BATCH_TO_SPACE_ND, false, 3, 3, 1, read_batches},
    {BuiltinOperator::PAD, false, 2, 2, 1, read_pad},
    {BuiltinOperator::PADV2, false, 3, 3, 1, read_pad_v2},
    {BuiltinOperator::RESHAPE, false, 1, 2, 1, read_plain<Reshape>},
    {BuiltinOperator::SQUEEZE, false, 1, 1, 1, read_plain<Reshape>},
    {BuiltinOperator::EXPAND_DIMS, false, 2, 2, 1, read_plain<Reshape>},
    {BuiltinOperator::SOFTMAX, false, 1, 1, 1, read_softmax},
    {BuiltinOperator::LOG_SOFTMAX, false, 1, 1, 1, read_log_softmax},
    {BuiltinOperator::BATCH_MATMUL, true, 2, 2, 1, read_batch_matmul},
    {BuiltinOperator::QUANTIZE, false, 1, 1, 1, read_plain<Quantize>},
    {BuiltinOperator::DEQUANTIZE, false, 1, 1, 1, read_plain<Dequantize>},
    {BuiltinOperator::RESIZE_NEAREST_NEIGHBOR, false, 2, 2, 1, read_resize_nearest},
    {BuiltinOperator::RELU, false, 1, 1, 1, read_clamp<Activation::relu>},
    {BuiltinOperator::RELU6, false, 1, 1, 1, read_clamp<Activation::relu6>},
    {BuiltinOperator::RELU_N1_TO_1, false, 1, 1, 1, read_clamp<Activation::relu_n1_to_1>},
};

}  // namespace

const TfliteKind* tflite_kind(BuiltinOperator code) {
  const auto* found = std::ranges::find(kKinds, code, &TfliteKind::code);
  return found == std::end(kKinds) ? nullptr : found;
}

}  // namespace ripc
