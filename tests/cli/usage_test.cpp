#include <gtest/gtest.h>

#include <sstream>

#include "cli/process.h"

namespace ripc::test {
namespace {

TEST(Usage, HelpOfEverySubcommandHasAnExample) {
  for (const std::string command : {"compile", "plan", "run", "verify", "check", "pack"}) {
    const Result help = ripc({command, "--help"});
    EXPECT_EQ(help.code, 0) << command;
    EXPECT_NE(help.out.find("Example: ripc " + command + " "), std::string::npos) << help.out;
    EXPECT_EQ(help.err, "");
  }
  const Result help = ripc({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_NE(help.out.find("ripc model.tflite"), std::string::npos) << help.out;
}

TEST(Usage, Version) {
  const Result version = ripc({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_TRUE(version.out.starts_with("ripc ")) << version.out;
  EXPECT_EQ(version.out.find('\n'), version.out.size() - 1);
}

TEST(Usage, WrongUsageIsExitCodeTwoAndOneLine) {
  const std::vector<std::vector<std::string>> wrong = {
      {},
      {"compile"},
      {"plan", kDigits, "--no-such-option"},
      {"plan", kDigits, "--placer", "magic"},
      {"plan", kDigits, "--io", "float"},
      {"plan", kDigits, "--input", "flash"},
      {"plan", kDigits, "--ram", "lots"},
      {"plan", kDigits, "--ram", "0"},
      {"plan", kDigits, "--ram", "12G"},
      {"plan", kDigits, "--ram"},
      {"plan", kDigits, "--outputs", "no such tensor"},
      {"plan", "no/such/file.tflite"},
      {"no/such/file.tflite"},
      {"compil", kDigits},
      {"run", kDigits},
      {"run", kDigits, "no/such/input.bin"},
      {"check", kDigits, "no/such/plan.json"},
      {"verify", kDigits, "--golden", "no/such/folder"},
      {"verify", kDigits, "--seeds", "0"},
      {"compile", kDigits, "plan", kDigits},
  };
  for (const auto& arguments : wrong) {
    const Result result = ripc(arguments);
    std::string line;
    for (const std::string& argument : arguments) line += " " + argument;
    EXPECT_EQ(result.code, 2) << line << ": " << result.err;
    EXPECT_TRUE(is_one_line_fault(result)) << line << ": " << result.err;
    EXPECT_EQ(result.out, "") << line;
  }
}

TEST(Usage, ABadSizeIsNamed) {
  const Result result = ripc({"plan", kDigits, "--flash", "1Q"});
  EXPECT_NE(result.err.find("--flash"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("1Q"), std::string::npos) << result.err;
}

TEST(Usage, AMisspeltCommandIsNamed) {
  const Result result = ripc({"compil", kDigits});
  EXPECT_NE(result.err.find("compil"), std::string::npos) << result.err;
}

TEST(Usage, AFileThatIsNoModelIsExitCodeOne) {
  const Folder folder;
  write_file(folder / "noise.tflite", "this is no model");
  const Result result = ripc({(folder / "noise.tflite").string()});
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(is_one_line_fault(result)) << result.err;
  EXPECT_NE(result.err.find("noise.tflite"), std::string::npos) << result.err;
}

TEST(Usage, EveryPlacerInTheHelpPlans) {
  const std::string help = ripc({"plan", "--help"}).out;
  const std::string opening = "--placer NAME:{";
  const std::size_t start = help.find(opening);
  ASSERT_NE(start, std::string::npos) << help;
  const std::size_t first = start + opening.size();
  std::istringstream names(help.substr(first, help.find('}', first) - first));
  int placers = 0;
  for (std::string placer; std::getline(names, placer, ','); ++placers) {
    const Result disjoint = ripc({"plan", kDigits, "--disjoint", "--placer", placer});
    EXPECT_EQ(disjoint.code, 0) << placer << ": " << disjoint.err;
    const Result in_place = ripc({"plan", kDigits, "--placer", placer});
    EXPECT_EQ(in_place.code, placer == "exact-cover" ? 2 : 0) << placer << ": " << in_place.err;
  }
  EXPECT_GE(placers, 4);
}

TEST(Usage, AFullStandardOutputIsReported) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full on this system";
  for (const auto& arguments : {std::vector<std::string>{"plan", kDigits}, {"--help"}, {"--version"}}) {
    const Result result = ripc(arguments, "/dev/full");
    EXPECT_EQ(result.code, 2) << arguments.front();
    EXPECT_TRUE(is_one_line_fault(result)) << result.err;
  }
}

}  // namespace
}  // namespace ripc::test
