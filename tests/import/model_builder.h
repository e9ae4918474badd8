// Small model files, written tensor by tensor.
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "tflite/schema_generated.h"

namespace ripc::test {

using Numbers = std::vector<std::int32_t>;
using Data = std::vector<std::uint8_t>;
using tflite::BuiltinOperator;
using tflite::TensorType;

/// Writes a model tensor by tensor.
class ModelBuilder {
 public:
  /// Buffer 0 stands for none.
  int tensor(const Numbers& shape, TensorType type, const std::vector<float>& scale = {}, const Data& data = {}) {
    std::uint32_t buffer = 0;
    if (!data.empty()) {
      buffers_.push_back(tflite::CreateBufferDirect(builder_, &data));
      buffer = static_cast<std::uint32_t>(buffers_.size());
    }
    const std::vector<std::int64_t> zeros(scale.size(), 0);
    const auto quantization = scale.empty() ? 0 : tflite::CreateQuantizationParametersDirect(builder_, &scale, &zeros);
    const std::string name = "t" + std::to_string(tensors_.size());
    tensors_.push_back(tflite::CreateTensorDirect(builder_, &shape, type, buffer, name.c_str(), quantization));
    return static_cast<int>(tensors_.size()) - 1;
  }

  /// A constant of int32.
  int integers(const Numbers& shape, const Numbers& values) {
    Data data(4 * values.size());
    std::memcpy(data.data(), values.data(), data.size());
    return tensor(shape, TensorType::INT32, {}, data);
  }

  void dequantize(int in, int out) { op(BuiltinOperator::DEQUANTIZE, {in}, {out}, tflite::BuiltinOptions::NONE, 0); }

  void fully_connected(int in, int weights, int out) {
    op(BuiltinOperator::FULLY_CONNECTED, {in, weights, -1}, {out}, tflite::BuiltinOptions::FullyConnectedOptions,
       tflite::CreateFullyConnectedOptions(builder_).Union());
  }

  void mean(int in, int axes, int out) {
    op(BuiltinOperator::MEAN, {in, axes}, {out}, tflite::BuiltinOptions::NONE, 0);
  }

  std::vector<std::byte> finish(int in, int out) { return finish(Numbers{in}, Numbers{out}); }

  std::vector<std::byte> finish(const Numbers& inputs, const Numbers& outputs) {
    const std::vector graphs{tflite::CreateSubGraphDirect(builder_, &tensors_, &inputs, &outputs, &ops_)};
    buffers_.insert(buffers_.begin(), tflite::CreateBuffer(builder_));
    builder_.Finish(tflite::CreateModelDirect(builder_, 3, &codes_, &graphs, nullptr, &buffers_), "TFL3");
    const auto bytes = std::as_bytes(std::span(builder_.GetBufferPointer(), builder_.GetSize()));
    return {bytes.begin(), bytes.end()};
  }

  /// An operator; `options` comes from builder().
  void op(BuiltinOperator code, const Numbers& inputs, const Numbers& outputs,
          tflite::BuiltinOptions type = tflite::BuiltinOptions::NONE, flatbuffers::Offset<void> options = 0) {
    codes_.push_back(tflite::CreateOperatorCodeDirect(builder_, 0, nullptr, 1, code));
    ops_.push_back(tflite::CreateOperatorDirect(builder_, static_cast<std::uint32_t>(codes_.size()) - 1, &inputs,
                                                &outputs, type, options));
  }

  flatbuffers::FlatBufferBuilder& builder() { return builder_; }

 private:
  flatbuffers::FlatBufferBuilder builder_;
  std::vector<flatbuffers::Offset<tflite::Tensor>> tensors_;
  std::vector<flatbuffers::Offset<tflite::Buffer>> buffers_;
  std::vector<flatbuffers::Offset<tflite::OperatorCode>> codes_;
  std::vector<flatbuffers::Offset<tflite::Operator>> ops_;
};

}  // namespace ripc::test
