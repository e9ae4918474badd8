#include "passes/passes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/graphs.h"

namespace ripc {
namespace {

using test::chain_graph;
using test::GraphBuilder;

const Window kOne{}, kThree{.kernel = 3}, kSame{.kernel = 3, .pad_before = 1, .pad_after = 1};
const Pad kBorder{.before = {1, 1, 0}, .after = {1, 1, 0}};

Tensor& tensor(Graph& graph, TensorId id) { return graph.tensors[static_cast<std::size_t>(id)]; }

std::vector<std::string> kinds(const Graph& graph) {
  std::vector<std::string> names;
  for (const Op& op : graph.ops) names.emplace_back(kind_name(op));
  return names;
}

using Kinds = std::vector<std::string>;

/// Canonicalises, and checks what must hold of every canonical graph.
Graph canonical(const Graph& graph, const PassOptions& options = {}) {
  validate(graph);
  Graph result = canonicalize(graph, options);
  validate(result);
  EXPECT_EQ(graph_hash(canonicalize(result, options)), graph_hash(result));
  for (const Tensor& t : result.tensors) {
    const auto before = std::ranges::find(graph.tensors, t.source, &Tensor::source);
    EXPECT_TRUE(before != graph.tensors.end() && before->name == t.name);
  }
  return result;
}

TEST(Reshape, BecomesAnAlias) {
  Graph graph = canonical(chain_graph());
  EXPECT_EQ(graph.ops.size(), 9U);
  const Tensor& flat = tensor(graph, graph.ops[7].inputs[0]);
  EXPECT_EQ(graph.ops[7].source, 8);
  EXPECT_EQ(flat.shape, (std::vector<std::int64_t>{1, 8}));
  EXPECT_EQ(flat.alias_of, graph.ops[6].output);
}

TEST(Reshape, ChainsEndAtOneRoot) {
  GraphBuilder builder;
  const TensorId in = builder.input({2, 3, 4});
  const TensorId out = builder.reshape(builder.reshape(builder.reshape(in, {1, 24}), {24}), {1, 4, 3, 2});
  Graph graph = canonical(builder.finish({out}));
  EXPECT_TRUE(graph.ops.empty());
  EXPECT_EQ(tensor(graph, graph.outputs[0]).alias_of, graph.inputs[0]);
  EXPECT_EQ(graph.tensors.size(), 2U);
}

TEST(Reshape, OfTwoReadersAndAnOutput) {
  GraphBuilder builder;
  const TensorId in = builder.input({4, 4, 2});
  const TensorId conv = builder.conv(in, 2, kOne, kOne);
  const TensorId view = builder.reshape(conv, {1, 2, 8, 2});
  const TensorId other = builder.conv(view, 2, kOne, kOne);
  Graph graph = canonical(builder.finish({builder.reshape(conv, {1, 32}), other, conv}));
  EXPECT_EQ(kinds(graph), (Kinds{"CONV_2D", "CONV_2D"}));
  EXPECT_EQ(tensor(graph, graph.outputs[0]).alias_of, graph.outputs[2]);
  EXPECT_EQ(storage_of(graph, graph.ops[1].inputs[0]), graph.outputs[2]);
}

TEST(Reshape, PadByNothingIsOne) {
  GraphBuilder builder;
  const TensorId in = builder.input({4, 4, 2});
  const TensorId padded = builder.pad(in, {});
  const Graph graph = canonical(builder.finish({builder.add(padded, in)}));
  EXPECT_EQ(kinds(graph), Kinds{"ADD"});
}

TEST(Pad, FoldsIntoAConvolution) {
  GraphBuilder builder;
  const TensorId in = builder.input({6, 7, 2});
  const TensorId padded = builder.pad(in, {.before = {0, 1, 0}, .after = {1, 2, 0}});
  const TensorId out = builder.conv(padded, 4, {.kernel = 3, .stride = 2, .pad_before = 1}, kThree);
  const Graph graph = canonical(builder.finish({out}));
  ASSERT_EQ(kinds(graph), Kinds{"CONV_2D"});
  EXPECT_EQ(graph.ops[0].inputs, graph.inputs);
  EXPECT_EQ(graph.ops[0].source, 1);
  const auto& conv = std::get<Conv2d>(graph.ops[0].kind);
  EXPECT_EQ(conv.rows, (Window{.kernel = 3, .stride = 2, .pad_before = 1, .pad_after = 1}));
  EXPECT_EQ(conv.columns, (Window{.kernel = 3, .pad_before = 1, .pad_after = 2}));
}

TEST(Pad, SharedByTwoBranchesFoldsIntoEach) {
  GraphBuilder builder;
  const TensorId in = builder.input({6, 6, 4});
  const TensorId padded = builder.pad(in, kBorder);
  const TensorId left = builder.conv(padded, 4, kThree, kThree);
  const TensorId right = builder.depthwise(padded, kThree, kThree);
  const Graph graph = canonical(builder.finish({builder.add(left, right)}));
  ASSERT_EQ(kinds(graph), (Kinds{"CONV_2D", "DEPTHWISE_CONV_2D", "ADD"}));
  EXPECT_EQ(graph.ops[0].inputs, graph.inputs);
  EXPECT_EQ(graph.ops[1].inputs, graph.inputs);
  EXPECT_EQ(std::get<Conv2d>(graph.ops[0].kind).rows, kSame);
  EXPECT_EQ(std::get<DepthwiseConv2d>(graph.ops[1].kind).columns, kSame);
}

TEST(Pad, TwoPadsOfOneProducer) {
  GraphBuilder builder;
  const TensorId in = builder.input({6, 6, 4});
  const TensorId left = builder.conv(builder.pad(in, kBorder), 4, kThree, kThree);
  const TensorId right = builder.conv(builder.pad(in, kBorder), 4, kThree, kThree);
  const Graph graph = canonical(builder.finish({builder.add(left, right)}));
  EXPECT_EQ(kinds(graph), (Kinds{"CONV_2D", "CONV_2D", "ADD"}));
  EXPECT_EQ(graph.ops[0].inputs, graph.ops[1].inputs);
}

/// A network in which a PAD must stay, and why.
struct Kept {
  const char* reason;
  TensorId (*build)(GraphBuilder& builder, TensorId in);
};

class PadStays : public testing::TestWithParam<Kept> {};

TEST_P(PadStays, Where) {
  GraphBuilder builder;
  const TensorId in = builder.input({6, 6, 4});
  const TensorId out = GetParam().build(builder, in);
  const Graph before = builder.finish({out});
  const auto pads = [](const Graph& graph) {
    return std::ranges::count_if(graph.ops, [](const Op& op) { return std::holds_alternative<Pad>(op.kind); });
  };
  EXPECT_EQ(pads(canonical(before)), 1) << GetParam().reason;
  EXPECT_EQ(graph_hash(canonical(before)), graph_hash(before));
}

const Kept kKept[] = {
    {"channels are padded",
     [](GraphBuilder& b, TensorId in) {
       return b.conv(b.pad(in, {.before = {1, 1, 0}, .after = {1, 1, 2}}), 4, kThree, kThree);
     }},
    {"an average counts its taps",
     [](GraphBuilder& b, TensorId in) { return b.pool(PoolKind::average, b.pad(in, kBorder), kThree, kThree); }},
    {"a maximum sees the zero point",
     [](GraphBuilder& b, TensorId in) { return b.pool(PoolKind::max, b.pad(in, kBorder), kThree, kThree); }},
    {"another operator reads it too",
     [](GraphBuilder& b, TensorId in) {
       const TensorId padded = b.pad(in, kBorder);
       return b.add(b.conv(padded, 4, kSame, kSame), padded);
     }},
    {"the fill is not the zero point of the input",
     [](GraphBuilder& b, TensorId in) {
       const TensorId padded = b.pad(in, kBorder);
       b.tensor(padded).quantization.zero_point[0] += 1;
       return b.conv(padded, 4, kThree, kThree);
     }},
    {"scales differ",
     [](GraphBuilder& b, TensorId in) {
       const TensorId padded = b.pad(in, kBorder);
       b.tensor(padded).quantization.scale[0] *= 2.0F;
       return b.conv(padded, 4, kThree, kThree);
     }},
    {"a window lies in padding alone",
     [](GraphBuilder& b, TensorId in) { return b.conv(b.pad(in, kBorder), 4, kOne, kOne); }},
    {"it is an output", [](GraphBuilder& b, TensorId in) { return b.pad(in, kBorder); }},
};

INSTANTIATE_TEST_SUITE_P(Table, PadStays, testing::ValuesIn(kKept));

TEST(Pad, FoldsIntoAMaximumOverTheLeastValue) {
  GraphBuilder builder;
  const TensorId in = builder.input({6, 6, 4});
  builder.tensor(in).quantization.zero_point[0] = -128;
  const Graph graph =
      canonical(builder.finish({builder.pool(PoolKind::max, builder.pad(in, kBorder), kThree, kThree)}));
  ASSERT_EQ(kinds(graph), Kinds{"MAX_POOL_2D"});
  EXPECT_EQ(std::get<Pool2d>(graph.ops[0].kind).rows, kSame);
}

TEST(Pad, OptionKeepsIt) {
  GraphBuilder builder;
  const TensorId in = builder.input({6, 6, 4});
  const Graph graph = builder.finish({builder.conv(builder.pad(in, kBorder), 4, kThree, kThree)});
  EXPECT_EQ(kinds(canonical(graph, {.fold_pads = false})), (Kinds{"PAD", "CONV_2D"}));
}

TEST(Clamp, FusesIntoItsProducer) {
  for (const Activation activation : {Activation::relu, Activation::relu6, Activation::relu_n1_to_1}) {
    GraphBuilder builder;
    const TensorId in = builder.input({4, 4, 2});
    const TensorId conv = builder.clamp(builder.conv(in, 3, kOne, kOne), activation);
    const TensorId sum = builder.clamp(builder.add(conv, conv), activation);
    Graph graph = canonical(builder.finish({sum}));
    ASSERT_EQ(kinds(graph), (Kinds{"CONV_2D", "ADD"}));
    EXPECT_EQ(std::get<Conv2d>(graph.ops[0].kind).activation, activation);
    EXPECT_EQ(std::get<Binary>(graph.ops[1].kind).activation, activation);
    // What is written now is what the clamp wrote.
    EXPECT_EQ(graph.ops[0].source, 1);
    EXPECT_EQ(tensor(graph, graph.ops[0].output).source, conv);
    EXPECT_EQ(graph.outputs[0], graph.ops[1].output);
  }
}

TEST(Clamp, StaysWhereItIsNotTheSame) {
  const auto clamps = [](const Graph& graph) {
    const auto names = kinds(canonical(graph));
    return std::ranges::count_if(names, [](const std::string& name) { return name.starts_with("RELU"); });
  };
  {
    GraphBuilder builder;  // the value before the clamp is read too
    const TensorId conv = builder.conv(builder.input({4, 4, 2}), 3, kOne, kOne);
    EXPECT_EQ(clamps(builder.finish({builder.add(builder.clamp(conv, Activation::relu), conv)})), 1);
  }
  {
    GraphBuilder builder;  // or is an output
    const TensorId conv = builder.conv(builder.input({4, 4, 2}), 3, kOne, kOne);
    EXPECT_EQ(clamps(builder.finish({builder.clamp(conv, Activation::relu), conv})), 1);
  }
  {
    GraphBuilder builder;  // rescaling rounds twice
    const TensorId conv = builder.conv(builder.input({4, 4, 2}), 3, kOne, kOne);
    const TensorId out = builder.clamp(conv, Activation::relu);
    builder.tensor(out).quantization.scale[0] *= 0.5F;
    EXPECT_EQ(clamps(builder.finish({out})), 1);
  }
  {
    GraphBuilder builder;  // the place is taken
    const TensorId conv = builder.conv(builder.input({4, 4, 2}), 3, kOne, kOne, Activation::relu6);
    EXPECT_EQ(clamps(builder.finish({builder.clamp(conv, Activation::relu)})), 1);
  }
  {
    GraphBuilder builder;  // only one of two
    const TensorId conv = builder.conv(builder.input({4, 4, 2}), 3, kOne, kOne);
    const TensorId first = builder.clamp(conv, Activation::relu);
    EXPECT_EQ(clamps(builder.finish({builder.clamp(first, Activation::relu6)})), 1);
  }
  {
    GraphBuilder builder;  // nothing to fuse into
    const TensorId in = builder.input({4, 4, 2});
    EXPECT_EQ(clamps(builder.finish({builder.clamp(builder.resize(in, 8, 8), Activation::relu)})), 1);
  }
}

TEST(Edges, FloatOnesGo) {
  GraphBuilder builder;
  const TensorId in = builder.float_input({4, 4, 2});
  const TensorId quantized = builder.quantize(builder.reshape(in, {1, 2, 8, 2}));
  const TensorId conv = builder.conv(quantized, 3, kOne, kOne);
  const TensorId out = builder.reshape(builder.dequantize(conv), {1, 48});
  const Graph graph = builder.finish({out});
  EXPECT_EQ(kinds(canonical(graph)), (Kinds{"QUANTIZE", "CONV_2D", "DEQUANTIZE"}));
  Graph quiet = canonical(graph, {.io_int8 = true});
  ASSERT_EQ(kinds(quiet), Kinds{"CONV_2D"});
  EXPECT_EQ(tensor(quiet, quiet.inputs[0]).source, quantized);
  EXPECT_EQ(tensor(quiet, quiet.outputs[0]).source, conv);
}

TEST(Edges, OthersStay) {
  GraphBuilder builder;
  const TensorId in = builder.float_input({4, 4, 2});
  const TensorId one = builder.quantize(in), two = builder.quantize(in);  // two scales of one input
  const TensorId real = builder.dequantize(builder.add(one, two));
  const TensorId again = builder.quantize(real);  // inside the network
  const Graph graph = canonical(builder.finish({builder.conv(again, 2, kOne, kOne)}), {.io_int8 = true});
  EXPECT_EQ(kinds(graph), (Kinds{"QUANTIZE", "QUANTIZE", "ADD", "DEQUANTIZE", "QUANTIZE", "CONV_2D"}));
}

TEST(Dead, OperatorsAndTensorsGoInputsStay) {
  GraphBuilder builder;
  const TensorId in = builder.input({4, 4, 2});
  builder.input({9, 9, 9});
  const TensorId kept = builder.conv(in, 3, kOne, kOne);
  builder.conv(builder.conv(kept, 5, kOne, kOne), 6, kOne, kOne);
  const Graph graph = canonical(builder.finish({kept}));
  EXPECT_EQ(kinds(graph), Kinds{"CONV_2D"});
  EXPECT_EQ(graph.inputs.size(), 2U);
  EXPECT_EQ(graph.tensors.size(), 5U);  // two inputs, an output, weights, bias
}

TEST(Outputs, CutOffATail) {
  GraphBuilder builder;
  const TensorId in = builder.input({4, 4, 2}), other = builder.input({4, 4, 3});
  const TensorId first = builder.conv(in, 3, kOne, kOne);
  const Graph graph = builder.finish({builder.add(first, other)});
  Graph cut = keep_outputs(graph, {"t" + std::to_string(first)});
  validate(cut);
  EXPECT_EQ(kinds(cut), Kinds{"CONV_2D"});
  ASSERT_EQ(cut.inputs.size(), 1U);
  EXPECT_EQ(tensor(cut, cut.inputs[0]).source, in);
  for (const std::string name : {"none", "t0"}) {
    try {
      keep_outputs(graph, {name});
      FAIL() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.context().fault, Fault::usage);
      EXPECT_EQ(error.context().tensor, name);
    }
  }
}

}  // namespace
}  // namespace ripc
