// Names, sizes and shapes of tensors and operators.
#include <algorithm>
#include <functional>
#include <numeric>

#include "graph/graph.h"

namespace ripc {
namespace {

struct KindName {
  const char* operator()(const Conv2d&) const { return "CONV_2D"; }
  const char* operator()(const DepthwiseConv2d&) const { return "DEPTHWISE_CONV_2D"; }
  const char* operator()(const FullyConnected&) const { return "FULLY_CONNECTED"; }
  const char* operator()(const Pool2d& pool) const {
    return pool.kind == PoolKind::average ? "AVERAGE_POOL_2D" : "MAX_POOL_2D";
  }
  const char* operator()(const Unary& unary) const {
    switch (unary.kind) {
      case UnaryKind::abs:
        return "ABS";
      case UnaryKind::elu:
        return "ELU";
      case UnaryKind::exp:
        return "EXP";
      case UnaryKind::hard_swish:
        return "HARD_SWISH";
      case UnaryKind::leaky_relu:
        return "LEAKY_RELU";
      case UnaryKind::log:
        return "LOG";
      case UnaryKind::neg:
        return "NEG";
      case UnaryKind::rsqrt:
        return "RSQRT";
      case UnaryKind::sqrt:
        return "SQRT";
      case UnaryKind::square:
        return "SQUARE";
      case UnaryKind::tanh:
        return "TANH";
      case UnaryKind::logistic:
        break;
    }
    return "LOGISTIC";
  }
  const char* operator()(const Binary& binary) const {
    switch (binary.kind) {
      case BinaryKind::subtract:
        return "SUB";
      case BinaryKind::multiply:
        return "MUL";
      case BinaryKind::divide:
        return "DIV";
      case BinaryKind::minimum:
        return "MINIMUM";
      case BinaryKind::maximum:
        return "MAXIMUM";
      case BinaryKind::squared_difference:
        return "SQUARED_DIFFERENCE";
      case BinaryKind::prelu:
        return "PRELU";
      case BinaryKind::floor_divide:
        return "FLOOR_DIV";
      case BinaryKind::floor_modulo:
        return "FLOOR_MOD";
      case BinaryKind::add:
        break;
    }
    return "ADD";
  }
  const char* operator()(const Mean&) const { return "MEAN"; }
  const char* operator()(const ResizeBilinear&) const { return "RESIZE_BILINEAR"; }
  const char* operator()(const TransposeConv2d&) const { return "TRANSPOSE_CONV"; }
  const char* operator()(const Reduce& reduce) const {
    switch (reduce.kind) {
      case ReduceKind::sum:
        return "SUM";
      case ReduceKind::max:
        return "REDUCE_MAX";
      case ReduceKind::min:
        return "REDUCE_MIN";
      case ReduceKind::mean:
        break;
    }
    return "MEAN";
  }
  const char* operator()(const ArgExtreme& arg) const { return arg.largest ? "ARG_MAX" : "ARG_MIN"; }
  const char* operator()(const L2Normalize&) const { return "L2_NORMALIZATION"; }
  const char* operator()(const Copy&) const { return "ASSIGN_VARIABLE"; }
  const char* operator()(const Svdf&) const { return "SVDF"; }
  const char* operator()(const Lstm&) const { return "UNIDIRECTIONAL_SEQUENCE_LSTM"; }
  const char* operator()(const Signal& signal) const {
    switch (signal.kind) {
      case SignalKind::headroom:
      case SignalKind::scale:
        return "SignalFftAutoScale";
      case SignalKind::rfft:
        return "SignalRfft";
      case SignalKind::energy:
        return "SignalEnergy";
      case SignalKind::filter_bank:
        return "SignalFilterBank";
      case SignalKind::square_root:
        return "SignalFilterBankSquareRoot";
      case SignalKind::noise:
      case SignalKind::denoise:
        return "SignalFilterBankSpectralSubtraction";
      case SignalKind::gain:
        return "SignalPCAN";
      case SignalKind::log:
        return "SignalFilterBankLog";
      case SignalKind::window:
        break;
    }
    return "SignalWindow";
  }
  const char* operator()(const Load&) const { return "CONSTANT"; }
  const char* operator()(const Pad&) const { return "PAD"; }
  const char* operator()(const Reshape&) const { return "RESHAPE"; }
  const char* operator()(const Softmax& softmax) const { return softmax.logarithm ? "LOG_SOFTMAX" : "SOFTMAX"; }
  const char* operator()(const Quantize&) const { return "QUANTIZE"; }
  const char* operator()(const Dequantize&) const { return "DEQUANTIZE"; }
  const char* operator()(const ResizeNearest&) const { return "RESIZE_NEAREST_NEIGHBOR"; }
  const char* operator()(const Concat& concat) const { return concat.stacks ? "PACK" : "CONCATENATION"; }
  const char* operator()(const Rearrange& move) const { return move.name; }
  const char* operator()(const Cast&) const { return "CAST"; }
  const char* operator()(const Clamp& clamp) const {
    switch (clamp.activation) {
      case Activation::relu6:
        return "RELU6";
      case Activation::relu_n1_to_1:
        return "RELU_N1_TO_1";
      default:
        return "RELU";
    }
  }
};

}  // namespace

std::size_t scalar_bytes(DataType type) {
  switch (type) {
    case DataType::float32:
    case DataType::int32:
    case DataType::uint32:
      return 4;
    case DataType::int16:
      return 2;
    case DataType::int64:
    case DataType::uint64:
      return 8;
    case DataType::uint8:
    case DataType::int8:
    case DataType::boolean:
      break;
  }
  return 1;
}

const char* type_name(DataType type) {
  switch (type) {
    case DataType::float32:
      return "float32";
    case DataType::int32:
      return "int32";
    case DataType::uint8:
      return "uint8";
    case DataType::int16:
      return "int16";
    case DataType::int64:
      return "int64";
    case DataType::boolean:
      return "boolean";
    case DataType::uint32:
      return "uint32";
    case DataType::uint64:
      return "uint64";
    case DataType::int8:
      break;
  }
  return "int8";
}

const char* kind_name(const Op& op) { return std::visit(KindName{}, op.kind); }

std::int64_t element_count(const Tensor& tensor) {
  return std::accumulate(tensor.shape.begin(), tensor.shape.end(), std::int64_t{1}, std::multiplies<>{});
}

std::int64_t byte_count(const Tensor& tensor) {
  return element_count(tensor) * static_cast<std::int64_t>(scalar_bytes(tensor.type));
}

bool has_weights(const Graph& graph) {
  return std::ranges::none_of(graph.tensors,
                              [](const Tensor& tensor) { return tensor.constant && tensor.data.empty(); });
}

ImageShape image_shape(const Tensor& tensor) {
  ImageShape image;
  const auto& shape = tensor.shape;
  if (!shape.empty()) image.channels = shape.back();
  if (shape.size() >= 2) image.width = shape[shape.size() - 2];
  for (std::size_t i = 0; i + 2 < shape.size(); ++i) image.height *= shape[i];
  return image;
}

StateId own_state(const Op& op) {
  return std::visit(
      [](const auto& kind) {
        if constexpr (requires { kind.state; }) return kind.state;
        return kNoState;
      },
      op.kind);
}

TensorId storage_of(const Graph& graph, TensorId tensor) {
  const TensorId root = graph.tensors[static_cast<std::size_t>(tensor)].alias_of;
  return root == kNoTensor ? tensor : root;
}

}  // namespace ripc
