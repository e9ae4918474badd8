#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/process.h"
#include "source_dir.h"

namespace ripc::test {
namespace {

using Json = nlohmann::json;

TEST(Plan, JsonIsConsistent) {
  const Result result = ripc({"plan", kDigits, "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  const Json account = Json::parse(result.out);
  const std::int64_t arena = account.at("arena").at("bytes");
  EXPECT_GE(arena, account.at("arena").at("lower_bound"));
  EXPECT_EQ(account.at("arena").at("proven").get<bool>(), account.at("arena").at("lower_bound") == arena);
  EXPECT_LE(arena, account.at("dual_buffer").at("bytes"));
  EXPECT_LE(account.at("dual_buffer").at("bytes"), account.at("greedy").at("bytes"));
  EXPECT_EQ(account.at("ram_bytes"), arena + account.at("state_bytes").get<std::int64_t>());
  EXPECT_EQ(account.at("largest_block_bytes"), arena);

  std::int64_t top = 0, constants = 0, peaks = 0;
  for (const Json& op : account.at("ops")) {
    EXPECT_LE(op.at("live_bytes"), op.at("high_water"));
    EXPECT_LE(op.at("output_bytes"), op.at("live_bytes"));
    EXPECT_EQ(op.at("in_place").get<bool>(), !op.at("gap").is_null());
    top = std::max<std::int64_t>(top, op.at("high_water"));
    constants += op.at("constant_bytes").get<std::int64_t>();
    if (!op.at("peak").get<bool>()) continue;
    ++peaks;
    EXPECT_EQ(op.at("high_water"), arena);
  }
  EXPECT_EQ(top, arena);
  EXPECT_EQ(peaks, 1);
  EXPECT_EQ(constants, account.at("constant_bytes"));
  for (const Json& block : account.at("blocks")) {
    EXPECT_GE(block.at("offset"), 0);
    EXPECT_LE(block.at("offset").get<std::int64_t>() + block.at("bytes").get<std::int64_t>(), arena);
    EXPECT_LE(block.at("first"), block.at("last"));
  }
}

TEST(Plan, WindowsSayWhereTheProductsComeFrom) {
  const Json account = Json::parse(ripc({"plan", kDigits, "--json"}).out);
  int with_products = 0;
  for (const Json& op : account.at("ops")) {
    if (op.at("macs") == 0) continue;
    ++with_products;
    const Json& window = op.at("window");
    std::int64_t products = window.at("input").at(2).get<std::int64_t>() / window.at("groups").get<std::int64_t>();
    for (const Json& extent : op.at("shape")) products *= extent.get<std::int64_t>();
    for (const Json& extent : window.at("kernel")) products *= extent.get<std::int64_t>();
    EXPECT_EQ(products, op.at("macs")) << op.dump();
  }
  EXPECT_GE(with_products, 3);
}

TEST(Plan, WithLessFlashKernelsAreSlowerAndTheirWeightsSmaller) {
  const auto plan = [](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"plan", kDigits, "--json", "--target", "cortex-m4", "--optimize", "speed"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return ripc(arguments);
  };
  const Json ample = Json::parse(plan({"--flash", "1M"}).out);
  const std::int64_t most = ample.at("constant_bytes"), least = ample.at("least_constant_bytes");
  EXPECT_LT(least, most);
  for (const Json& op : ample.at("ops")) EXPECT_FALSE(op.at("slowed_by_flash"));
  const std::int64_t between = (least + most) / 2;
  const Result tight = plan({"--flash", std::to_string(between)});
  EXPECT_EQ(tight.code, 0) << tight.err;
  const Json account = Json::parse(tight.out);
  EXPECT_LE(account.at("constant_bytes"), between);
  EXPECT_EQ(account.at("least_constant_bytes"), least);
  EXPECT_TRUE(
      std::ranges::any_of(account.at("ops"), [](const Json& op) { return op.at("slowed_by_flash").get<bool>(); }));
  EXPECT_EQ(plan({"--flash", std::to_string(least)}).code, 0);
  EXPECT_EQ(plan({"--flash", std::to_string(least - 1)}).code, 3);
}

TEST(Plan, TheGapIsTheDistanceOfTheBlocks) {
  const Json account = Json::parse(ripc({"plan", kDigits, "--json"}).out);
  // Operators and tensors of this chain: block i + 1 is written over block i.
  std::map<std::string, Json> blocks;
  std::vector<Json> tensors;
  for (const Json& block : account.at("blocks")) {
    if (block.contains("tensor")) blocks[block.at("tensor")] = block;
  }
  int in_place = 0;
  for (const Json& op : account.at("ops")) {
    if (!op.at("in_place").get<bool>()) continue;
    ++in_place;
    const Json& output = blocks.at(op.at("output"));
    const std::int64_t input_offset = output.at("offset").get<std::int64_t>() + op.at("gap").get<std::int64_t>();
    const bool found = std::ranges::any_of(blocks, [&](const auto& entry) {
      return entry.second.at("offset") == input_offset && entry.second.at("last") == output.at("first");
    });
    EXPECT_TRUE(found) << op.dump();
  }
  EXPECT_GT(in_place, 0);
}

TEST(Plan, SaysWhatAnotherOrderSaves) {
  const std::string network = RIPC_SOURCE_DIR "/networks/branching/layerwise.json";
  const Json best = Json::parse(ripc({"plan", network, "--json"}).out);
  const Json file = Json::parse(ripc({"plan", network, "--json", "--order", "file"}).out);
  EXPECT_FALSE(best.at("order").at("of_the_file").get<bool>());
  EXPECT_TRUE(best.at("order").at("proven").get<bool>());
  EXPECT_EQ(best.at("order").at("file_bytes"), file.at("arena").at("bytes"));
  EXPECT_LT(best.at("arena").at("bytes"), file.at("arena").at("bytes"));
  EXPECT_TRUE(file.at("order").at("of_the_file").get<bool>());
  EXPECT_FALSE(file.at("order").at("proven").get<bool>());
  const Result text = ripc({"plan", network});
  EXPECT_NE(text.out.find("not the file's, which needs 589,968: saves "), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("proven: no order needs less"), std::string::npos) << text.out;
  EXPECT_EQ(ripc({"plan", network, "--order", "worst"}).code, 2);
}

TEST(Plan, TextNamesEveryAccounting) {
  const Result result = ripc({"plan", kDigits});
  ASSERT_EQ(result.code, 0) << result.err;
  for (const char* word : {"greedy planner", "dual buffer", "RiP arena", "lower bound", "scratch", "state",
                           "largest block of RAM", "constants in flash", "CONV_2D", "<- peak", "high water"}) {
    EXPECT_NE(result.out.find(word), std::string::npos) << word << " in\n" << result.out;
  }
}

TEST(Plan, WritesThePictureBesideTheTables) {
  const Folder folder;
  const std::string html = (folder / "memory.html").string(), svg = (folder / "memory.svg").string();
  const Result result = ripc({"plan", kDigits, "--html", html, "--svg", svg});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, ripc({"plan", kDigits}).out) << "the tables are printed as ever";
  EXPECT_TRUE(read_file(html).starts_with("<!doctype html>"));
  EXPECT_TRUE(read_file(svg).starts_with("<svg "));
  ASSERT_EQ(ripc({"compile", kDigits, "-o", (folder / "out").string()}).code, 0);
  EXPECT_EQ(read_file(folder / "out" / "digits_report.html"), read_file(html));
  const Result nowhere = ripc({"plan", kDigits, "--svg", (folder / "no/such/folder.svg").string()});
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_TRUE(is_one_line_fault(nowhere)) << nowhere.err;
}

TEST(Plan, DrawsTheWaysOfRunningTheNetwork) {
  const Folder folder;
  const std::string html = (folder / "ways.html").string(), svg = (folder / "ways.svg").string();
  const Result result = ripc({"plan", kDigits, "--pareto", "--html", html, "--svg", svg});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, ripc({"plan", kDigits, "--pareto"}).out) << "the table is printed as ever";
  const std::string page = read_file(html), picture = read_file(svg);
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_TRUE(picture.starts_with("<svg "));
  EXPECT_NE(page.find(picture), std::string::npos);
  EXPECT_NE(page.find("<td>operator by operator</td>"), std::string::npos) << page;
  // The arena that the page gives for the plain way is the one that it is planned in.
  const Json account = Json::parse(ripc({"plan", kDigits, "--json"}).out);
  const std::string arena = std::to_string(account.at("arena").at("bytes").get<std::int64_t>()) + " bytes";
  EXPECT_NE(picture.find("<title>operator by operator\narena " + arena), std::string::npos) << picture;

  const Result json = ripc({"plan", kDigits, "--pareto", "--json"});
  EXPECT_EQ(json.code, 2);
  EXPECT_TRUE(is_one_line_fault(json)) << json.err;
}

TEST(Plan, KeepingTheInputAndAnExternalOneChangeTheArena) {
  const auto ram = [](std::vector<std::string> arguments) -> std::int64_t {
    arguments.insert(arguments.begin(), {"plan", kDigits, "--json"});
    const Result result = ripc(arguments);
    EXPECT_EQ(result.code, 0) << result.err;
    return Json::parse(result.out).at("ram_bytes");
  };
  EXPECT_LT(ram({}), ram({"--keep-input"}));
  EXPECT_LE(ram({"--input", "extern"}), ram({"--keep-input"}));
}

TEST(Plan, DisjointIsTheDualBuffer) {
  const Json in_place = Json::parse(ripc({"plan", kDigits, "--json"}).out);
  const Json disjoint = Json::parse(ripc({"plan", kDigits, "--json", "--disjoint"}).out);
  EXPECT_EQ(disjoint.at("arena"), in_place.at("dual_buffer"));
  for (const Json& op : disjoint.at("ops")) EXPECT_FALSE(op.at("in_place").get<bool>());
}

TEST(Plan, AnOutputInTheMiddleCutsTheTailOff) {
  const Json whole = Json::parse(ripc({"plan", kDigits, "--json"}).out);
  const std::string middle = whole.at("ops").at(1).at("output");
  const Result result = ripc({"plan", kDigits, "--json", "--outputs", middle});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(Json::parse(result.out).at("ops").size(), 2U);
}

TEST(Plan, ANetworkWithoutWeightsHasAMemoryTableAndNoCode) {
  const std::string network = RIPC_SOURCE_DIR "/networks/mcunet/person-det.json";
  const Result plan = ripc({"plan", network, "--json"});
  ASSERT_EQ(plan.code, 0) << plan.err;
  EXPECT_TRUE(Json::parse(plan.out).at("constant_bytes").is_null());
  const Folder folder;
  const Result compiled = ripc({"compile", network, "-o", (folder / "out").string()});
  EXPECT_EQ(compiled.code, 1);
  EXPECT_TRUE(is_one_line_fault(compiled)) << compiled.err;
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST(Overview, OneScreenAnswersANewUser) {
  const Result result = ripc({kDigits});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_LE(std::ranges::count(result.out, '\n'), 32);
  for (const char* word : {"RAM", "arena", "scratch", "state", "stack", "Flash", "greedy (as TFLM)", "best dual buffer",
                           "lower bound", "peak", "Boards", "Next: ripc compile"}) {
    EXPECT_NE(result.out.find(word), std::string::npos) << word << " in\n" << result.out;
  }
  EXPECT_EQ(ripc({kDigits, "--ram", "64"}).code, 3);
}

}  // namespace
}  // namespace ripc::test
