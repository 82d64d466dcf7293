"""Times the workloads in NumPy. Without an argument it prints their names, else one workload's median time in ns and its checksum."""

import json
import statistics
import sys
import time

import numpy as np


def floats(n, seed):
    """Returns the numbers of data.mjs's linear congruential generator; computes the states by doubling powers of the multiplier."""
    states = np.empty(n, np.uint32)
    a, c, state = 1664525, 1013904223, seed
    block = min(n, 4096)
    for i in range(block):
        state = (state * a + c) & 0xFFFFFFFF
        states[i] = state
    # Each step advances `block` elements at once.
    jump_a, jump_c = 1, 0
    for _ in range(block):
        jump_a, jump_c = jump_a * a & 0xFFFFFFFF, (jump_c * a + c) & 0xFFFFFFFF
    for i in range(block, n, block):
        end = min(i + block, n)
        states[i:end] = states[i - block : end - block] * np.uint32(jump_a) + np.uint32(jump_c)
    return (-1 + 2 * ((states >> 8) / np.float64(16777216))).astype(np.float32)


def integers(n, seed, classes, dtype=np.int32):
    return np.floor((floats(n, seed).astype(np.float64) + 1) / 2 * classes).astype(dtype)


def vectors(n):
    return [floats(n, seed) for seed in (1, 2, 3)]


def square(side):
    return [floats(side * side, 1).reshape(side, side)]


def product(side):
    return [floats(side * side, seed).reshape(side, side) for seed in (1, 2)]


def scatter_add(a, rows, updates):
    result = a.copy()
    np.add.at(result, rows, updates)
    return result


def exp_chain(a, b, c):
    t = a * b
    t += c
    return np.exp(t, out=t)


