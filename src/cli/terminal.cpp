#include "cli/terminal.h"

#include <cstdio>

#include "ripc/error.h"

namespace ripc::cli {

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void finish_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw Error({.fault = Fault::usage, .problem = "cannot write to the standard output"});
  }
}

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n' || c == '\t') {
      line += ' ';
    } else {
      line += byte < 0x20 || byte == 0x7f ? '?' : c;
    }
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

}  // namespace ripc::cli
