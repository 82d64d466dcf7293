"""The NumPy twin of pca-digits.ts: principal components of handwritten digits."""
import sys
import time
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parent.parent))
from twin import finish, read_data  # noqa: E402

PIXELS = 64
DRAWN = 5
KEPT = [5, 10, 20, 40]
SHADES = "@%*- .:+#"


def drawn(pictures):
    pictures = [picture / np.abs(picture).max() for picture in pictures]
    shade = lambda value: SHADES[int(np.floor((value + 1) * 4 + 0.5))] * 2
    lines = ["  ".join("".join(map(shade, picture[8 * row : 8 * row + 8])) for picture in pictures).rstrip() for row in range(8)]
    return "\n".join(lines)


def with_sign(component):
    return component * np.sign(component[np.abs(component).argmax()])


pixels = read_data("digits.npy").reshape(-1, PIXELS).astype(np.float64)
started = time.perf_counter()
centered = pixels - pixels.mean(0)
_, s, vh = np.linalg.svd(centered, full_matrices=False)
shares = s**2 / (s**2).sum()
errors = [np.mean((centered @ vh[:count].T @ vh[:count] - centered) ** 2) for count in KEPT]
ms = (time.perf_counter() - started) * 1000

picture = drawn([with_sign(component) for component in vh[:DRAWN]])
finish(__file__, ms, {"shares": shares, "errors": errors, "picture": picture})
