#include "import/import.h"

#include <array>
#include <fstream>
#include <system_error>
#include <utility>

namespace ripc {
namespace {

constexpr std::uintmax_t kMaxFileBytes = INT32_MAX;

[[noreturn]] void refuse(const std::string& file, std::string problem, std::string remedy = {}) {
  ErrorContext context;
  context.file = file;
  context.problem = std::move(problem);
  context.remedy = std::move(remedy);
  throw Error(std::move(context));
}

std::vector<std::byte> read_file(const std::filesystem::path& path) {
  const std::string file = path.string();
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) refuse(file, "no such file");
  if (std::filesystem::is_directory(status)) refuse(file, "a directory, not a model file");
  if (!std::filesystem::is_regular_file(status)) refuse(file, "not a regular file");
  const auto size = std::filesystem::file_size(path, error);
  if (error) refuse(file, "cannot read the file: " + error.message());
  if (size == 0) refuse(file, "empty file");
  if (size > kMaxFileBytes) refuse(file, "file of 2 GiB or more");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) refuse(file, "cannot open the file", "Check its permissions.");
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (stream.gcount() != static_cast<std::streamsize>(bytes.size())) refuse(file, "cannot read the whole file");
  return bytes;
}

}  // namespace

Graph import_network(const std::filesystem::path& path, const ImportOptions& options) {
  const std::vector<std::byte> bytes = read_file(path);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::string file = path.string();
  if (text.substr(0, 8).substr(text.size() < 4 ? text.size() : 4) == "TFL3") return import_tflite(bytes, file, options);
  if (text.starts_with("version https://git-lfs")) {
    refuse(file, "a Git LFS pointer, not the model itself", "Fetch the file with git lfs pull.");
  }
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start != std::string_view::npos && text[start] == '{') return import_json(text, file, options);
  refuse(file, "unknown format; expected a TensorFlow Lite model (TFL3) or a network in JSON");
}

}  // namespace ripc
