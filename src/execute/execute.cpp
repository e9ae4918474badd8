#include "execute/execute.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "ripc/error.h"

namespace ripc {
namespace {

constexpr std::byte kUndefined{0xa5};

/// Memory of the arena's size between two guards.
class GuardedArena {
 public:
  GuardedArena(std::int64_t bytes, std::int64_t alignment)
      : bytes_(static_cast<std::size_t>(bytes)),
        memory_(bytes_ + 2 * kGuard + 3 * static_cast<std::size_t>(alignment), kUndefined) {
    // An odd multiple of the alignment: code that silently relies on more has no luck here.
    const auto unit = static_cast<std::uintptr_t>(alignment);
    std::uintptr_t address = reinterpret_cast<std::uintptr_t>(memory_.data()) + kGuard;
    address = (address + unit - 1) / unit * unit;
    if (address / unit % 2 == 0) address += unit;
    start_ = static_cast<std::size_t>(address - reinterpret_cast<std::uintptr_t>(memory_.data()));
  }

  std::byte* data() { return memory_.data() + start_; }

  bool intact() const {
    const auto untouched = [](std::span<const std::byte> guard) {
      return std::ranges::all_of(guard, [](std::byte byte) { return byte == kUndefined; });
    };
    const std::span memory(memory_);
    return untouched(memory.first(start_)) && untouched(memory.subspan(start_ + bytes_));
  }

 private:
  static constexpr std::size_t kGuard = 64;
  std::size_t bytes_;
  Bytes memory_;
  std::size_t start_ = 0;
};

/// The outputs of operators as they become complete.
class Watcher {
 public:
  Watcher(const Program& program, const OpObserver& observer)
      : program_(program), observer_(observer), rings_(program.ops.size()) {}

  /// `done`: whether the step at `index` needs no further call.
  void called(OpId op, std::int32_t index, bool done, const rip_row_call& call, const std::byte* arena,
              const std::byte* state) {
    const rip_node& node = program_.ops[static_cast<std::size_t>(op)].node;
    const auto* row = reinterpret_cast<const std::byte*>(call.out);
    const std::byte* space = node.out.space == RIP_STATE ? state : arena;
    const bool last = done && index + 1 == rip_step_count(&node);
    const auto bytes = static_cast<std::size_t>(output_bytes(node));
    if (node.gathers != 0) {
      if (last) observer_(op, {row, static_cast<std::size_t>(call_bytes(node))});
      return;
    }
    if (stores_whole_output(node)) {
      if (last && has_gaps(node)) observer_(op, gathered(node, arena));
      if (last && !has_gaps(node)) observer_(op, {space + node.out.offset, bytes});
      return;
    }
    Bytes& tensor = rings_[static_cast<std::size_t>(op)];
    tensor.resize(bytes);
    const auto pixel = static_cast<std::ptrdiff_t>(node.out.pixel);
    std::copy(row + call.x0 * pixel, row + call.x1 * pixel,
              tensor.begin() + call_bytes(node) * call.y + call.x0 * pixel);
    if (last) {
      observer_(op, tensor);
      tensor = {};
    }
  }

 private:
  /// The pixels of a tensor with gaps side by side.
  static Bytes gathered(const rip_node& node, const std::byte* arena) {
    Bytes tensor;
    for (std::int32_t y = 0; y < node.out_height; ++y) {
      const std::byte* row = arena + node.out.offset + std::ptrdiff_t{y} * node.out.row_bytes;
      for (std::int32_t x = 0; x < node.out_width; ++x, row += node.out.pitch) {
        tensor.insert(tensor.end(), row, row + node.out.pixel);
      }
    }
    return tensor;
  }

