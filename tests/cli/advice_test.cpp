// What `ripc plan` says can be done: only what helps, each with the bytes that planning it saves.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/process.h"
#include "source_dir.h"

namespace ripc::test {
namespace {

using Words = std::vector<std::string>;

const std::string kLayerwise = RIPC_SOURCE_DIR "/networks/branching/layerwise.json";

std::int64_t arena(Words arguments) {
  arguments.insert(arguments.begin(), "plan");
  arguments.emplace_back("--json");
  const Result result = ripc(arguments);
  EXPECT_EQ(result.code, 0) << result.err;
  return nlohmann::json::parse(result.out).at("arena").at("bytes");
}

/// The part of the answer that says what can be done.
std::string advice(Words arguments) {
  arguments.insert(arguments.begin(), "plan");
  const Result result = ripc(arguments);
  EXPECT_EQ(result.code, 0) << result.err;
  const std::size_t start = result.out.find("What can be done");
  EXPECT_NE(start, std::string::npos) << result.out;
  return start == std::string::npos ? "" : result.out.substr(start);
}

/// The bytes that `how` is said to save; -1 if nothing is said of it.
std::int64_t said_of(const std::string& text, const std::string& how) {
  const std::size_t at = text.find("  " + how + " saves ");
  if (at == std::string::npos) return -1;
  std::string digits;
  for (std::size_t i = at + how.size() + 9; i < text.size() && text[i] != ' '; ++i) {
    if (text[i] != ',') digits += text[i];
  }
  return std::stoll(digits);
}

TEST(Advice, ANetworkThatIsAtItsLeastIsToldSo) {
  const std::string text = advice({kDigits});
  EXPECT_NE(text.find("931 bytes of the arena are due to op 1 CONV_2D"), std::string::npos) << text;
  EXPECT_NE(text.find("All of it is the operator's own"), std::string::npos) << text;
  EXPECT_EQ(said_of(text, "--stages on"), arena({kDigits}) - arena({kDigits, "--stages", "on"})) << text;
  const std::string least = advice({kDigits, "--stages", "on", "--input", "extern"});
  EXPECT_NE(least.find("No option of ripc makes it smaller"), std::string::npos) << least;
}

TEST(Advice, EveryChangeSavesWhatIsSaid) {
  const std::int64_t kept = arena({kDigits, "--keep-input"});
  const std::string keeping = advice({kDigits, "--keep-input"});
  EXPECT_EQ(said_of(keeping, "leaving --keep-input out"), kept - arena({kDigits})) << keeping;
  EXPECT_EQ(said_of(keeping, "--input extern"), kept - arena({kDigits, "--keep-input", "--input", "extern"}));
  EXPECT_EQ(keeping.find("No option"), std::string::npos);

  const std::string file = advice({kLayerwise, "--order", "file"});
  EXPECT_EQ(said_of(file, "--order best"), arena({kLayerwise, "--order", "file"}) - arena({kLayerwise})) << file;

  const std::string apart = advice({kDigits, "--disjoint"});
  EXPECT_EQ(said_of(apart, "leaving --disjoint out"), arena({kDigits, "--disjoint"}) - arena({kDigits})) << apart;
}

TEST(Advice, WhatWaitsBesideThePeakIsNamed) {
  const std::string text = advice({kLayerwise});
  EXPECT_NE(text.find("147,600 of them (67 %) are the operator's own"), std::string::npos) << text;
  EXPECT_NE(text.find("73,728 bytes wait to be read later"), std::string::npos) << text;
  EXPECT_NE(text.find("36,864 of 't9', for op 13 ADD"), std::string::npos) << text;
}

TEST(Advice, ATailThatNeedsMostCanBeCutOff) {
  const Folder folder;
  const std::string network = (folder / "tail.json").string();
  write_file(network, R"({"inputs": {"in": [8, 8, 8]}, "ops": [
    {"op": "conv", "channels": 8, "kernel": 3, "pad": 1, "out": "features"},
    {"op": "resize_nearest", "scale": 8, "out": "large"}]})");
  const std::string text = advice({network});
  EXPECT_EQ(said_of(text, "--outputs features"), arena({network}) - arena({network, "--outputs", "features"})) << text;
}

TEST(Advice, AFloatNetworkIsToldHowToBecomeInt8) {
  const std::string models = RIPC_SOURCE_DIR "/../shared/models/";
  const std::string real = models + "mlperf_resnet_float.tflite", quantised = models + "mlperf_resnet_quant.tflite";
  if (!fs::exists(real)) GTEST_SKIP() << "the shared models are not here";
  const std::string text = advice({real});
  EXPECT_NE(text.find("TFLITE_BUILTINS_INT8"), std::string::npos) << text;
  const nlohmann::json plan = nlohmann::json::parse(ripc({"plan", quantised, "--json", "--io", "int8"}).out);
  std::string bytes = std::to_string(plan.at("arena").at("bytes").get<std::int64_t>());
  bytes.insert(bytes.size() - 3, ",");
  EXPECT_NE(text.find("as int8 its arena is " + bytes + " bytes"), std::string::npos) << text;
  EXPECT_EQ(advice({quantised}).find("TFLITE_BUILTINS_INT8"), std::string::npos);
  const Folder folder;
  const Result compiled = ripc({"compile", real, "-o", (folder / "out").string()});
  EXPECT_NE(compiled.out.find("representative_dataset"), std::string::npos) << compiled.out << compiled.err;
}

}  // namespace
}  // namespace ripc::test
