#!/usr/bin/env python3
"""Instructions of whole networks on emulated Cortex-M processors, beside those of the reference and of CMSIS-NN.

table.py RIPC MODELS PEERS [NETWORK]...: compiles every network, or those named, for the processor, runs it under QEMU,
and compares all bytes with the host's. Instructions are no cycles; i+w adds one for each word loaded or stored, an upper
bound of the cycles of a processor whose memory never waits.
"""

import collections
import csv
import dataclasses
import pathlib
import subprocess
import sys
import tempfile

import machine
import reference

PUBLISHED = machine.HERE.parent / "published"

# Model file, name in the table of peers, and most instructions of an inference on a Cortex-M4.
NETWORKS = [
    ("mlperf_kws_ref", "kws_ref_model", 3.5e6),
    ("mlperf_vww_96_int8", "vww_96_int8", 8.7e6),
    ("mlperf_resnet_quant", "pretrainedResnet_quant", 11.0e6),
    ("mlperf_ad01_int8", "ad01_int8", 0.57e6),
    ("tflm_person_detect", "person_detect", 8.7e6),
    ("mcunet-5fps_vww", "mcunet-5fps_vww", 15.5e6),
    ("mcunet-320kb-1mb_imagenet", "mcunet-320kb-1mb_imagenet", 95e6),
]
PEERS = ["ref", "cmsis", "cmsis_fastasm"]
M0PLUS_NETWORKS = ["mlperf_kws_ref", "tflm_person_detect", "mlperf_resnet_quant", "mcunet-5fps_vww"]
M0PLUS_RATIO = 4  # times fewer instructions than the reference's
TOLERANCE = 0.001  # between the instructions of the timer and those of the trace


def read_table(path, key, value):
    """A column of whole numbers by a key of other columns; empty without the file."""
    if not pathlib.Path(path).exists():
        return {}
    with open(path, encoding="utf-8") as lines:
        return {tuple(row[k] for k in key): int(row[value]) for row in csv.DictReader(lines, delimiter="\t")}


def code_bytes(folder):
    """Of the functions that the runtime names rip_; those that one of its files keeps to itself come on top."""
    objects = subprocess.run(["arm-none-eabi-nm", "-S", folder / "firmware"], stdout=subprocess.PIPE, text=True, check=True)
    symbols = [line.split() for line in objects.stdout.splitlines()]
    return sum(int(s[1], 16) for s in symbols if len(s) == 4 and s[2] in "tT" and s[3].startswith("rip_"))


def layer_type(op):
    """What kernels distinguish, as a word."""
    window = op["window"]
    if op["kind"] not in ("CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED"):
        return "ADD" if op["kind"] == "ADD" else "other"
    channels, kernel = window["input"][2], window["kernel"]
    if op["kind"] == "FULLY_CONNECTED":
        return "fully connected"
    if channels in (1, 3):
        return f"first layer, {channels} channel{'s' if channels > 1 else ''}"
    if op["kind"] == "DEPTHWISE_CONV_2D":
        return f"depthwise {kernel[0]}x{kernel[1]} stride {window['stride'][0]}"
    return "1x1" if kernel == [1, 1] else "kxk"


@dataclasses.dataclass
class Sum:
    """Over some operators."""

    macs: int = 0
    scalars: int = 0  # of the outputs
    instructions: int = 0
    words: int = 0

    def line(self, name, width):
        each = self.macs if self.macs else self.scalars
        unit = "MAC" if self.macs else "output"
        return (f"{name:<{width}}{self.macs / 1e6:>9.2f}{self.instructions / 1e6:>9.2f}{self.words / 1e6:>9.2f}"
                f"{self.instructions / each:>10.3f}{(self.instructions + self.words) / each:>10.3f}  a {unit}")


def scalars_of(op):
    count = 1
    for extent in op["shape"]:
        count *= extent
    return count


class Sums:
    """Of the operators' counts, by one of their properties."""

    def __init__(self):
        self.of = collections.defaultdict(Sum)

    def add(self, name, op, instructions, words):
        each = self.of[name]
        each.macs += op["macs"]
        each.scalars += scalars_of(op)
        each.instructions += instructions
        each.words += words

    def show(self, title, order):
        width = max(map(len, self.of), default=0) + 2
        print(f"\n{title}\n{'':<{width}}{'MMAC':>9}{'i, M':>9}{'words, M':>9}{'i':>10}{'i+w':>10}")
        for name, each in sorted(self.of.items(), key=order):
            print(each.line(name, width))


@dataclasses.dataclass
class Measured:
    """A network on a processor."""

    account: dict
    run: machine.Run
    trace: machine.Trace
    code: int
    reference: int  # instructions of kernels like the reference's; 0 if not asked for

    def memory(self):
        return f"{self.account['arena']['bytes']:>9}{self.account['constant_bytes']:>9}{self.code:>7}"

    def instructions(self):
        return f"{self.run.total / 1e6:>8.2f}{(self.run.total + self.trace.total_words) / 1e6:>8.2f}"

    def bytes(self):
        return "  the same" if self.run.same else "  DIFFERENT"

    def add_to(self, types, kernels):
        counts = self.run.by_op()
        for index, op in enumerate(self.account["ops"]):
            types.add(layer_type(op), op, counts[index], self.trace.words[index])
            kernels.add(op["kernel"], op, counts[index], self.trace.words[index])


