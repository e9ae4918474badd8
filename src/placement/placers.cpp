#include "placement/placers.h"

#include <algorithm>

#include "ripc/error.h"

namespace ripc {
namespace {

using Placer = Placement (*)(const Problem&, const PlacerOptions&);

struct Named {
  const char* name;
  Placer place;
};

constexpr Named kPlacers[] = {
    {"exact", place_exact},
    {"first-fit", [](const Problem& problem, const PlacerOptions&) { return place_first_fit(problem); }},
    {"greedy-by-size", [](const Problem& problem, const PlacerOptions&) { return place_greedy_by_size(problem); }},
    {"best-fit", [](const Problem& problem, const PlacerOptions&) { return place_best_fit(problem); }},
    {"exact-cover", place_exact_cover},
    {"milp", place_milp},
};

// The same problem where no alternative allows anything.
Problem disjoint(Problem problem) {
  for (Choice& choice : problem.choices) {
    for (Alternative& alternative : choice.alternatives) {
      alternative.separations.clear();
      alternative.ties.clear();
    }
  }
  return problem;
}

}  // namespace

const std::vector<std::string>& placer_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Named& placer : kPlacers) all.emplace_back(placer.name);
    return all;
  }();
  return names;
}

Placement place(const Problem& problem, const std::string& placer, const PlacerOptions& options) {
  const auto found =
      std::find_if(std::begin(kPlacers), std::end(kPlacers), [&](const Named& p) { return placer == p.name; });
  if (found == std::end(kPlacers)) {
    std::string known;
    for (const std::string& name : placer_names()) known += (known.empty() ? "" : ", ") + name;
    throw Error({.fault = Fault::usage, .problem = "unknown placer '" + placer + "'", .expected = "one of " + known});
  }
  check_problem(problem);
  return options.overlaps ? found->place(problem, options) : found->place(disjoint(problem), options);
}

}  // namespace ripc
