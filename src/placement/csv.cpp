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

constexpr std::int64_t kLimit = std::int64_t{1} << 61;  // as in check_problem

// A field of the file; lines and columns count from 1.
struct Place {
  std::size_t line = 1;
  std::size_t column = 1;
  std::string_view header{};
};

[[noreturn]] void fail(const Place& place, const std::string& problem, std::string expected, std::string_view found) {
  constexpr std::size_t kShown = 40;
  std::string shown(found.substr(0, kShown));
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  if (found.size() > kShown) shown += "...";
  std::string where = "CSV line " + std::to_string(place.line) + ", column " + std::to_string(place.column);
  if (!place.header.empty()) where += " (" + std::string(place.header) + ")";
  throw Error(
      {.problem = where + ": " + problem, .expected = std::move(expected), .found = "'" + std::move(shown) + "'"});
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

// A whole number of at least `least`.
std::int64_t number(const Place& place, std::string_view field, std::int64_t least) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  const bool whole = end == field.data() + field.size() && !field.empty();
  if (error == std::errc::invalid_argument || !whole) fail(place, "not a number", "a whole number", field);
  if (error != std::errc{} || value >= kLimit || value <= -kLimit) {
    fail(place, "the number is out of range", "less than 2^61", field);
  }
  if (value < least) fail(place, "the number is too small", "at least " + std::to_string(least), field);
  return value;
}

std::vector<Name> read_header(std::string_view line) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (line.substr(0, kByteOrderMark.size()) == kByteOrderMark) line.remove_prefix(kByteOrderMark.size());
  std::vector<Name> columns;
  for (const std::string_view field : split(line, ',')) {
    const Place place{1, columns.size() + 1};
    const auto* const known =
        std::find_if(kNames.begin(), kNames.end(), [&](const Name& n) { return n.text == field; });
    if (known == kNames.end()) fail(place, "unknown column", "id, lower, upper, size, alignment or offset", field);
    const auto same = [&](const Name& n) { return n.column == known->column; };
    if (std::any_of(columns.begin(), columns.end(), same)) {
      fail(place, "a second column of this meaning", "one of each", field);
    }
    columns.push_back(*known);
  }
  for (const Column needed : {kId, kLower, kUpper, kSize}) {
    const auto same = [&](const Name& n) { return n.column == needed; };
    if (std::none_of(columns.begin(), columns.end(), same)) {
      fail({1, columns.size() + 1}, "a column is missing", "id, lower, upper and size", line);
    }
  }
  return columns;
}

Buffer read_buffer(std::size_t line, const std::vector<Name>& columns, const std::vector<std::string_view>& fields) {
  Buffer buffer;
  Place upper;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Place place{line, i + 1, columns[i].text};
    const auto value = [&](std::int64_t least) { return number(place, fields[i], least); };
    switch (columns[i].column) {
      case kId:
        buffer.name = fields[i];
        break;
      case kLower:
        buffer.first = value(-kLimit);
        break;
      case kUpper:
        buffer.last = value(-kLimit) + columns[i].past_end - 1;
        upper = place;
        break;
      case kSize:
        buffer.bytes = value(0);
        break;
      case kAlignment:
        buffer.alignment = fields[i].empty() ? 1 : value(1);
        break;
      case kOffset:
        if (fields[i].empty()) break;
        if (const std::int64_t offset = value(-kLimit); offset >= 0) buffer.offset = offset;
        break;
      case kGaps:
        if (!fields[i].empty()) fail(place, "lives with gaps are not supported", "no gaps", fields[i]);
        break;
      case kIgnored:
        break;
    }
  }
  if (buffer.first > buffer.last) {
    fail(upper, "the life is empty", "above lower, " + std::to_string(buffer.first), fields[upper.column - 1]);
  }
  if (buffer.offset.value_or(0) % buffer.alignment != 0) {
    const auto offset = std::find_if(columns.begin(), columns.end(), [](const Name& n) { return n.column == kOffset; });
    const auto column = static_cast<std::size_t>(offset - columns.begin());
    fail({line, column + 1, offset->text}, "not a multiple of the alignment",
         std::to_string(buffer.alignment) + " times a number", fields[column]);
  }
  return buffer;
}

}  // namespace

Problem read_csv(const std::string& text) {
  if (text.empty()) fail({}, "the file is empty", "a line with the columns id, lower, upper, size", "");
  Problem problem;
  std::vector<Name> columns;
  std::size_t line_number = 0;
  std::int64_t total = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++line_number;
    if (columns.empty()) {
      columns = read_header(line);
      continue;
    }
    if (line.empty()) continue;
    const std::vector<std::string_view> fields = split(line, ',');
    if (fields.size() != columns.size()) {
      fail({line_number, std::min(fields.size(), columns.size()) + 1}, "wrong number of fields",
           std::to_string(columns.size()), line);
    }
    Buffer buffer = read_buffer(line_number, columns, fields);
    for (const std::int64_t part : {buffer.bytes, buffer.alignment, buffer.offset.value_or(0)}) {
      if (part > kLimit - total) {
        const auto size = std::find_if(columns.begin(), columns.end(), [](const Name& n) { return n.column == kSize; });
        fail({line_number, static_cast<std::size_t>(size - columns.begin()) + 1, size->text},
             "the buffers up to here exceed 2^61 bytes together", "less", line);
      }
      total += part;
    }
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
