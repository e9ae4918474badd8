// Kernels that make an output row over the first row of its own window, pixel over pixel, or apart from its input, with
// every size of scratch.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "kernels/reference.h"
#include "kernels/run.h"

namespace ripc::test {
namespace {

constexpr std::byte kFill{0xa5};
constexpr std::int64_t kGuard = 16;

std::int32_t narrow(std::int64_t value) { return static_cast<std::int32_t>(value); }

/// Rows of a layer whose output rows are no longer than its input rows.
class OldestRow {
 public:
  OldestRow(const OpCase& op_case, const KernelOption& option, bool reverse)
      : case_(op_case),
        lowered_(lower(op_case.graph, op_case.op(), option.contract->kernel, false)),
        in_(image_shape(op_case.input(0))),
        out_(image_shape(op_case.output())) {
    rip_view view{.offset = narrow(kGuard),
                  .row_bytes = narrow(in_.width * in_.channels),
                  .slots = narrow(in_.height),
                  .first_slot = 0,
                  .pitch = narrow(in_.channels),
                  .pixel = narrow(in_.channels),
                  .slot_step = 1,
                  .space = 0};
    lowered_.view_inputs({view});
    lowered_.node.out = view;
    lowered_.node.out.slots = narrow(out_.height);
    lowered_.node.step = reverse ? -1 : 1;
    lowered_.node.scratch = {.offset = -1, .bytes = 0};
    lowered_.node.kept = lowered_.node.state = -1;
  }

  std::int32_t rows() const { return lowered_.node.out_height; }

  /// The `index`-th row that the kernel makes: at the side of the first row of its window where the work begins, or
  /// apart. Empty if the window has none.
  Bytes make(std::int32_t index, std::int64_t scratch_bytes, std::int64_t misaligned, bool apart) {
    const std::int64_t in_row = in_.width * in_.channels, out_row = out_.width * out_.channels;
    const std::int64_t behind = 2 * kGuard + in_.height * in_row, scratch = behind + out_row + kGuard + misaligned;
    Bytes arena(static_cast<std::size_t>(scratch + scratch_bytes + kGuard), kFill);
    std::ranges::copy(case_.inputs[0], arena.begin() + kGuard);
    const rip_memory memory{
        .arena = reinterpret_cast<std::int8_t*>(arena.data()), .external = nullptr, .state = nullptr};
    std::vector<const std::int8_t*> window(static_cast<std::size_t>(lowered_.node.kernel_rows));
    rip_row_call call{};
    rip_place_row(&lowered_.node, &memory, index, window.data(), &call);
    row_ = call.y;
    if (call.step < 0) std::ranges::reverse(window);
    const auto oldest = std::ranges::find_if(window, [](const std::int8_t* row) { return row != nullptr; });
    if (oldest == window.end()) return {};
    const std::int64_t over = *oldest - memory.arena + (call.step < 0 ? in_row - out_row : 0);
    const std::int64_t start = apart ? behind : over;
    if (call.step < 0) std::ranges::reverse(window);
    call.out = memory.arena + start;
    call.scratch = scratch_bytes > 0 ? memory.arena + scratch : nullptr;
    call.scratch_bytes = narrow(scratch_bytes);
    Bytes expected = arena;
    call_kernel(lowered_, call);
    Bytes row(arena.begin() + start, arena.begin() + start + out_row);
    std::ranges::copy(row, expected.begin() + start);
    std::copy_n(arena.begin() + scratch, scratch_bytes, expected.begin() + scratch);
    EXPECT_EQ(arena, expected) << "wrote outside of its row";
    return row;
  }

  /// The row that make() made last.
  std::int32_t row() const { return row_; }

 private:
  const OpCase& case_;
  LoweredOp lowered_;
  ImageShape in_, out_;
  std::int32_t row_ = 0;
};

bool fits(const OpCase& op_case) { return image_shape(op_case.output()).width <= image_shape(op_case.input(0)).width; }

class RowPlane : public testing::TestWithParam<std::tuple<const char*, bool, bool>> {};

TEST_P(RowPlane, MakesTheBytesOfTheReferenceWithAnyScratch) {
  const auto [family_name, reverse, apart] = GetParam();
  const auto family = std::ranges::find(families(), std::string(family_name), &Family::name);
  Random random(3);
  int made = 0, stretched = 0;
  for (int i = 0; i < 150; ++i) {
    const OpCase op_case = family->make(random);
    if (!fits(op_case)) continue;
    const Bytes expected = reference(op_case);
    const ImageShape image = image_shape(op_case.output());
    const std::int64_t row_bytes = image.width * image.channels;
    for (const KernelOption& option : stage_kernel_options(op_case.graph, op_case.op(), kEveryKernel)) {
      if (option.contract->order != RIP_ROW_PLANE || option.kept_bytes > 0) continue;
      OldestRow rows(op_case, option, reverse);
      const std::int64_t full = option.scratch_bytes;
      const std::int64_t least = option.contract->any_scratch != 0 ? 0 : full;
      for (std::int64_t bytes = full; bytes >= least;
           bytes = bytes > least ? std::max(least, bytes - random.number(1, 40)) : -1) {
        for (std::int32_t index = 0; index < rows.rows(); ++index) {
          const Bytes row = rows.make(index, bytes, random.number(0, 3), apart);
          if (row.empty()) continue;
          const auto begin = expected.begin() + rows.row() * row_bytes;
          ASSERT_TRUE(std::ranges::equal(row, std::ranges::subrange(begin, begin + row_bytes)))
              << "case " << i << ", " << option.contract->kernel << ", row " << rows.row() << ", " << bytes << " of "
              << full << " bytes of scratch";
          ++made;
          stretched += bytes < full ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GE(made, 200);
  EXPECT_GE(stretched, std::string(family_name) == "depthwise_square" ? 1000 : 0);
}

INSTANTIATE_TEST_SUITE_P(All, RowPlane,
                         testing::Combine(testing::Values("depthwise", "depthwise_square"), testing::Bool(),
                                          testing::Bool()));

}  // namespace
}  // namespace ripc::test
