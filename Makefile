# make demo and make test are all that a newcomer needs; each installs what is missing, builds, and runs.

build_deps := packages/build.txt
test_deps  := packages/build.txt packages/test.txt
board_deps := packages/boards.txt
bench_deps := packages/build.txt packages/bench.txt
jobs       := $(shell nproc)

RIPC_BOARDS_REQUIRED ?= OFF

.PHONY: help demo test test-boards boards test-asan test-property deps release tidy format bench-% clean

help:
	@echo "make demo         install what is missing, build, compile models/digits and classify ten images"
	@echo "make test         install what is missing, build, and run every test"
	@echo "make test-boards  the same, with the compilers and emulators of all boards: no test of a board is skipped"
	@echo "make test-asan    the same under the address and undefined behaviour sanitizers"
	@echo "make test-property  200 random networks against TensorFlow Lite Micro, installed into build/venv"
	@echo "make deps         install the packages of all of these (root or sudo)"
	@echo "make release      build/release/ripc"
	@echo "make bench-NAME   print a table: zoo, table3, table6, table7, concat, squeezenet, host, kernels, gap, minimalloc, order,"
	@echo "                  stages, stages-keras, stage-speed, rv32, deploy, stack"
	@echo "make format tidy  clang-format, clang-tidy"

deps:
	@scripts/install-packages.sh $(build_deps) packages/test.txt packages/bench.txt packages/property.txt packages/boards.txt

release:
	@scripts/install-packages.sh $(build_deps)
	@cmake --preset release > /dev/null
	@cmake --build --preset release -j $(jobs) --target ripc

demo: release
	@scripts/demo.sh build/release/ripc

test:
	@scripts/install-packages.sh $(test_deps)
	@cmake --preset dev -DRIPC_BOARDS_REQUIRED=$(RIPC_BOARDS_REQUIRED) > /dev/null
	@cmake --build --preset dev -j $(jobs)
	@ctest --preset dev

# What runs firmware: compilers, emulators, and the package of npm that emulates the Pico.
boards:
	@scripts/install-packages.sh $(board_deps)
	@command -v npm > /dev/null || scripts/install-packages.sh packages/npm.txt
	@npm ci --silent --no-audit --no-fund --prefix boards/pico

test-boards: boards
	@$(MAKE) --no-print-directory test RIPC_BOARDS_REQUIRED=ON

test-asan:
	@scripts/install-packages.sh $(test_deps)
	@cmake --preset asan > /dev/null
	@cmake --build --preset asan -j $(jobs)
	@ctest --preset asan

test-property: release
	@scripts/install-packages.sh packages/property.txt
	@test -x build/venv/bin/python || python3 -m venv build/venv
	@build/venv/bin/pip install -q -r tests/property/requirements.txt
	@build/venv/bin/python tests/property/reference_test.py --ripc build/release/ripc --keep build/property-faults

bench-%:
	@scripts/install-packages.sh $(bench_deps)
	@cmake --preset release -DRIPC_BENCH=ON > /dev/null
	@cmake --build --preset release -j $(jobs)
	@bench/run.sh $* build/release

format:
	@git ls-files '*.cpp' '*.h' '*.c' | xargs clang-format -i

tidy:
	@cmake --preset dev > /dev/null
	@cmake --build --preset dev -j $(jobs)
	@git ls-files 'src/*.cpp' | xargs -P $(jobs) -n 4 clang-tidy -p build/dev --quiet

clean:
	@rm -rf build out
