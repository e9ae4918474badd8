"""Compiled networks on emulated processors: their instructions, and the words that they load and store."""

import collections
import dataclasses
import json
import pathlib
import re
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent

COMPILER = (
    "arm-none-eabi-gcc -std=c99 -O2 -mthumb -mfloat-abi=soft -ffunction-sections -fdata-sections -ffp-contract=off "
    "-nostartfiles --specs=nosys.specs -Wl,--gc-sections -Wl,--no-warn-rwx-segments"
).split()
EMULATOR = (
    "qemu-system-arm -display none -monitor none -serial none -semihosting-config enable=on,target=native"
).split()


@dataclasses.dataclass(frozen=True)
class Machine:
    """A processor, and the board of QEMU that executes its code."""

    name: str
    processor: str  # as --target and the compiler name it
    board: str
    code: int
    ram: int
    timer: int
    timer_mhz: int


AN386 = dict(board="mps2-an386", code=0, ram=0x20000000, timer=0x40000000, timer_mhz=25)
M4 = Machine("Cortex-M4", "cortex-m4", **AN386)
M0PLUS = Machine("Cortex-M0+", "cortex-m0plus", **AN386)  # whose instructions an M4 has
M33 = Machine("Cortex-M33", "cortex-m33", board="mps2-an505", code=0x10000000, ram=0x38000000, timer=0x50000000,
              timer_mhz=20)


def missing_tool():
    """A tool that is not installed, or None."""
    return next((tool for tool in (COMPILER[0], EMULATOR[0]) if not shutil.which(tool)), None)


def link(machine, folder, sources):
    """Compiles `sources` and the machine's start-up into folder/firmware."""
    settings = [f"-mcpu={machine.processor}", f"-DTIMER={machine.timer:#x}u", f"-DTIMER_MHZ={machine.timer_mhz}u",
                f"-Wl,--defsym=CODE_START={machine.code:#x},--defsym=RAM_START={machine.ram:#x}"]
    files = [HERE / "machine.c", *sources, "-T", HERE / "machine.ld", "-lm", "-o", folder / "firmware"]
    subprocess.run([*COMPILER, *settings, "-I", folder, "-I", HERE, *files], check=True)


def compile_network(ripc, model, options, folder):
    """Writes a network's C into the folder, the names beginning with model_."""
    subprocess.run([ripc, "compile", model, *options, "--prefix", "model", "-o", folder], check=True, stdout=subprocess.DEVNULL)


def plan(ripc, model, options):
    """The account of the network that compile_network() makes."""
    result = subprocess.run([ripc, "plan", model, *options, "--json"], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(result.stdout)


def build(ripc, machine, model, options, folder):
    """Compiles a network into folder/firmware; `options` name the target."""
    compile_network(ripc, model, options, folder)
    link(machine, folder, [HERE / "network.c", *sorted(folder.rglob("*.c"))])


@dataclasses.dataclass
class Run:
    laps: list  # (operator, instructions), in the order in which they ran
    total: int  # instructions of a whole inference
    same: bool  # every operator made the host's bytes

    def by_op(self):
        ops = collections.Counter()
        for op, count in self.laps:
            ops[op] += count
        return ops


def run(machine, folder):
    """Runs folder/firmware. Instructions are counted by a timer of the board, 64 ns each; they are no cycles."""
    command = [*EMULATOR, "-M", machine.board, "-icount", "shift=6", "-kernel", folder / "firmware"]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=1800)
    words = [line.split() for line in result.stdout.splitlines()]
    laps = [(int(line[1]), int(line[2])) for line in words if line[0] == "op"]
    total = next((int(line[1]) for line in words if line[0] == "total"), 0)
    return Run(laps, total, result.returncode == 0 and ["same"] in words)


def words_of(mnemonic, operands):
    """Words that an instruction of Thumb loads or stores; a byte takes a word's access too."""
    if mnemonic.startswith(("ldm", "stm", "push", "pop")):
        return operands[operands.index("{"):].count(",") + 1
    if mnemonic.startswith(("ldrd", "strd")):
        return 2
    if mnemonic.startswith(("vld", "vst", "vpush", "vpop", "ldrex", "strex")):
        raise ValueError(f"how many words does {mnemonic} {operands} take?")
    return int(mnemonic.startswith(("ldr", "str", "tbb", "tbh")))


INSTRUCTION = re.compile(r"0x([0-9a-f]+): +(?:[0-9a-f]{4} )+ *(\S+) *(.*)")


def address_of(folder, symbol):
    lines = subprocess.run(["arm-none-eabi-nm", folder / "firmware"], stdout=subprocess.PIPE, text=True, check=True)
    return next(int(line.split()[0], 16) & ~1 for line in lines.stdout.splitlines() if line.split()[-1] == symbol)


def laps_of(machine, folder):
    """Yields (instructions, words) between one call of count_start or count_lap and the next, from the first on.

    QEMU says which blocks of instructions it executes, and once what each is; nothing of it is kept.
    """
    marks = {address_of(folder, "count_start"), address_of(folder, "count_lap")}
    command = [*EMULATOR, "-M", machine.board, "-d", "exec,nochain,in_asm", "-D", "/dev/stdout", "-kernel", folder / "firmware"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace")
    try:
        listed = {}  # the address of a block: its instructions and words
        known = {}  # the line of its execution: the same, and whether a lap ends there
        start, instructions, words, counting = None, 0, 0, False
        for line in process.stdout:
            block = known.get(line)
            if block is None:
                if line.startswith("IN:"):
                    start = None
                elif line.startswith("0x"):
                    address, mnemonic, operands = INSTRUCTION.match(line).groups()
                    if start is None:
                        start = int(address, 16)
                        listed[start] = (0, 0)
                    listed[start] = (listed[start][0] + 1, listed[start][1] + words_of(mnemonic, operands))
                elif line.startswith("Trace "):
                    address = int(line.split("/")[1], 16)
                    block = known[line] = (*listed[address], address in marks)
                elif line.startswith("Stopped execution"):  # of the block whose execution was said to begin
                    skipped = listed[int(line.split("[")[1][:8], 16)]
                    instructions, words = instructions - skipped[0], words - skipped[1]
                if block is None:
                    continue
            if block[2]:
                if counting:
                    yield instructions, words
                instructions, words, counting = 0, 0, True
            instructions += block[0]
            words += block[1]
    finally:
        process.kill()
        process.stdout.close()
        process.wait()


@dataclasses.dataclass
class Trace:
    words: dict  # loaded and stored, by operator
    instructions: int  # of a whole inference
    total_words: int  # of a whole inference


def trace(machine, folder, measured):
    """What a run loads and stores. `measured` is what run() said of the same firmware."""
    laps = laps_of(machine, folder)
    words = collections.Counter()
    for op, _ in measured.laps:
        words[op] += next(laps)[1]
        next(laps)  # printing
    next(laps)  # up to the second inference
    instructions, total_words = next(laps)
    laps.close()
    return Trace(words, instructions, total_words)
