// Firmware of a board, built and run under the board's emulator.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "emit/harness.h"

namespace ripc::test {

/// A board and what it takes to build for it and to run it.
struct BoardTools {
  std::string name;
  std::vector<std::string> programs;  ///< commands
  std::string packages;               ///< that bring them
};

std::ostream& operator<<(std::ostream& out, const BoardTools& board);

const std::vector<BoardTools>& all_boards();

/// Empty if the board's tools are there; else one line that says which are not and what brings them.
std::string missing_tools(const BoardTools& board);

/// The emitted project of a board in a folder of its own.
class BoardFirmware {
 public:
  BoardFirmware(const Graph& graph, const Plan& plan, const std::string& board);

  /// Writes one file of the project anew.
  void replace(const std::string& path, const std::string& text) const;

  /// `make VARIABLES run`: what the firmware said, and the exit code of make.
  Outcome run(const std::string& variables = "") const;

 private:
  TemporaryFolder folder_;
};

/// The checksums of the lines "op N 0x..." of a run's output, by N.
std::map<OpId, std::uint32_t> traced_sums(const std::string& output);

/// The number that follows `word` in a run's output; -1 if there is none.
std::int64_t number_after(const std::string& output, const std::string& word);

}  // namespace ripc::test