  const Program& program_;
  const OpObserver& observer_;
  std::vector<Bytes> rings_;
};

}  // namespace

/// Row y of the streamed input is stored where it belongs.
void arrive(const ProgramStream& stream, const Bytes& input, std::int64_t y, std::byte* arena) {
  const rip_view& view = stream.view;
  const std::int64_t slot = (view.first_slot + y * view.slot_step) % view.slots;
  std::copy_n(input.begin() + y * stream.row_bytes, stream.row_bytes, arena + view.offset + slot * view.row_bytes);
}

RunResult execute(const Program& program, const std::vector<Bytes>& inputs, const OpObserver& observer, Bytes* state) {
  if (inputs.size() != program.inputs.size()) {
    throw Error({.fault = Fault::usage,
                 .problem = "wrong number of inputs",
                 .expected = std::to_string(program.inputs.size()),
                 .found = std::to_string(inputs.size())});
  }
  const Bytes& before = state != nullptr ? *state : program.initial_state;
  if (std::ssize(before) != program.state_bytes) {
    throw Error({.fault = Fault::usage,
                 .problem = "the state has the wrong size",
                 .expected = std::to_string(program.state_bytes) + " bytes",
                 .found = std::to_string(before.size()) + " bytes"});
  }
  GuardedArena arena(program.arena_bytes, program.alignment);
  GuardedArena kept(program.state_bytes, program.state_alignment);
  std::ranges::copy(before, kept.data());
  std::vector<Bytes> callers(static_cast<std::size_t>(program.external));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const ProgramTensor& input = program.inputs[i];
    if (static_cast<std::int64_t>(inputs[i].size()) != input.bytes) {
      throw Error({.fault = Fault::usage,
                   .problem = "input " + std::to_string(i) + " has the wrong size",
                   .expected = std::to_string(input.bytes) + " bytes",
                   .found = std::to_string(inputs[i].size()) + " bytes"});
    }
    if (program.streamed) continue;
    if (input.space > 0) {
      callers[static_cast<std::size_t>(input.space - 1)] = inputs[i];
    } else {
      std::ranges::copy(inputs[i], arena.data() + input.offset);
    }
  }
  const std::vector<Bytes> untouched = callers;

  std::vector<const std::int8_t*> external;
  external.reserve(callers.size());
  for (const Bytes& buffer : callers) external.push_back(reinterpret_cast<const std::int8_t*>(buffer.data()));
  const rip_memory memory{.arena = reinterpret_cast<std::int8_t*>(arena.data()),
                          .external = external.data(),
                          .state = reinterpret_cast<std::int8_t*>(kept.data())};
  std::vector<const std::int8_t*> rows(static_cast<std::size_t>(program.row_pointers));
  Watcher watcher(program, observer);
  for_each_call(program, [&](OpId id, std::int32_t index) {
    if (id == kSourceRows) return arrive(*program.streamed, inputs[0], index, arena.data());
    const LoweredOp& op = program.ops[static_cast<std::size_t>(id)];
    rip_row_call call{};
    rip_exchange exchange{};
    std::int32_t left = 0;
    do {
      left = rip_place_block(&op.node, &memory, index, left, rows.data(), &call, &exchange);
      call_kernel(op, call);
      rip_put_back(&exchange);
      if (observer) watcher.called(id, index, left == 0, call, arena.data(), kept.data());
    } while (left > 0);
    if (index + 1 == rip_step_count(&op.node) && !(arena.intact() && kept.intact())) {
      throw std::logic_error(op.kernel + " of operator " + std::to_string(id) +
                             " wrote outside the arena or the state");
    }
  });
  if (callers != untouched) throw std::logic_error("a kernel wrote into the caller's input");

  if (state != nullptr) state->assign(kept.data(), kept.data() + program.state_bytes);
  RunResult result;
  for (const ProgramTensor& output : program.outputs) {
    const std::byte* space =
        output.space > 0 ? callers[static_cast<std::size_t>(output.space - 1)].data() : arena.data();
    result.outputs.emplace_back(space + output.offset, space + output.offset + output.bytes);
  }
  return result;
}

}  // namespace ripc
