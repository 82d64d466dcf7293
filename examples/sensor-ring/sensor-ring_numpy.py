"""The NumPy twin of sensor-ring.ts."""
import sys
import time
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parent.parent))
from twin import finish  # noqa: E402

CAPACITY = 1024
BLOCK = 64
WINDOW = 256
BLOCKS = 400

ring = np.zeros((CAPACITY, 3), np.float32)
means = np.zeros((BLOCKS, 3), np.float32)
over_the_end = 0

started = time.perf_counter()
for block in range(BLOCKS):
    start = block * BLOCK % CAPACITY
    i = np.arange(block * BLOCK, (block + 1) * BLOCK)[:, None]
    ring[start : start + BLOCK] = np.abs(i * np.arange(3, 6) % 1000 - 500) / 500
    end = start + BLOCK
    count = min(WINDOW, (block + 1) * BLOCK)
    views = [ring[end - count : end]] if count <= end else [ring[end - count :], ring[:end]]
    over_the_end += len(views) - 1
    for view in views:
        means[block] += view.sum(0) / np.float32(count)
ms = (time.perf_counter() - started) * 1000

finish(__file__, ms, {"means": means, "overTheEnd": over_the_end})
