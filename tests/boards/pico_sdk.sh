#!/bin/sh
# pico_sdk.sh RIPC SOURCE: the firmware for the Pico and the Pico 2 builds with the Pico SDK at PICO_SDK_PATH. Exit 77: skipped.
set -eu
ripc=$1
source=$2
[ -n "${PICO_SDK_PATH:-}" ] || { echo "SKIP: PICO_SDK_PATH is not set"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for board in pico pico2; do
  out=$work/$board
  "$ripc" compile "$source/models/digits/digits.tflite" --board $board -o "$out" >/dev/null
  cmake -S "$out/board/sdk" -B "$out/build" -DPICO_NO_PICOTOOL=1 >"$work/configure.txt" 2>&1 || { cat "$work/configure.txt"; exit 1; }
  cmake --build "$out/build" >"$work/build.txt" 2>&1 || { cat "$work/build.txt"; exit 1; }
  processor=cortex-m0plus
  [ $board = pico ] || processor=cortex-m33
  grep -rq -e "-mcpu=$processor" "$out/build" || { echo "$board: not built for the $processor"; exit 1; }
  arm-none-eabi-nm "$out/build/firmware.elf" | grep -q ' T digits_invoke$' || { echo "$board: the model is not in it"; exit 1; }
  echo "$board: firmware.elf of $(arm-none-eabi-size "$out/build/firmware.elf" | awk 'END { print $1 + $2 }') bytes of flash"
done
