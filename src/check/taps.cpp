#include "check/taps.h"

#include <algorithm>
#include <cmath>

#include "check/fault.h"

namespace ripc::check {
namespace {

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return -floor_div(-a, b); }

/// Calls `taps` for each of `outputs` coordinates.
template <typename Function>
auto for_each_output(std::int64_t outputs, Function taps) {
  std::vector<decltype(taps(std::int64_t{}))> table;
  table.reserve(static_cast<std::size_t>(outputs));
  for (std::int64_t i = 0; i < outputs; ++i) table.push_back(taps(i));
  return table;
}

/// The taps i * stride - pad + j * dilation for 0 <= j < kernel that lie in [0, inputs).
std::vector<AxisTaps> windowed(const Window& window, std::int64_t outputs, std::int64_t inputs) {
  return for_each_output(outputs, [&](std::int64_t i) {
    const std::int64_t origin = i * window.stride - window.pad_before;
    const std::int64_t first = std::max<std::int64_t>(0, ceil_div(-origin, window.dilation));
    const std::int64_t last = std::min(window.kernel - 1, floor_div(inputs - 1 - origin, window.dilation));
    if (first > last) return AxisTaps{};
    return AxisTaps{origin + first * window.dilation, last - first + 1, window.dilation};
  });
}

/// The input that RESIZE_NEAREST_NEIGHBOR copies to each output, in the reference's binary32 arithmetic
/// (docs/arithmetic.md).
std::vector<AxisTaps> nearest(const ResizeNearest& resize, std::int64_t outputs, std::int64_t inputs) {
  const bool corners = resize.align_corners && outputs > 1;
  const float scale = corners ? static_cast<float>(inputs - 1) / static_cast<float>(outputs - 1)
                              : static_cast<float>(inputs) / static_cast<float>(outputs);
  const float offset = resize.half_pixel_centers ? 0.5F : 0.0F;
  return for_each_output(outputs, [&](std::int64_t i) {
    const float position = (static_cast<float>(i) + offset) * scale;
    const auto index = static_cast<std::int64_t>(resize.align_corners ? std::round(position) : std::floor(position));
    return AxisTaps{std::clamp<std::int64_t>(index, 0, inputs - 1), 1, 1};
  });
}

std::vector<AxisTaps> same(std::int64_t outputs) {
  return for_each_output(outputs, [](std::int64_t i) { return AxisTaps{i, 1, 1}; });
}

std::vector<AxisTaps> all_of(std::int64_t outputs, std::int64_t inputs) {
  return for_each_output(outputs, [&](std::int64_t) { return AxisTaps{0, inputs, 1}; });
}

/// Every group of output channels reads its group of input channels.
std::vector<ChannelTaps> grouped(std::int64_t groups, std::int64_t outputs, std::int64_t inputs) {
  return for_each_output(outputs, [&](std::int64_t c) {
    const std::int64_t group = c / (outputs / groups);
    return ChannelTaps{group * (inputs / groups), inputs / groups};
  });
}

/// Output channel c copies input channel c - before, where there is one.
std::vector<ChannelTaps> shifted(std::int64_t before, std::int64_t outputs, std::int64_t inputs) {
  return for_each_output(outputs, [&](std::int64_t c) {
    if (c < before) return ChannelTaps{0, 0};
    return c - before < inputs ? ChannelTaps{c - before, 1} : ChannelTaps{inputs, 0};
  });
}

/// One member a kind of operator.
struct TapsOf {
  const Graph& graph;
  OpId id;
  const Op& op;

  const Tensor& tensor(TensorId tensor_id) const { return graph.tensors[static_cast<std::size_t>(tensor_id)]; }
  ImageShape output() const { return image_shape(tensor(op.output)); }
  ImageShape input() const { return image_shape(tensor(op.inputs[0])); }

  OpTaps window(const Window& rows, const Window& columns, std::int64_t groups) const {
    const ImageShape in = input();
    const ImageShape out = output();
    return {.output = out,
            .groups = groups,
            .rows = rows,
            .columns = columns,
            .inputs = {{.tensor = op.inputs[0],
                        .image = in,
                        .rows = windowed(rows, out.height, in.height),
                        .columns = windowed(columns, out.width, in.width),
                        .channels = grouped(groups, out.channels, in.channels)}}};
  }

