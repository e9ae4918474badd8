// What each operator asks of its tensors, so that its kernel computes the reference's bytes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <utility>

#include "graph/checks.h"
#include "graph/limits.h"
#include "graph/movement.h"
#include "graph/reduction.h"
#include "graph/resize.h"

namespace ripc {
namespace {

/// The checks of one operator. Each returns the first thing that is wrong.
class OperatorCheck {
 public:
  OperatorCheck(const Graph& graph, const Op& op) : graph_(graph), op_(op) {}

  Complaint operator()(const Conv2d& conv) const {
    if (Complaint fault = activations(1, kComputed)) return fault;
    if (Complaint fault = window_fault(input(), output(), conv.rows, conv.columns)) return fault;
    const ImageShape in = image_shape(input()), out = image_shape(output());
    if (conv.groups < 1 || in.channels % conv.groups != 0 || out.channels % conv.groups != 0) {
      return complain("groups that do not divide the channels", {}, fmt::format("{} groups", conv.groups));
    }
    if (Complaint fault =
            weights_fault(input(), tensor(conv.weights), 0,
                          {out.channels, conv.rows.kernel, conv.columns.kernel, in.channels / conv.groups})) {
      return fault;
    }
    return after_weights_fault(graph_, op_, conv.weights, conv.bias, conv.activation);
  }

  Complaint operator()(const DepthwiseConv2d& conv) const {
    if (Complaint fault = activations(1, kComputed)) return fault;
    if (Complaint fault = window_fault(input(), output(), conv.rows, conv.columns)) return fault;
    const ImageShape in = image_shape(input()), out = image_shape(output());
    if (conv.multiplier < 1 || conv.multiplier > out.channels || out.channels != in.channels * conv.multiplier) {
      return complain("wrong number of output channels", fmt::format("{} x {}", in.channels, conv.multiplier),
                      fmt::format("{}", out.channels));
    }
    if (Complaint fault =
            weights_fault(input(), tensor(conv.weights), 3, {1, conv.rows.kernel, conv.columns.kernel, out.channels}))
      return fault;
    return after_weights_fault(graph_, op_, conv.weights, conv.bias, conv.activation);
  }

  Complaint operator()(const FullyConnected& connected) const {
    if (Complaint fault = activations(1, kComputed)) return fault;
    const std::int64_t out_features = image_shape(output()).channels;
    const std::int64_t vectors = element_count(output()) / out_features;
    const std::int64_t in_features = element_count(input()) / vectors;
    if (in_features * vectors != element_count(input())) {
      return complain("input that is no whole number of vectors", fmt::format("a multiple of {}", vectors),
                      fmt::format("{} scalars", element_count(input())), input().name);
    }
    if (Complaint fault = weights_fault(input(), tensor(connected.weights), 0, {out_features, in_features}))
      return fault;
    if (Complaint fault = after_weights_fault(graph_, op_, connected.weights, connected.bias, connected.activation))
      return fault;
    return connected_bias_fault(graph_, op_, connected);
  }

  Complaint operator()(const Pool2d& pool) const {
    if (Complaint fault = activations(1, kComputed)) return fault;
    if (Complaint fault = window_fault(input(), output(), pool.rows, pool.columns)) return fault;
    if (Complaint fault = channels_fault(input(), output())) return fault;
    for (const Window& window : {pool.rows, pool.columns}) {
      if (window.dilation != 1) return complain("dilated pooling");
      // Otherwise a window could lie in the padding alone, and the mean of nothing has no value.
      if (std::max(window.pad_before, window.pad_after) >= window.kernel) {
        return complain("padding as large as the window", fmt::format("below {}", window.kernel),
                        fmt::format("{} and {}", window.pad_before, window.pad_after));
      }
    }
    if (is_float()) return {};
    if (pool.kind == PoolKind::average && pool.rows.kernel > most_summands() / pool.columns.kernel) {
      return complain("mean of too many values", fmt::format("at most {}", most_summands()),
                      fmt::format("{} x {}", pool.rows.kernel, pool.columns.kernel));
    }
    const float difference = std::abs(input_scale(0) - output_scale());
    if (difference > 1e-6F || zero_point(input()) != zero_point(output())) {
      return complain("input and output of pooling with unequal quantisation");
    }
    return activation(pool.activation);
  }

