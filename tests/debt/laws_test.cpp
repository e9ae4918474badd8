// What the theory says of itself, on random layers.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "debt/herringbone.h"
#include "debt/layers.h"
#include "debt/other_layers.h"
#include "debt/published.h"
#include "ripc/gap.h"
#include "simulate/herringbone.h"
#include "simulate/simulate.h"

// Double parentheses in RC_ASSERT keep it from taking optionals apart, which C++20 does not let it compare.
namespace rc {

template <>
struct Arbitrary<ripc::Direction> {
  static Gen<ripc::Direction> arbitrary() { return gen::elementOf(ripc::test::kDirections); }
};

template <>
struct Arbitrary<ripc::Layout> {
  static Gen<ripc::Layout> arbitrary() { return gen::elementOf(ripc::test::kLayouts); }
};

template <>
struct Arbitrary<ripc::TapOrder> {
  static Gen<ripc::TapOrder> arbitrary() {
    return gen::element(ripc::kGathered, ripc::kDirect, ripc::kDirectOnOwnTap, ripc::kRowDirect,
                        ripc::TapOrder{false, 2}, ripc::TapOrder{false, 5});
  }
};

template <>
struct Arbitrary<ripc::Window> {
  static Gen<ripc::Window> arbitrary() {
    using ripc::Window;
    return gen::build<Window>(
        gen::set(&Window::kernel, gen::inRange(1, 8)), gen::set(&Window::stride, gen::inRange(1, 5)),
        gen::set(&Window::dilation, gen::element(1, 1, 1, 2, 3, 5, 6)),
        gen::set(&Window::pad_before, gen::inRange(0, 9)), gen::set(&Window::pad_after, gen::inRange(0, 9)));
  }
};

// One group, one-byte scalars, no holes; at least one output.
template <>
struct Arbitrary<ripc::Layer> {
  static Gen<ripc::Layer> arbitrary() {
    using ripc::Layer;
    return gen::suchThat(gen::build<Layer>(gen::set(&Layer::rows), gen::set(&Layer::columns),
                                           gen::set(&Layer::in_height, gen::inRange(1, 30)),
                                           gen::set(&Layer::in_width, gen::inRange(1, 30)),
                                           gen::set(&Layer::in_channels, gen::inRange(1, 20)),
                                           gen::set(&Layer::out_channels, gen::inRange(1, 20))),
                         [](const Layer& layer) { return out_height(layer) > 0 && out_width(layer) > 0; });
  }
};

}  // namespace rc

