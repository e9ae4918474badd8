#include "plan/stage_bound.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "graph/row_taps.h"

namespace ripc {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max() / 4;

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

/// A tensor of the chain, and what the operator that makes the next one reads of it.
struct Link {
  std::int64_t rows = 0, row_bytes = 0;  ///< of a row, what that operator reads
  /// By rows of the next tensor: rows that must have been made for them.
  std::vector<std::int64_t> needed;
  /// By rows of the next tensor and rows made: how many of these are read by a later one.
  std::vector<std::vector<std::int64_t>> alive;

  std::int64_t held(std::int64_t next_rows, std::int64_t made) const {
    return alive[index(next_rows)][index(made)] * row_bytes;
  }
};

Link link_of(const Graph& graph, TensorId id) {
  const Tensor& tensor = graph.tensors[index(id)];
  Link link{.rows = image_shape(tensor).height, .row_bytes = 0, .needed = {}, .alive = {}};
  link.row_bytes = byte_count(tensor) / link.rows;
  return link;
}

/// Columns of its input that the operator reads.
std::int64_t columns_read(const Graph& graph, const Op& op, std::int64_t width) {
  if (!std::holds_alternative<Conv2d>(op.kind) && !std::holds_alternative<DepthwiseConv2d>(op.kind) &&
      !std::holds_alternative<Pool2d>(op.kind)) {
    return std::holds_alternative<ResizeNearest>(op.kind) || std::holds_alternative<ResizeBilinear>(op.kind) ||
                   std::holds_alternative<TransposeConv2d>(op.kind)
               ? 0  // not looked into
               : width;
  }
  const Layer layer = layer_of(graph, op);
  std::vector<bool> read(index(width), false);
  for (std::int64_t x = 0; x < out_width(layer); ++x) {
    for (std::int64_t tap = 0; tap < layer.columns.kernel; ++tap) {
      const std::int64_t column = x * layer.columns.stride - layer.columns.pad_before + tap * layer.columns.dilation;
      if (column >= 0 && column < width) read[index(column)] = true;
    }
  }
  return std::ranges::count(read, true);
}

void read_link(Link& link, const std::vector<RowTaps>& taps) {
  link.needed.assign(taps.size() + 1, 0);
  std::vector<std::int64_t> last_reader(index(link.rows), -1);
  for (std::size_t row = 0; row < taps.size(); ++row) {
    link.needed[row + 1] = std::max(link.needed[row], taps[row].last + 1);
    for (std::int64_t tap = taps[row].first; tap <= taps[row].last; tap += taps[row].step) {
      last_reader[index(tap)] = static_cast<std::int64_t>(row);
    }
  }
  for (std::int64_t next = 0; next <= std::ssize(taps); ++next) {
    std::vector<std::int64_t>& alive = link.alive.emplace_back(1, 0);
    for (const std::int64_t reader : last_reader) alive.push_back(alive.back() + (reader >= next ? 1 : 0));
  }
}

/// From the input on, always the first operator that reads the tensor.
std::vector<Link> chain_of(const Graph& graph, bool reverse) {
  std::vector<Link> chain;
  if (graph.inputs.size() != 1) return chain;
  TensorId tensor = graph.inputs.front();
  chain.push_back(link_of(graph, tensor));
  for (const Op& next : graph.ops) {
    const auto input = std::ranges::find_if(next.inputs, [&](TensorId id) {
      const auto same_rows = image_shape(graph.tensors[index(id)]) == image_shape(graph.tensors[index(tensor)]);
      return storage_of(graph, id) == tensor && same_rows;
    });
    if (input == next.inputs.end()) continue;
    if (sums_rows(graph, next)) {  // the sums are not counted
      const std::int64_t rows = chain.back().rows;
      std::vector<RowTaps> each;
      for (std::int64_t row = 0; row < rows; ++row) each.push_back({.first = row, .last = row});
      read_link(chain.back(), each);
      chain.push_back({.rows = rows, .row_bytes = 0, .needed = {}, .alive = {}});
      return chain;
    }
    if (!works_by_rows(graph, next)) {
      if (!std::holds_alternative<FullyConnected>(next.kind)) chain.back().row_bytes = 0;
      return chain;
    }
    Link& link = chain.back();
    const std::int64_t width = image_shape(graph.tensors[index(tensor)]).width;
    link.row_bytes = link.row_bytes / width * columns_read(graph, next, width);
    const std::vector<RowTaps> taps = row_taps(graph, next, static_cast<std::size_t>(input - next.inputs.begin()));
    read_link(link, reverse ? mirrored(taps, link.rows) : taps);
    tensor = storage_of(graph, next.output);
    chain.push_back(link_of(graph, tensor));
  }
  return chain;
}

std::int64_t bound_in(const Graph& graph, bool streamed, bool reverse) {
  const std::vector<Link> chain = chain_of(graph, reverse);
  if (chain.empty()) return 0;
  // By tensor and rows made: bytes of those before it, and bytes of it and those after it.
  std::vector<std::vector<std::int64_t>> before(chain.size()), after(chain.size());
  before[0].assign(index(chain[0].rows) + 1, streamed ? 0 : kNever);
  before[0].back() = 0;
  // The least for the tensors up to the one before `i`, of which at least `made` rows are, when `rows` rows of it are.
  const auto least_before = [&](std::size_t i, std::int64_t made, std::int64_t rows) {
    const Link& from = chain[i - 1];
    std::int64_t least = kNever;
    for (; made <= from.rows; ++made) {
      least = std::min(least, before[i - 1][index(made)] + from.held(rows, made));
    }
    return least;
  };
  for (std::size_t i = 1; i < chain.size(); ++i) {
    for (std::int64_t rows = 0; rows <= chain[i].rows; ++rows) {
      before[i].push_back(least_before(i, chain[i - 1].needed[index(rows)], rows));
    }
  }
  for (std::size_t i = chain.size(); i-- > 0;) {
    const Link& own = chain[i];
    after[i].assign(index(own.rows) + 1, kNever);
    for (std::int64_t made = 0; made <= own.rows; ++made) {
      if (i + 1 == chain.size()) {
        after[i][index(made)] = made * own.row_bytes;
        continue;
      }
      for (std::int64_t rows = 0; rows <= chain[i + 1].rows && own.needed[index(rows)] <= made; ++rows) {
        after[i][index(made)] = std::min(after[i][index(made)], own.held(rows, made) + after[i + 1][index(rows)]);
      }
    }
  }
  std::int64_t bound = 0;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    for (std::size_t rows = 0; rows < before[i].size(); ++rows) {
      if (before[i][rows] < kNever) bound = std::max(bound, before[i][rows] + after[i][rows]);
      if (i == 0 || rows + 1 == before[i].size()) continue;
      // Just before the next row is begun, all that it reads is there but, perhaps, pixels of its last row.
      const std::int64_t made = std::max(chain[i - 1].needed[rows], chain[i - 1].needed[rows + 1] - 1);
      const std::int64_t begun = least_before(i, made, static_cast<std::int64_t>(rows));
      if (begun < kNever) bound = std::max(bound, begun + after[i][rows]);
    }
  }
  return bound;
}

}  // namespace

std::int64_t chain_bound(const Graph& graph, bool streamed) {
  const std::int64_t forward = bound_in(graph, streamed, false);
  return streamed ? forward : std::min(forward, bound_in(graph, streamed, true));
}

}  // namespace ripc