  Complaint operator()(const Unary& unary) const { return elementwise_fault(graph_, op_, unary); }
  Complaint operator()(const Binary& binary) const { return elementwise_fault(graph_, op_, binary); }

  Complaint operator()(const Mean&) const {
    if (Complaint fault = activations(1, kComputed)) return fault;
    const ImageShape in = image_shape(input());
    if (element_count(output()) != in.channels || image_shape(output()).channels != in.channels) {
      return complain("mean over other axes than height and width", fmt::format("{} values", in.channels),
                      shape_text(output().shape), output().name);
    }
    if (is_float()) return {};
    const std::int64_t most = most_summands();
    if (in.height > most / in.width) {
      return complain("mean of too many values", fmt::format("at most {}", most),
                      fmt::format("{} x {}", in.height, in.width));
    }
    return multiplier_fault(static_cast<double>(input_scale(0)) / static_cast<double>(output_scale()));
  }

  Complaint operator()(const Pad& pad) const {
    if (Complaint fault = same_types(1, kAll)) return fault;
    if (!pad.fill.empty() && pad.fill.size() != scalar_bytes(output().type)) {
      return complain("fill that is no scalar of the output", fmt::format("{} bytes", scalar_bytes(output().type)),
                      fmt::format("{}", pad.fill.size()));
    }
    const ImageShape in = image_shape(input()), out = image_shape(output());
    const std::array<std::int64_t, 3> from{in.height, in.width, in.channels};
    const std::array<std::int64_t, 3> to{out.height, out.width, out.channels};
    for (std::size_t i = 0; i < from.size(); ++i) {
      const bool sound = pad.before[i] >= 0 && pad.after[i] >= 0 && pad.before[i] <= kMaxTensorBytes &&
                         pad.after[i] <= kMaxTensorBytes;
      if (!sound || from[i] + pad.before[i] + pad.after[i] != to[i]) {
        return complain("paddings that do not make the output's shape",
                        fmt::format("{} + {} + {}", pad.before[i], from[i], pad.after[i]), fmt::format("{}", to[i]));
      }
    }
    return {};
  }

  Complaint operator()(const Reshape&) const {
    if (Complaint fault = inputs(1)) return fault;
    if (input().type == output().type && byte_count(input()) == byte_count(output())) return {};
    Complaint fault = complain("reshape to another size or type",
                               fmt::format("{} scalars of {}", element_count(input()), type_name(input().type)),
                               fmt::format("{} of {}", element_count(output()), type_name(output().type)));
    fault->remedy = "If the input's shape or batch was changed, convert the model anew: its RESHAPE has the old sizes.";
    return fault;
  }

  Complaint operator()(const Softmax& softmax) const {
    if (softmax.logarithm) return log_softmax(softmax);
    if (Complaint fault = softmax_types()) return fault;
    if (Complaint fault = same_shape()) return fault;
    if (is_float()) return {};
    if (input().type == DataType::int16) return wide_softmax(softmax);
    if (Complaint fault = softmax_output()) return fault;
    return beta_fault(softmax);
  }

  Complaint operator()(const Quantize&) const {
    if (Complaint fault = inputs(1)) return fault;
    if (Complaint fault = same_shape()) return fault;
    if (is_float()) {
      return quantized(output(), {DataType::int8, DataType::uint8, DataType::int16});
    }
    // Between uint8 and wider types the reference has no change of scale.
    const bool bytes = input().type == DataType::uint8 || output().type == DataType::uint8;
    for (const Tensor* t : {&input(), &output()}) {
      Complaint fault = bytes ? quantized(*t, {DataType::int8, DataType::uint8})
                              : quantized(*t, {DataType::int8, DataType::int16, DataType::int32});
      if (fault) return fault;
    }
    return multiplier_fault(static_cast<double>(input_scale(0)) / static_cast<double>(output_scale()));
  }

