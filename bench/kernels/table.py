#!/usr/bin/env python3
"""Instructions of whole networks on an emulated Cortex-M4, beside those of the reference and of CMSIS-NN.

table.py RIPC MODELS PEERS: compiles every network for cortex-m4, runs it under QEMU, and compares all bytes with the
host's. Instructions are counted by a timer of the emulated board, 64 ns each; they are no cycles.
"""

import collections
import csv
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

# Model file, name in the table of peers, and most instructions of an inference.
NETWORKS = [
    ("mlperf_kws_ref", "kws_ref_model", 3.5e6),
    ("mlperf_vww_96_int8", "vww_96_int8", 8.7e6),
    ("mlperf_resnet_quant", "pretrainedResnet_quant", 11.0e6),
    ("tflm_person_detect", "person_detect", 8.7e6),
    ("mcunet-5fps_vww", "mcunet-5fps_vww", 15.5e6),
    ("mcunet-320kb-1mb_imagenet", "mcunet-320kb-1mb_imagenet", 95e6),
]
PEERS = ["ref", "cmsis", "cmsis_fastasm"]
CHOICE = ["--target", "cortex-m4", "--optimize", "speed"]
COMPILER = (
    "arm-none-eabi-gcc -std=c99 -O2 -mcpu=cortex-m4 -mthumb -mfloat-abi=soft -ffunction-sections -fdata-sections "
    "-ffp-contract=off -nostartfiles --specs=nosys.specs -Wl,--gc-sections -Wl,--no-warn-rwx-segments"
).split()
EMULATOR = (
    "qemu-system-arm -M mps2-an386 -display none -monitor none -serial none -icount shift=6 "
    "-semihosting-config enable=on,target=native -kernel"
).split()


def read_peers(path):
    """Instructions of an inference, by network and variant."""
    with open(path, encoding="utf-8") as lines:
        rows = csv.DictReader(lines, delimiter="\t")
        return {(row["model"], row["variant"]): int(row["insn_invoke"]) for row in rows}


def build(ripc, model, folder, choice):
    """Compiles a network, with the options `choice`, into folder/firmware."""
    compile_network = [ripc, "compile", model, *choice, "--prefix", "model", "-o", folder]
    subprocess.run(compile_network, check=True, stdout=subprocess.DEVNULL)
    sources = [HERE / "m4.c", HERE / "network.c", *sorted(folder.rglob("*.c"))]
    link = ["-T", HERE / "m4.ld", *sources, "-lm", "-o", folder / "firmware"]
    subprocess.run([*COMPILER, "-I", folder, "-I", HERE, *link], check=True)


def run(folder):
    """Instructions by operator and of the whole inference, and whether every operator made the host's bytes."""
    result = subprocess.run([*EMULATOR, folder / "firmware"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
    words = [line.split() for line in result.stdout.splitlines()]
    ops = {int(line[1]): int(line[2]) for line in words if line[0] == "op"}
    total = next((int(line[1]) for line in words if line[0] == "total"), 0)
    return ops, total, result.returncode == 0 and ["same"] in words


def code_bytes(folder):
    """Code, without the constants of the network."""
    objects = subprocess.run(["arm-none-eabi-nm", "-S", folder / "firmware"], stdout=subprocess.PIPE, text=True, check=True)
    symbols = [line.split() for line in objects.stdout.splitlines()]
    return sum(int(s[1], 16) for s in symbols if len(s) == 4 and s[2] in "tT" and s[3].startswith("rip_"))


def plan(ripc, model, choice):
    result = subprocess.run([ripc, "plan", model, *choice, "--json"], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(result.stdout)


def main():
    ripc, models, peers_path = sys.argv[1:4]
    for tool in (COMPILER[0], EMULATOR[0]):
        if not shutil.which(tool):
            print(f"kernels: skipped, {tool} is not installed")
            return 0
    peers = read_peers(peers_path) if pathlib.Path(peers_path).exists() else {}
    kernels = collections.defaultdict(lambda: [0, 0])
    reached = 0
    print("million instructions of an inference on a Cortex-M4 (emulated: instructions, not cycles)")
    print(f"{'network':<26}{'MMAC':>7}{'arena':>9}{'flash':>9}{'code':>7}{'ours':>8}" + "".join(f"{p:>14}" for p in PEERS)
          + f"{'ratio':>7}{'target':>8}  bytes")
    for file, name, most in NETWORKS:
        model = pathlib.Path(models) / f"{file}.tflite"
        if not model.exists():
            print(f"{file:<26} no such model in {models}")
            continue
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary) / "out"
            build(ripc, model, folder, CHOICE)
            ops, total, same = run(folder)
            code = code_bytes(folder)
        planned = plan(ripc, model, CHOICE)
        for index, op in enumerate(planned["ops"]):
            kernels[op["kernel"]][0] += op["macs"]
            kernels[op["kernel"]][1] += ops.get(index, 0)
        beside = [peers.get((name, peer), 0) for peer in PEERS]
        macs = sum(op["macs"] for op in planned["ops"])
        arena, flash = planned["arena"]["bytes"], planned["constant_bytes"]
        print(f"{file:<26}{macs / 1e6:>7.2f}{arena:>9}{flash:>9}{code:>7}{total / 1e6:>8.2f}"
              + "".join(f"{b / 1e6:>14.2f}" for b in beside)
              + f"{beside[-1] / total if total else 0:>7.2f}{most / 1e6:>8.1f}  {'the same' if same else 'DIFFERENT'}")
        reached += same and 0 < total <= most
    print("\ninstructions of each kernel, over all of these networks")
    for kernel, (macs, count) in sorted(kernels.items(), key=lambda item: -item[1][1]):
        each = f"{count / macs:.3f} a MAC" if macs else ""
        print(f"{kernel:<26}{macs / 1e6:>9.2f} MMAC{count / 1e6:>9.2f} M  {each}")
    print(f"kernels: {reached} of {len(NETWORKS)} networks within their target and byte for byte the host's")
    return 0 if reached == len(NETWORKS) else 1


if __name__ == "__main__":
    sys.exit(main())
