// A network as a value: tensors, operators, constants. Everything downstream of the importers speaks this language.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ripc/error.h"
#include "ripc/layer.h"

namespace ripc {

using TensorId = int;  ///< index into Graph::tensors
using OpId = int;      ///< index into Graph::ops

using StateId = int;  ///< index into Graph::states

inline constexpr TensorId kNoTensor = -1;
inline constexpr StateId kNoState = -1;

enum class DataType : std::uint8_t { float32, int32, uint8, int8, int16, int64, boolean, uint32, uint64 };

/// real = scale * (stored - zero_point). One entry, or one for each index along `axis`.
struct Quantization {
  std::vector<float> scale;
  std::vector<std::int32_t> zero_point;
  int axis = 0;

  bool operator==(const Quantization&) const = default;
};

struct Tensor {
  std::string name;
  DataType type = DataType::int8;
  std::vector<std::int64_t> shape;  ///< as in the model, batch first
  Quantization quantization;
  bool constant = false;
  std::vector<std::byte> data;    ///< little endian; empty for a constant of a network without weights
  TensorId alias_of = kNoTensor;  ///< same bytes as that tensor (a reshape); always a tensor that is no alias itself
  /// Its bytes are those of this state. A tensor that no operator writes is the state before the run; the one that an
  /// operator writes is the state after it, and from then on the first is gone.
  StateId state = kNoState;
  int source = -1;  ///< index of the tensor in the model file
};

/// Bytes that survive between runs. Either tensors of it are read and written, or one operator has it as a field and
/// updates it.
struct State {
  std::string name;
  std::int64_t alignment = 1;      ///< bytes of its scalars
  std::vector<std::byte> initial;  ///< before the first run, and again after a reset
};

/// A tensor seen as one image, channels last: c is the last dimension, w the one before, h the product of the rest.
struct ImageShape {
  std::int64_t height = 1, width = 1, channels = 1;

  bool operator==(const ImageShape&) const = default;
};

enum class Activation : std::uint8_t { none, relu, relu6, relu_n1_to_1 };

/// Weights are OHWI: [out_channels][kernel rows][kernel columns][in_channels / groups].
struct Conv2d {
  Window rows, columns;
  std::int64_t groups = 1;
  TensorId weights = kNoTensor, bias = kNoTensor;
  Activation activation = Activation::none;
};

/// Weights are [1][kernel rows][kernel columns][out_channels]; output channel c * multiplier + m reads input channel c.
struct DepthwiseConv2d {
  Window rows, columns;
  std::int64_t multiplier = 1;
  TensorId weights = kNoTensor, bias = kNoTensor;
  Activation activation = Activation::none;
};

/// Weights are [out][in]; every pixel of the input's last dimension is one vector.
struct FullyConnected {
  TensorId weights = kNoTensor, bias = kNoTensor;
  Activation activation = Activation::none;
};

enum class PoolKind : std::uint8_t { average, max };

struct Pool2d {
  PoolKind kind = PoolKind::average;
  Window rows, columns;
  Activation activation = Activation::none;
};

enum class UnaryKind : std::uint8_t {
  abs,
  elu,
  exp,
  hard_swish,
  leaky_relu,
  log,
  logistic,
  neg,
  rsqrt,
  sqrt,
  square,
  tanh
};

/// A function of one scalar at a time.
struct Unary {
  UnaryKind kind = UnaryKind::logistic;
  float alpha = 0.0F;  ///< LEAKY_RELU: the slope below zero
};

enum class BinaryKind : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  minimum,
  maximum,
  squared_difference,
  prelu,
  floor_divide,
  floor_modulo
};

/// A function of two scalars at a time. Operands are broadcast to the output: aligned at the last dimension, an extent
/// of one stands for any other. A constant operand is a field, and Op::inputs has the other one alone.
struct Binary {
  BinaryKind kind = BinaryKind::add;
  Activation activation = Activation::none;
  TensorId constant = kNoTensor;
  bool constant_first = false;  ///< it is the left operand
};

/// Weights are OHWI. A convolution backwards: input pixel (y, x) adds to output rows y * stride - pad_before + 0, 1,
/// ... up to its kernel, where they exist, and to columns likewise.
struct TransposeConv2d {
  Window rows, columns;  ///< dilation 1; of the convolution that it turns around
  TensorId weights = kNoTensor, bias = kNoTensor;
  Activation activation = Activation::none;
};

/// Mean over height and width; one value per channel.
struct Mean {};

enum class ReduceKind : std::uint8_t { mean, sum, max, min };

