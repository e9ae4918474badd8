// The 33 networks of the publication's Table 7: operators, size of the published program, and both peaks, proven.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "import/import.h"
#include "passes/passes.h"
#include "placement/placers.h"
#include "plan/published_program.h"
#include "source_dir.h"

namespace ripc {
namespace {

const std::filesystem::path kSource = RIPC_SOURCE_DIR;

/// What is known of a network: counts as printed, peaks in bytes.
struct Known {
  std::string network;
  std::size_t ops = 0;
  ProgramSize program;
  std::int64_t dual = 0, in_place = 0;
};

std::vector<Known> known_networks() {
  std::vector<Known> rows;
  std::ifstream file(kSource / "tests/plan/keras.tsv");
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    Known row;
    if (fields >> row.network >> row.ops >> row.program.variables >> row.program.constraints >> row.dual >>
        row.in_place) {
      rows.push_back(row);
    }
  }
  return rows;
}

Graph network(const std::string& name) {
  return canonicalize(import_network(kSource / "networks/keras" / (name + ".json")), {});
}

std::int64_t proven_peak(const Problem& problem) {
  const Placement placement = place(problem, "exact");
  EXPECT_EQ(validate_placement(problem, placement), "");
  EXPECT_EQ(placement.proof, Proof::optimal);
  return placement.peak;
}

TEST(Keras, EveryNetworkHasItsPublishedPeaks) {
  const std::vector<Known> rows = known_networks();
  ASSERT_EQ(rows.size(), 33U);
  for (const Known& row : rows) {
    SCOPED_TRACE(row.network);
    const Graph graph = network(row.network);
    EXPECT_EQ(graph.ops.size(), row.ops);
    EXPECT_EQ(published_program_size(graph), row.program);
    EXPECT_EQ(proven_peak(published_problem(graph, false).problem), row.dual);
    EXPECT_EQ(proven_peak(published_problem(graph, true).problem), row.in_place);
  }
}

TEST(Keras, ForwardAloneCostsMoreWhereThePublicationMovesATensor) {
  EXPECT_EQ(proven_peak(forward_only(published_problem(network("VGG-16"), true).problem)), 3226278);
  EXPECT_EQ(proven_peak(forward_only(published_problem(network("Inception-v3"), true).problem)), 1401920);
}

}  // namespace
}  // namespace ripc
