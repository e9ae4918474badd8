#include "execute/input_stream.h"

#include <bit>

namespace ripc {

std::uint8_t InputStream::next() {
  state_ ^= state_ << 13U;
  state_ ^= state_ >> 17U;
  state_ ^= state_ << 5U;
  return static_cast<std::uint8_t>(state_ & 0xffU);
}

std::vector<std::byte> InputStream::tensor(DataType type, std::int64_t count) {
  const auto scalar = static_cast<std::int64_t>(scalar_bytes(type));
  std::vector<std::byte> bytes;
  bytes.reserve(static_cast<std::size_t>(count * scalar));
  if (type == DataType::float32) {
    for (std::int64_t i = 0; i < count; ++i) {
      const auto bits = std::bit_cast<std::uint32_t>((static_cast<float>(next()) - 128.0F) / 64.0F);
      for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::byte>((bits >> shift) & 0xffU));
    }
    return bytes;
  }
  const unsigned mask = type == DataType::boolean ? 1U : 0xffU;
  for (std::int64_t i = 0; i < count * scalar; ++i) bytes.push_back(static_cast<std::byte>(next() & mask));
  return bytes;
}

std::vector<std::vector<std::byte>> random_inputs(const Graph& graph, std::uint32_t seed) {
  InputStream stream(seed);
  std::vector<std::vector<std::byte>> inputs;
  for (const TensorId id : graph.inputs) {
    const Tensor& tensor = graph.tensors[static_cast<std::size_t>(id)];
    inputs.push_back(stream.tensor(tensor.type, element_count(tensor)));
  }
  return inputs;
}

}  // namespace ripc
