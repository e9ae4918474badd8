// The eleven instances published with MiniMalloc, at their capacity of 1 MiB.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "placement/csv.h"
#include "placement/placers.h"
#include "source_dir.h"

namespace ripc::test {
namespace {

class MiniMalloc : public testing::TestWithParam<char> {};

TEST_P(MiniMalloc, FitsOneMebibyte) {
  const std::string path = std::string(RIPC_SOURCE_DIR) + "/../shared/instances/" + GetParam() + ".1048576.csv";
  std::ifstream file(path);
  if (!file) GTEST_SKIP() << "no instance " << GetParam();
  std::stringstream text;
  text << file.rdbuf();
  Problem problem = read_csv(text.str());
  problem.capacity = 1048576;
  const Placement placement = place(problem, "exact");
  EXPECT_EQ(validate_placement(problem, placement), "");
  EXPECT_LE(placement.peak, 1048576);
  // In eight of them as much is alive at some step; that proves the peak.
  if (placement.lower_bound == 1048576) {
    EXPECT_EQ(placement.proof, Proof::optimal);
  }
}

INSTANTIATE_TEST_SUITE_P(Instances, MiniMalloc, testing::Values('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K'));

}  // namespace
}  // namespace ripc::test
