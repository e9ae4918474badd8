#include "emit/runtime_files.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "emit/embedded_files.h"

namespace ripc::emit {
namespace {

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

/// Calls found(start, end) for every identifier that starts with rip_.
template <typename Found>
void for_each_symbol(std::string_view text, Found found) {
  for (std::size_t start = text.find("rip_"); start != std::string_view::npos; start = text.find("rip_", start + 1)) {
    if (start > 0 && is_word(text[start - 1])) continue;
    std::size_t end = start;
    while (end < text.size() && is_word(text[end])) ++end;
    found(start, end);
  }
}

/// Whether a function with external linkage is defined at [start, end): its name is followed by parameters and a body,
/// and its line starts with the type.
bool is_definition(std::string_view text, std::size_t start, std::size_t end) {
  if (end >= text.size() || text[end] != '(') return false;
  const std::size_t line = text.rfind('\n', start) + 1;  // npos + 1 is 0
  const std::string_view before = text.substr(line, start - line);
  if (before.empty() || !is_word(before.front()) || before.find("static") != std::string_view::npos) return false;
  const std::size_t after = text.find_first_of(";{", end);
  return after != std::string_view::npos && text[after] == '{';
}

/// The quoted includes of a file.
std::vector<std::string_view> includes(std::string_view text) {
  constexpr std::string_view kInclude = "#include \"";
  std::vector<std::string_view> names;
  for (std::size_t at = text.find(kInclude); at != std::string_view::npos; at = text.find(kInclude, at + 1)) {
    const std::size_t start = at + kInclude.size();
    names.push_back(text.substr(start, text.find('"', start) - start));
  }
  return names;
}

const EmbeddedFile* file_at(std::string_view path) {
  for (const EmbeddedFile& file : runtime_files()) {
    if (file.path == path) return &file;
  }
  return nullptr;
}

std::map<std::string_view, const EmbeddedFile*> definitions() {
  std::map<std::string_view, const EmbeddedFile*> defined_in;
  for (const EmbeddedFile& file : runtime_files()) {
    if (!file.path.ends_with(".c")) continue;
    for_each_symbol(file.text, [&](std::size_t start, std::size_t end) {
      if (is_definition(file.text, start, end)) defined_in[file.text.substr(start, end - start)] = &file;
    });
  }
  return defined_in;
}

}  // namespace

std::vector<EmittedFile> needed_runtime(const std::vector<std::string>& kernels) {
  const auto defined_in = definitions();
  std::set<std::string_view> needed;
  std::vector<const EmbeddedFile*> pending;
  const auto need = [&](const EmbeddedFile* file) {
    if (needed.insert(file->path).second) pending.push_back(file);
  };
  const auto need_symbol = [&](const std::string& symbol) {
    const auto found = defined_in.find(symbol);
    if (found == defined_in.end()) throw std::logic_error("the runtime does not define " + symbol);
    need(found->second);
  };
  for (const char* header : {"rip/flash.h", "rip/kernels.h", "rip/node.h", "rip/version.h"}) need(file_at(header));
  need_symbol("rip_place_row");
  for (const std::string& kernel : kernels) need_symbol(kernel);

  while (!pending.empty()) {
    const EmbeddedFile& file = *pending.back();
    pending.pop_back();
    for (const std::string_view name : includes(file.text)) {
      const EmbeddedFile* included = file_at(name);
      const std::string_view folder = file.path.substr(0, file.path.rfind('/') + 1);
      if (included == nullptr) included = file_at(std::string(folder).append(name));
      if (included != nullptr) need(included);
    }
    if (file.path.starts_with("rip/")) continue;  // a public header names kernels that it does not need
    for_each_symbol(file.text, [&](std::size_t start, std::size_t end) {
      const auto found = defined_in.find(file.text.substr(start, end - start));
      if (found != defined_in.end()) need(found->second);
    });
  }

  std::vector<EmittedFile> files;
  for (const EmbeddedFile& file : runtime_files()) {
    if (needed.contains(file.path)) files.push_back({std::string(file.path), std::string(file.text)});
  }
  return files;
}

}  // namespace ripc::emit
