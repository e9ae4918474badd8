// Text for people: the standard output, and messages that fit one line.
#pragma once

#include <string>
#include <string_view>

namespace ripc::cli {

/// Writes to the standard output; control characters other than line feeds and tabs, which a hostile file may bring,
/// become '?'.
void print(std::string_view text);

/// Data for another program, CSV or JSON: byte for byte.
void print_data(std::string_view data);

/// Throws ripc::Error (usage) if anything that was printed did not arrive, say because the disk is full.
void finish_output();

/// The text with line feeds turned into spaces and other control characters into '?'.
std::string one_line(std::string_view text);

/// The text as one word of a POSIX shell: in quotes where it needs them.
std::string shell_word(const std::string& text);

}  // namespace ripc::cli
