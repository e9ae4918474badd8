// Every tap order at exactly its gap, and at one byte less, in both directions.
#include <random>

#include "network.h"

namespace ripc::test {
namespace {

/// A network of one operator whose gap is known.
struct KnownGap {
  std::string name;
  OpKind kind;
  ImageShape in, out;
  std::string kernel;
  std::int64_t gap;  ///< bytes, both directions
};

class Gaps : public ::testing::TestWithParam<KnownGap> {};

TEST_P(Gaps, are_exact_forward) {
  const KnownGap& known = GetParam();
  expect_right(one_op(known.kind, known.in, known.out, known.kernel, known.gap));
  expect_fault(one_op(known.kind, known.in, known.out, known.kernel, known.gap - 1), "a byte that is not there");
}

TEST_P(Gaps, are_exact_in_reverse) {
  const KnownGap& known = GetParam();
  expect_right(one_op(known.kind, known.in, known.out, known.kernel, known.gap, true));
  expect_fault(one_op(known.kind, known.in, known.out, known.kernel, known.gap - 1, true), "a byte that is not there");
}

Conv2d grouped_pointwise() {
  Conv2d pointwise = conv(1);
  pointwise.groups = 2;
  return pointwise;
}

// 3x3 same on 6x6, 2 -> 3: at the last pixel 5*18 + 5*3 bytes are written, and its first tap is byte 4*12 + 4*2: 49.
INSTANTIATE_TEST_SUITE_P(
    Known, Gaps,
    ::testing::Values(
        KnownGap{"gathered", conv(3), {6, 6, 2}, {6, 6, 3}, "gathered", 49},
        KnownGap{"held2", conv(3), {6, 6, 2}, {6, 6, 3}, "held2", 50},
        KnownGap{"direct", conv(3), {6, 6, 2}, {6, 6, 3}, "direct", 51},
        KnownGap{"row_direct", conv(3), {6, 6, 2}, {6, 6, 3}, "row_direct", 5 * 18 - 4 * 12 + 18},
        KnownGap{"disjoint", conv(3), {6, 6, 2}, {6, 6, 3}, "disjoint", 108},
        KnownGap{"grouped_direct", grouped_pointwise(), {3, 3, 4}, {3, 3, 6}, "direct", 8 * (6 - 4) + 3},
        KnownGap{"grouped_gathered", grouped_pointwise(), {3, 3, 4}, {3, 3, 6}, "gathered", 8 * (6 - 4)},
        KnownGap{"depthwise_channel_local", depthwise(3), {6, 6, 2}, {6, 6, 2}, "channel_local", 12 + 2},
        KnownGap{"depthwise_direct", depthwise(3), {6, 6, 2}, {6, 6, 2}, "direct", 12 + 2},
        KnownGap{"depthwise_row_direct", depthwise(3), {6, 6, 2}, {6, 6, 2}, "row_direct", 12 + 12},
        KnownGap{"pool_same",
                 Pool2d{PoolKind::average, same_window(3), same_window(3)},
                 {5, 5, 3},
                 {5, 5, 3},
                 "channel_local",
                 15 + 3},
        KnownGap{"pad", Pad{{1, 1, 0}, {1, 1, 0}}, {4, 4, 2}, {6, 6, 2}, "gathered", 4 * 12 - 3 * 8 + 2},
        KnownGap{"pad_channels", Pad{{0, 0, 1}, {0, 0, 1}}, {2, 2, 2}, {2, 2, 4}, "channel_local", 3 * (4 - 2) + 1},
        KnownGap{"resize", ResizeNearest{}, {3, 3, 2}, {6, 6, 2}, "gathered", 72 - 18},
        KnownGap{"softmax_gathered", Softmax{}, {1, 2, 5}, {1, 2, 5}, "gathered", 0},
        KnownGap{"softmax_direct", Softmax{}, {1, 2, 5}, {1, 2, 5}, "direct", 4},
        KnownGap{"softmax_elementwise", Softmax{}, {1, 2, 5}, {1, 2, 5}, "elementwise", 0},
        KnownGap{"clamp", Clamp{}, {3, 4, 2}, {3, 4, 2}, "elementwise", 0},
        KnownGap{"fully_connected", FullyConnected{}, {1, 1, 6}, {1, 1, 9}, "direct", 8}),
    [](const auto& instance) { return instance.param.name; });

// At the bottom the window of a dilated kernel ends below the image: its last rows are read with it, though they are no
// taps of it.
TEST(Gaps, planes_read_to_the_end_of_the_window) {
  DepthwiseConv2d dilated = depthwise(1);
  dilated.rows = {.kernel = 2, .stride = 1, .dilation = 4, .pad_before = 0, .pad_after = 4};
  dilated.columns = {.kernel = 1, .stride = 1, .dilation = 1, .pad_before = 0, .pad_after = 0};
  Network network = one_op(dilated, {6, 3, 2}, {6, 3, 2}, "plane", 0);
  network.plan.ops[0].scratch = {network.plan.arena_bytes, 5 * 3};
  network.plan.arena_bytes += 5 * 3;
  expect_right(network);
}

TEST(Gaps, elementwise_goes_scalar_by_scalar) {
  const ImageShape image{1, 4, 3};
  const auto dequantize = [&](std::int64_t gap, bool reverse) {
    return one_op(Dequantize{}, image, image, "elementwise", gap, reverse, DataType::int8, DataType::float32);
  };
  expect_right(dequantize(11 * (4 - 1), false));
  expect_fault(dequantize(11 * (4 - 1) - 1, false), "a byte that is not there");
  expect_right(dequantize(11 * (4 - 1), true));
  expect_fault(dequantize(11 * (4 - 1) - 1, true), "a byte that is not there");
  expect_right(one_op(Quantize{}, image, image, "elementwise", 0, false, DataType::float32, DataType::int8));
}

TEST(Gaps, mean_writes_after_it_has_read_all) {
  const ImageShape in{4, 4, 3};
  const ImageShape out{1, 1, 3};
  for (const std::int64_t distance : {-45, -7, 0, 2}) {
    expect_right(one_op(Mean{}, in, out, "gathered", distance));
    expect_right(one_op(Mean{}, in, out, "whole", distance));
  }
  expect_right(one_op(Mean{}, in, out, "channel_local", 0));
  expect_right(one_op(Mean{}, in, out, "channel_local", -3));
  expect_fault(one_op(Mean{}, in, out, "channel_local", -1), "column 0, channel 1 reads");
}

// A kernel that works plane by plane is safe at equal starts and a whole number of pixels away, not at any distance.
TEST(Gaps, planes_are_tied) {
  const auto planes = [](std::int64_t distance) {
    Network network = one_op(depthwise(3), {4, 4, 4}, {4, 4, 4}, "plane", distance);
    network.plan.ops[0].scratch = {network.plan.arena_bytes, 3 * 4};
    network.plan.arena_bytes += 3 * 4;
    return network;
  };
  for (const std::int64_t distance : {0, 4, 8, 64}) expect_right(planes(distance));
  for (const std::int64_t distance : {1, 2, 3, 5, 6, 7}) expect_fault(planes(distance), "a byte that is not there");
  Network reverse = planes(0);
  reverse.plan.schedule.stages[0].reverse = true;
  expect_right(reverse);  // planes are made from the top, whatever the direction
  EXPECT_EQ(planes(0).check(), (CheckReport{.steps = 4, .bytes_read = 4 * 10 * 4, .bytes_written = 64}));
}

// 3x3 same on 6x6, 2 -> 6: 5*36 + 5*6 bytes of earlier pixels and two of the pixel's own, less the first tap at
// byte 56.
TEST(Gaps, hold_for_the_kernels_that_ship) {
  const auto at = [](std::int64_t distance) {
    const Network network = one_op(conv(3), {6, 6, 2}, {6, 6, 6}, "rip_conv2d_s8_row", distance);
    return check_plan(network.graph, network.plan);
  };
  EXPECT_EQ(at(156), (CheckReport{.steps = 6, .bytes_read = 16 * 16 * 2, .bytes_written = 216}));
  EXPECT_THROW(at(155), Error);
}

/// A random small layer and, by literal search over its taps, the gap of a kernel that has written all but the last
/// `held` channels of its pixel when it reads the pixel's taps.
struct RandomLayer {
  Conv2d conv;
  ImageShape in, out;

