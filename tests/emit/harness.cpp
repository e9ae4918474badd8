#include "emit/harness.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <future>
#include <map>
#include <sstream>
#include <stdexcept>

namespace ripc::test {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, std::span<const std::byte> data) {
  std::ofstream stream(path, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
}

Bytes read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return {data, data + text.size()};
}

void require(const Outcome& outcome, const std::string& command) {
  if (outcome.status == 0) return;
  throw std::runtime_error(fmt::format("{}: exit code {}\n{}", command, outcome.status, outcome.output));
}

fs::path compile_one(const fs::path& source, const fs::path& object, const fs::path& include,
                     const std::string& compiler) {
  const Outcome outcome =
      run_command(fmt::format("{} -I {} -c {} -o {}", compiler, include.string(), source.string(), object.string()));
  require(outcome, fmt::format("{} {}", compiler, source.string()));
  return object;
}

/// Objects of the runtime by compiler and source text; the folder lives as long as the test program.
fs::path runtime_object(const EmittedFile& file, const fs::path& include, const std::string& compiler) {
  static const TemporaryFolder folder;
  static std::map<std::pair<std::string, std::string>, fs::path> objects;
  const auto [place, fresh] = objects.try_emplace({compiler, file.path});
  if (fresh) {
    const fs::path object = folder.path() / fmt::format("{}.o", objects.size());
    place->second = compile_one(include / file.path, object, include, compiler);
  }
  return place->second;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (fs::temp_directory_path() / "ripc-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

Outcome run_command(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  Outcome outcome;
  std::array<char, 4096> buffer{};
  for (std::size_t got = 0; (got = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    outcome.output.append(buffer.data(), got);
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

bool has_compiler(const std::string& name) { return run_command("command -v " + name).status == 0; }

std::vector<fs::path> compile(const std::vector<EmittedFile>& files, const fs::path& folder,
                              const std::string& compiler) {
  write_files(folder, files);
  std::vector<std::future<fs::path>> builds;
  std::vector<fs::path> objects;
  for (const EmittedFile& file : files) {
    if (!file.path.ends_with(".c")) continue;
    if (file.path.starts_with("src/")) {
      objects.push_back(runtime_object(file, folder, compiler));
    } else {
      builds.push_back(std::async(std::launch::async, compile_one, folder / file.path, folder / (file.path + ".o"),
                                  folder, compiler));
    }
  }
  for (std::future<fs::path>& build : builds) objects.push_back(build.get());
  return objects;
}

std::string main_text(const Program& program, const std::string& prefix) {
  std::string upper = prefix;
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const auto name = [](const char* word, std::size_t i, std::size_t count) {
    return count == 1 ? word : word + std::to_string(i);
  };
  const auto macro = [&](const char* word, std::size_t i, std::size_t count) {
    return fmt::format("{}_{}{}_BYTES", upper, word, count == 1 ? "" : std::to_string(i));
  };
  std::string buffers, external, fill, print;
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    const std::string size = macro("INPUT", i, program.inputs.size());
    std::string place = fmt::format("{}_{}(arena)", prefix, name("input", i, program.inputs.size()));
    if (program.inputs[i].space > 0) {
      place = fmt::format("buffer{}", i);
      buffers += fmt::format("  void *buffer{0} = malloc({1}), *copy{0} = malloc({1});\n", i, size);
      external += fmt::format(", {}", place);
      print += fmt::format("    if (memcmp(buffer{0}, copy{0}, {1}) != 0) return 5;\n", i, size);
    }
    fill += fmt::format("    if (fread({}, 1, {}, stdin) != {}) return 0;\n", place, size, size);
    if (program.inputs[i].space > 0) fill += fmt::format("    memcpy(copy{0}, buffer{0}, {1});\n", i, size);
  }
  for (std::size_t i = 0; i < program.outputs.size(); ++i) {
    const std::string size = macro("OUTPUT", i, program.outputs.size());
    print += fmt::format("    fwrite({}_{}(arena), 1, {}, stdout);\n", prefix,
                         name("output", i, program.outputs.size()), size);
  }
  std::string state;
  if (program.state_bytes > 0) {
    state = fmt::format("  static {0}_state_t memory;\n  void *state = &memory;\n  {0}_reset(state);\n", prefix);
    external = ", state" + external;
  }
  // The arena ends where the block ends, and starts at an odd multiple of its alignment.
  return fmt::format(R"(#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "{0}.h"

int main(int argc, char **argv) {{
{6}  char *block = (char *)malloc({1}_ARENA_BYTES + {1}_ARENA_ALIGN);
  char *arena = block + {1}_ARENA_ALIGN;
{2}  memset(block, 0xa5, {1}_ARENA_BYTES + {1}_ARENA_ALIGN);
  if (argc > 1 && strcmp(argv[1], "selftest") == 0) {{
    printf("%d\n", {0}_selftest(arena{3}));
    return 0;
  }}
  for (;;) {{
{4}    if ({0}_invoke(arena{3}) != 0) return 4;
{5}  }}
}}
)",
                     prefix, upper, buffers, external, fill, print, state);
}

BuiltModel::BuiltModel(const Program& program, const std::vector<EmittedFile>& files, const std::string& prefix,
                       std::string compiler, const std::string& main) {
  if (compiler.empty()) compiler = "gcc -O1 " + kStrictC;
  for (const ProgramTensor& output : program.outputs) output_bytes_ += output.bytes;
  std::vector<EmittedFile> all = files;
  all.push_back({.path = "main.c", .text = main.empty() ? main_text(program, prefix) : main});
  executable_ = folder_.path() / "model";
  // Objects are no sources in any language.
  std::string linker = compiler;
  if (const std::size_t language = linker.find("-x c++"); language != std::string::npos) linker.erase(language, 6);
  std::string link = linker + " -o " + executable_.string();
  for (const fs::path& object : compile(all, folder_.path(), compiler)) link += " " + object.string();
  link += " -lm";
  const Outcome outcome = run_command(link);
  require(outcome, link);
}

std::vector<Bytes> BuiltModel::run(const std::vector<std::vector<Bytes>>& inputs) const {
  Bytes stream;
  for (const auto& set : inputs) {
    for (const Bytes& input : set) stream.insert(stream.end(), input.begin(), input.end());
  }
  const fs::path in = folder_.path() / "in.bin", out = folder_.path() / "out.bin";
  write(in, stream);
  const Outcome outcome = run_command(fmt::format("{} < {} > {}", executable_.string(), in.string(), out.string()));
  require(outcome, executable_.string());
  const Bytes all = read(out);
  std::vector<Bytes> outputs;
  for (std::size_t at = 0; at + static_cast<std::size_t>(output_bytes_) <= all.size();
       at += static_cast<std::size_t>(output_bytes_)) {
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(at);
    outputs.emplace_back(from, from + output_bytes_);
  }
  return outputs;
}

int BuiltModel::selftest() const {
  const Outcome outcome = run_command(executable_.string() + " selftest");
  require(outcome, executable_.string());
  return std::stoi(outcome.output);
}

void replace_in(std::vector<EmittedFile>& files, const std::string& path, const std::string& from,
                const std::string& to) {
  for (EmittedFile& file : files) {
    if (file.path != path) continue;
    const std::size_t at = file.text.find(from);
    if (at == std::string::npos) throw std::logic_error("no '" + from + "' in " + path);
    file.text.replace(at, from.size(), to);
    return;
  }
  throw std::logic_error("no file " + path);
}

const std::string& text_of(const std::vector<EmittedFile>& files, const std::string& path) {
  for (const EmittedFile& file : files) {
    if (file.path == path) return file.text;
  }
  throw std::logic_error("no file " + path);
}

}  // namespace ripc::test
