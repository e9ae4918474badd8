// Tensor names as a user types them: lists, and what was meant where none fits.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace ripc {

/// The names that arguments stand for. Each is one name, or several with commas between them; an argument that is a
/// known name as a whole stays whole, for names may hold commas.
std::vector<std::string> names_in(const std::vector<std::string>& arguments,
                                  const std::function<bool(const std::string&)>& known);

/// For a message: "'a', 'b' or 'c'", those of `known` that differ least from `name`; empty if there are none.
std::string nearest_names(const std::string& name, const std::vector<std::string>& known);

}  // namespace ripc
