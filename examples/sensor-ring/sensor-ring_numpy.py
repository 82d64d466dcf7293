"""The NumPy twin of sensor-ring.ts."""
import sys
import time
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parent.parent))
from twin import finish  # noqa: E402

CAPACITY = 1000
BLOCK = 64
WINDOW = 256
BLOCKS = 400

ring = np.zeros((CAPACITY, 3), np.float32)
means = np.zeros((BLOCKS, 3), np.float32)
over_the_end = 0


def views_of(start, count):
    """The readings from number `start` on: one view, or two where they go over the end of the ring."""
    begin = start % CAPACITY
    over = max(0, begin + count - CAPACITY)
    first = ring[begin : begin + count - over]
    return [first] if over == 0 else [first, ring[:over]]


started = time.perf_counter()
for block in range(BLOCKS):
    i = np.arange(block * BLOCK, (block + 1) * BLOCK)[:, None]
    arrived = (np.abs(i * np.arange(3, 6) % 1000 - 500) / 500).astype(np.float32)
    for place, part in zip(views_of(block * BLOCK, BLOCK), np.split(arrived, [CAPACITY - block * BLOCK % CAPACITY])):
        place[:] = part
    count = min(WINDOW, (block + 1) * BLOCK)
    views = views_of((block + 1) * BLOCK - count, count)
    over_the_end += len(views) - 1
    for view in views:
        means[block] += view.sum(0) / np.float32(count)
ms = (time.perf_counter() - started) * 1000

finish(__file__, ms, {"means": means, "overTheEnd": over_the_end})
