#include "cli/golden.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "ripc/error.h"

namespace ripc::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kInputEnd = ".in.bin";

std::map<int, GoldenTensor> read_tensors(const std::string& path) {
  std::map<int, GoldenTensor> tensors;
  std::istringstream stream(read_text(path));
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    if (line.empty()) continue;
    const auto json = nlohmann::json::parse(line, nullptr, false);
    const std::string hash = json.is_object() && json.contains("fnv1a64") && json["fnv1a64"].is_string()
                                 ? json["fnv1a64"].get<std::string>()
                                 : "";
    std::uint64_t value = 0;
    const auto [end, fault] = std::from_chars(hash.data(), hash.data() + hash.size(), value, 16);
    const bool whole = fault == std::errc() && end == hash.data() + hash.size();
    const auto is_integer = [&](const char* key) { return json.contains(key) && json[key].is_number_integer(); };
    if (!whole || !is_integer("tensor") || !is_integer("bytes")) {
      throw Error({.fault = Fault::usage,
                   .file = path,
                   .problem = fmt::format("line {} is no record of a tensor", number),
                   .expected = R"({"tensor": N, "bytes": N, "fnv1a64": "HEX", ...})"});
    }
    tensors[json["tensor"]] = {.bytes = json["bytes"], .hash = value};
  }
  return tensors;
}

}  // namespace

std::vector<GoldenRun> read_golden(const std::string& folder) {
  std::error_code reason;
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, reason)) {
    const std::string file = entry.path().filename().string();
    if (file.ends_with(kInputEnd)) names.push_back(file.substr(0, file.size() - kInputEnd.size()));
  }
  if (reason) throw Error({.fault = Fault::usage, .file = folder, .problem = "cannot read: " + reason.message()});
  if (names.empty()) {
    throw Error({.fault = Fault::usage,
                 .file = folder,
                 .problem = "no golden files",
                 .expected = "NAME.in.bin and NAME.out.bin, and NAME.ops.jsonl for the operators"});
  }
  std::ranges::sort(names);
  std::vector<GoldenRun> runs;
  for (const std::string& name : names) {
    const std::string stem = (fs::path(folder) / name).string();
    GoldenRun run{.name = name,
                  .input_path = stem + ".in.bin",
                  .output_path = stem + ".out.bin",
                  .input = read_bytes(stem + ".in.bin"),
                  .output = read_bytes(stem + ".out.bin"),
                  .tensors = {}};
    if (const std::string ops = stem + ".ops.jsonl"; fs::exists(ops, reason)) run.tensors = read_tensors(ops);
    runs.push_back(std::move(run));
  }
  return runs;
}

std::vector<bool> partly_unwritten(const Graph& graph) {
  std::vector<bool> unwritten(graph.tensors.size(), false);
  for (const Op& op : graph.ops) {
    const auto output = static_cast<std::size_t>(op.output);
    if (const auto* signal = std::get_if<Signal>(&op.kind)) {
      const bool energy = signal->kind == SignalKind::energy;
      unwritten[output] = energy && (signal->first > 0 || signal->end < element_count(graph.tensors[output]));
    } else if (std::holds_alternative<Cast>(op.kind)) {
      unwritten[output] = unwritten[static_cast<std::size_t>(op.inputs[0])];
    }
  }
  return unwritten;
}

}  // namespace ripc::cli
