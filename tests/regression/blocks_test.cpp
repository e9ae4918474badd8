// Networks of which stages in blocks once gave wrong bytes or wrong figures.
#include <gtest/gtest.h>

#include <cctype>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/process.h"
#include "source_dir.h"

namespace ripc {
namespace {

using test::Folder;
using test::is_one_line_fault;

std::string write_network(const Folder& folder, const char* text) {
  const auto path = folder / "network.json";
  std::ofstream(path) << text;
  return path.string();
}

const std::string kMcunet = RIPC_SOURCE_DIR "/networks/mcunet/mcunet-in0.json";

TEST(Blocks, MayBeginWithPixelsThatReadPaddingOnly) {
  const Folder folder;
  const std::string network = write_network(folder, R"({"name":"wide_padding","inputs":{"i":[16,16,4]},"ops":[
    {"op":"relu"},{"op":"conv","channels":8,"kernel":3,"pad":3},{"op":"conv","channels":2,"kernel":3,"stride":2}]})");
  for (const char* blocks : {"2", "3", "4", "auto"}) {
    const auto result = test::ripc(
        {"verify", network, "--random-weights", "5", "--stages", "on", "--stream-input", "--blocks", blocks});
    EXPECT_EQ(result.code, 0) << blocks << ": " << result.err;
  }
}

TEST(Blocks, OfOneRowAreReportedBeforeOthersAreWrittenOverThem) {
  const Folder folder;
  const std::string network = write_network(folder, R"({"name":"one_row","inputs":{"i":[1,19,4]},"ops":[
    {"out":"a","in":"i","op":"conv","kernel":[3,3],"stride":[2,1],"pad":[16,2,1,0],"dilation":[9,2],"channels":16},
    {"out":"b","in":"a","op":"max_pool","kernel":[3,1],"stride":[2,1],"pad":"same"},
    {"out":"c","in":["b","a"],"op":"add"},{"out":"d","in":"c","op":"relu"},
    {"out":"e","in":"c","op":"average_pool","kernel":[2,5],"stride":[1,3],"pad":"same"}]})");
  const auto result = test::ripc({"verify", network, "--random-weights", "5", "--stages", "on", "--blocks", "auto"});
  EXPECT_EQ(result.code, 0) << result.err;
}

TEST(Blocks, AreNotMoreBytesThanTheArenaHas) {
  const auto account =
      nlohmann::json::parse(test::ripc({"plan", kMcunet, "--stages", "on", "--blocks", "16", "--json"}).out);
  const auto arena = account["arena"]["bytes"].get<std::int64_t>();
  for (const auto& op : account["ops"]) EXPECT_LE(op["high_water"].get<std::int64_t>(), arena) << op["op"];
  for (const auto& block : account["blocks"]) {
    EXPECT_LE(block["offset"].get<std::int64_t>() + block["bytes"].get<std::int64_t>(), arena) << block["tensor"];
  }
}

/// The number that follows `name` in a table, without the commas between its digits.
std::int64_t number_after(const std::string& table, const std::string& name) {
  std::string digits;
  for (std::size_t at = table.find(name) + name.size(); at < table.size(); ++at) {
    if (table[at] == ',') continue;
    if (std::isdigit(static_cast<unsigned char>(table[at])) != 0) {
      digits += table[at];
    } else if (!digits.empty()) {
      break;
    }
  }
  return std::stoll(digits);
}

TEST(Blocks, AndRowsThatArriveTakeAsManyBytesInEveryTable) {
  const std::string pareto = test::ripc({"plan", kMcunet, "--pareto"}).out;
  for (const bool divided : {false, true}) {
    std::vector<std::string> command{"plan", kMcunet, "--stages", "on", "--stream-input", "--json"};
    if (divided) command.insert(command.end(), {"--blocks", "auto"});
    const auto plan = nlohmann::json::parse(test::ripc(command).out);
    const std::string name = divided ? "in blocks, input row by row" : "in stages, input row by row";
    EXPECT_EQ(number_after(pareto, name), plan["arena"]["bytes"].get<std::int64_t>()) << pareto;
  }
}

TEST(Blocks, NeedStages) {
  const auto result = test::ripc({"plan", kMcunet, "--blocks", "16"});
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(is_one_line_fault(result)) << result.err;
}

TEST(StreamedInput, IsNotKept) {
  for (const char* stages : {"on", "off"}) {
    const auto result = test::ripc({"plan", kMcunet, "--stages", stages, "--stream-input", "--keep-input"});
    EXPECT_EQ(result.code, 2);
    EXPECT_TRUE(is_one_line_fault(result)) << result.err;
  }
}

}  // namespace
}  // namespace ripc
