#include <gtest/gtest.h>

#include "cli/process.h"

namespace ripc::test {
namespace {

// Three buffers of 4 bytes, two of them alive at each step; then one more that makes it three.
const std::string kThree = "id,lower,upper,size\na,0,2,4\nb,1,3,4\nc,2,4,4\n";
const std::string kFour = kThree + "d,0,4,4\n";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Pack, PlacesAndProves) {
  const Folder folder;
  write_file(folder / "in.csv", kThree);
  const std::string placed = (folder / "placed.csv").string();
  const Result result = ripc({"pack", (folder / "in.csv").string(), "-o", placed});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(has(result.out, "peak         8 bytes")) << result.out;
  EXPECT_TRUE(has(result.out, "lower bound  8 bytes")) << result.out;
  EXPECT_TRUE(has(result.out, "proven: no placement is smaller")) << result.out;
  EXPECT_TRUE(has(result.out, "nodes")) << result.out;
  EXPECT_TRUE(has(result.out, "time")) << result.out;
  EXPECT_TRUE(read_file(placed).starts_with("id,lower,upper,size,offset\na,0,2,4,")) << read_file(placed);
  // What it wrote is a placement: its offsets are fixed now, and they fit together.
  const Result again = ripc({"pack", placed, "--capacity", "8", "-o", "-"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(again.out, read_file(placed));
}

TEST(Pack, ReadsAndWritesStandardStreams) {
  const Folder folder;
  write_file(folder / "in.csv", kThree);
  const Result result = ripc({"pack", "-", "-o", "-"}, {}, (folder / "in.csv").string());
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with("id,lower,upper,size,offset\n")) << result.out;
  EXPECT_TRUE(has(result.err, "peak         8 bytes")) << result.err;
}

TEST(Pack, TellsProvenFromNotFound) {
  const Folder folder;
  write_file(folder / "in.csv", kFour);
  const std::string in = (folder / "in.csv").string();
  const std::string out = (folder / "out.csv").string();
  const Result proven = ripc({"pack", in, "--capacity", "11", "-o", out});
  EXPECT_EQ(proven.code, 3);
  EXPECT_TRUE(is_one_line_fault(proven)) << proven.err;
  EXPECT_TRUE(has(proven.err, "proven: no placement fits")) << proven.err;
  EXPECT_FALSE(fs::exists(out));

  // First fit in order of birth needs 5 bytes for what fits 4.
  write_file(folder / "gap.csv", "id,lower,upper,size\na,0,1,1\nb,0,2,2\nc,1,3,2\nd,2,3,2\n");
  const Result missed =
      ripc({"pack", (folder / "gap.csv").string(), "--placer", "first-fit", "--capacity", "4", "-o", out});
  EXPECT_EQ(missed.code, 3);
  EXPECT_TRUE(is_one_line_fault(missed)) << missed.err;
  EXPECT_TRUE(has(missed.err, "there may be one")) << missed.err;
  EXPECT_FALSE(has(missed.err, "proven")) << missed.err;
  EXPECT_FALSE(fs::exists(out));
  EXPECT_EQ(ripc({"pack", (folder / "gap.csv").string(), "--capacity", "4"}).code, 0);
}

TEST(Pack, NamesFixedOffsetsThatContradict) {
  const Folder folder;
  write_file(folder / "in.csv", "id,lower,upper,size,offset\na,0,2,4,0\nb,1,3,4,2\n");
  const Result result = ripc({"pack", (folder / "in.csv").string()});
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(is_one_line_fault(result)) << result.err;
  EXPECT_TRUE(has(result.err, "'a' at 0 overlaps 'b' at 2")) << result.err;
}

TEST(Pack, RefusesWhatItCannotRead) {
  const Folder folder;
  write_file(folder / "in.csv", "id,lower,upper,size\na,0,2,4\nb,1,3,-4\n");
  const Result wrong = ripc({"pack", (folder / "in.csv").string()});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_TRUE(is_one_line_fault(wrong)) << wrong.err;
  EXPECT_TRUE(has(wrong.err, "in.csv")) << wrong.err;
  EXPECT_TRUE(has(wrong.err, "line 3, column 4 (size)")) << wrong.err;
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"pack"},
                                             {"pack", "no/such/file.csv"},
                                             {"pack", (folder / "in.csv").string(), "--placer", "magic"},
                                             {"pack", (folder / "in.csv").string(), "--node-limit", "-1"},
                                             {"pack", (folder / "in.csv").string(), "--time-limit", "soon"},
                                             {"pack", (folder / "in.csv").string(), "--capacity", "0"},
                                             {"pack", (folder / "in.csv").string(), "--cell", "0"}}) {
    const Result result = ripc(arguments);
    EXPECT_EQ(result.code, 2) << result.err;
    EXPECT_TRUE(is_one_line_fault(result)) << result.err;
  }
}

