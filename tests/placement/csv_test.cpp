#include "placement/csv.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

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

std::string fault_of(const std::string& text) {
  try {
    read_csv(text);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
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
  const auto expect = [](const std::string& text, const std::string& place) {
    EXPECT_NE(fault_of(text).find(place), std::string::npos) << fault_of(text);
  };
  const std::string header = "id,lower,upper,size,alignment,offset\n";
  expect("", "line 1, column 1: the file is empty");
  expect("id,lower,colour,size", "line 1, column 3: unknown column");
  expect("id,lower,start,size", "line 1, column 3: a second column");
  expect("id,lower,upper\n", "line 1, column 4: a column is missing");
  expect(header + "a,1,2,3,1,\nb,1,2,huge,1,\n", "line 3, column 4 (size): not a number");
  expect(header + "a,1,2,huge,1,\n", "'huge'");
  expect(header + "a,1,2,,1,\n", "line 2, column 4 (size): not a number");
  expect(header + "a,1,2,-3,1,\n", "line 2, column 4 (size): the number is too small");
  expect(header + "a,1,2,9223372036854775807,1,\n", "line 2, column 4 (size): the number is out of range");
  expect(header + "a,1,2,99999999999999999999,1,\n", "line 2, column 4 (size): the number is out of range");
  expect(header + "a,-9223372036854775808,2,1,1,\n", "line 2, column 2 (lower): the number is out of range");
  expect(header + "a,1,2,3,0,\n", "line 2, column 5 (alignment): the number is too small");
  expect(header + "a,2,2,3,1,\n", "line 2, column 3 (upper): the life is empty");
  expect(header + "a,1,2,3\n", "line 2, column 5: wrong number of fields");
  expect(header + "a,1,2,3,1,0,7\n", "line 2, column 7: wrong number of fields");
  expect(header + "a,1,2,3,4,6\n", "line 2, column 6 (offset): not a multiple of the alignment");
  expect(header + "a,1,2,2305843009213693000,1,\nb,1,2,2305843009213693000,1,\n",
         "line 3, column 4 (size): the buffers");
  expect(header + std::string("a,1,2,3\0,1,\n", 12), "line 2, column 4 (size): not a number");
}

TEST(Csv, FaultsAreShort) {
  const std::string header = "id,lower,upper,size\n";
  for (const std::string& text :
       {std::string(1 << 20, 'x'), header + std::string(1 << 20, ','), header + "a,1,2," + std::string(1 << 20, '9'),
        header + "a,1,2," + std::string(1 << 16, '\0'), std::string(1 << 16, '\n')}) {
    const std::string fault = fault_of(text);
    EXPECT_NE(fault.find("line"), std::string::npos) << fault;
    EXPECT_LT(fault.size(), 250U);
    EXPECT_TRUE(std::none_of(fault.begin(), fault.end(), [](char c) { return c >= 0 && c < ' '; })) << fault;
  }
}

// Numbers at the edge of what is accepted must not overflow in any placer.
TEST(Csv, HostileNumbersArePlacedOrRefused) {
  const std::string most = "2305843009213693951";  // 2^61 - 1
  for (const std::string& lines : std::vector<std::string>{
           "a,-" + most + "," + most + "," + "1152921504606846975,1\nb,-" + most + "," + most +
               ",1152921504606846000,1\n",
           "a,0,5,0," + most + "\n", "a,0,5,3,1152921504606846976\nb,0,5,3,1073741827\nc,0,4,3,1048573\n",
           "a,0,5,0,1\nb,0,5,0,1\n"}) {
    const Problem problem = read_csv("id,lower,upper,size,alignment\n" + lines);
    for (const std::string& placer : placer_names()) {
      try {
        const Placement placement = place(problem, placer, {.node_limit = 2'000});
        if (!placement.offsets.empty()) {
          EXPECT_EQ(validate_placement(problem, placement), "") << placer << "\n" << lines;
        }
      } catch (const Error& error) {
        EXPECT_TRUE(placer == "milp" || placer == "exact-cover") << placer << ": " << error.what();
      }
    }
  }
}

TEST(Csv, SurvivesBrokenText) {
  const std::string good = "id,lower,upper,size,alignment,offset\nb1,0,3,4,1,-1\nb2,3,9,4,2,0\nb3,0,9,4,1,-1\n";
  int read = 0;
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
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
    } catch (const Error& error) {
      const std::string fault = error.what();
      ASSERT_NE(fault.find("CSV line "), std::string::npos) << fault;
      ASSERT_NE(fault.find(", column "), std::string::npos) << fault;
      ASSERT_EQ(fault.find('\n'), std::string::npos) << fault;
      ++refused;
    }
  }
  EXPECT_GT(read, 100);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace ripc::test
