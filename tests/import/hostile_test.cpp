// Files that are damaged, cut short, or made to do harm: an importer returns a valid graph or throws ripc::Error.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <limits>

#include "import/import.h"
#include "import/models.h"
#include "passes/passes.h"
#include "tflite/schema_generated.h"

namespace ripc {
namespace {

using test::model_path;
using test::read_bytes;

/// Imports and uses the result; whether it was accepted.
bool survives(std::span<const std::byte> bytes) {
  try {
    const Graph graph = canonicalize(import_tflite(bytes, "hostile.tflite"));
    validate(graph);
    for (const Op& op : graph.ops) EXPECT_GE(mac_count(graph, op), 0);
    return true;
  } catch (const Error& error) {
    EXPECT_STRNE(error.what(), "");
    return false;
  }
}

class Hostile : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    bytes_ = read_bytes(model_path(GetParam()));
    if (bytes_.empty()) GTEST_SKIP() << "the shared models are not here";
    ASSERT_TRUE(survives(bytes_));
  }

  std::vector<std::byte> bytes_;
};

TEST_P(Hostile, CutShort) {
  for (std::size_t size = 0; size < bytes_.size(); size += 97) {
    const std::vector<std::byte> cut(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(size));
    survives(cut);
  }
}

TEST_P(Hostile, AtAnyAddress) {
  for (std::size_t shift = 1; shift < 16; ++shift) {
    std::vector<std::byte> moved(bytes_.size() + shift);
    std::memcpy(moved.data() + shift, bytes_.data(), bytes_.size());
    EXPECT_TRUE(survives(std::span(moved).subspan(shift)));
  }
}

TEST_P(Hostile, FlippedBits) {
  std::size_t refused = 0;
  // Structure is dense in small files: all of it is hit, at a different bit each.
  for (std::size_t at = 0; at < bytes_.size(); ++at) {
    const auto mask = static_cast<std::byte>(1U << (at * 5 % 8));
    bytes_[at] ^= mask;
    if (!survives(bytes_)) ++refused;
    bytes_[at] ^= mask;
  }
  EXPECT_GT(refused, 100U);
}

