// Any bytes as a model file: the importers return a sound graph or throw ripc::Error in one line, in little time and
// memory. Built by clang with -DRIPC_FUZZ=ON; run.sh runs it.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <random>
#include <string>

#include "graph/graph.h"
#include "import/import.h"
#include "passes/passes.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using namespace ripc;

void require(bool holds) {
  if (!holds) std::abort();
}

Graph import(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const bool is_json = text.find_first_not_of(" \t\r\n") == text.find('{') && text.find('{') != text.npos;
  return is_json ? import_json(text, "fuzz.json") : import_tflite(bytes, "fuzz.tflite");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Graph graph;
  try {
    graph = import(std::as_bytes(std::span(data, size)));
  } catch (const Error& error) {
    const std::string message = error.what();
    require(!message.empty() && message.find('\n') == message.npos);
    return 0;
  }
  // What has been accepted stays sound: from here on nothing may throw.
  validate(graph);
  graph = canonicalize(std::move(graph), {.io_int8 = size % 2 == 0});
  validate(graph);
  for (const Op& op : graph.ops) require(mac_count(graph, op) >= 0);
  require(!graph_hash(graph).empty());
  return 0;
}

/// Every other change is one of an aligned word, half word or byte to a number at some edge: it leaves the offsets of a
/// FlatBuffer in place, where inserted and deleted bytes break them all.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned int seed) {
  std::minstd_rand random(seed);
  if (size < 8 || random() % 2 == 0) return LLVMFuzzerMutate(data, size, most);
  constexpr std::int64_t kEdges[] = {0,     1,     2,       3,       4,         5,          7,          8,
                                     15,    16,    64,      127,     128,       255,        256,        4096,
                                     32767, 65535, 1 << 20, 1 << 24, 46340,     0x3f800000, 0x7f800000, 0x7fc00000,
                                     -1,    -2,    -128,    -32768,  INT32_MAX, INT32_MIN};
  const std::size_t width = std::size_t{1} << random() % 3;
  const std::size_t at = random() % (size / width) * width;
  std::int64_t value = kEdges[random() % std::size(kEdges)];
  if (random() % 4 == 0) {  // beside what it was
    std::memcpy(&value, data + at, width);
    value += static_cast<std::int64_t>(random() % 5) - 2;
  }
  std::memcpy(data + at, &value, width);
  return size;
}
