// Faults of the command line that were found by trying to break it.
#include <gtest/gtest.h>

#include "cli/process.h"
#include "source_dir.h"

namespace ripc {
namespace {

using test::Folder;
using test::is_one_line_fault;
using test::kDigits;

const std::string kNetwork = RIPC_SOURCE_DIR "/networks/mcunet/mcunet-vww0.json";

TEST(Regression, OptionsBeforeTheCommandAreNotForgotten) {
  for (const char* option : {"--ram", "--flash"}) {
    const auto result = test::ripc({option, "1", "plan", kDigits});
    EXPECT_EQ(result.code, 2) << result.err;
    EXPECT_TRUE(is_one_line_fault(result)) << result.err;
  }
  EXPECT_EQ(test::ripc({"--keep-input", "plan", kDigits}).code, 2);
}

TEST(Regression, FlashThatIsNotKnownDoesNotCountAsSmall) {
  const auto result = test::ripc({kNetwork, "--flash", "1"});
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(is_one_line_fault(result)) << result.err;
}

TEST(Regression, AnEndlessInputIsRefused) {
  const auto result = test::ripc({"run", kDigits, "/dev/zero"});
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(is_one_line_fault(result)) << result.err;
}

TEST(Regression, AFileNameThatIsNotUtf8CanBeCompiled) {
  const Folder folder;
  const auto model = folder / "x\xff.tflite";
  std::filesystem::copy_file(kDigits, model);
  const auto result = test::ripc({"compile", model.string(), "-o", (folder / "out").string()});
  EXPECT_EQ(result.code, 0) << result.err;
}

TEST(Regression, HeadersOfTheCLibraryAreNoPrefixes) {
  const Folder folder;
  for (const char* prefix : {"stdint", "string", "rip_net", "RIP"}) {
    const auto result = test::ripc({"compile", kDigits, "--prefix", prefix, "-o", (folder / "out").string()});
    EXPECT_EQ(result.code, 2) << prefix;
    EXPECT_TRUE(is_one_line_fault(result)) << result.err;
  }
  for (const char* name : {"string.tflite", "rip_model.tflite"}) {
    std::filesystem::copy_file(kDigits, folder / name);
    const auto result = test::ripc({"compile", (folder / name).string(), "-o", (folder / name).string() + ".out"});
    EXPECT_EQ(result.code, 0) << result.err;
  }
}

TEST(Regression, TheHeaderSaysThatAKeptInputIsKept) {
  const Folder folder;
  const std::string out = (folder / "out").string();
  ASSERT_EQ(test::ripc({"compile", kDigits, "--keep-input", "-o", out}).code, 0);
  const std::string header = test::read_file(out + "/digits.h");
  EXPECT_NE(header.find("digits_invoke leaves it as it is"), std::string::npos);
  EXPECT_EQ(header.find("It may be overwritten"), std::string::npos);
}

TEST(Regression, GoldenOperatorsThatMatchNothingAreAFault) {
  const Folder folder;
  test::write_file(folder / "seed1.in.bin", test::sample_image());
  ASSERT_EQ(
      test::ripc({"run", kDigits, (folder / "seed1.in.bin").string(), "-o", (folder / "seed1.out.bin").string()}).code,
      0);
  const auto verify = [&] { return test::ripc({"verify", kDigits, "--golden", folder.path().string()}); };
  EXPECT_EQ(verify().code, 0);
  EXPECT_NE(verify().out.find("no operator hashes"), std::string::npos);
  for (const char* line :
       {R"({"tensor":-1,"bytes":3,"fnv1a64":"12"})", R"({"tensor":1,"bytes":3,"fnv1a64":"-5"})", "{"}) {
    test::write_file(folder / "seed1.ops.jsonl", std::string(line) + "\n");
    EXPECT_EQ(verify().code, 2) << line;
    EXPECT_TRUE(is_one_line_fault(verify())) << verify().err;
  }
}

/// The plan of digits with one piece of its text replaced.
test::Result check_edited(const std::string& from, const std::string& to) {
  const Folder folder;
  const std::string out = (folder / "out").string();
  EXPECT_EQ(test::ripc({"compile", kDigits, "-o", out}).code, 0);
  std::string plan = test::read_file(out + "/digits_plan.json");
  const std::size_t at = plan.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  plan.replace(at, from.size(), to);
  test::write_file(out + "/digits_plan.json", plan);
  return test::ripc({"check", kDigits, out + "/digits_plan.json"});
}

TEST(Regression, APlanOfNonsenseNumbersIsRefused) {
  EXPECT_EQ(check_edited("\"alignment\": 1", "\"alignment\": 1").code, 0);
  for (const char* value : {"2147483647", "1e300", "931.5", "true", "18446744073709551615"}) {
    const auto result = check_edited("\"arena_bytes\": 931", std::string("\"arena_bytes\": ") + value);
    EXPECT_NE(result.code, 0) << value;
    EXPECT_TRUE(is_one_line_fault(result)) << result.err;
  }
  EXPECT_NE(check_edited("\"lower_bound\": 931", "\"lower_bound\": -1").code, 0);
  EXPECT_NE(check_edited("\"lower_bound\": 931", "\"lower_bound\": 930").code, 0);
  EXPECT_NE(check_edited("\"alignment\": 1", "\"alignment\": 3").code, 0);
}

}  // namespace
}  // namespace ripc
