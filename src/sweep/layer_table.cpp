#include "sweep/layer_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

#include "ripc/error.h"
#include "simulate/herringbone.h"
#include "sweep/parallel.h"

namespace ripc {
namespace {

/// A parameter column and where its number goes.
struct Parameter {
  const char* name;
  std::int64_t& (*in)(Layer&);
};

constexpr std::array<Parameter, 15> kParameters{{
    {"Hin", [](Layer& layer) -> std::int64_t& { return layer.in_height; }},
    {"Win", [](Layer& layer) -> std::int64_t& { return layer.in_width; }},
    {"Cin", [](Layer& layer) -> std::int64_t& { return layer.in_channels; }},
    {"Cout", [](Layer& layer) -> std::int64_t& { return layer.out_channels; }},
    {"kh", [](Layer& layer) -> std::int64_t& { return layer.rows.kernel; }},
    {"kw", [](Layer& layer) -> std::int64_t& { return layer.columns.kernel; }},
    {"sh", [](Layer& layer) -> std::int64_t& { return layer.rows.stride; }},
    {"sw", [](Layer& layer) -> std::int64_t& { return layer.columns.stride; }},
    {"dh", [](Layer& layer) -> std::int64_t& { return layer.rows.dilation; }},
    {"dw", [](Layer& layer) -> std::int64_t& { return layer.columns.dilation; }},
    {"pt", [](Layer& layer) -> std::int64_t& { return layer.rows.pad_before; }},
    {"pb", [](Layer& layer) -> std::int64_t& { return layer.rows.pad_after; }},
    {"pl", [](Layer& layer) -> std::int64_t& { return layer.columns.pad_before; }},
    {"pr", [](Layer& layer) -> std::int64_t& { return layer.columns.pad_after; }},
    {"groups", [](Layer& layer) -> std::int64_t& { return layer.groups; }},
}};

// The columns of answers, in order. Row-direct orders have no column in this table.
constexpr std::array kGapOrders{kGathered, kDirect, kDirectOnOwnTap};
constexpr std::array kRawOrders{kGathered, kDirect};
constexpr std::array kGroupedDirections{Direction::row_forward, Direction::row_reverse};
constexpr std::array kGroupedOrders{kDirect, kDirectOnOwnTap};

template <typename Directions, typename Layouts, typename Orders>
std::vector<Configuration> product(const Directions& directions, const Layouts& layouts, const Orders& orders) {
  std::vector<Configuration> result;
  for (const Direction direction : directions) {
    for (const Layout layout : layouts) {
      for (const TapOrder order : orders) result.push_back({direction, layout, order});
    }
  }
  return result;
}

std::vector<Configuration> gap_columns() { return product(kDirections, kLayouts, kGapOrders); }
std::vector<Configuration> raw_columns() { return product(kDirections, kLayouts, kRawOrders); }
std::vector<Configuration> grouped_columns() {
  return product(kGroupedDirections, std::array{Layout::dense}, kGroupedOrders);
}

std::string header() {
  std::vector<std::string> names{"id", "category"};
  for (const Parameter& parameter : kParameters) names.emplace_back(parameter.name);
  for (const char* name : {"Hout", "Wout", "Nin_padded", "Nin_dense", "Nout"}) names.emplace_back(name);
  for (const Configuration& configuration : gap_columns()) names.push_back("gap_" + column_of(configuration));
  for (const Configuration& configuration : raw_columns()) names.push_back("raw_" + column_of(configuration));
  for (const auto& [direction, layout, order] : grouped_columns()) {
    std::string name = "gap_" + column_of({direction, layout, order});
    names.push_back(name.insert(name.rfind('_') + 1, "grp"));
  }
  for (const char* name : {"hb_frontier", "hb_pruned", "hb_held"}) names.emplace_back(name);
  return fmt::format("{}\n", fmt::join(names, ","));
}

std::string line_of(const LayerRow& row, Source source) {
  require_simulable(row.layer);
  Layer layer = row.layer;
  std::string line = row.id + "," + row.category;
  for (const Parameter& parameter : kParameters) line += fmt::format(",{}", parameter.in(layer));

  layer.groups = 1;
  const LayerSizes sizes = sizes_of(layer, source);
  line += fmt::format(",{},{},{},{},{}", sizes.out_height, sizes.out_width, sizes.padded_in, sizes.dense_in, sizes.out);
  for (const Configuration& configuration : gap_columns()) {
    line += fmt::format(",{}", gap_of(layer, configuration, source).gap);
  }
  for (const Configuration& configuration : raw_columns()) {
    const std::optional<std::int64_t> raw = gap_of(layer, configuration, source).raw;
    line += "," + (raw ? std::to_string(*raw) : "none");
  }
  for (const Configuration& configuration : grouped_columns()) {
    line += fmt::format(",{}", gap_of(row.layer, configuration, source).gap);
  }
  return line + fmt::format(",{},{},{}\n", herringbone_of(layer, source),
                            simulated_herringbone_gap(layer, Liveness::unread_first),
                            simulated_herringbone_gap(layer, Liveness::unread_held));
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

/// A place in the file, for faults.
struct Place {
  const std::string& path;
  std::size_t line = 0;

  [[noreturn]] void refuse(std::string problem, std::string expected, std::string_view found) const {
    throw Error({.fault = Fault::usage,
                 .file = path,
                 .problem = fmt::format("line {}: {}", line, problem),
                 .expected = std::move(expected),
                 .found = std::string(found)});
  }
};

/// Where the parameter columns stand in a line.
struct Columns {
  std::size_t count = 0, id = 0, category = 0;
  std::array<std::size_t, kParameters.size()> parameters{};
};

Columns columns_of(std::string_view line, const Place& place) {
  const std::vector<std::string_view> names = split(line, ',');
  const auto position = [&](std::string_view name) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) place.refuse(fmt::format("no column {}", name), "a line of column names", line);
    if (std::count(found, names.end(), name) > 1) place.refuse("a column twice", "each name once", name);
    return static_cast<std::size_t>(found - names.begin());
  };
  Columns columns{.count = names.size(), .id = position("id"), .category = position("category")};
  for (std::size_t i = 0; i < kParameters.size(); ++i) columns.parameters[i] = position(kParameters[i].name);
  return columns;
}

std::int64_t number(std::string_view cell, const char* name, const Place& place) {
  std::int64_t value = 0;
  const auto [end, fault] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (fault != std::errc{} || end != cell.data() + cell.size()) {
    place.refuse(fmt::format("column {}", name), "a whole number", cell.empty() ? "nothing" : cell);
  }
  return value;
}

LayerRow row_of(std::string_view line, const Columns& columns, const Place& place) {
  const std::vector<std::string_view> cells = split(line, ',');
  if (cells.size() != columns.count) {
    place.refuse("wrong number of cells", std::to_string(columns.count), std::to_string(cells.size()));
  }
  LayerRow row{.id = std::string(cells[columns.id]), .category = std::string(cells[columns.category]), .layer = {}};
  for (std::size_t i = 0; i < kParameters.size(); ++i) {
    kParameters[i].in(row.layer) = number(cells[columns.parameters[i]], kParameters[i].name, place);
  }
  try {
    check_layer(row.layer);
  } catch (const Error& error) {
    place.refuse(error.what(), "", "");
  }
  if (out_height(row.layer) * out_width(row.layer) == 0) {
    place.refuse("the kernel does not fit into the padded input", "at least one output", "none");
  }
  return row;
}

}  // namespace

std::vector<LayerRow> parse_layer_table(std::string_view text, const std::string& path) {
  std::vector<LayerRow> rows;
  Columns columns;
  Place place{path};
  while (!text.empty()) {
    ++place.line;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (place.line == 1) {
      columns = columns_of(line, place);
    } else if (!line.empty()) {
      rows.push_back(row_of(line, columns, place));
    }
  }
  if (place.line == 0) Place{path, 1}.refuse("empty file", "a line of column names", "");
  return rows;
}

std::string layer_table(std::span<const LayerRow> rows, Source source, unsigned threads) {
  std::vector<std::string> lines(rows.size());
  parallel_for(static_cast<std::int64_t>(rows.size()), threads, [&](std::int64_t i) {
    lines[static_cast<std::size_t>(i)] = line_of(rows[static_cast<std::size_t>(i)], source);
  });
  return header() + fmt::format("{}", fmt::join(lines, ""));
}

}  // namespace ripc
