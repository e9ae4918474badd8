#!/usr/bin/env python3
"""What stages cost in instructions: whole networks on an emulated Cortex-M4, plain in place and with --stages on.

stages.py RIPC MODELS: for --optimize ram and speed, the arena and the instructions of an inference with and without
stages, and their ratio. The networks and the way of counting are those of table.py.
"""

import pathlib
import shutil
import sys
import tempfile

from table import COMPILER, EMULATOR, NETWORKS, build, plan, run

MOST = 1.02  # times the instructions of the plain plan, with --optimize speed


def measure(ripc, model, choice):
    """Bytes of the arena, instructions, and whether every operator made the host's bytes."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "out"
        build(ripc, model, folder, choice)
        _, total, same = run(folder)
    return plan(ripc, model, choice)["arena"]["bytes"], total, same


def main():
    ripc, models = sys.argv[1:3]
    for tool in (COMPILER[0], EMULATOR[0]):
        if not shutil.which(tool):
            print(f"stage-speed: skipped, {tool} is not installed")
            return 0
    print("bytes of the arena and million instructions of an inference on a Cortex-M4 (emulated)")
    print(f"{'network':<26}{'optimize':>9}{'plain':>9}{'':>8}{'staged':>9}{'':>8}{'ratio':>7}  bytes")
    reached = 0
    for file, _, _ in NETWORKS:
        model = pathlib.Path(models) / f"{file}.tflite"
        if not model.exists():
            print(f"{file:<26} no such model in {models}")
            continue
        for aim in ("ram", "speed"):
            choice = ["--target", "cortex-m4", "--optimize", aim]
            arena, count, same = measure(ripc, model, choice)
            staged_arena, staged_count, staged_same = measure(ripc, model, [*choice, "--stages", "on"])
            ratio = staged_count / count if count else 0
            print(f"{file:<26}{aim:>9}{arena:>9}{count / 1e6:>8.2f}{staged_arena:>9}{staged_count / 1e6:>8.2f}{ratio:>7.3f}"
                  f"  {'the same' if same and staged_same else 'DIFFERENT'}", flush=True)
            reached += aim == "speed" and same and staged_same and 0 < ratio <= MOST
    print(f"stage-speed: {reached} of {len(NETWORKS)} networks within {MOST} of the plain plan with --optimize speed")
    return 0 if reached == len(NETWORKS) else 1


if __name__ == "__main__":
    sys.exit(main())
