#include "import/tflite/widen.h"

#include <bit>
#include <cstdint>
#include <cstring>

namespace ripc {
namespace {

constexpr unsigned kFractionBits = 10, kFloatFractionBits = 23;
constexpr std::uint32_t kFloatInfinity = 0x7f800000U;

std::uint32_t widen(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000U) << 16U, exponent = (half >> kFractionBits) & 0x1fU;
  std::uint32_t fraction = half & 0x3ffU;
  constexpr unsigned kShift = kFloatFractionBits - kFractionBits;
  if (exponent == 0x1fU) return sign | kFloatInfinity | fraction << kShift;
  if (exponent > 0) return sign | (exponent + 127U - 15U) << kFloatFractionBits | fraction << kShift;
  if (fraction == 0) return sign;
  // A subnormal of binary16 is normal in binary32.
  const auto shift = static_cast<unsigned>(std::countl_zero(fraction)) - (31U - kFractionBits);
  fraction = fraction << shift & 0x3ffU;
  return sign | (127U - 14U - shift) << kFloatFractionBits | fraction << kShift;
}

template <typename T>
void append(std::vector<std::byte>& bytes, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) bytes.push_back(static_cast<std::byte>((value >> (8 * i)) & 0xffU));
}

/// The stored number at `index` of a constant of 8 or 16 bits.
std::int32_t stored(const Tensor& constant, std::size_t index) {
  const auto low = std::to_integer<std::uint8_t>(constant.data[index * scalar_bytes(constant.type)]);
  if (constant.type == DataType::uint8) return low;
  if (constant.type == DataType::int8) return static_cast<std::int8_t>(low);
  const auto high = std::to_integer<std::uint8_t>(constant.data[2 * index + 1]);
  return static_cast<std::int16_t>(static_cast<std::uint16_t>(low | high << 8U));
}

}  // namespace

std::vector<std::byte> widen_float16(std::span<const std::byte> halves) {
  std::vector<std::byte> floats;
  floats.reserve(2 * halves.size());
  for (std::size_t i = 0; i + 1 < halves.size(); i += 2) {
    const unsigned half = std::to_integer<unsigned>(halves[i]) | std::to_integer<unsigned>(halves[i + 1]) << 8U;
    append(floats, widen(static_cast<std::uint16_t>(half)));
  }
  return floats;
}

std::vector<std::byte> unpack_int4(std::span<const std::byte> packed, std::size_t count) {
  std::vector<std::byte> bytes;
  bytes.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned nibble = std::to_integer<unsigned>(packed[i / 2]) >> (i % 2 * 4U) & 0xfU;
    bytes.push_back(static_cast<std::byte>(nibble < 8U ? nibble : nibble + 0xf0U));
  }
  return bytes;
}

Complaint dequantize(Tensor& constant) {
  if (constant.type == DataType::float32) return {};
  const Quantization& q = constant.quantization;
  const bool integer =
      constant.type == DataType::int8 || constant.type == DataType::uint8 || constant.type == DataType::int16;
  if (!integer || q.scale.empty()) {
    return complain("constant that cannot be dequantised", "int8, uint8 or int16 with a scale",
                    type_name(constant.type), constant.name);
  }
  // Indices along the axis of the scales repeat after `inner` scalars each.
  std::size_t inner = static_cast<std::size_t>(element_count(constant));
  if (q.scale.size() > 1) {
    const auto axis = static_cast<std::size_t>(q.axis);
    if (axis >= constant.shape.size() || static_cast<std::size_t>(constant.shape[axis]) != q.scale.size()) {
      return complain("scales that do not match the shape", {}, {}, constant.name);
    }
    inner = 1;
    for (std::size_t i = axis + 1; i < constant.shape.size(); ++i) inner *= static_cast<std::size_t>(constant.shape[i]);
  }
  std::vector<std::byte> floats;
  for (std::size_t i = 0; i < static_cast<std::size_t>(element_count(constant)); ++i) {
    const std::size_t channel = i / inner % q.scale.size();
    const double real = static_cast<double>(q.scale[channel]) * (stored(constant, i) - q.zero_point[channel]);
    append(floats, std::bit_cast<std::uint32_t>(static_cast<float>(real)));
  }
  constant.type = DataType::float32;
  constant.data = std::move(floats);
  constant.quantization = {};
  return {};
}

}  // namespace ripc
