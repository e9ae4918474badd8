#include "emit/constants.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ripc::emit {
namespace {

constexpr std::size_t kLine = 112;

struct ElementType {
  std::string_view name;
  std::size_t bytes;
  void (*append)(std::string& out, std::span<const std::byte> data);
};

template <typename T>
void append_scalar(std::string& out, T value) {
  if constexpr (std::is_floating_point_v<T>) {
    out += literal(value);
  } else if (std::cmp_equal(value, std::numeric_limits<std::int32_t>::min()) ||
             std::cmp_equal(value, std::numeric_limits<std::int64_t>::min())) {
    out += literal(std::int64_t{value});
  } else {
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    out.append(digits.data(), end);
  }
}

template <typename T>
void append_all(std::string& out, std::span<const std::byte> data) {
  std::size_t line = out.size();
  out += ' ';
  for (std::size_t i = 0; i + sizeof(T) <= data.size(); i += sizeof(T)) {
    T value;
    std::memcpy(&value, data.data() + i, sizeof(T));
    if (out.size() - line > kLine) {
      out += '\n';
      line = out.size();
      out += ' ';
    }
    out += ' ';
    append_scalar(out, value);
    out += ',';
  }
  out += '\n';
}

constexpr std::array kElementTypes = {
    ElementType{"int8_t", 1, append_all<std::int8_t>},   ElementType{"uint8_t", 1, append_all<std::uint8_t>},
    ElementType{"int16_t", 2, append_all<std::int16_t>}, ElementType{"uint16_t", 2, append_all<std::uint16_t>},
    ElementType{"int32_t", 4, append_all<std::int32_t>}, ElementType{"uint32_t", 4, append_all<std::uint32_t>},
    ElementType{"int64_t", 8, append_all<std::int64_t>}, ElementType{"float", sizeof(float), append_all<float>}};

const ElementType& element_type(const Constant& constant) {
  for (const ElementType& type : kElementTypes) {
    if (type.name == constant.type) return type;
  }
  throw std::logic_error("constant '" + constant.role + "' has no C element type: " + constant.type);
}

}  // namespace

ConstantPool::ConstantPool(const Program& program, const Names& names) {
  std::map<std::pair<std::string_view, std::string_view>, std::string> by_content;
  for (std::size_t op = 0; op < program.ops.size(); ++op) {
    for (const Constant& constant : program.ops[op].constants) {
      if (constant.data.empty()) continue;
      const std::string_view content(reinterpret_cast<const char*>(constant.data.data()), constant.data.size());
      const auto [place, fresh] = by_content.try_emplace({constant.type, content});
      if (fresh) {
        place->second = fmt::format("{}_{}_{}", names.prefix, constant.role, op);
        entries_.push_back({.name = place->second, .constant = &constant, .op = static_cast<OpId>(op)});
      }
      by_address_[constant.data.data()] = place->second;
    }
  }
}

const std::string& ConstantPool::name_of(const void* data) const {
  static const std::string null = "NULL";
  if (data == nullptr) return null;
  const auto found = by_address_.find(data);
  if (found == by_address_.end()) throw std::logic_error("a kernel parameter points to no constant of its operator");
  return found->second;
}

std::int64_t scalar_count(const Constant& constant) {
  return static_cast<std::int64_t>(constant.data.size() / element_type(constant).bytes);
}

void append_elements(std::string& out, const Constant& constant) { element_type(constant).append(out, constant.data); }

}  // namespace ripc::emit
