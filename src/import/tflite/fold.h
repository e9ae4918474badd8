// Integers that the model computes from shapes and constants alone, before anything is imported.
#pragma once

#include "import/tflite/reader.h"

namespace ripc {

/// Evaluates operators whose inputs are known - shapes, constants, and what follows from them - and tells `reader` the
/// integers that they make. Operators of which it cannot make sense are left as they are.
void fold_integers(TfliteReader& reader);

}  // namespace ripc
