// Every kernel in place at exactly the gap that its contract and its geometry prove, at a larger one, and at one byte
// less; at one scalar less where scalars have more, for a byte alone may be the one that rounding drops.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "kernels/run.h"
#include "overlap/overlap.h"

namespace ripc::test {
namespace {

std::int64_t in_bytes(const OpCase& op_case, std::size_t input) { return byte_count(op_case.input(input)); }
std::int64_t out_bytes(const OpCase& op_case) { return byte_count(op_case.output()); }

/// The output at `gap` from one of the inputs, the other inputs away from both.
Offsets in_place(const OpCase& op_case, std::size_t input, std::int64_t gap, bool reverse) {
  Offsets offsets;
  offsets.output = 0;
  offsets.inputs.assign(op_case.op().inputs.size(), 0);
  offsets.inputs[input] = reverse ? out_bytes(op_case) - gap - in_bytes(op_case, input) : gap;
  std::int64_t free = std::max(out_bytes(op_case), offsets.inputs[input] + in_bytes(op_case, input)) + 16;
  for (std::size_t other = 0; other < offsets.inputs.size(); ++other) {
    if (other == input) continue;
    offsets.inputs[other] = free;
    free += in_bytes(op_case, other);
  }
  return offsets;
}

bool share_bytes(const OpCase& op_case, std::size_t input, const Offsets& offsets) {
  return offsets.inputs[input] < offsets.output + out_bytes(op_case) &&
         offsets.output < offsets.inputs[input] + in_bytes(op_case, input);
}

enum class Verdict : std::uint8_t { corrupted, intact, blind };

/// Whether the output at those offsets is wrong for some input; a byte may be right by chance for one of them. Blind:
/// the output is the same for all, for its activation cuts everything off.
Verdict verdict(OpCase op_case, const KernelOption& option, const Offsets& offsets, bool reverse, bool whole,
                Random& random) {
  std::set<Bytes> outputs;
  for (int attempt = 0; attempt < 30; ++attempt) {
    const Bytes expected = run_kernel(op_case, option, side_by_side(op_case), reverse, whole);
    if (run_kernel(op_case, option, offsets, reverse, whole) != expected) return Verdict::corrupted;
    outputs.insert(expected);
    randomise_inputs(op_case, random);
  }
  return outputs.size() > 1 ? Verdict::intact : Verdict::blind;
}

struct Count {
  int run = 0;
  int claimed = 0;    ///< the contract says tight
  int binding = 0;    ///< the contract says tight, and the tensors share bytes at one scalar less
  int corrupted = 0;  ///< of these, at one scalar less
};

class InPlace : public testing::TestWithParam<Family> {
 protected:
  void check(const OpCase& op_case, const KernelOption& option, const OverlapRule& rule, std::size_t input,
             Random& random) {
    const InputOverlap& overlap = rule.inputs[input];
    if (overlap.kind == InputOverlap::Kind::disjoint) return;
    const bool tied = overlap.kind == InputOverlap::Kind::tied;
    const bool whole = random.chance(50);
    const std::int64_t gap = tied ? 0 : overlap.bytes, slack = tied ? 0 : random.number(1, 12);
    const Bytes expected = run_kernel(op_case, option, side_by_side(op_case), rule.reverse, whole);
    ++count_.run;
    // Any larger gap is as good: a planner that has room may take it.
    for (const std::int64_t more : {std::int64_t{0}, slack}) {
      const Offsets offsets = in_place(op_case, input, gap + more, rule.reverse);
      ASSERT_EQ(run_kernel(op_case, option, offsets, rule.reverse, whole), expected)
          << option.contract->kernel << (rule.reverse ? ", reverse" : ", forward") << ", gap " << gap << " + " << more;
    }
    if (tied || option.contract->tight == 0) return;
    ++count_.claimed;
    const std::size_t scalar = std::min(scalar_bytes(op_case.input(input).type), scalar_bytes(op_case.output().type));
    const Offsets closer = in_place(op_case, input, gap - static_cast<std::int64_t>(scalar), rule.reverse);
    if (!share_bytes(op_case, input, closer)) return;
    const Verdict result = verdict(op_case, option, closer, rule.reverse, whole, random);
    if (result == Verdict::blind) return;
    ++count_.binding;
    if (result == Verdict::corrupted) ++count_.corrupted;
  }

  Count count_;
};

TEST_P(InPlace, IsExactAtTheProvenGapAndCorruptsBelowIt) {
  Random random(2);
  for (int i = 0; i < 250; ++i) {
    const OpCase op_case = GetParam().make(random);
    for (const KernelOption& option : every_kernel(op_case)) {
      for (const OverlapRule& rule : overlap_rules(op_case.graph, op_case.op(), *option.contract)) {
        for (std::size_t input = 0; input < rule.inputs.size(); ++input) {
          check(op_case, option, rule, input, random);
          if (HasFatalFailure()) FAIL() << "case " << i;
        }
      }
    }
  }
  RecordProperty("run", count_.run);
  RecordProperty("binding", count_.binding);
  RecordProperty("corrupted", count_.corrupted);
  EXPECT_GE(count_.run, 200);
  EXPECT_GE(count_.binding, count_.claimed > 0 ? 100 : 0);
  EXPECT_GE(count_.corrupted * 10, count_.binding * 9);
}

/// At a stride of 2 a row may be written from the first byte of the input on, at a stride of 1 not: the next row still
/// reads there.
TEST(InPlaceRows, AreTiedWherePixelsDieInTime) {
  const auto family = std::ranges::find(families(), std::string("depthwise_square"), &Family::name);
  Random random(4);
  int tied = 0, apart = 0;
  for (int i = 0; i < 400; ++i) {
    const OpCase op_case = family->make(random);
    const Window& rows = std::get<DepthwiseConv2d>(op_case.op().kind).rows;
    if (rows.pad_before == 0 || image_shape(op_case.output()).height < 2) continue;
    for (const KernelOption& option : every_kernel(op_case)) {
      if (option.contract->order != RIP_ROW_PLANE) continue;
      const auto rules = overlap_rules(op_case.graph, op_case.op(), *option.contract);
      const bool is_tied = rules.back().inputs.front().kind == InputOverlap::Kind::tied;
      EXPECT_FALSE(is_tied && rows.stride == 1);
      ++(is_tied ? tied : apart);
    }
  }
  EXPECT_GE(tied, 10);
  EXPECT_GE(apart, 10);
}

INSTANTIATE_TEST_SUITE_P(Families, InPlace, testing::ValuesIn(families()),
                         [](const auto& family) { return family.param.name; });

}  // namespace
}  // namespace ripc::test
