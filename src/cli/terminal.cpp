#include "cli/terminal.h"

#include <algorithm>
#include <cstdio>

#include "ripc/error.h"

namespace ripc::cli {

namespace {

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

}  // namespace

void print(std::string_view text) {
  std::string shown(text);
  std::ranges::replace_if(
      shown, [](char c) { return is_control(c) && c != '\n' && c != '\t'; }, '?');
  print_data(shown);
}

void print_data(std::string_view data) { std::fwrite(data.data(), 1, data.size(), stdout); }

void finish_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw Error({.fault = Fault::usage, .problem = "cannot write to the standard output"});
  }
}

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (c == '\n' || c == '\t') {
      line += ' ';
    } else {
      line += is_control(c) ? '?' : c;
    }
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

std::string shell_word(const std::string& text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("/._-+,:=@%").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::ranges::all_of(text, plain)) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

}  // namespace ripc::cli
