// The placement problem and its answer. Knows nothing of networks: buffers, live ranges, and who may overlap whom by
// how much.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ripc {

using BufferId = int;  ///< index into Problem::buffers

/// A block of memory that must exist from step `first` to step `last`, both included.
struct Buffer {
  std::string name{};
  std::int64_t bytes = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t alignment = 1;            ///< the offset is a multiple of it
  int region = 0;                        ///< memory region; one region exists today
  std::optional<std::int64_t> offset{};  ///< fixed by the caller
};

/// Allows `low` to lie below `high` with less than its whole size between their starts: offset(high) - offset(low) >=
/// bytes. May be 0 (equal starts, `high` at or above `low`) or negative (`high` may even start below `low`).
struct Separation {
  BufferId low = 0;
  BufferId high = 0;
  std::int64_t bytes = 0;
};

/// Allows two buffers to start at the same offset, and nothing else.
struct Tie {
  BufferId a = 0;
  BufferId b = 0;
};

/// What one way of running an operator allows: each pair that it names may lie so. A pair that several choices name may
/// lie as any of their chosen alternatives allows.
struct Alternative {
  std::string name;  ///< "forward", "reverse", "tied", ...
  std::vector<Separation> separations;
  std::vector<Tie> ties;
};

/// An operator runs in exactly one of its alternatives, so what two of them allow never mixes.
struct Choice {
  std::string name;
  std::vector<Alternative> alternatives;
};

/// Two buffers alive at the same step must satisfy one of: a lies wholly below b, b wholly below a, or what the chosen
/// alternative of a choice allows for that pair. Buffers never alive together are free of each other.
struct Problem {
  std::vector<Buffer> buffers;
  std::vector<Choice> choices;
  /// If given, any placement within it is as good as the least. A placer that ends without one may answer with one
  /// above it.
  std::optional<std::int64_t> capacity{};
};

enum class Proof : std::uint8_t {
  optimal,    ///< peak equals the proven lower bound
  limited,    ///< the search stopped, out of work or within the capacity: best answer found (if any), true bound
  heuristic,  ///< the placer does not try to prove anything
  infeasible  ///< proven: nothing fits the capacity or the fixed offsets
};

struct Placement {
  std::vector<std::int64_t> offsets;  ///< one a buffer; empty if none was found
  std::vector<int> alternatives;      ///< chosen index, one a choice
  std::int64_t peak = 0;              ///< bytes: the largest offset + bytes
  std::int64_t lower_bound = 0;       ///< bytes: no placement has a smaller peak
  Proof proof = Proof::heuristic;
  std::int64_t nodes = 0;  ///< search nodes, the unit in which work is limited
};

/// The least peak that any placement could have, from live bytes per step less the overlaps that the choices allow
/// there. Sound when several outputs are born at one step.
std::int64_t lower_bound(const Problem& problem);

/// Empty if the placement is right, or one sentence that names the first rule it breaks and the two buffers. Shares no
/// code with any placer.
std::string validate_placement(const Problem& problem, const Placement& placement);

}  // namespace ripc
