// Names out of a model file are hostile text; these make them fit for HTML and SVG.
#pragma once

#include <cstddef>
#include <string>

namespace ripc {

/// Text for HTML and SVG, between tags or in quotes: the five special characters escaped; control characters, marks
/// that turn the direction of writing, what XML forbids and bytes that are no UTF-8 replaced by U+FFFD.
std::string html_text(const std::string& text);

/// UTF-8 text of at most `most` characters: the middle of a longer one gives way to an ellipsis, since names of tensors
/// tend to differ at their ends. Bytes that are no UTF-8 count as one character each.
std::string shortened(const std::string& text, std::size_t most);

/// Characters of UTF-8 text.
std::size_t character_count(const std::string& text);

}  // namespace ripc
