// NAME.h: what the user of a model includes.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "emit/emission.h"
#include "ripc/error.h"

namespace ripc::emit {
namespace {

const Tensor& tensor_of(const Emission& emission, const ProgramTensor& tensor) {
  return emission.graph.tensors[static_cast<std::size_t>(tensor.tensor)];
}

std::string upper(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

std::string indexed(const char* word, std::size_t index, std::size_t count) {
  return count == 1 ? word : word + std::to_string(index);
}

/// Bytes, shape, scale and zero point of one input or output.
void append_macros(std::string& out, const Emission& emission, const ProgramTensor& place, const std::string& name) {
  const Tensor& tensor = tensor_of(emission, place);
  const std::string macro = fmt::format("{}_{}", emission.names.macro, upper(name));
  const ImageShape image = image_shape(tensor);
  const auto define = [&](const char* what, const std::string& value) {
    fmt::format_to(std::back_inserter(out), "#define {}_{} {}\n", macro, what, value);
  };
  fmt::format_to(std::back_inserter(out), "\n/* {}: {}, {} */\n", name, harmless(tensor.name), type_name(tensor.type));
  define("BYTES", fmt::format("{}u", place.bytes));
  define("HEIGHT", literal(image.height));
  define("WIDTH", literal(image.width));
  define("CHANNELS", literal(image.channels));
  define("RANK", literal(static_cast<std::int64_t>(tensor.shape.size())));
  for (std::size_t axis = 0; axis < tensor.shape.size(); ++axis) {
    define(fmt::format("DIM{}", axis).c_str(), literal(tensor.shape[axis]));
  }
  const Quantization& quantization = tensor.quantization;
  if (quantization.scale.size() == 1) {
    define("SCALE", literal(quantization.scale.front()));
    const std::int64_t zero = quantization.zero_point.empty() ? 0 : quantization.zero_point.front();
    define("ZERO_POINT", zero < 0 ? fmt::format("({})", zero) : literal(zero));
  }
}

/// A union whose members make the alignment, and the attribute for where they cannot.
std::string storage_type(const std::string& name, std::int64_t alignment) {
  const std::string macro = upper(name);
  std::string text = fmt::format("typedef union $p_{} {{\n  int8_t bytes[$M_{}_BYTES];\n", name, macro);
  if (alignment > 1) text += fmt::format("  uint{}_t aligned;\n", 8 * std::min<std::int64_t>(alignment, 8));
  if (alignment == 1) return text + fmt::format("}} $p_{}_t;\n", name);
  return text +
         fmt::format("}}\n#ifdef __GNUC__\n__attribute__((aligned($M_{}_ALIGN)))\n#endif\n$p_{}_t;\n", macro, name);
}

constexpr const char* kOpening = R"(#ifndef $M_H
#define $M_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
)";

constexpr const char* kWatch = R"(
/* As $p_invoke, and calls watch for each operator when its output is complete; where only a ring of its rows
   is kept, once for each row instead, in the order in which they are made. */
typedef void (*$p_watch)(void *context, int op, const int8_t *bytes, int32_t count);
)";

}  // namespace

std::string input_name(const Emission& emission, std::size_t index) {
  return indexed("input", index, emission.program.inputs.size());
}

std::string output_name(const Emission& emission, std::size_t index) {
  return indexed("output", index, emission.program.outputs.size());
}

std::string scalar_type(const Emission& emission, const ProgramTensor& tensor) {
  switch (tensor_of(emission, tensor).type) {
    case DataType::float32:
      return "float";
    case DataType::int32:
      return "int32_t";
    case DataType::uint8:
    case DataType::boolean:
      return "uint8_t";
    case DataType::int8:
      return "int8_t";
    case DataType::int16:
      return "int16_t";
    case DataType::int64:
      return "int64_t";
    case DataType::uint32:
      return "uint32_t";
    case DataType::uint64:
      return "uint64_t";
  }
  return "void";
}

std::string external_parameters(const Emission& emission, bool writable) {
  std::string text;
  const auto& inputs = emission.program.inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!from_caller(emission, inputs[i])) continue;
    text +=
        fmt::format(", {}{} *{}", writable ? "" : "const ", scalar_type(emission, inputs[i]), input_name(emission, i));
  }
  return text;
}

std::string external_arguments(const Emission& emission) {
  std::string text;
  const auto& inputs = emission.program.inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (from_caller(emission, inputs[i])) text += ", " + input_name(emission, i);
  }
  return text;
}

std::string parameters(const Emission& emission, bool writable) {
  return (emission.program.state_bytes > 0 ? ", void *state" : "") + external_parameters(emission, writable);
}

std::string arguments(const Emission& emission) {
  return (emission.program.state_bytes > 0 ? ", state" : "") + external_arguments(emission);
}

bool from_caller(const Emission& emission, const ProgramTensor& input) {
  return input.space > 0 || emission.program.streamed.has_value();
}

std::string refusal_of_memory(const Emission& emission) {
  std::string text = "arena == NULL";
  if (emission.program.alignment > 1) text += " || (uintptr_t)arena % $M_ARENA_ALIGN != 0";
  if (emission.program.state_bytes > 0) text += " || state == NULL";
  if (emission.program.state_alignment > 1) text += " || (uintptr_t)state % $M_STATE_ALIGN != 0";
  return text;
}

