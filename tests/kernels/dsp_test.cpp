// The kernels for Arm's DSP extension are offered where they are exact, and only on processors that have it.
#include "lower/dsp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/cases.h"
#include "kernels/run.h"
#include "lower/lower.h"
#include "lower/options.h"
#include "ripc/error.h"

namespace ripc::test {
namespace {

bool offers(const OpCase& op_case, const Target& target, const std::string& kernel) {
  const auto options = kernel_options(op_case.graph, op_case.op(), target);
  return std::ranges::any_of(options, [&](const KernelOption& option) { return option.contract->kernel == kernel; });
}

/// Of 100 operators of a family, those that the kernel can run.
int count_offers(const std::string& family_name, const Target& target, const std::string& kernel) {
  const auto family = std::ranges::find(families(), family_name, &Family::name);
  Random random(5);
  int count = 0;
  for (int i = 0; i < 100; ++i) count += offers(family->make(random), target, kernel) ? 1 : 0;
  return count;
}

TEST(Dsp, OffersItsConvolutionForMostOperators) {
  for (const char* family : {"conv", "pointwise", "fully_connected"}) {
    for (const char* kernel : {"rip_conv2d_dsp_row", "rip_conv2d_dsp_wide_row"}) {
      EXPECT_GE(count_offers(family, target_named("cortex-m4"), kernel), 50) << family;
      EXPECT_EQ(count_offers(family, target_named("cortex-m0plus"), kernel), 0) << family;
      EXPECT_EQ(count_offers(family, kPortable, kernel), 0) << family;
    }
  }
}

TEST(Dsp, OffersItsOtherKernels) {
  const Target m4 = target_named("cortex-m4");
  for (const char* kernel : {"rip_depthwise3_dsp_row", "rip_depthwise5_dsp_row", "rip_depthwise7_dsp_row"}) {
    EXPECT_GE(count_offers("depthwise_square", m4, kernel), 10) << kernel;
    EXPECT_EQ(count_offers("depthwise_square", kPortable, kernel), 0) << kernel;
  }
  EXPECT_GE(count_offers("depthwise_square", m4, "rip_depthwise3_dsp_plane"), 5);
  for (const char* kernel :
       {"rip_depthwise3_dsp_small_plane", "rip_depthwise5_dsp_small_plane", "rip_depthwise7_dsp_small_plane"}) {
    EXPECT_GE(count_offers("depthwise_square", m4, kernel), 5) << kernel;
    EXPECT_GE(count_offers("depthwise_wide", m4, kernel), 5) << kernel;
    EXPECT_EQ(count_offers("depthwise_square", kPortable, kernel), 0) << kernel;
  }
  EXPECT_GE(count_offers("add", m4, "rip_add_dsp_row"), 20);
}

TEST(Dsp, OffersRowsWithLessScratch) {
  const auto family = std::ranges::find(families(), "depthwise_square", &Family::name);
  Random random(5);
  int offered = 0, stretched = 0;
  for (int i = 0; i < 100; ++i) {
    const OpCase op_case = family->make(random);
    std::vector<KernelOption> rows;
    for (const KernelOption& option : kernel_options(op_case.graph, op_case.op(), target_named("cortex-m4"))) {
      if (std::string(option.contract->kernel).ends_with("_dsp_row")) rows.push_back(option);
    }
    if (rows.empty()) continue;
    ++offered;
    const Layer layer = layer_of(op_case.graph, op_case.op());
    EXPECT_EQ(rows.front().scratch_bytes, contract_bytes(rows.front().contract->scratch, layer));
    EXPECT_EQ(rows.back().scratch_bytes, 0);
    for (std::size_t j = 1; j < rows.size(); ++j) {
      EXPECT_LT(rows[j].scratch_bytes, rows[j - 1].scratch_bytes);
      EXPECT_GT(rows[j].instructions, rows[j - 1].instructions);
      const std::int64_t outputs = dsp_strip_outputs(layer, *rows[j].contract, rows[j].scratch_bytes);
      EXPECT_EQ(outputs % RIP_STRIP_OUTPUTS, 0);
      EXPECT_LT(outputs, out_width(layer));
      stretched += outputs > 0 ? 1 : 0;
    }
  }
  EXPECT_GE(offered, 30);
  EXPECT_GE(stretched, 5);
}

TEST(Dsp, KeepsStripsInAStage) {
  const auto family = std::ranges::find(families(), "depthwise_square", &Family::name);
  Random random(5);
  int count = 0;
  for (int i = 0; i < 100; ++i) {
    const OpCase op_case = family->make(random);
    const auto options = stage_kernel_options(op_case.graph, op_case.op(), target_named("cortex-m4"));
    count += options.front().kept_bytes > 0 ? 1 : 0;
    for (const KernelOption& option : kernel_options(op_case.graph, op_case.op(), kEveryKernel)) {
      EXPECT_EQ(option.kept_bytes, 0) << option.contract->kernel;
    }
  }
  EXPECT_GE(count, 10);
}

TEST(Dsp, ScalesTheSumsOfSteepDepthwiseChannels) {
  const auto family = std::ranges::find(families(), "depthwise_square", &Family::name);
  Random random(8);
  int offered = 0;
  for (int i = 0; i < 200; ++i) {
    OpCase op_case = family->make(random);
    // Outputs so fine that some channels' sums are multiplied by more than one.
    Tensor& out = op_case.graph.tensors[static_cast<std::size_t>(op_case.op().output)];
    for (float& scale : out.quantization.scale) scale /= std::exp2(static_cast<float>(random.number(5, 11)));
    const auto options = kernel_options(op_case.graph, op_case.op(), target_named("cortex-m4"));
    const auto plain = std::ranges::find_if(options, [](const KernelOption& option) {
      return std::string(option.contract->kernel) == "rip_depthwise_s8_row";
    });
    for (const KernelOption& option : options) {
      if (std::string(option.contract->kernel).find("_dsp_") == std::string::npos) continue;
      ++offered;
      const Offsets apart = side_by_side(op_case);
      ASSERT_EQ(run_kernel(op_case, option, apart, false, true), run_kernel(op_case, *plain, apart, false, true))
          << option.contract->kernel << ", case " << i;
    }
  }
  EXPECT_GE(offered, 50);
}

/// Factors of some channels below zero, or zero with a bias that no sum could be added to.
void spoil_channels(OpCase& op_case, Random& random) {
  const auto& conv = std::get<Conv2d>(op_case.op().kind);
  Tensor& weights = op_case.graph.tensors[static_cast<std::size_t>(conv.weights)];
  for (std::byte& weight : weights.data) {
    if (weight == std::byte{0x80}) weight = std::byte{0x81};
  }
  for (std::size_t c = 0; c < weights.quantization.scale.size(); ++c) {
    float& scale = weights.quantization.scale[c];
    if (random.chance(30)) scale = -scale;
    if (random.chance(80) || conv.bias == kNoTensor) continue;
    scale = 0.0F;
    const std::int32_t bias = random.chance(50) ? 2147483647 : -2147483647;
    std::memcpy(&op_case.graph.tensors[static_cast<std::size_t>(conv.bias)].data[4 * c], &bias, 4);
  }
}

TEST(OwnKernels, TurnChannelsOfNegativeFactors) {
  const auto family = std::ranges::find(families(), "pointwise", &Family::name);
  Random random(9);
  int offered = 0;
  for (int i = 0; i < 100; ++i) {
    OpCase op_case = family->make(random);
    spoil_channels(op_case, random);
    const auto options = kernel_options(op_case.graph, op_case.op(), kEveryKernel);
    const Offsets apart = side_by_side(op_case);
    const Bytes expected = run_kernel(op_case, options.back(), apart, false, true);
    for (const KernelOption& option : options) {
      ++offered;
      ASSERT_EQ(run_kernel(op_case, option, apart, false, true), expected) << option.contract->kernel << ", case " << i;
    }
  }
  EXPECT_GE(offered, 250);
}

TEST(OwnKernels, PadBehindTheLastColumn) {
  const auto family = std::ranges::find(families(), "pointwise", &Family::name);
  Random random(10);
  int offered = 0;
  for (int i = 0; i < 100; ++i) {
    OpCase op_case = family->make(random);
    Op& op = op_case.graph.ops[static_cast<std::size_t>(op_case.graph.ops.size() - 1)];
    auto& columns = std::get<Conv2d>(op.kind).columns;
    columns.pad_after += 3 * columns.stride;
    op_case.graph.tensors[static_cast<std::size_t>(op.output)].shape[2] += 3;
    const auto options = kernel_options(op_case.graph, op_case.op(), kEveryKernel);
    const Offsets apart = side_by_side(op_case);
    const Bytes expected = run_kernel(op_case, options.back(), apart, false, true);
    for (const KernelOption& option : options) {
      ++offered;
      ASSERT_EQ(run_kernel(op_case, option, apart, false, true), expected) << option.contract->kernel << ", case " << i;
    }
  }
  EXPECT_GE(offered, 250);
}

TEST(M0, OffersItsKernels) {
  const Target m0 = target_named("cortex-m0plus");
  for (const char* family : {"conv", "pointwise", "fully_connected"}) {
    const int gathering = count_offers(family, m0, "rip_conv2d_m0_row");
    EXPECT_GE(gathering + count_offers(family, m0, "rip_conv2d_small_m0_row"), 50) << family;
    EXPECT_GE(count_offers(family, m0, "rip_conv2d_any_m0_row"), gathering) << family;
    EXPECT_EQ(count_offers(family, target_named("cortex-m4"), "rip_conv2d_small_m0_row"), 0) << family;
    EXPECT_GE(count_offers(family, target_named("rv32imc"), "rip_conv2d_pairs_m0_row"), 50) << family;
    EXPECT_EQ(count_offers(family, m0, "rip_conv2d_pairs_m0_row"), 0) << family;
  }
  EXPECT_GE(count_offers("conv", m0, "rip_conv2d_m0_row"), 10);
  for (const char* kernel :
       {"rip_depthwise3_m0_small_plane", "rip_depthwise5_m0_small_plane", "rip_depthwise7_m0_small_plane"}) {
    EXPECT_GE(count_offers("depthwise_square", m0, kernel), 1) << kernel;
  }
  for (const char* kernel : {"rip_depthwise3_m0_row", "rip_depthwise5_m0_row", "rip_depthwise7_m0_row"}) {
    EXPECT_GE(count_offers("depthwise_square", m0, kernel), 15) << kernel;
  }
}

TEST(TableAdd, IsOfferedWhereTablesPay) {
  EXPECT_GE(count_offers("add", target_named("cortex-m0plus"), "rip_add_table_row"), 20);
  EXPECT_GE(count_offers("subtract", target_named("rv32imc"), "rip_add_table_row"), 20);
  EXPECT_EQ(count_offers("add", target_named("cortex-m4"), "rip_add_table_row"), 0);
  EXPECT_EQ(count_offers("add", kPortable, "rip_add_table_row"), 0);
}

TEST(Dsp, IsTheFirstChoiceOfItsTarget) {
  Random random(6);
  const auto family = std::ranges::find(families(), "pointwise", &Family::name);
  for (int i = 0; i < 20; ++i) {
    const OpCase op_case = family->make(random);
    const auto options = kernel_options(op_case.graph, op_case.op(), target_named("cortex-m7"));
    EXPECT_STREQ(options.back().contract->kernel, "rip_pointwise_s8_row");
    if (options.size() == 1) continue;
    EXPECT_TRUE(std::string(options.front().contract->kernel).starts_with("rip_conv2d_dsp"));
  }
}

TEST(Targets, AreKnownByName) {
  for (const std::string& name : target_names()) EXPECT_EQ(target_named(name).name, name);
  EXPECT_THROW(target_named("cortex-m99"), Error);
}

}  // namespace
}  // namespace ripc::test
