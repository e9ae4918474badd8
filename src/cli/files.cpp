#include "cli/files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <system_error>

#include "ripc/error.h"

namespace ripc::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot(const std::string& what, const std::string& path, const std::error_code& reason) {
  throw Error({.fault = Fault::usage, .file = path, .problem = "cannot " + what + ": " + reason.message()});
}

// All that a stream has. A device may never end; nothing that is read whole here is larger.
std::string read_all(std::istream& stream, const std::string& name) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 28;
  std::string text;
  std::array<char, 65536> block{};
  while (stream.read(block.data(), block.size()), stream.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() > kMostBytes) {
      throw Error(
          {.fault = Fault::usage, .file = name, .problem = "too large to be read", .expected = "at most 256 MiB"});
    }
  }
  if (stream.bad()) cannot("read", name, {errno, std::generic_category()});
  return text;
}

}  // namespace

std::string read_standard_input() { return read_all(std::cin, "-"); }

std::string read_text(const std::string& path) {
  std::error_code reason;
  if (fs::is_directory(path, reason)) cannot("read", path, std::make_error_code(std::errc::is_a_directory));
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) cannot("read", path, {errno, std::generic_category()});
  return read_all(stream, path);
}

Bytes read_bytes(const std::string& path) {
  const std::string text = read_text(path);
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

void write_bytes(const std::string& path, const Bytes& bytes) {
  std::error_code reason;
  // A device or a pipe is written as it is: there is nothing to replace.
  const bool replace = !fs::exists(path, reason) || fs::is_regular_file(path, reason);
  // What a link points to is replaced, not the link; the process number keeps two runs apart.
  const fs::path place = replace && fs::is_symlink(path, reason) ? fs::weakly_canonical(path, reason) : fs::path(path);
  const std::string target = replace ? fmt::format("{}.partial{}", place.string(), getpid()) : path;
  errno = 0;
  std::ofstream stream(target, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  const std::error_code fault{errno, std::generic_category()};
  if (!stream) {
    if (replace) fs::remove(target, reason);
    cannot("write", path, fault);
  }
  if (!replace) return;
  fs::rename(target, place, reason);
  if (reason) {
    const std::error_code cause = reason;
    fs::remove(target, reason);
    cannot("write", path, cause);
  }
}

void write_text(const std::string& path, const std::string& text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  write_bytes(path, {first, first + text.size()});
}

}  // namespace ripc::cli
