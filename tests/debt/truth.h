// The layers with independently found values (truth/layers.csv), row by row.
#pragma once

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "ripc/layer.h"
#include "source_dir.h"

namespace ripc::test {

inline constexpr const char* kTruthFile = RIPC_SOURCE_DIR "/../shared/truth/layers.csv";
inline constexpr const char* kTable2File = RIPC_SOURCE_DIR "/../shared/paper/table2.tsv";

/// One row of a table: column name to text.
using Row = std::map<std::string, std::string>;

/// Empty if there is no such file.
inline std::vector<Row> read_table(const char* path, char separator) {
  std::vector<Row> rows;
  std::vector<std::string> names;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream cells(line);
    Row row;
    std::size_t column = 0;
    for (std::string cell; std::getline(cells, cell, separator); ++column) {
      if (rows.empty() && row.empty() && names.size() == column) {
        names.push_back(cell);
      } else {
        row[names.at(column)] = cell;
      }
    }
    if (!row.empty()) rows.push_back(row);
  }
  return rows;
}

inline std::int64_t number(const Row& row, const std::string& name) { return std::stoll(row.at(name)); }

/// The layer of a row of layers.csv; all columns but the grouped ones speak of it with one group.
inline Layer layer_of(const Row& row) {
  Layer layer;
  layer.rows = {number(row, "kh"), number(row, "sh"), number(row, "dh"), number(row, "pt"), number(row, "pb")};
  layer.columns = {number(row, "kw"), number(row, "sw"), number(row, "dw"), number(row, "pl"), number(row, "pr")};
  layer.in_height = number(row, "Hin");
  layer.in_width = number(row, "Win");
  layer.in_channels = number(row, "Cin");
  layer.out_channels = number(row, "Cout");
  return layer;
}

}  // namespace ripc::test
