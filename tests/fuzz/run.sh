#!/usr/bin/env bash
# run.sh SECONDS [option of libFuzzer ...]: builds the fuzz target and runs it from a fresh corpus. The corpus grows in
# build/fuzz/found; an input that fails is kept in build/fuzz as crash-, timeout- or oom-*. Exits 77 without clang's
# libFuzzer.
set -euo pipefail
seconds=${1:?usage: run.sh SECONDS [option ...]}
shift
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/fuzz

probe=$(mktemp)
trap 'rm -f "$probe"' EXIT
if ! echo 'extern "C" int LLVMFuzzerTestOneInput(const char *, unsigned long) { return 0; }' |
  clang++ -x c++ -fsanitize=fuzzer - -o "$probe" 2> /dev/null; then
  echo "no clang with libFuzzer: skipped"
  exit 77
fi

cmake -S "$root" -B "$build" -G Ninja -DRIPC_FUZZ=ON -DBUILD_TESTING=OFF -DCMAKE_BUILD_TYPE=None \
  -DCMAKE_CXX_FLAGS=-O1 -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ > /dev/null
cmake --build "$build" --target fuzz_import > "$build/build.log" || { cat "$build/build.log"; exit 1; }
mkdir -p "$build/found"
python3 "$here/make_corpus.py" --schema "$root/src/import/tflite/schema.fbs" --root "$root" --out "$build/corpus"
cd "$build"
"$build/tests/fuzz/fuzz_import" -max_total_time="$seconds" -dict="$here/import.dict" -max_len=16384 -timeout=25 \
  -rss_limit_mb=1024 -malloc_limit_mb=256 -print_final_stats=1 -print_funcs=0 "$@" found corpus