  Complaint operator()(const Dequantize&) const {
    if (Complaint fault = inputs(1)) return fault;
    if (Complaint fault = same_shape()) return fault;
    if (output().type != DataType::float32) return type_fault(output(), "float32");
    return quantized(input(), {DataType::int8, DataType::uint8, DataType::int16});
  }

  Complaint operator()(const Concat& concat) const {
    if (op_.inputs.empty()) return complain("nothing to concatenate");
    const auto rank = static_cast<std::int64_t>(output().shape.size());
    if (concat.axis < 0 || concat.axis >= rank) {
      return complain("no such axis", fmt::format("0 to {}", rank - 1), fmt::format("{}", concat.axis), output().name);
    }
    const auto axis = static_cast<std::size_t>(concat.axis);
    std::vector<std::int64_t> sum = output().shape;
    sum[axis] = 0;
    for (const TensorId id : op_.inputs) {
      const Tensor& in = tensor(id);
      if (in.type != output().type) return type_fault(in, type_name(output().type));
      std::vector<std::int64_t> shape = in.shape;
      if (concat.stacks && shape.size() >= axis) shape.insert(shape.begin() + concat.axis, 1);
      const std::int64_t extent = shape.size() == sum.size() ? std::exchange(shape[axis], output().shape[axis]) : 0;
      if (shape != output().shape) {
        return complain("input of another shape", shape_text(output().shape) + " but for one axis",
                        shape_text(in.shape), in.name);
      }
      sum[axis] += extent;
      if (Complaint fault = rescaled(in)) return fault;
    }
    if (sum == output().shape) return {};
    return complain("output of another shape", shape_text(sum), shape_text(output().shape), output().name);
  }

  Complaint operator()(const Rearrange& move) const {
    if (Complaint fault = inputs(1)) return fault;
    if (input().type != output().type) return type_fault(output(), type_name(input().type));
    return movement_fault(input(), output(), move);
  }

  Complaint operator()(const ResizeNearest& resize) const {
    if (Complaint fault = same_types(1, kAll)) return fault;
    if (Complaint fault = resized_image_fault(input(), output())) return fault;
    if (resize.align_corners && resize.half_pixel_centers) {
      return complain("align_corners together with half_pixel_centers");
    }
    return {};
  }

  Complaint operator()(const Cast&) const {
    if (Complaint fault = inputs(1)) return fault;
    // Modulo 2^32 there is no sign.
    const auto has = [&](DataType type) { return input().type == type || output().type == type; };
    const bool wider = has(DataType::float32) || has(DataType::int64);
    if (has(DataType::uint64) || (has(DataType::uint32) && wider)) {
      const bool from = input().type == DataType::uint32 || input().type == DataType::uint64;
      return type_fault(from ? output() : input(), "an integer of up to 32 bits, from or to uint32");
    }
    return same_shape();
  }

  Complaint operator()(const Signal& signal) const { return signal_fault(graph_, op_, signal); }

  Complaint operator()(const Load& load) const {
    if (Complaint fault = inputs(0)) return fault;
    if (load.constants.size() != 1) return complain("wrong number of constants");
    const Tensor& constant = tensor(load.constants[0]);
    if (constant.type == output().type && byte_count(constant) == byte_count(output())) return {};
    return complain("constant of another size or type", shape_text(output().shape), shape_text(constant.shape),
                    constant.name);
  }