def measure(ripc, target, model, beside=False):
    """Compiles and runs a network; `beside`: its layers as the reference makes them too."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "out"
        options = ["--optimize", "speed", "--target", target.processor]
        machine.build(ripc, target, model, options, folder)
        account, run = machine.plan(ripc, model, options), machine.run(target, folder)
        trace = machine.trace(target, folder, run)
        if abs(trace.instructions - run.total) > TOLERANCE * run.total:
            raise SystemExit(f"{model}: the trace has {trace.instructions} instructions, the timer {run.total}")
        like = reference.count(target, account, pathlib.Path(temporary) / "reference") if beside else 0
        return Measured(account, run, trace, code_bytes(folder), like)


def show_sums(types, kernels):
    types.show("by the type of layer, over all of these networks", lambda item: item[0])
    kernels.show("by kernel", lambda item: -item[1].instructions)


HEAD = f"{'network':<26}{'arena':>9}{'flash':>9}{'code':>7}{'i':>8}{'i+w':>8}"


def m4_table(ripc, models, peers):
    """How many of `models`, paths by name, are within their target."""
    types, kernels = Sums(), Sums()
    reached = 0
    print("million instructions of an inference on a Cortex-M4 (emulated: instructions, not cycles); i+w: with the words that they\n"
          "load and store; code: bytes of the functions whose names begin with rip_, without those that a file keeps to itself")
    print(HEAD + "".join(f"{p:>14}" for p in PEERS) + f"{'ratio':>7}{'target':>8}  bytes")
    for file, name, most in NETWORKS:
        if file not in models:
            continue
        measured = measure(ripc, machine.M4, models[file])
        measured.add_to(types, kernels)
        beside = [peers.get((name, peer), 0) for peer in PEERS]
        print(f"{file:<26}" + measured.memory() + measured.instructions() + "".join(f"{b / 1e6:>14.2f}" for b in beside)
              + f"{beside[-1] / measured.run.total:>7.2f}{most / 1e6:>8.1f}" + measured.bytes(), flush=True)
        reached += measured.run.same and measured.run.total <= most
    show_sums(types, kernels)
    return reached


def m0plus_table(ripc, models):
    """How many of `models` take at most a fraction of what the reference does, measured or published."""
    published = read_table(PUBLISHED / "m0plus_reference.tsv", ["network"], "instructions")
    types, kernels = Sums(), Sums()
    reached = 0
    print("\nmillion instructions on a Cortex-M0+, beside those of kernels like the reference's: its convolutions, fully connected\n"
          "layers, ADD and pooling as bench/kernels/reference.c makes them, and published ones of convolutions and fully connected layers")
    print(HEAD + f"{'reference':>11}{'published':>11}{'ratio':>7}{'target':>8}  bytes")
    for file in M0PLUS_NETWORKS:
        if file not in models:
            continue
        measured = measure(ripc, machine.M0PLUS, models[file], beside=True)
        measured.add_to(types, kernels)
        known = published.get((file,), 0)
        ratio = (min(known, measured.reference) if known else measured.reference) / measured.run.total
        print(f"{file:<26}" + measured.memory() + measured.instructions()
              + f"{measured.reference / 1e6:>11.2f}{f'{known / 1e6:.2f}' if known else '-':>11}{ratio:>7.2f}{M0PLUS_RATIO:>8.1f}"
              + measured.bytes(), flush=True)
        reached += measured.run.same and ratio >= M0PLUS_RATIO
    show_sums(types, kernels)
    return reached


def m33_table(ripc, models):
    """How many of `models` make the host's bytes."""
    reached = 0
    print("\nmillion instructions on a Cortex-M33\n" + HEAD + "  bytes")
    for file in models:
        measured = measure(ripc, machine.M33, models[file])
        print(f"{file:<26}" + measured.memory() + measured.instructions() + measured.bytes(), flush=True)
        reached += measured.run.same
    return reached


def models_in(folder, only):
    """Paths of the networks that were asked for and exist, and how many were asked for."""
    asked = [file for file, _, _ in NETWORKS if not only or file in only]
    paths = {file: folder / f"{file}.tflite" for file in asked}
    for file in asked:
        if not paths[file].exists():
            print(f"{file}: no such model in {folder}")
    return {file: path for file, path in paths.items() if path.exists()}, asked


def main():
    ripc, folder, peers_path, *only = sys.argv[1:]
    tool = machine.missing_tool()
    if tool:
        print(f"kernels: skipped, {tool} is not installed")
        return 0
    models, asked = models_in(pathlib.Path(folder), only)
    small = [file for file in M0PLUS_NETWORKS if file in asked]
    m4 = m4_table(ripc, models, read_table(peers_path, ["model", "variant"], "insn_invoke"))
    m0plus = m0plus_table(ripc, models)
    m33 = m33_table(ripc, models)
    print(f"\nkernels: {m4} of {len(asked)} networks within their target on Cortex-M4, {m0plus} of {len(small)} at most a quarter of the "
          f"reference on Cortex-M0+, {m33} of {len(asked)} on Cortex-M33; each byte for byte the host's")
    return 0 if asked and m4 == m33 == len(asked) and m0plus == len(small) else 1


if __name__ == "__main__":
    sys.exit(main())
