// The command line as a function.
#pragma once

namespace ripc::cli {

/// Runs ripc and returns its exit code: 0 done, 1 the model cannot be compiled, 2 wrong usage, 3 does not fit. Faults
/// are one line on the standard error, "ripc: ...".
int run(int argc, const char* const* argv);

}  // namespace ripc::cli
