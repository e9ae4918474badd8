// What lies where: blocks, pairs that share bytes, and the sums of each operator, on plans of single operators and of
// stages.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "report/networks.h"
#include "report/words.h"

namespace ripc::test {
namespace {

/// Bytes of the arena in use at a time, byte by byte.
std::int64_t counted(const std::vector<Block>& blocks, std::int64_t arena, std::int64_t time) {
  std::vector<bool> used(static_cast<std::size_t>(arena));
  for (const Block& block : blocks) {
    if (block.first > time || block.last < time) continue;
    std::fill_n(used.begin() + block.offset, block.bytes, true);
  }
  return std::ranges::count(used, true);
}

void expect_sums(const Reported& made) {
  ASSERT_FALSE(made.account.rows.empty());
  for (const OpRow& row : made.account.rows) {
    EXPECT_EQ(row.input_bytes + row.output_bytes + row.scratch_bytes + row.held_bytes - row.shared_bytes,
              row.live_bytes);
    const auto time = static_cast<std::int64_t>(row.stage) + 1;
    EXPECT_EQ(row.live_bytes, counted(made.account.blocks, made.plan.arena_bytes, time));
  }
}

TEST(Blocks, EveryRowAddsUp) {
  expect_sums(reported(chain_graph()));
  expect_sums(reported(long_graph(6)));
  expect_sums(staged());
}

TEST(Blocks, AStageHasRingsAndItsScratch) {
  const Reported made = staged();
  const std::vector<Block>& blocks = made.account.blocks;
  ASSERT_EQ(blocks.size(), 6U);
  EXPECT_EQ(std::ranges::count(blocks, BlockKind::ring, &Block::kind), 2);
  const Block& ring = blocks[1];
  EXPECT_EQ(ring.kind, BlockKind::ring);
  EXPECT_EQ(ring.rows, 3);
  EXPECT_EQ(ring.bytes, 3 * 72);
  EXPECT_EQ(ring.first, 1);
  EXPECT_EQ(ring.last, 1);
  const auto scratch = std::ranges::find(blocks, BlockKind::scratch, &Block::kind);
  ASSERT_NE(scratch, blocks.end());
  EXPECT_EQ(scratch->op, 2);
  EXPECT_EQ(scratch->first, 1);
  ASSERT_EQ(made.account.rows.size(), 4U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(made.account.rows[i].stage, 0U);
    EXPECT_EQ(made.account.rows[i].live_bytes, 240 + 4 * 72 + 32);
  }
  EXPECT_FALSE(made.account.rows[0].in_place);
  EXPECT_TRUE(made.account.rows[2].in_place) << "the output of the stage lies over the input of the stage";
  EXPECT_EQ(made.account.rows[2].gap, 0);
}

TEST(Blocks, PairsThatShareBytesAreFound) {
  const Reported made = reported(chain_graph());
  const std::vector<Block>& blocks = made.account.blocks;
  const std::vector<Overlap> overlaps = overlaps_of(blocks);
  std::size_t pairs = 0;
  for (const Block& a : blocks) {
    for (const Block& b : blocks) {
      const bool together = a.first <= b.last && b.first <= a.last;
      if (&a < &b && together && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes) ++pairs;
    }
  }
  EXPECT_GT(pairs, 0U);
  EXPECT_EQ(overlaps.size(), pairs);
  for (const Overlap& overlap : overlaps) {
    const Block &older = blocks[overlap.older], &younger = blocks[overlap.younger];
    EXPECT_LE(older.first, younger.first);
    EXPECT_EQ(overlap.gap, older.offset - younger.offset);
    EXPECT_GT(overlap.bytes, 0);
    EXPECT_LE(overlap.bytes, std::min(older.bytes, younger.bytes));
    EXPECT_EQ(overlap.first, overlap.last) << "an input that is written over dies at that operator";
  }
  EXPECT_TRUE(overlaps_of(made.account.dual_blocks).empty());
}

TEST(Blocks, TheSentenceOfThePeakAddsUpToTheArena) {
  for (const Reported& made : {reported(chain_graph()), reported(long_graph(5)), staged()}) {
    const OpRow* peak = peak_row(made.account);
    ASSERT_NE(peak, nullptr);
    std::string digits = peak_text(*peak, made.account.in_place.bytes);
    digits = digits.substr(digits.find(": ") + 1);
    std::erase(digits, ',');
    std::int64_t sum = 0, sign = 1;
    for (std::size_t at = 0; at < digits.size(); ++at) {
      if (digits[at] == '-') sign = -1;
      if (digits[at] == '+') sign = 1;
      if (std::isdigit(static_cast<unsigned char>(digits[at])) == 0) continue;
      std::size_t used = 0;
      sum += sign * std::stoll(digits.substr(at), &used);
      at += used - 1;
    }
    EXPECT_EQ(sum, made.account.in_place.bytes) << digits;
  }
}

}  // namespace
}  // namespace ripc::test
