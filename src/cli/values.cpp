#include "cli/values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "cli/npy.h"
#include "report/blocks.h"
#include "ripc/error.h"

namespace ripc::cli {
namespace {

static_assert(std::endian::native == std::endian::little, "files are little endian");

const Tensor& tensor_at(const Graph& graph, TensorId id) { return graph.tensors[static_cast<std::size_t>(id)]; }

[[noreturn]] void refuse(const std::string& path, const Tensor& tensor, const std::string& found) {
  throw Error({.fault = Fault::usage,
               .file = path,
               .tensor = tensor.name,
               .problem = "the file does not hold this tensor",
               .expected = fmt::format("{} {} ({} bytes)", type_name(tensor.type), shape_text(tensor.shape),
                                       byte_count(tensor)),
               .found = found});
}

std::vector<std::int64_t> without_ones(std::vector<std::int64_t> shape) {
  std::erase(shape, 1);
  return shape;
}

Bytes tensor_of_file(const Bytes& file, const std::string& path, const Tensor& tensor) {
  if (!is_npy(file)) {
    if (std::ssize(file) != byte_count(tensor)) refuse(path, tensor, fmt::format("{} bytes", file.size()));
    return file;
  }
  NpyArray array = parse_npy(file, path);
  if (array.type != tensor.type || without_ones(array.shape) != without_ones(tensor.shape)) {
    refuse(path, tensor, fmt::format("{} {}", type_name(array.type), shape_text(array.shape)));
  }
  return std::move(array.data);
}

template <typename T>
T read_as(const Bytes& bytes, std::size_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

double number_at(DataType type, const Bytes& bytes, std::size_t index) {
  switch (type) {
    case DataType::float32:
      return read_as<float>(bytes, index);
    case DataType::int32:
      return read_as<std::int32_t>(bytes, index);
    case DataType::int16:
      return read_as<std::int16_t>(bytes, index);
    case DataType::int64:
      return static_cast<double>(read_as<std::int64_t>(bytes, index));
    case DataType::uint32:
      return read_as<std::uint32_t>(bytes, index);
    case DataType::uint64:
      return static_cast<double>(read_as<std::uint64_t>(bytes, index));
    case DataType::int8:
      return read_as<std::int8_t>(bytes, index);
    case DataType::uint8:
    case DataType::boolean:
      return read_as<std::uint8_t>(bytes, index);
  }
  return 0;
}

}  // namespace

std::vector<Bytes> split_bytes(const Graph& graph, const std::vector<TensorId>& tensors, const Bytes& bytes,
                               const std::string& path) {
  std::int64_t wanted = 0;
  for (const TensorId id : tensors) wanted += byte_count(tensor_at(graph, id));
  if (wanted != std::ssize(bytes)) {
    throw Error({.fault = Fault::usage,
                 .file = path,
                 .problem = "the file does not hold these tensors of the network",
                 .expected = fmt::format("{} bytes", wanted),
                 .found = fmt::format("{} bytes", bytes.size())});
  }
  std::vector<Bytes> parts;
  auto at = bytes.begin();
  for (const TensorId id : tensors) {
    const auto end = at + byte_count(tensor_at(graph, id));
    parts.emplace_back(at, end);
    at = end;
  }
  return parts;
}

std::vector<Bytes> read_inputs(const Graph& graph, const std::vector<std::string>& paths) {
  std::vector<Bytes> files;
  files.reserve(paths.size());
  for (const std::string& path : paths) files.push_back(read_bytes(path));
  if (files.size() == 1 && graph.inputs.size() > 1 && !is_npy(files.front())) {
    return split_bytes(graph, graph.inputs, files.front(), paths.front());
  }
  if (files.size() != graph.inputs.size()) {
    std::vector<std::string> wanted;
    for (const TensorId id : graph.inputs) {
      const Tensor& tensor = tensor_at(graph, id);
      wanted.push_back(fmt::format("{} {} {}", tensor.name, type_name(tensor.type), shape_text(tensor.shape)));
    }
    throw Error({.fault = Fault::usage,
                 .problem = "wrong number of input files",
                 .expected = fmt::format("{}: {}", graph.inputs.size(), fmt::join(wanted, ", ")),
                 .found = std::to_string(files.size())});
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    files[i] = tensor_of_file(files[i], paths[i], tensor_at(graph, graph.inputs[i]));
  }
  return files;
}

std::vector<std::vector<Bytes>> read_runs(const Graph& graph, const std::vector<std::string>& paths) {
  const std::size_t inputs = graph.inputs.size();
  std::vector<std::vector<Bytes>> runs;
  if (!graph.states.empty() && paths.size() > inputs && inputs > 0 && paths.size() % inputs == 0) {
    for (auto first = paths.begin(); first != paths.end(); first += static_cast<std::ptrdiff_t>(inputs)) {
      runs.push_back(read_inputs(graph, {first, first + static_cast<std::ptrdiff_t>(inputs)}));
    }
    return runs;
  }
  std::int64_t one_run = 0;
  for (const TensorId id : graph.inputs) one_run += byte_count(tensor_at(graph, id));
  if (!graph.states.empty() && paths.size() == 1 && one_run > 0) {
    const Bytes file = read_bytes(paths.front());
    if (!is_npy(file) && std::ssize(file) > one_run && std::ssize(file) % one_run == 0) {
      for (auto at = file.begin(); at != file.end(); at += one_run) {
        runs.push_back(split_bytes(graph, graph.inputs, {at, at + one_run}, paths.front()));
      }
      return runs;
    }
  }
  runs.push_back(read_inputs(graph, paths));
  return runs;
}

void write_tensor(const std::string& path, const Tensor& tensor, const Bytes& bytes) {
  const bool npy = path.ends_with(".npy");
  write_bytes(path, npy ? npy_bytes({.type = tensor.type, .shape = tensor.shape, .data = bytes}) : bytes);
}

std::string value_text(DataType type, const Bytes& bytes, std::size_t index) {
  return fmt::format("{:.6g}", number_at(type, bytes, index));
}

std::string describe_values(const Tensor& tensor, const Bytes& bytes) {
  const std::size_t count = bytes.size() / scalar_bytes(tensor.type);
  std::string text = fmt::format("{} {} {}:", tensor.name, type_name(tensor.type), shape_text(tensor.shape));
  std::size_t largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i < 12) text += " " + value_text(tensor.type, bytes, i);
    if (number_at(tensor.type, bytes, i) > number_at(tensor.type, bytes, largest)) largest = i;
  }
  if (count > 12) text += " ...";
  if (count > 1) text += fmt::format(" (largest: {} at {})", value_text(tensor.type, bytes, largest), largest);
  return text + "\n";
}

}  // namespace ripc::cli
