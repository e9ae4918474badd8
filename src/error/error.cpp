#include "ripc/error.h"

#include <utility>

namespace ripc {
namespace {

std::string format_message(const ErrorContext& context) {
  std::string text;
  if (!context.file.empty()) text += context.file + ": ";
  if (context.op_index >= 0) text += "op " + std::to_string(context.op_index) + ": ";
  if (!context.op_kind.empty()) text += context.op_kind + ": ";
  if (!context.tensor.empty()) text += "tensor '" + context.tensor + "': ";
  text += context.problem;
  if (!context.expected.empty()) text += "; expected " + context.expected;
  if (!context.found.empty()) text += (context.expected.empty() ? "; found " : ", found ") + context.found;
  if (!context.remedy.empty()) text += ". " + context.remedy;
  return text;
}

}  // namespace

Error::Error(ErrorContext context) : context_(std::move(context)), message_(format_message(context_)) {}

}  // namespace ripc
