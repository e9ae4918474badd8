#!/bin/sh
# The assembly for AVR processors against plain C, on an emulated ATmega328P. Exit 77: skipped.
set -eu
for tool in avr-gcc simavr; do
  command -v $tool >/dev/null || { echo "SKIP: $tool is not here"; exit 77; }
done
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
${CC:-cc} -O2 "$root/boards/uno/simavr/run.c" -o "$work/run" -lsimavr -lelf
for level in -Os -O2; do
  avr-gcc -mmcu=atmega328p -std=c99 -pedantic -Wall -Wextra -Werror $level -I"$root/runtime/include" \
    "$root/tests/targets/avr.c" -o "$work/avr.elf"
  timeout 300 "$work/run" atmega328p "$work/avr.elf" || { echo "avr $level: check $? differs from plain C"; exit 1; }
done
echo "avr on atmega328p: the same bits"
