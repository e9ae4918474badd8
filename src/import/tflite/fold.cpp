#include "import/tflite/fold.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>

#include "graph/broadcast.h"
#include "graph/movement.h"
#include "import/tflite/operators.h"

namespace ripc {
namespace {

using tflite::BuiltinOperator;

/// Shapes have few numbers; what has more is data.
constexpr std::int64_t kMostNumbers = 4096;

using Numbers = std::vector<std::int64_t>;

Numbers numbers_of(const Tensor& tensor) {
  Numbers numbers;
  for (std::size_t at = 0; at < tensor.data.size(); at += scalar_bytes(tensor.type)) {
    std::int64_t wide = 0;
    std::int32_t narrow = 0;
    if (tensor.type == DataType::int64) {
      std::memcpy(&wide, tensor.data.data() + at, sizeof wide);
    } else {
      std::memcpy(&narrow, tensor.data.data() + at, sizeof narrow);
      wide = narrow;
    }
    numbers.push_back(wide);
  }
  return numbers;
}

/// Modulo the size of the tensor's type.
void set_numbers(Tensor& tensor, const Numbers& numbers) {
  const std::size_t size = scalar_bytes(tensor.type);
  tensor.constant = true;
  tensor.data.resize(numbers.size() * size);
  for (std::size_t i = 0; i < numbers.size(); ++i) std::memcpy(tensor.data.data() + i * size, &numbers[i], size);
}

std::int64_t floor_quotient(std::int64_t x, std::int64_t y) {
  return x / y - (x % y != 0 && (x < 0) != (y < 0) ? 1 : 0);
}

/// Of numbers that fit 32 bits; nothing for a division by zero and functions that shapes do not need.
std::optional<std::int64_t> function_of(BinaryKind kind, std::int64_t x, std::int64_t y) {
  switch (kind) {
    case BinaryKind::add:
      return x + y;
    case BinaryKind::subtract:
      return x - y;
    case BinaryKind::multiply:
      return x * y;
    case BinaryKind::minimum:
      return std::min(x, y);
    case BinaryKind::maximum:
      return std::max(x, y);
    case BinaryKind::divide:
      return y == 0 ? std::nullopt : std::optional(x / y);
    case BinaryKind::floor_divide:
      return y == 0 ? std::nullopt : std::optional(floor_quotient(x, y));
    case BinaryKind::floor_modulo:
      return y == 0 ? std::nullopt : std::optional(x - floor_quotient(x, y) * y);
    default:
      return std::nullopt;
  }
}

/// One operator of known inputs. Each member fills the output, or says that it does not know how.
struct Evaluation {
  const std::vector<Tensor>& inputs;
  Tensor& output;

  bool operator()(const Rearrange& move) const {
    const Numbers from = numbers_of(inputs[0]);
    Numbers made;
    for (std::int64_t i = 0; i < element_count(output); ++i) {
      std::int64_t rest = i, source = move.start;
      for (auto axis = move.axes.rbegin(); axis != move.axes.rend(); ++axis) {
        source += offset_of(*axis, rest % axis->extent);
        rest /= axis->extent;
      }
      if (source < 0 || source >= std::ssize(from)) return false;
      made.push_back(from[static_cast<std::size_t>(source)]);
    }
    set_numbers(output, made);
    return true;
  }

  /// Vectors one after another, or numbers as a vector.
  bool operator()(const Concat&) const {
    if (output.shape.size() != 1) return false;
    Numbers made;
    for (const Tensor& input : inputs) {
      const Numbers part = numbers_of(input);
      made.insert(made.end(), part.begin(), part.end());
    }
    return keep(made);
  }

  bool operator()(const Reshape&) const { return keep(numbers_of(inputs[0])); }
  bool operator()(const Cast&) const { return keep(numbers_of(inputs[0])); }

  /// Of operands of the same shape, or of one number each for all.
  bool operator()(const Binary& binary) const {
    if (binary.activation != Activation::none) return false;
    const Numbers left = numbers_of(inputs[0]), right = numbers_of(inputs[1]);
    Numbers made;
    for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
      const auto fits = [](std::int64_t x) { return x == static_cast<std::int32_t>(x); };
      const std::int64_t x = left[left.size() == 1 ? 0 : i], y = right[right.size() == 1 ? 0 : i];
      const auto z = fits(x) && fits(y) ? function_of(binary.kind, x, y) : std::nullopt;
      if (!z) return false;
      made.push_back(*z);
    }
    return keep(made);
  }

