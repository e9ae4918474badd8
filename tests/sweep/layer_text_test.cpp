// Layers as users type them.
#include "sweep/layer_text.h"

#include <gtest/gtest.h>

#include <string>

#include "ripc/error.h"
#include "sweep/generators.h"

namespace ripc::test {
namespace {

TEST(LayerText, CommandsReadBackAsTheSameLayer) {
  const std::string prefix = "ripc layer ";
  for (std::int64_t i = 0; i < 500; ++i) {
    Layer layer = generated_layer(2, i);
    if (i % 5 == 0) layer.out_scalar = 4;
    const std::string command = layer_command(layer);
    ASSERT_EQ(command.substr(0, prefix.size()), prefix);
    EXPECT_EQ(parse_layer(command.substr(prefix.size())), layer) << command;
  }
}

TEST(LayerText, SameIsTensorFlows) {
  const Layer even = parse_layer("224x224x3 --conv 3x3x32 --stride 2 --pad same");
  EXPECT_EQ(even.rows, (Window{3, 2, 1, 0, 1}));
  EXPECT_EQ(out_height(even), 112);
  const Layer odd = parse_layer("15x10x3 --conv 3x5x32 --stride 2x1 --dilation 1x2 --pad same");
  EXPECT_EQ(odd.rows, (Window{3, 2, 1, 1, 1}));
  EXPECT_EQ(odd.columns, (Window{5, 1, 2, 4, 4}));
}

TEST(LayerText, DepthwiseAndPoolingHaveAGroupAChannel) {
  const Layer depthwise = parse_layer("8x8x6 --depthwise 3x3x2 --pad 1");
  EXPECT_EQ(depthwise.groups, 6);
  EXPECT_EQ(depthwise.out_channels, 12);
  const Layer pool = parse_layer("8x8x6 --pool 2x2 --stride 2 --pad 0,1,2,3");
  EXPECT_EQ(pool.groups, 6);
  EXPECT_EQ(pool.out_channels, 6);
  EXPECT_EQ(pool.rows, (Window{2, 2, 1, 0, 1}));
  EXPECT_EQ(pool.columns, (Window{2, 2, 1, 2, 3}));
}

TEST(LayerText, DescribesALayer) {
  EXPECT_EQ(describe(parse_layer("14x14x1 --conv 3x3x5")), "14x14x1 -> 12x12x5, kernel 3x3");
  EXPECT_EQ(describe(parse_layer("8x8x6 --pool 2x3 --stride 2 --pad 0,1,2,3")),
            "8x8x6 -> 4x6x6, kernel 2x3, stride 2, padding 0,1,2,3, groups 6");
}

TEST(LayerText, RefusesWhatItCannotRead) {
  for (const char* words :
       {"14x14", "14x14x1", "14x14xq --conv 3x3x5", "14x14x1 --conv 3x3", "14x14x1 --conv 3x3x5 --pool 2x2",
        "14x14x1 --conv 3x3x5 --pad 1,2", "14x14x1 --conv 3x3x5 --pad some", "14x14x1 --conv 3x3x5 --stride 0",
        "14x14x1 --conv 3x3x5 --stride 0 --pad same", "14x14x1 --conv 15x3x5",
        "14x14x1 --pool 2x2 --groups 1 --groups 2", "14x14x3 --conv 3x3x5 --groups 2", "14x14x1 --conv 3x3x5 --pad",
        "14x14x1 --conv 3x3x5 --paint red", "14x14x1 --conv 3x3x5 --element-bytes 1,2,3", "-1x14x1 --conv 3x3x5",
        "14x14x1x --conv 3x3x5", "14x14x9 --depthwise 3x3x4611686018427387904"}) {
    SCOPED_TRACE(words);
    try {
      parse_layer(words);
      FAIL() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.context().fault, Fault::usage);
      EXPECT_FALSE(error.context().problem.empty());
    }
  }
}

}  // namespace
}  // namespace ripc::test
