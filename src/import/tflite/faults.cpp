#include "import/tflite/faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace ripc {
namespace {

constexpr std::size_t kMostGroups = 100;  // more than any network has

/// Operators of one kind that share a problem.
struct Group {
  const OpFault* first = nullptr;
  std::vector<int> ops;
};

/// In the order of their first operators.
std::vector<Group> grouped(const std::vector<OpFault>& faults) {
  std::vector<Group> groups;
  std::map<std::pair<std::string, std::string>, std::size_t> known;
  for (const OpFault& fault : faults) {
    const auto [found, fresh] = known.emplace(std::pair(fault.kind, fault.context.problem), groups.size());
    if (fresh) groups.push_back({&fault, {}});
    groups[found->second].ops.push_back(fault.op);
  }
  return groups;
}

/// "op 3", "ops 3 and 7", "ops 3, 7, 9 and 12 more".
std::string ops_text(const std::vector<int>& ops) {
  constexpr std::size_t kNamed = 3;
  if (ops.size() == 1) return fmt::format("op {}", ops[0]);
  if (ops.size() == 2) return fmt::format("ops {} and {}", ops[0], ops[1]);
  std::string text = "ops ";
  for (std::size_t i = 0; i < kNamed; ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", ops[i]);
  return ops.size() == kNamed ? text : text + fmt::format(" and {} more", ops.size() - kNamed);
}

/// Of several operators only what they share is said.
std::string group_text(const Group& group) {
  ErrorContext context = group.first->context;
  context.remedy.clear();
  if (group.ops.size() > 1) context = {.problem = context.problem};
  return fmt::format("{} ({}): {}", group.first->kind, ops_text(group.ops), Error(std::move(context)).what());
}

}  // namespace

ErrorContext all_faults(const std::vector<OpFault>& faults, std::size_t ops) {
  ErrorContext context;
  if (faults.size() == 1) {
    context = faults.front().context;
    context.op_index = faults.front().op;
    context.op_kind = faults.front().kind;
    return context;
  }
  context.problem = fmt::format("{} of {} operators cannot be compiled: ", faults.size(), ops);
  // What one of them says to do often mends them all.
  for (const OpFault& fault : faults) {
    if (context.remedy.empty()) context.remedy = fault.context.remedy;
  }
  const std::vector<Group> groups = grouped(faults);
  const std::size_t told = std::min(groups.size(), kMostGroups);
  for (std::size_t i = 0; i < told; ++i) context.problem += (i == 0 ? "" : "; ") + group_text(groups[i]);
  if (told < groups.size()) context.problem += fmt::format("; and {} more kinds", groups.size() - told);
  return context;
}

}  // namespace ripc