/// Over any axes of the input; whether the output keeps them with extent one is in its shape. A mean over height and
/// width is a Mean.
struct Reduce {
  ReduceKind kind = ReduceKind::mean;
  std::vector<int> axes;  ///< of the input, ascending
};

/// Index of the first largest or smallest scalar along an axis of the input, as int32.
struct ArgExtreme {
  bool largest = true;
  int axis = 0;
};

/// Each vector of the last dimension divided by its length.
struct L2Normalize {};

/// Pads with the output's zero point (PAD), or with another value (PADV2). Channels too.
struct Pad {
  std::array<std::int64_t, 3> before{}, after{};  ///< rows, columns, channels
  std::vector<std::byte> fill{};                  ///< one scalar, little endian; empty: the zero point
};

/// Same bytes, another shape. Gone from the canonical graph, where Tensor::alias_of stands for it.
struct Reshape {};

struct Softmax {
  float beta = 1.0F;
  bool logarithm = false;  ///< LOG_SOFTMAX: of every output, and beta is 1
};

/// Float to int8 or uint8, or a change of scale between 8-bit types.
struct Quantize {};
struct Dequantize {};

struct ResizeNearest {
  bool align_corners = false, half_pixel_centers = false;
};

/// Another type, scalar by scalar: from binary32 towards zero, held to the range of the output's type; to a smaller
/// integer modulo its size. Quantisation does not count.
struct Cast {};
/// Every output scalar is a weighted mean of up to four input scalars.
struct ResizeBilinear {
  bool align_corners = false, half_pixel_centers = false;
};

/// Same bytes, another place: a state that is assigned, or a state's old value that outlives it.
struct Copy {};

/// Single value decomposition filter. Each of units * rank filters weighs the input, shifts the result into its memory
/// and weighs that; a unit is the sum of its filters. Its state is [filters][memory], the oldest first.
struct Svdf {
  std::int64_t rank = 1;
  std::vector<TensorId> constants;  ///< feature weights [filters][in], time weights [filters][memory], bias if any
  DataType memory_type = DataType::int8;
  float memory_scale = 1.0F;
  std::int32_t memory_zero = 0;
  StateId state = kNoState;
};

/// Long short-term memory over the vectors of the input's last dimension, one a step, without peepholes, projection or
/// normalisation. Its state is the cells, then the hidden vector, which is quantised as the output.
struct Lstm {
  /// Weights of the input [units][in], of the hidden vector [units][units], and biases [units]; four of each, for the
  /// input gate, the forget gate, the new cells and the output gate.
  std::vector<TensorId> constants;
  float cell_scale = 1.0F;
  float cell_clip = 0.0F;  ///< 0: none
  StateId state = kNoState;
};

enum class SignalKind : std::uint8_t {
  window,
  headroom,  ///< SignalFftAutoScale: the shift
  scale,     ///< and the samples shifted
  rfft,
  energy,
  filter_bank,
  square_root,
  noise,    ///< SignalFilterBankSpectralSubtraction: the estimate
  denoise,  ///< and the signal without it
  gain,
  log
};

/// How an estimate of noise follows the signal, as rip_signal_noise has it.
struct SignalNoise {
  std::int64_t even_weight = 0, even_rest = 0, odd_weight = 0, odd_rest = 0;
  std::int64_t smoothing_bits = 0, weight_bits = 0;
  std::int64_t least_part = 0;
  bool clamps = false;
};

/// An operator of TensorFlow Lite Micro's audio front end, in integers, over one vector. One with two outputs is two
/// operators.
struct Signal {
  SignalKind kind = SignalKind::window;
  /// window: weights. filter_bank: weights, weights into the next channel, and each band's first point, first weight
  /// and points. gain: the function.
  std::vector<TensorId> constants{};
  std::int64_t shift = 0;           ///< window, gain: of products to the right; log: of the input to the left
  std::int64_t scale = 0;           ///< log
  std::int64_t first = 0, end = 0;  ///< energy: of the points that are made; others are 0
  SignalNoise noise{};              ///< noise, denoise
  StateId state = kNoState;         ///< noise: the estimates
};

/// A constant of the model as an activation: its bytes are copied out of flash.
struct Load {
  std::vector<TensorId> constants;  ///< one, as large as the output
};

/// RELU, RELU6 and RELU_N1_TO_1 as operators of their own.
struct Clamp {
  Activation activation = Activation::relu;
};