  explicit RandomLayer(std::mt19937& random) {
    const auto pick = [&](int low, int high) {
      return std::int64_t{low} + static_cast<std::int64_t>(random() % static_cast<unsigned>(high - low + 1));
    };
    do {
      for (Window* window : {&conv.rows, &conv.columns}) {
        *window = {pick(1, 4), pick(1, 3), pick(1, 2), pick(0, 3), pick(0, 3)};
      }
      in = {pick(1, 7), pick(1, 7), pick(1, 4)};
      out = {extent(conv.rows, in.height), extent(conv.columns, in.width), pick(1, 5)};
    } while (out.height < 1 || out.width < 1);
  }

  static std::int64_t extent(const Window& window, std::int64_t inputs) {
    const std::int64_t room = inputs + window.pad_before + window.pad_after - (window.kernel - 1) * window.dilation - 1;
    return room < 0 ? 0 : room / window.stride + 1;
  }

  /// Least distance at which `written` bytes of earlier output never reach a tap; the smallest integer if nothing is in
  /// danger.
  std::int64_t gap(std::int64_t held, bool reverse) const {
    std::int64_t gap = std::numeric_limits<std::int64_t>::min();
    const std::int64_t pixels = out.height * out.width;
    for (std::int64_t m = 0; m < pixels; ++m) {
      const std::int64_t before = reverse ? pixels - 1 - m : m;
      const std::int64_t written = before * out.channels + std::max<std::int64_t>(0, out.channels - held);
      if (written == 0) continue;
      for (std::int64_t i = 0; i < conv.rows.kernel; ++i) {
        for (std::int64_t j = 0; j < conv.columns.kernel; ++j) {
          const std::int64_t y = m / out.width * conv.rows.stride - conv.rows.pad_before + i * conv.rows.dilation;
          const std::int64_t x =
              m % out.width * conv.columns.stride - conv.columns.pad_before + j * conv.columns.dilation;
          if (y < 0 || y >= in.height || x < 0 || x >= in.width) continue;
          const std::int64_t tap = y * in.width + x;
          const std::int64_t skipped = reverse ? in.height * in.width - 1 - tap : tap;
          gap = std::max(gap, written - skipped * in.channels);
        }
      }
    }
    return gap;
  }
};

TEST(Gaps, of_random_layers_are_exact) {
  std::mt19937 random(20261129);
  int tried = 0;
  for (int i = 0; i < 400; ++i) {
    const RandomLayer layer(random);
    for (const bool reverse : {false, true}) {
      for (const auto& [kernel, held] : {std::pair{"gathered", 1000}, std::pair{"held2", 2}, std::pair{"direct", 1}}) {
        const std::int64_t gap = layer.gap(held, reverse);
        if (gap == std::numeric_limits<std::int64_t>::min()) continue;
        ++tried;
        const auto at = [&](std::int64_t distance) {
          return fault_of(one_op(layer.conv, layer.in, layer.out, kernel, distance, reverse));
        };
        ASSERT_EQ(at(gap), "") << "layer " << i << ", " << kernel << (reverse ? " reverse" : " forward");
        ASSERT_NE(at(gap - 1), "") << "layer " << i << ", " << kernel << (reverse ? " reverse" : " forward");
      }
    }
  }
  EXPECT_GT(tried, 2000);
}

}  // namespace
}  // namespace ripc::test
