"""Gradients of whole expression trees by TensorFlow's GradientTape, for `npm run interop`.

A tree is a list of nodes, each after its inputs: {"op", "dtype", "dims", "inputs", attributes}; the last one is the root. Leaves have their
elements' bytes; so have all nodes of integers and bools, which have no gradients. The number whose gradients are computed is the sum of the
root's elements, of complex ones the real parts, with weights.

Where TensorFlow's rule for an operation is another one on purpose, or wrong, the operation is written in steps here.
"""

import numpy as np
import tensorflow as tf

from tensorflow_expressions import TF_PLAIN


class OnPurpose(Exception):
    """Why a tree is not compared."""


def check_numbers(what, *tensors):
    """TensorFlow's extremes and products lose NaN, or find it, at other places than ours."""
    if any(np.isnan(x.numpy()).any() for x in tensors):
        raise OnPurpose(f"{what} of NaN")


def running(combine, start):
    """Returns a scan that combines the elements of an axis one after the other."""

    def run(x, axis, exclusive, reverse):
        check_numbers("a scan", x)
        parts = tf.unstack(tf.reverse(x, [axis]) if reverse else x, axis=axis)
        value, results = tf.fill(parts[0].shape, tf.constant(start, x.dtype)) if parts else None, []
        for part in parts:
            after = combine(part, value)
            results.append(value if exclusive else after)
            value = after
        result = tf.stack(results, axis) if parts else x
        return tf.reverse(result, [axis]) if reverse else result

    return run


def running_product(x, axis, exclusive, reverse):
    """TensorFlow's, but where an element is 0, because its gradient divides by it, and of complex numbers, because it lacks the conjugate."""
    check_numbers("a running product", x)
    if x.dtype.is_complex or np.any(x.numpy() == 0):
        return running(tf.multiply, 1)(x, axis, exclusive, reverse)
    return tf.math.cumprod(x, axis, exclusive, reverse)


def scan_of_three(gives, after):
    """A cumulative sum of which a step gives something, and which changes after that."""

    def run(node, *operands):
        axis, exclusive, reverse = node["axis"], node["exclusive"], node["reverse"]
        check_numbers("a scan of three operands", *operands)
        rows = [tf.unstack(tf.reverse(x, [axis]) if reverse else x, axis=axis) for x in operands]
        total, results = tf.zeros_like(rows[0][0]) if rows[0] else None, []
        for term, second, third in zip(*rows):
            total = total if exclusive else total + term
            results.append(gives(total, second, third))
            total = after(total, second, third)
            total = total + term if exclusive else total
        result = tf.stack(results, axis) if results else operands[0]
        return tf.reverse(result, [axis]) if reverse else result

    return run


def nothing_of(x, dims):
    """Returns no elements of x: its gradient is 0, but not absent."""
    return tf.reshape(tf.boolean_mask(x, np.zeros(x.shape, bool)), dims)


def sliced(x, begin, steps, dims):
    if 0 in dims:
        return nothing_of(x, dims)
    for axis, (first, step, count) in enumerate(zip(begin, steps, dims)):
        x = tf.gather(x, first + step * np.arange(count), axis=axis)
    return x


def gathered(x, indices, axis, dims):
    return nothing_of(x, dims) if 0 in dims else tf.gather(x, indices, axis=axis)


def patches(x, axes, strides, dilations, dims):
    rank = len(dims) - len(axes)
    for k, (axis, stride, dilation) in enumerate(zip(axes, strides, dilations)):
        places = stride * np.arange(dims[axis])[:, None] + dilation * np.arange(dims[rank + k])[None, :]
        x = tf.gather(x, places, axis=axis)
        order = [d for d in range(len(x.shape)) if d != axis + 1] + [axis + 1]
        x = tf.transpose(x, order)
    return x


