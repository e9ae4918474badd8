// --board: a firmware's files, and the limits of its chip.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/process.h"
#include "source_dir.h"

namespace ripc {
namespace {

using test::Folder;
using test::kDigits;

const std::string kNetwork = RIPC_SOURCE_DIR "/networks/mcunet/mcunet-vww0.json";

TEST(Board, ProjectHasAllThatItBuildsFrom) {
  const Folder folder;
  const auto result = test::ripc({"compile", kDigits, "--board", "uno", "-o", (folder / "out").string()});
  ASSERT_EQ(result.code, 0) << result.err;
  for (const char* file : {"Makefile", "board/board.mk", "board/project.mk", "board/model.h", "board/firmware.c"}) {
    EXPECT_TRUE(std::filesystem::exists(folder / "out" / file)) << file;
  }
}

TEST(Board, LimitsRamWithItsStack) {
  const auto result = test::ripc({"plan", kNetwork, "--board", "uno"});
  EXPECT_EQ(result.code, 3);
  EXPECT_NE(result.err.find("at most 2,048 bytes"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("stack"), std::string::npos) << result.err;
  EXPECT_EQ(test::ripc({"plan", kNetwork, "--board", "uno", "--ram", "64K"}).code, 0);
  EXPECT_EQ(test::ripc({"plan", kNetwork, "--board", "pico"}).code, 0);
}

TEST(Board, KnowsTheStackOfItsProcessor) {
  const auto account_of = [](const char* option, const char* name) {
    return nlohmann::json::parse(test::ripc({"plan", kDigits, "--json", option, name}).out);
  };
  EXPECT_EQ(account_of("--board", "uno").at("stack_bytes"), 600);
  EXPECT_EQ(account_of("--target", "cortex-m33").at("stack_measured_on"), "Pico 2 (RP2350)");
  EXPECT_EQ(account_of("--target", "cortex-m33").at("stack_bytes"), account_of("--board", "pico2").at("stack_bytes"));
  EXPECT_TRUE(account_of("--target", "portable").at("stack_bytes").is_null());
  const std::int64_t ram = account_of("--target", "cortex-m4").at("ram_bytes");
  const auto code_with = [&](std::int64_t bytes) {
    return test::ripc({"plan", kDigits, "--target", "cortex-m4", "--ram", std::to_string(bytes)}).code;
  };
  EXPECT_EQ(code_with(ram + 1024), 0);
  EXPECT_EQ(code_with(ram + 1023), 3);
}

TEST(Board, LimitsFlash) {
  const Folder folder;
  const std::string out = (folder / "out").string();
  const auto code_with = [&](const char* flash) {
    return test::ripc({"compile", kNetwork, "--random-weights", "1", "--board", "pico2", "--flash", flash, "-o", out})
        .code;
  };
  EXPECT_EQ(code_with("300K"), 3);
  EXPECT_EQ(code_with("400K"), 0);  // with smaller weights than the chip has room for
  EXPECT_EQ(test::ripc({"compile", kNetwork, "--random-weights", "1", "--board", "pico2", "-o", out}).code, 0);
}

TEST(Board, ThatThereIsNotIsWrongUsage) {
  EXPECT_EQ(test::ripc({"compile", kDigits, "--board", "teapot", "-o", "out"}).code, 2);
  EXPECT_EQ(test::ripc({"compile", kNetwork, "--random-weights", "x", "-o", "out"}).code, 2);
}

}  // namespace
}  // namespace ripc
