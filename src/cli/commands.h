// The subcommands. Each adds itself to the application; what it does runs while the command line is parsed, and throws
// ripc::Error.
#pragma once

#include "cli/arguments.h"

namespace ripc::cli {

void add_compile(Command& app);
void add_plan(Command& app);
void add_run(Command& app);
void add_verify(Command& app);
void add_check(Command& app);
void add_layer(Command& app);
void add_sweep(Command& app);
void add_pack(Command& app);

/// `ripc MODEL` without a subcommand: one screen that answers "how much memory does it need?".
void add_overview(Command& app);

}  // namespace ripc::cli
