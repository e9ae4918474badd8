#!/bin/sh
# bench/stack.sh RIPC SOURCE MODELS: the stack that the firmware of each board was seen to need, over networks that fit it, plain and
# with stages in the least RAM, beside the bound that --ram counts for the board (src/report/boards.cpp).
set -eu
ripc=$1
source=$2
models=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
large='tflm_hello_world_int8 tflm_person_detect mlperf_kws_ref mlperf_resnet_quant armzoo_kws_micronet_l silabs_ecg_autoencoder
  mcunet-10fps_vww tflm_mnist_lstm_int8 tflm_micro_speech mlonmcu_simple_mnist tinymaix_mnist_resnet_q tinyengine_vww'
small='tflm_hello_world_int8'

printf '%-6s %8s %8s  %s\n' board most bound network
asked=0
reached=0
for board in uno m4 pico m7 rv32 m55 pico2; do
  asked=$((asked + 1))
  most=0
  where=none
  bound=
  [ $board = uno ] && names=$small || names=$large
  [ $board = pico ] && options=QEMU=1 || options=QEMU=0
  for model in "$source/models/digits/digits.tflite" $(printf "$models/%s.tflite " $names); do
    for way in '' '--stages on --optimize ram'; do
      [ -f "$model" ] || continue
      rm -rf "$work/out"
      "$ripc" compile "$model" --board $board $way --ram 4M --flash 4M -o "$work/out" >"$work/said.txt" 2>&1 || continue
      bound=$(sed -n 's/ *stack  up to \([0-9,]*\) bytes.*/\1/p' "$work/said.txt" | tr -d ,)
      # A network that a board cannot link, for its size or for a C library that it has not, says nothing about the stack.
      if [ $board = uno ]; then limits=; else limits='RAM_BYTES=4194304 FLASH_BYTES=4194304 STACK_BYTES=8192'; fi
      make -s -C "$work/out" $options $limits run >"$work/run.txt" 2>&1 || continue
      used=$(sed -n 's/^stack \([0-9]*\) .*/\1/p' "$work/run.txt")
      if [ "$used" -gt "$most" ]; then
        most=$used
        where="$(basename "$model" .tflite) $way"
      fi
    done
  done
  printf '%-6s %8d %8d  %s\n' $board $most "$bound" "$where"
  [ "$most" -gt 0 ] && [ "$most" -le "$bound" ] && reached=$((reached + 1))
done
echo "stack: $reached of $asked boards within the bound that --ram counts"
[ "$reached" -eq "$asked" ]