namespace ripc::test {
namespace {

Direction reversed(Direction direction) {
  switch (direction) {
    case Direction::row_forward:
      return Direction::row_reverse;
    case Direction::row_reverse:
      return Direction::row_forward;
    case Direction::column_forward:
      return Direction::column_reverse;
    case Direction::column_reverse:
      return Direction::column_forward;
  }
  return direction;
}

Direction turned(Direction direction) {
  switch (direction) {
    case Direction::row_forward:
      return Direction::column_forward;
    case Direction::row_reverse:
      return Direction::column_reverse;
    case Direction::column_forward:
      return Direction::row_forward;
    case Direction::column_reverse:
      return Direction::row_reverse;
  }
  return direction;
}

RC_GTEST_PROP(Laws, FormulaIsTheSimulator, (Layer layer, Direction direction, TapOrder order, Layout layout)) {
  RC_ASSERT((raw_gap(layer, direction, order, layout) == direct_raw_gap(tap_table(layer, layout), direction, order)));
}

RC_GTEST_PROP(Laws, DenseWorkspaceIsAtMostPadded, (const Layer& layer, Direction direction)) {
  for (const TapOrder order : {kGathered, kDirect, kDirectOnOwnTap}) {
    RC_ASSERT(workspace(layer, direction, order, Layout::dense).bytes <=
              workspace(layer, direction, order, Layout::padded).bytes);
  }
}

RC_GTEST_PROP(Laws, MirroredLayerIsReverseDirection, (const Layer& layer, Direction direction, TapOrder order)) {
  RC_ASSERT((raw_gap(mirrored(layer), direction, order) == raw_gap(layer, reversed(direction), order)));
  RC_ASSERT(out_height(mirrored(layer)) == out_height(layer));
  RC_ASSERT(out_width(mirrored(layer)) == out_width(layer));
}

RC_GTEST_PROP(Laws, TransposedLayerIsColumnDirection,
              (const Layer& layer, Direction direction, TapOrder order, Layout layout)) {
  RC_ASSERT((raw_gap(transposed(layer), direction, order, layout) == raw_gap(layer, turned(direction), order, layout)));
}

RC_GTEST_PROP(Laws, PaddedIsDenseOfTheLayerThatStoresItsPadding,
              (const Layer& layer, Direction direction, TapOrder order)) {
  RC_ASSERT((raw_gap(layer, direction, order, Layout::padded) == raw_gap(padding_stored(layer), direction, order)));
}

RC_GTEST_PROP(Laws, GapGrowsWithOutputChannels, (Layer layer, Direction direction, TapOrder order, Layout layout)) {
  const auto fewer = raw_gap(layer, direction, order, layout);
  layer.out_channels += 1;
  RC_ASSERT((raw_gap(layer, direction, order, layout) >= fewer));
}

RC_GTEST_PROP(Laws, GapShrinksWithHeldChannels, (const Layer& layer, Direction direction, Layout layout)) {
  auto more = raw_gap(layer, direction, kDirect, layout);
  for (const std::int64_t held : {1, 2, 3, 7, 30}) {
    const auto fewer = raw_gap(layer, direction, TapOrder{false, held}, layout);
    RC_ASSERT((fewer <= more));
    more = fewer;
  }
  RC_ASSERT((more == raw_gap(layer, direction, kGathered, layout)));
  RC_ASSERT((raw_gap(layer, direction, kRowDirect, layout) >= raw_gap(layer, direction, kDirect, layout)));
}

RC_GTEST_PROP(Laws, OneHeldChannelIsOneScalarLess, (Layer layer, Direction direction, Layout layout)) {
  layer.out_channels += 1;  // a single channel held is a gathered pixel
  const auto direct = raw_gap(layer, direction, kDirect, layout);
  const auto own_tap = raw_gap(layer, direction, kDirectOnOwnTap, layout);
  RC_ASSERT(direct.has_value() == own_tap.has_value());
  if (direct) RC_ASSERT(*own_tap == *direct - 1);
}

RC_GTEST_PROP(Laws, GroupsDoNotMatterToGatheredTaps, (Layer layer, Direction direction, Layout layout)) {
  const std::int64_t groups = *rc::gen::inRange(2, 9);
  layer.in_channels *= groups;
  layer.out_channels *= groups;
  const auto ungrouped = raw_gap(layer, direction, kGathered, layout);
  layer.groups = groups;
  RC_ASSERT((raw_gap(layer, direction, kGathered, layout) == ungrouped));
}

RC_GTEST_PROP(Laws, GroupsAreTheSimulator, (Layer layer, Direction direction, TapOrder order, Layout layout)) {
  layer.groups = *rc::gen::inRange(2, 9);
  layer.in_channels = layer.groups * *rc::gen::inRange(1, 5);
  layer.out_channels = layer.groups * *rc::gen::inRange(1, 5);
  layer.in_scalar = *rc::gen::element(1, 2, 4);
  layer.out_scalar = *rc::gen::element(1, 2, 4);
  RC_ASSERT((raw_gap(layer, direction, order, layout) == direct_raw_gap(tap_table(layer, layout), direction, order)));
}

// sigma = outs + max(0, (groups - 1) * (outs - ins)) scalars, against gathered taps with the first pixel counted.
RC_GTEST_PROP(Laws, DirectDepthwiseCostsOneScalar, (Layer layer, Direction direction, Layout layout)) {
  layer.out_channels = layer.in_channels;
  layer.groups = layer.in_channels;
  const std::int64_t gathered = std::max<std::int64_t>(0, raw_gap(layer, direction, kGathered, layout).value_or(0));
  const std::int64_t direct = std::max<std::int64_t>(0, raw_gap(layer, direction, kDirect, layout).value_or(0));
  RC_ASSERT(direct <= gathered + 1);
}

RC_GTEST_PROP(Laws, BytesScale, (Layer layer, Direction direction, TapOrder order, Layout layout)) {
  const auto small = raw_gap(layer, direction, order, layout);
  const std::int64_t scale = *rc::gen::inRange(2, 9);
  layer.in_scalar *= scale;
  layer.out_scalar *= scale;
  const auto large = raw_gap(layer, direction, order, layout);
  RC_ASSERT(small.has_value() == large.has_value());
  if (small) RC_ASSERT(*large == scale * *small);
}

// Section 2.1 of the theory: without padding to leave out, each axis is one maximum of two ends.
RC_GTEST_PROP(Laws, PaddedGapIsTwoMaxima, (const Layer& layer)) {
  const Layer stored = padding_stored(layer);
  const std::int64_t h = out_height(layer), w = out_width(layer);
  const std::int64_t alpha = layer.out_channels - layer.columns.stride * layer.in_channels;
  const std::int64_t beta = layer.out_channels * w - layer.rows.stride * stored.in_width * layer.in_channels;
  const std::int64_t forward = std::max<std::int64_t>(0, (h - 1) * beta) + std::max<std::int64_t>(0, (w - 1) * alpha);
  const std::int64_t unread_rows = (stored.in_height - effective_kernel(layer.rows)) % layer.rows.stride;
  const std::int64_t unread_columns = (stored.in_width - effective_kernel(layer.columns)) % layer.columns.stride;
  const std::int64_t reverse = forward - (unread_rows * stored.in_width + unread_columns) * layer.in_channels;
  RC_ASSERT((raw_gap(layer, Direction::row_forward, kDirect, Layout::padded) == forward + layer.out_channels));
  RC_ASSERT((raw_gap(layer, Direction::row_reverse, kDirect, Layout::padded) == reverse + layer.out_channels));
}

RC_GTEST_PROP(Laws, WorkspaceHoldsBothTensorsAligned, (const Layer& layer, Direction direction, TapOrder order)) {
  const Workspace exact = workspace(layer, direction, order);
  RC_ASSERT(exact.bytes == in_bytes(layer) + exact.gap);
  const std::int64_t alignment = *rc::gen::element(1, 2, 4, 8, 16);
  const std::int64_t aligned = workspace(layer, direction, order, Layout::dense, alignment).bytes;
  RC_ASSERT(aligned >= exact.bytes);
  RC_ASSERT(aligned < exact.bytes + alignment);
}

RC_GTEST_PROP(Laws, BreakpointFormsAreTheForwardOrder, (const Layer& layer)) {
  for (const TapOrder order : {kGathered, kDirect}) {
    const std::int64_t sigma = order == kGathered ? 0 : layer.out_channels;
    RC_ASSERT(nine_breakpoint_gap(layer, sigma) == workspace(layer, Direction::row_forward, order, Layout::padded).gap);
    RC_ASSERT(dense_breakpoint_gap(layer, sigma, Theorem13::repaired) ==
              workspace(layer, Direction::row_forward, order).gap);
  }
}

RC_GTEST_PROP(Laws, HerringboneIsTheSimulator, (const Layer& layer)) {
  RC_ASSERT(herringbone_gap(layer) == simulated_herringbone_gap(layer, Liveness::frontier));
}

RC_GTEST_PROP(Laws, HerringbonePoolRunsOutBelowItsGap, (Layer layer)) {
  layer.in_height = 1 + layer.in_height % 6;
  layer.in_width = 1 + layer.in_width % 6;
  RC_PRE(out_height(layer) > 0 && out_width(layer) > 0);
  for (const Liveness liveness : {Liveness::frontier, Liveness::unread_first, Liveness::unread_held}) {
    const std::int64_t gap = simulated_herringbone_gap(layer, liveness);
    RC_ASSERT(herringbone_run_is_exact(layer, liveness, gap));
    if (gap > 0) RC_ASSERT(!herringbone_run_is_exact(layer, liveness, gap - 1));
  }
}

// Eq. 1 against the truth, for every square case without stride, dilation and padding: exact, short by Eq. 22, or too
// large.
RC_GTEST_PROP(Laws, WhenEquation1IsRight, ()) {
  const std::int64_t kernel = *rc::gen::inRange(1, 8);
  const auto size = static_cast<int>(kernel + *rc::gen::inRange(0, 9));
  const int in = *rc::gen::inRange(1, 12);
  const int growth = *rc::gen::inRange(1, 12);
  const Layer square = layer({size, size}, {in, in + growth}, {.kernel = kernel});
  const std::int64_t truth = herringbone_gap(square);
  RC_ASSERT(corrected_gural_murmann_gap(square) == truth);
  const std::int64_t printed = gural_murmann_gap(square).value();
  const std::int64_t left = in * (kernel - 1) / growth;
  const std::int64_t shortfall = in * (kernel - 1) % growth;
  if (left < out_width(square) || (left == out_width(square) && shortfall == 0)) {
    RC_ASSERT(printed == truth - shortfall);
  } else {
    RC_ASSERT(printed >= truth);
  }
}

// Row term + column term, each over its own axis: a windowed layer with one tap is a map.
RC_GTEST_PROP(Laws, ASingleTapIsAMap, (Direction direction, TapOrder order)) {
  const std::int64_t stride = *rc::gen::inRange(1, 4);
  Layer strided = layer({*rc::gen::inRange(1, 12), *rc::gen::inRange(1, 12)}, {3, 3}, {.stride = stride});
  strided.groups = 3;
  PixelMap map{{}, {}, strided.in_height, strided.in_width, 3, 1};
  for (std::int64_t r = 0; r < out_height(strided); ++r) map.rows.push_back(r * stride);
  for (std::int64_t c = 0; c < out_width(strided); ++c) map.columns.push_back(c * stride);
  RC_ASSERT((raw_gap(map, direction, order) == raw_gap(strided, direction, order)));
}

}  // namespace
}  // namespace ripc::test
