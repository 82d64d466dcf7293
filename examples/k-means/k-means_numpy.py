"""The NumPy twin of k-means.ts."""
import sys
import time
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parent.parent))
from twin import finish, read_data  # noqa: E402

GROUPS = 10
MAX_STEPS = 100


def k_means(x, c):
    """Lloyd's algorithm. Moves the centers c and returns the group of each point and the number of steps."""
    before = np.zeros(len(x), np.int32)
    lengths = np.square(x).sum(1, keepdims=True)
    for step in range(1, MAX_STEPS):
        group = (lengths - x @ c.T * 2 + np.square(c).sum(1)).argmin(1).astype(np.int32)
        if np.array_equal(group, before):
            return group, step
        before = group
        members = np.eye(len(c), dtype=np.float32)[group]
        counts = members.sum(0)[:, None]
        c[:] = np.where(counts > 0, members.T @ x / np.maximum(counts, 1), c)
    return before, MAX_STEPS


points = read_data("digits.npy").reshape(-1, 64).astype(np.float32)
labels = read_data("digits-labels.npy")
centers = points[:GROUPS].copy()

started = time.perf_counter()
groups, steps = k_means(points, centers)
ms = (time.perf_counter() - started) * 1000

table = np.eye(GROUPS, dtype=np.int32)[groups].T @ np.eye(10, dtype=np.int32)[labels]
finish(__file__, ms, {"groups": groups, "centers": centers, "table": table, "steps": steps})
