#include "graph/row_taps.h"

#include <algorithm>

#include "graph/resize.h"
#include "graph/steps.h"

namespace ripc {
namespace {

const Tensor& tensor_of(const Graph& graph, TensorId id) { return graph.tensors[static_cast<std::size_t>(id)]; }

template <typename Function>
std::vector<RowTaps> for_each_row(std::int64_t rows, Function taps) {
  std::vector<RowTaps> table;
  for (std::int64_t row = 0; row < rows; ++row) table.push_back(taps(row));
  return table;
}

/// Of the rows row * stride - pad_before + j * dilation, 0 <= j < kernel, those that exist.
RowTaps window_taps(const Window& window, std::int64_t row, std::int64_t in_rows) {
  RowTaps taps{.first = row * window.stride - window.pad_before, .last = 0, .step = window.dilation};
  taps.last = taps.first + (window.kernel - 1) * window.dilation;
  if (taps.first < 0) taps.first += (-taps.first + window.dilation - 1) / window.dilation * window.dilation;
  if (taps.last >= in_rows) {
    taps.last -= (taps.last - in_rows + window.dilation) / window.dilation * window.dilation;
  }
  return taps.empty() ? RowTaps{} : taps;
}

/// The rows i with row = i * stride - pad_before + j for some 0 <= j < kernel.
RowTaps transposed_taps(const Window& window, std::int64_t row, std::int64_t in_rows) {
  const std::int64_t end = row + window.pad_before, begin = std::max<std::int64_t>(0, end - window.kernel + 1);
  const RowTaps taps{.first = (begin + window.stride - 1) / window.stride,
                     .last = std::min(in_rows - 1, end / window.stride)};
  return taps.empty() ? RowTaps{} : taps;
}

struct RowTapsOf {
  const Graph& graph;
  const Op& op;
  std::size_t input;

  std::int64_t rows() const { return row_count(graph, op); }
  std::int64_t in_rows() const { return image_shape(tensor_of(graph, op.inputs[input])).height; }

  std::vector<RowTaps> all() const {
    return for_each_row(rows(), [&](std::int64_t) { return RowTaps{.first = 0, .last = in_rows() - 1}; });
  }
  std::vector<RowTaps> same() const {
    return for_each_row(rows(), [](std::int64_t row) { return RowTaps{.first = row, .last = row}; });
  }
  std::vector<RowTaps> windowed(const Window& window) const {
    return for_each_row(rows(), [&](std::int64_t row) { return window_taps(window, row, in_rows()); });
  }

  std::vector<RowTaps> operator()(const Conv2d& conv) const { return windowed(conv.rows); }
  std::vector<RowTaps> operator()(const DepthwiseConv2d& conv) const { return windowed(conv.rows); }
  std::vector<RowTaps> operator()(const Pool2d& pool) const { return windowed(pool.rows); }
  std::vector<RowTaps> operator()(const Pad& pad) const {
    return windowed({.pad_before = pad.before[0], .pad_after = pad.after[0]});
  }
  std::vector<RowTaps> operator()(const Concat&) const { return in_rows() == rows() ? same() : all(); }
  std::vector<RowTaps> operator()(const Binary&) const {
    const bool broadcast =
        element_count(tensor_of(graph, op.inputs[input])) != element_count(tensor_of(graph, op.output));
    return broadcast && in_rows() != rows() ? all() : same();
  }
  std::vector<RowTaps> operator()(const ResizeNearest& resize) const {
    const auto map = nearest_map(in_rows(), rows(), resize);
    return for_each_row(rows(), [&](std::int64_t row) {
      const std::int64_t from = map[static_cast<std::size_t>(row)];
      return RowTaps{.first = from, .last = from};
    });
  }
  std::vector<RowTaps> operator()(const ResizeBilinear& resize) const {
    const bool real = tensor_of(graph, op.output).type == DataType::float32;
    const auto map = bilinear_map(in_rows(), rows(), resize, real);
    return for_each_row(rows(), [&](std::int64_t row) {
      const BilinearTaps& taps = map[static_cast<std::size_t>(row)];
      return RowTaps{.first = std::min({taps.first, taps.second, in_rows() - 1}),
                     .last = std::min(std::max(taps.first, taps.second), in_rows() - 1)};
    });
  }
  std::vector<RowTaps> operator()(const TransposeConv2d& conv) const {
    return for_each_row(rows(), [&](std::int64_t row) { return transposed_taps(conv.rows, row, in_rows()); });
  }
  std::vector<RowTaps> operator()(const Unary&) const { return same(); }
  std::vector<RowTaps> operator()(const Quantize&) const { return same(); }
  std::vector<RowTaps> operator()(const Dequantize&) const { return same(); }
  std::vector<RowTaps> operator()(const Cast&) const { return same(); }
  std::vector<RowTaps> operator()(const Clamp&) const { return same(); }
  std::vector<RowTaps> operator()(const Softmax&) const { return same(); }
  std::vector<RowTaps> operator()(const L2Normalize&) const { return same(); }

