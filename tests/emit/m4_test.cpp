// Emitted code with the kernels for Arm's DSP extension makes the host's bytes on an emulated Cortex-M4: their assembly
// against the portable C that runs here.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "check/check.h"
#include "emit/harness.h"
#include "execute/networks.h"
#include "execute/program.h"
#include "plan/pipeline.h"
#include "source_dir.h"

namespace ripc {
namespace {

/// Convolutions of every kind: RGB, 1x1, 3x3 and 5x5 with and without ReLU, odd channels, more taps than one turn of
/// the inner loop takes.
Graph convolutions(std::uint32_t seed) {
  test::NetworkBuilder builder(seed);
  const auto odd = static_cast<std::int64_t>(seed % 5);
  TensorId image = builder.input(12, 11, 3);
  image = builder.conv(image, 8 + odd, 3, 2);
  image = builder.conv(image, 20, 1, 1, Activation::none);
  image = builder.conv(image, 12 + odd, 3, 1);
  image = builder.depthwise(image, 3, 1);
  image = builder.conv(image, 16, 5, 1, seed % 2 == 0 ? Activation::relu : Activation::none);
  image = builder.conv(image, 7, 1, 2);
  return builder.finish({builder.dense(builder.mean(image), 10)});
}

Plan plan_for_m4(const Graph& graph) {
  PlanOptions options;
  options.optimize = Optimize::speed;
  options.kernels = [](const Graph& g, const Op& op) { return kernel_options(g, op, target_named("cortex-m4")); };
  return make_plan(graph, options);
}

TEST(CortexM4, MakesTheBytesOfTheHost) {
  for (const char* tool : {"arm-none-eabi-gcc", "qemu-system-arm"}) {
    if (!test::has_compiler(tool)) GTEST_SKIP() << tool << " is not installed";
  }
  int own_kernels = 0;
  for (const Graph& graph : {convolutions(1), convolutions(2), convolutions(3), convolutions(5), test::classifier(1)}) {
    const Plan plan = plan_for_m4(graph);
    EXPECT_NO_THROW(check_plan(graph, plan));
    for (const PlannedOp& op : plan.ops) own_kernels += op.kernel.find("_dsp_") != std::string::npos ? 1 : 0;
    const auto files = emit_c(graph, plan, link(graph, plan), {.prefix = "model", .flags = {}, .selftest_seed = 1});
    const test::TemporaryFolder folder;
    const std::string compiler = fmt::format("arm-none-eabi-gcc {} -O2 -mcpu=cortex-m4 -mthumb", test::kStrictC);
    std::string objects;
    for (const auto& object : test::compile(files, folder.path(), compiler)) objects += " " + object.string();
    const std::string bench = RIPC_SOURCE_DIR "/bench/kernels", firmware = (folder.path() / "firmware").string();
    const test::Outcome linked = test::run_command(
        fmt::format("arm-none-eabi-gcc -O1 -mcpu=cortex-m4 -mthumb -nostartfiles --specs=nosys.specs "
                    "-Wl,--no-warn-rwx-segments,--defsym=CODE_START=0,--defsym=RAM_START=0x20000000 -T {0}/machine.ld "
                    "-DTIMER=0x40000000u -DTIMER_MHZ=25u -I {0} -I {1} {0}/machine.c {0}/network.c{2} -lm -o {3}",
                    bench, folder.path().string(), objects, firmware));
    ASSERT_EQ(linked.status, 0) << linked.output;
    const test::Outcome ran = test::run_command(
        "timeout 60 qemu-system-arm -M mps2-an386 -display none -monitor none -serial none -icount shift=6 "
        "-semihosting-config enable=on,target=native -kernel " +
        firmware);
    EXPECT_EQ(ran.status, 0) << ran.output;
    EXPECT_NE(ran.output.find("same"), std::string::npos) << ran.output;
  }
  EXPECT_GE(own_kernels, 25);
}

}  // namespace
}  // namespace ripc
