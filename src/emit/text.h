// Text that is safe inside C.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ripc::emit {

/// Public names of a model: `prefix` for functions and files, `macro` for macros.
struct Names {
  std::string prefix, macro;
};

/// Throws ripc::Error (usage) unless `prefix` is an identifier that is free for the model.
Names names_of(const std::string& prefix);

/// `text` with $p replaced by the prefix and $M by the macro prefix.
std::string expand(std::string_view text, const Names& names);

/// Puts `by` wherever `text` has `what`.
void replace_all(std::string& text, const std::string& what, const std::string& by);

/// Any name from a model, fit for a comment or a string literal: what could end either is replaced, and it is cut to
/// `longest` characters.
std::string harmless(std::string_view name, std::size_t longest = 72);

/// A C literal of that value. Floats read back as the same binary32.
std::string literal(std::int64_t value);
std::string literal(float value);

}  // namespace ripc::emit
