// Copies, SVDF and LSTM, from any state.
#include "kernels/case_builder.h"

namespace ripc::test {
namespace {

OpCase copy(Random& r) {
  CaseBuilder b(r);
  const ImageShape image = random_image(r);
  const TensorId in = b.image(image, random_scale(r)), out = b.image(image, random_scale(r));
  return b.finish(Copy{}, {in}, out);
}

OpCase make_svdf(Random& r, DataType type) {
  CaseBuilder b(r);
  const std::int64_t features = r.number(1, 17), units = r.number(1, 9), memory = r.number(1, 6);
  Svdf svdf{.rank = r.number(1, 3), .constants = {}, .memory_type = type};
  const std::int64_t filters = units * svdf.rank;
  const TensorId in = b.tensor({1, features}, random_scale(r));
  svdf.constants.push_back(b.weights({filters, features}, 0, false));
  // Large enough that every feature shows, small enough that few results saturate.
  const float feature = b.at(in).quantization.scale[0] * b.at(svdf.constants[0]).quantization.scale[0];
  svdf.memory_scale = feature * 30.0F * std::sqrt(static_cast<float>(features));
  if (type == DataType::int16) {
    svdf.memory_scale /= 128.0F;
    svdf.constants.push_back(b.constant({filters, memory}, one_scale(r.real(0.00001F, 0.0001F), 0), DataType::int16));
  } else {
    svdf.memory_zero = static_cast<std::int32_t>(r.number(-20, 20));
    svdf.constants.push_back(b.weights({filters, memory}, 0, false));
  }
  if (r.chance(80)) {
    // None that drowns the sums: every unit has to show what its filters read.
    const TensorId bias = b.constant({units}, {}, DataType::int32);
    for (std::size_t i = 0; i < b.at(bias).data.size(); ++i) {
      if (i % 4 >= 1) b.at(bias).data[i] = b.at(bias).data[i - i % 4] < std::byte{128} ? std::byte{0} : std::byte{255};
    }
    svdf.constants.push_back(bias);
  }
  svdf.state = b.state(filters * memory * static_cast<std::int64_t>(scalar_bytes(type)),
                       static_cast<std::int64_t>(scalar_bytes(type)));
  const float time = svdf.memory_scale * b.at(svdf.constants[1]).quantization.scale[0];
  const float most = type == DataType::int16 ? 32768.0F : 128.0F;
  const float fitting = time * most * most / 400.0F * std::sqrt(static_cast<float>(svdf.rank * memory));
  const TensorId out = b.tensor({1, units}, one_scale(fitting * std::exp2(r.real(-4.0F, -2.0F)), r.number(-128, 127)));
  return b.finish(svdf, {in}, out);
}

OpCase svdf(Random& r) { return make_svdf(r, DataType::int8); }
OpCase svdf_wide(Random& r) { return make_svdf(r, DataType::int16); }

OpCase lstm(Random& r) {
  CaseBuilder b(r);
  const std::int64_t steps = r.number(1, 4), inputs = r.number(1, 9), units = r.number(1, 9);
  Lstm lstm{.constants = {}, .cell_scale = std::exp2(static_cast<float>(r.number(-12, -9)))};
  if (r.chance(50)) lstm.cell_clip = r.real(0.5F, 10.0F);
  const TensorId in = b.tensor({1, steps, inputs}, one_scale(r.real(0.01F, 0.05F), r.number(-128, 127)));
  const TensorId out = b.tensor({1, steps, units}, one_scale(1.0F / 128.0F, r.number(-20, 20)));
  for (int gate = 0; gate < 8; ++gate) {
    lstm.constants.push_back(b.weights({units, gate < 4 ? inputs : units}, 0, false));
    // Gates that a byte of the input moves, and that seldom saturate.
    b.at(lstm.constants.back()).quantization.scale[0] = r.real(0.003F, 0.01F);
  }
  for (int gate = 0; gate < 4; ++gate) {
    TensorId bias = kNoTensor;
    while (bias == kNoTensor) bias = b.bias(units);
    lstm.constants.push_back(bias);
  }
  lstm.state = b.state(3 * units, 2);
  return b.finish(lstm, {in}, out);
}

}  // namespace

std::vector<Family> stateful_families() {
  return {{"copy", copy}, {"svdf", svdf}, {"svdf_wide", svdf_wide}, {"lstm", lstm}};
}

}  // namespace ripc::test
