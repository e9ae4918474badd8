// The placers: ways to turn a Problem into a Placement. Each is chosen by its name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "placement/problem.h"

namespace ripc {

/// Settings of every placer. Each rule of the exact placer is one flag: switching any of them off may cost time, never
/// the answer.
struct PlacerOptions {
  bool overlaps = true;  ///< false: every two buffers alive together are kept disjoint, whatever the choices allow
  std::int64_t node_limit = 250'000;  ///< search nodes, over all searches of one call
  /// Seconds after which a search stops, wherever it is. Unlike the nodes, it does not repeat: the answer may differ
  /// from run to run.
  std::optional<double> time_limit{};

  bool greedy_start = true;    ///< exact: try greedy placements first; otherwise only one, as the answer to improve
  bool peel = true;            ///< exact: leave out buffers that fit wherever the others lie
  bool components = true;      ///< exact: search groups of buffers that are never alive together one by one
  bool windows = true;         ///< exact: refute a capacity on a few steps of the schedule before all of it
  bool section_bound = true;   ///< exact: bytes still to be placed at a step must fit above its floor
  bool forced_pairs = true;    ///< exact: a pair with one order left takes it at once
  bool canonical = true;       ///< exact: of placements that differ only in the order of search, visit one
  bool monotone_floor = true;  ///< exact: nothing goes below the buffer placed last
  bool dominance = true;       ///< exact: leave no gap that a buffer still to be placed would fill
  bool hatless = true;         ///< exact: a buffer with nothing above it needs no second try
  bool decomposition = true;   ///< exact: split the search where placed buffers leave parts of the schedule independent
  bool restarts = true;        ///< exact: try several orders of buffers with growing node limits

  std::int64_t coarsening = 1;     ///< exact-cover: bytes of a cell
  std::int64_t shift_penalty = 1;  ///< place_with_shifts: bytes of peak that one shift must save to be worth it
};

/// Places with the placer of that name: "exact" (the default of the project), "first-fit", "greedy-by-size",
/// "best-fit", "exact-cover" or "milp". Deterministic. Throws ripc::Error for an unknown name, a malformed problem, or
/// a problem that the placer cannot express.
Placement place(const Problem& problem, const std::string& placer, const PlacerOptions& options = {});

/// The names that `place` knows, the default first.
const std::vector<std::string>& placer_names();

/// Throws ripc::Error if the problem is malformed: ids out of range, negative sizes, an empty life, an alignment or an
/// address space that does not fit 62 bits.
void check_problem(const Problem& problem);

// The placers themselves. Each expects a checked problem.
Placement place_first_fit(const Problem& problem);       ///< in order of birth, each at its lowest free offset
Placement place_greedy_by_size(const Problem& problem);  ///< by decreasing size, each at its lowest free offset
Placement place_best_fit(const Problem& problem);        ///< by decreasing size, each in the tightest gap that holds it
Placement place_exact(const Problem& problem, const PlacerOptions& options);
Placement place_exact_cover(const Problem& problem, const PlacerOptions& options);
Placement place_milp(const Problem& problem, const PlacerOptions& options);

}  // namespace ripc
