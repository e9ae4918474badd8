#include "import/tflite/dilation.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "graph/limits.h"

namespace ripc {
namespace {

using tflite::BuiltinOperator;

/// A SPACE_TO_BATCH_ND or BATCH_TO_SPACE_ND: block, and padding or cropping as pairs.
struct Parameters {
  std::array<std::int64_t, 2> block{1, 1}, before{}, after{};
};

/// Of one or two axes; a single one is the rows.
std::optional<Parameters> parameters_of(TfliteReader& reader, const tflite::Operator& op) {
  const std::vector<int> inputs = TfliteReader::indices(op.inputs());
  std::vector<std::int64_t> block, pairs;
  if (inputs.size() != 3 || !reader.is_tensor(inputs[0]) || !reader.is_tensor(inputs[1]) ||
      !reader.is_tensor(inputs[2]))
    return std::nullopt;
  if (reader.integers(inputs[1], block) || reader.integers(inputs[2], pairs)) return std::nullopt;
  if (block.empty() || block.size() > 2 || pairs.size() != 2 * block.size()) return std::nullopt;
  Parameters parameters;
  for (std::size_t i = 0; i < block.size(); ++i) {
    const std::int64_t least = std::min({block[i] - 1, pairs[2 * i], pairs[2 * i + 1]});
    if (least < 0 || std::max({block[i], pairs[2 * i], pairs[2 * i + 1]}) > kMaxWindow) return std::nullopt;
    parameters.block[i] = block[i];
    parameters.before[i] = pairs[2 * i];
    parameters.after[i] = pairs[2 * i + 1];
  }
  return parameters;
}

/// The tensor that `op` makes; -1 if it makes several, or none.
int only_output(const TfliteReader& reader, int op) {
  const std::vector<int> outputs = TfliteReader::indices(reader.op(op).outputs());
  return outputs.size() == 1 && reader.is_tensor(outputs[0]) ? outputs[0] : -1;
}

constexpr int kSeveral = -2;

/// By tensor of the file, the only operator that reads it, as its first input; -1 if none does, kSeveral if others do
/// or the network's outputs.
std::vector<int> only_readers(const TfliteReader& reader) {
  std::vector<int> readers(static_cast<std::size_t>(reader.tensor_count()), -1);
  for (int i = 0; i < reader.op_count(); ++i) {
    const std::vector<int> inputs = TfliteReader::indices(reader.op(i).inputs());
    for (std::size_t j = 0; j < inputs.size(); ++j) {
      if (!reader.is_tensor(inputs[j])) continue;
      int& only = readers[static_cast<std::size_t>(inputs[j])];
      only = only == -1 && j == 0 ? i : kSeveral;
    }
  }
  for (const int output : reader.outputs()) {
    if (reader.is_tensor(output)) readers[static_cast<std::size_t>(output)] = kSeveral;
  }
  return readers;
}

/// Batches are made and undone without a change of scale.
bool same_quantization(TfliteReader& reader, int left, int right) {
  Tensor a, b;
  return reader.is_tensor(left) && reader.is_tensor(right) && !reader.read(left, false, a) &&
         !reader.read(right, false, b) && a.type == b.type && a.quantization == b.quantization;
}

bool is(const TfliteReader& reader, int op, BuiltinOperator code) {
  return op >= 0 && reader.code(reader.op(op)) == code;
}

}  // namespace

std::map<int, DilatedConvolution> find_dilated(TfliteReader& reader) {
  std::map<int, DilatedConvolution> found;
  const std::vector<int> readers = only_readers(reader);
  const auto reader_of = [&](int op) {
    const int output = only_output(reader, op);
    return output < 0 ? -1 : readers[static_cast<std::size_t>(output)];
  };
  for (int i = 0; i < reader.op_count(); ++i) {
    if (!is(reader, i, BuiltinOperator::SPACE_TO_BATCH_ND)) continue;
    const int convolution = reader_of(i);
    if (!is(reader, convolution, BuiltinOperator::CONV_2D) &&
        !is(reader, convolution, BuiltinOperator::DEPTHWISE_CONV_2D))
      continue;
    const int back = reader_of(convolution);
    if (!is(reader, back, BuiltinOperator::BATCH_TO_SPACE_ND)) continue;
    const auto padding = parameters_of(reader, reader.op(i)), cropping = parameters_of(reader, reader.op(back));
    if (!padding || !cropping || padding->block != cropping->block) continue;
    const int in = TfliteReader::indices(reader.op(i).inputs())[0], batches = only_output(reader, i);
    const int made = only_output(reader, convolution), out = only_output(reader, back);
    if (!same_quantization(reader, in, batches) || !same_quantization(reader, made, out)) continue;
    DilatedConvolution dilated{.to_batches = i,
                               .from_batches = back,
                               .input = in,
                               .output = out,
                               .block = padding->block,
                               .before = padding->before,
                               .after = padding->after};
    for (std::size_t axis = 0; axis < 2; ++axis) {
      dilated.before[axis] -= cropping->before[axis];
      dilated.after[axis] -= cropping->after[axis];
    }
    found[convolution] = dilated;
  }
  return found;
}

Complaint dilate(const DilatedConvolution& dilated, OpKind& kind) {
  const auto widen = [&](Window& window, std::size_t axis) -> Complaint {
    if (window.stride != 1 || window.dilation != 1) {
      return complain("convolution of batches with a stride or a dilation of its own", "1 and 1",
                      fmt::format("{} and {}", window.stride, window.dilation));
    }
    window.dilation = dilated.block[axis];
    window.pad_before = window.pad_before * window.dilation + dilated.before[axis];
    window.pad_after = window.pad_after * window.dilation + dilated.after[axis];
    if (std::min(window.pad_before, window.pad_after) >= 0) return {};
    return complain("convolution of batches of which more is cropped than padded", "no negative padding",
                    fmt::format("{} and {}", window.pad_before, window.pad_after));
  };
  return std::visit(
      [&](auto& fields) -> Complaint {
        if constexpr (requires {
                        fields.rows;
                        fields.weights;
                      }) {
          if (Complaint complaint = widen(fields.rows, 0)) return complaint;
          return widen(fields.columns, 1);
        }
        return complain("no convolution");
      },
      kind);
}

}  // namespace ripc
