// NAME_selftest.c: a seeded input, and the checksum of what every operator should make of it.
#include <fmt/format.h>

#include <iterator>

#include "emit/emission.h"
#include "execute/execute.h"
#include "execute/input_stream.h"
#include "graph/fnv.h"

namespace ripc::emit {
namespace {

/// The checksum as the emitted code meets the bytes: rows of a ring in the order in which they are made.
std::uint32_t checksum(const rip_node& node, std::span<const std::byte> tensor) {
  if (stores_whole_output(node) || node.step > 0) return fnv1a32(tensor);
  // Of a row that is made in blocks, pixel by pixel.
  const auto row = static_cast<std::size_t>(node.blocks != nullptr ? node.out.pixel : call_bytes(node));
  std::uint32_t state = kFnv32Start;
  for (std::size_t end = tensor.size(); end > 0; end -= row) state = fnv1a32(tensor.subspan(end - row, row), state);
  return state;
}

constexpr const char* kOpening = R"(#include <stddef.h>

#include "$p.h"
#include "rip/flash.h"

/* xorshift32; each step gives its low byte. */
static uint8_t next_byte(uint32_t *state) {
  uint32_t s = *state;
  s ^= s << 13;
  s ^= s >> 17;
  s ^= s << 5;
  *state = s;
  return (uint8_t)(s & 255u);
}

/* FNV-1a. */
static void add_bytes(void *context, int op, const int8_t *bytes, int32_t count) {
  uint32_t *sums = (uint32_t *)context;
  uint32_t sum = sums[op];
  int32_t i;
  for (i = 0; i < count; i++) sum = (sum ^ (uint8_t)bytes[i]) * 16777619u;
  sums[op] = sum;
}

typedef struct $p_checksum {
  uint16_t op;
  uint32_t sum;
} $p_checksum;

/* In the order in which the operators finish. */
static const $p_checksum checksums[$M_OPS] RIP_WEIGHTS_ATTR = {
)";

constexpr const char* kClosing = R"(  for (i = 0; i < $M_OPS; i++) {
    RIP_FLASH_STRUCT($p_checksum, expected, &checksums[i]);
    if (sums[expected->op] != expected->sum) return (int)expected->op + 1;
  }
  return 0;
}
)";

/// Code that writes one input from the stream.
std::string fill_text(const Emission& emission, std::size_t index) {
  const ProgramTensor& input = emission.program.inputs[index];
  const DataType type = emission.graph.tensors[static_cast<std::size_t>(input.tensor)].type;
  const std::string name = input_name(emission, index);
  const std::string place = from_caller(emission, input) ? name : fmt::format("$p_{}(arena)", name);
  const std::int64_t scalar = type == DataType::float32 ? std::int64_t{sizeof(float)} : 1;
  const char* value = type == DataType::float32   ? "(float)(next_byte(&stream) - 128) / 64.0f"
                      : type == DataType::boolean ? "(uint8_t)(next_byte(&stream) & 1u)"
                                                  : "next_byte(&stream)";
  return fmt::format("  {{\n    {0} *to = ({0} *){1};\n    for (i = 0; i < {2}; i++) to[i] = {3};\n  }}\n",
                     type == DataType::float32 ? "float" : "uint8_t", place, input.bytes / scalar, value);
}

}  // namespace

std::string selftest_text(const Emission& emission) {
  const Program& program = emission.program;
  std::string table;
  execute(program, random_inputs(emission.graph, emission.options.selftest_seed),
          [&](OpId op, std::span<const std::byte> tensor) {
            const std::uint32_t sum = checksum(program.ops[static_cast<std::size_t>(op)].node, tensor);
            fmt::format_to(std::back_inserter(table), "  {{{}, 0x{:08x}u}}, /* {} */\n", op, sum,
                           op_label(emission, op));
          });

  std::string text =
      fmt::format("/* The self-test of {}. SPDX-License-Identifier: MIT-0 */\n", harmless(emission.graph.name));
  text += kOpening + table + "};\n";
  fmt::format_to(std::back_inserter(text), "\nint $p_selftest_input(void *arena{}) {{\n", parameters(emission, true));
  fmt::format_to(std::back_inserter(text), "  uint32_t stream = {}u;\n  int32_t i;\n", emission.options.selftest_seed);
  fmt::format_to(std::back_inserter(text), "  if ({}) return -1;\n", refusal(emission));
  if (program.state_bytes > 0) text += "  $p_reset(state);\n";
  for (std::size_t i = 0; i < program.inputs.size(); ++i) text += fill_text(emission, i);
  text += "  return 0;\n}\n";

  fmt::format_to(std::back_inserter(text), "\nint $p_selftest(void *arena{}) {{\n", parameters(emission, true));
  text += "  uint32_t sums[$M_OPS];\n  int32_t i;\n";
  fmt::format_to(std::back_inserter(text), "  if ($p_selftest_input(arena{}) != 0) return -1;\n", arguments(emission));
  fmt::format_to(std::back_inserter(text), "  for (i = 0; i < $M_OPS; i++) sums[i] = {}u;\n", kFnv32Start);
  fmt::format_to(std::back_inserter(text), "  if ($p_invoke_watched(arena{}, add_bytes, sums) != 0) return -1;\n",
                 arguments(emission));
  text += kClosing;
  return expand(text, emission.names);
}

}  // namespace ripc::emit
