#include "report/flash_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <list>

#include "lower/dsp.h"
#include "lower/lower.h"
#include "report/bytes.h"

namespace ripc {
namespace {

/// What one operator reads in a step that makes a row, or a block of one.
struct Reads {
  std::int64_t constants = 0;        ///< bytes of all but its tables
  std::int64_t tables = 0;           ///< bytes of its tables
  std::int64_t passes_a_row = 0;     ///< over the constants, a step
  std::int64_t looked_up_a_row = 0;  ///< a step: bytes of its tables
  bool plane_by_plane = false;       ///< a pass takes one channel's constants, which no cache is too small for
};

std::int64_t element_bytes(const Constant& constant) {
  if (constant.type == "int8_t") return 1;
  return constant.type.find("16") != std::string::npos ? 2 : 4;
}

/// How often a kernel goes over the operator's constants while it makes a row of `width` pixels.
std::int64_t passes_of(const Graph& graph, const Op& op, const PlannedOp& planned, std::int64_t width) {
  const auto is = [&](const char* part) { return planned.kernel.find(part) != std::string::npos; };
  if (is("depthwise") && (is("_dsp_") || is("_m0_"))) return 1;  // channel by channel along the row
  if (!is("conv2d_dsp")) return width;
  const bool pairs = dsp_taps(layer_of(graph, op), planned.kernel, planned.scratch.bytes) == DspTaps::of_two;
  return pairs ? (width + 1) / 2 : width;
}

/// Of `width` pixels.
Reads reads_of(const Graph& graph, const Op& op, const PlannedOp& planned, std::int64_t width) {
  const LoweredOp lowered = lower(graph, op, planned.kernel, false);
  const ImageShape image = made_image(graph, op);
  Reads reads;
  reads.passes_a_row = passes_of(graph, op, planned, width);
  reads.plane_by_plane = planned.kernel.ends_with("_plane");
  for (const Constant& constant : lowered.constants) {
    const bool table = constant.role.find("table") != std::string::npos;
    (table ? reads.tables : reads.constants) += std::ssize(constant.data);
    if (table) reads.looked_up_a_row += width * image.channels * element_bytes(constant);
  }
  return reads;
}

/// What one operator reads step after step.
struct StepReads {
  Reads each, last;  ///< in a step, and in the last one of a row
  std::int64_t of_row = 1, made = 0;
};

StepReads step_reads(const Graph& graph, const Plan& plan, OpId id, std::int64_t blocks) {
  const Op& op = graph.ops[static_cast<std::size_t>(id)];
  const PlannedOp& planned = plan.ops[static_cast<std::size_t>(id)];
  const std::int64_t width = made_image(graph, op).width, pixels = block_pixels(width, blocks);
  const std::int64_t of_row = blocks_of_row(width, blocks);
  return {.each = reads_of(graph, op, planned, pixels),
          .last = reads_of(graph, op, planned, width - (of_row - 1) * pixels),
          .of_row = of_row};
}

/// Operators by how recently their constants were read.
class Cache {
 public:
  explicit Cache(std::int64_t bytes) : bytes_(bytes) {}

  /// One pass over the constants of an operator: whether they were there.
  bool pass(OpId op, std::int64_t size) {
    std::int64_t since = size;
    const auto last = std::ranges::find(recent_, op, &Entry::op);
    for (auto other = recent_.begin(); other != last; ++other) since += other->size;
    const bool hit = last != recent_.end() && since <= bytes_;
    if (last != recent_.end()) recent_.erase(last);
    recent_.push_front({.op = op, .size = size});
    return hit;
  }

 private:
  struct Entry {
    OpId op;
    std::int64_t size;
  };
  std::int64_t bytes_;
  std::list<Entry> recent_;  ///< the latest first
};

std::int64_t missed_in_row(Cache& cache, OpId op, const Reads& reads, std::int64_t cache_bytes) {
  const std::int64_t size = reads.constants + reads.tables;
  if (size == 0) return 0;
  const std::int64_t held = reads.plane_by_plane ? std::min(size, cache_bytes) : size;
  const bool hit = cache.pass(op, held);
  if (held <= cache_bytes) return hit ? 0 : size;
  return reads.passes_a_row * reads.constants + reads.looked_up_a_row;
}

}  // namespace

FlashTraffic flash_traffic(const Graph& graph, const Plan& plan, std::optional<std::int64_t> cache_bytes) {
  FlashTraffic traffic;
  if (cache_bytes) traffic.missed = 0;
  Cache cache(cache_bytes.value_or(0));
  for (const Stage& stage : plan.schedule.stages) {
    std::vector<StepReads> reads;
    for (const OpId id : stage.ops) reads.push_back(step_reads(graph, plan, id, stage.blocks));
    for (const StepLoop& loop : stage.steps) {
      for (std::int64_t pass = 0; pass < loop.times; ++pass) {
        for (const StepRun& run : loop.runs) {
          if (run.op == kSourceRows) continue;
          StepReads& own = reads[static_cast<std::size_t>(run.op)];
          for (std::int64_t i = 0; i < run.rows; ++i) {
            const Reads& row = ++own.made % own.of_row == 0 ? own.last : own.each;
            traffic.fetched += row.passes_a_row * row.constants + row.looked_up_a_row;
            if (!cache_bytes) continue;
            *traffic.missed += missed_in_row(cache, stage.ops[static_cast<std::size_t>(run.op)], row, *cache_bytes);
          }
        }
      }
    }
  }
  return traffic;
}

std::string flash_text(const FlashTraffic& traffic, std::optional<std::int64_t> cache_bytes) {
  std::string text = grouped(traffic.fetched) + " bytes read in a run";
  if (traffic.missed && cache_bytes)
    text += fmt::format(", {} of them not in a cache of {}", grouped(*traffic.missed), grouped(*cache_bytes));
  return text;
}

}  // namespace ripc
