"""Times workloads in JAX. Without an argument it prints their names, else one workload's times in ns and its checksum."""

import json
import os
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

IMAGES = 32
LAYOUT = ("NHWC", "HWIO", "NHWC")


def floats(sizes, seed, scale):
    """Returns the numbers of data.mjs's linear congruential generator."""
    numbers = np.empty(int(np.prod(sizes)), np.float32)
    state = seed
    for i in range(numbers.size):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        numbers[i] = -1 + 2 * ((state >> 8) / 16777216)
    return (numbers * np.float32(scale)).reshape(sizes)


def convolution_network():
    """Returns the loss and the weights of training-data.mjs's convolution network."""
    x = floats((IMAGES, 28, 28, 1), 1, 1)
    y = np.zeros((IMAGES, 10), np.float32)
    y[np.arange(IMAGES), np.arange(IMAGES) * 7 % 10] = 1
    weights = (
        floats((3, 3, 1, 16), 2, 0.3),
        floats((16,), 5, 0.1),
        floats((3, 3, 16, 32), 3, 0.1),
        floats((32,), 6, 0.1),
        floats((1568, 10), 4, 0.05),
        floats((10,), 7, 0.1),
    )

    def layer(images, filters, bias):
        product = jax.lax.conv_general_dilated(images, filters, (1, 1), "SAME", dimension_numbers=LAYOUT)
        return jax.lax.reduce_window(jax.nn.relu(product + bias), -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")

    def loss(weights):
        f1, b1, f2, b2, w, b = weights
        scores = layer(layer(x, f1, b1), f2, b2).reshape(IMAGES, -1) @ w + b
        return -jnp.sum(jax.nn.log_softmax(scores) * y) / IMAGES

    step = jax.jit(jax.value_and_grad(loss))
    return lambda: jax.block_until_ready(step(weights))[0]


CASES = {"gradients of a convolution network": convolution_network}

if len(sys.argv) == 1:
    print(json.dumps({"version": jax.__version__, "cases": list(CASES)}))
else:
    # XLA's flags leave a pool for operations: one core makes it one thread.
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    run = CASES[sys.argv[1]]()
    checksum = float(run())
    samples = []
    end = time.perf_counter_ns() + 400_000_000
    while time.perf_counter_ns() < end:
        started = time.perf_counter_ns()
        run()
        samples.append(time.perf_counter_ns() - started)
    print(json.dumps({"nanoseconds": samples, "checksum": checksum}))
