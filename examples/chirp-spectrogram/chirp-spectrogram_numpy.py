"""The NumPy twin of chirp-spectrogram.ts."""
import math
import sys
import time
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parent.parent))
from twin import finish  # noqa: E402

RATE = 8000
LENGTH = 16000
FROM = 100
TO = 3500
FRAME = 256
STEP = 250


def band_pass(x):
    """Two resonances of 1000 hertz, one after the other, each in the transposed direct form II."""
    radius, angle = 0.85, 2 * math.pi * 1000 / RATE
    b0, b2, a1, a2 = 1 - radius, radius - 1, -2 * radius * math.cos(angle), radius * radius
    for _ in range(2):
        y = []
        z0 = z1 = 0.0
        for value in x:
            result = b0 * value + z0
            z0 = -a1 * result + z1
            z1 = b2 * value - a2 * result
            y.append(result)
        x = y
    return np.array(x)


def draw(power):
    lines = []
    for band in reversed(range(16)):
        most = power[:, 8 * band : 8 * band + 8].max(1)
        lines.append("".join("#" if m > 300 else "+" if m > 30 else "." if m > 3 else " " for m in most).rstrip())
    return lines


t = np.arange(LENGTH) / RATE
chirp = np.sin(2 * np.pi * (FROM * t + (TO - FROM) * t * t / (2 * (LENGTH / RATE))))
started = time.perf_counter()
filtered = band_pass(chirp.tolist())
frames = np.lib.stride_tricks.sliding_window_view(filtered, FRAME)[::STEP]
window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(FRAME) / FRAME)
power = np.abs(np.fft.rfft(frames * window)) ** 2
ms = (time.perf_counter() - started) * 1000

finish(__file__, ms, {"loudest": power.argmax(1), "levels": np.log10(power.sum(1) + 1e-12), "picture": draw(power)})