def scattered(x, indices, updates, axis, reduction, skips):
    """Of several updates of one row the last counts, as with us: TensorFlow does not say which."""
    size = x.shape[axis]
    kept = np.ones(indices.shape, bool) if skips == "none" else indices >= 0 if skips == "negative" else indices < size
    at = np.flatnonzero(kept)
    if reduction == "update":
        at = np.array([j for j in at if not np.any(indices[at[at > j]] == indices[j])], np.int64)
    order = [axis] + [d for d in range(len(x.shape)) if d != axis]
    rows, new = tf.transpose(x, order), tf.gather(tf.transpose(updates, order), at, axis=0)
    if 0 in x.shape:
        return tf.identity(x)
    if reduction == "mul":
        check_numbers("a scatter mul", new, tf.gather(rows, indices[at]))
        parts = tf.unstack(rows, axis=0)
        for j, row in enumerate(indices[at]):
            parts[row] = parts[row] * new[j]
        rows = tf.stack(parts, 0) if parts else rows
    else:
        if reduction in ("min", "max"):
            check_numbers(f"a scatter {reduction}", rows, new)
        names = {"update": tf.tensor_scatter_nd_update, "add": tf.tensor_scatter_nd_add, "min": tf.tensor_scatter_nd_min, "max": tf.tensor_scatter_nd_max}
        rows = names[reduction](rows, indices[at][:, None], new)
    return tf.transpose(rows, np.argsort(order))


def in_order(x, descending, count):
    """Sorts by the places of the sorted elements: NaN is last, equal elements stay in order."""
    order = np.argsort(-x.numpy() if descending else x.numpy(), axis=-1, kind="stable")
    return tf.gather(x, order[..., :count], batch_dims=len(x.shape) - 1, axis=-1)


@tf.custom_gradient
def remainder_of_same_sizes(x, y):
    quotient = np.trunc((x / y).numpy())
    return tf.truncatemod(x, y), lambda g: (g, -tf.convert_to_tensor(g) * quotient)


def of_equal_sizes(function):
    """Returns the function for operands that are broadcast first, which have the sums of their gradients."""

    def run(x, y):
        shape = tf.broadcast_static_shape(x.shape, y.shape)
        return function(tf.broadcast_to(x, shape), tf.broadcast_to(y, shape))

    return run


@tf.custom_gradient
def next_of_same_sizes(x, y):
    return tf.math.nextafter(x, y), lambda g: (g, tf.zeros_like(tf.convert_to_tensor(g)))


def next_neighbor(x, y):
    """Without a gradient of y, as with us: TensorFlow goes on with zeros, which are NaN where they meet a slope that is none."""
    return of_equal_sizes(next_of_same_sizes)(x, tf.stop_gradient(y))


def polygamma(order, x):
    if np.isinf(order.numpy()).any():
        raise OnPurpose("polygamma of an infinite order, whose sign alternates")
    return tf.math.polygamma(order, x)


def squared_difference(x, y):
    """TensorFlow's rule for complex numbers takes the gradient of the imaginary part, which is always 0, for one."""
    return tf.math.conj(x - y) * (x - y)


def root(x):
    """The root of -infinity is NaN, but its power with 1/2 is infinite."""
    return x ** 0.5 if x.dtype.is_complex else x ** 0.5 * np.where(x == -np.inf, np.nan, 1)


def xlogy(x, y):
    """At the pole of the logarithm the sums that follow are infinite or NaN by their order."""
    if np.any((y.numpy() == 0) & (x.numpy() != 0)):
        raise OnPurpose("xlogy at the pole of the logarithm")
    return tf.math.xlogy(x, y)


# What TensorFlow has no operation for, or none with a gradient; and those of which its gradient is 0 wherever that of the result is 0,
# whatever the slope: ours is linear in the gradient of the result, which forward mode needs.
IN_STEPS = {
    "squaredDifference": squared_difference,
    "xlogy": xlogy,
    "sqrt": root,
    "rsqrt": lambda x: 1 / root(x),
    "reciprocal": lambda x: 1 / x,
    "sign": lambda x: tf.sign(x) if x.dtype.is_complex else tf.stop_gradient(tf.sign(x)),
    "cbrt": lambda x: tf.sign(x) * tf.abs(x) ** (1 / 3),
    "exp2": lambda x: tf.exp(x * np.log(2)),
    "log2": lambda x: tf.math.log(x) / np.log(2),
    "log10": lambda x: tf.math.log(x) / np.log(10),
    "truncateMod": of_equal_sizes(remainder_of_same_sizes),
    "nextAfter": next_neighbor,
    "polygamma": polygamma,
    "floor": lambda x: tf.stop_gradient(tf.floor(x)),
    "floorDiv": lambda x, y: tf.stop_gradient(tf.math.floordiv(x, y)),
}