/// The inputs one after another along one axis. 8-bit inputs may have a quantisation of their own: then they are
/// rescaled.
struct Concat {
  std::int64_t axis = 0;  ///< of the output's shape, counted from 0
  bool stacks = false;    ///< PACK: every input is one index of the axis, which its own shape does not have
};

/// One axis of a Rearrange: index i of the output reads the input i * stride scalars further on, or offsets[i] if there
/// are any.
struct AxisMap {
  std::int64_t extent = 1;
  std::int64_t stride = 0;
  std::vector<std::int64_t> offsets;
};

/// Moves scalars and changes none, whatever their quantisation: slices, splits, transposes, gathers, mirrored padding,
/// tiles, space to depth and back. Scalar (i, j, ...) of the output, its axes outermost first, is the input's scalar
/// start + what i, j, ... add. See graph/movement.h.
struct Rearrange {
  const char* name = "SLICE";  ///< as TensorFlow Lite names the operator
  std::int64_t start = 0;
  std::vector<AxisMap> axes;
};

using OpKind = std::variant<Conv2d, DepthwiseConv2d, FullyConnected, Pool2d, Unary, Binary, Mean, Pad, Reshape, Softmax,
                            Quantize, Dequantize, ResizeNearest, Cast, Clamp, Concat, Rearrange, ResizeBilinear,
                            TransposeConv2d, Reduce, ArgExtreme, L2Normalize, Copy, Svdf, Lstm, Signal, Load>;

struct Op {
  OpKind kind;
  std::vector<TensorId> inputs;  ///< activations only; weights, biases and constant operands are fields of the kind
  TensorId output = kNoTensor;
  int source = -1;  ///< index in the model file of the operator that writes the output
};

struct Graph {
  std::string name;
  std::vector<Tensor> tensors;
  std::vector<Op> ops;  ///< in an order that can be executed
  std::vector<TensorId> inputs, outputs;
  std::vector<State> states;
};

std::size_t scalar_bytes(DataType type);
const char* type_name(DataType type);                            ///< "int8", "float32", ...
const char* kind_name(const Op& op);                             ///< as TensorFlow Lite names it, e.g. "CONV_2D"
std::string shape_text(const std::vector<std::int64_t>& shape);  ///< "1x14x14x5", or "a scalar"
std::int64_t element_count(const Tensor& tensor);
std::int64_t byte_count(const Tensor& tensor);
ImageShape image_shape(const Tensor& tensor);

/// Whether all constants have data.
bool has_weights(const Graph& graph);

/// The state that the operator itself updates, or kNoState.
StateId own_state(const Op& op);

/// The tensor whose bytes this one is: itself, or what it is an alias of.
TensorId storage_of(const Graph& graph, TensorId tensor);

/// The windowed geometry of an operator that has one: convolutions and pooling; FULLY_CONNECTED as 1x1 over one row of
/// vectors; elementwise operators and QUANTIZE/DEQUANTIZE as 1x1 over the output with one group a channel; PAD as 1x1
/// with real padding (one group only if it pads channels); MEAN as a window of the whole image with one group a
/// channel. Others have none: throws std::logic_error.
Layer layer_of(const Graph& graph, const Op& op);

/// The operator's output as its kernel makes it: the output's image, except that FULLY_CONNECTED makes one row of
/// vectors, a CONCATENATION along another axis than the last one row of pixels, one for each index before the axis, and
/// a Rearrange one row of its blocks.
ImageShape made_image(const Graph& graph, const Op& op);

/// How `tensor`, an input of a CONCATENATION or its output, divides into the pixels of made_image: scalars of each.
std::int64_t piece_scalars(const Graph& graph, const Op& concat, TensorId tensor);

/// Multiply-accumulates of the operator with every tap counted, padding included; 0 for operators without weights.
std::int64_t mac_count(const Graph& graph, const Op& op);

/// What makes `op` impossible to run exactly - types, shapes that do not follow from the operator, quantisation that
/// its kernel cannot take - or nothing. Tensor ids must be in range and its tensors sound. Source: the conditions of
/// docs/arithmetic.md.
std::optional<ErrorContext> fault_of(const Graph& graph, const Op& op);

/// Throws ripc::Error at the first tensor or operator that breaks an invariant: ids in range, every tensor written
/// before it is read and once only, shapes that follow from the operator, byte counts that fit 31 bits, supported types
/// and quantisation.
void validate(const Graph& graph);

/// FNV-1a 64, in hex, over all that determines the bytes that a network computes: types, shapes, quantisation,
/// constants, operators, inputs and outputs. Names and the indices in the model file are left out.
std::string graph_hash(const Graph& graph);

}  // namespace ripc
