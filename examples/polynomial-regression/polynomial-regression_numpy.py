"""The NumPy twin of polynomial-regression.ts."""
import math
import sys
import time
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parent.parent))
from twin import finish, lehmer  # noqa: E402

TRUE = (-0.8, -0.2, 0.9, 0.5)
POINTS = 100
NOISE = 0.04
STEPS = 75
RATE = 0.5

random = lehmer(7)


def normal():
    return math.sqrt(-2 * math.log(next(random))) * math.cos(2 * math.pi * next(random))


x = np.array([2 * next(random) - 1 for _ in range(POINTS)], np.float32)
y = np.array([TRUE[0] * v**3 + TRUE[1] * v**2 + TRUE[2] * v + TRUE[3] + NOISE * normal() for v in x.tolist()], np.float32)
y = (y - y.min()) / (y.max() - y.min())
w = np.array([next(random) for _ in range(4)], np.float32)


def prediction():
    return x**3 * w[0] + np.square(x) * w[1] + x * w[2] + w[3]


losses = []
started = time.perf_counter()
for _ in range(STEPS):
    error = prediction() - y
    losses.append(float(np.square(error).mean()))
    for i, power in enumerate((x**3, np.square(x), x, np.ones_like(x))):
        w[i] -= np.float32(2 * RATE) * (error * power).mean()
ms = (time.perf_counter() - started) * 1000

finish(__file__, ms, {"coefficients": w, "losses": losses, "fitted": prediction()})
