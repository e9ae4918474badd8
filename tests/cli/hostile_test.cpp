// Files that mean harm, and disks that are full, as a user meets them: one line, the right exit code, nothing
// half-written, and no more memory than a small file may cost.
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "cli/process.h"

namespace ripc::test {
namespace {

/// Of the largest program that this one has run so far.
[[maybe_unused]] long most_kilobytes() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return usage.ru_maxrss;
}

class Hostile : public testing::Test {
 protected:
  void TearDown() override {
    EXPECT_FALSE(fs::exists(folder_ / "out"));
#if !defined(__SANITIZE_ADDRESS__)
    EXPECT_LT(most_kilobytes(), 1 << 19);
#endif
  }

  /// What compiling the file says; it must be refused in one line.
  std::string refusal(const fs::path& file, int code = 1) const {
    const Result result = ripc({"compile", file.string(), "-o", (folder_ / "out").string()});
    EXPECT_EQ(result.code, code) << result.err;
    EXPECT_TRUE(is_one_line_fault(result)) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err.find("internal fault"), std::string::npos) << result.err;
    return result.err;
  }

  std::string refused_text(const std::string& text) const {
    write_file(folder_ / "file.json", text);
    return refusal(folder_ / "file.json");
  }

  Folder folder_;
};

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST_F(Hostile, CutShort) {
  const std::string whole = read_file(kDigits);
  for (std::size_t size = 0; size < whole.size() - 1; size += 701) {
    write_file(folder_ / "cut.tflite", whole.substr(0, size));
    refusal(folder_ / "cut.tflite");
  }
}

TEST_F(Hostile, FlippedBitsAreAModelOrARefusal) {
  const std::string whole = read_file(kDigits);
  for (std::size_t at = 3; at < whole.size(); at += 191) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << at % 8));
    write_file(folder_ / "flipped.tflite", flipped);
    const Result result = ripc({"plan", (folder_ / "flipped.tflite").string()});
    EXPECT_TRUE(result.code == 0 || (result.code == 1 && is_one_line_fault(result))) << at << ": " << result.err;
    EXPECT_EQ(result.err.find("internal fault"), std::string::npos) << result.err;
  }
}

TEST_F(Hostile, NetworksInJson) {
  const auto one = [&](const std::string& op) {
    return refused_text(R"({"inputs": {"x": [8, 8, 2]}, "ops": [)" + op + "]}");
  };
  EXPECT_HAS(one(R"({"op": "add", "in": ["x", "y"], "out": "y"})"), "no operator so far writes such a tensor");
  EXPECT_HAS(one(R"({"op": "conv", "channels": 1, "kernel": 0})"), "kernel");
  EXPECT_HAS(one(R"({"op": "conv", "channels": 1, "kernel": 1, "stride": -1})"), "stride");
  EXPECT_HAS(one(R"({"op": "conv", "channels": 2147483647, "kernel": 4096})"), "too large");
  EXPECT_HAS(one(R"({"op": "relu", "out": "x"})"), "more than one tensor");
  EXPECT_HAS(refused_text(R"({"inputs": {"x": [65536, 65536, 65536]}, "ops": [{"op": "relu"}]})"), "too large");
  EXPECT_HAS(refused_text(std::string(1 << 20, '[')), "unknown format");
  EXPECT_HAS(refused_text("{\"inputs\": " + std::string(1 << 20, '[')), "no valid JSON");
}

TEST_F(Hostile, DimensionsThatArePossibleCostNothingToPlan) {
  write_file(folder_ / "large.json", R"({"inputs": {"x": [46340, 46340, 1]},
    "ops": [{"op": "conv", "channels": 1, "kernel": 3, "pad": 1}, {"op": "relu"}]})");
  EXPECT_EQ(ripc({"plan", (folder_ / "large.json").string()}).code, 0);
}

TEST_F(Hostile, FilesThatAreNoModels) {
  EXPECT_HAS(refusal(folder_.path()), "directory");
  EXPECT_HAS(refusal("/dev/zero"), "not a regular file");
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_HAS(refusal(pipe), "not a regular file");
  write_file(folder_ / "lfs.tflite", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n");
  EXPECT_HAS(refusal(folder_ / "lfs.tflite"), "LFS");
  EXPECT_HAS(refusal(folder_ / "missing.tflite", 2), "no such file");
}

TEST_F(Hostile, AFileOfFourGigabytes) {
  const fs::path file = folder_ / "large.tflite";
  write_file(file, std::string("\x1c\0\0\0TFL3", 8));
  ASSERT_EQ(truncate(file.c_str(), off_t{5} << 30), 0);  // sparse: takes no space
  EXPECT_HAS(refusal(file), "2 GiB or more");
}

TEST_F(Hostile, NamesThatAreNotUtf8) {
  std::string model = read_file(kDigits);
  const std::size_t name = model.find("image");
  ASSERT_NE(name, std::string::npos);
  model.replace(name, 5, "\xff\xc3\x1b\xed\x0a");
  write_file(folder_ / "model.tflite", model);
  const std::string file = (folder_ / "model.tflite").string();
  const Result json = ripc({"plan", file, "--json"});
  EXPECT_EQ(json.code, 0) << json.err;
  EXPECT_TRUE(nlohmann::json::accept(json.out));
  EXPECT_EQ(ripc({"plan", file}).out.find('\x1b'), std::string::npos);
  const Folder other;
  EXPECT_EQ(ripc({"compile", file, "-o", (other / "out").string()}).code, 0);
}

TEST_F(Hostile, AFileThatMayNotBeRead) {
  fs::copy_file(kDigits, folder_ / "model.tflite");
  fs::permissions(folder_ / "model.tflite", fs::perms::none);
  if (access((folder_ / "model.tflite").c_str(), R_OK) == 0) GTEST_SKIP() << "the superuser may read everything";
  EXPECT_HAS(refusal(folder_ / "model.tflite"), "cannot open");
}

TEST_F(Hostile, ADiskThatIsFull) {
  const fs::path disk = folder_ / "disk";
  fs::create_directory(disk);
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=32k") != 0) GTEST_SKIP() << "no right to mount a small disk";
  const Result result = ripc({"compile", kDigits, "-o", (disk / "out").string()});
  const bool empty = fs::is_empty(disk);
  umount(disk.c_str());
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(is_one_line_fault(result)) << result.err;
  EXPECT_TRUE(empty) << "half-written files are left";
}

}  // namespace
}  // namespace ripc::test
