// Memory in which every byte knows what it holds: which byte of which tensor, or what a kernel left there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace ripc::check {

/// What fills a byte. `clobbered` is a byte that a kernel may have written, with no promise of what.
enum class Content : std::uint8_t { nothing, tensor, scratch, kept, clobbered, state, progress };

/// A byte's content as one number: Content (8 bits), its tensor or operator (24 bits), the byte's index in it (32
/// bits). Tags of neighbouring bytes are neighbouring numbers.
using Tag = std::uint64_t;

/// `id` is a TensorId for Content::tensor, a StateId for Content::state, 0 for Content::progress (how far the work has
/// come) and an OpId for the others.
constexpr Tag make_tag(Content content, int id, std::int64_t byte) {
  return static_cast<Tag>(content) << 56 | static_cast<Tag>(id) << 32 | static_cast<Tag>(byte);
}

/// A tag in words, e.g. "byte 17 of 'conv1'".
std::string describe(const Graph& graph, Tag tag);

/// The arena. Addresses are bytes from its start; the caller keeps them in range.
class Shadow {
 public:
  explicit Shadow(std::int64_t bytes) : tags_(static_cast<std::size_t>(bytes), make_tag(Content::nothing, 0, 0)) {}

  Tag at(std::int64_t address) const { return tags_[static_cast<std::size_t>(address)]; }

  /// Fills `count` bytes with `first` and its successors.
  void write(std::int64_t address, Tag first, std::int64_t count) {
    Tag* tags = tags_.data() + address;
    for (std::int64_t i = 0; i < count; ++i) tags[i] = first + static_cast<Tag>(i);
  }

  /// Whether `count` bytes hold `first` and its successors.
  bool holds(std::int64_t address, Tag first, std::int64_t count) const {
    const Tag* tags = tags_.data() + address;
    Tag difference = 0;
    for (std::int64_t i = 0; i < count; ++i) difference |= tags[i] ^ (first + static_cast<Tag>(i));
    return difference == 0;
  }

 private:
  std::vector<Tag> tags_;
};

}  // namespace ripc::check