  Complaint operator()(const ResizeBilinear& resize) const {
    if (Complaint fault = activations(1, {DataType::int8, DataType::float32})) return fault;
    if (Complaint fault = resized_image_fault(input(), output())) return fault;
    if (resize.align_corners && resize.half_pixel_centers) {
      return complain("align_corners together with half_pixel_centers");
    }
    const ImageShape in = image_shape(input()), out = image_shape(output());
    const auto last = [&](std::int64_t from, std::int64_t to) {
      return bilinear_taps(to - 1, from, to, resize, is_float()).first;
    };
    if (last(in.height, out.height) < in.height && last(in.width, out.width) < in.width) return {};
    // The reference's step between pixels is rounded, and far enough out it reads outside of the image.
    return complain("enlarged too far", {},
                    fmt::format("{} to {}", shape_text(input().shape), shape_text(output().shape)), output().name);
  }

  Complaint operator()(const TransposeConv2d& conv) const {
    if (Complaint fault = activations(1, kComputed)) return fault;
    if (Complaint fault = transposed_window_fault(input(), output(), conv.rows, conv.columns)) return fault;
    const ImageShape in = image_shape(input()), out = image_shape(output());
    if (Complaint fault = weights_fault(input(), tensor(conv.weights), 0,
                                        {out.channels, conv.rows.kernel, conv.columns.kernel, in.channels})) {
      return fault;
    }
    if (input().type == DataType::int16 && conv.bias != kNoTensor && tensor(conv.bias).type != DataType::int64) {
      return type_fault(tensor(conv.bias), "int64 bias");
    }
    return after_weights_fault(graph_, op_, conv.weights, conv.bias, conv.activation);
  }

  Complaint operator()(const Reduce& reduce) const {
    const bool extreme = reduce.kind == ReduceKind::max || reduce.kind == ReduceKind::min;
    if (Complaint fault = extreme ? activations(1, {DataType::int8, DataType::float32}) : activations(1, kComputed)) {
      return fault;
    }
    if (Complaint fault = reduction()) return fault;
    if (is_float()) return {};
    if (extreme) {
      if (input().quantization == output().quantization) return {};
      return complain("input and output of a largest or smallest with unequal quantisation");
    }
    const Reduction axes = *reduction_of(graph_, op_);
    if (axes.first > most_summands() / axes.second) {
      return complain("sum of too many values", fmt::format("at most {}", most_summands()),
                      fmt::format("{} x {}", axes.first, axes.second));
    }
    return multiplier_fault(static_cast<double>(input_scale(0)) / static_cast<double>(output_scale()));
  }

  Complaint operator()(const ArgExtreme&) const {
    if (Complaint fault = inputs(1)) return fault;
    if (input().type != DataType::int8 && input().type != DataType::float32) {
      return type_fault(input(), "int8 or float32");
    }
    if (output().type != DataType::int32) return type_fault(output(), "int32");
    return reduction();
  }

  Complaint operator()(const L2Normalize&) const {
    if (Complaint fault = activations(1, {DataType::int8, DataType::float32})) return fault;
    if (Complaint fault = same_shape()) return fault;
    if (is_float()) return {};
    if (output_scale() != 1.0F / 128.0F || zero_point(output()) != 0) {
      return complain("output quantisation of a normalised vector", "scale 1/128, zero point 0",
                      fmt::format("{}, {}", output_scale(), zero_point(output())), output().name);
    }
    if (image_shape(input()).channels <= kMaxSquares) return {};
    return complain("vector too long", fmt::format("at most {}", kMaxSquares), shape_text(input().shape), input().name);
  }

  Complaint operator()(const Copy&) const {
    if (Complaint fault = inputs(1)) return fault;
    if (input().type == output().type && byte_count(input()) == byte_count(output())) return {};
    return complain("copy to another size or type", shape_text(input().shape), shape_text(output().shape),
                    output().name);
  }

  Complaint operator()(const Svdf& svdf) const {
    if (Complaint fault = activations(1, {DataType::int8})) return fault;
    return recurrent_fault(graph_, op_, svdf);
  }

