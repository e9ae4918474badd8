#!/usr/bin/env python3
"""What stages cost in instructions: whole networks, plain in place and with --stages on.

stages.py RIPC MODELS [NETWORK]...: for --optimize ram and speed, the arena and the instructions of an inference with and
without stages, and their ratio, on emulated Cortex-M processors and on this host (under callgrind). All networks take some
minutes, most of them the host's largest.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import machine
from table import M0PLUS_NETWORKS, models_in

MOST = 1.02  # times the instructions of the plain plan with the same --optimize
AIMS = ("ram", "speed")


def count_emulated(target):
    """A function that compiles and runs a network: its instructions, and whether every operator made the host's bytes."""

    def count(ripc, model, options, folder):
        machine.build(ripc, target, model, options, folder)
        run = machine.run(target, folder)
        return run.total, run.same

    return count


def count_here(ripc, model, options, folder):
    """The same on this host."""
    machine.compile_network(ripc, model, options, folder)
    sources = [machine.HERE.parent / "host_main.c", *sorted(folder.rglob("*.c"))]
    compiler = [os.environ.get("CC", "cc"), "-std=c99", "-O2", "-I", folder]
    subprocess.run([*compiler, *sources, "-lm", "-o", folder / "model"], check=True)
    counted = folder / "callgrind.out"
    callgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counted}", "--collect-atstart=no",
                 "--toggle-collect=model_invoke"]
    run = subprocess.run([*callgrind, folder / "model"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    lines = counted.read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("summary:")), run.returncode == 0


def measure(ripc, model, options, count):
    """Bytes of the arena, instructions, and whether every operator made the host's bytes."""
    with tempfile.TemporaryDirectory() as temporary:
        instructions, same = count(ripc, model, options, pathlib.Path(temporary) / "out")
    return machine.plan(ripc, model, options)["arena"]["bytes"], instructions, same


def compare(ripc, model, options, count):
    """A line's columns, the ratio of the instructions, and whether all bytes are right."""
    arena, plain, same = measure(ripc, model, options, count)
    staged_arena, staged, staged_same = measure(ripc, model, [*options, "--stages", "on"], count)
    ratio, same = staged / plain, same and staged_same
    return (f"{arena:>9}{plain / 1e6:>9.2f}{staged_arena:>9}{staged / 1e6:>9.2f}{staged_arena / arena:>8.3f}{ratio:>8.3f}"
            f"  {'the same' if same else 'DIFFERENT'}"), ratio, same


def main():
    ripc, folder, *only = sys.argv[1:]
    tool = machine.missing_tool() or (None if shutil.which("valgrind") else "valgrind")
    if tool:
        print(f"stage-speed: skipped, {tool} is not installed")
        return 0
    models, asked = models_in(pathlib.Path(folder), only)
    processors = [(target.name, ["--target", target.processor], count_emulated(target), list(models))
                  for target in (machine.M4, machine.M33)]
    small = [file for file in models if file in M0PLUS_NETWORKS]
    processors.append((machine.M0PLUS.name, ["--target", machine.M0PLUS.processor], count_emulated(machine.M0PLUS), small))
    processors.append(("host", [], count_here, list(models)))
    total = sum(len(files) for *_, files in processors)  # of each aim
    print("bytes of the arena and million instructions of an inference, plain and staged, and their ratios")
    print(f"{'processor':<12}{'network':<26}{'optimize':>8}{'plain':>9}{'':>9}{'staged':>9}{'':>9}{'bytes':>8}{'time':>8}")
    reached = dict.fromkeys(AIMS, 0)
    for name, options, count, files in processors:
        for file in files:
            for aim in AIMS:
                line, ratio, same = compare(ripc, models[file], [*options, "--optimize", aim], count)
                print(f"{name:<12}{file:<26}{aim:>8}" + line, flush=True)
                reached[aim] += same and ratio <= MOST
    counts = ", ".join(f"{reached[aim]} of {total} with --optimize {aim}" for aim in AIMS)
    print(f"stage-speed: within {MOST} of the plain plan's instructions {counts}")
    return 0 if len(models) == len(asked) and total > 0 and all(count == total for count in reached.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
