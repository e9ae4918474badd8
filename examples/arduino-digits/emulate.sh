#!/bin/sh
# Builds the sketch with the Arduino core and the network that ripc makes, runs it on an emulated Uno, sends it the ten
# sample images of models/digits, and compares what it answers. Then says what running in place costs in time.
# usage: emulate.sh RIPC [FOLDER]     FOLDER: for what is made, default build/arduino-digits
# Needs gcc-avr avr-libc arduino-core-avr simavr libsimavr-dev libelf-dev; CORE names another place of the Arduino core.
# Where they are missing the exit code is MISSING, which is 77 if it is not set.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
ripc=$1
folder=${2:-$root/build/arduino-digits}
core=${CORE:-/usr/share/arduino/hardware/arduino/avr}
digits=$root/models/digits

fail() {
  echo "arduino-digits: $*" >&2
  exit 1
}
missing() {
  echo "arduino-digits: skipped: $1 is not installed; package: $2" >&2
  exit "${MISSING:-77}"
}
command -v avr-gcc >/dev/null || missing avr-gcc gcc-avr
command -v simavr >/dev/null || missing simavr "simavr libsimavr-dev libelf-dev"
[ -d "$core" ] || missing "the Arduino core" arduino-core-avr
rm -rf "$folder"
mkdir -p "$folder/objects"

"$ripc" compile "$digits/digits.tflite" --prefix digits --board uno -o "$folder/digits" >"$folder/compile.txt" ||
  fail "ripc compile failed"

# What the Arduino IDE does, but for the board project's own files.
flags="-mmcu=atmega328p -DF_CPU=16000000L -DARDUINO=10819 -DARDUINO_AVR_UNO -DARDUINO_ARCH_AVR -Os -ffunction-sections
  -fdata-sections -I$core/cores/arduino -I$core/variants/standard -I$folder/digits"
for source in "$core"/cores/arduino/*.c "$folder"/digits/digits*.c "$folder"/digits/src/*.c; do
  avr-gcc -std=gnu11 $flags -c "$source" -o "$folder/objects/$(basename "$source").o"
done
# WString needs a newer C++ than Debian's avr-g++ has; the sketch uses none of it.
for source in "$core"/cores/arduino/*.cpp; do
  case $source in */WString.cpp) continue ;; esac
  avr-g++ -std=gnu++11 -w -fno-exceptions -fno-threadsafe-statics $flags -c "$source" \
    -o "$folder/objects/$(basename "$source").o"
done
avr-g++ -std=gnu++11 -fno-exceptions -x c++ -include Arduino.h $flags -c "$here/arduino-digits.ino" \
  -o "$folder/objects/sketch.o"
avr-gcc -mmcu=atmega328p -Os -Wl,--gc-sections "$folder"/objects/*.o -lm -o "$folder/sketch.elf"

cc -O2 "$folder/digits/board/simavr/run.c" -o "$folder/run" -lsimavr -lelf
image=196
for i in 0 1 2 3 4 5 6 7 8 9; do
  printf '?'
  dd if="$digits/samples.bin" bs=$image skip=$i count=1 2>/dev/null
done >"$folder/requests.bin"
"$folder/run" atmega328p "$folder/sketch.elf" "$folder/requests.bin" $((image + 1)) | tee "$folder/answers.txt"
sed 1d "$digits/samples.tsv" | cut -f2 >"$folder/labels.txt"
right=$(sed -n 's/^digit \([0-9]\),.*/\1/p' "$folder/answers.txt" | paste - "$folder/labels.txt" | awk '$1 == $2' | wc -l)

avr-size "$folder/sketch.elf" | awk 'NR == 2 {
  printf "flash %d of 32768 bytes; RAM %d of 2048 bytes before the stack\n", $1 + $2, $2 + $3 }'

# The same network without sharing needs more RAM than the Uno has: on an AVR with 16 KB both are counted.
larger="MCU=atmega1284p RAM_BYTES=16384 FLASH_BYTES=131072"
"$ripc" compile "$digits/digits.tflite" --prefix digits --board uno --disjoint --ram 16K -o "$folder/disjoint" \
  >>"$folder/compile.txt" || fail "ripc compile failed"
cycles() { # of the project in $1
  make -s -C "$1" $larger BUILD=build/atmega1284p run | sed -n 's/^invoke \([0-9]*\) cycles$/\1/p'
}
in_place=$(cycles "$folder/digits")
disjoint=$(cycles "$folder/disjoint")
echo "in place $in_place cycles, disjoint $disjoint cycles, on an ATmega1284P"
echo "arduino-digits: $right of 10 samples read right"
[ "$right" -eq 10 ] && [ -n "$in_place" ] && [ "$in_place" -le $((disjoint + disjoint / 500)) ]
