// `ripc sweep`: thousands of generated layers, every closed form held against the simulators.
#include "sweep/sweep.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <memory>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/terminal.h"
#include "ripc/error.h"
#include "sweep/summary.h"

namespace ripc::cli {
namespace {

struct SweepCommand {
  SweepOptions options;
  std::string csv;
};

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// A line that rewrites itself, with an estimate of the time left; only where somebody watches.
class ProgressLine {
 public:
  explicit ProgressLine(std::int64_t all) : all_(all), visible_(isatty(STDERR_FILENO) == 1) {}
  ~ProgressLine() {
    if (visible_) fmt::print(stderr, "\r\x1b[K");
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(std::int64_t done) {
    const double elapsed = seconds_since(start_);
    if (!visible_ || elapsed < shown_ + 0.2) return;
    shown_ = elapsed;
    const double left = elapsed * static_cast<double>(all_ - done) / static_cast<double>(done);
    fmt::print(stderr, "\r\x1b[K{} of {} layers, about {:.0f} s left", done, all_, left);
    std::fflush(stderr);
  }

 private:
  std::int64_t all_;
  bool visible_;
  Clock::time_point start_ = Clock::now();
  double shown_ = 0;
};

void run_sweep(const SweepCommand& command) {
  std::vector<SweptLayer> layers;
  const Clock::time_point start = Clock::now();
  {
    ProgressLine line(command.options.layers);
    layers = sweep(command.options, [&line](std::int64_t done) { line.show(done); });
  }
  fmt::print(stderr, "simulated {} layers in {:.1f} s\n", layers.size(), seconds_since(start));
  if (!command.csv.empty()) {
    const std::string table = layer_table(rows_of(layers), Source::simulation, command.options.threads);
    const auto* bytes = reinterpret_cast<const std::byte*>(table.data());
    write_bytes(command.csv, {bytes, bytes + table.size()});
  }
  print(summary_text(layers, command.options.seed));
  if (!all_tight(layers)) throw Error({.problem = "not every closed form is tight on every layer"});
}

}  // namespace

void add_sweep(Command& app) {
  auto command = std::make_shared<SweepCommand>();
  Command sweep_app = app.subcommand("sweep", "hold every closed form against the simulators, on random layers");
  sweep_app.number("--layers", command->options.layers, "how many; default 10000").between(1, 10'000'000).type("N");
  sweep_app.number("--seed", command->options.seed, "which; default 1").type("SEED");
  sweep_app.number("--threads", command->options.threads, "default: one a core; the numbers do not depend on it")
      .between(0, 1024)
      .type("N");
  sweep_app.text("--csv", command->csv, "write the layers with their simulated gaps, as `ripc layer --csv` does")
      .type("FILE");
  sweep_app.footer("Example: ripc sweep --layers 10000 --seed 7 --csv sweep.csv");
  sweep_app.action([command] { run_sweep(*command); });
}

}  // namespace ripc::cli
