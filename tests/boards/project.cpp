#include "boards/project.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "report/boards.h"
#include "source_dir.h"

namespace ripc::test {
namespace {

const std::string kEmulator = RIPC_SOURCE_DIR "/boards/pico/node_modules";

}  // namespace

std::ostream& operator<<(std::ostream& out, const BoardTools& board) { return out << board.name; }

const std::vector<BoardTools>& all_boards() {
  const std::string arm = "gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm";
  const std::vector<std::string> qemu = {"arm-none-eabi-gcc", "qemu-system-arm"};
  static const std::vector<BoardTools> boards = {
      {"m4", qemu, arm},
      {"m7", qemu, arm},
      {"m55", qemu, arm},
      {"pico2", qemu, arm},
      {"pico", {"arm-none-eabi-gcc", "node"}, "gcc-arm-none-eabi libnewlib-arm-none-eabi nodejs"},
      {"rv32", {"riscv64-unknown-elf-gcc", "qemu-system-riscv32"}, "gcc-riscv64-unknown-elf qemu-system-misc"},
      {"uno", {"avr-gcc", "simavr"}, "gcc-avr avr-libc simavr libsimavr-dev libelf-dev"},
  };
  return boards;
}

std::string missing_tools(const BoardTools& board) {
  for (const std::string& program : board.programs) {
    if (!has_compiler(program)) return fmt::format("{} is not installed; packages: {}", program, board.packages);
  }
  if (board.name == "pico" && !std::filesystem::exists(kEmulator))
    return "rp2040js is not installed: npm ci --prefix boards/pico";
  return "";
}

BoardFirmware::BoardFirmware(const Graph& graph, const Plan& plan, const std::string& board) {
  EmitOptions options;
  options.prefix = "net";
  const Board& chip = *find_board(board);
  options.board = {.name = board, .ram = chip.ram, .flash = chip.flash, .stack = chip.stack_bytes};
  write_files(folder_.path(), emit_c(graph, plan, link(graph, plan), options));
  if (board == "pico") std::filesystem::create_directory_symlink(kEmulator, folder_.path() / "board/node_modules");
}

void BoardFirmware::replace(const std::string& path, const std::string& text) const {
  std::ofstream(folder_.path() / path) << text;
}

Outcome BoardFirmware::run(const std::string& variables) const {
  return run_command(fmt::format("make -s -j2 -C {} TIMEOUT=100 {} run", folder_.path().string(), variables));
}

std::map<OpId, std::uint32_t> traced_sums(const std::string& output) {
  static const std::regex line("op ([0-9]+) 0x([0-9a-f]{8})");
  std::map<OpId, std::uint32_t> sums;
  for (auto at = std::sregex_iterator(output.begin(), output.end(), line); at != std::sregex_iterator(); ++at) {
    sums[std::stoi((*at)[1])] = static_cast<std::uint32_t>(std::stoul((*at)[2], nullptr, 16));
  }
  return sums;
}

std::int64_t number_after(const std::string& output, const std::string& word) {
  std::smatch found;
  if (!std::regex_search(output, found, std::regex(word + " ([0-9]+)"))) return -1;
  return std::stoll(found[1]);
}

}  // namespace ripc::test
