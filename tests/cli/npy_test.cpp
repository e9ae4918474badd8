#include "cli/npy.h"

#include <gtest/gtest.h>

#include <string>

#include "ripc/error.h"

namespace ripc::cli {
namespace {

using Data = std::vector<std::byte>;

Data bytes_of(const std::string& text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

/// A version 1 file with that header text.
Data file_of(const std::string& header, std::size_t data) {
  std::string text("\x93NUMPY\x01", 7);
  text += '\0';
  text += static_cast<char>(header.size() & 255U);
  text += static_cast<char>(header.size() >> 8U);
  return bytes_of(text + header + std::string(data, 'x'));
}

TEST(Npy, RoundTripOfEveryTypeAndRank) {
  for (const DataType type : {DataType::int8, DataType::uint8, DataType::boolean, DataType::int16, DataType::int32,
                              DataType::int64, DataType::uint32, DataType::uint64, DataType::float32}) {
    for (const std::vector<std::int64_t>& shape : {std::vector<std::int64_t>{}, {5}, {2, 3}, {1, 4, 4, 2}, {0, 3}}) {
      NpyArray array{.type = type, .shape = shape, .data = {}};
      std::size_t count = scalar_bytes(type);
      for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
      for (std::size_t i = 0; i < count; ++i) array.data.push_back(static_cast<std::byte>(i * 37));
      const Data file = npy_bytes(array);
      EXPECT_EQ((file.size() - count) % 64, 0U);
      EXPECT_EQ(parse_npy(file, "test.npy"), array);
    }
  }
}

TEST(Npy, ReadsWhatNumpyWrites) {
  const NpyArray array =
      parse_npy(file_of("{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3), }     \n", 6), "a.npy");
  EXPECT_EQ(array.type, DataType::int8);
  EXPECT_EQ(array.shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(array.data, Data(6, std::byte{'x'}));
}

TEST(Npy, HostileHeadersAreRefused) {
  for (const std::string header : {
           "",
           "{",
           "{}",
           "{'descr': '|i1', 'fortran_order': False}",
           "{'descr': '|i1', 'fortran_order': True, 'shape': (6,)}",
           "{'descr': '>i4', 'fortran_order': False, 'shape': (6,)}",
           "{'descr': '|O', 'fortran_order': False, 'shape': (6,)}",
           "{'descr': [('a', '|i1')], 'fortran_order': False, 'shape': (6,)}",
           "{'descr': '|i1, 'fortran_order': False, 'shape': (6,)}",
           "{'descr': '|i1', 'descr': '|i1', 'fortran_order': False, 'shape': (6,)}",
           "{'descr': '|i1', 'fortran_order': False, 'shape': (-6,)}",
           "{'descr': '|i1', 'fortran_order': False, 'shape': (7,)}",
           "{'descr': '|i1', 'fortran_order': False, 'shape': (6, )",
           "{'descr': '|i1', 'fortran_order': False, 'shape': (99999999999999999999999,)}",
           "{'descr': '<i8', 'fortran_order': False, 'shape': (2000000000, 2000000000, 2000000000)}",
           "{'descr': '|i1', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,6)}",
           "{'descr': '|i1', 'fortran_order': Maybe, 'shape': (6,)}",
           "{'descr': '|i1', 'fortran_order': False, 'shape': 6}",
       }) {
    EXPECT_THROW(parse_npy(file_of(header, 6), "bad.npy"), Error) << header;
  }
}

TEST(Npy, EveryTruncationIsRefused) {
  const Data whole = npy_bytes({.type = DataType::int16, .shape = {3, 2}, .data = Data(12)});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Data cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_THROW(parse_npy(cut, "cut.npy"), Error) << size;
  }
}

TEST(Npy, AnyChangedByteGivesAnArrayOrAFault) {
  const Data whole = npy_bytes({.type = DataType::int8, .shape = {4}, .data = Data(4)});
  int refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (int value = 0; value < 256; value += 5) {
      Data changed = whole;
      changed[at] = static_cast<std::byte>(value);
      try {
        EXPECT_LE(parse_npy(changed, "changed.npy").data.size(), changed.size());
      } catch (const Error& error) {
        EXPECT_EQ(error.context().file, "changed.npy");
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace ripc::cli
