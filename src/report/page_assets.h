// Style sheets and the script of the report. Everything is inside the one file that is written: no network, no font.
#pragma once

namespace ripc {

/// Of the picture, light and dark. Plain colours and no variables, so that viewers other than browsers read it.
const char* map_style();

/// Of the page around it.
const char* page_style();

/// Hover, pins, keyboard and zoom. The page is complete without it, only longer to scroll. It reads what the picture's
/// elements say of themselves and writes text only.
const char* page_script();

}  // namespace ripc
