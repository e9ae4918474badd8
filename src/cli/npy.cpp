#include "cli/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "ripc/error.h"

namespace ripc::cli {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::int64_t kLargest = std::int64_t{1} << 31;

struct TypeCode {
  DataType type;
  std::string_view code;
};

constexpr std::array<TypeCode, 9> kTypes = {{{DataType::int8, "|i1"},
                                             {DataType::uint8, "|u1"},
                                             {DataType::boolean, "|b1"},
                                             {DataType::int16, "<i2"},
                                             {DataType::int32, "<i4"},
                                             {DataType::int64, "<i8"},
                                             {DataType::uint32, "<u4"},
                                             {DataType::uint64, "<u8"},
                                             {DataType::float32, "<f4"}}};

/// Reads the header, a Python dictionary of three known keys, from left to right.
class HeaderReader {
 public:
  HeaderReader(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  [[noreturn]] void fail(const std::string& expected) const {
    const std::size_t at = std::min(at_, text_.size());
    throw Error({.fault = Fault::usage,
                 .file = path_,
                 .problem = "not a sound .npy file",
                 .expected = expected,
                 .found = fmt::format("'{}' at byte {} of the header", text_.substr(at, 12), at)});
  }

  bool accept(char wanted) {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  void expect(char wanted) {
    if (!accept(wanted)) fail(fmt::format("'{}'", wanted));
  }

  std::string_view quoted() {
    const char quote = accept('"') ? '"' : '\'';
    if (quote == '\'') expect('\'');
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) fail("a closing quote");
    const std::string_view text = text_.substr(at_, end - at_);
    at_ = end + 1;
    return text;
  }

  std::int64_t number() {
    accept(' ');
    std::int64_t value = 0;
    const std::size_t start = at_;
    while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
      value = value * 10 + (text_[at_++] - '0');
      if (value > kLargest) fail("an extent below 2^31");
    }
    if (at_ == start) fail("a number");
    return value;
  }

  bool boolean() {
    accept(' ');
    for (const std::string_view word : {"True", "False"}) {
      if (text_.substr(std::min(at_, text_.size()), word.size()) != word) continue;
      at_ += word.size();
      return word == "True";
    }
    fail("True or False");
  }

  std::vector<std::int64_t> shape() {
    std::vector<std::int64_t> extents;
    expect('(');
    while (!accept(')')) {
      if (extents.size() == 8) fail("at most 8 dimensions");
      extents.push_back(number());
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return extents;
  }

 private:
  std::string_view text_;
  const std::string& path_;
  std::size_t at_ = 0;
};

DataType type_of(std::string_view code, const HeaderReader& reader) {
  for (const TypeCode& type : kTypes) {
    if (type.code == code || (type.code.front() == '|' && code.substr(1) == type.code.substr(1))) return type.type;
  }
  reader.fail("a type among |i1 |u1 |b1 <i2 <i4 <i8 <f4");
}

NpyArray parse_header(std::string_view header, const std::string& path) {
  NpyArray array;
  HeaderReader reader(header, path);
  bool type = false, order = false, shape = false;
  reader.expect('{');
  while (!reader.accept('}')) {
    const std::string_view key = reader.quoted();
    reader.expect(':');
    if (key == "descr" && !type) {
      array.type = type_of(reader.quoted(), reader);
      type = true;
    } else if (key == "fortran_order" && !order) {
      if (reader.boolean()) reader.fail("C order (numpy.ascontiguousarray)");
      order = true;
    } else if (key == "shape" && !shape) {
      array.shape = reader.shape();
      shape = true;
    } else {
      reader.fail("descr, fortran_order and shape, once each");
    }
    if (!reader.accept(',')) {
      reader.expect('}');
      break;
    }
  }
  if (!type || !order || !shape) reader.fail("descr, fortran_order and shape");
  return array;
}

}  // namespace

bool is_npy(const std::vector<std::byte>& bytes) {
  return bytes.size() >= kMagic.size() &&
         std::equal(kMagic.begin(), kMagic.end(), reinterpret_cast<const char*>(bytes.data()));
}

NpyArray parse_npy(const std::vector<std::byte>& bytes, const std::string& path) {
  const auto fail = [&](const std::string& expected, const std::string& found) {
    throw Error({.fault = Fault::usage,
                 .file = path,
                 .problem = "not a sound .npy file",
                 .expected = expected,
                 .found = found});
  };
  const auto byte_at = [&](std::size_t at) { return std::to_integer<std::size_t>(bytes[at]); };
  if (!is_npy(bytes) || bytes.size() < 12)
    fail("the .npy signature and a header", fmt::format("{} bytes", bytes.size()));
  const std::size_t version = byte_at(6);
  if (version < 1 || version > 3) fail("format version 1, 2 or 3", std::to_string(version));
  const std::size_t start = version == 1 ? 10 : 12;
  std::size_t length = byte_at(8) | byte_at(9) << 8;
  if (version > 1) length |= byte_at(10) << 16 | byte_at(11) << 24;
  if (length > bytes.size() - start) {
    fail(fmt::format("a header of {} bytes", length), fmt::format("{} bytes in all", bytes.size()));
  }
  NpyArray array = parse_header({reinterpret_cast<const char*>(bytes.data()) + start, length}, path);
  auto wanted = static_cast<std::int64_t>(scalar_bytes(array.type));
  for (const std::int64_t extent : array.shape) {
    if (extent != 0 && wanted > kLargest / extent) fail("an array below 2 GiB", "a shape beyond that");
    wanted *= extent;
  }
  const auto stored = static_cast<std::int64_t>(bytes.size() - start - length);
  if (stored != wanted) fail(fmt::format("{} bytes of data for its shape", wanted), fmt::format("{} bytes", stored));
  array.data.assign(bytes.end() - stored, bytes.end());
  return array;
}

std::vector<std::byte> npy_bytes(const NpyArray& array) {
  const auto type = std::ranges::find(kTypes, array.type, &TypeCode::type);
  std::string shape;
  for (const std::int64_t extent : array.shape) shape += fmt::format("{}, ", extent);
  if (array.shape.size() > 1) shape.resize(shape.size() - 2);
  if (array.shape.size() == 1) shape.pop_back();
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type->code, shape);
  const std::size_t filled = (kMagic.size() + 4 + header.size() + 1 + 63) / 64 * 64;
  header.resize(filled - kMagic.size() - 5, ' ');
  header += '\n';
  std::string text(kMagic);
  text += {'\x01', '\x00', static_cast<char>(header.size() & 255U), static_cast<char>(header.size() >> 8U)};
  text += header;
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  std::vector<std::byte> bytes(first, first + text.size());
  bytes.insert(bytes.end(), array.data.begin(), array.data.end());
  return bytes;
}

}  // namespace ripc::cli
