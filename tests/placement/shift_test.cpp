// The four networks for which the publication moves a tensor in memory (VGG-16, VGG-19, Inception-v3 and
// InceptionResNetV2): forward only, the least arena takes one shift; with the direction as a choice, none.
#include <gtest/gtest.h>

#include "placement/milp.h"
#include "placement/placers.h"

namespace ripc::test {
namespace {

/// A layer of a chain: bytes of its output, and its gathered gap; no gap: it runs channel by channel, at equal starts.
struct Layer {
  std::int64_t bytes;
  std::optional<std::int64_t> gap;
};

struct Piece {
  const char* name;
  std::int64_t input;
  std::vector<Layer> layers;
  std::int64_t bound;
  std::int64_t without_shift;
};

constexpr std::int64_t kImage224 = 224 * 224 * 3;
constexpr std::int64_t kBlock1 = 224 * 224 * 64;
constexpr std::int64_t kBlock2 = 112 * 112 * 128;
constexpr std::int64_t kBlock3 = 56 * 56 * 256;

// Two blocks of a VGG, and the convolutions of the third, of which VGG-19 has one more than VGG-16.
Piece vgg(const char* name, int convolutions) {
  Piece piece{name,
              kImage224,
              {{kBlock1, 3061350},
               {kBlock1, 14400},
               {kBlock1 / 4, std::nullopt},
               {kBlock2, 809984},
               {kBlock2, 14464},
               {kBlock2 / 4, std::nullopt},
               {kBlock3, 408576}},
              3225664,
              3226278};
  for (int i = 1; i < convolutions; ++i) piece.layers.push_back({kBlock3, 14592});
  return piece;
}

std::vector<Piece> pieces() {
  // Inception-v3 and InceptionResNetV2 begin with the same layers.
  return {vgg("VGG-16", 3),
          vgg("VGG-19", 4),
          {"Inception",
           299 * 299 * 3,
           {{149 * 149 * 32, 444000},
            {147 * 147 * 32, 0},
            {147 * 147 * 64, 696192},
            {73 * 73 * 64, std::nullopt},
            {73 * 73 * 80, 85264},
            {71 * 71 * 192, 553280}},
           1387680,
           1401920}};
}

Problem chain(const Piece& piece, bool reverse) {
  Problem problem;
  std::int64_t step = 0;
  problem.buffers.push_back({.name = "image", .bytes = piece.input, .first = 0, .last = 0});
  for (const Layer& layer : piece.layers) {
    const auto in = static_cast<BufferId>(problem.buffers.size()) - 1;
    const BufferId out = in + 1;
    const std::int64_t sizes = problem.buffers.back().bytes - layer.bytes;
    problem.buffers.push_back(
        {.name = "t" + std::to_string(out), .bytes = layer.bytes, .first = step, .last = step + 1});
    ++step;
    Choice choice{"op " + std::to_string(in), {}};
    if (!layer.gap) {
      choice.alternatives.push_back({"tied", {}, {{in, out}}});
    } else {
      choice.alternatives.push_back({"forward", {{out, in, *layer.gap}}, {}});
      if (reverse) choice.alternatives.push_back({"reverse", {{in, out, *layer.gap + sizes}}, {}});
    }
    problem.choices.push_back(choice);
  }
  return problem;
}

TEST(Shift, IsNeededForwardOnly) {
  for (const Piece& piece : pieces()) {
    SCOPED_TRACE(piece.name);
    const Problem problem = chain(piece, false);
    EXPECT_EQ(lower_bound(problem), piece.bound);
    const Placement placement = place(problem, "exact");
    EXPECT_EQ(validate_placement(problem, placement), "");
    EXPECT_EQ(placement.peak, piece.without_shift);
    EXPECT_EQ(placement.proof, Proof::optimal);
    const ShiftedPlacement shifted = place_with_shifts(problem, {});
    EXPECT_EQ(validate_placement(shifted.shiftable.problem, shifted.placement), "");
    EXPECT_EQ(shifted.placement.peak, piece.bound);
    EXPECT_EQ(shifted.taken.size(), 1U);
  }
}

TEST(Shift, IsNotNeededWithTheDirectionAsAChoice) {
  for (const Piece& piece : pieces()) {
    SCOPED_TRACE(piece.name);
    const Problem problem = chain(piece, true);
    const Placement placement = place(problem, "exact");
    EXPECT_EQ(validate_placement(problem, placement), "");
    EXPECT_EQ(placement.peak, piece.bound);
    EXPECT_EQ(placement.proof, Proof::optimal);
    const ShiftedPlacement shifted = place_with_shifts(problem, {});
    EXPECT_EQ(shifted.placement.peak, piece.bound);
    EXPECT_TRUE(shifted.taken.empty());
  }
}

}  // namespace
}  // namespace ripc::test