TEST(Pack, TheStandardOutputHasTheBytesOfTheFile) {
  const Folder folder;
  write_file(folder / "in.csv", "id,lower,upper,size\na\x1b[1m\x7f\tz\xff,0,2,4\n");
  const std::string in = (folder / "in.csv").string(), out = (folder / "out.csv").string();
  ASSERT_EQ(ripc({"pack", in, "-o", out}).code, 0);
  EXPECT_EQ(ripc({"pack", in, "-o", "-"}).out, read_file(out));
  EXPECT_TRUE(has(read_file(out), "a\x1b[1m\x7f\tz\xff,0,2,4"));
}

TEST(Pack, AlignmentsThatLieFarApartEndTheSearch) {
  const Folder folder;
  std::string csv = "id,lower,upper,size,alignment\n";
  const std::vector<std::string> alignments{"35184372088832", "999999999989", "1125899906842624", "1000003", "7", "2"};
  for (std::size_t i = 0; i < 24; ++i) {
    csv += "b" + std::to_string(i) + ",0," + std::to_string(1 + i) + "," + std::to_string(1 + 5 * i) + "," +
           alignments[i % alignments.size()] + "\n";
  }
  write_file(folder / "in.csv", csv);
  for (const std::string placer : {"exact", "exact-cover", "first-fit", "greedy-by-size", "best-fit"}) {
    const Result result = ripc({"pack", (folder / "in.csv").string(), "--placer", placer, "--node-limit", "2000"});
    EXPECT_TRUE(result.code == 0 || result.code == 1) << placer << ": " << result.err;
    EXPECT_TRUE(result.code == 0 || is_one_line_fault(result)) << placer << ": " << result.err;
  }
}

TEST(Pack, ALimitIsNotAProof) {
  const Folder folder;
  write_file(folder / "in.csv", "id,lower,upper,size\na,0,1,1\nb,0,2,2\nc,1,3,2\nd,2,3,2\ne,0,2,3\nf,1,3,1\n");
  for (const std::string limit : {"--node-limit", "--time-limit"}) {
    const Result result = ripc({"pack", (folder / "in.csv").string(), limit, "0"});
    EXPECT_EQ(result.code, 0) << result.err;
    const bool met = has(result.out, "proven: no placement is smaller") && !has(result.out, "not proven");
    EXPECT_TRUE(met || has(result.out, "not proven: ")) << result.out;
    EXPECT_TRUE(has(result.out, "nodes        0 of ")) << result.out;
  }
}

TEST(Plan, TakesSearchLimits) {
  for (const std::vector<std::string>& limit :
       std::vector<std::vector<std::string>>{{"--node-limit", "0"}, {"--time-limit", "0"}, {"--placer", "first-fit"}}) {
    std::vector<std::string> arguments{"plan", kDigits};
    arguments.insert(arguments.end(), limit.begin(), limit.end());
    const Result result = ripc(arguments);
    EXPECT_EQ(result.code, 0) << result.err;
  }
  EXPECT_TRUE(has(ripc({"plan", "--help"}).out, "may then differ from run to run"));
}

}  // namespace
}  // namespace ripc::test
