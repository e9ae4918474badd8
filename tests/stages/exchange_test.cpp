// Calls for blocks of pixels: whatever the length of a ring, each finds its window's pixels side by side, and the ring
// is as it was once the call's exchange is put back.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "rip/node.h"

namespace ripc {
namespace {

constexpr std::int32_t kPitch = 2, kWidth = 11, kHeight = 9;

/// A square window over a ring whose pixels hold their own number.
struct Windows {
  std::int32_t kernel, stride, pad, block, slots, step;
  std::vector<std::int8_t> ring{};
  int exchanges = 0;

  std::int32_t outputs(std::int32_t in) const { return (in + 2 * pad - kernel) / stride + 1; }
  static std::int8_t byte(std::int32_t pixel, std::int32_t i) {
    return static_cast<std::int8_t>(i == 0 ? pixel % 128 : pixel / 128);
  }

  /// The ring when pixels from `first` on are in it.
  void fill(std::int32_t first) {
    ring.assign(static_cast<std::size_t>(slots * kPitch), -1);
    for (std::int32_t pixel = std::max(0, first); pixel < first + slots; ++pixel) {
      for (std::int32_t i = 0; i < kPitch; ++i) {
        ring[static_cast<std::size_t>(pixel % slots * kPitch + i)] = byte(pixel, i);
      }
    }
  }

  void expect_window(const std::int8_t* const* rows, std::int32_t y, std::int32_t x) const {
    for (std::int32_t j = 0; j < kernel; ++j) {
      const std::int32_t row = y * stride - pad + j;
      ASSERT_EQ(rows[j] != nullptr, row >= 0 && row < kHeight);
      for (std::int32_t k = 0; rows[j] != nullptr && k < kernel; ++k) {
        const std::int32_t column = x * stride - pad + k;
        if (column < 0 || column >= kWidth) continue;
        for (std::int32_t i = 0; i < kPitch; ++i) {
          ASSERT_EQ(rows[j][column * kPitch + i], byte(row * kWidth + column, i)) << slots << ' ' << y << ' ' << x;
        }
      }
    }
  }

  void run() {
    const rip_view in{.offset = 0,
                      .row_bytes = kPitch,
                      .slots = slots,
                      .first_slot = 0,
                      .pitch = kPitch,
                      .pixel = kPitch,
                      .slot_step = kWidth,
                      .space = 0};
    const rip_column_blocks how{.pixels = block,
                                .in_width = kWidth,
                                .stride = stride,
                                .pad = pad,
                                .reach = kernel - 1,
                                .in_pixels = 1,
                                .out_pixels = 0};
    const std::int32_t height = outputs(kHeight), width = outputs(kWidth), per_row = (width + block - 1) / block;
    rip_node node{};
    node.in = &in;
    node.out = {.offset = slots * kPitch,
                .row_bytes = width,
                .slots = height,
                .first_slot = 0,
                .pitch = 1,
                .pixel = 1,
                .slot_step = 1,
                .space = 0};
    node.inputs = 1;
    node.in_height = kHeight;
    node.out_height = height;
    node.out_width = width;
    node.kernel_rows = kernel;
    node.stride = stride;
    node.dilation = node.upsample = 1;
    node.pad = pad;
    node.step = static_cast<std::int16_t>(step);
    node.kept = node.state = node.scratch.offset = -1;
    node.blocks = &how;
    std::array<const std::int8_t*, 8> rows{};
    for (std::int32_t index = 0; index < height * per_row; ++index) {
      // Of the pixels that the block reads, those that are made last are the latest in the ring.
      const std::int32_t y = step > 0 ? index / per_row : height - 1 - index / per_row;
      const std::int32_t begin = index % per_row * block, end = std::min(width, begin + block);
      const std::int32_t latest = step > 0 ? end - 1 : width - end;
      const auto clip = [](std::int32_t at, std::int32_t count) { return std::clamp(at, 0, count - 1); };
      const std::int32_t top = clip(y * stride - pad, kHeight), bottom = clip(y * stride - pad + kernel - 1, kHeight);
      const std::int32_t first = latest * stride - pad;
      fill(step > 0 ? bottom * kWidth + clip(first + kernel - 1, kWidth) + 1 - slots
                    : top * kWidth + clip(first, kWidth));
      const std::vector<std::int8_t> before = ring;
      const rip_memory memory{.arena = ring.data(), .external = nullptr, .state = nullptr};
      std::int32_t left = 0, made = 0;
      do {
        rip_row_call call{};
        rip_exchange exchange{};
        left = rip_place_block(&node, &memory, index, left, rows.data(), &call, &exchange);
        exchanges += exchange.at_end > 0 ? 1 : 0;
        made += call.x1 - call.x0;
        for (std::int32_t x = call.x0; x < call.x1; ++x) expect_window(rows.data(), y, x);
        rip_put_back(&exchange);
        ASSERT_EQ(ring, before);
      } while (left > 0);
      ASSERT_EQ(made, end - begin);
    }
  }
};

TEST(Exchange, PutsEveryWindowTogether) {
  int exchanges = 0;
  for (const std::int32_t step : {1, -1}) {
    for (const std::int32_t kernel : {2, 3, 5}) {
      for (const std::int32_t stride : {1, 2}) {
        for (const std::int32_t pad : {0, kernel / 2, kernel + 1}) {
          for (const std::int32_t block : {1, 3}) {
            const std::int32_t least = (kernel - 1) * kWidth + kernel + (block - 1) * stride;
            for (std::int32_t slots = least; slots < least + kWidth; ++slots) {
              Windows windows{
                  .kernel = kernel, .stride = stride, .pad = pad, .block = block, .slots = slots, .step = step};
              windows.run();
              if (HasFatalFailure()) return;
              exchanges += windows.exchanges;
            }
          }
        }
      }
    }
  }
  EXPECT_GT(exchanges, 1000);
}

}  // namespace
}  // namespace ripc
