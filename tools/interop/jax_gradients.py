"""Gradients of whole expression trees by JAX, of first and of second order, for `npm run interop`.

Reads questions {"nodes", "variables", "weights", "directions"} as JSON, one a line: trees as in tensorflow_gradients.py, of float64 only. The
answer has the gradients, and with directions the gradients of their product with the directions.
"""

import json
import os
import sys

# Everything that libraries print goes to stderr, so that stdout contains only answers.
ANSWERS = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)
sys.dont_write_bytecode = True
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax.scipy import special  # noqa: E402

jax.config.update("jax_enable_x64", True)


def running(scan, start):
    """Returns a scan with the options of ours."""

    def run(x, axis, exclusive, reverse):
        x = jnp.flip(x, axis) if reverse else x
        result = scan(x, axis)
        if exclusive and x.shape[axis] > 0:
            first = jnp.full([1 if d == axis else size for d, size in enumerate(x.shape)], start, x.dtype)
            result = jnp.concatenate([first, jax.lax.slice_in_dim(result, 0, x.shape[axis] - 1, axis=axis)], axis)
        return jnp.flip(result, axis) if reverse else result

    return run


def scan_of_three(gives, after):
    """A cumulative sum of which a step gives something, and which changes after that."""

    def run(node, *operands):
        axis, exclusive, reverse = node["axis"], node["exclusive"], node["reverse"]
        rows = [list(jnp.moveaxis(jnp.flip(x, axis) if reverse else x, axis, 0)) for x in operands]
        total, results = jnp.zeros_like(rows[0][0]) if rows[0] else None, []
        for term, second, third in zip(*rows):
            total = total if exclusive else total + term
            results.append(gives(total, second, third))
            total = after(total, second, third)
            total = total + term if exclusive else total
        result = jnp.stack(results, axis) if results else operands[0]
        return jnp.flip(result, axis) if reverse else result

    return run


def sliced(x, begin, steps, dims):
    for axis, (first, step, count) in enumerate(zip(begin, steps, dims)):
        x = jnp.take(x, first + step * np.arange(count), axis)
    return x


def patches(x, axes, strides, dilations, dims):
    rank = len(dims) - len(axes)
    for k, (axis, stride, dilation) in enumerate(zip(axes, strides, dilations)):
        places = stride * np.arange(dims[axis])[:, None] + dilation * np.arange(dims[rank + k])[None, :]
        x = jnp.moveaxis(jnp.take(x, places, axis), axis + 1, -1)
    return x


def scattered(x, indices, updates, axis, reduction, skips):
    """One row after the other; the last of several updates of a row counts."""
    size = x.shape[axis]
    kept = np.ones(indices.shape, bool) if skips == "none" else indices >= 0 if skips == "negative" else indices < size
    combine = {"update": lambda a, b: b, "add": jnp.add, "mul": jnp.multiply, "min": jnp.minimum, "max": jnp.maximum}[reduction]
    rows, new = list(jnp.moveaxis(x, axis, 0)), jnp.moveaxis(updates, axis, 0)
    for j in np.flatnonzero(kept):
        rows[indices[j]] = combine(rows[indices[j]], new[j])
    return jnp.moveaxis(jnp.stack(rows), 0, axis) if rows else x


def in_order(x, descending, count):
    order = jnp.argsort(-x if descending else x, axis=-1, stable=True)[..., :count]
    return jnp.take_along_axis(x, order, -1)


class OnPurpose(Exception):
    """Why a tree is not compared."""


def power(x, y):
    """The result does not change with the exponent where the base is not positive, as in TensorFlow."""
    fixed = jax.lax.stop_gradient
    return jnp.where(x > 0, jnp.power(jnp.where(x > 0, x, 1), y), jnp.power(x, fixed(y)))


def next_after(x, y):
    fixed = jax.lax.stop_gradient
    return x + fixed(jnp.nextafter(fixed(x), fixed(y)) - fixed(x))


def polygamma(_order, _x):
    raise OnPurpose("polygamma, whose order JAX wants as an integer")


def zero_unless(f):
    """Returns a function that is 0 where its first operand is, as TensorFlow's xlogy and xdivy."""

    def run(x, y):
        is_zero = x == 0
        return jnp.where(is_zero, 0, f(x, jnp.where(is_zero, 1, y)))

    return run


