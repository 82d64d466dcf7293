"""What the NumPy twins share: the data, the random numbers, and how results are written."""
import json
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def read_data(name):
    return np.load(HERE / "data" / name)


def lehmer(seed):
    """Random numbers in (0, 1): Lehmer's generator, which the programs in TypeScript have, too."""
    state = seed
    while True:
        state = state * 48271 % 2147483647
        yield state / 2147483647


def plain(value):
    """Arrays as lists; float32 with the digits that tell it from every other float32."""
    if isinstance(value, np.ndarray):
        return [plain(each) for each in value]
    if isinstance(value, np.float32):
        return float(str(value))
    if isinstance(value, np.generic):
        return value.item()
    return value


def finish(program, ms, figures):
    """Prints the time. With `--write` the figures become expected.json, beside the program."""
    if "--write" in sys.argv:
        lines = [f" {json.dumps(name)}: {json.dumps(plain(value), separators=(',', ':'))}" for name, value in figures.items()]
        (Path(program).parent / "expected.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{ms:.1f} ms")
