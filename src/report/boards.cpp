#include "report/boards.h"

#include <algorithm>

namespace ripc {

const std::vector<Board>& common_boards() {
  constexpr std::int64_t k = 1024;
  // Of the RP2040 the main memory: the two banks of 4 KB beside it are the stacks of its SDK.
  static const std::vector<Board> boards = {
      {"Arduino Uno (ATmega328P)", 2 * k, 32 * k, "uno", "atmega328p", 600},
      {"Arduino Mega (ATmega2560)", 8 * k, 256 * k},
      {"Blue Pill (STM32F103C8)", 20 * k, 64 * k},
      {"Arduino Zero (SAMD21G18)", 32 * k, 256 * k},
      {"micro:bit v2 (nRF52833)", 128 * k, 512 * k},
      {"Nano 33 BLE (nRF52840)", 256 * k, 1024 * k, "m4", "cortex-m4", 1024},
      {"Pico (RP2040)", 256 * k, 2048 * k, "pico", "cortex-m0plus", 1024},
      {"STM32F746 Discovery", 320 * k, 1024 * k, "m7", "cortex-m7", 1024},
      {"ESP32-C3 (rv32imc)", 400 * k, 4096 * k, "rv32", "rv32imc", 1024},
      {"MPS3 (Cortex-M55)", 512 * k, 512 * k, "m55", "cortex-m55", 1024},
      {"Pico 2 (RP2350)", 520 * k, 4096 * k, "pico2", "cortex-m33", 1024},
  };
  return boards;
}

const Board* find_board(std::string_view id) {
  const auto found = std::ranges::find(common_boards(), id, &Board::id);
  return id.empty() || found == common_boards().end() ? nullptr : &*found;
}

const Board* stack_board(std::string_view id, std::string_view target) {
  if (const Board* board = find_board(id)) return board;
  const auto found = std::ranges::find(common_boards(), target, &Board::target);
  return target.empty() || found == common_boards().end() ? nullptr : &*found;
}

}  // namespace ripc
