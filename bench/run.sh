#!/bin/sh
# bench/run.sh NAME BUILD: prints one table. Its last line says what was reached out of what was asked; exit 0 only if all of it was.
set -eu
name=$1
build=$2
source=$(cd "$(dirname "$0")/.." && pwd)
shared=${RIPC_SHARED:-$source/../shared}

case $name in
  zoo)    exec "$build/bench/bench_zoo" "$shared/models" "$shared/golden" ;;
  table3) exec "$build/bench/bench_table3" "$source" ;;
  table6) exec "$build/bench/bench_table6" "$source" ;;
  concat) exec "$build/bench/bench_concat" "$source" ;;
  stages) exec "$build/bench/bench_stages" "$source" ;;
  stages-keras) exec "$build/bench/bench_stages" "$source" "$shared/models" ;;
  order)  exec "$build/bench/bench_order" "$source/networks" ;;
  table7)
    if [ ! -f "$shared/paper/table7.tsv" ]; then echo "table7: skipped, no $shared/paper/table7.tsv to compare with"; exit 0; fi
    exec "$build/bench/bench_table7" "$source" "$shared/paper/table7.tsv" --milp ;;
  squeezenet) exec "$build/bench/bench_squeezenet" "$source" ;;
  gap)    exec "$build/bench/bench_gap" ;;
  host)   exec "$source/bench/host.sh" "$build/ripc" "$shared/models" ;;
  kernels) exec python3 "$source/bench/kernels/table.py" "$build/ripc" "$shared/models" "$shared/spec/peers.tsv" ;;
  rv32)   exec python3 "$source/bench/kernels/rv32.py" "$build/ripc" "$shared/models" ;;
  stage-speed) exec python3 "$source/bench/kernels/stages.py" "$build/ripc" "$shared/models" ;;
  deploy) exec "$source/bench/deploy.sh" "$build/ripc" "$source" "$shared/models" ;;
  stack)  exec "$source/bench/stack.sh" "$build/ripc" "$source" "$shared/models" ;;
  minimalloc) exec "$build/bench/bench_minimalloc" "$shared/instances" ${PEER:+--peer "$PEER"} ;;
  *)      echo "no benchmark named '$name'; there are: zoo table3 table6 table7 concat squeezenet order stages stages-keras stage-speed gap host kernels rv32 deploy stack minimalloc" >&2; exit 2 ;;
esac
