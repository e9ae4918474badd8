#include "report/escape.h"

#include <string_view>
#include <vector>

namespace ripc {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

struct Character {
  char32_t code = kReplacement;
  std::size_t at = 0, bytes = 1;  ///< where it stands in the text
};

/// The well-formed UTF-8 character at `at`; a byte that begins none is a replacement of one byte. Source: Unicode 15,
/// table 3-7.
Character character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {.code = lead, .at = at};
  std::size_t bytes = 0;
  char32_t code = 0;
  if (lead >= 0xC2 && lead <= 0xDF) {
    bytes = 2;
    code = lead & 0x1FU;
  } else if ((lead & 0xF0U) == 0xE0) {
    bytes = 3;
    code = lead & 0x0FU;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    bytes = 4;
    code = lead & 0x07U;
  }
  if (bytes == 0 || at + bytes > text.size()) return {.at = at};
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return {.at = at};
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  const bool too_long = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool no_character = (code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF;
  if (too_long || no_character) return {.at = at};
  return {.code = code, .at = at, .bytes = bytes};
}

std::vector<Character> characters_of(std::string_view text) {
  std::vector<Character> characters;
  for (std::size_t at = 0; at < text.size(); at += characters.back().bytes)
    characters.push_back(character_at(text, at));
  return characters;
}

bool harmless(char32_t code) {
  const bool control = code < 0x20 || (code >= 0x7F && code <= 0x9F);
  const bool turns = code == 0x061C || code == 0x200E || code == 0x200F || code == 0x2028 || code == 0x2029 ||
                     (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  const bool forbidden = (code & 0xFFFEU) == 0xFFFE;
  return !control && !turns && !forbidden;
}

}  // namespace

std::string html_text(const std::string& text) {
  std::string safe;
  for (const auto& [code, at, bytes] : characters_of(text)) {
    if (code == '&') {
      safe += "&amp;";
    } else if (code == '<') {
      safe += "&lt;";
    } else if (code == '>') {
      safe += "&gt;";
    } else if (code == '"') {
      safe += "&quot;";
    } else if (code == '\'') {
      safe += "&#39;";
    } else if (code == kReplacement || !harmless(code)) {
      safe += "\xEF\xBF\xBD";
    } else {
      safe.append(text, at, bytes);
    }
  }
  return safe;
}

std::string shortened(const std::string& text, std::size_t most) {
  const std::vector<Character> characters = characters_of(text);
  if (characters.size() <= most) return text;
  if (most == 0) return "";
  const std::size_t tail = most / 2, head = most - 1 - tail;
  const Character& resume = characters[characters.size() - tail - (tail == 0 ? 1 : 0)];
  return text.substr(0, characters[head].at) + "\xE2\x80\xA6" + (tail == 0 ? "" : text.substr(resume.at));
}

std::size_t character_count(const std::string& text) { return characters_of(text).size(); }

}  // namespace ripc
