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

/// The one or two inputs that RESIZE_BILINEAR weighs for each output, in the reference's integers or its binary32.
std::vector<AxisTaps> bilinear(const ResizeBilinear& resize, bool real, std::int64_t outputs, std::int64_t inputs) {
  const bool corners = resize.align_corners && outputs > 1;
  if (real) {
    const float scale = corners ? static_cast<float>(inputs - 1) / static_cast<float>(outputs - 1)
                                : static_cast<float>(inputs) / static_cast<float>(outputs);
    const float center = resize.half_pixel_centers ? 0.5F : 0.0F;
    return for_each_output(outputs, [&](std::int64_t i) {
      const float place = (static_cast<float>(i) + center) * scale - center;
      const auto low = std::max<std::int64_t>(static_cast<std::int64_t>(std::floor(place)), 0);
      const auto high = std::min(static_cast<std::int64_t>(std::ceil(place)), inputs - 1);
      return AxisTaps{std::min(low, high), low == high ? 1 : 2, 1};
    });
  }
  const std::int64_t step =
      corners ? (1024 * (inputs - 1) + (outputs - 1) / 2) / (outputs - 1) : (1024 * inputs + outputs / 2) / outputs;
  return for_each_output(outputs, [&](std::int64_t i) {
    const std::int64_t place = i * step + (resize.half_pixel_centers ? step / 2 - 512 : 0);
    const std::int64_t low = std::max<std::int64_t>(place / 1024, 0),
                       high = std::min((place + 1023) / 1024, inputs - 1);
    return AxisTaps{std::min(low, high), low == high ? 1 : 2, 1};
  });
}

