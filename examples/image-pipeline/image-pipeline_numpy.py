"""The NumPy twin of image-pipeline.ts."""
import sys
import time
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parent.parent))
from twin import finish  # noqa: E402

HEIGHT = 480
WIDTH = 640
CROP = 224
MEAN = np.array([0.485, 0.456, 0.406], np.float32)
DEVIATION = np.array([0.229, 0.224, 0.225], np.float32)

y, x = np.mgrid[:HEIGHT, :WIDTH]
picture = np.stack([x * 3 + y, x ^ y, (x * y) >> 6], axis=-1).astype(np.uint8)

started = time.perf_counter()
corners = [picture[i::2, j::2].astype(np.float32) for i in (0, 1) for j in (0, 1)]
half = (corners[0] + corners[1] + corners[2] + corners[3]) / 4
top, left = (HEIGHT // 2 - CROP) // 2, (WIDTH // 2 - CROP) // 2
middle = half[top : top + CROP, left : left + CROP]
image = np.ascontiguousarray(((middle / 255 - MEAN) / DEVIATION).transpose(2, 0, 1)[None])
ms = (time.perf_counter() - started) * 1000

axes = (0, 2, 3)
finish(
    __file__,
    ms,
    {
        "shape": image.shape,
        "means": image.mean(axes, dtype=np.float64),
        "deviations": image.std(axes, dtype=np.float64),
        "samples": image[0, :, ::37, ::41],
    },
)
