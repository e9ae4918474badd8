#include "graph/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string_view>

namespace ripc {
namespace {

/// Longer names are compared by their first bytes only.
constexpr std::size_t kCompared = 120;
constexpr std::size_t kSuggestions = 3;

/// Insertions, deletions and replacements that turn one text into the other.
std::size_t edits(std::string_view a, std::string_view b) {
  a = a.substr(0, kCompared);
  b = b.substr(0, kCompared);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

/// A part of a name is nearer than a name that merely looks alike.
std::size_t distance(const std::string& name, const std::string& known) {
  return known.find(name) != std::string::npos ? 0 : edits(name, known);
}

}  // namespace

std::vector<std::string> names_in(const std::vector<std::string>& arguments,
                                  const std::function<bool(const std::string&)>& known) {
  std::vector<std::string> names;
  for (const std::string& argument : arguments) {
    if (known(argument)) {
      names.push_back(argument);
      continue;
    }
    for (std::size_t begin = 0; begin <= argument.size();) {
      const std::size_t end = std::min(argument.find(',', begin), argument.size());
      if (end > begin) names.push_back(argument.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return names;
}

std::string nearest_names(const std::string& name, const std::vector<std::string>& known) {
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& candidate : known) {
    if (!candidate.empty()) ranked.emplace_back(distance(name, candidate), candidate);
  }
  const std::size_t count = std::min(kSuggestions, ranked.size());
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(count), ranked.end());
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const char* between = i == 0 ? "" : i + 1 == count ? " or " : ", ";
    text += fmt::format("{}'{}'", between, ranked[i].second);
  }
  return text;
}

}  // namespace ripc