TEST_P(Hostile, ExtremeWords) {
  for (const std::uint32_t word : {0U, 1U, 0x7fffffffU, 0x80000000U, 0xffffffffU, 0x7f800000U, 0x10000U}) {
    for (std::size_t at = 0; at + 4 <= bytes_.size(); at += 4) {
      std::byte saved[4];
      std::memcpy(saved, bytes_.data() + at, 4);
      std::memcpy(bytes_.data() + at, &word, 4);
      survives(bytes_);
      std::memcpy(bytes_.data() + at, saved, 4);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Hostile,
                         testing::Values("tflm_hello_world_int8", "tflm_simple_add", "ecoguardian_int8"));

std::string refusal(const std::filesystem::path& path) {
  try {
    import_network(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.context().file, path.string());
    return error.what();
  }
  return {};
}

/// A folder that goes away with the test.
class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "ripc_import_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& text) const {
    const auto path = folder_ / "file.tflite";
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  std::filesystem::path folder_;
};

TEST_F(Files, SaysWhatIsWrong) {
  EXPECT_NE(refusal(folder_ / "missing.tflite").find("no such file"), std::string::npos);
  EXPECT_NE(refusal(folder_).find("directory"), std::string::npos);
  EXPECT_NE(refusal(write("")).find("empty"), std::string::npos);
  EXPECT_NE(refusal(write("TFL")).find("unknown format"), std::string::npos);
  EXPECT_NE(refusal(write("PK\3\4 some archive")).find("unknown format"), std::string::npos);
  EXPECT_NE(refusal(write(std::string("\x1c\0\0\0TFL3 and nothing more", 25))).find("damaged"), std::string::npos);
  EXPECT_NE(refusal(write("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")).find("LFS"),
            std::string::npos);
  EXPECT_NE(refusal(write("{\"inputs\": ")).find("no valid JSON"), std::string::npos);
}

TEST_F(Files, PipesAreRefusedWithoutWaiting) {
  const auto path = folder_ / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_NE(refusal(path).find("not a regular file"), std::string::npos);
}

TEST_F(Files, WithoutPermission) {
  const auto path = write("TFL3TFL3");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  std::filesystem::permissions(folder_, std::filesystem::perms::all);
  // The superuser may read everything, so someone else is asked.
  constexpr uid_t kNobody = 65534;
  const bool superuser = geteuid() == 0;
  if (superuser) {
    ASSERT_EQ(seteuid(kNobody), 0);
  }
  const std::string said = refusal(path);
  if (superuser) {
    ASSERT_EQ(seteuid(0), 0);
  }
  EXPECT_NE(said.find("cannot open"), std::string::npos) << said;
}

/// A model of one ADD, its parts open to tampering before it is written.
class Crafted : public testing::Test {
 protected:
  struct Parts {
    std::vector<std::int32_t> shape{1, 4, 4, 2};
    std::vector<std::int32_t> signature{};
    std::vector<float> scale{0.5F};
    std::vector<std::int64_t> zero_point{3};
    std::vector<std::int32_t> op_inputs{0, 1}, op_outputs{2}, inputs{0, 1}, outputs{2};
    tflite::BuiltinOperator code = tflite::BuiltinOperator::ADD;
    tflite::TensorType type = tflite::TensorType::INT8;
    std::uint32_t opcode_index = 0, buffer = 0, version = 3;
    std::uint64_t external_offset = 0;
    std::size_t subgraphs = 1, tensors = 3;
    std::string name = "tensor";
  };

  static std::string import(const Parts& parts) {
    flatbuffers::FlatBufferBuilder builder;
    std::vector<flatbuffers::Offset<tflite::Tensor>> tensors;
    for (std::size_t i = 0; i < parts.tensors; ++i) {
      const auto quantization = tflite::CreateQuantizationParametersDirect(builder, &parts.scale, &parts.zero_point);
      tensors.push_back(tflite::CreateTensorDirect(builder, &parts.shape, parts.type, parts.buffer, parts.name.c_str(),
                                                   quantization, false,
                                                   parts.signature.empty() ? nullptr : &parts.signature));
    }
    const std::vector ops{
        tflite::CreateOperatorDirect(builder, parts.opcode_index, &parts.op_inputs, &parts.op_outputs)};
    const std::vector codes{tflite::CreateOperatorCodeDirect(builder, 0, nullptr, 1, parts.code)};
    const std::vector graphs(parts.subgraphs,
                             tflite::CreateSubGraphDirect(builder, &tensors, &parts.inputs, &parts.outputs, &ops));
    const std::vector<std::uint8_t> large(64, 7);
    const std::vector buffers{tflite::CreateBufferDirect(builder, nullptr, parts.external_offset),
                              tflite::CreateBufferDirect(builder, &large)};
    builder.Finish(tflite::CreateModelDirect(builder, parts.version, &codes, &graphs, nullptr, &buffers), "TFL3");
    try {
      const Graph graph =
          import_tflite(std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize())), "crafted");
      validate(graph);
      return "accepted";
    } catch (const Error& error) {
      return error.what();
    }
  }
};

TEST_F(Crafted, SoundModelsAreAccepted) {
  EXPECT_EQ(import({}), "accepted");
  EXPECT_EQ(import({.signature = {-1, 4, 4, 2}}), "accepted");
  EXPECT_EQ(import({.op_inputs = {0, 0}}), "accepted");
  EXPECT_EQ(import({.zero_point = {}}), "accepted");
  EXPECT_EQ(import({.shape = {1, 8, 4, 2}, .inputs = {0}, .buffer = 1}), "accepted");  // a constant operand
}

TEST_F(Crafted, EveryIndexIsChecked) {
  for (const std::int32_t bad : {-1, -2, 3, INT32_MAX, INT32_MIN}) {
    EXPECT_NE(import({.op_inputs = {0, bad}}).find("input or output that is no tensor"), std::string::npos);
    EXPECT_NE(import({.inputs = {0, bad}}).find("input that is no tensor"), std::string::npos);
    EXPECT_NE(import({.outputs = {bad}}).find("output that is no tensor"), std::string::npos);
    EXPECT_NE(import({.op_outputs = {bad}}).find("read before it is written"), std::string::npos);
  }
  EXPECT_NE(import({.opcode_index = 1}).find("unknown operator"), std::string::npos);
  EXPECT_NE(import({.buffer = 2}).find("no such buffer"), std::string::npos);
  EXPECT_NE(import({.buffer = UINT32_MAX}).find("no such buffer"), std::string::npos);
}

