// Operators that move scalars: which scalar of the input each scalar of an output is.
#include "graph/movement.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <numeric>
#include <vector>

#include "import/import.h"
#include "passes/passes.h"
#include "tflite/schema_generated.h"

namespace ripc {
namespace {

using tflite::BuiltinOperator;
using tflite::BuiltinOptions;
using Numbers = std::vector<std::int32_t>;

/// A model of one operator: an activation of shape `in`, the constants, the outputs.
struct OneOperator {
  BuiltinOperator code = BuiltinOperator::SLICE;
  Numbers in;
  std::vector<Numbers> constants;
  std::vector<Numbers> outs;
  std::function<flatbuffers::Offset<void>(flatbuffers::FlatBufferBuilder&)> options{};
  BuiltinOptions type = BuiltinOptions::NONE;
  bool constants_first = false;
  Numbers wanted{};       ///< outputs of the network, by number; all if empty
  std::size_t times = 1;  ///< that the activation is given (PACK)
};

std::vector<std::byte> model_of(const OneOperator& one) {
  flatbuffers::FlatBufferBuilder builder;
  std::vector tensors{tflite::CreateTensorDirect(builder, &one.in, tflite::TensorType::INT8, 0, "in")};
  std::vector buffers{tflite::CreateBuffer(builder)};
  Numbers activations(one.times, 0), parameters, outputs;
  for (const Numbers& values : one.constants) {
    const Numbers shape{static_cast<std::int32_t>(values.size())};
    std::vector<std::uint8_t> data(values.size() * 4);
    std::memcpy(data.data(), values.data(), data.size());
    parameters.push_back(static_cast<std::int32_t>(tensors.size()));
    tensors.push_back(tflite::CreateTensorDirect(builder, &shape, tflite::TensorType::INT32,
                                                 static_cast<std::uint32_t>(buffers.size()), "parameter"));
    buffers.push_back(tflite::CreateBufferDirect(builder, &data));
  }
  for (const Numbers& shape : one.outs) {
    outputs.push_back(static_cast<std::int32_t>(tensors.size()));
    const std::string name = "out" + std::to_string(outputs.size() - 1);
    tensors.push_back(tflite::CreateTensorDirect(builder, &shape, tflite::TensorType::INT8, 0, name.c_str()));
  }
  Numbers inputs = one.constants_first ? parameters : activations;
  const Numbers& rest = one.constants_first ? activations : parameters;
  inputs.insert(inputs.end(), rest.begin(), rest.end());
  Numbers wanted = outputs;
  if (!one.wanted.empty()) {
    wanted.clear();
    for (const std::int32_t number : one.wanted) wanted.push_back(outputs[static_cast<std::size_t>(number)]);
  }
  const auto options = one.options ? one.options(builder) : 0;
  const Numbers graph_inputs{0};
  const std::vector ops{tflite::CreateOperatorDirect(builder, 0, &inputs, &outputs, one.type, options)};
  const std::vector codes{tflite::CreateOperatorCodeDirect(builder, 0, nullptr, 1, one.code)};
  const std::vector graphs{tflite::CreateSubGraphDirect(builder, &tensors, &graph_inputs, &wanted, &ops)};
  builder.Finish(tflite::CreateModelDirect(builder, 3, &codes, &graphs, nullptr, &buffers), "TFL3");
  const auto bytes = std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
  return {bytes.begin(), bytes.end()};
}

/// Of every operator's output, the input scalar that each of its scalars is.
std::vector<Numbers> sources(const OneOperator& one) {
  const Graph graph = import_tflite(model_of(one), "model.tflite");
  std::vector<Numbers> all;
  for (const Op& op : graph.ops) {
    Numbers& list = all.emplace_back();
    const auto& move = std::get<Rearrange>(op.kind);
    const std::int64_t count = element_count(graph.tensors[static_cast<std::size_t>(op.output)]);
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t rest = i, from = move.start;
      for (std::size_t axis = move.axes.size(); axis-- > 0;) {
        from += offset_of(move.axes[axis], rest % move.axes[axis].extent);
        rest /= move.axes[axis].extent;
      }
      list.push_back(static_cast<std::int32_t>(from));
    }
  }
  return all;
}

std::string refusal(const OneOperator& one) {
  try {
    import_tflite(model_of(one), "model.tflite");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

OneOperator strided_slice(Numbers in, Numbers begin, Numbers end, Numbers step, Numbers out,
                          std::int32_t begin_mask = 0, std::int32_t end_mask = 0, std::int32_t shrink_mask = 0) {
  return {.code = BuiltinOperator::STRIDED_SLICE,
          .in = std::move(in),
          .constants = {std::move(begin), std::move(end), std::move(step)},
          .outs = {std::move(out)},
          .options =
              [=](auto& b) {
                return tflite::CreateStridedSliceOptions(b, begin_mask, end_mask, 0, 0, shrink_mask).Union();
              },
          .type = BuiltinOptions::StridedSliceOptions};
}

TEST(Movement, Slice) {
  OneOperator slice{
      .code = BuiltinOperator::SLICE, .in = {2, 3, 4}, .constants = {{0, 1, 1}, {-1, 2, 2}}, .outs = {{2, 2, 2}}};
  EXPECT_EQ(sources(slice), (std::vector<Numbers>{{5, 6, 9, 10, 17, 18, 21, 22}}));
  slice.constants[0] = {0, 2, 1};
  EXPECT_NE(refusal(slice).find("slice outside"), std::string::npos);
}

TEST(Movement, StridedSlice) {
  EXPECT_EQ(sources(strided_slice({2, 5}, {0, 1}, {2, 5}, {1, 2}, {2, 2})), (std::vector<Numbers>{{1, 3, 6, 8}}));
  EXPECT_EQ(sources(strided_slice({2, 5}, {0, -1}, {2, -6}, {1, -2}, {2, 3})),
            (std::vector<Numbers>{{4, 2, 0, 9, 7, 5}}));
  EXPECT_EQ(sources(strided_slice({2, 5}, {7, 7}, {7, 7}, {1, 1}, {2, 5}, 3, 3))[0].size(), 10U);
  // One index of an axis, which is then gone.
  EXPECT_EQ(sources(strided_slice({2, 5}, {-1, 0}, {0, 0}, {1, 1}, {5}, 0, 2, 1)),
            (std::vector<Numbers>{{5, 6, 7, 8, 9}}));
  // Ends are cut at the axis; fewer numbers than axes leave the rest whole.
  EXPECT_EQ(sources(strided_slice({3, 2}, {1}, {99}, {1}, {2, 2})), (std::vector<Numbers>{{2, 3, 4, 5}}));
  EXPECT_NE(refusal(strided_slice({2, 5}, {0, 3}, {2, 3}, {1, 1}, {2, 1})).find("empty slice"), std::string::npos);
  EXPECT_NE(refusal(strided_slice({2, 5}, {0, 0}, {2, 5}, {1, 0}, {2, 5})).find("bad stride"), std::string::npos);
  EXPECT_NE(refusal(strided_slice({2, 5}, {0, 1}, {2, 5}, {1, 2}, {2, 3})).find("another size"), std::string::npos);
}

TEST(Movement, SplitIsOneSliceAnOutput) {
  OneOperator split{.code = BuiltinOperator::SPLIT,
                    .in = {2, 4},
                    .constants = {{-1}},
                    .outs = {{2, 2}, {2, 2}},
                    .options = [](auto& b) { return tflite::CreateSplitOptions(b, 2).Union(); },
                    .type = BuiltinOptions::SplitOptions,
                    .constants_first = true};
  EXPECT_EQ(sources(split), (std::vector<Numbers>{{0, 1, 4, 5}, {2, 3, 6, 7}}));
  // An output that nobody needs is not made at all.
  split.wanted = {1};
  EXPECT_EQ(sources(split), (std::vector<Numbers>{{2, 3, 6, 7}}));
  OneOperator sized{
      .code = BuiltinOperator::SPLIT_V, .in = {5}, .constants = {{1, -1, 2}, {0}}, .outs = {{1}, {2}, {2}}};
  EXPECT_EQ(sources(sized), (std::vector<Numbers>{{0}, {1, 2}, {3, 4}}));
}

TEST(Movement, UnpackAndPack) {
  const OneOperator unpack{.code = BuiltinOperator::UNPACK,
                           .in = {2, 3},
                           .constants = {},
                           .outs = {{2}, {2}, {2}},
                           .options = [](auto& b) { return tflite::CreateUnpackOptions(b, 3, 1).Union(); },
                           .type = BuiltinOptions::UnpackOptions};
  EXPECT_EQ(sources(unpack), (std::vector<Numbers>{{0, 3}, {1, 4}, {2, 5}}));
  OneOperator pack{.code = BuiltinOperator::PACK,
                   .in = {2, 3},
                   .constants = {},
                   .outs = {{2, 2, 3}},
                   .options = [](auto& b) { return tflite::CreatePackOptions(b, 2, 1).Union(); },
                   .type = BuiltinOptions::PackOptions};
  pack.times = 2;
  const Graph graph = import_tflite(model_of(pack), "model.tflite");
  EXPECT_STREQ(kind_name(graph.ops[0]), "PACK");
  EXPECT_EQ(made_image(graph, graph.ops[0]), (ImageShape{1, 2, 6}));
  pack.outs = {{2, 3, 3}};
  EXPECT_NE(refusal(pack), "accepted");
}

TEST(Movement, TransposeAndReverse) {
  const OneOperator transpose{
      .code = BuiltinOperator::TRANSPOSE, .in = {2, 3}, .constants = {{1, 0}}, .outs = {{3, 2}}};
  EXPECT_EQ(sources(transpose), (std::vector<Numbers>{{0, 3, 1, 4, 2, 5}}));
  const OneOperator twice{.code = BuiltinOperator::TRANSPOSE, .in = {2, 3}, .constants = {{1, 1}}, .outs = {{3, 2}}};
  EXPECT_NE(refusal(twice).find("axis twice"), std::string::npos);
  const OneOperator reverse{.code = BuiltinOperator::REVERSE_V2, .in = {2, 3}, .constants = {{1}}, .outs = {{2, 3}}};
  EXPECT_EQ(sources(reverse), (std::vector<Numbers>{{2, 1, 0, 5, 4, 3}}));
}

TEST(Movement, Gather) {
  OneOperator gather{.code = BuiltinOperator::GATHER,
                     .in = {2, 3},
                     .constants = {{2, 0, 2}},
                     .outs = {{2, 3}},
                     .options = [](auto& b) { return tflite::CreateGatherOptions(b, 1).Union(); },
                     .type = BuiltinOptions::GatherOptions};
  EXPECT_EQ(sources(gather), (std::vector<Numbers>{{2, 0, 2, 5, 3, 5}}));
  gather.constants = {{3, 0, 2}};
  EXPECT_NE(refusal(gather).find("index outside"), std::string::npos);
}

TEST(Movement, SpaceAndDepth) {
  // Two pixels of two channels in each direction.
  const OneOperator to_depth{.code = BuiltinOperator::SPACE_TO_DEPTH,
                             .in = {1, 2, 4, 1},
                             .constants = {},
                             .outs = {{1, 1, 2, 4}},
                             .options = [](auto& b) { return tflite::CreateSpaceToDepthOptions(b, 2).Union(); },
                             .type = BuiltinOptions::SpaceToDepthOptions};
  EXPECT_EQ(sources(to_depth), (std::vector<Numbers>{{0, 1, 4, 5, 2, 3, 6, 7}}));
  const OneOperator to_space{.code = BuiltinOperator::DEPTH_TO_SPACE,
                             .in = {1, 1, 2, 4},
                             .constants = {},
                             .outs = {{1, 2, 4, 1}},
                             .options = [](auto& b) { return tflite::CreateDepthToSpaceOptions(b, 2).Union(); },
                             .type = BuiltinOptions::DepthToSpaceOptions};
  EXPECT_EQ(sources(to_space), (std::vector<Numbers>{{0, 1, 4, 5, 2, 3, 6, 7}}));
}

TEST(Movement, MirrorPad) {
  OneOperator mirror{
      .code = BuiltinOperator::MIRROR_PAD,
      .in = {1, 4},
      .constants = {{0, 0, 2, 1}},
      .outs = {{1, 7}},
      .options = [](auto& b) { return tflite::CreateMirrorPadOptions(b, tflite::MirrorPadMode::REFLECT).Union(); },
      .type = BuiltinOptions::MirrorPadOptions};
  EXPECT_EQ(sources(mirror), (std::vector<Numbers>{{2, 1, 0, 1, 2, 3, 2}}));
  mirror.options = [](auto& b) { return tflite::CreateMirrorPadOptions(b, tflite::MirrorPadMode::SYMMETRIC).Union(); };
  EXPECT_EQ(sources(mirror), (std::vector<Numbers>{{1, 0, 0, 1, 2, 3, 3}}));
  mirror.constants = {{0, 0, 5, 1}};
  EXPECT_NE(refusal(mirror).find("mirrored padding"), std::string::npos);
}

TEST(Movement, TileAndBroadcast) {
  const OneOperator tile{.code = BuiltinOperator::TILE, .in = {2, 2}, .constants = {{1, 2}}, .outs = {{2, 4}}};
  EXPECT_EQ(sources(tile), (std::vector<Numbers>{{0, 1, 0, 1, 2, 3, 2, 3}}));
  const OneOperator broadcast{
      .code = BuiltinOperator::BROADCAST_TO, .in = {2, 1}, .constants = {{3, 2, 2}}, .outs = {{3, 2, 2}}};
  EXPECT_EQ(sources(broadcast), (std::vector<Numbers>{{0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1}}));
}

TEST(Movement, WhatLeavesEveryScalarInPlaceIsAnAlias) {
  const Graph graph = canonicalize(
      import_tflite(model_of(strided_slice({1, 6}, {0, 0}, {1, 6}, {1, 1}, {6}, 0, 0, 1)), "model.tflite"));
  EXPECT_TRUE(graph.ops.empty());
  EXPECT_EQ(storage_of(graph, graph.outputs[0]), graph.inputs[0]);
}

TEST(Movement, TheWholeInputSeveralTimesIsNoAlias) {
  const OneOperator tile{.code = BuiltinOperator::TILE, .in = {1, 8}, .constants = {{3, 1}}, .outs = {{3, 8}}};
  const Graph graph = canonicalize(import_tflite(model_of(tile), "model.tflite"));
  ASSERT_EQ(graph.ops.size(), 1U);
  EXPECT_NO_THROW(validate(graph));
}

TEST(Movement, FewestAxes) {
  const Rearrange whole =
      simplified({.name = "SLICE", .start = 0, .axes = {{2, 12, {}}, {3, 4, {}}, {1, 9, {}}, {4, 1, {}}}});
  ASSERT_EQ(whole.axes.size(), 1U);
  EXPECT_EQ(whole.axes[0].extent, 24);
  const Rearrange listed = simplified({.name = "GATHER", .start = 1, .axes = {{3, 0, {4, 6, 8}}}});
  EXPECT_EQ(listed.start, 5);
  EXPECT_TRUE(listed.axes[0].offsets.empty());
  EXPECT_EQ(listed.axes[0].stride, 2);
}

}  // namespace
}  // namespace ripc