  template <typename Kind>
  bool operator()(const Kind&) const {
    return false;
  }

  bool keep(const Numbers& numbers) const {
    if (std::ssize(numbers) != element_count(output)) return false;
    set_numbers(output, numbers);
    return true;
  }
};

/// Operands of other than equal shape have to be single numbers.
bool plain_operands(const std::vector<Tensor>& inputs) {
  return std::ranges::all_of(inputs, [&](const Tensor& tensor) {
    return element_count(tensor) == 1 || tensor.shape == inputs[0].shape || element_count(inputs[0]) == 1;
  });
}

/// The product of all numbers, or of each row or column of them.
std::optional<Numbers> product(const Tensor& input, const Tensor& output) {
  if (element_count(output) != 1) return std::nullopt;
  const Numbers numbers = numbers_of(input);
  std::int64_t all = 1;
  for (const std::int64_t number : numbers) {
    if (__builtin_mul_overflow(all, number, &all)) return std::nullopt;
  }
  return Numbers{all};
}

class Folder {
 public:
  explicit Folder(TfliteReader& reader) : reader_(reader) {}

  void run() {
    for (int i = 0; i < reader_.op_count(); ++i) {
      const std::vector<int> outputs = TfliteReader::indices(reader_.op(i).outputs());
      for (std::size_t j = 0; j < outputs.size(); ++j) {
        Tensor made;
        if (!reader_.is_tensor(outputs[j]) || !reader_.holds_integers(outputs[j])) continue;
        if (reader_.has_data(outputs[j]) || reader_.read(outputs[j], false, made)) continue;
        if (element_count(made) > kMostNumbers) continue;
        if (evaluate(reader_.op(i), j, outputs.size(), made)) reader_.set_known(outputs[j], std::move(made));
      }
    }
  }

 private:
  bool evaluate(const tflite::Operator& op, std::size_t output_index, std::size_t outputs, Tensor& made) {
    const auto code = reader_.code(op);
    const std::vector<int> inputs = TfliteReader::indices(op.inputs());
    if (!code || inputs.empty() || !std::ranges::all_of(inputs, [&](int i) { return reader_.is_tensor(i); }))
      return false;
    if (code == BuiltinOperator::SHAPE) return shape(inputs[0], made);
    // Every output looks at every input.
    if (inputs.size() * outputs > static_cast<std::size_t>(kMostNumbers)) return false;
    std::vector<Tensor> known(inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!reader_.holds_integers(inputs[i]) || !reader_.has_data(inputs[i])) return false;
      if (reader_.read(inputs[i], true, known[i]) || element_count(known[i]) > kMostNumbers) return false;
    }
    if (code == BuiltinOperator::REDUCE_PROD) {
      const auto numbers = product(known[0], made);
      if (numbers) set_numbers(made, *numbers);
      return numbers.has_value();
    }
    const TfliteKind* kind = tflite_kind(*code);
    if (kind == nullptr || kind->weighted || kind->arrange != nullptr || (outputs > 1 && !kind->many_outputs))
      return false;
    if (inputs.size() < kind->least_inputs || inputs.size() > kind->most_inputs) return false;
    // SPLIT alone has its parameter first.
    std::vector<int> operands = inputs;
    if (code == BuiltinOperator::SPLIT) {
      std::swap(operands[0], operands[1]);
      std::swap(known[0], known[1]);
    }
    OpKind read;
    const TfliteOp source{reader_, op, operands, known[0], made, nullptr, output_index, outputs};
    if (kind->read(source, read)) return false;
    known.resize(std::min(known.size(), kind->activations));
    if (std::holds_alternative<Binary>(read) && !plain_operands(known)) return false;
    return std::visit(Evaluation{known, made}, read);
  }

  bool shape(int input, Tensor& made) {
    Tensor seen;
    if (reader_.read(input, false, seen) || std::ssize(seen.shape) != element_count(made)) return false;
    set_numbers(made, seen.shape);
    return true;
  }

  TfliteReader& reader_;
};

}  // namespace

void fold_integers(TfliteReader& reader) { Folder(reader).run(); }

}  // namespace ripc
