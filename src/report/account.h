// What a network needs in RAM and flash, in every accounting that a user compares.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "plan/pipeline.h"
#include "report/blocks.h"
#include "report/boards.h"
#include "report/stage_fill.h"

namespace ripc {

/// An arena and whether it is known to be the least of its kind.
struct Accounting {
  std::int64_t bytes = 0;
  std::int64_t lower_bound = 0;
  bool proven = false;
};

/// How the plan's order of the operators compares with others.
struct OrderAccount {
  bool only_one = false;         ///< the operators can be executed in no other
  bool of_the_file = false;      ///< as the file lists them
  std::int64_t file_bytes = 0;   ///< the arena in the file's order
  std::int64_t lower_bound = 0;  ///< of the arena in any order; 0 if none was looked for
  bool proven = false;           ///< no other order needs less
};

/// What the plan would be with another aim.
struct AimAccount {
  Optimize aim = Optimize::ram;
  std::int64_t arena_bytes = 0;
  int slower_ops = 0;  ///< operators that do not run their fastest kernel, or without all the scratch that it asks for
};

struct Account {
  Accounting in_place;  ///< the plan itself
  OrderAccount order;
  Accounting dual_buffer;  ///< best placement in which no two live tensors share a byte
  Accounting greedy;  ///< the same tensors by a greedy planner, largest first, as TensorFlow Lite Micro places them
  std::vector<AimAccount> aims;                ///< as aims_of; empty if the arena is the same for all
  std::int64_t scratch_bytes = 0;              ///< the largest scratch of an operator; it lies inside the arena
  std::int64_t kept_bytes = 0;                 ///< the largest kept buffer of an operator; inside the arena
  std::int64_t state_bytes = 0;                ///< what survives between runs, beside the arena
  const Board* stack_of = nullptr;             ///< whose Board::stack_bytes hold for the target; null: not measured
  std::optional<std::int64_t> constant_bytes;  ///< weights and tables in flash; empty for a network without weights
  std::optional<std::int64_t> least_constant_bytes;  ///< with the kernels whose weights and tables take least
  std::vector<Block> blocks;
  std::vector<OpRow> rows;
  std::vector<StageFill> fills;    ///< of `blocks`, while stages of several operators run
  std::vector<Block> dual_blocks;  ///< of the dual buffer
  std::vector<OpRow> dual_rows;
};

/// RAM that the target must have: arena and state. The stack is not in it.
std::int64_t ram_bytes(const Account& account);

/// Bytes that must lie in one block of RAM: the arena's or the state's, whichever has more. The two may lie apart.
std::int64_t largest_block_bytes(const Account& account);

/// The stack beside it: its bytes as measured, and where from; or that it is not known.
std::string stack_text(const Account& account);

/// The operator that the arena's size is due to; null for a network without operators.
const OpRow* peak_row(const Account& account);

/// The account of `plan`, made by make_plan(graph, options), without the aims. Plans twice more: the dual buffer and
/// the greedy planner; and once more in the file's order if the plan's is another.
Account account_of(const Graph& graph, const Plan& plan, const PlanOptions& options);

/// What `plan` would be with each aim. Plans for the other two, if they may differ.
std::vector<AimAccount> aims_of(const Graph& graph, const Plan& plan, const PlanOptions& options);

}  // namespace ripc
