"""The NumPy twin of digits-devices.ts."""
import math
import sys
import time
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parent.parent))
from twin import finish, lehmer, read_data  # noqa: E402

HIDDEN = 32
PARTS = 5
PART = 352
EPOCHS = 60
RATE = np.float32(0.5)
INK = np.float32(16)


def random_weights(inputs, outputs, seed):
    limit = math.sqrt(6 / (inputs + outputs))
    random = lehmer(seed)
    return np.array([(2 * next(random) - 1) * limit for _ in range(inputs * outputs)], np.float32).reshape(inputs, outputs)


def softmax(x):
    powers = np.exp(x - x.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


pixels = read_data("digits.npy")[: PART * PARTS].reshape(PART, PARTS, 64).astype(np.float32) / INK
labels = read_data("digits-labels.npy")[: PART * PARTS].reshape(PART, PARTS)
wanted = np.eye(10, dtype=np.float32)[labels]
test = PARTS - 1
w1, b1 = random_weights(64, HIDDEN, 1), np.zeros(HIDDEN, np.float32)
w2, b2 = random_weights(HIDDEN, 10, 2), np.zeros(10, np.float32)

losses = []
started = time.perf_counter()
for epoch in range(EPOCHS):
    loss = 0.0
    for part in range(test):
        x, y = pixels[:, part], wanted[:, part]
        h = np.maximum(x @ w1 + b1, 0)
        p = softmax(h @ w2 + b2)
        loss -= float((np.log(p) * y).sum()) / (PART * test)
        e2 = (p - y) / np.float32(PART)
        e1 = np.where(h > 0, e2 @ w2.T, np.float32(0))
        w2 -= h.T @ e2 * RATE
        b2 -= e2.sum(0) * RATE
        w1 -= x.T @ e1 * RATE
        b1 -= e1.sum(0) * RATE
    losses.append(loss)
ms = (time.perf_counter() - started) * 1000

predicted = (np.maximum(pixels[:, test] @ w1 + b1, 0) @ w2 + b2).argmax(1)
right = int((predicted == labels[:, test]).sum())
finish(__file__, ms, {"losses": losses, "predicted": predicted, "right": right, "tested": PART})
