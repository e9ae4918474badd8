// Some operators as one stage: its steps, the places of its rows, the kernels that can keep them, and what it takes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "overlap/stage_separations.h"
#include "placement/problem.h"
#include "schedule/stage_flow.h"
#include "schedule/stage_rings.h"

namespace ripc {

struct MemoryOptions;

/// One way of running the stage.
struct StageDraft {
  std::vector<OpId> ops;
  bool reverse = false;
  TensorId streamed = kNoTensor;
  std::int64_t blocks = 1;  ///< as Stage::blocks
  AskOrder asks = AskOrder::listed;
  std::vector<StepLoop> steps;  ///< empty until StageDrafts::add_steps
  StageRings rings;
  std::vector<KernelOption> kernels;  ///< as `ops`
  std::vector<StageSeparation> separations;
  std::int64_t inner = 0;    ///< bytes of the rings, or if beyond what was allowed, less than that
  std::int64_t scratch = 0;  ///< one buffer for all operators, one at a time
  std::int64_t bytes = 0;    ///< that a simple stack of all that is alive takes: there may be better places
};

/// How operators run as one stage.
struct StageMode {
  bool reverse = false;
  bool streamed = false;    ///< rows of the network's input arrive as they are asked for
  std::int64_t blocks = 1;  ///< as Stage::blocks
};

/// By operator of a stage, the index of its only kernel, or kAnyKernel. Empty: any for all of them.
using KernelPicks = std::vector<int>;
inline constexpr int kAnyKernel = -1;

/// A stage of several operators: ways of running it that need the same buffers, rings and scratch.
struct StageWays {
  std::vector<StageDraft> drafts;  ///< empty: a stage of one operator, of which all is known without
};

/// What is alive while a stage runs, all of it at once. The problem has a buffer for all that shares nothing, then the
/// rings, then tensors.
struct StageProblem {
  Problem problem;
  std::vector<TensorId> tensors;  ///< by buffer; kNoTensor: none
};

/// Operators in the order in which they run, and when each tensor exists.
class StageDrafts {
 public:
  /// Keeps references to the first two. `kernels`: by OpId, those among which a stage may choose.
  StageDrafts(const Graph& graph, const std::vector<OpId>& order, const MemoryOptions& memory,
              std::vector<std::vector<KernelOption>> kernels);

  /// Whether the operator at that position can be one of several in a stage.
  bool can_join(std::int64_t position) const { return joins_[static_cast<std::size_t>(position)]; }

  /// Whether it can in one that makes its rows in blocks.
  bool can_divide(std::int64_t position) const { return divides_[static_cast<std::size_t>(position)]; }

  /// Bytes that operators [begin, end) need at least as one stage: what passes by, and their inputs or their outputs.
  /// With `inner` bytes of rings, those of a draft.
  std::int64_t least_bytes(std::int64_t begin, std::int64_t end, bool streamed, std::int64_t inner = 0) const;

  /// The best way in one mode. Not without can_join for all of them, nor in blocks without can_divide.
  /// If it takes more than `most`, StageDraft::bytes may be anything between, and the rest is not to be used.
  StageDraft draft(std::int64_t begin, std::int64_t end, const StageMode& mode, const KernelPicks& picks = {},
                   std::int64_t most = INT64_MAX) const;

  /// Completes the draft with its steps.
  void add_steps(StageDraft& draft) const;

  /// The fastest kernels with which the stage still `fits`: operators with most work choose first. Those that find none
  /// may have any.
  KernelPicks fast_picks(std::int64_t begin, std::int64_t end, const StageMode& mode,
                         const std::function<bool(const StageDraft&)>& fits) const;

  /// The stage to be placed by itself: no placement of the network does with less.
  StageProblem problem(const StageDraft& draft) const;

  /// Those among which the operator may choose in a stage, the fastest first.
  const std::vector<KernelOption>& kernels(OpId op) const { return kernels_[static_cast<std::size_t>(op)]; }

  /// Whether the network's only input can arrive row by row in a first stage that ends at `end`.
  bool can_stream(std::int64_t end) const;

 private:
  struct Life {
    std::int64_t born = -1, dies = -1;  // positions; -1: before the first, the number of operators: after the last
    std::int64_t bytes = 0;
    bool stored = false;  // in the arena
  };
  struct Boundary {
    std::vector<TensorId> dying, stored;
    std::int64_t passing = 0;  // bytes of what else is alive
  };

  /// An order of steps.
  struct Steps {
    AskOrder asks = AskOrder::listed;
    std::vector<RowStep> steps;
    StageTimes times;
    std::int64_t waiting = 0;  // waiting_bytes
  };

  /// Some operators, stepped in every order that is different.
  struct Stepped {
    std::span<const OpId> ops;
    TensorId streamed = kNoTensor;
    Boundary at;
    StageFlow flow;
    std::vector<Steps> orders;
  };

  /// By TensorId, the bytes of the widest window that its only reader keeps in a ring of pixels: of all pixels between.
  std::vector<std::int64_t> window_bytes() const;
  /// Bytes that a stage in blocks needs at least of its inner tensors: windows in rings of their own.
  std::int64_t windows_within(std::int64_t begin, std::int64_t end) const;
  Stepped stepped(std::int64_t begin, std::int64_t end, const StageMode& mode) const;
  const std::vector<KernelOption>& kernels_of(OpId op, std::int64_t blocks) const;
  StageDraft draft(const Stepped& stage, const KernelPicks& picks, std::int64_t most) const;
  /// Among `kernels`, by operator, of which `sharing` says what they can do; otherwise as above.
  StageDraft draft(const Stepped& stage, const Steps& order, const std::vector<std::span<const KernelOption>>& kernels,
                   const std::vector<RowSharing>& sharing, bool into_outputs, std::int64_t most) const;
  Boundary boundary(std::int64_t begin, std::int64_t end, TensorId streamed) const;
  /// Of what shares nothing: tensors that wait, and side memory.
  static std::int64_t apart_bytes(const StageDraft& draft, const Boundary& boundary);
  std::int64_t stacked(const StageDraft& draft, const Boundary& boundary) const;
  TensorId input() const { return storage_of(graph_, graph_.inputs.front()); }

  const Graph& graph_;
  const std::vector<OpId>& order_;
  bool in_place_;
  std::int64_t alignment_;
  std::vector<std::vector<KernelOption>> kernels_;  // by OpId, those that make rows
  FlowTables tables_;
  std::vector<Life> lives_;                               // by TensorId
  std::vector<std::int64_t> windows_;                     // window_bytes
  std::vector<std::vector<KernelOption>> block_kernels_;  // of them, those that make rows in blocks
  std::vector<bool> joins_, divides_;                     // by position
};

}  // namespace ripc