  template <typename Other>
  std::vector<RowTaps> operator()(const Other&) const {
    return all();
  }
};

struct ColumnTapsOf {
  const Graph& graph;
  const Op& op;
  std::size_t input;

  std::int64_t columns() const { return image_shape(tensor_of(graph, op.output)).width; }
  std::int64_t in_columns() const { return image_shape(tensor_of(graph, op.inputs[input])).width; }

  std::vector<RowTaps> same() const {
    if (in_columns() != columns()) return {};
    return for_each_row(columns(), [](std::int64_t column) { return RowTaps{.first = column, .last = column}; });
  }
  std::vector<RowTaps> windowed(Window window) const {
    window.kernel = effective_kernel(window);
    window.dilation = 1;
    return for_each_row(columns(), [&](std::int64_t column) { return window_taps(window, column, in_columns()); });
  }

  std::vector<RowTaps> operator()(const Conv2d& conv) const { return windowed(conv.columns); }
  std::vector<RowTaps> operator()(const DepthwiseConv2d& conv) const { return windowed(conv.columns); }
  std::vector<RowTaps> operator()(const Pool2d& pool) const { return windowed(pool.columns); }
  std::vector<RowTaps> operator()(const Concat& concat) const {
    const bool channels = static_cast<std::size_t>(concat.axis) + 1 == tensor_of(graph, op.output).shape.size();
    return channels ? same() : std::vector<RowTaps>{};
  }
  /// One pixel may stand for all of its row.
  std::vector<RowTaps> operator()(const Binary&) const {
    if (in_columns() != 1) return same();
    return for_each_row(columns(), [](std::int64_t) { return RowTaps{.first = 0, .last = 0}; });
  }
  std::vector<RowTaps> operator()(const Unary&) const { return same(); }
  std::vector<RowTaps> operator()(const Quantize&) const { return same(); }
  std::vector<RowTaps> operator()(const Dequantize&) const { return same(); }
  std::vector<RowTaps> operator()(const Cast&) const { return same(); }
  std::vector<RowTaps> operator()(const Clamp&) const { return same(); }
  std::vector<RowTaps> operator()(const Softmax&) const { return same(); }
  std::vector<RowTaps> operator()(const L2Normalize&) const { return same(); }

  template <typename Other>
  std::vector<RowTaps> operator()(const Other&) const {
    return {};
  }
};

bool is_by_rows(const OpKind& kind) {
  return std::visit(
      []<typename Kind>(const Kind&) {
        return !std::is_same_v<Kind, FullyConnected> && !std::is_same_v<Kind, Reshape> &&
               !std::is_same_v<Kind, Rearrange> && !std::is_same_v<Kind, Reduce> && !std::is_same_v<Kind, ArgExtreme> &&
               !std::is_same_v<Kind, Copy> && !std::is_same_v<Kind, Svdf> && !std::is_same_v<Kind, Lstm> &&
               !std::is_same_v<Kind, Load> && !std::is_same_v<Kind, Signal>;
      },
      kind);
}

}  // namespace

std::vector<RowTaps> row_taps(const Graph& graph, const Op& op, std::size_t input) {
  return std::visit(RowTapsOf{graph, op, input}, op.kind);
}

std::vector<RowTaps> column_taps(const Graph& graph, const Op& op, std::size_t input) {
  return std::visit(ColumnTapsOf{graph, op, input}, op.kind);
}

bool works_by_rows(const Graph& graph, const Op& op) {
  if (!is_by_rows(op.kind) || made_image(graph, op) != image_shape(tensor_of(graph, op.output))) return false;
  if (tensor_of(graph, op.output).state != kNoState) return false;
  return std::ranges::none_of(op.inputs, [&](TensorId id) {
    const Tensor& input = tensor_of(graph, id);
    // Seen through a RESHAPE that keeps the rows, or not at all.
    return image_shape(input) != image_shape(tensor_of(graph, storage_of(graph, id))) || input.state != kNoState;
  });
}

bool sums_rows(const Graph& graph, const Op& op) {
  if (std::holds_alternative<Mean>(op.kind)) return true;
  const auto* pool = std::get_if<Pool2d>(&op.kind);
  if (pool == nullptr || pool->kind != PoolKind::average) return false;
  const ImageShape in = image_shape(tensor_of(graph, op.inputs.at(0)));
  const auto covers = [](const Window& window, std::int64_t extent) {
    return window.kernel == extent && window.dilation == 1 && window.pad_before == 0 && window.pad_after == 0;
  };
  return covers(pool->rows, in.height) && covers(pool->columns, in.width);
}

std::vector<RowTaps> mirrored(const std::vector<RowTaps>& taps, std::int64_t in_rows) {
  std::vector<RowTaps> table;
  for (auto row = taps.rbegin(); row != taps.rend(); ++row) {
    table.push_back(
        row->empty() ? RowTaps{}
                     : RowTaps{.first = in_rows - 1 - row->last, .last = in_rows - 1 - row->first, .step = row->step});
  }
  return table;
}

}  // namespace ripc