CASES = {
    "add 100": (lambda: vectors(100)[:2], np.add),
    "add 1e4": (lambda: vectors(10000)[:2], np.add),
    "exp(a*b+c) 1e4": (lambda: vectors(10**4), exp_chain),
    "exp(a*b+c) 1e6": (lambda: vectors(10**6), exp_chain),
    "exp(a*b+c) 1e7": (lambda: vectors(10**7), exp_chain),
    "relu chain": (lambda: vectors(10**6)[:2], lambda a, b: np.maximum((a - b) * np.float32(1.5) + np.float32(0.25), np.float32(0))),
    "tanh": (lambda: [floats(10**6, 1) * np.float32(4)], np.tanh),
    "sum all": (lambda: square(1024), np.sum),
    "max all": (lambda: square(1024), np.max),
    "sum axis 0": (lambda: square(1024), lambda a: a.sum(0)),
    "sum axis 1": (lambda: square(1024), lambda a: a.sum(1)),
    "argmax rows": (lambda: square(1024), lambda a: a.argmax(1)),
    "matMul 4": (lambda: product(4), np.matmul),
    "matMul 16": (lambda: product(16), np.matmul),
    "matMul 64": (lambda: product(64), np.matmul),
    "matMul 256": (lambda: product(256), np.matmul),
    "matMul 511": (lambda: product(511), np.matmul),
    "matMul 512": (lambda: product(512), np.matmul),
    "matMul 1024": (lambda: product(1024), np.matmul),
    "matMul transposed 512": (lambda: product(512), lambda a, b: a.T @ b),
    "matMul by transposed 512": (lambda: product(512), lambda a, b: a @ b.T),
    "matMul both transposed 512": (lambda: product(512), lambda a, b: a.T @ b.T),
    "matMul float64 512": (lambda: [a.astype(np.float64) for a in product(512)], np.matmul),
    "dot 1000": (lambda: vectors(1000)[:2], np.dot),
    "outer 64": (lambda: vectors(64)[:2], np.outer),
    "matMul batch": (lambda: [floats(2**18, 1).reshape(32, 128, 64), floats(2**18, 2).reshape(32, 64, 128)], np.matmul),
    "matMul vector": (lambda: [floats(2**20, 1).reshape(1024, 1024), floats(1024, 2).reshape(1024, 1)], np.matmul),
    "sort 1000": (lambda: vectors(1000)[:1], np.sort),
    "sort 1e6": (lambda: vectors(10**6)[:1], np.sort),
    "argsort 1e6": (lambda: vectors(10**6)[:1], lambda a: np.argsort(a, kind="stable")),
    "sort int32 1e6": (lambda: [integers(10**6, 1, 2**31)], np.sort),
    "sort float64 1e6": (lambda: [floats(10**6, 1).astype(np.float64)], np.sort),
    "sort columns": (lambda: square(1024), lambda a: np.sort(a, axis=0)),
    "median 1e6": (lambda: [floats(10**6, 1)], np.median),
    "bincount 1e6": (lambda: [integers(10**6, 1, 1000)], lambda a: np.bincount(a, minlength=1000)),
    "histogram 1e6": (lambda: [floats(10**6, 1)], lambda a: np.histogram(a, 100)[0]),
    "segment sums 1e6": (lambda: [floats(10**6, 1), integers(10**6, 2, 1000)], lambda a, ids: np.bincount(ids, a, 1000)),
    "cummax 1e6": (lambda: [floats(10**6, 1)], np.maximum.accumulate),
    "gather 200 rows": (lambda: [floats(8000, 1).reshape(1000, 8), integers(200, 2, 1000)], lambda a, i: np.take(a, i, 0)),
    "gather 1e5 rows": (lambda: [floats(1600000, 1).reshape(10**5, 16), integers(10**5, 2, 10**5)], lambda a, i: np.take(a, i, 0)),
    "scatter add 1e5 rows": (
        lambda: [floats(1600000, 1).reshape(10**5, 16), integers(10**5, 2, 10**5), floats(1600000, 3).reshape(10**5, 16)],
        scatter_add,
    ),
    "one-hot [100,10]": (lambda: [integers(100, 1, 10)], lambda a: np.eye(10, dtype=np.float32)[a]),
    "reverse [512,512]": (lambda: square(512), lambda a: np.flip(a).copy()),
    "roll uint8 [256,256]": (lambda: [integers(65536, 1, 256, np.uint8).reshape(256, 256)], lambda a: np.roll(a, (10, 20), (0, 1))),
    "cumsum 1e6": (lambda: [floats(10**6, 1)], np.cumsum),
    "cumsum axis 0": (lambda: square(1024), lambda a: a.cumsum(0)),
    "cumsum 1000": (lambda: [floats(1000, 1)], np.cumsum),
    "topK 10 of 1e6": (lambda: [floats(10**6, 1)], lambda a: np.sort(np.partition(a, -10)[-10:])[::-1]),
    "concatenate two [64,64]": (lambda: [a.reshape(64, 64) for a in (floats(4096, 1), floats(4096, 2))], lambda a, b: np.concatenate([a, b])),
    "roll [256,256]": (lambda: square(256), lambda a: np.roll(a, (10, 20), (0, 1))),
    "transpose copy": (lambda: square(2048), lambda a: np.ascontiguousarray(a.T)),
}

if len(sys.argv) == 1:
    print(json.dumps({"version": np.__version__, "cases": list(CASES)}))
else:
    make, compute = CASES[sys.argv[1]]
    inputs = make()
    started = time.perf_counter_ns()
    compute(*inputs)
    once = time.perf_counter_ns() - started
    batch = max(1, min(2000, int(1e6 / max(once, 1))))
    samples = []
    end = time.perf_counter_ns() + 120_000_000
    while time.perf_counter_ns() < end:
        started = time.perf_counter_ns()
        for _ in range(batch):
            compute(*inputs)
        samples.append((time.perf_counter_ns() - started) / batch)
    checksum = float(np.mean(compute(*inputs), dtype=np.float64))
    print(json.dumps({"nanoseconds": statistics.median(samples), "checksum": checksum}))
