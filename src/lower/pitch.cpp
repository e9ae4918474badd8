#include "lower/pitch.h"

#include <type_traits>

namespace ripc {
namespace {

template <typename Kind, typename... Kinds>
constexpr bool is_one_of = (std::is_same_v<Kind, Kinds> || ...);

/// Kernels with one input that address every pixel by the pitches of the call.
template <typename Kind>
constexpr bool by_pitch = is_one_of<Kind, Conv2d, DepthwiseConv2d, Pool2d, Mean, Pad, ResizeNearest, Softmax, Quantize,
                                    Dequantize, Clamp, Unary, Cast, Load>;

bool along_last_axis(const Graph& graph, const Op& op, const Concat& concat) {
  const Tensor& out = graph.tensors[static_cast<std::size_t>(op.output)];
  return !concat.stacks && static_cast<std::size_t>(concat.axis) + 1 == out.shape.size();
}

}  // namespace

bool reads_pitched(const Graph& graph, const Op& op, std::size_t input) {
  return std::visit(
      [&]<typename Kind>(const Kind& kind) {
        if constexpr (std::is_same_v<Kind, FullyConnected>) {
          // A vector of several pixels must be dense, and its pixels are seen as one row.
          const ImageShape in = image_shape(graph.tensors[static_cast<std::size_t>(op.inputs[input])]);
          return in.height == 1 && in.width == made_image(graph, op).width;
        } else if constexpr (std::is_same_v<Kind, Concat>) {
          return along_last_axis(graph, op, kind);
        } else {
          return by_pitch<Kind>;
        }
      },
      op.kind);
}

bool writes_pitched(const Graph& graph, const Op& op) {
  return std::visit(
      [&]<typename Kind>(const Kind& kind) {
        if constexpr (std::is_same_v<Kind, Concat>) {
          return along_last_axis(graph, op, kind);
        } else {
          const bool one_row = image_shape(graph.tensors[static_cast<std::size_t>(op.output)]).height == 1;
          return by_pitch<Kind> || std::is_same_v<Kind, Binary> || (std::is_same_v<Kind, FullyConnected> && one_row);
        }
      },
      op.kind);
}

}  // namespace ripc
