// Operators that keep a state, from their description.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "kernels/case_view.h"
#include "kernels/reference.h"

namespace ripc::test {
namespace {

class Recurrent {
 public:
  explicit Recurrent(const OpCase& op_case) : v_(op_case) {}

  template <typename Kind>
  Bytes run(const Kind& kind) {
    compute(kind);
    return std::move(v_.result);
  }

 private:
  /// Scalar `index` of some bytes of 8 or 16 bits.
  static std::int64_t stored_scalar(const Bytes& bytes, bool wide, std::int64_t index) {
    if (!wide) return static_cast<std::int8_t>(bytes[static_cast<std::size_t>(index)]);
    std::int16_t number = 0;
    std::memcpy(&number, bytes.data() + 2 * index, 2);
    return number;
  }
  const Bytes& state() const { return v_.op_case.graph.states[0].initial; }

  void compute(const Svdf& svdf) {
    const Tensor &feature = v_.tensor(svdf.constants[0]), &time = v_.tensor(svdf.constants[1]);
    const bool wide = svdf.memory_type == DataType::int16;
    const std::int64_t features = feature.shape[1], memory = time.shape[1], units = element_count(v_.out_tensor);
    const std::int64_t most = wide ? 32767 : 127;
    const double held = static_cast<double>(svdf.memory_scale);
    for (std::int64_t unit = 0; unit < units; ++unit) {
      std::int64_t sum = svdf.constants.size() > 2 ? v_.bias(svdf.constants[2], unit) : 0;
      for (std::int64_t filter = unit * svdf.rank; filter < (unit + 1) * svdf.rank; ++filter) {
        std::int64_t fresh = 0;
        for (std::int64_t i = 0; i < features; ++i) {
          fresh += (v_.in(i)-v_.zero(v_.in_tensor)) * stored_scalar(feature.data, false, filter * features + i);
        }
        fresh = scaled(fresh, multiplier_of(v_.scale(v_.in_tensor) * v_.scale(feature) / held)) + svdf.memory_zero;
        fresh = std::clamp(fresh, -most - 1, most);
        for (std::int64_t i = 0; i < memory; ++i) {
          const std::int64_t kept = i + 1 < memory ? stored_scalar(state(), wide, filter * memory + i + 1) : fresh;
          sum += (kept - svdf.memory_zero) * stored_scalar(time.data, wide, filter * memory + i);
        }
      }
      v_.put(unit, v_.clamped(scaled(wrapped(sum), multiplier_of(held * v_.scale(time) / v_.scale(v_.out_tensor))) +
                              v_.zero(v_.out_tensor)));
    }
  }

  /// Of x as Q3.12 in thirds; the table is interpolated between its entries 1 / 24 apart.
  static std::int64_t sigmoid(std::int64_t x3) {
    const std::int64_t x = std::abs(x3), entry = x / 512, rest = x % 512;
    std::int64_t y = std::int64_t{32767} * 1024;
    if (entry < 255) y = logistic_point(entry) * 512 + rest * (logistic_point(entry + 1) - logistic_point(entry));
    y = x3 >= 0 ? y + 512 : (std::int64_t{1} << 25) - y + 511;
    return y / 1024;
  }
  static std::int64_t tanh(std::int64_t x3) {
    const std::int64_t x = std::abs(x3), entry = x / 256, rest = x % 256;
    std::int64_t y = std::int64_t{65535} * 256;
    if (entry < 255) y = logistic_point(entry) * 256 + rest * (logistic_point(entry + 1) - logistic_point(entry));
    y -= std::int64_t{1} << 23;
    y = x3 >= 0 ? y + 128 : 127 - y;
    return y < 0 ? -((-y + 255) / 256) : y / 256;
  }

  void compute(const Lstm& lstm) {
    const auto narrow = [](std::int64_t x) { return std::clamp<std::int64_t>(x, -32768, 32767); };
    const std::int64_t units = v_.out_image.channels, inputs = v_.in_image.channels;
    const auto cell_scale = static_cast<double>(lstm.cell_scale);
    std::vector<std::int64_t> cells, hidden;
    for (std::int64_t unit = 0; unit < units; ++unit) {
      cells.push_back(stored_scalar(state(), true, unit));
      hidden.push_back(static_cast<std::int8_t>(state()[static_cast<std::size_t>(2 * units + unit)]));
    }
    for (std::int64_t step = 0; step < element_count(v_.out_tensor) / units; ++step) {
      const std::vector<std::int64_t> old = hidden;
      for (std::int64_t unit = 0; unit < units; ++unit) {
        std::array<std::int64_t, 4> gates{};
        for (std::size_t g = 0; g < 4; ++g) {
          const Tensor &w = v_.tensor(lstm.constants[g]), &v = v_.tensor(lstm.constants[4 + g]);
          std::int64_t a = v_.bias(lstm.constants[8 + g], unit), b = 0;
          for (std::int64_t i = 0; i < inputs; ++i) {
            a += (v_.in(step * inputs + i) - v_.zero(v_.in_tensor)) * stored_scalar(w.data, false, unit * inputs + i);
          }
          for (std::int64_t i = 0; i < units; ++i) {
            b += (old[static_cast<std::size_t>(i)] - v_.zero(v_.out_tensor)) *
                 stored_scalar(v.data, false, unit * units + i);
          }
          const float from_in = v_.in_tensor.quantization.scale[0] * w.quantization.scale[0];
          const float from_hidden = v_.out_tensor.quantization.scale[0] * v.quantization.scale[0];
          gates[g] = narrow(narrow(scaled(wrapped(a), multiplier_of(static_cast<double>(from_in) * 4096.0))) +
                            narrow(scaled(wrapped(b), multiplier_of(static_cast<double>(from_hidden) * 4096.0))));
        }
        std::int64_t& cell = cells[static_cast<std::size_t>(unit)];
        const std::int64_t kept = scaled(sigmoid(3 * gates[1]) * cell, multiplier_of(1.0 / 32768.0));
        const std::int64_t fresh =
            scaled(sigmoid(3 * gates[0]) * tanh(3 * gates[2]), multiplier_of(1.0 / 32768.0 / 32768.0 / cell_scale));
        cell = narrow(narrow(kept) + narrow(fresh));
        const auto clip =
            static_cast<std::int64_t>(std::min(static_cast<double>(lstm.cell_clip) / cell_scale, 32767.0));
        if (clip > 0) cell = std::clamp(cell, -clip, clip);
        const auto in_range = static_cast<std::int64_t>(cell_scale * 4096.0);
        const std::int64_t y = scaled(sigmoid(3 * gates[3]) * tanh(3 * cell * in_range),
                                      multiplier_of(1.0 / 32768.0 / 32768.0 / v_.scale(v_.out_tensor))) +
                               v_.zero(v_.out_tensor);
        hidden[static_cast<std::size_t>(unit)] = v_.clamped(y);
        v_.put(step * units + unit, v_.clamped(y));
      }
    }
  }

  CaseView v_;
};

}  // namespace

Bytes recurrent_reference(const OpCase& op_case, const Svdf& kind) { return Recurrent(op_case).run(kind); }
Bytes recurrent_reference(const OpCase& op_case, const Lstm& kind) { return Recurrent(op_case).run(kind); }

}  // namespace ripc::test