REDUCTIONS = {"sum": tf.reduce_sum, "mean": tf.reduce_mean, "prod": tf.reduce_prod, "max": tf.reduce_max, "min": tf.reduce_min}
SCANS = {
    "cumsum": lambda x, *options: tf.cumsum(x, *options),
    "cumprod": running_product,
    "cummax": running(tf.maximum, -np.inf),
    "cummin": running(tf.minimum, np.inf),
}

OTHERS = {
    "scaledCumsum": scan_of_three(lambda total, a, w: total * w, lambda total, a, w: total * a),
    "markedCumsum": scan_of_three(lambda total, x, z: tf.where(x == z, total, tf.zeros_like(total)), lambda total, x, z: tf.where(x == z, tf.zeros_like(total), total)),
    "select": lambda node, c, x, y: tf.where(c, x, y),
    "cast": lambda node, x: tf.cast(x, node["dtype"]),
    "reshape": lambda node, x: tf.reshape(x, node["dims"]),
    "shuffle": lambda node, x: tf.transpose(x, node["permutation"]),
    "slice": lambda node, x: sliced(x, node["begin"], node["steps"], node["dims"]),
    "chip": lambda node, x: tf.gather(x, node["offset"], axis=node["axis"]),
    "reverse": lambda node, x: tf.reverse(x, node["axes"]),
    "broadcast": lambda node, x: tf.broadcast_to(x, node["dims"]),
    "extractPatches": lambda node, x: patches(x, node["axes"], node["strides"], node["dilations"], node["dims"]),
    "concatenate": lambda node, *parts: tf.concat(parts, node["axis"]),
    "gather": lambda node, x, i: gathered(x, i, node["axis"], node["dims"]),
    "scatter": lambda node, x, i, u: scattered(x, i.numpy(), u, node["axis"], node["reduction"], node["skips"]),
    "matMul": lambda node, x, y: tf.matmul(x, y, node["transposeA"], node["transposeB"]),
    "sort": lambda node, x: in_order(x, node["descending"], node["dims"][-1]),
    "nthElements": lambda node, x: tf.gather(in_order(x, False, x.shape[-1]), node["places"], axis=-1),
}


def computed(node, values):
    op, inputs = node["op"], [values[i] for i in node["inputs"]]
    if op in REDUCTIONS:
        return REDUCTIONS[op](inputs[0], node["axes"], node["keepDims"])
    if op in SCANS:
        return SCANS[op](inputs[0], node["axis"], node["exclusive"], node["reverse"])
    if op in OTHERS:
        return OTHERS[op](node, *inputs)
    return (IN_STEPS.get(op) or TF_PLAIN[op])(*inputs)


def leaf(node):
    return tf.constant(np.frombuffer(bytes.fromhex(node["content"]), node["dtype"]).reshape(node["dims"]))


def weighted(root, weights):
    real = tf.math.real(root) if root.dtype.is_complex else root
    return tf.reduce_sum(real * np.frombuffer(bytes.fromhex(weights)).reshape(root.shape))


def gradients(nodes, variables, weights):
    """Returns the value of the root and the gradients of the leaves at the places `variables`; zeros where it does not change with one."""
    values = [leaf(node) if "content" in node else None for node in nodes]
    with tf.GradientTape() as tape:
        tape.watch([values[i] for i in variables])
        for i, node in enumerate(nodes):
            if values[i] is None:
                values[i] = computed(node, values)
        y = weighted(values[-1], weights)
    found = tape.gradient(y, [values[i] for i in variables], unconnected_gradients=tf.UnconnectedGradients.ZERO)
    return values[-1].numpy(), [tf.convert_to_tensor(each).numpy() for each in found]
