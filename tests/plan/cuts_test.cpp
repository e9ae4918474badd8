// Where to cut a network into stages, beside all the ways there are of cutting it.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "plan/stage_cuts.h"

namespace ripc {
namespace {

constexpr std::int64_t kLongest = 12;  // long enough for the search to stop before

/// Costs of stages of random operators: what lies inside grows with the stage, what lies around it may do anything.
class RandomCosts {
 public:
  explicit RandomCosts(std::uint32_t seed) : random_(seed) {
    const std::int64_t ops = pick(2, 14);
    inner_.assign(static_cast<std::size_t>(ops + 1), std::vector<std::int64_t>(static_cast<std::size_t>(ops + 1), 0));
    costs_ = inner_;
    for (std::int64_t end = 1; end <= ops; ++end) {
      for (std::int64_t begin = end - 1, inside = 0; begin >= 0; --begin, inside += pick(0, 20)) {
        at(inner_, begin, end) = inside;
        at(costs_, begin, end) = inside + pick(1, 100);
      }
    }
  }

  StageCosts costs() {
    return {.ops = ops(),
            .longest = kLongest,
            .below = kNoStage,
            .least = [this](std::int64_t begin, std::int64_t end) { return at(inner_, begin, end); },
            .cost = [this](std::int64_t begin, std::int64_t end, std::int64_t) { return at(costs_, begin, end); },
            .inner = [this](std::int64_t begin, std::int64_t end) { return at(inner_, begin, end); }};
  }

  /// The most expensive stage, of the cuts that keep it cheapest.
  std::int64_t least() {
    std::int64_t best = kNoStage;
    for (std::uint32_t cuts = 0; cuts < 1U << static_cast<std::uint32_t>(ops() - 1); ++cuts) {
      std::vector<std::int64_t> begins{0};
      for (std::int64_t op = 1; op < ops(); ++op) {
        if ((cuts >> static_cast<std::uint32_t>(op - 1) & 1U) != 0) begins.push_back(op);
      }
      best = std::min(best, dearest(begins));
    }
    return best;
  }

  /// kNoStage: one of the stages is too long.
  std::int64_t dearest(const std::vector<std::int64_t>& begins) {
    std::int64_t most = 0;
    for (std::size_t i = 0; i < begins.size(); ++i) {
      const std::int64_t end = i + 1 < begins.size() ? begins[i + 1] : ops();
      if (end - begins[i] > kLongest) return kNoStage;
      most = std::max(most, at(costs_, begins[i], end));
    }
    return most;
  }

 private:
  using Table = std::vector<std::vector<std::int64_t>>;  // by begin and end

  static std::int64_t& at(Table& table, std::int64_t begin, std::int64_t end) {
    return table[static_cast<std::size_t>(begin)][static_cast<std::size_t>(end)];
  }
  std::int64_t ops() const { return std::ssize(costs_) - 1; }
  std::int64_t pick(std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>(from, to)(random_);
  }

  std::mt19937 random_;
  Table inner_, costs_;
};

TEST(Cuts, KeepTheDearestStageAsCheapAsAnyCuts) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    RandomCosts random(seed);
    const StageCosts costs = random.costs();
    const std::int64_t least = least_bottleneck(costs);
    ASSERT_EQ(least, random.least()) << seed;
    ASSERT_EQ(random.dearest(stage_begins(costs, least)), least) << seed;
    ASSERT_TRUE(stage_begins(costs, least - 1).empty()) << seed;
  }
}

TEST(Cuts, StopLookingOnceWhatLiesInsideHasLongBeenTooMuch) {
  constexpr std::int64_t kOps = 200;
  std::int64_t asked = 0;
  const StageCosts costs{.ops = kOps,
                         .longest = 100,
                         .below = kNoStage,
                         .least = [](std::int64_t, std::int64_t) { return 1; },
                         .cost =
                             [&](std::int64_t begin, std::int64_t end, std::int64_t) {
                               ++asked;
                               return 10 * (end - begin);
                             },
                         .inner = [](std::int64_t begin, std::int64_t end) { return 10 * (end - begin) - 1; }};
  EXPECT_EQ(least_bottleneck(costs), 10);
  EXPECT_LT(asked, 12 * kOps);
  asked = 0;
  EXPECT_EQ(stage_begins(costs, 40).front(), 0);
  EXPECT_LT(asked, 15 * kOps);
}

}  // namespace
}  // namespace ripc
