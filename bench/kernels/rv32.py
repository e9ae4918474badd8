#!/usr/bin/env python3
"""Instructions of whole networks on an emulated rv32imc: with portable kernels and with its own.

rv32.py RIPC MODELS: makes the firmware of the board rv32 around every network, runs it under QEMU, and reads what it says:
instructions by the processor's own counter, and whether every operator made the host's bytes.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import machine

NETWORKS = ["mlperf_kws_ref", "tflm_person_detect", "mlperf_resnet_quant", "mcunet-5fps_vww"]
LEAST = 1.3  # times fewer instructions than with portable kernels
TOOLS = ["riscv64-unknown-elf-gcc", "qemu-system-riscv32", "make"]


def measure(ripc, model, target):
    """Instructions of an inference, 0 if a byte was not the host's, and the account of the network."""
    options = ["--board", "rv32", "--optimize", "speed", "--target", target]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "out"
        subprocess.run([ripc, "compile", model, *options, "-o", folder], check=True, stdout=subprocess.DEVNULL)
        run = subprocess.run(["make", "-s", "-C", folder, "run"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    count = re.search(r"^invoke (\d+) instructions$", run.stdout, re.MULTILINE)
    passed = run.returncode == 0 and "selftest passed" in run.stdout
    return int(count.group(1)) if count and passed else 0, machine.plan(ripc, model, options)


def main():
    ripc, folder = sys.argv[1:3]
    missing = next((tool for tool in TOOLS if not shutil.which(tool)), None)
    if missing:
        print(f"rv32: skipped, {missing} is not installed")
        return 0
    print("million instructions of an inference on rv32imc (emulated), with portable kernels and with its own")
    print(f"{'network':<22}{'MMAC':>7}{'portable':>10}{'own':>8}{'a MAC':>7}{'ratio':>7}{'arena':>8}{'flash':>9}  bytes")
    reached = 0
    for name in NETWORKS:
        model = pathlib.Path(folder) / f"{name}.tflite"
        if not model.exists():
            print(f"{name}: no such model in {folder}")
            continue
        portable, _ = measure(ripc, model, "portable")
        own, account = measure(ripc, model, "rv32imc")
        macs = sum(op["macs"] for op in account["ops"])
        ratio = portable / own if own else 0
        print(f"{name:<22}{macs / 1e6:>7.2f}{portable / 1e6:>10.2f}{own / 1e6:>8.2f}{own / macs:>7.2f}{ratio:>7.2f}"
              f"{account['arena']['bytes']:>8}{account['constant_bytes']:>9}  {'the same' if portable and own else 'DIFFERENT'}",
              flush=True)
        reached += ratio >= LEAST
    print(f"rv32: {reached} of {len(NETWORKS)} networks take {LEAST} times fewer instructions with kernels of their own")
    return 0 if reached == len(NETWORKS) else 1


if __name__ == "__main__":
    sys.exit(main())
