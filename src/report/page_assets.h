// Style sheets and the script of the report. Everything is inside the one file that is written: no network, no font.
#pragma once

#include <string>

namespace ripc {

/// Of the picture, light and dark. Plain colours and no variables, so that viewers other than browsers read it.
const char* map_style();

/// Of the page around it.
const char* page_style();

/// A page up to and with its heading, `name`, which may come from a model file. `subject` is what the page is about.
std::string page_start(const std::string& name, const std::string& subject);

/// Hover, pins, keyboard and zoom. The page is complete without it, only longer to scroll. It reads what the picture's
/// elements say of themselves and writes text only.
const char* page_script();

}  // namespace ripc
