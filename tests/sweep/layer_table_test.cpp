// Tables of layers, by formula and by simulation, against values that were found independently of both.
#include "sweep/layer_table.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "ripc/error.h"
#include "source_dir.h"

namespace ripc::test {
namespace {

constexpr const char* kTruthFile = RIPC_SOURCE_DIR "/../shared/truth/layers.csv";
constexpr const char* kCommittedFile = RIPC_SOURCE_DIR "/tests/sweep/layers.csv";

std::string read(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void expect_reproduced(const std::string& text, const char* path) {
  const std::vector<LayerRow> rows = parse_layer_table(text, path);
  EXPECT_EQ(layer_table(rows, Source::formula), text);
  EXPECT_EQ(layer_table(rows, Source::simulation), text);
}

TEST(LayerTable, ReproducesTheCommittedFile) {
  const std::string text = read(kCommittedFile);
  ASSERT_FALSE(text.empty());
  EXPECT_GT(parse_layer_table(text, kCommittedFile).size(), 30U);
  expect_reproduced(text, kCommittedFile);
}

TEST(LayerTable, ReproducesTheTruth) {
  const std::string text = read(kTruthFile);
  if (text.empty()) GTEST_SKIP() << "no truth/layers.csv beside the checkout";
  ASSERT_EQ(parse_layer_table(text, kTruthFile).size(), 562U);
  expect_reproduced(text, kTruthFile);
}

const std::string kHeader = "id,category,Hin,Win,Cin,Cout,kh,kw,sh,sw,dh,dw,pt,pb,pl,pr,groups\n";
const std::string kLine = "7,mine,14,14,1,5,3,3,1,1,1,1,0,0,0,0,1\n";

TEST(LayerTable, ColumnsMayStandInAnyOrderAmongOthers) {
  const std::vector<LayerRow> straight = parse_layer_table(kHeader + kLine, "a.csv");
  const std::vector<LayerRow> shuffled = parse_layer_table(
      "note,groups,Hin,Win,Cin,Cout,kh,kw,sh,sw,dh,dw,pt,pb,pl,pr,id,category\r\n"
      "x,1,14,14,1,5,3,3,1,1,1,1,0,0,0,0,7,mine\r\n\r\n",
      "b.csv");
  ASSERT_EQ(straight.size(), 1U);
  ASSERT_EQ(shuffled.size(), 1U);
  EXPECT_EQ(straight[0].layer, shuffled[0].layer);
  EXPECT_EQ(layer_table(straight, Source::formula), layer_table(shuffled, Source::formula));
}

TEST(LayerTable, AFileWithoutLayersIsAHeader) {
  const std::string table = layer_table(parse_layer_table(kHeader, "a.csv"), Source::formula);
  EXPECT_EQ(table.substr(0, 40), read(kCommittedFile).substr(0, 40));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1);
}

TEST(LayerTable, RefusesWhatCannotBeSimulated) {
  const std::string huge = "7,mine,100000,100000,1,5,3,3,1,1,1,1,0,0,0,0,1\n";
  EXPECT_THROW(layer_table(parse_layer_table(kHeader + huge, "a.csv"), Source::formula), Error);
}

struct Malformed {
  std::string text, says;
};

TEST(LayerTable, FaultsNameFileLineAndReason) {
  const auto with = [](std::size_t position, const std::string& cell) {
    std::string line = kLine;
    std::size_t start = 0;
    for (std::size_t i = 0; i < position; ++i) start = line.find(',', start) + 1;
    return kHeader + kLine + line.replace(start, line.find_first_of(",\n", start) - start, cell);
  };
  const std::vector<Malformed> cases{
      {"", "empty file"},
      {"id,category,Hin\n", "no column Win"},
      {"id," + kHeader, "a column twice"},
      {kHeader + "7,mine,14\n", "wrong number of cells"},
      {with(2, "14.5"), "line 3: column Hin"},
      {with(6, ""), "column kh"},
      {with(8, "0"), "stride"},
      {with(16, "2"), "groups do not divide"},
      {with(6, "15"), "does not fit"},
      {with(2, "99999999999999999999"), "column Hin"},
      {with(4, "4611686018427387000"), "too large"},
  };
  for (const auto& [text, says] : cases) {
    SCOPED_TRACE(says);
    try {
      parse_layer_table(text, "mine.csv");
      FAIL() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.context().fault, Fault::usage);
      EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("mine.csv"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace ripc::test
