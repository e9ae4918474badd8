#!/usr/bin/env python3
"""Random networks, made here and now: `ripc run`, in place and disjoint, gives the bytes of TensorFlow Lite Micro.

A network that one of them refuses is counted; more than a few of those fail the test, like any other byte or any crash.
What fails is kept in a folder: the model, the inputs, the outputs of each. Exits 77 where the packages of
requirements.txt are absent.
"""

import argparse
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import tflite_micro  # noqa: F401
    from random_model import as_int8, network
except ImportError as error:
    print(f"property: skipped, a package of tests/property/requirements.txt is absent ({error})")
    sys.exit(77)

HERE = pathlib.Path(__file__).resolve().parent
INPUTS = 3             # of each network
REFUSED_AT_MOST = 0.1  # of all networks
MODES = {"in_place": [], "disjoint": ["--disjoint"]}

Refused = collections.namedtuple("Refused", "by why")


class Fault(Exception):
    """Another byte than the reference's, or a crash."""


def write_inputs(folder, size, seed):
    """Raw files of random int8: all values, only the extreme ones, values near one another."""
    rng = np.random.default_rng(list(seed.encode()))
    made = [rng.integers(-128, 128, size), rng.choice([-128, 127], size), rng.integers(-10, 10, size)]
    paths = [folder / f"input_{i}" for i in range(INPUTS)]
    for path, values in zip(paths, made):
        path.write_bytes(values.astype(np.int8).tobytes())
    return paths


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, check=False)


def run_reference(model, inputs):
    """Writes INPUT.reference.0 and so on; what the reference refuses, or None."""
    done = run(sys.executable, HERE / "reference.py", model, *inputs)
    if done.returncode == 0:
        return None
    lines = [line for line in done.stderr.splitlines() if line and not line.startswith((" ", "Traceback"))]
    return Refused("the reference", lines[0] if lines else f"exit code {done.returncode}")


def outputs_of(path, who):
    found = path.parent.glob(f"{path.name}.{who}.*")
    return sorted(found, key=lambda name: int(name.suffix[1:]))


def run_ripc(ripc, model, mode, path, count):
    """Writes INPUT.MODE.0 and so on; what ripc refuses, or None. Anything but a plain error is a fault."""
    outputs = [word for i in range(count) for word in ("-o", f"{path}.{mode}.{i}")]
    done = run(ripc, "run", *MODES[mode], model, path, *outputs)
    if done.returncode == 0:
        return None
    if done.returncode != 1 or not done.stderr.strip():
        raise Fault(f"{mode}: exit code {done.returncode}: {done.stderr.strip()}")
    return Refused("ripc", done.stderr.strip().removeprefix(f"ripc: {model}: "))


def compare(path, mode):
    for reference, made in zip(outputs_of(path, "reference"), outputs_of(path, mode), strict=True):
        want, got = np.fromfile(reference, np.int8), np.fromfile(made, np.int8)
        if want.size != got.size:
            raise Fault(f"{made.name}: {got.size} bytes, not {want.size}")
        different = np.flatnonzero(want != got)
        if different.size:
            first = different[0]
            raise Fault(f"{made.name}: {different.size} of {want.size} bytes differ, the first at {first}: "
                        f"{got[first]}, not {want[first]}")


def examine(ripc, seed, folder):
    """None if all bytes are equal, or who refused the network; raises Fault."""
    made = network(seed)
    model = folder / "model.tflite"
    try:
        model.write_bytes(as_int8(made, seed))
    except Exception as error:  # pylint: disable=broad-exception-caught
        return Refused("the converter", f"{type(error).__name__}: {error}".splitlines()[0])
    inputs = write_inputs(folder, int(np.prod(made.inputs[0].shape)), seed)
    refused = run_reference(model, inputs)
    for path in inputs:
        for mode in MODES:
            refused_here = run_ripc(ripc, model, mode, path, len(made.outputs))
            refused = refused or refused_here
            if not refused:
                compare(path, mode)
    return refused


def keep(folder, where):
    shutil.rmtree(where, ignore_errors=True)
    shutil.copytree(folder, where)


def examine_and_keep(arguments, seed):
    """What `examine` says; of a fault, its text, with all files in a folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        try:
            return examine(arguments.ripc, seed, folder)
        except (Fault, subprocess.TimeoutExpired) as fault:
            where = arguments.keep / seed
            keep(folder, where)
            return f"network {seed}: {fault}; kept in {where}"


def reasons(refused):
    """How many networks each refused, and why, without the numbers of one network."""
    counts = collections.Counter((one.by, re.sub(r"\d+", "#", one.why)) for one in refused)
    return [f"  {count} refused by {by}: {why}" for (by, why), count in counts.most_common()]


def summary(arguments, results):
    refused = [result for result in results if isinstance(result, Refused)]
    equal = sum(result is None for result in results)
    by = collections.Counter(one.by for one in refused)
    listed = ", ".join(f"{count} refused by {who}" for who, count in sorted(by.items())) or "none refused"
    print(*reasons(refused), sep="\n", end="\n" if refused else "")
    print(f"property: {equal} of {len(results)} networks bit-exact, in place and disjoint (seed {arguments.seed}; {listed})")
    return equal + len(refused) == len(results) and len(refused) <= REFUSED_AT_MOST * len(results)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ripc", required=True, type=pathlib.Path, help="the built program")
    parser.add_argument("--count", type=int, default=200, help="networks to make")
    parser.add_argument("--seed", type=int, default=1, help="another number makes other networks")
    parser.add_argument("--only", type=int, help="only the network of this number, from 0")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("property-faults"), help="folder for what fails")
    arguments = parser.parse_args()

    results = []
    for number in range(arguments.count) if arguments.only is None else [arguments.only]:
        results.append(examine_and_keep(arguments, f"{arguments.seed}-{number}"))
        if isinstance(results[-1], str):
            print(results[-1], flush=True)
    sys.exit(0 if summary(arguments, results) else 1)


if __name__ == "__main__":
    main()
