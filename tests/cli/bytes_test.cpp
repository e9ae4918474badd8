#include "report/bytes.h"

#include <gtest/gtest.h>

#include "ripc/error.h"

namespace ripc {
namespace {

TEST(Bytes, SizesAsPeopleTypeThem) {
  EXPECT_EQ(parse_bytes("163840", "--ram"), 163840);
  EXPECT_EQ(parse_bytes("256K", "--ram"), 262144);
  EXPECT_EQ(parse_bytes("256k", "--ram"), 262144);
  EXPECT_EQ(parse_bytes("256KB", "--ram"), 262144);
  EXPECT_EQ(parse_bytes("256KiB", "--ram"), 262144);
  EXPECT_EQ(parse_bytes("1M", "--ram"), 1048576);
  EXPECT_EQ(parse_bytes("1.5M", "--ram"), 1572864);
  EXPECT_EQ(parse_bytes("0.5K", "--ram"), 512);
  EXPECT_EQ(parse_bytes("1048576M", "--ram"), std::int64_t{1} << 40);
}

TEST(Bytes, WhatIsNoSizeIsRefused) {
  for (const char* text : {"",
                           "K",
                           "-1",
                           "-1K",
                           "0",
                           "0K",
                           "1G",
                           "1 K",
                           "K1",
                           "1.K",
                           "1..5K",
                           "1.2.3K",
                           "0.3K",
                           "1.5",
                           "0x10",
                           "1e3",
                           "99999999999999999999",
                           "9999999999999M",
                           "1048577M",
                           " 5",
                           "5\n",
                           "1K1"}) {
    EXPECT_THROW(parse_bytes(text, "--ram"), Error) << "'" << text << "'";
  }
  try {
    parse_bytes("some", "--flash");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.context().fault, Fault::usage);
    EXPECT_NE(std::string(error.what()).find("--flash"), std::string::npos);
  }
}

TEST(Bytes, Grouped) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(163840), "163,840");
  EXPECT_EQ(grouped(1234567890), "1,234,567,890");
  EXPECT_EQ(grouped(-999), "-999");
  EXPECT_EQ(grouped(-1000), "-1,000");
}

TEST(Bytes, Human) {
  EXPECT_EQ(human_bytes(640), "640 B");
  EXPECT_EQ(human_bytes(163840), "160.0 KiB");
  EXPECT_EQ(human_bytes(1536 * 1024), "1.50 MiB");
  EXPECT_EQ(exact_and_human(640), "640 bytes");
  EXPECT_EQ(exact_and_human(163840), "163,840 bytes (160.0 KiB)");
}

}  // namespace
}  // namespace ripc
