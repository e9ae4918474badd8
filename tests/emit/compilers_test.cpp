// Emitted code and runtime pass every compiler without a warning.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "emit/harness.h"
#include "execute/input_stream.h"
#include "execute/networks.h"
#include "execute/plans.h"

namespace ripc {
namespace {

struct Case {
  const char* name;
  const char* compiler;
  const char* flags;
  bool runs;  ///< on this machine
};

std::ostream& operator<<(std::ostream& out, const Case& build) { return out << build.compiler << " " << build.flags; }

class Compilers : public testing::TestWithParam<Case> {};

TEST_P(Compilers, BuildWithoutAWarning) {
  const Case& build = GetParam();
  if (!test::has_compiler(build.compiler)) GTEST_SKIP() << build.compiler << " is not installed";
  const std::string compiler =
      fmt::format("{} {} -pedantic -Wall -Wextra -Wconversion -Werror", build.compiler, build.flags);
  for (const Graph& graph : {test::classifier(1), test::two_in_two_out(1), test::chain(1)}) {
    const bool chain = graph.ops.size() == 4 && graph.inputs.size() == 1;
    const Plan plan = chain ? test::chain_as_stage(graph) : test::disjoint_plan(graph);
    const Program program = link(graph, plan);
    const auto files = emit_c(graph, plan, program, {.prefix = "net", .flags = {}, .selftest_seed = 1});
    if (build.runs) {
      EXPECT_EQ(test::BuiltModel(program, files, "net", compiler).selftest(), 0);
    } else {
      const test::TemporaryFolder folder;
      test::compile(files, folder.path(), compiler);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Compilers,
    testing::Values(
        Case{"gcc_Os", "gcc", "-std=c99 -Os", true}, Case{"gcc_O2", "gcc", "-std=c99 -O2", true},
        Case{"gcc_O3_lto", "gcc", "-std=c99 -O3 -flto", true}, Case{"clang_O2", "clang", "-std=c99 -O2", true},
        Case{"gcc_avx2", "gcc", "-std=c99 -O2 -mavx2", false},
        Case{"clang_avx2", "clang", "-std=c99 -O2 -mavx2", false},
        Case{"gcc_sanitized", "gcc", "-std=c99 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all", true},
        Case{"gxx_11", "g++", "-x c++ -std=c++11 -O1", true}, Case{"gxx_17", "g++", "-x c++ -std=c++17 -O1", true},
        Case{"clangxx_11", "clang++", "-x c++ -std=c++11 -O1", true},
        Case{"cortex_m0plus", "arm-none-eabi-gcc", "-std=c99 -Os -mcpu=cortex-m0plus -mthumb", false},
        Case{"cortex_m4", "arm-none-eabi-gcc", "-std=c99 -Os -mcpu=cortex-m4 -mthumb", false},
        Case{"atmega328p", "avr-gcc", "-std=c99 -Os -mmcu=atmega328p", false},
        Case{"riscv32", "riscv64-unknown-elf-gcc", "-std=c99 -Os -march=rv32imc -mabi=ilp32 -ffreestanding", false}),
    [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace ripc
