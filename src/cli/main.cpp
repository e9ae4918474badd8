#include "cli/app.h"

int main(int argc, char** argv) { return ripc::cli::run(argc, argv); }
