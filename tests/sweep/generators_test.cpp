// The generators make what their names say, in the shares of the publication's Table 5.
#include "sweep/generators.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <numeric>
#include <sstream>
#include <string>

#include "ripc/layer.h"
#include "source_dir.h"

namespace ripc::test {
namespace {

constexpr std::uint64_t kSeed = 5;

std::int64_t critical_numerator(const Layer& layer) { return layer.in_channels * (layer.rows.kernel - 1); }

TEST(Generators, SharesAreThoseOfTable5) {
  std::ifstream file(RIPC_SOURCE_DIR "/../shared/paper/table5.tsv");
  if (!file) GTEST_SKIP() << "no paper/table5.tsv beside the checkout";
  std::string line;
  std::getline(file, line);
  for (const Generator& generator : kGenerators) {
    ASSERT_TRUE(std::getline(file, line));
    std::ostringstream ours;
    ours << generator.tier << '\t' << generator.name << '\t' << generator.share;
    EXPECT_EQ(line, ours.str());
  }
}

TEST(Generators, EveryHundredLayersHaveTheShares) {
  EXPECT_EQ(std::accumulate(kGenerators.begin(), kGenerators.end(), 0,
                            [](int sum, const Generator& generator) { return sum + generator.share; }),
            100);
  std::map<const Generator*, int> counts;
  for (std::int64_t i = 700; i < 800; ++i) ++counts[&generator_of(i)];
  for (const Generator& generator : kGenerators) EXPECT_EQ(counts[&generator], generator.share) << generator.name;
}

TEST(Generators, ALayerDependsOnSeedAndIndexAlone) {
  int different = 0;
  for (std::int64_t i = 0; i < 100; ++i) {
    EXPECT_EQ(generated_layer(kSeed, i), generated_layer(kSeed, i));
    different += generated_layer(kSeed, i) == generated_layer(kSeed + 1, i) ? 0 : 1;
  }
  EXPECT_GT(different, 90);
}

TEST(Generators, LayersAreWhatTheirNamesSay) {
  std::map<std::string, int> seen;
  for (std::int64_t i = 0; i < 2000; ++i) {
    const Layer layer = generated_layer(kSeed, i);
    const std::string kind = generator_of(i).column;
    SCOPED_TRACE(kind + " " + std::to_string(i));
    ++seen[kind];
    const std::int64_t height = out_height(layer), width = out_width(layer);
    const std::int64_t growth = layer.out_channels - layer.in_channels;
    ASSERT_GE(height, 1);
    ASSERT_GE(width, 1);
    EXPECT_LE(std::max(layer.in_height, layer.in_width), 200);
    if (kind == "expansion") {
      EXPECT_EQ(layer.out_channels, 6 * layer.in_channels);
    }
    if (kind == "projection") {
      EXPECT_LE(growth, 0);
    }
    if (kind == "collapsed_minor_axis") {
      EXPECT_LE(std::min(height, width), 3);
    }
    if (kind == "small_herringbone_grid") {
      EXPECT_LE(std::min(height, width), 6);
    }
    if (kind == "thin_axis") {
      EXPECT_EQ(std::min(height, width), 1);
    }
    if (kind == "integer_critical_leg") {
      EXPECT_EQ(critical_numerator(layer) % growth, 0);
    }
    if (kind == "fractional_critical_leg") {
      EXPECT_NE(critical_numerator(layer) % growth, 0);
    }
    if (kind == "rectangular_kernel") {
      EXPECT_NE(layer.rows.kernel, layer.columns.kernel);
    }
    if (kind == "asymmetric_stride") {
      EXPECT_NE(layer.rows.stride, layer.columns.stride);
    }
    if (kind == "asymmetric_dilation") {
      EXPECT_NE(layer.rows.dilation, layer.columns.dilation);
    }
    if (kind == "maximal_padding") {
      EXPECT_EQ(layer.rows.pad_before, effective_kernel(layer.rows) - 1);
    }
  }
  EXPECT_EQ(seen.size(), kGenerators.size());
}

}  // namespace
}  // namespace ripc::test