/// The inputs j that TRANSPOSE_CONV scatters to output i = j * stride - pad + k for some 0 <= k < kernel.
std::vector<AxisTaps> scattered(const Window& window, std::int64_t outputs, std::int64_t inputs) {
  return for_each_output(outputs, [&](std::int64_t i) {
    AxisTaps taps{0, 0, 1};
    for (std::int64_t j = 0; j < inputs; ++j) {
      const std::int64_t k = i - (j * window.stride - window.pad_before);
      if (k < 0 || k >= window.kernel) continue;
      if (taps.count == 0) taps.first = j;
      ++taps.count;
    }
    return taps;
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

  /// Pixel by pixel, each channel from the same group; an input with an extent of one is broadcast along that axis.
  OpTaps pixelwise(std::int64_t groups) const {
    const ImageShape out = output();
    OpTaps taps{.output = out, .groups = groups, .rows = {}, .columns = {}, .inputs = {}};
    for (const TensorId in : op.inputs) {
      if (element_count(tensor(in)) == element_count(tensor(op.output))) {
        taps.inputs.push_back(
            {in, out, same(out.height), same(out.width), grouped(groups, out.channels, out.channels)});
        continue;
      }
      const ImageShape from = image_shape(tensor(in));
      if ((from.width != 1 && from.width != out.width) || (from.channels != 1 && from.channels != out.channels)) {
        no_broadcast(in);
      }
      taps.inputs.push_back({in, from, broadcast_rows(in),
                             from.width == out.width ? same(out.width) : all_of(out.width, 1),
                             grouped(from.channels == 1 ? 1 : groups, out.channels, from.channels)});
    }
    return taps;
  }

  [[noreturn]] void no_broadcast(TensorId in) const {
    fail(graph, {.op = id,
                 .tensor = in,
                 .problem = "an input neither matches the output nor broadcasts to it",
                 .expected = "in every axis the output's extent, or one",
                 .found = {}});
  }

  /// The row of `in` for each output row. Rows count all axes but the last two; from the last of them on, a row number
  /// is taken apart into indices, and put together again of those that the input has.
  std::vector<AxisTaps> broadcast_rows(TensorId in) const {
    const auto &from = tensor(in).shape, &to = tensor(op.output).shape;
    return for_each_output(output().height, [&](std::int64_t row) {
      std::int64_t own = 0, rows = 1;
      for (std::size_t back = 3; back <= std::max(from.size(), to.size()); ++back) {
        const std::int64_t extent = back <= to.size() ? to[to.size() - back] : 1;
        const std::int64_t available = back <= from.size() ? from[from.size() - back] : 1;
        if (available != 1 && available != extent) no_broadcast(in);
        if (available != 1) own += row % extent * rows;
        rows *= available;
        row /= extent;
      }
      return AxisTaps{own, 1, 1};
    });
  }

  OpTaps operator()(const Conv2d& conv) const { return window(conv.rows, conv.columns, conv.groups); }
  OpTaps operator()(const DepthwiseConv2d& conv) const { return window(conv.rows, conv.columns, input().channels); }
  OpTaps operator()(const Pool2d& pool) const { return window(pool.rows, pool.columns, input().channels); }

  OpTaps operator()(const FullyConnected&) const { return vectors(); }
  OpTaps operator()(const Svdf&) const { return vectors(); }
  OpTaps operator()(const Lstm&) const { return vectors(); }
  OpTaps operator()(const Copy&) const { return pixelwise(output().channels); }
  OpTaps operator()(const Load&) const {
    return {.output = output(), .groups = output().channels, .rows = {}, .columns = {}, .inputs = {}};
  }

  OpTaps operator()(const Signal& signal) const {
    switch (signal.kind) {
      case SignalKind::headroom:
      case SignalKind::rfft:
      case SignalKind::filter_bank:
        return vectors();
      case SignalKind::energy: {
        // Two scalars are one complex number.
        OpTaps taps = vectors();
        taps.groups = taps.output.channels;
        taps.inputs[0].channels = grouped(taps.groups, taps.groups, 2 * taps.groups);
        return taps;
      }
      case SignalKind::scale: {
        OpTaps taps = pixelwise(1);
        taps.vectors = true;
        return taps;
      }
      default:
        return pixelwise(output().channels);
    }
  }

  /// Every output vector is made of one input vector.
  OpTaps vectors() const {
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

  /// Blocks of scalars that lie side by side in both tensors, found by walking the output scalar by scalar.
  OpTaps operator()(const Rearrange& move) const {
    const std::int64_t scalars = element_count(tensor(op.output));
    std::vector<std::int64_t> sources;
    for (std::int64_t i = 0; i < scalars; ++i) {
      std::int64_t rest = i, source = move.start;
      for (auto axis = move.axes.rbegin(); axis != move.axes.rend(); ++axis) {
        const std::int64_t at = rest % axis->extent;
        source += axis->offsets.empty() ? at * axis->stride : axis->offsets[static_cast<std::size_t>(at)];
        rest /= axis->extent;
      }
      sources.push_back(source);
    }
    const std::int64_t block = made_image(graph, op).channels;
    OpTaps taps{.output = {1, scalars / block, block}, .groups = 1, .rows = {}, .columns = {}, .inputs = {}};
    InputTaps input{.tensor = op.inputs[0],
                    .image = {1, element_count(tensor(op.inputs[0])), 1},
                    .rows = same(1),
                    .columns = {},
                    .channels = grouped(1, block, 1)};
    for (std::int64_t i = 0; i < scalars; i += block) {
      const std::int64_t first = sources[static_cast<std::size_t>(i)];
      for (std::int64_t k = 1; k < block; ++k) {
        if (sources[static_cast<std::size_t>(i + k)] == first + k) continue;
        fail(graph, {.op = id,
                     .tensor = op.output,
                     .problem = "a block of scalars does not stay together",
                     .expected = {},
                     .found = {}});
      }
      input.columns.push_back({first, block, 1});
    }
    taps.inputs.push_back(std::move(input));
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

  OpTaps operator()(const ResizeBilinear& resize) const {
    const bool real = tensor(op.output).type == DataType::float32;
    const ImageShape in = input();
    const ImageShape out = output();
    return {
        .output = out,
        .groups = out.channels,
        .rows = {},
        .columns = {},
        .inputs = {{op.inputs[0], in, bilinear(resize, real, out.height, in.height),
                    bilinear(resize, real, out.width, in.width), grouped(out.channels, out.channels, in.channels)}}};
  }

  OpTaps operator()(const TransposeConv2d& conv) const {
    const ImageShape in = input();
    const ImageShape out = output();
    return {.output = out,
            .groups = 1,
            .rows = {},
            .columns = {},
            .inputs = {{op.inputs[0], in, scattered(conv.rows, out.height, in.height),
                        scattered(conv.columns, out.width, in.width), grouped(1, out.channels, in.channels)}}};
  }

  /// Output scalars as pixels: a row for each combination of the kept axes before the last reduced one, a column for
  /// each of those after it. A run of reduced axes is a step through the rows, the next one through the columns.
  OpTaps reduction(const std::vector<bool>& reduced) const {
    const std::vector<std::int64_t>& shape = tensor(op.inputs[0]).shape;
    // Extents of outer, reduced, kept, reduced and inner axes.
    std::vector<std::int64_t> runs{1};
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      if (shape[axis] == 1) continue;
      if (reduced[axis] != (runs.size() % 2 == 0)) runs.push_back(1);
      runs.back() *= shape[axis];
    }
    if (runs.size() > 5) {
      fail(graph, {.op = id,
                   .tensor = op.inputs[0],
                   .problem = "reduced axes in more than two runs",
                   .expected = {},
                   .found = shape_text(shape)});
    }
    if (runs.size() <= 3) {
      runs.resize(3, 1);
      runs = {runs[0], runs[1], 1, 1, runs[2]};
    }
    runs.resize(5, 1);
    InputTaps taps{op.inputs[0], {runs[0] * runs[1] * runs[2], runs[3] * runs[4], 1}, {}, {}, {{0, 1}}};
    for (std::int64_t i = 0; i < runs[0] * runs[2]; ++i) {
      taps.rows.push_back({i / runs[2] * runs[1] * runs[2] + i % runs[2], runs[1], runs[2]});
    }
    for (std::int64_t i = 0; i < runs[4]; ++i) taps.columns.push_back({i, runs[3], runs[4]});
    return {.output = {runs[0] * runs[2], runs[4], 1}, .groups = 1, .rows = {}, .columns = {}, .inputs = {taps}};
  }

  OpTaps operator()(const Reduce& reduce) const {
    std::vector<bool> reduced(tensor(op.inputs[0]).shape.size(), false);
    for (const int axis : reduce.axes) reduced.at(static_cast<std::size_t>(axis)) = true;
    return reduction(reduced);
  }

  OpTaps operator()(const ArgExtreme& arg) const {
    std::vector<bool> reduced(tensor(op.inputs[0]).shape.size(), false);
    reduced.at(static_cast<std::size_t>(arg.axis)) = true;
    return reduction(reduced);
  }

  OpTaps operator()(const L2Normalize&) const {
    OpTaps taps = pixelwise(1);
    taps.vectors = true;
    return taps;
  }

  OpTaps operator()(const Softmax&) const {
    OpTaps taps = pixelwise(1);
    taps.vectors = true;
    return taps;
  }
  OpTaps operator()(const Unary&) const { return pixelwise(output().channels); }
  OpTaps operator()(const Binary&) const { return pixelwise(output().channels); }
  OpTaps operator()(const Quantize&) const { return pixelwise(output().channels); }
  OpTaps operator()(const Dequantize&) const { return pixelwise(output().channels); }
  OpTaps operator()(const Cast&) const { return pixelwise(output().channels); }
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
