#include "report/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/bytes.h"
#include "report/escape.h"

namespace ripc {
namespace {

/// Names of tensors can be any length; a picture is no place for a page of one.
constexpr std::size_t kLongestName = 120;
constexpr std::size_t kMostListed = 12;

const Tensor& tensor_of(const ArenaView& arena, const Block& block) {
  return arena.graph.tensors[static_cast<std::size_t>(block.tensor)];
}

const OpRow& row_of(const ArenaView& arena, OpId op) { return *std::ranges::find(arena.rows, op, &OpRow::op); }

std::string listed(std::vector<std::string> items) {
  if (items.size() > kMostListed) {
    const std::string rest = fmt::format("{} more", items.size() - kMostListed + 1);
    items.resize(kMostListed - 1);
    items.push_back(rest);
  }
  return fmt::format("{}", fmt::join(items, ", "));
}

/// "op 3", "the input", "ops 3 to 5" (a stage).
std::string time_text(const ArenaView& arena, std::int64_t time) {
  if (time == 0) return "the input";
  const auto [first, last] =
      std::ranges::equal_range(arena.rows, static_cast<std::size_t>(time - 1), {}, &OpRow::stage);
  if (first == last) return "the end";
  if (last - first == 1) return fmt::format("op {}", first->source);
  return fmt::format("ops {} to {}", first->source, (last - 1)->source);
}

std::string life_text(const ArenaView& arena, std::int64_t first, std::int64_t last) {
  if (first == last) return "live at " + time_text(arena, first);
  return fmt::format("live from {} to {}", time_text(arena, first), time_text(arena, last));
}

std::string address_text(std::int64_t offset, std::int64_t bytes) {
  return fmt::format("bytes {} to {}", grouped(offset), grouped(offset + bytes));
}

std::string gap_text(std::int64_t gap) {
  if (gap == 0) return "starts at the same address as";
  return fmt::format("starts {} B {}", grouped(gap < 0 ? -gap : gap), gap < 0 ? "below" : "above");
}

std::string life_of_tensor(const ArenaView& arena, TensorId storage, std::vector<std::string>& readers) {
  const Graph& graph = arena.graph;
  const auto is_it = [&](TensorId tensor) { return storage_of(graph, tensor) == storage; };
  std::string writer = std::ranges::any_of(graph.inputs, is_it) ? "the caller" : "nobody";
  for (const OpRow& row : arena.rows) {
    const Op& op = graph.ops[static_cast<std::size_t>(row.op)];
    if (is_it(op.output)) writer = op_text(row);
    if (std::ranges::any_of(op.inputs, is_it)) readers.push_back(op_text(row));
  }
  if (std::ranges::any_of(graph.outputs, is_it)) readers.emplace_back("the caller");
  return writer;
}

std::string part_text(const char* sign, const char* name, std::int64_t bytes) {
  return bytes == 0 ? std::string() : fmt::format(" {} {} {}", sign, name, grouped(bytes));
}

/// What the live bytes of an operator are the sum of; parts that are zero left out.
std::string parts_text(const OpRow& row) {
  return fmt::format("input {} + output {}", grouped(row.input_bytes), grouped(row.output_bytes)) +
         part_text("+", "scratch", row.scratch_bytes) + part_text("+", "others alive", row.held_bytes) +
         part_text("-", "shared in place", row.shared_bytes);
}

}  // namespace

std::string op_text(const OpRow& row) { return fmt::format("op {} {}", row.source, row.kind); }

std::string peak_text(const OpRow& peak, std::int64_t arena_bytes) {
  return fmt::format("at {}: {}{}", op_text(peak), parts_text(peak),
                     part_text("+", "unused between them", arena_bytes - peak.live_bytes));
}

std::vector<std::string> account_sentences(const Account& account) {
  std::vector<std::string> sentences;
  const OpRow* peak = peak_row(account);
  if (peak == nullptr) return {"The network has no operators."};
  sentences.push_back(
      fmt::format("Peak {} B {}.", grouped(account.in_place.bytes), peak_text(*peak, account.in_place.bytes)));
  const OpRow* dual = peak_row(account.dual_rows);
  if (dual == nullptr || account.dual_buffer.bytes == 0) return sentences;
  const double saved = 1 - static_cast<double>(account.in_place.bytes) / static_cast<double>(account.dual_buffer.bytes);
  sentences.push_back(fmt::format("The best dual buffer needs {} B {}. In place saves {:.1f} % of it.",
                                  grouped(account.dual_buffer.bytes), peak_text(*dual, account.dual_buffer.bytes),
                                  100 * saved));
  return sentences;
}

std::string block_name(const ArenaView& arena, const Block& block) {
  if (block.tensor != kNoTensor) return tensor_of(arena, block).name;
  return fmt::format("{} of {}", block.kind == BlockKind::scratch ? "scratch" : "kept rows",
                     op_text(row_of(arena, block.op)));
}

std::string block_shape(const ArenaView& arena, const Block& block) {
  if (block.tensor == kNoTensor) return block.kind == BlockKind::scratch ? "scratch" : "kept rows";
  const Tensor& tensor = tensor_of(arena, block);
  const std::string shape = fmt::format("{} {}", shape_text(tensor.shape), type_name(tensor.type));
  if (block.kind != BlockKind::ring) return shape;
  return fmt::format("{} rows at a time of {}", block.rows, shape);
}

std::vector<std::string> block_details(const ArenaView& arena, std::size_t index) {
  const Block& block = arena.blocks[index];
  std::vector<std::string> lines = {shortened(block_name(arena, block), kLongestName),
                                    fmt::format("{}, {} B", block_shape(arena, block), grouped(block.bytes)),
                                    address_text(block.offset, block.bytes), life_text(arena, block.first, block.last)};
  if (block.tensor != kNoTensor) {
    std::vector<std::string> readers;
    lines.push_back("written by " + life_of_tensor(arena, block.tensor, readers));
    lines.push_back("read by " + (readers.empty() ? "nobody" : listed(std::move(readers))));
  }
  for (const Overlap& overlap : arena.overlaps) {
    if (overlap.older != index && overlap.younger != index) continue;
    const bool older = overlap.older == index;
    const Block& other = arena.blocks[older ? overlap.younger : overlap.older];
    lines.push_back(fmt::format("overlaps with {} by {} B: {} it", shortened(block_name(arena, other), kLongestName),
                                grouped(overlap.bytes), gap_text(older ? overlap.gap : -overlap.gap)));
  }
  return lines;
}

std::vector<std::string> overlap_details(const ArenaView& arena, const Overlap& overlap) {
  const Block& older = arena.blocks[overlap.older];
  const Block& younger = arena.blocks[overlap.younger];
  const std::string in = shortened(block_name(arena, older), kLongestName);
  const std::string out = shortened(block_name(arena, younger), kLongestName);
  return {fmt::format("in place at {}: {} B shared", time_text(arena, overlap.first), grouped(overlap.bytes)),
          fmt::format("{} is written over {}", out, in),
          fmt::format("gap {} B: the input {} the output", grouped(overlap.gap), gap_text(overlap.gap)),
          address_text(overlap.offset, overlap.bytes)};
}

std::vector<std::string> op_details(const OpRow& row) {
  return {op_text(row), fmt::format("{} B live: {}", grouped(row.live_bytes), parts_text(row)),
          fmt::format("{}, {}", row.reverse ? "reverse" : "forward",
                      row.gap ? fmt::format("in place, gap {} B", grouped(*row.gap)) : "apart")};
}

}  // namespace ripc
