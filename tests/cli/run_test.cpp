#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/npy.h"
#include "cli/process.h"

namespace ripc::test {
namespace {

using Json = nlohmann::json;

std::vector<std::byte> to_bytes(const std::string& text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

std::string to_text(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string npy_file(DataType type, std::vector<std::int64_t> shape, const std::string& data) {
  return to_text(cli::npy_bytes({.type = type, .shape = std::move(shape), .data = to_bytes(data)}));
}

/// Random runs of the digits network as golden files: inputs from `seed`, the outputs and checksums that ripc gives.
void make_golden(const Folder& folder, const std::string& name) {
  const std::string input = (folder / (name + ".in.bin")).string();
  write_file(input, sample_image());
  const Result result = ripc(
      {"run", kDigits, input, "-o", (folder / (name + ".out.bin")).string(), "--dump-ops", (folder / "dump").string()});
  ASSERT_EQ(result.code, 0) << result.err;
  fs::rename(folder / "dump" / "ops.jsonl", folder / (name + ".ops.jsonl"));
  fs::remove_all(folder / "dump");
}

TEST(Run, ClassifiesTheSamples) {
  const Folder folder;
  const std::string samples = read_file(kSamples);
  ASSERT_EQ(samples.size(), 1960U);
  for (std::size_t digit = 0; digit < 10; ++digit) {
    write_file(folder / "in.bin", samples.substr(digit * 196, 196));
    ASSERT_EQ(ripc({"run", kDigits, (folder / "in.bin").string(), "-o", (folder / "out.bin").string()}).code, 0);
    const std::string scores = read_file(folder / "out.bin");
    ASSERT_EQ(scores.size(), 10U);
    const auto best = std::ranges::max_element(scores, {}, [](char c) { return static_cast<signed char>(c); });
    EXPECT_EQ(static_cast<std::size_t>(best - scores.begin()), digit);
  }
}

TEST(Run, NpyAndRawAgree) {
  const Folder folder;
  write_file(folder / "in.bin", sample_image());
  write_file(folder / "in.npy", npy_file(DataType::int8, {14, 14, 1}, sample_image()));
  ASSERT_EQ(ripc({"run", kDigits, (folder / "in.bin").string(), "-o", (folder / "raw").string()}).code, 0);
  const Result npy = ripc({"run", kDigits, (folder / "in.npy").string(), "-o", (folder / "out.npy").string()});
  ASSERT_EQ(npy.code, 0) << npy.err;
  const cli::NpyArray out = cli::parse_npy(to_bytes(read_file(folder / "out.npy")), "out.npy");
  EXPECT_EQ(out.type, DataType::int8);
  EXPECT_EQ(out.shape, (std::vector<std::int64_t>{1, 10}));
  EXPECT_EQ(to_text(out.data), read_file(folder / "raw"));
}

TEST(Run, EveryMemoryOptionGivesTheSameBytes) {
  const Folder folder;
  write_file(folder / "in.bin", sample_image());
  const std::vector<std::string> base = {"run", kDigits, (folder / "in.bin").string(), "-o", (folder / "out").string()};
  ASSERT_EQ(ripc(base).code, 0);
  const std::string wanted = read_file(folder / "out");
  for (const std::vector<std::string>& options : {std::vector<std::string>{"--keep-input"}, {"--input", "extern"}}) {
    std::vector<std::string> arguments = base;
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Result result = ripc(arguments);
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(read_file(folder / "out"), wanted) << options.front();
  }
}

TEST(Run, DumpHoldsEveryOperator) {
  const Folder folder;
  write_file(folder / "in.bin", sample_image());
  ASSERT_EQ(ripc({"run", kDigits, (folder / "in.bin").string(), "--dump-ops", (folder / "dump").string()}).code, 0);
  const Json account = Json::parse(ripc({"plan", kDigits, "--json"}).out);
  std::istringstream lines(read_file(folder / "dump" / "ops.jsonl"));
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const Json op = Json::parse(line);
    const std::string bytes = read_file(folder / "dump" / op.at("file").get<std::string>());
    EXPECT_EQ(static_cast<std::size_t>(op.at("bytes")), bytes.size());
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    EXPECT_EQ(std::stoull(op.at("fnv1a64").get<std::string>(), nullptr, 16), hash);
  }
  EXPECT_EQ(count, account.at("ops").size());
}

TEST(Run, WrongInputsAreNamed) {
  const Folder folder;
  write_file(folder / "short.bin", sample_image().substr(1));
  write_file(folder / "float.npy", npy_file(DataType::float32, {14, 14, 1}, std::string(784, '\0')));
  write_file(folder / "shape.npy", npy_file(DataType::int8, {7, 28, 1}, sample_image()));
  write_file(folder / "cut.npy", npy_file(DataType::int8, {14, 14, 1}, sample_image()).substr(0, 200));
  write_file(folder / "good.bin", sample_image());
  for (const std::string name : {"short.bin", "float.npy", "shape.npy", "cut.npy"}) {
    const Result result = ripc({"run", kDigits, (folder / name).string()});
    EXPECT_EQ(result.code, 2) << name;
    EXPECT_TRUE(is_one_line_fault(result)) << result.err;
    EXPECT_NE(result.err.find(name), std::string::npos) << result.err;
  }
  const std::string good = (folder / "good.bin").string();
  EXPECT_EQ(ripc({"run", kDigits, good, good}).code, 2) << "two files for one input";
  EXPECT_EQ(ripc({"run", kDigits, good, "-o", (folder / "a").string(), "-o", (folder / "b").string()}).code, 2);
  EXPECT_FALSE(fs::exists(folder / "a"));
  EXPECT_EQ(ripc({"run", kDigits, folder.path().string()}).code, 2) << "a folder as input";
  EXPECT_EQ(ripc({"run", kDigits, good, "-o", (folder / "no/such/folder").string()}).code, 2);
  if (fs::exists("/dev/full")) {
    const Result full = ripc({"run", kDigits, good, "-o", "/dev/full"});
    EXPECT_EQ(full.code, 2);
    EXPECT_TRUE(is_one_line_fault(full)) << full.err;
  }
}

TEST(Verify, InPlaceAndDisjointAgree) {
  const Result result = ripc({"verify", kDigits, "--seeds", "5"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("5 runs"), std::string::npos) << result.out;
}

TEST(Verify, GoldenFilesAgree) {
  const Folder folder;
  make_golden(folder, "seed1");
  const Result result = ripc({"verify", kDigits, "--golden", folder.path().string()});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("golden: 10 output bytes"), std::string::npos) << result.out;
}

TEST(Verify, AChangedHashNamesItsOperator) {
  const Folder folder;
  make_golden(folder, "seed1");
  std::istringstream lines(read_file(folder / "seed1.ops.jsonl"));
  std::string changed, line;
  Json named;
  for (int number = 0; std::getline(lines, line); ++number) {
    Json op = Json::parse(line);
    if (number == 1) {
      named = op;
      op["fnv1a64"] = "0123456789abcdef";
    }
    changed += op.dump() + "\n";
  }
  write_file(folder / "seed1.ops.jsonl", changed);
  const Result result = ripc({"verify", kDigits, "--golden", folder.path().string()});
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(is_one_line_fault(result)) << result.err;
  const std::string place =
      "op " + std::to_string(named.at("op").get<int>()) + ": " + named.at("name").get<std::string>();
  EXPECT_NE(result.err.find(place), std::string::npos) << place << " in " << result.err;
}

TEST(Verify, AChangedOutputByteIsFound) {
  const Folder folder;
  make_golden(folder, "seed1");
  fs::remove(folder / "seed1.ops.jsonl");
  std::string output = read_file(folder / "seed1.out.bin");
  output[7] = static_cast<char>(output[7] ^ 1);
  write_file(folder / "seed1.out.bin", output);
  const Result result = ripc({"verify", kDigits, "--golden", folder.path().string()});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.err.find("seed1: byte 7"), std::string::npos) << result.err;
}

TEST(Verify, BrokenGoldenFilesAreWrongUsage) {
  const Folder folder;
  EXPECT_EQ(ripc({"verify", kDigits, "--golden", folder.path().string()}).code, 2) << "an empty folder";
  make_golden(folder, "seed1");
  write_file(folder / "seed1.ops.jsonl", "{\"tensor\": \"\n");
  const Result broken = ripc({"verify", kDigits, "--golden", folder.path().string()});
  EXPECT_EQ(broken.code, 2);
  EXPECT_TRUE(is_one_line_fault(broken)) << broken.err;
  fs::remove(folder / "seed1.ops.jsonl");
  write_file(folder / "seed1.in.bin", "too short");
  EXPECT_EQ(ripc({"verify", kDigits, "--golden", folder.path().string()}).code, 2);
}

TEST(Check, ACompiledPlanIsRight) {
  const Folder folder;
  ASSERT_EQ(ripc({"compile", kDigits, "-o", (folder / "out").string()}).code, 0);
  const Result result = ripc({"check", kDigits, (folder / "out" / "digits_plan.json").string()});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("the plan is right"), std::string::npos) << result.out;
}

TEST(Check, AnEditedPlanIsRefused) {
  const Folder folder;
  ASSERT_EQ(ripc({"compile", kDigits, "-o", (folder / "out").string()}).code, 0);
  const std::string path = (folder / "out" / "digits_plan.json").string();
  const Json right = Json::parse(read_file(path));
  const auto refused = [&](const Json& plan, const char* what) {
    write_file(path, plan.dump());
    const Result result = ripc({"check", kDigits, path});
    EXPECT_EQ(result.code, 1) << what << ": " << result.err;
    EXPECT_TRUE(is_one_line_fault(result)) << result.err;
  };
  Json plan = right;
  plan["arena_bytes"] = right.at("arena_bytes").get<std::int64_t>() - 1;
  refused(plan, "an arena of one byte less");
  for (std::size_t i = 0; i < right.at("storages").size(); ++i) {
    plan = right;
    plan["storages"][i]["offset"] = -1;
    refused(plan, "a tensor below the arena");
  }
  plan = right;
  for (Json& storage : plan["storages"]) storage["offset"] = 0;
  refused(plan, "every tensor at the start");
  plan = right;
  plan["graph_hash"] = "0000000000000000";
  refused(plan, "another network");
  write_file(path, right.dump().substr(0, 100));
  EXPECT_TRUE(is_one_line_fault(ripc({"check", kDigits, path}))) << "a plan that is cut off";
}

TEST(Check, APlanOfAnotherIoIsRefused) {
  const Folder folder;
  ASSERT_EQ(ripc({"compile", kDigits, "-o", (folder / "out").string()}).code, 0);
  const std::string middle = Json::parse(ripc({"plan", kDigits, "--json"}).out).at("ops").at(1).at("output");
  const Result result = ripc({"check", kDigits, (folder / "out" / "digits_plan.json").string(), "--outputs", middle});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.err.find("another network"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace ripc::test
