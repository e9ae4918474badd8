#include "emit/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "emit/emit.h"
#include "ripc/error.h"

namespace ripc {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

/// The runtime's own names, and those of headers of the C library: NAME.h would hide them.
bool is_taken(std::string_view name) {
  constexpr std::array kHeaders = {
      "assert", "complex",     "ctype",  "errno",    "fenv",    "float",     "inttypes", "iso646", "limits", "locale",
      "math",   "setjmp",      "signal", "stdalign", "stdarg",  "stdatomic", "stdbool",  "stddef", "stdint", "stdio",
      "stdlib", "stdnoreturn", "string", "tgmath",   "threads", "time",      "uchar",    "wchar",  "wctype"};
  const std::string lower = lower_case(name);
  return lower == "rip" || lower.starts_with("rip_") ||
         std::ranges::any_of(kHeaders, [&](const char* header) { return lower == header; });
}

}  // namespace

std::string c_identifier(std::string_view name) {
  std::string identifier;
  for (const char c : name) {
    if (is_letter(c) || is_digit(c)) {
      identifier += c;
    } else if (!identifier.empty() && identifier.back() != '_') {
      identifier += '_';
    }
  }
  while (!identifier.empty() && identifier.back() == '_') identifier.pop_back();
  if (identifier.empty() || !is_letter(identifier.front()) || is_taken(identifier)) identifier.insert(0, "model_");
  return identifier;
}

namespace emit {

Names names_of(const std::string& prefix) {
  const bool word = std::ranges::all_of(prefix, [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
  if (prefix.empty() || !word || !is_letter(prefix.front()) || is_taken(prefix)) {
    throw Error({.fault = Fault::usage,
                 .problem = "the prefix cannot name C functions",
                 .expected = "a letter, then letters, digits or '_', and neither the runtime's 'rip' nor a header of C",
                 .found = "'" + prefix + "'",
                 .remedy = "Choose another with --prefix."});
  }
  Names names{.prefix = prefix, .macro = prefix};
  for (char& c : names.macro) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return names;
}

std::string expand(std::string_view text, const Names& names) {
  std::string out;
  out.reserve(text.size() * 5 / 4);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("$p") || rest.starts_with("$M")) {
      out += rest[1] == 'p' ? names.prefix : names.macro;
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

std::string harmless(std::string_view name, std::size_t longest) {
  constexpr std::string_view kPunctuation = " _-.,:;=+<>()[]{}/@#&|~^!";
  std::string out;
  for (const char c : name.substr(0, longest)) {
    const bool safe = is_letter(c) || is_digit(c) || kPunctuation.find(c) != std::string_view::npos;
    out += safe ? c : '_';
  }
  if (name.size() > longest) out += "...";
  return out;
}

std::string literal(std::int64_t value) {
  if (value == std::numeric_limits<std::int32_t>::min()) return "(-2147483647 - 1)";
  if (value == std::numeric_limits<std::int64_t>::min()) return "(-9223372036854775807 - 1)";
  return std::to_string(value);
}

std::string literal(float value) {
  if (!std::isfinite(value))
    throw Error({.problem = "a number of the model is not finite", .found = fmt::format("{}", value)});
  std::string text = fmt::format("{:.9g}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + "f";
}

}  // namespace emit
}  // namespace ripc