TEST_F(Crafted, EveryEnumerationIsChecked) {
  EXPECT_NE(import({.code = static_cast<tflite::BuiltinOperator>(99999)}).find("operator code 99999"),
            std::string::npos);
  EXPECT_NE(import({.type = static_cast<tflite::TensorType>(77)}).find("unsupported type"), std::string::npos);
  EXPECT_NE(import({.version = 4}).find("unknown version"), std::string::npos);
}

TEST_F(Crafted, AbsurdShapes) {
  EXPECT_NE(import({.shape = {1, 65536, 65536, 65536}}).find("too large"), std::string::npos);
  EXPECT_NE(import({.shape = std::vector<std::int32_t>(8, INT32_MAX)}).find("too large"), std::string::npos);
  EXPECT_NE(import({.shape = std::vector<std::int32_t>(100, 1)}).find("too many axes"), std::string::npos);
  EXPECT_NE(import({.shape = {1, 0, 4, 2}}).find("empty shape"), std::string::npos);
  EXPECT_NE(import({.shape = {1, -4, -4, 2}}).find("empty shape"), std::string::npos);
  EXPECT_NE(import({.signature = {1, -1, 4, 2}}).find("dynamic shape"), std::string::npos);
  EXPECT_NE(import({.signature = {1, 4}}).find("unequal rank"), std::string::npos);
}

TEST_F(Crafted, Quantisation) {
  EXPECT_NE(import({.scale = {0.0F}}).find("bad scale"), std::string::npos);
  EXPECT_NE(import({.scale = {-1.0F}}).find("bad scale"), std::string::npos);
  EXPECT_NE(import({.scale = {std::numeric_limits<float>::quiet_NaN()}}).find("bad scale"), std::string::npos);
  EXPECT_NE(import({.scale = {std::numeric_limits<float>::infinity()}}).find("bad scale"), std::string::npos);
  EXPECT_NE(import({.scale = {-std::numeric_limits<float>::infinity()}}).find("bad scale"), std::string::npos);
  EXPECT_NE(import({.scale = {}, .zero_point = {}}).find("one scale"), std::string::npos);
  EXPECT_NE(import({.scale = {1.0F, 1.0F}, .zero_point = {0, 0}}).find("one scale"), std::string::npos);
  EXPECT_NE(import({.scale = {1.0F}, .zero_point = {0, 0, 0}}).find("unequal lists"), std::string::npos);
  EXPECT_NE(import({.zero_point = {128}}).find("zero point out of range"), std::string::npos);
  EXPECT_NE(import({.zero_point = {INT64_MIN}}).find("zero point out of range"), std::string::npos);
}

TEST_F(Crafted, Structure) {
  EXPECT_NE(import({.subgraphs = 0}).find("no subgraph"), std::string::npos);
  EXPECT_NE(import({.op_inputs = {}}).find("wrong number of inputs"), std::string::npos);
  EXPECT_NE(import({.op_outputs = {2, 1}}).find("wrong number of inputs or outputs"), std::string::npos);
  EXPECT_NE(import({.op_outputs = {0}, .outputs = {0}}).find("written more than once"), std::string::npos);
  EXPECT_NE(import({.inputs = {0}}).find("read before it is written"), std::string::npos);
  EXPECT_NE(import({.inputs = {0}, .buffer = 1}).find("constant of the wrong size"), std::string::npos);
  EXPECT_NE(import({.outputs = {}}).find("no output"), std::string::npos);
  EXPECT_NE(import({.op_inputs = {0, 2}}).find("read before it is written"), std::string::npos) << "a cycle of one";
  EXPECT_NE(import({.external_offset = 4096}).find("outside the FlatBuffer"), std::string::npos);
}

TEST_F(Crafted, ControlCharactersStayOutOfMessages) {
  const std::string message = import({.scale = {0.0F}, .name = "a\x1b[31m\nb"});
  EXPECT_NE(message.find("a?[31m?b"), std::string::npos) << message;
}

}  // namespace
}  // namespace ripc