std::string refusal(const Emission& emission) {
  std::string text = refusal_of_memory(emission);
  const auto& inputs = emission.program.inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!from_caller(emission, inputs[i])) continue;
    const std::string name = input_name(emission, i);
    text += fmt::format(" || {} == NULL", name);
    const std::size_t scalar = scalar_bytes(tensor_of(emission, inputs[i]).type);
    if (scalar > 1) text += fmt::format(" || (uintptr_t){} % {}u != 0", name, scalar);
  }
  return text;
}

std::string header_text(const Emission& emission) {
  const Program& program = emission.program;
  std::string text = fmt::format(
      "/* {}, compiled by ripc {}. SPDX-License-Identifier: MIT-0\n *\n *   model  {}\n *   flags  {}\n *   plan   "
      "{}\n */\n",
      harmless(emission.graph.name), RIPC_VERSION, harmless(emission.plan.graph_hash),
      emission.options.flags.empty() ? "none" : harmless(emission.options.flags, 1000), plan_hash(emission.plan));
  text += kOpening;
  fmt::format_to(std::back_inserter(text), "\n#define $M_ARENA_BYTES {}u /* activations, rings, scratch */\n",
                 std::max<std::int64_t>(program.arena_bytes, 1));
  fmt::format_to(std::back_inserter(text), "#define $M_ARENA_ALIGN {}u /* of its first byte */\n", program.alignment);
  if (program.state_bytes > 0) {
    fmt::format_to(std::back_inserter(text), "#define $M_STATE_BYTES {}u /* what survives from run to run */\n",
                   program.state_bytes);
    fmt::format_to(std::back_inserter(text), "#define $M_STATE_ALIGN {}u /* of its first byte */\n",
                   program.state_alignment);
  }
  fmt::format_to(std::back_inserter(text), "#define $M_OPS {} /* operators, counted from 0 in traces */\n",
                 program.ops.size());
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    append_macros(text, emission, program.inputs[i], input_name(emission, i));
  }
  if (program.streamed) {
    fmt::format_to(std::back_inserter(text), "#define $M_ROWS {}\n#define $M_ROW_BYTES {}u\n", program.streamed->rows,
                   program.streamed->row_bytes);
  }
  for (std::size_t i = 0; i < program.outputs.size(); ++i) {
    append_macros(text, emission, program.outputs[i], output_name(emission, i));
  }

  text += "\n/* Storage for the arena: static, on the stack, or any other memory of that size and alignment. */\n";
  text += storage_type("arena", program.alignment);
  if (program.state_bytes > 0) {
    text +=
        "\n/* Storage for what survives from run to run; networks with a state each can still share one arena. */\n";
    text += storage_type("state", program.state_alignment);
    text += "\n/* Before the first run, and whenever a new stream begins. */\nvoid $p_reset(void *state);\n";
  }
  const bool in_arena =
      std::ranges::any_of(program.inputs, [&](const ProgramTensor& input) { return !from_caller(emission, input); });
  if (in_arena) {
    text += emission.options.keeps_input
                ? "\n/* Where to write the input. $p_invoke leaves it as it is. */\n"
                : "\n/* Where to write the input. It may be overwritten by $p_invoke: write it before every call. */\n";
  }
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    if (from_caller(emission, program.inputs[i])) continue;
    fmt::format_to(std::back_inserter(text), "{} *$p_{}(void *arena);\n", scalar_type(emission, program.inputs[i]),
                   input_name(emission, i));
  }
  text +=
      "\n/* Runs the network. 0: done. Negative: refused, nothing written, because the arena is null or not aligned";
  if (program.state_bytes > 0) text += ",\n   or the state is";
  const bool from_outside = program.external > 0 || program.streamed;
  text += from_outside ? ", or an\n   input is null or not aligned. The caller's input is only read. */\n" : ". */\n";
  fmt::format_to(std::back_inserter(text), "int $p_invoke(void *arena{});\n", parameters(emission));
  text += stepwise_header(emission);
  text += "\n/* Valid until the next input is written or $p_invoke is called. */\n";
  for (std::size_t i = 0; i < program.outputs.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "const {} *$p_{}(const void *arena);\n",
                   scalar_type(emission, program.outputs[i]), output_name(emission, i));
  }
  text += kWatch;
  fmt::format_to(std::back_inserter(text), "int $p_invoke_watched(void *arena{}, $p_watch watch, void *context);\n",
                 parameters(emission));
  text +=
      "\n/* Runs a pseudo-random input and compares a checksum of what every operator makes. 0: all right. n > 0: "
      "operator n - 1 is the\n"
      "   first that differs. Negative: refused as by $p_invoke. In a file of its own: a product can leave it out. "
      "*/\n";
  fmt::format_to(std::back_inserter(text), "int $p_selftest(void *arena{});\n", parameters(emission, true));
  fmt::format_to(std::back_inserter(text),
                 "\n/* Writes the input of the self-test{}. 0: done. */\nint $p_selftest_input(void *arena{});\n",
                 program.state_bytes > 0 ? ", and resets the state" : "", parameters(emission, true));
  text += "\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
  return expand(text, emission.names);
}

}  // namespace ripc::emit
