#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "emit/emit.h"
#include "emit/harness.h"
#include "ripc/error.h"

namespace ripc {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    names.push_back(entry.path().lexically_relative(folder).string());
  std::ranges::sort(names);
  return names;
}

TEST(WriteFiles, MakesTheFolder) {
  const test::TemporaryFolder folder;
  write_files(folder.path() / "deep/out/", {{"a.c", "a"}, {"rip/b.h", std::string("b\0\n", 3)}});
  EXPECT_EQ(names_in(folder.path()),
            (std::vector<std::string>{"deep", "deep/out", "deep/out/a.c", "deep/out/rip", "deep/out/rip/b.h"}));
  EXPECT_EQ(read(folder.path() / "deep/out/rip/b.h"), std::string("b\0\n", 3));
}

TEST(WriteFiles, ReplacesItsFilesAndKeepsOthers) {
  const test::TemporaryFolder folder;
  write_files(folder.path(), {{"a.c", "old"}, {"mine.c", "mine"}});
  write_files(folder.path(), {{"a.c", "new"}, {"src/b.c", "b"}});
  EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{"a.c", "mine.c", "src", "src/b.c"}));
  EXPECT_EQ(read(folder.path() / "a.c"), "new");
  EXPECT_EQ(read(folder.path() / "mine.c"), "mine");
}

TEST(WriteFiles, LeavesEverythingAsItWasOnFailure) {
  const test::TemporaryFolder folder;
  write_files(folder.path(), {{"a.c", "old"}, {"taken.c/inner", "x"}});
  const auto before = names_in(folder.path());
  EXPECT_THROW(write_files(folder.path(), {{"a.c", "new"}, {"taken.c", "y"}}), Error);
  EXPECT_THROW(write_files(folder.path(), {{"a.c", "new"}, {std::string(300, 'n'), "y"}}), Error);
  EXPECT_THROW(write_files(folder.path(), {{"a.c", "new"}, {"a.c/b", "y"}}), Error);
  EXPECT_EQ(names_in(folder.path()), before);
  EXPECT_EQ(read(folder.path() / "a.c"), "old");
}

TEST(WriteFiles, NamesAFolderThatCannotBeMade) {
  const test::TemporaryFolder folder;
  write_files(folder.path(), {{"file", "x"}});
  try {
    write_files(folder.path() / "file" / "out", {{"a.c", "a"}});
    FAIL() << "written below a file";
  } catch (const Error& error) {
    EXPECT_EQ(error.context().fault, Fault::usage);
    EXPECT_NE(std::string(error.what()).find("file"), std::string::npos) << error.what();
  }
  EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{"file"}));
}

TEST(WriteFiles, SeesAFullDisk) {
  const test::TemporaryFolder folder;
  const std::string mount = "mount -t tmpfs -o size=64k tmpfs " + folder.path().string();
  if (test::run_command(mount).status != 0) GTEST_SKIP() << "needs the right to mount a small disk";
  EXPECT_THROW(write_files(folder.path() / "out", {{"a.c", std::string(100'000, 'a')}}), Error);
  EXPECT_TRUE(names_in(folder.path()).empty());
  EXPECT_EQ(test::run_command("umount " + folder.path().string()).status, 0);
}

}  // namespace
}  // namespace ripc
