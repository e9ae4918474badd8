#include "placement/csv.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

#include "placement/placers.h"
#include "ripc/error.h"

namespace ripc {
namespace {

enum Column { kId, kLower, kUpper, kSize, kAlignment, kOffset, kGaps, kIgnored };

struct Name {
  std::string_view text;
  Column column;
  std::int64_t past_end = 0;  // added to the value
};

constexpr std::array<Name, 13> kNames{{{"id", kId},
                                       {"buffer", kId},
                                       {"buffer_id", kId},
                                       {"lower", kLower},
                                       {"begin", kLower},
                                       {"start", kLower},
                                       {"upper", kUpper},
                                       {"end", kUpper, 1},
                                       {"size", kSize},
                                       {"alignment", kAlignment},
                                       {"offset", kOffset},
                                       {"gaps", kGaps},
                                       {"hint", kIgnored}}};

[[noreturn]] void fail(std::size_t line, std::string problem, std::string expected, std::string_view found) {
  constexpr std::size_t kShown = 40;
  throw Error({.problem = "CSV line " + std::to_string(line) + ": " + std::move(problem),
               .expected = std::move(expected),
               .found = "'" + std::string(found.substr(0, kShown)) + "'"});
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    std::string_view part = text.substr(0, at);
    while (!part.empty() && (part.back() == ' ' || part.back() == '\r')) part.remove_suffix(1);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    parts.push_back(part);
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::int64_t number(std::string_view field, std::string_view column, std::size_t line) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  constexpr std::int64_t kLimit = std::int64_t{1} << 61;
  if (error != std::errc{} || end != field.data() + field.size() || value >= kLimit || value <= -kLimit) {
    fail(line, "column '" + std::string(column) + "' is no number", "an integer of at most 61 bits", field);
  }
  return value;
}

std::vector<Name> read_header(std::string_view line) {
  std::vector<Name> columns;
  for (const std::string_view field : split(line, ',')) {
    const auto* const known =
        std::find_if(kNames.begin(), kNames.end(), [&](const Name& n) { return n.text == field; });
    if (known == kNames.end()) fail(1, "unknown column", "id, lower, upper, size, alignment or offset", field);
    const auto same = [&](const Name& n) { return n.column == known->column; };
    if (std::any_of(columns.begin(), columns.end(), same)) fail(1, "two columns of one meaning", "one of each", field);
    columns.push_back(*known);
  }
  for (const Column needed : {kId, kLower, kUpper, kSize}) {
    const auto same = [&](const Name& n) { return n.column == needed; };
    if (std::none_of(columns.begin(), columns.end(), same))
      fail(1, "a column is missing", "id, lower, upper and size", line);
  }
  return columns;
}

}  // namespace

Problem read_csv(const std::string& text) {
  Problem problem;
  std::vector<Name> columns;
  std::size_t number_of_line = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number_of_line;
    if (columns.empty()) {
      columns = read_header(line);
      continue;
    }
    if (line.empty()) continue;
    const std::vector<std::string_view> fields = split(line, ',');
    if (fields.size() != columns.size()) {
      fail(number_of_line, "wrong number of fields", std::to_string(columns.size()), std::to_string(fields.size()));
    }
    Buffer buffer;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const auto value = [&] { return number(fields[i], columns[i].text, number_of_line); };
      switch (columns[i].column) {
        case kId:
          buffer.name = fields[i];
          break;
        case kLower:
          buffer.first = value();
          break;
        case kUpper:
          buffer.last = value() + columns[i].past_end - 1;
          break;
        case kSize:
          buffer.bytes = value();
          break;
        case kAlignment:
          buffer.alignment = value();
          break;
        case kOffset:
          if (!fields[i].empty() && value() >= 0) buffer.offset = value();
          break;
        case kGaps:
          if (!fields[i].empty()) fail(number_of_line, "lives with gaps are not supported", "no gaps", fields[i]);
          break;
        case kIgnored:
          break;
      }
    }
    if (buffer.first > buffer.last) fail(number_of_line, "the life is empty", "lower below upper", line);
    problem.buffers.push_back(std::move(buffer));
  }
  check_problem(problem);
  return problem;
}

std::string write_csv(const Problem& problem, const Placement* placement) {
  const bool placed = placement != nullptr && !placement->offsets.empty();
  const auto& buffers = problem.buffers;
  const bool aligned = std::any_of(buffers.begin(), buffers.end(), [](const Buffer& b) { return b.alignment != 1; });
  const bool offsets = placed || std::any_of(buffers.begin(), buffers.end(), [](const Buffer& b) { return b.offset; });
  std::string text = "id,lower,upper,size";
  if (aligned) text += ",alignment";
  if (offsets) text += ",offset";
  text += '\n';
  for (std::size_t id = 0; id < buffers.size(); ++id) {
    const Buffer& buffer = buffers[id];
    std::string name = buffer.name.empty() ? std::to_string(id) : buffer.name;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ',' || c == '\n' || c == '\r'; }, '_');
    text += name + ',' + std::to_string(buffer.first) + ',' + std::to_string(buffer.last + 1) + ',' +
            std::to_string(buffer.bytes);
    if (aligned) text += ',' + std::to_string(buffer.alignment);
    if (offsets) text += ',' + std::to_string(placed ? placement->offsets[id] : buffer.offset.value_or(-1));
    text += '\n';
  }
  return text;
}

}  // namespace ripc
