#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/process.h"

namespace ripc::test {
namespace {

std::map<std::string, std::string> files_in(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files[fs::relative(entry.path(), folder).string()] = read_file(entry.path());
  }
  return files;
}

/// Files of this process and its children cannot grow beyond `bytes`: a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &old_);
    rlimit small = old_;
    small.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &old_);
    signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit old_{};
  sighandler_t handler_;
};

TEST(Compile, WritesSourcesPlanAndReport) {
  const Folder folder;
  const Result result = ripc({"compile", kDigits, "-o", (folder / "out").string()});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const auto files = files_in(folder / "out");
  for (const char* name : {"digits.h", "digits.c", "digits_weights.c", "digits_plan.json", "digits_report.html"}) {
    EXPECT_TRUE(files.contains(name)) << name;
  }
  for (const char* word : {"arena", "state", "flash", "stack", "check  passed", "in place", "digits.h"}) {
    EXPECT_NE(result.out.find(word), std::string::npos) << word << " in\n" << result.out;
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1) << "something is left beside the folder";
}

TEST(Compile, TwiceGivesTheSameBytes) {
  const Folder folder;
  ASSERT_EQ(ripc({"compile", kDigits, "-o", (folder / "a").string()}).code, 0);
  ASSERT_EQ(ripc({"compile", kDigits, "-o", (folder / "b/c").string()}).code, 0);
  EXPECT_EQ(files_in(folder / "a"), files_in(folder / "b/c"));
  ASSERT_EQ(ripc({"compile", kDigits, "-o", (folder / "a").string()}).code, 0) << "into a folder that is there already";
  EXPECT_EQ(files_in(folder / "a"), files_in(folder / "b/c"));
}

TEST(Compile, PrefixNamesEverything) {
  const Folder folder;
  ASSERT_EQ(ripc({"compile", kDigits, "--prefix", "ten", "-o", (folder / "out").string()}).code, 0);
  const auto files = files_in(folder / "out");
  for (const char* name : {"ten.h", "ten.c", "ten_weights.c", "ten_plan.json", "ten_report.html"}) {
    EXPECT_TRUE(files.contains(name)) << name;
  }
  EXPECT_NE(files.at("ten.h").find("int ten_invoke(void *arena"), std::string::npos);
  const Result bad = ripc({"compile", kDigits, "--prefix", "no good", "-o", (folder / "bad").string()});
  EXPECT_NE(bad.code, 0);
  EXPECT_TRUE(is_one_line_fault(bad)) << bad.err;
  EXPECT_FALSE(fs::exists(folder / "bad"));
}

TEST(Compile, TooLittleRamIsExitCodeThreeAndSaysWhatIsMissing) {
  const Folder folder;
  const auto account = nlohmann::json::parse(ripc({"plan", kDigits, "--json"}).out);
  const std::int64_t ram = account.at("ram_bytes");
  const Result fits = ripc({"compile", kDigits, "--ram", std::to_string(ram), "-o", (folder / "fits").string()});
  EXPECT_EQ(fits.code, 0) << fits.err;
  const Result result = ripc({"compile", kDigits, "--ram", std::to_string(ram - 1), "-o", (folder / "out").string()});
  EXPECT_EQ(result.code, 3);
  EXPECT_TRUE(is_one_line_fault(result)) << result.err;
  for (const char* word : {"--ram", "1 bytes are missing", "the peak", "digits.tflite"}) {
    EXPECT_NE(result.err.find(word), std::string::npos) << word << " in " << result.err;
  }
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST(Compile, TooLittleRamNamesTheCheapestChange) {
  const auto kept = nlohmann::json::parse(ripc({"plan", kDigits, "--keep-input", "--json"}).out);
  const auto eaten = nlohmann::json::parse(ripc({"plan", kDigits, "--json"}).out);
  const std::int64_t with = kept.at("ram_bytes"), without = eaten.at("ram_bytes");
  ASSERT_GT(with, without);
  const Result result = ripc({"plan", kDigits, "--keep-input", "--ram", std::to_string(without)});
  EXPECT_EQ(result.code, 3);
  EXPECT_NE(result.err.find("--keep-input out saves " + std::to_string(with - without) + " bytes"), std::string::npos)
      << result.err;
}

TEST(Compile, TooLittleFlashIsExitCodeThree) {
  const Folder folder;
  const Result result = ripc({"compile", kDigits, "--flash", "1K", "-o", (folder / "out").string()});
  EXPECT_EQ(result.code, 3);
  EXPECT_TRUE(is_one_line_fault(result)) << result.err;
  EXPECT_NE(result.err.find("--flash"), std::string::npos) << result.err;
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST(Compile, APlaceThatCannotBeWrittenIsOneLine) {
  for (const std::string place : {"/proc/ripc_out", "/dev/null/out", "/dev/full"}) {
    const Result result = ripc({"compile", kDigits, "-o", place});
    EXPECT_EQ(result.code, 2) << place << ": " << result.err;
    EXPECT_TRUE(is_one_line_fault(result)) << result.err;
  }
}

TEST(Compile, AFileInPlaceOfTheFolderStays) {
  const Folder folder;
  write_file(folder / "out", "precious");
  const Result result = ripc({"compile", kDigits, "-o", (folder / "out").string()});
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(is_one_line_fault(result)) << result.err;
  EXPECT_EQ(read_file(folder / "out"), "precious");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(Compile, AFullDiskLeavesNothing) {
  const Folder folder;
  const FullDisk disk(4096);
  const Result result = ripc({"compile", kDigits, "-o", (folder / "out").string()});
  EXPECT_EQ(result.code, 2) << result.err;
  EXPECT_TRUE(is_one_line_fault(result)) << result.err;
  EXPECT_TRUE(fs::is_empty(folder.path())) << "half-written files are left";
}

TEST(Compile, AFullDiskLeavesTheOldFiles) {
  const Folder folder;
  ASSERT_EQ(ripc({"compile", kDigits, "-o", (folder / "out").string()}).code, 0);
  const auto before = files_in(folder / "out");
  {
    const FullDisk disk(4096);
    EXPECT_EQ(ripc({"compile", kDigits, "--keep-input", "-o", (folder / "out").string()}).code, 2);
  }
  EXPECT_EQ(files_in(folder / "out"), before);
}

TEST(Compile, ReportIsOneFileThatNeedsNothingElse) {
  const Folder folder;
  ASSERT_EQ(
      ripc({"compile", kDigits, "--name", "a <b> & \"c\"", "--prefix", "d", "-o", (folder / "out").string()}).code, 0);
  const std::string html = read_file(folder / "out" / "d_report.html");
  EXPECT_NE(html.find("a &lt;b&gt; &amp; &quot;c&quot;"), std::string::npos);
  EXPECT_EQ(html.find("<b> &"), std::string::npos);
  for (const char* reference : {"src=", "href=", "url(http", "@import", "fetch("}) {
    EXPECT_EQ(html.find(reference), std::string::npos) << reference;
  }
  // In the map of the plan, above that of the dual buffer: a rectangle a block.
  const std::string map = html.substr(0, html.find("Dual buffer, best placement:"));
  ASSERT_LT(map.size(), html.size());
  const auto account = nlohmann::json::parse(ripc({"plan", kDigits, "--json"}).out);
  const std::string block = "<rect class=\"block ";
  std::size_t blocks = 0;
  for (std::size_t at = map.find(block); at != std::string::npos; at = map.find(block, at + 1)) ++blocks;
  EXPECT_EQ(blocks, account.at("blocks").size());
}

}  // namespace
}  // namespace ripc::test
