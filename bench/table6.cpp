// Table 6 anew: for each network the convolutions of largest input plus output, in place against the herringbone and
// against two buffers, every gap held against the simulator. The publication's list of layers is not public; ours
// takes families whose shapes are (layers84.tsv), so the figures are beside the printed ones, not the same.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "debt/other_layers.h"
#include "ripc/error.h"
#include "sweep/answers.h"
#include "sweep/layer_text.h"
#include "sweep/parallel.h"

namespace {

using namespace ripc;

struct Row {
  std::string family, architecture;
  Layer layer;
  bool tight = false;
  double to_herringbone = 0;         ///< row forward, padding stored, direct, over the herringbone
  double best_to_herringbone = 0;    ///< the best of four directions over the herringbone
  double saved = 0, best_saved = 0;  ///< of two buffers without padding
  double dense_saved = 0;            ///< of the workspace with padding stored
};

std::vector<std::vector<std::string>> read_tabs(const std::filesystem::path& path) {
  std::vector<std::vector<std::string>> rows;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream cells(line);
    std::vector<std::string>& row = rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, '\t');) row.push_back(cell);
  }
  if (rows.size() < 2) throw Error({.file = path.string(), .problem = "no table"});
  rows.erase(rows.begin());
  return rows;
}

double ratio(std::int64_t a, std::int64_t b) { return static_cast<double>(a) / static_cast<double>(b); }

/// Fills in what is said of the layer; every gap comes from the simulator, and the formula must say the same.
void measure(Row& row) {
  const LayerAnswers truth = answers_of(row.layer, Source::simulation);
  row.tight = answers_of(row.layer, Source::formula) == truth;
  const std::int64_t padded = padded_in_bytes(row.layer);
  const auto bytes = [&](Direction direction) { return padded + truth.of({direction, Layout::padded, kDirect}).gap; };
  const std::int64_t forward = bytes(Direction::row_forward);
  std::int64_t best = forward;
  for (const Direction direction : kDirections) best = std::min(best, bytes(direction));
  const std::int64_t herringbone = padded + truth.herringbone;
  const std::int64_t dense = in_bytes(row.layer) + truth.of({Direction::row_forward, Layout::dense, kDirect}).gap;
  row.to_herringbone = ratio(forward, herringbone);
  row.best_to_herringbone = ratio(best, herringbone);
  row.saved = 1 - ratio(forward, dual_buffer_bytes(row.layer));
  row.best_saved = 1 - ratio(best, dual_buffer_bytes(row.layer));
  row.dense_saved = 1 - ratio(dense, forward);
}

bool is_general(const Layer& layer) { return layer.rows.kernel * layer.columns.kernel > 1; }

double mean_percent(const std::vector<const Row*>& rows, double Row::*field) {
  double sum = 0;
  for (const Row* row : rows) sum += row->*field;
  return rows.empty() ? 0 : 100 * sum / static_cast<double>(rows.size());
}

double largest(const std::vector<const Row*>& rows, double Row::*field) {
  double most = 0;
  for (const Row* row : rows) most = std::max(most, row->*field);
  return most;
}

/// "ours / published".
std::string beside(const std::string& ours, const std::string& published) { return ours + " / " + published; }

void print_family(const std::string& name, const std::vector<const Row*>& rows,
                  const std::vector<std::string>& published) {
  const auto count = [&](auto which) { return std::to_string(std::ranges::count_if(rows, which)); };
  const std::string general = count([](const Row* row) { return is_general(row->layer); });
  const std::string exact = count([](const Row* row) { return row->to_herringbone == 1; });
  const std::string close = count([](const Row* row) { return row->to_herringbone <= 1.05; });
  fmt::print("{:<24} {:>8} {:>8} {:>8} {:>8} {:>14} {:>12} {:>12} | {:>9.3f} {:>9.1f}\n", name,
             beside(std::to_string(rows.size()), published[0]), beside(general, published[1]),
             beside(exact, published[2]), beside(close, published[3]),
             beside(fmt::format("{:.3f}", largest(rows, &Row::to_herringbone)), published[4]),
             beside(fmt::format("{:.1f}", mean_percent(rows, &Row::saved)), published[5]),
             beside(fmt::format("{:.1f}", mean_percent(rows, &Row::dense_saved)), published[6]),
             largest(rows, &Row::best_to_herringbone), mean_percent(rows, &Row::best_saved));
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) {
    fmt::print(stderr, "usage: table6 SOURCE_DIR\n");
    return 2;
  }
  const std::filesystem::path bench = std::filesystem::path(argv[1]) / "bench";
  std::vector<Row> rows;
  for (const auto& cells : read_tabs(bench / "layers84.tsv")) {
    rows.push_back({.family = cells.at(0), .architecture = cells.at(1), .layer = parse_layer(cells.at(2))});
  }
  parallel_for(static_cast<std::int64_t>(rows.size()), 0,
               [&](std::int64_t i) { measure(rows[static_cast<std::size_t>(i)]); });

  fmt::print(
      "Each pair: ours / published. Workspaces with padding stored and direct taps, over the herringbone; saved % of "
      "two\n"
      "buffers, and by not storing the padding. Absent: networks that were pruned, timed runs and their cost.\n\n");
  fmt::print("{:<24} {:>8} {:>8} {:>8} {:>8} {:>14} {:>12} {:>12} | {:>9} {:>9}\n", "family", "n", "general", "exact",
             "<= 1.05", "worst ratio", "saved %", "dense %", "best of 4", "saved %");
  const std::vector<std::string> nothing(7, "-");
  std::vector<const Row*> all;
  std::map<std::string, std::vector<const Row*>> families;
  for (const Row& row : rows) {
    all.push_back(&row);
    families[row.family].push_back(&row);
  }
  for (const auto& cells : read_tabs(bench / "published/table6.tsv")) {
    const std::vector<std::string> published(cells.begin() + 1, cells.begin() + 8);
    if (cells[0] == "All") {
      print_family("in place of the pruned", families["in place of the pruned"], nothing);
      print_family(cells[0], all, published);
    } else if (families.contains(cells[0])) {
      print_family(cells[0], families[cells[0]], published);
    } else {
      fmt::print("{:<24} {:>8}  absent: the pruned shapes are not public\n", cells[0], beside("-", published[0]));
    }
  }

  std::int64_t tight = 0;
  std::map<std::string, int> architectures;
  for (const Row& row : rows) {
    ++architectures[row.architecture];
    tight += row.tight ? 1 : 0;
    if (!row.tight) fmt::print("NOT TIGHT: {}: {} --check\n", row.architecture, layer_command(row.layer));
  }
  fmt::print("\n{} architectures; {} configurations and the herringbone simulated for each layer\n",
             architectures.size(), kConfigurationCount);
  fmt::print("table6: {} of {} layers safe and tight\n", tight, rows.size());
  return tight == static_cast<std::int64_t>(rows.size()) ? 0 : 1;
} catch (const ripc::Error& error) {
  fmt::print(stderr, "table6: {}\n", error.what());
  return 1;
}