  /// Pixel by pixel, each channel from the same group; a smaller input of one scalar or one pixel is broadcast.
  OpTaps pixelwise(std::int64_t groups) const {
    const ImageShape out = output();
    OpTaps taps{.output = out, .groups = groups, .rows = {}, .columns = {}, .inputs = {}};
    for (const TensorId in : op.inputs) {
      if (tensor(in).constant) continue;
      const std::int64_t elements = element_count(tensor(in));
      if (elements == element_count(tensor(op.output))) {
        taps.inputs.push_back(
            {in, out, same(out.height), same(out.width), grouped(groups, out.channels, out.channels)});
      } else if (elements == 1 || elements == out.channels) {
        taps.inputs.push_back({in,
                               {1, 1, elements},
                               all_of(out.height, 1),
                               all_of(out.width, 1),
                               grouped(elements == 1 ? 1 : groups, out.channels, elements)});
      } else {
        fail(graph, {.op = id,
                     .tensor = in,
                     .problem = "an input neither matches the output nor broadcasts to it",
                     .expected = "as many scalars, or one pixel, or one scalar",
                     .found = {}});
      }
    }
    return taps;
  }

  OpTaps operator()(const Conv2d& conv) const { return window(conv.rows, conv.columns, conv.groups); }
  OpTaps operator()(const DepthwiseConv2d& conv) const { return window(conv.rows, conv.columns, input().channels); }
  OpTaps operator()(const Pool2d& pool) const { return window(pool.rows, pool.columns, input().channels); }

  OpTaps operator()(const FullyConnected&) const {
    const std::int64_t channels = output().channels;
    const std::int64_t vectors = element_count(tensor(op.output)) / channels;
    const std::int64_t depth = element_count(tensor(op.inputs[0])) / vectors;
    return {.output = {1, vectors, channels},
            .groups = 1,
            .rows = {},
            .columns = {},
            .inputs = {{op.inputs[0], {1, vectors, depth}, same(1), same(vectors), grouped(1, channels, depth)}}};
  }

  OpTaps operator()(const Mean&) const {
    const ImageShape in = input();
    const ImageShape out{1, 1, in.channels};
    return {.output = out,
            .groups = in.channels,
            .rows = {},
            .columns = {},
            .inputs = {{op.inputs[0], in, all_of(1, in.height), all_of(1, in.width),
                        grouped(in.channels, in.channels, in.channels)}}};
  }

  OpTaps operator()(const Pad& pad) const {
    const ImageShape in = input();
    const ImageShape out = output();
    return {.output = out,
            .groups = out.channels,
            .rows = {},
            .columns = {},
            .inputs = {{op.inputs[0], in, windowed({.pad_before = pad.before[0]}, out.height, in.height),
                        windowed({.pad_before = pad.before[1]}, out.width, in.width),
                        shifted(pad.before[2], out.channels, in.channels)}}};
  }

  /// A pixel is all that comes after the axis, from its index on; along the last axis these are the image's own pixels.
  OpTaps operator()(const Concat& concat) const {
    const std::vector<std::int64_t>& shape = tensor(op.output).shape;
    const bool last = static_cast<std::size_t>(concat.axis) + 1 == shape.size();
    std::int64_t pixels = 1;
    for (std::size_t i = 0; i < static_cast<std::size_t>(concat.axis); ++i) pixels *= shape[i];
    const ImageShape image = output();
    const ImageShape out = last ? image : ImageShape{1, pixels, element_count(tensor(op.output)) / pixels};
    OpTaps taps{.output = out, .groups = out.channels, .rows = {}, .columns = {}, .inputs = {}};
    std::int64_t before = 0;
    for (const TensorId in : op.inputs) {
      const std::int64_t channels = element_count(tensor(in)) / pixels;
      taps.inputs.push_back({in,
                             {out.height, out.width, channels},
                             same(out.height),
                             same(out.width),
                             shifted(before, out.channels, channels)});
      before += channels;
    }
    return taps;
  }

  OpTaps operator()(const ResizeNearest& resize) const {
    const ImageShape in = input();
    const ImageShape out = output();
    return {.output = out,
            .groups = out.channels,
            .rows = {},
            .columns = {},
            .inputs = {{op.inputs[0], in, nearest(resize, out.height, in.height), nearest(resize, out.width, in.width),
                        grouped(out.channels, out.channels, in.channels)}}};
  }

  OpTaps operator()(const Softmax&) const {
    OpTaps taps = pixelwise(1);
    taps.vectors = true;
    return taps;
  }
  OpTaps operator()(const Add&) const { return pixelwise(output().channels); }
  OpTaps operator()(const Quantize&) const { return pixelwise(output().channels); }
  OpTaps operator()(const Dequantize&) const { return pixelwise(output().channels); }
  OpTaps operator()(const Clamp&) const { return pixelwise(output().channels); }

  OpTaps operator()(const Reshape&) const {
    fail(graph, {.op = id,
                 .tensor = op.output,
                 .problem = "a reshape is planned as an operator",
                 .expected = "an alias",
                 .found = {}});
  }
};

}  // namespace

OpTaps taps_of(const Graph& graph, OpId op) {
  const Op& the_op = graph.ops[static_cast<std::size_t>(op)];
  return std::visit(TapsOf{graph, op, the_op}, the_op.kind);
}

}  // namespace ripc::check
