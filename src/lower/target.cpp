#include "lower/target.h"

#include <algorithm>
#include <array>

#include "ripc/error.h"

namespace ripc {
namespace {

constexpr std::array kTargets{kPortable,
                              Target{.name = "cortex-m0plus", .m0 = true, .tables = true},
                              Target{.name = "cortex-m4", .dsp = true},
                              Target{.name = "cortex-m7", .dsp = true},
                              Target{.name = "cortex-m33", .dsp = true},
                              Target{.name = "cortex-m55", .dsp = true},
                              Target{.name = "rv32imc", .pairs = true, .tables = true},
                              Target{.name = "atmega328p"}};

}  // namespace

std::vector<std::string> target_names() {
  std::vector<std::string> names;
  for (const Target& target : kTargets) names.emplace_back(target.name);
  return names;
}

Target target_named(std::string_view name) {
  const auto* const found = std::ranges::find(kTargets, name, &Target::name);
  if (found != kTargets.end()) return *found;
  std::string expected;
  for (const Target& target : kTargets) expected += (expected.empty() ? "" : ", ") + std::string(target.name);
  throw Error({.fault = Fault::usage, .problem = "no such target", .expected = expected, .found = std::string(name)});
}

}  // namespace ripc
