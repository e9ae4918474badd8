#include "placement/csv.h"

#include <gtest/gtest.h>

#include "placement/placers.h"
#include "placement/random_problem.h"
#include "ripc/error.h"

namespace ripc::test {
namespace {

TEST(Csv, ReadsColumnsInAnyOrder) {
  const Problem problem = read_csv("size,id,upper,lower,alignment,offset\r\n4,b1,3,0,2,-1\r\n\n6,b2,9,3,1,8\n");
  ASSERT_EQ(problem.buffers.size(), 2U);
  EXPECT_EQ(problem.buffers[0].name, "b1");
  EXPECT_EQ(problem.buffers[0].bytes, 4);
  EXPECT_EQ(problem.buffers[0].first, 0);
  EXPECT_EQ(problem.buffers[0].last, 2);  // upper is exclusive
  EXPECT_EQ(problem.buffers[0].alignment, 2);
  EXPECT_FALSE(problem.buffers[0].offset);
  EXPECT_EQ(problem.buffers[1].offset, 8);
  EXPECT_EQ(read_csv("buffer,start,end,size\n0,1,2,3\n").buffers[0].last, 2);  // end is not
}

TEST(Csv, WritesWhatItReads) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Problem problem = random_problem(seed, {.overlaps = false});
    const std::string text = write_csv(problem);
    EXPECT_EQ(write_csv(read_csv(text)), text);
    const Placement placement = place(problem, "first-fit");
    if (placement.offsets.empty()) continue;
    const Problem placed = read_csv(write_csv(problem, &placement));
    for (std::size_t id = 0; id < placed.buffers.size(); ++id) {
      EXPECT_EQ(placed.buffers[id].offset, placement.offsets[id]);
    }
  }
}

TEST(Csv, NamesTheLineOfAFault) {
  for (const char* text :
       {"", "id,lower,upper", "id,lower,upper,size,size", "id,lower,upper,size,colour", "id,lower,upper,size\n0,1,2",
        "id,lower,upper,size\n0,1,2,x", "id,lower,upper,size\n0,1,2,", "id,lower,upper,size\n0,2,2,1",
        "id,lower,upper,size\n0,1,2,99999999999999999999", "id,lower,upper,size\n0,1,2,-1",
        "id,lower,upper,size\n0,1,2,3 4", "id,lower,upper,size\n0,-9223372036854775808,2,1",
        "id,lower,upper,size,gaps\n0,1,5,1,2-3", "id,lower,upper,size,alignment\n0,1,2,1,0"}) {
    EXPECT_THROW(read_csv(text), Error) << text;
  }
  try {
    read_csv("id,lower,upper,size\n0,1,2,3\n1,1,2,huge\n");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("line 3"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("huge"), std::string::npos) << error.what();
  }
}

TEST(Csv, SurvivesBrokenText) {
  const std::string good = "id,lower,upper,size,alignment,offset\nb1,0,3,4,1,-1\nb2,3,9,4,2,0\nb3,0,9,4,1,-1\n";
  int read = 0;
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    Dice dice(seed);
    std::string text = good;
    for (std::int64_t changes = dice.between(1, 4); changes > 0; --changes) {
      const auto at = static_cast<std::size_t>(dice.between(0, static_cast<std::int64_t>(text.size()) - 1));
      switch (dice.between(0, 3)) {
        case 0:
          text[at] = static_cast<char>(dice.between(0, 255));
          break;
        case 1:
          text.erase(at, static_cast<std::size_t>(dice.between(1, 5)));
          break;
        case 2:
          text.insert(at, std::string(static_cast<std::size_t>(dice.between(1, 20)), text[at]));
          break;
        default:
          text[at] = ",-\n09"[dice.between(0, 4)];
      }
      if (text.empty()) text = "i";
    }
    try {
      const Problem problem = read_csv(text);
      EXPECT_NO_THROW(check_problem(problem));
      ++read;
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(read, 100);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace ripc::test
