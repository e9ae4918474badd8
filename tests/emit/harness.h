// Builds emitted C with compilers of this system, and runs it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "emit/emit.h"
#include "execute/execute.h"

namespace ripc::test {

/// A fresh folder, removed with everything in it at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct Outcome {
  int status = 0;      ///< exit code
  std::string output;  ///< standard output and error
};

/// Runs a shell command.
Outcome run_command(const std::string& command);

/// Whether a compiler of that name is installed.
bool has_compiler(const std::string& name);

/// The flags of every build of emitted code: no warning passes.
inline const std::string kStrictC = "-std=c99 -pedantic -Wall -Wextra -Wconversion -Werror";

/// Compiles each C source among `files` to an object in `folder` with `compiler` (command and flags). Sources of the
/// runtime are compiled once for each compiler and shared. Gives the objects, or throws std::runtime_error with the
/// compiler's message.
std::vector<std::filesystem::path> compile(const std::vector<EmittedFile>& files, const std::filesystem::path& folder,
                                           const std::string& compiler);

/// A main program for the model: reads inputs from standard input, one set after the other, and writes the outputs of
/// each to standard output. With the argument "selftest" it prints what the self-test returns.
std::string main_text(const Program& program, const std::string& prefix);

/// An executable made from emitted files.
class BuiltModel {
 public:
  /// Writes and compiles `files` and `main`, or main_text. An empty compiler means "gcc -O1" with the strict flags.
  BuiltModel(const Program& program, const std::vector<EmittedFile>& files, const std::string& prefix,
             std::string compiler = {}, const std::string& main = {});

  /// Outputs of one run after the other, concatenated in the order of the model.
  std::vector<Bytes> run(const std::vector<std::vector<Bytes>>& inputs) const;
  int selftest() const;
  const std::filesystem::path& executable() const { return executable_; }

 private:
  TemporaryFolder folder_;
  std::filesystem::path executable_;
  std::int64_t output_bytes_ = 0;
};

/// Replaces the first occurrence of `from` in the file of that path; throws std::logic_error if there is none.
void replace_in(std::vector<EmittedFile>& files, const std::string& path, const std::string& from,
                const std::string& to);

/// The text of the file of that path.
const std::string& text_of(const std::vector<EmittedFile>& files, const std::string& path);

}  // namespace ripc::test