  Complaint operator()(const Lstm& lstm) const {
    if (Complaint fault = activations(1, {DataType::int8, DataType::float32})) return fault;
    return recurrent_fault(graph_, op_, lstm);
  }

  Complaint operator()(const Clamp& clamp) const {
    if (Complaint fault = inputs(1)) return fault;
    if (Complaint fault = same_shape()) return fault;
    if (clamp.activation == Activation::none) return complain("clamp without limits");
    if (input().type == DataType::float32 && output().type == DataType::float32) return {};
    if (Complaint fault = activations(1, {DataType::int8})) return fault;
    if (clamp.activation == Activation::relu6) return limit_fault(6.0F, input());
    if (Complaint fault = activation(clamp.activation)) return fault;
    return multiplier_fault(static_cast<double>(input_scale(0) / output_scale()));
  }

 private:
  /// For operators that compute.
  static constexpr std::initializer_list<DataType> kComputed = {DataType::int8, DataType::int16, DataType::float32};
  /// For operators that only move scalars.
  static constexpr std::initializer_list<DataType> kAll = {DataType::int8,    DataType::uint8,  DataType::int16,
                                                           DataType::int32,   DataType::int64,  DataType::float32,
                                                           DataType::boolean, DataType::uint32, DataType::uint64};

  /// Sums of so many stay within 31 bits.
  std::int64_t most_summands() const { return (std::int64_t{1} << (input().type == DataType::int16 ? 16 : 23)) - 1; }

  static constexpr std::int64_t kMaxSquares = 33000;  ///< sums of squares of bytes stay within 31 bits

  const Tensor& tensor(TensorId id) const { return graph_.tensors[static_cast<std::size_t>(id)]; }
  const Tensor& input() const { return tensor(op_.inputs[0]); }
  const Tensor& output() const { return tensor(op_.output); }
  float input_scale(std::size_t i) const { return tensor(op_.inputs[i]).quantization.scale[0]; }
  float output_scale() const { return output().quantization.scale[0]; }
  static std::int32_t zero_point(const Tensor& t) { return t.quantization.zero_point[0]; }

  Complaint inputs(std::size_t count) const {
    if (op_.inputs.size() == count) return {};
    return complain("wrong number of inputs", fmt::format("{}", count), fmt::format("{}", op_.inputs.size()));
  }

  static Complaint quantized(const Tensor& t, std::initializer_list<DataType> types) {
    if (std::ranges::find(types, t.type) == types.end()) return type_fault(t, names(types));
    return one_scale_fault(t);
  }

  /// An input whose bytes are moved to the output, or rescaled where the quantisations differ.
  Complaint rescaled(const Tensor& in) const {
    if (in.quantization == output().quantization) return {};
    if (Complaint fault = quantized(in, {DataType::int8, DataType::uint8})) return fault;
    if (Complaint fault = quantized(output(), {DataType::int8, DataType::uint8})) return fault;
    return multiplier_fault(static_cast<double>(in.quantization.scale[0]) / static_cast<double>(output_scale()));
  }

  Complaint beta_fault(const Softmax& softmax) const {
    const double ratio = static_cast<double>(softmax.beta) * static_cast<double>(input_scale(0)) * 0x1p26;
    if (std::isfinite(ratio) && ratio > 1.0) return {};
    return complain("beta or input scale out of range", {}, fmt::format("{}, {}", softmax.beta, input_scale(0)));
  }

  Complaint log_softmax(const Softmax& softmax) const {
    if (Complaint fault = activations(1, {DataType::int8, DataType::float32})) return fault;
    if (Complaint fault = same_shape()) return fault;
    if (softmax.beta != 1.0F) return complain("beta of a logarithm", "1", fmt::format("{}", softmax.beta));
    if (is_float()) return {};
    if (output_scale() != 1.0F / 16.0F || zero_point(output()) != 127) {
      return complain("output quantisation of a logarithm", "scale 1/16, zero point 127",
                      fmt::format("{}, {}", output_scale(), zero_point(output())), output().name);
    }
    return beta_fault(softmax);
  }

