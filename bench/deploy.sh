#!/bin/sh
# bench/deploy.sh RIPC SOURCE MODELS [NETWORK]: Table 3 anew on both Picos, emulated. Every network is compiled twice, in place and
# into the best dual buffer, and run: do both make the host's bytes, operator by operator, in as many instructions?
#
# The kernels are those of --optimize balanced: in place the fastest ones may take scratch that the dual buffer has anyway.
# Weights are the model's own where MODELS has it, else pseudo-random. Instructions are QEMU's; the code of the Pico runs on a
# larger board that understands it (docs/boards.md), and on one network the count is held against the RP2040's own emulator.
set -eu
ripc=$1
source=$2
models=$3
only=${4:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tolerance=2   # of 1000: what running in place may cost in instructions

real() { # the model of a network, if it is one of those whose weights there are
  case $1 in
    mcunet-in2) echo "$models/mcunet-256kb-1mb_imagenet.tflite" ;;
    mcunet-in3) echo "$models/mcunet-320kb-1mb_imagenet.tflite" ;;
    mcunet-in4) echo "$models/mcunet-512kb-2mb_imagenet.tflite" ;;
    mcunet-vww0) echo "$models/mcunet-10fps_vww.tflite" ;;
    mcunet-vww1) echo "$models/mcunet-5fps_vww.tflite" ;;
    mcunet-vww2) echo "$models/mcunet-320kb-1mb_vww.tflite" ;;
  esac
}

# Of the firmware in $1, its lines; the rest are variables of make.
firmware() {
  folder=$1
  shift
  make -s -C "$folder" RAM_BYTES=4194304 FLASH_BYTES=4194304 STACK_BYTES=8192 "$@" run >"$folder/said.txt" 2>&1
}
instructions() { sed -n 's/^invoke \([0-9]*\) .*/\1/p' "$1/said.txt"; }
same_bytes() { # whether both self-tests passed and expect the same checksum of every operator
  for folder in "$@"; do
    grep -q '^selftest passed' "$folder/said.txt" || return 1
    sed -n 's/^  {\([0-9]*\), \(0x[0-9a-f]*\)u}.*/\1 \2/p' "$folder/net_selftest.c" | sort -n >"$folder/sums.txt"
  done
  cmp -s "$1/sums.txt" "$2/sums.txt"
}

echo "Arena of the best dual buffer and in place, scratch inside; RAM is all of the firmware with its stack; instructions by QEMU."
printf '%-15s %-9s %-6s %9s %9s %7s %6s %8s %5s %12s %12s %7s  %s\n' network weights board 'dual' 'in place' scratch stack RAM \
  fits 'dual instr.' 'in place' ratio bytes
asked=0
reached=0
while read -r name network _; do
  [ "$name" != model ] || continue
  [ -z "$only" ] || [ "$only" = "$network" ] || continue
  asked=$((asked + 1))
  model=$(real "$network")
  weights=real
  random=
  if [ -z "$model" ] || [ ! -f "$model" ]; then
    model=$source/networks/mcunet/$network.json
    weights=generated
    random="--random-weights 1"
  fi
  good=1
  for board in pico pico2; do
    kilobytes=256; [ $board = pico ] || kilobytes=520 # of RAM that it has
    qemu=1; [ $board != pico2 ] || qemu=0 # it has no other emulator
    options="$random --optimize balanced --board $board --ram 4M"
    for way in dual rip; do
      disjoint=
      [ $way = rip ] || disjoint=--disjoint
      "$ripc" compile "$model" $options $disjoint --prefix net -o "$work/$way" >"$work/$way.txt" || good=0
      firmware "$work/$way" QEMU=$qemu || good=0
    done
    line=$(awk -v name="$name" -v weights=$weights -v board=$board -v kilobytes=$kilobytes \
      -v dual="$(sed -n 's/^ram .*arena \([0-9]*\),.*/\1/p' "$work/dual/said.txt")" \
      -v rip="$(sed -n 's/^ram .*arena \([0-9]*\),.*/\1/p' "$work/rip/said.txt")" \
      -v scratch="$("$ripc" plan --json "$model" $options |
        sed -n '/"constant_bytes"/q; s/^  "scratch_bytes": \([0-9]*\),/\1/p')" \
      -v stack="$(sed -n 's/^stack \([0-9]*\) .*/\1/p' "$work/rip/said.txt")" \
      -v ram="$(sed -n 's/^ram \([0-9]*\) .*/\1/p' "$work/rip/said.txt")" \
      -v before="$(instructions "$work/dual")" -v after="$(instructions "$work/rip")" \
      -v tolerance=$tolerance -v bytes="$(same_bytes "$work/dual" "$work/rip" && echo equal || echo DIFFER)" 'BEGIN {
        ratio = before > 0 ? after / before : 0
        fits = ram <= 1024 * kilobytes ? kilobytes "K" : "no"
        printf "%-15s %-9s %-6s %9d %9d %7d %6d %8d %5s %12d %12d %7.4f  %s\n", name, weights, board, dual, rip, scratch, stack,
          ram, fits, before, after, ratio, bytes
        exit !(bytes == "equal" && ratio > 0 && ratio <= 1 + tolerance / 1000) }') || good=0
    echo "$line"
    rm -rf "$work/dual" "$work/rip"
  done
  reached=$((reached + good))
done <"$source/bench/published/table3.tsv"

if [ -d "$source/boards/pico/node_modules" ]; then
  "$ripc" compile "$source/networks/mcunet/mcunet-vww0.json" --random-weights 1 --board pico --prefix net -o "$work/pico" >/dev/null
  ln -s "$source/boards/pico/node_modules" "$work/pico/board/node_modules"
  make -s -C "$work/pico" QEMU=1 BUILD=build/qemu run >"$work/pico/said.txt"
  qemu=$(instructions "$work/pico")
  make -s -C "$work/pico" INSTRUCTIONS=1 BUILD=build/count run >"$work/pico/said.txt"
  echo "MCUNet-VWW0 on the Pico: QEMU counts $qemu instructions, rp2040js $(instructions "$work/pico")"
fi
echo "deploy: $reached of $asked networks with the host's bytes both ways, in place within 0.$tolerance % of the dual buffer's instructions, on both Picos"
[ "$reached" -eq "$asked" ] && [ "$asked" -gt 0 ]
