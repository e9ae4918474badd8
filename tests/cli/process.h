// Runs the built ripc as a user's shell would.
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "source_dir.h"

extern char** environ;

namespace ripc::test {

namespace fs = std::filesystem;

inline std::string read_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline void write_file(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

/// A folder that is gone at the end of the scope.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "ripc_cli_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  fs::path operator/(const std::string& name) const { return path_ / name; }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

struct Result {
  int code = -1;  ///< exit code; -1 if a signal ended it
  std::string out, err;
};

/// Runs ripc with `arguments`; its standard output goes to `out` instead of into the result if that is not empty, its
/// standard input comes from `in`.
inline Result ripc(std::vector<std::string> arguments, const std::string& out = {},
                   const std::string& in = "/dev/null") {
  const Folder folder;
  const std::string out_path = out.empty() ? (folder / "out").string() : out;
  const std::string err_path = (folder / "err").string();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, in.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out_path.c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err_path.c_str(), O_WRONLY | O_CREAT, 0600);
  arguments.insert(arguments.begin(), RIPC_BINARY);
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  const int fault = posix_spawn(&child, RIPC_BINARY, &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (fault != 0) throw std::runtime_error("cannot run " RIPC_BINARY);
  int status = 0;
  waitpid(child, &status, 0);
  return {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          .out = out.empty() ? read_file(out_path) : "",
          .err = read_file(err_path)};
}

/// Whether the fault is one line on the standard error that starts with "ripc: ".
inline bool is_one_line_fault(const Result& result) {
  return result.err.starts_with("ripc: ") && result.err.find('\n') == result.err.size() - 1;
}

inline const std::string kDigits = RIPC_SOURCE_DIR "/models/digits/digits.tflite";
inline const std::string kSamples = RIPC_SOURCE_DIR "/models/digits/samples.bin";

/// The first sample image, raw.
inline std::string sample_image() { return read_file(kSamples).substr(0, 196); }

}  // namespace ripc::test
