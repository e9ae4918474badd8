// NAME_weights.h and NAME_weights.c: every array in flash.
#include <fmt/format.h>

#include <iterator>

#include "emit/emission.h"

namespace ripc::emit {

std::string weights_header_text(const Emission& emission) {
  std::string text =
      "/* The arrays of $p in flash. SPDX-License-Identifier: MIT-0 */\n#ifndef $M_WEIGHTS_H\n#define "
      "$M_WEIGHTS_H\n\n#include <stdint.h>\n\n"
      "#include \"rip/flash.h\"\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  for (const ConstantPool::Entry& entry : emission.constants.entries()) {
    fmt::format_to(std::back_inserter(text), "extern const {} {}[{}] RIP_WEIGHTS_ATTR;\n", entry.constant->type,
                   entry.name, scalar_count(*entry.constant));
  }
  text += "\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
  return expand(text, emission.names);
}

std::string weights_text(const Emission& emission) {
  std::size_t bytes = 0;
  for (const ConstantPool::Entry& entry : emission.constants.entries()) bytes += entry.constant->data.size();
  std::string text = expand(
      "/* The arrays of $p in flash. SPDX-License-Identifier: MIT-0 */\n#include \"$p_weights.h\"\n", emission.names);
  text.reserve(text.size() + 5 * bytes);
  OpId op = -1;
  for (const ConstantPool::Entry& entry : emission.constants.entries()) {
    if (entry.op != op)
      fmt::format_to(std::back_inserter(text), "\n/* {}: {} */\n", entry.op, op_label(emission, entry.op));
    op = entry.op;
    fmt::format_to(std::back_inserter(text), "const {} {}[{}] RIP_WEIGHTS_ATTR = {{\n", entry.constant->type,
                   entry.name, scalar_count(*entry.constant));
    append_elements(text, *entry.constant);
    text += "};\n";
  }
  return text;
}

}  // namespace ripc::emit
