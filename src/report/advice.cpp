#include "report/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "report/bytes.h"
#include "report/escape.h"
#include "report/words.h"

namespace ripc {
namespace {

constexpr std::size_t kMostNamed = 3;
constexpr std::size_t kLongestName = 60;

/// Tensors that lie in the arena during the operator's stage and are not done with after it: all but its output, the
/// largest first.
std::vector<Block> bystanders(const Graph& graph, const Account& account, const OpRow& peak) {
  std::vector<TensorId> made;
  for (const OpRow& row : account.rows) {
    if (row.stage == peak.stage) made.push_back(storage_of(graph, graph.ops[static_cast<std::size_t>(row.op)].output));
  }
  const auto time = static_cast<std::int64_t>(peak.stage) + 1;
  std::vector<Block> found;
  for (const Block& block : account.blocks) {
    const bool waits = block.kind == BlockKind::tensor && block.first <= time && time < block.last;
    if (waits && std::ranges::find(made, block.tensor) == made.end()) found.push_back(block);
  }
  std::ranges::stable_sort(found, std::ranges::greater(), &Block::bytes);
  return found;
}

/// Who a tensor waits for: the operator at the end of its life.
std::string waits_for(const Account& account, const Block& block) {
  const auto last = std::ranges::find(account.rows, static_cast<std::size_t>(block.last - 1), &OpRow::stage);
  return last == account.rows.end() ? "the caller" : op_text(*last);
}

std::string beside_text(const Graph& graph, const Account& account, const OpRow& peak) {
  const std::vector<Block> waiting = bystanders(graph, account, peak);
  if (waiting.empty()) return {};
  const auto bytes = std::accumulate(waiting.begin(), waiting.end(), std::int64_t{0},
                                     [](std::int64_t sum, const Block& block) { return sum + block.bytes; });
  std::string text = fmt::format("  Meanwhile {} bytes wait to be read later:\n", grouped(bytes));
  for (std::size_t i = 0; i < std::min(kMostNamed, waiting.size()); ++i) {
    const Tensor& tensor = graph.tensors[static_cast<std::size_t>(waiting[i].tensor)];
    text += fmt::format("    {} of '{}', for {}\n", grouped(waiting[i].bytes), shortened(tensor.name, kLongestName),
                        waits_for(account, waiting[i]));
  }
  if (waiting.size() > kMostNamed) text += fmt::format("    and {} smaller ones\n", waiting.size() - kMostNamed);
  return text;
}

std::string peak_share_text(const Account& account, const OpRow& peak, std::int64_t alone) {
  const std::int64_t arena = account.in_place.bytes;
  const std::string scratch =
      peak.scratch_bytes == 0 ? "" : fmt::format(" and {} of scratch", grouped(peak.scratch_bytes));
  const std::string own = fmt::format("input and output as near as they may lie{}", scratch);
  if (alone > arena)
    return fmt::format("  By itself it would need {}: others run with it, row by row.\n", grouped(alone));
  if (alone == arena) return fmt::format("  All of it is the operator's own: {}.\n", own);
  return fmt::format("  {} of them ({:.0f} %) are the operator's own: {}.\n", grouped(alone),
                     100.0 * static_cast<double>(alone) / static_cast<double>(arena), own);
}

}  // namespace

std::string advice_text(const Graph& graph, const Account& account, const Advice& advice) {
  const OpRow* peak = peak_row(account);
  if (peak == nullptr) return {};
  std::string text = fmt::format("What can be done\n  The {} bytes of the arena are due to {}.\n",
                                 grouped(account.in_place.bytes), op_text(*peak));
  if (advice.peak_alone) text += peak_share_text(account, *peak, *advice.peak_alone);
  text += beside_text(graph, account, *peak);
  for (const Change& change : advice.changes) {
    text += fmt::format("  {} saves {} bytes: {}.\n", change.how, grouped(change.saves), change.price);
  }
  if (advice.changes.empty()) text += "  No option of ripc makes it smaller.\n";
  return text + float_text(account, advice);
}

std::string float_text(const Account& account, const Advice& advice) {
  if (!advice.is_float) return {};
  std::string text = "  The network computes in float32; ";
  text += advice.as_int8 ? fmt::format("as int8 its arena is {} bytes instead of {}", grouped(*advice.as_int8),
                                       grouped(account.in_place.bytes))
                         : "int8 takes a quarter of the bytes a value";
  return text + R"(. To convert it, with some real inputs in `samples`:
    converter = tf.lite.TFLiteConverter.from_keras_model(model)
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    converter.representative_dataset = lambda: ([sample] for sample in samples)
    converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    converter.inference_input_type = converter.inference_output_type = tf.int8
    open("model_int8.tflite", "wb").write(converter.convert())
)";
}

}  // namespace ripc
