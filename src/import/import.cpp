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

constexpr std::size_t kFirstBytes = 64;

/// What the first bytes of a file say that it is. Throws if no front end takes it.
enum class Format : std::uint8_t { tflite, json };
Format format_of(std::string_view first, const std::string& file) {
  if (first.size() >= 8 && first.substr(4, 4) == "TFL3") return Format::tflite;
  if (first.starts_with("version https://git-lfs")) {
    refuse(file, "a Git LFS pointer, not the model itself", "Fetch the file with git lfs pull.");
  }
  const std::size_t start = first.find_first_not_of(" \t\r\n");
  if (start != std::string_view::npos && first[start] == '{') return Format::json;
  refuse(file, "unknown format; expected a TensorFlow Lite model (TFL3) or a network in JSON");
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
  // The format comes first, so that a file of another kind is not read whole.
  std::array<char, kFirstBytes> first{};
  stream.read(first.data(), first.size());
  format_of({first.data(), static_cast<std::size_t>(stream.gcount())}, file);
  stream.clear();
  stream.seekg(0);
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
  return format_of(text.substr(0, kFirstBytes), file) == Format::tflite ? import_tflite(bytes, file, options)
                                                                        : import_json(text, file, options);
}

}  // namespace ripc
