"""The NumPy twin of heat-equation.ts."""
import sys
import time
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parent.parent))
from twin import finish  # noqa: E402

SIZE = 256
STEPS = 2000
RATE = np.float32(0.24)
HOTTEST = 100


def picture(grid):
    shades = " .:-=+*#%@"
    means = grid.reshape(16, SIZE // 16, 32, SIZE // 32).mean((1, 3))
    return "\n".join("".join(shades[min(int(heat / HOTTEST * len(shades)), len(shades) - 1)] for heat in row) for row in means)


def step(grid, out):
    inner = grid[1:-1, 1:-1]
    out[1:-1, 1:-1] = inner + (grid[:-2, 1:-1] + grid[2:, 1:-1] + grid[1:-1, :-2] + grid[1:-1, 2:] - inner * 4) * RATE


a = np.zeros((SIZE, SIZE), np.float32)
a[0] = HOTTEST
a[128:192, 64:160] = HOTTEST
b = a.copy()
before = picture(a)

started = time.perf_counter()
for _ in range(0, STEPS, 2):
    step(a, b)
    step(b, a)
ms = (time.perf_counter() - started) * 1000

finish(__file__, ms, {"mean": a.mean(dtype=np.float64), "column": a[:, 112], "before": before, "after": picture(a)})
