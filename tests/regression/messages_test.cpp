// Messages that misled, and files that were lost, named after what went wrong.
#include <gtest/gtest.h>

#include <thread>

#include "cli/process.h"
#include "source_dir.h"

namespace ripc {
namespace {

using test::Folder;
using test::is_one_line_fault;
using test::kDigits;

const std::string kNetwork = RIPC_SOURCE_DIR "/networks/mcunet/mcunet-vww0.json";

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Regression, TheNextLineCanBeTypedAsItIs) {
  const Folder folder;
  const std::string model = (folder / "my model's.tflite").string();
  std::filesystem::copy_file(kDigits, model);
  const auto result = test::ripc({model, "--keep-input", "--io", "int8", "--name", "a b"});
  ASSERT_EQ(result.code, 0) << result.err;
  const std::size_t begin = result.out.find("Next: ripc ");
  ASSERT_NE(begin, std::string::npos);
  EXPECT_TRUE(says(result.out, "--io int8 --keep-input --name 'a b'")) << result.out;
  const std::string command = result.out.substr(begin + 6, result.out.find('\n', begin) - begin - 6);
  const std::string typed =
      "cd '" + folder.path().string() + "' && PATH=\"$(dirname '" RIPC_BINARY "'):$PATH\" && " + command;
  EXPECT_EQ(std::system((typed + " > /dev/null").c_str()), 0) << command;
  EXPECT_TRUE(std::filesystem::exists(folder / "out"));
}

TEST(Regression, ANetworkWithoutWeightsHasNoNextLine) {
  const auto result = test::ripc({kNetwork});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_FALSE(says(result.out, "Next:"));
}

TEST(Regression, AnUnknownOutputIsAnsweredWithThoseThatExist) {
  for (const std::string& model : {kDigits, kNetwork}) {
    const auto result = test::ripc({"plan", model, "--outputs", "no such tensor"});
    EXPECT_EQ(result.code, 2);
    EXPECT_TRUE(is_one_line_fault(result)) << result.err;
    EXPECT_TRUE(says(result.err, "no operator writes such a tensor; expected '")) << result.err;
    EXPECT_TRUE(says(result.err, model)) << result.err;
  }
}

TEST(Regression, ACommaInATensorsNameIsNoSeparator) {
  const Folder folder;
  const std::string network = (folder / "comma.json").string();
  test::write_file(network, R"({"inputs":{"i":[4,4,1]},"ops":[)"
                            R"({"op":"conv","in":"i","out":"a,b","channels":2,"kernel":1},)"
                            R"({"op":"conv","in":"a,b","out":"b","channels":2,"kernel":1},)"
                            R"({"op":"conv","in":"b","out":"c","channels":2,"kernel":1}]})");
  const auto whole = test::ripc({"plan", network, "--outputs", "a,b"});
  EXPECT_EQ(whole.code, 0) << whole.err;
  EXPECT_FALSE(says(whole.out, "CONV_2D   b")) << whole.out;
  EXPECT_EQ(test::ripc({"plan", network, "--outputs", "b,c"}).code, 0);
  EXPECT_EQ(test::ripc({"plan", network, "--outputs", "a,c"}).code, 2);
}

TEST(Regression, ControlCharactersOfANetworkStayInTheFile) {
  const Folder folder;
  const std::string network = (folder / "n.json").string();
  test::write_file(network, R"({"name":"\u001b[31mred","inputs":{"i\u0007":[4,4,1]},"ops":[)"
                            R"({"op":"conv","in":"i\u0007","out":"o\u001b[2J","channels":2,"kernel":1}]})");
  for (const char* command : {"plan", ""}) {
    const auto result = *command == '\0' ? test::ripc({network}) : test::ripc({command, network});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_FALSE(says(result.out, "\x1b")) << command;
    EXPECT_FALSE(says(result.out, "\x07")) << command;
  }
}

TEST(Regression, AnEmptyFolderNameIsNoFolder) {
  const auto result = test::ripc({"compile", kDigits, "-o", ""});
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(is_one_line_fault(result)) << result.err;
  EXPECT_TRUE(says(result.err, "no folder is named")) << result.err;
}

TEST(Regression, CompilesAtOnceIntoOneNewFolderAllSucceed) {
  const Folder folder;
  for (int round = 0; round < 3; ++round) {
    const std::string out = (folder / ("out" + std::to_string(round))).string();
    std::vector<int> codes(4, -1);
    std::vector<std::thread> threads;
    for (int& code : codes) threads.emplace_back([&] { code = test::ripc({"compile", kDigits, "-o", out}).code; });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(codes, std::vector<int>(4, 0));
    for (const auto& entry : std::filesystem::directory_iterator(out)) {
      EXPECT_FALSE(says(entry.path().string(), ".partial")) << entry.path();
    }
  }
}

TEST(Regression, AnOutputThatIsALinkKeepsTheLink) {
  const Folder folder;
  test::write_file(folder / "image.bin", test::sample_image());
  std::filesystem::create_symlink("real.bin", folder / "link.bin");
  test::write_file(folder / "real.bin", "old");
  ASSERT_EQ(test::ripc({"run", kDigits, (folder / "image.bin").string(), "-o", (folder / "link.bin").string()}).code,
            0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.bin"));
  EXPECT_NE(test::read_file(folder / "real.bin"), "old");
}

TEST(Regression, APlanThatIsNoPlanIsNamed) {
  const Folder folder;
  const std::string plan = (folder / "plan.json").string();
  test::write_file(plan, "{");
  const auto result = test::ripc({"check", kDigits, plan});
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(says(result.err, plan)) << result.err;
}

TEST(Regression, AFileOfAnotherKindIsRefusedByItsFirstBytes) {
  const Folder folder;
  const std::string path = (folder / "large.bin").string();
  test::write_file(path, "no model");
  std::filesystem::resize_file(path, std::uintmax_t{1} << 30);
  const auto result = test::ripc({"plan", path});
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(is_one_line_fault(result)) << result.err;
  EXPECT_TRUE(says(result.err, "unknown format")) << result.err;
}

}  // namespace
}  // namespace ripc
