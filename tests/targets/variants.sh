#!/bin/sh
# The kernels of each family of processors against their portable selves, on an emulated processor of the family.
# Exit 77: skipped.
set -eu
for tool in arm-none-eabi-gcc arm-none-eabi-nm arm-none-eabi-objcopy qemu-system-arm; do
  command -v $tool >/dev/null || { echo "SKIP: $tool is not here"; exit 77; }
done
here=$(cd "$(dirname "$0")" && pwd)
runtime=$here/../../runtime
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# family, sources, processor, emulated machine
check() {
  compile="arm-none-eabi-gcc -mthumb -mcpu=$3 -std=c99 -pedantic -Wall -Wextra -Werror -O2 -ffreestanding -I$runtime/include"
  mkdir "$work/$3"
  for source in "$runtime/src/$1"/$2; do
    object=$work/$3/$(basename "$source" .c)
    $compile -c "$source" -o "$object.o"
    $compile -DRIP_NO_ASM -c "$source" -o "$object.portable.o"
    arm-none-eabi-nm -g "$object.portable.o" | sed -n 's/.* \(rip_[a-z0-9_]*\)$/\1 portable_\1/p' >"$work/names"
    arm-none-eabi-objcopy --redefine-syms="$work/names" "$object.portable.o"
  done
  upper=$(echo "$1" | tr a-z A-Z)
  $compile -DFAMILY_$upper "$here/variants.c" "$work/$3"/*.o -nostdlib -lgcc \
    -Wl,--section-start=.vectors=0,-Ttext=0x400,-Tbss=0x20000000,-e,0,--no-warn-rwx-segments -o "$work/$3.elf"
  timeout 300 qemu-system-arm -M "$4" -display none -monitor none -serial none \
    -semihosting-config enable=on,target=native -kernel "$work/$3.elf"
  echo "$1 on $3: the same bytes"
}

check dsp "*.c" cortex-m4 mps2-an386
check dsp "*.c" cortex-m7 mps2-an500
check m0 "*.c" cortex-m0plus mps2-an385
