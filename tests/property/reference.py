#!/usr/bin/env python3
"""Runs a .tflite on TensorFlow Lite Micro: reference.py MODEL INPUT... writes INPUT.reference.0, .1, raw, one an output.

A process of its own, since the reference aborts on some models that it does not take.
"""

import pathlib
import sys

import numpy as np
from tflite_micro.python.tflite_micro import runtime


def main():
    interpreter = runtime.Interpreter.from_file(sys.argv[1], arena_size=32 << 20)
    details = interpreter.get_input_details(0)
    for name in sys.argv[2:]:
        interpreter.set_input(np.fromfile(name, details["dtype"]).reshape(details["shape"]), 0)
        interpreter.invoke()
        outputs = 0
        while True:
            try:
                output = interpreter.get_output(outputs)
            except IndexError:
                break
            pathlib.Path(f"{name}.reference.{outputs}").write_bytes(output.tobytes())
            outputs += 1


if __name__ == "__main__":
    main()