  /// Those of the input, or int16 from int8.
  Complaint softmax_types() const {
    if (op_.inputs.size() != 1 || input().type != DataType::int8 || output().type != DataType::int16) {
      return activations(1, kComputed);
    }
    if (Complaint fault = one_scale_fault(input())) return fault;
    return one_scale_fault(output());
  }

  /// Whether the output spans 0 to 1. Converters differ in the last digit of the scale of int16, which has no say.
  Complaint softmax_output() const {
    const bool bytes = output().type == DataType::int8, widens = !bytes && input().type == DataType::int8;
    const float scale = 1.0F / (bytes ? 256.0F : widens ? 65536.0F : 32768.0F);
    const std::int32_t zero = bytes ? -128 : widens ? -32768 : 0;
    const float tolerance = bytes ? 0.0F : 0.001F * scale;
    if (std::abs(output_scale() - scale) <= tolerance && zero_point(output()) == zero) return {};
    return complain("output quantisation of softmax", fmt::format("scale {}, zero point {}", scale, zero),
                    fmt::format("{}, {}", output_scale(), zero_point(output())), output().name);
  }

  Complaint wide_softmax(const Softmax& softmax) const {
    if (Complaint fault = softmax_output()) return fault;
    return multiplier_fault(static_cast<double>(input_scale(0)) * static_cast<double>(softmax.beta) / (10.0 / 65535.0));
  }

  /// `count` inputs and the output, all of the same one of these types.
  Complaint same_types(std::size_t count, std::initializer_list<DataType> types) const {
    if (Complaint fault = inputs(count)) return fault;
    const DataType type = input().type;
    if (std::ranges::find(types, type) == types.end()) return type_fault(input(), names(types));
    for (const TensorId id : op_.inputs) {
      if (tensor(id).type != type) return type_fault(tensor(id), type_name(type));
    }
    return output().type == type ? Complaint{} : type_fault(output(), type_name(type));
  }

  /// The same, each with one scale if the type is a quantised one.
  Complaint activations(std::size_t count, std::initializer_list<DataType> types) const {
    if (Complaint fault = same_types(count, types)) return fault;
    if (!is_quantized(output().type)) return {};
    for (const TensorId id : op_.inputs) {
      if (Complaint fault = scale_fault(tensor(id))) return fault;
    }
    return scale_fault(output());
  }

  static bool is_quantized(DataType type) {
    return type == DataType::int8 || type == DataType::uint8 || type == DataType::int16;
  }

  static std::string names(std::initializer_list<DataType> types) {
    std::string text;
    for (const DataType type : types) text += (text.empty() ? "" : " or ") + std::string(type_name(type));
    return text;
  }

  Complaint same_shape() const {
    if (image_shape(input()) == image_shape(output())) return {};
    return complain("output of another shape", shape_text(input().shape), shape_text(output().shape), output().name);
  }

  Complaint reduction() const {
    const auto axes = reduction_of(graph_, op_);
    if (!axes) {
      return complain("axes that cannot be reduced together", "axes of the input, in at most two runs of neighbours",
                      shape_text(input().shape), input().name);
    }
    if (element_count(output()) == axes->outer * axes->middle * axes->inner) return {};
    return complain("output of another shape", fmt::format("{} scalars", axes->outer * axes->middle * axes->inner),
                    shape_text(output().shape), output().name);
  }

  bool is_float() const { return input().type == DataType::float32; }

  Complaint activation(Activation limits) const {
    return is_quantized(output().type) ? activation_fault(limits, output()) : Complaint{};
  }

  const Graph& graph_;
  const Op& op_;
};

}  // namespace

Complaint fault_of(const Graph& graph, const Op& op) { return std::visit(OperatorCheck(graph, op), op.kind); }

}  // namespace ripc
