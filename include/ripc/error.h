// The one exception of ripc: thrown where a fault is seen, caught in the command line, never used for control flow.
#pragma once

#include <exception>
#include <string>

namespace ripc {

/// What the caller can do about it; the values are the exit codes of the command line.
enum class Fault : int { model = 1, usage = 2, does_not_fit = 3 };

/// A fault with its context. Empty or negative fields are left out of the message.
struct ErrorContext {
  Fault fault = Fault::model;
  std::string file{};      ///< path as the user gave it
  int op_index = -1;       ///< index in the model file
  std::string op_kind{};   ///< as the format names it, e.g. CONV_2D
  std::string tensor{};    ///< name in the model
  std::string problem{};   ///< what is wrong, in a few words
  std::string expected{};  ///< what would have been right
  std::string found{};     ///< what was there instead
  std::string remedy{};    ///< what the user can do
};

class Error : public std::exception {
 public:
  explicit Error(ErrorContext context);
  const char* what() const noexcept override { return message_.c_str(); }
  const ErrorContext& context() const noexcept { return context_; }

 private:
  ErrorContext context_;
  std::string message_;
};

}  // namespace ripc
