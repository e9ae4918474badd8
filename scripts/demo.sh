#!/bin/sh
# Compiles the digits network of models/digits to C, builds that with a small program, and classifies ten images.
# usage: scripts/demo.sh RIPC [FOLDER]     RIPC: the compiled tool; FOLDER: for what is made, default build/demo
set -eu

fail() {
  echo "demo: $*" >&2
  exit 1
}
say() { printf '\n== %s\n' "$*"; }

[ $# -ge 1 ] || fail "usage: scripts/demo.sh RIPC [FOLDER]"
root=$(cd "$(dirname "$0")/.." && pwd)
ripc=$1
folder=${2:-$root/build/demo}
model=$root/models/digits/digits.tflite
compiler=${CC:-cc}

[ -x "$ripc" ] || fail "no program at $ripc; build it with 'make release'"
for file in "$model" "$root/models/digits/samples.bin" "$root/models/digits/samples.tsv"; do
  [ -f "$file" ] || fail "missing ${file#"$root"/}; models/digits/README.md says how it is made"
done
command -v "$compiler" >/dev/null || fail "no C compiler '$compiler'; name one with CC=..."
mkdir -p "$folder" || fail "cannot make $folder"
ripc=$(cd "$(dirname "$ripc")" && pwd)/$(basename "$ripc")
folder=$(cd "$folder" && pwd)

say "Compile the network: models/digits/digits.tflite to C99"
rm -rf "$folder/c" "$folder/objects"
"$ripc" compile "$model" --prefix digits -o "$folder/c" || fail "ripc compile failed (see above)"

say "Build the C with examples/digits/main.c ($compiler -Os)"
mkdir "$folder/objects"
cd "$folder/c"
for source in $(find . -name '*.c') "$root/examples/digits/main.c"; do
  "$compiler" -std=c99 -pedantic -Os -Wall -Wextra -I . -c "$source" -o "$folder/objects/$(basename "$source" .c).o" ||
    fail "$source did not build (see above)"
done
"$compiler" -o "$folder/digits" "$folder/objects"/*.o || fail "the program did not link (see above)"
echo "$folder/digits"

say "Classify ten images"
"$folder/digits" "$root/models/digits/samples.bin" "$root/models/digits/samples.tsv" ||
  fail "an image was classified wrongly, or the self-test failed"

say "Memory"
"$ripc" plan "$model" --name digits || fail "ripc plan failed (see above)"

if command -v size >/dev/null; then
  say "Size of the network's code and constants on this machine (text: code and constants; bss: the arena of main.c)"
  size "$folder/objects"/*.o
fi

say "Done: the C is in $folder/c, the memory map in $folder/c/digits_report.html"
