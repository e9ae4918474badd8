#include "import/tflite/faults.h"

#include <fmt/format.h>

#include <algorithm>

namespace ripc {
namespace {

/// Operators of one kind that share a problem.
struct Group {
  const OpFault* first = nullptr;
  std::vector<int> ops;
};

std::vector<Group> grouped(const std::vector<OpFault>& faults) {
  std::vector<Group> groups;
  for (const OpFault& fault : faults) {
    const auto same = std::ranges::find_if(groups, [&](const Group& group) {
      return group.first->kind == fault.kind && group.first->context.problem == fault.context.problem;
    });
    if (same != groups.end()) {
      same->ops.push_back(fault.op);
    } else {
      groups.push_back({&fault, {fault.op}});
    }
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
  for (std::size_t i = 0; i < groups.size(); ++i) context.problem += (i == 0 ? "" : "; ") + group_text(groups[i]);
  return context;
}

}  // namespace ripc
