#include "report/boards.h"

namespace ripc {

const std::vector<Board>& common_boards() {
  constexpr std::int64_t k = 1024;
  static const std::vector<Board> boards = {
      {"Arduino Uno (ATmega328P)", 2 * k, 32 * k},   {"Arduino Mega (ATmega2560)", 8 * k, 256 * k},
      {"Blue Pill (STM32F103C8)", 20 * k, 64 * k},   {"Arduino Zero (SAMD21G18)", 32 * k, 256 * k},
      {"micro:bit v2 (nRF52833)", 128 * k, 512 * k}, {"Nano 33 BLE (nRF52840)", 256 * k, 1024 * k},
      {"Pico (RP2040)", 264 * k, 2048 * k},          {"STM32F746 Discovery", 320 * k, 1024 * k},
      {"Pico 2 (RP2350)", 520 * k, 4096 * k},
  };
  return boards;
}

}  // namespace ripc