ELEMENTWISE = {
    "neg": jnp.negative, "abs": jnp.abs, "sign": jnp.sign, "square": jnp.square, "reciprocal": jnp.reciprocal, "sqrt": jnp.sqrt,
    "rsqrt": jax.lax.rsqrt, "cbrt": jnp.cbrt, "exp": jnp.exp, "exp2": jnp.exp2, "expm1": jnp.expm1, "log": jnp.log, "log2": jnp.log2,
    "log10": jnp.log10, "log1p": jnp.log1p, "sin": jnp.sin, "cos": jnp.cos, "tan": jnp.tan, "asin": jnp.arcsin, "acos": jnp.arccos,
    "atan": jnp.arctan, "sinh": jnp.sinh, "cosh": jnp.cosh, "tanh": jnp.tanh, "sigmoid": jax.nn.sigmoid, "asinh": jnp.arcsinh,
    "acosh": jnp.arccosh, "atanh": jnp.arctanh, "erf": special.erf, "erfc": special.erfc, "erfinv": special.erfinv,
    "lgamma": special.gammaln, "digamma": special.digamma, "floor": jnp.floor, "ceil": jnp.ceil, "round": jnp.round,
    "add": jnp.add, "sub": jnp.subtract, "mul": jnp.multiply, "div": jnp.divide, "floorDiv": jnp.floor_divide, "mod": jnp.mod,
    "truncateMod": jnp.fmod, "pow": power, "atan2": jnp.arctan2, "minimum": jnp.minimum, "maximum": jnp.maximum,
    "xdivy": zero_unless(jnp.divide), "xlogy": zero_unless(lambda x, y: x * jnp.log(y)), "polygamma": polygamma,
    "nextAfter": next_after, "squaredDifference": lambda x, y: (x - y) ** 2,
    "select": jnp.where,
}

REDUCTIONS = {"sum": jnp.sum, "mean": jnp.mean, "prod": jnp.prod, "max": jnp.max, "min": jnp.min}
SCANS = {
    "cumsum": running(jnp.cumsum, 0),
    "cumprod": running(jnp.cumprod, 1),
    "cummax": running(jax.lax.cummax, -np.inf),
    "cummin": running(jax.lax.cummin, np.inf),
}


def turned(x, is_turned):
    return jnp.swapaxes(x, -1, -2) if is_turned else x


OTHERS = {
    "scaledCumsum": scan_of_three(lambda total, a, w: total * w, lambda total, a, w: total * a),
    "markedCumsum": scan_of_three(lambda total, x, z: jnp.where(x == z, total, jnp.zeros_like(total)), lambda total, x, z: jnp.where(x == z, jnp.zeros_like(total), total)),
    "cast": lambda node, x: x.astype(node["dtype"]),
    "reshape": lambda node, x: jnp.reshape(x, node["dims"]),
    "shuffle": lambda node, x: jnp.transpose(x, node["permutation"]),
    "slice": lambda node, x: sliced(x, node["begin"], node["steps"], node["dims"]),
    "chip": lambda node, x: jnp.take(x, node["offset"], node["axis"]),
    "reverse": lambda node, x: jnp.flip(x, node["axes"]),
    "broadcast": lambda node, x: jnp.broadcast_to(x, node["dims"]),
    "extractPatches": lambda node, x: patches(x, node["axes"], node["strides"], node["dilations"], node["dims"]),
    "concatenate": lambda node, *parts: jnp.concatenate(parts, node["axis"]),
    "gather": lambda node, x, i: jnp.take(x, i, node["axis"]),
    "scatter": lambda node, x, i, u: scattered(x, i, u, node["axis"], node["reduction"], node["skips"]),
    "matMul": lambda node, x, y: jnp.matmul(turned(x, node["transposeA"]), turned(y, node["transposeB"])),
    "sort": lambda node, x: in_order(x, node["descending"], node["dims"][-1]),
    "nthElements": lambda node, x: in_order(x, False, x.shape[-1])[..., np.array(node["places"], int)],
}


def computed(node, values):
    op, inputs = node["op"], [values[i] for i in node["inputs"]]
    if op in REDUCTIONS:
        return REDUCTIONS[op](inputs[0], axis=tuple(node["axes"]), keepdims=node["keepDims"])
    if op in SCANS:
        return SCANS[op](inputs[0], node["axis"], node["exclusive"], node["reverse"])
    return OTHERS[op](node, *inputs) if op in OTHERS else ELEMENTWISE[op](*inputs)


def array_of(content, dtype, dims):
    return np.frombuffer(bytes.fromhex(content), dtype).reshape(dims)


def answer(question):
    nodes, variables = question["nodes"], question["variables"]
    constants = [array_of(node["content"], node["dtype"], node["dims"]) if "content" in node else None for node in nodes]
    weights = array_of(question["weights"], "float64", nodes[-1]["dims"])

    def y(leaves):
        values = list(constants)
        for i, x in zip(variables, leaves):
            values[i] = x
        for i, node in enumerate(nodes):
            if values[i] is None:
                values[i] = computed(node, values)
        return jnp.sum(values[-1] * weights)

    leaves = [jnp.asarray(constants[i]) for i in variables]
    if "directions" not in question:
        return {"gradients": [np.asarray(g).tobytes().hex() for g in jax.jit(jax.grad(y))(leaves)]}
    directions = [array_of(each, "float64", x.shape) for each, x in zip(question["directions"], leaves)]

    def along(leaves):
        return sum(jnp.sum(g * d) for g, d in zip(jax.grad(y)(leaves), directions))

    return {"gradients": [np.asarray(g).tobytes().hex() for g in jax.jit(jax.grad(along))(leaves)]}


for line in sys.stdin:
    question = json.loads(line)
    try:
        result = {"ok": {"jax": jax.__version__} if question["op"] == "hello" else answer(question)}
    except Exception as error:  # any refusal is an answer
        result = {"error": f"{type(error).__name__}: {error}"[:300]}
    ANSWERS.write(json.dumps(result) + "\n")
    ANSWERS.flush()
