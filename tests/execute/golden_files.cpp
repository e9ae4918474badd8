#include "execute/golden_files.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "import/import.h"
#include "source_dir.h"

namespace ripc::test {
namespace {

namespace fs = std::filesystem;

const fs::path kShared = RIPC_SOURCE_DIR "/../shared";

Bytes read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return {data, data + text.size()};
}

std::vector<std::string> lines_of(const fs::path& path) {
  std::vector<std::string> lines;
  std::ifstream list(path);
  for (std::string line; std::getline(list, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

/// The value of a key of a JSON object on one line, without quotes.
std::string value_of(const std::string& line, const std::string& key) {
  const std::string opening = '"' + key + "\":";
  std::size_t start = line.find(opening);
  if (start == std::string::npos) return {};
  start += opening.size();
  if (line[start] == '"') ++start;
  return line.substr(start, line.find_first_of("\",}", start) - start);
}

}  // namespace

std::vector<std::string> golden_models() {
  std::vector<std::string> models = lines_of(kShared / "golden/first.txt");
  if (models.empty()) return models;
  const std::vector<std::string> more = lines_of(RIPC_SOURCE_DIR "/tests/execute/models.txt");
  models.insert(models.end(), more.begin(), more.end());
  return models;
}

Graph golden_graph(const std::string& model) { return import_network(kShared / "models" / (model + ".tflite")); }

std::vector<GoldenRun> golden_runs(const std::string& model, const Graph& graph) {
  std::vector<GoldenRun> runs;
  const fs::path folder = kShared / "golden" / model;
  for (int seed = 1; fs::exists(folder / ("seed" + std::to_string(seed) + ".in.bin")); ++seed) {
    const std::string stem = "seed" + std::to_string(seed);
    const Bytes all = read(folder / (stem + ".in.bin"));
    GoldenRun run{.inputs = {}, .outputs = read(folder / (stem + ".out.bin"))};
    auto from = all.begin();
    for (const TensorId input : graph.inputs) {
      const auto bytes = byte_count(graph.tensors[static_cast<std::size_t>(input)]);
      run.inputs.emplace_back(from, from + bytes);
      from += bytes;
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

std::map<int, std::uint64_t> golden_hashes(const std::string& model) {
  std::map<int, std::uint64_t> hashes;
  std::ifstream lines(kShared / "golden" / model / "seed1.ops.jsonl");
  for (std::string line; std::getline(lines, line);) {
    if (value_of(line, "out") == "0")
      hashes[std::stoi(value_of(line, "op"))] = std::stoull(value_of(line, "fnv1a64"), nullptr, 16);
  }
  return hashes;
}

}  // namespace ripc::test
