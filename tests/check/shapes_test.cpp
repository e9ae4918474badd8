// Which bytes an operator reads: broadcasts, aliases, windows that look over the edge, resizing.
#include "network.h"

namespace ripc::test {
namespace {

/// out = a + b, b smaller, each where it does not touch the others.
Network broadcast(const ImageShape& a, const ImageShape& b, std::int64_t a_offset, std::int64_t b_offset) {
  Network network;
  const TensorId first = network.tensor("a", a, a_offset);
  const TensorId second = network.tensor("b", b, b_offset);
  const TensorId out = network.tensor("out", a, 0);
  network.graph.inputs = {first, second};
  network.graph.outputs = {out};
  network.stage(Binary{}, {first, second}, out, "elementwise");
  network.plan.arena_bytes = 200;
  return network;
}

TEST(Shapes, a_broadcast_input_is_read_to_the_end) {
  const ImageShape a{4, 4, 3};
  expect_right(broadcast(a, {1, 1, 3}, 0, 48));
  expect_right(broadcast(a, {1, 1, 1}, 0, 48));
  expect_fault(broadcast(a, {1, 1, 3}, 48, 42), "of 'b' at address 42");
  expect_right(broadcast(a, {1, 1, 3}, 48, 45));  // its last scalar is read by the very element that eats it
  expect_fault(broadcast(a, {1, 1, 1}, 48, 46), "of 'b' at address 46");
  expect_fault(broadcast(a, {4, 2, 3}, 48, 100), "neither matches the output nor broadcasts");
  EXPECT_EQ(broadcast(a, {1, 1, 1}, 0, 48).check().bytes_read, 96);
}

TEST(Shapes, an_alias_is_read_as_its_root) {
  Network network;
  const TensorId in = network.tensor("in", {4, 4, 3}, 10);
  const TensorId flat = network.tensor("flat", {1, 1, 48}, -1);
  const TensorId out = network.tensor("out", {1, 1, 10}, 0);
  network.graph.tensors[static_cast<std::size_t>(flat)].alias_of = in;
  network.graph.inputs = {in};
  network.graph.outputs = {out};
  network.stage(FullyConnected{}, {flat}, out, "direct");
  network.plan.arena_bytes = 58;
  expect_right(network);
  EXPECT_EQ(network.check().bytes_read, 48);
  network.storage(in).offset = 8;
  expect_fault(network, "expected byte 0 of 'in' at address 8, found byte 8 of 'out'");

  network.storage(in) = {.tensor = in, .offset = 10, .row_bytes = 12, .slots = 3};
  expect_fault(network, "the stored rows cannot be seen in the shape that is asked for");
  network.plan.storages.push_back({.tensor = flat, .offset = 0, .row_bytes = 48, .slots = 1});
  expect_fault(network, "tensor 'flat': wrong plan: the storage is not of an activation of its own");
}

TEST(Shapes, fully_connected_makes_one_row_of_vectors) {
  Network network = one_op(FullyConnected{}, {1, 5, 2}, {1, 5, 3}, "direct", 4 * (3 - 2) + 2);
  expect_right(network);
  EXPECT_EQ(network.check(), (CheckReport{.steps = 1, .bytes_read = 10, .bytes_written = 15}));
  expect_fault(one_op(FullyConnected{}, {1, 5, 2}, {1, 5, 3}, "direct", 5), "a byte that is not there");
}

TEST(Shapes, padding_is_never_read) {
  const Window off_the_edge{.kernel = 2, .stride = 1, .dilation = 5, .pad_before = 5, .pad_after = 5};
  const Conv2d dilated{.rows = off_the_edge, .columns = off_the_edge};
  const CheckReport report = one_op(dilated, {3, 3, 1}, {8, 8, 1}, "gathered", 64).check();
  EXPECT_EQ(report.bytes_read, 6 * 6);  // output rows 0..2 see rows 0..2 by tap 1, rows 5..7 by tap 0, 3 and 4 see none
}

TEST(Shapes, depthwise_multiplies_channels) {
  DepthwiseConv2d doubled = depthwise(1);
  doubled.multiplier = 2;
  const auto at = [&](std::int64_t distance) {
    return one_op(doubled, {1, 3, 2}, {1, 3, 4}, "channel_local", distance);
  };
  expect_right(at(2 * (4 - 2) + 2));  // two pixels of debt, and channel 1 is read last when three of four are written
  expect_fault(at(2 * (4 - 2) + 1), "column 2, channel 3 reads");
  EXPECT_EQ(at(6).check().bytes_read, 12);
}

/// The columns that RESIZE_NEAREST_NEIGHBOR reads of a row of `in` pixels: a column is read if losing it is a fault.
std::vector<int> columns_read(const ResizeNearest& resize, std::int64_t in, std::int64_t out) {
  std::vector<int> columns;
  for (int column = 0; column < in; ++column) {
    Network network = one_op(resize, {1, in, 1}, {1, out, 1}, "gathered", out);
    const TensorId eraser = network.tensor("eraser", {1, 1, 1}, out + column);
    const OpId spoil = network.op(Mean{}, {0}, eraser, "gathered");
    network.plan.schedule.stages.insert(network.plan.schedule.stages.begin(), {{spoil}, false, {{1, {{0, 1}}}}});
    if (!fault_of(network).empty()) columns.push_back(column);
  }
  return columns;
}

TEST(Shapes, resizing_reads_the_columns_of_the_reference) {
  using Columns = std::vector<int>;
  EXPECT_EQ(columns_read({}, 3, 6), (Columns{0, 1, 2}));
  EXPECT_EQ(columns_read({}, 6, 3), (Columns{0, 2, 4}));
  EXPECT_EQ(columns_read({.align_corners = true, .half_pixel_centers = false}, 6, 3), (Columns{0, 3, 5}));
  EXPECT_EQ(columns_read({.align_corners = false, .half_pixel_centers = true}, 6, 3), (Columns{1, 3, 5}));
  EXPECT_EQ(columns_read({.align_corners = false, .half_pixel_centers = true}, 5, 2), (Columns{1, 3}));
}

}  // namespace
}  // namespace ripc::test
