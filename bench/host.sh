#!/bin/sh
# bench/host.sh RIPC MODELS: instructions of the kernels on this host, portable and with AVX2, counted by callgrind over one
# whole inference.
set -eu
ripc=$1
models=$2
here=$(cd "$(dirname "$0")" && pwd)
limit=8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() { # compiles the model in $1, further flags behind it
  out=$1
  shift
  ${CC:-cc} -std=c99 -O2 "$@" -ffunction-sections -I "$out" "$here/host_main.c" "$out"/*.c "$out"/src/*.c -o "$out/model"
}

count() { # prints the instructions executed inside model_invoke of the program in $1
  valgrind --tool=callgrind --callgrind-out-file="$1/callgrind.out" --collect-atstart=no --toggle-collect=model_invoke \
    "$1/model" >/dev/null 2>"$1/valgrind.txt"
  sed -n 's/^summary: //p' "$1/callgrind.out"
}

printf '%-22s %14s %14s %16s %16s\n' model MAC instructions 'instructions/MAC' 'with -mavx2'
reached=0
asked=0
for name in mlperf_kws_ref tflm_person_detect mcunet-5fps_vww; do
  asked=$((asked + 1))
  if [ ! -f "$models/$name.tflite" ]; then
    echo "$name: no such model in $models" >&2
    continue
  fi
  out=$work/$name
  "$ripc" compile "$models/$name.tflite" --prefix model -o "$out" >/dev/null
  build "$out"
  macs=$("$ripc" plan --json "$models/$name.tflite" | sed -n 's/^ *"macs": \([0-9]*\),*$/\1/p' | paste -sd+ - | sed 's/$//')
  macs=$(($macs))
  instructions=$(count "$out")
  vectors=0
  if grep -qs avx2 /proc/cpuinfo; then
    build "$out" -mavx2
    vectors=$(count "$out")
  fi
  awk -v n="$name" -v m="$macs" -v i="$instructions" -v v="$vectors" \
    'BEGIN { printf "%-22s %14d %14d %16.2f %16s\n", n, m, i, i / m, v ? sprintf("%.2f", v / m) : "no AVX2 here" }'
  [ "$instructions" -le $((macs * limit)) ] && reached=$((reached + 1))
done

# How long compiling takes, the check of the plan included; no target of the last line, since seconds are the machine's.
large=$models/mcunet-320kb-1mb_imagenet.tflite
if [ -f "$large" ]; then
  echo
  echo "seconds to compile mcunet-320kb-1mb_imagenet: ripc compile, then ${CC:-cc} -O2 of what it wrote"
  out=$work/large
  /usr/bin/time -f '%e' "$ripc" compile "$large" --prefix model -o "$out" >/dev/null
  /usr/bin/time -f '%e' ${CC:-cc} -std=c99 -O2 -I "$out" "$here/host_main.c" "$out"/*.c "$out"/src/*.c -o "$out/model"
  echo
fi
echo "host: $reached of $asked networks within $limit instructions per MAC at -O2"
[ "$reached" -eq "$asked" ]
