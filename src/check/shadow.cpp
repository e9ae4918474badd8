#include "check/shadow.h"

#include <fmt/format.h>

#include "check/fault.h"

namespace ripc::check {

std::string describe(const Graph& graph, Tag tag) {
  const auto content = static_cast<Content>(tag >> 56);
  const auto id = static_cast<std::size_t>(tag >> 32 & 0xFFFFFF);
  const auto byte = static_cast<std::uint32_t>(tag);
  switch (content) {
    case Content::nothing:
      return "a byte that nothing has written";
    case Content::tensor:
      return fmt::format("byte {} of '{}'", byte, graph.tensors[id].name);
    case Content::scratch:
      return fmt::format("scratch of {}", op_name(graph, static_cast<OpId>(id)));
    case Content::kept:
      return fmt::format("kept byte {} of {}", byte, op_name(graph, static_cast<OpId>(id)));
    case Content::state:
      return fmt::format("byte {} of state '{}'", byte, graph.states[id].name);
    case Content::progress:
      return fmt::format("byte {} of how far the work has come", byte);
    case Content::clobbered:
      break;
  }
  return fmt::format("a byte that {} may be writing", op_name(graph, static_cast<OpId>(id)));
}

}  // namespace ripc::check
