#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>

#include "emit/emit.h"
#include "ripc/error.h"

namespace ripc {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot(const std::string& what, const fs::path& path, const std::error_code& reason) {
  throw Error({.fault = Fault::usage,
               .file = path.string(),
               .problem = "cannot " + what + (reason ? ": " + reason.message() : std::string()),
               .remedy = "Choose a folder that can be written, with room for the files."});
}

/// A folder that is gone, with everything in it, at the end of the scope.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const fs::path& beside) {
    for (int attempt = 0; attempt < 1000; ++attempt) {
      path_ = beside;
      path_ += ".partial" + std::to_string(attempt);
      std::error_code reason;
      if (fs::create_directory(path_, reason)) return;
      // It may also have been there, and be gone by the time that it is looked at.
      if (reason && reason != std::errc::file_exists) {
        const fs::path wanted = std::exchange(path_, {});
        cannot("make a folder", wanted, reason);
      }
    }
    const fs::path wanted = std::exchange(path_, {});
    cannot("make a temporary folder: remove the old ones first", wanted, {});
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void make_parent(const fs::path& file) {
  std::error_code reason;
  fs::create_directories(file.parent_path(), reason);
  if (reason) cannot("make a folder", file.parent_path(), reason);
}

void move_file(const fs::path& from, const fs::path& to) {
  std::error_code reason;
  fs::rename(from, to, reason);
  if (reason) cannot("write", to, reason);
}

}  // namespace

void write_files(const fs::path& folder, const std::vector<EmittedFile>& files) {
  if (folder.empty()) cannot("write: no folder is named", folder, {});
  fs::path target = folder.lexically_normal();
  if (!target.has_filename()) target = target.parent_path();
  if (target.has_parent_path()) make_parent(target);

  std::error_code reason;
  const bool exists = fs::exists(target, reason);
  // Inside an existing folder the temporary one is sure to be on the same disk.
  const TemporaryFolder temporary(exists ? target / "ripc" : target);
  for (const EmittedFile& file : files) {
    const fs::path path = temporary.path() / file.path;
    make_parent(path);
    std::ofstream stream(path, std::ios::binary);
    stream.write(file.text.data(), static_cast<std::streamsize>(file.text.size()));
    stream.close();
    if (!stream) cannot("write", target / file.path, {errno, std::generic_category()});
  }
  if (!exists) {
    fs::rename(temporary.path(), target, reason);
    if (!reason) return;
    // Somebody else has made the folder meanwhile: the files go into it one by one.
    if (!fs::is_directory(target)) cannot("write", target, reason);
  }
  for (const EmittedFile& file : files) {
    make_parent(target / file.path);
    if (fs::is_directory(target / file.path, reason)) cannot("write over a folder", target / file.path, {});
  }
  for (const EmittedFile& file : files) move_file(temporary.path() / file.path, target / file.path);
}

}  // namespace ripc
