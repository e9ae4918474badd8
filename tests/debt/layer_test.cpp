#include "ripc/layer.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "debt/layers.h"
#include "debt/other_layers.h"
#include "ripc/error.h"

namespace ripc::test {
namespace {

Layer plain() { return layer({8, 6}, {4, 4}, {.kernel = 3, .pad_before = 1, .pad_after = 1}); }

// The layer after one change must be refused, with a message that says what is wrong.
void expect_refused(const std::function<void(Layer&)>& change, const std::string& words) {
  Layer layer = plain();
  change(layer);
  try {
    check_layer(layer);
    ADD_FAILURE() << "accepted: " << layer;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(Layer, ExtentsAndBytes) {
  Layer layer = plain();
  EXPECT_EQ(out_height(layer), 8);
  EXPECT_EQ(out_width(layer), 6);
  EXPECT_EQ(in_bytes(layer), 8 * 6 * 4);
  EXPECT_EQ(padded_in_bytes(layer), 10 * 8 * 4);
  layer.in_scalar = 2;
  layer.out_pitch = 7;
  EXPECT_EQ(in_pitch(layer), 8);
  EXPECT_EQ(in_bytes(layer), 8 * 6 * 8);
  EXPECT_EQ(out_bytes(layer), 8 * 6 * 7);
  EXPECT_EQ(dual_buffer_bytes(layer), 8 * 6 * 15);
  EXPECT_EQ(replacement_bytes(layer), 8 * 6 * 8);
}

TEST(Layer, OutputExtent) {
  EXPECT_EQ(effective_kernel({.kernel = 3, .dilation = 4}), 9);
  EXPECT_EQ(output_extent({.kernel = 3, .stride = 2}, 7), 3);
  EXPECT_EQ(output_extent({.kernel = 3, .stride = 2}, 8), 3);
  EXPECT_EQ(output_extent({.kernel = 3, .stride = 5}, 2), 0);
  EXPECT_EQ(output_extent({.kernel = 9, .stride = 2}, 1), 0);
}

TEST(Layer, MirrorTurnsUnreadRowsIntoNegativePadding) {
  const Layer layer = test::layer({8, 8}, {1, 1}, {.kernel = 2, .stride = 4});
  const Layer turned = mirrored(layer);
  EXPECT_EQ(turned.rows.pad_before, -2);
  EXPECT_EQ(turned.rows.pad_after, 0);
  EXPECT_EQ(out_height(turned), out_height(layer));
  EXPECT_EQ(mirrored(mirrored(turned)), turned);
}

TEST(Layer, PaddingStored) {
  const Layer stored = padding_stored(plain());
  EXPECT_EQ(stored.in_height, 10);
  EXPECT_EQ(stored.rows.pad_before, 0);
  EXPECT_EQ(out_height(stored), out_height(plain()));
}

TEST(Layer, ChecksAtTheDoor) {
  EXPECT_NO_THROW(check_layer(plain()));
  expect_refused([](Layer& layer) { layer.in_height = 0; }, "input height is not positive");
  expect_refused([](Layer& layer) { layer.rows.kernel = 0; }, "kernel is not positive");
  expect_refused([](Layer& layer) { layer.columns.stride = -1; }, "stride is not positive");
  expect_refused([](Layer& layer) { layer.columns.dilation = 0; }, "dilation is not positive");
  expect_refused([](Layer& layer) { layer.out_channels = 0; }, "output channels is not positive");
  expect_refused([](Layer& layer) { layer.groups = 0; }, "groups is not positive");
  expect_refused([](Layer& layer) { layer.out_scalar = 0; }, "output scalar is not positive");
  expect_refused([](Layer& layer) { layer.groups = 3; }, "groups do not divide");
  expect_refused([](Layer& layer) { layer.in_pitch = 3; }, "pitch is smaller than a pixel");
}

TEST(Layer, ChecksSizes) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 40;
  expect_refused([](Layer& layer) { layer.in_height = layer.in_width = kHuge; }, "too large");
  expect_refused([](Layer& layer) { layer.in_channels = layer.in_scalar = kHuge; }, "too large");
  expect_refused([](Layer& layer) { layer.rows.kernel = layer.rows.dilation = kHuge; }, "too large");
  expect_refused([](Layer& layer) { layer.rows.pad_after = std::int64_t{1} << 62; }, "too large");
  expect_refused([](Layer& layer) { layer.columns.pad_before = std::numeric_limits<std::int64_t>::min(); },
                 "too large");
  expect_refused([](Layer& layer) { layer.rows.pad_before = layer.columns.pad_before = kHuge; }, "too large");
  expect_refused([](Layer& layer) { layer.rows.stride = std::numeric_limits<std::int64_t>::max(); }, "too large");
}

}  // namespace
}  // namespace ripc::test
