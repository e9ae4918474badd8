// Kernels inside slices: inputs and output with bytes of other tensors between their pixels.
#include "lower/pitch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/cases.h"
#include "kernels/run.h"

namespace ripc::test {
namespace {

constexpr std::byte kBetween{0x5a};

/// A tensor's pixels in an arena, `pitch` bytes apart, its rows without a hole.
struct Slice {
  rip_view view{};
  std::int64_t rows = 1, width = 1;

  std::int64_t address(std::int64_t y, std::int64_t x) const {
    return view.offset + y * view.row_bytes + x * view.pitch;
  }
  std::int64_t end() const { return view.offset + rows * view.row_bytes; }
};

Slice slice_of(const Tensor& tensor, std::int64_t offset, std::int64_t slack) {
  const ImageShape image = image_shape(tensor);
  const std::int64_t pixel = image.channels * static_cast<std::int64_t>(scalar_bytes(tensor.type));
  const auto narrow = [](std::int64_t value) { return static_cast<std::int32_t>(value); };
  return {.view = {.offset = narrow(offset),
                   .row_bytes = narrow(image.width * (pixel + slack)),
                   .slots = narrow(image.height),
                   .first_slot = 0,
                   .pitch = narrow(pixel + slack),
                   .pixel = narrow(pixel),
                   .slot_step = 1,
                   .space = 0},
          .rows = image.height,
          .width = image.width};
}

/// The output of the kernel run on slices; fails if it touches a byte that is not of its output.
Bytes run_in_slices(const OpCase& op_case, const KernelOption& option, const std::vector<std::int64_t>& slack,
                    std::int64_t out_slack, bool reverse, bool whole) {
  LoweredOp lowered = lower(op_case.graph, op_case.op(), option.contract->kernel, whole);
  std::vector<Slice> inputs;
  std::int64_t end = 64;
  for (std::size_t i = 0; i < op_case.inputs.size(); ++i) {
    inputs.push_back(slice_of(op_case.input(i), end, slack[i]));
    end = inputs.back().end() + 64;
  }
  const Slice out = slice_of(op_case.output(), end, out_slack);
  const std::int64_t scratch = out.end() + 64;
  Bytes arena(static_cast<std::size_t>(scratch + option.scratch_bytes + 64), kBetween);
  const auto for_each_pixel = [&](const Slice& slice, auto visit) {
    for (std::int64_t y = 0; y < slice.rows; ++y) {
      for (std::int64_t x = 0; x < slice.width; ++x) visit(arena.begin() + slice.address(y, x), y * slice.width + x);
    }
  };
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::int64_t pixel = inputs[i].view.pixel;
    for_each_pixel(inputs[i], [&](auto to, std::int64_t index) {
      std::copy_n(op_case.inputs[i].begin() + index * pixel, pixel, to);
    });
  }
  Bytes expected = arena;

  const bool flat = lowered.node.out_height == 1 && (lowered.node.inputs > 1 || lowered.node.in_height == 1);
  const auto seen = [&](rip_view view) {
    if (!flat) return view;
    view.row_bytes *= view.slots;
    view.slots = 1;
    return view;
  };
  std::vector<rip_view> views;
  for (const Slice& input : inputs) views.push_back(seen(input.view));
  lowered.view_inputs(std::move(views));
  rip_node node = lowered.node;
  node.out = seen(out.view);
  node.step = reverse ? -1 : 1;
  node.scratch = {.offset = option.scratch_bytes > 0 ? static_cast<std::int32_t>(scratch) : -1,
                  .bytes = static_cast<std::int32_t>(option.scratch_bytes)};
  node.kept = -1;
  const rip_memory memory{.arena = reinterpret_cast<std::int8_t*>(arena.data()), .external = nullptr, .state = nullptr};
  std::vector<const std::int8_t*> rows(static_cast<std::size_t>(std::max(node.kernel_rows, node.inputs)));
  for (std::int32_t index = 0; index < node.out_height; ++index) {
    rip_row_call call{};
    rip_place_row(&node, &memory, index, rows.data(), &call);
    call_kernel(lowered, call);
  }

  Bytes result;
  for_each_pixel(out, [&](auto from, std::int64_t) { result.insert(result.end(), from, from + out.view.pixel); });
  for_each_pixel(out, [&](auto from, std::int64_t) {
    std::copy_n(from, out.view.pixel, expected.begin() + (from - arena.begin()));
  });
  std::copy_n(arena.begin() + scratch, option.scratch_bytes, expected.begin() + scratch);
  EXPECT_EQ(arena, expected) << lowered.kernel << " wrote between the pixels of its output";
  return result;
}

class Pitch : public testing::TestWithParam<Family> {};

TEST_P(Pitch, IsHonouredWhereTheKernelIsSaidTo) {
  Random random(3);
  for (int i = 0; i < 120; ++i) {
    const OpCase op_case = GetParam().make(random);
    std::vector<std::int64_t> slack;
    bool any = false;
    for (std::size_t input = 0; input < op_case.inputs.size(); ++input) {
      const bool pitched = reads_pitched(op_case.graph, op_case.op(), input);
      slack.push_back(pitched ? random.number(0, 9) * static_cast<std::int64_t>(scalar_bytes(op_case.input(input).type))
                              : 0);
      any |= pitched;
    }
    const bool writes = writes_pitched(op_case.graph, op_case.op());
    if (!any && !writes) continue;
    const std::int64_t out_slack =
        writes ? random.number(0, 9) * static_cast<std::int64_t>(scalar_bytes(op_case.output().type)) : 0;
    for (const KernelOption& option : kernel_options(op_case.graph, op_case.op(), kEveryKernel)) {
      const bool whole = random.chance(50), reverse = random.chance(50) && option.contract->order != RIP_PLANE;
      const Bytes expected = run_kernel(op_case, option, side_by_side(op_case), false, whole);
      ASSERT_EQ(run_in_slices(op_case, option, slack, out_slack, reverse, whole), expected)
          << option.contract->kernel << ", case " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Families, Pitch, testing::ValuesIn(families()),
                         [](const auto& family) { return family.param.name; });

TEST(PitchTable, CountsOnTheKernelsThatAreTested) {
  Random random(4);
  int read = 0, written = 0;
  for (const Family& family : families()) {
    const OpCase op_case = family.make(random);
    read += reads_pitched(op_case.graph, op_case.op(), 0) ? 1 : 0;
    written += writes_pitched(op_case.graph, op_case.op()) ? 1 : 0;
  }
  EXPECT_GE(read, 12);
  EXPECT_GE(written, 12);
}

}  // namespace
}  // namespace ripc::test
