#include "kernels/run.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "rip/contract.h"

namespace ripc::test {
namespace {

constexpr std::byte kFill{0xa5};
constexpr std::int64_t kGuard = 32;

std::int32_t narrow(std::int64_t value) { return static_cast<std::int32_t>(value); }

/// The rows of a tensor; `flat`: as one row.
rip_view view_of(const Tensor& tensor, std::int64_t offset, bool flat) {
  const ImageShape image = image_shape(tensor);
  const std::int64_t pitch = image.channels * static_cast<std::int64_t>(scalar_bytes(tensor.type));
  const std::int64_t row = image.width * pitch;
  return {.offset = narrow(offset),
          .row_bytes = narrow(flat ? byte_count(tensor) : row),
          .slots = narrow(flat ? 1 : image.height),
          .first_slot = 0,
          .pitch = narrow(pitch),
          .pixel = narrow(pitch),
          .slot_step = 1,
          .space = 0};
}

}  // namespace

Offsets side_by_side(const OpCase& op_case) {
  Offsets offsets;
  std::int64_t next = 0;
  for (std::size_t i = 0; i < op_case.op().inputs.size(); ++i) {
    offsets.inputs.push_back(next);
    next += byte_count(op_case.input(i)) + kGuard;
  }
  offsets.output = next;
  return offsets;
}

std::vector<KernelOption> every_kernel(const OpCase& op_case) {
  std::vector<KernelOption> options;
  for (const KernelOption& option : kernel_options(op_case.graph, op_case.op(), kEveryKernel)) {
    options.push_back(option);
    if (option.contract->any_scratch == 0 || option.scratch_bytes == 0) continue;
    options.push_back(option);
    options.back().scratch_bytes = option.scratch_bytes * 2 / 3;
  }
  for (const KernelOption& option : stage_kernel_options(op_case.graph, op_case.op(), kEveryKernel)) {
    if (option.contract->order == RIP_ROW_PLANE && option.kept_bytes > 0) options.push_back(option);
  }
  return options;
}

Bytes run_kernel(const OpCase& op_case, const KernelOption& option, const Offsets& offsets, bool reverse, bool whole) {
  LoweredOp lowered = lower(op_case.graph, op_case.op(), option.contract->kernel, whole);
  const std::int64_t out_bytes = byte_count(op_case.output());
  std::int64_t least = offsets.output, end = offsets.output + out_bytes;
  for (std::size_t i = 0; i < offsets.inputs.size(); ++i) {
    least = std::min(least, offsets.inputs[i]);
    end = std::max(end, offsets.inputs[i] + byte_count(op_case.input(i)));
  }
  const std::int64_t shift = kGuard - least;
  const std::int64_t scratch = end + shift + kGuard;
  const std::int64_t kept = scratch + option.scratch_bytes + kGuard;
  Bytes arena(static_cast<std::size_t>(kept + option.kept_bytes + kGuard), kFill);
  for (std::size_t i = 0; i < offsets.inputs.size(); ++i) {
    std::ranges::copy(op_case.inputs[i], arena.begin() + (offsets.inputs[i] + shift));
  }
  Bytes expected = arena;

  const bool flat = lowered.node.out_height == 1 && (lowered.node.inputs > 1 || lowered.node.in_height == 1);
  std::vector<rip_view> in;
  for (std::size_t i = 0; i < offsets.inputs.size(); ++i) {
    in.push_back(view_of(op_case.input(i), offsets.inputs[i] + shift, flat));
  }
  rip_view out_view = view_of(op_case.output(), offsets.output + shift, lowered.node.out_height == 1);
  if (flat && (std::holds_alternative<Concat>(op_case.op().kind) ||
               std::holds_alternative<Rearrange>(op_case.op().kind))) {  // pixels of its own
    for (rip_view& view : in) view.pitch = view.row_bytes / lowered.node.out_width;
    out_view.pitch = out_view.row_bytes / lowered.node.out_width;
  }
  lowered.view_inputs(std::move(in));
  rip_node node = lowered.node;
  node.out = out_view;
  node.step = reverse ? -1 : 1;
  node.scratch = {.offset = option.scratch_bytes > 0 ? narrow(scratch) : -1, .bytes = narrow(option.scratch_bytes)};
  node.kept = option.kept_bytes > 0 ? narrow(kept) : -1;
  const StateId own = own_state(op_case.op());
  Bytes state = own == kNoState ? Bytes{} : op_case.graph.states[static_cast<std::size_t>(own)].initial;
  node.state = own == kNoState ? -1 : 0;

  const rip_memory memory{.arena = reinterpret_cast<std::int8_t*>(arena.data()),
                          .external = nullptr,
                          .state = reinterpret_cast<std::int8_t*>(state.data())};
  std::vector<const std::int8_t*> rows(static_cast<std::size_t>(std::max(node.kernel_rows, node.inputs)));
  for (std::int32_t index = 0; index < node.out_height; ++index) {
    rip_row_call call{};
    rip_place_row(&node, &memory, index, rows.data(), &call);
    call_kernel(lowered, call);
  }

  const auto out = arena.begin() + (offsets.output + shift);
  Bytes output(out, out + out_bytes);
  std::copy(output.begin(), output.end(), expected.begin() + (offsets.output + shift));
  std::copy_n(arena.begin() + scratch, option.scratch_bytes, expected.begin() + scratch);
  std::copy_n(arena.begin() + kept, option.kept_bytes, expected.begin() + kept);
  EXPECT_EQ(arena, expected) << lowered.kernel << " wrote outside of its output";
  return output;
}

}  // namespace ripc::test
