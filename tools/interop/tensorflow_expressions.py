"""What TensorFlow and NumPy make of one operation on tensors: the side of `npm run interop` that expressions are held against.

Three answers for a case {op, inputs, args}, each absent where there is none:

    tensorflow   the operation as TensorFlow computes it, or its refusal
    numpy        the same by NumPy in the dtype's own arithmetic: what integers, moved elements and correctly rounded floats must be
    wide         floats in extended precision (64 bits of fraction on x86), as a sum of two doubles, and the size that an error
                 is measured against: the result itself, for sums that of the sum of the absolute values

Nothing here judges.
"""

import functools

import ml_dtypes
import numpy as np
import tensorflow as tf

FLOATS = ("float32", "float64", "float16", "bfloat16")
HALVES = ("float16", "bfloat16")
COMPLEX = ("complex64", "complex128")
WIDE_BITS = int(np.finfo(np.longdouble).nmant)


def name_of(array):
    return array.dtype.name


def is_float(x):
    return name_of(x) in FLOATS


def is_integer(x):
    return x.dtype.kind in "iu" and name_of(x) not in ("int4", "uint4", "int2", "uint2")


def by_float32(f):
    """Halves computed in float32 and rounded once, as between a load and a store."""

    def run(*inputs):
        if name_of(inputs[0]) not in HALVES:
            return f(*inputs)
        result = f(*(x.astype(np.float32) for x in inputs))
        return result if result.dtype == bool else result.astype(inputs[0].dtype)

    return run


# ---- TensorFlow


def div(x, y):
    return tf.raw_ops.Div(x=x, y=y)


TF_UNARY = {
    "neg": tf.negative, "abs": tf.abs, "sign": tf.sign, "square": tf.square, "reciprocal": tf.math.reciprocal, "sqrt": tf.sqrt,
    "rsqrt": tf.math.rsqrt, "exp": tf.exp, "expm1": tf.math.expm1, "log": tf.math.log, "log1p": tf.math.log1p, "sin": tf.sin,
    "cos": tf.cos, "tan": tf.tan, "asin": tf.asin, "acos": tf.acos, "atan": tf.atan, "sinh": tf.sinh, "cosh": tf.cosh,
    "tanh": tf.tanh, "sigmoid": tf.sigmoid, "erf": tf.math.erf, "floor": tf.floor, "ceil": tf.math.ceil, "round": tf.round,
    "isNan": tf.math.is_nan, "isInf": tf.math.is_inf, "isFinite": tf.math.is_finite, "logicalNot": tf.logical_not,
    "invert": tf.bitwise.invert,
}
TF_BINARY = {
    "add": tf.add, "sub": tf.subtract, "mul": tf.multiply, "div": div, "floorDiv": tf.math.floordiv, "mod": tf.math.floormod,
    "truncateMod": tf.truncatemod, "pow": tf.pow, "atan2": tf.atan2, "minimum": tf.minimum, "maximum": tf.maximum,
    "squaredDifference": tf.math.squared_difference, "equal": tf.equal, "notEqual": tf.not_equal, "less": tf.less,
    "lessEqual": tf.less_equal, "greater": tf.greater, "greaterEqual": tf.greater_equal, "logicalAnd": tf.logical_and,
    "logicalOr": tf.logical_or, "logicalXor": tf.math.logical_xor, "bitwiseAnd": tf.bitwise.bitwise_and,
    "bitwiseOr": tf.bitwise.bitwise_or, "bitwiseXor": tf.bitwise.bitwise_xor, "leftShift": tf.bitwise.left_shift,
    "rightShift": tf.bitwise.right_shift,
}
TF_REDUCE = {
    "sum": tf.reduce_sum, "prod": tf.reduce_prod, "mean": tf.reduce_mean, "max": tf.reduce_max, "min": tf.reduce_min,
    "any": tf.reduce_any, "all": tf.reduce_all,
}


def tf_sort(f):
    return lambda x, down: f(x, "DESCENDING" if down else "ASCENDING")


def tf_scatter(x, indices, updates, reduction):
    names = {"update": tf.tensor_scatter_nd_update, "add": tf.tensor_scatter_nd_add, "min": tf.tensor_scatter_nd_min, "max": tf.tensor_scatter_nd_max}
    return names[reduction](x, indices[:, None], updates)


def tf_cast(x, dtype, saturate):
    """Floats one by one: of a tensor's floats outside an integer's range, those in whole packets become something else than the rest."""
    cast = tf.saturate_cast if saturate else tf.cast
    target = tf.dtypes.as_dtype(dtype)
    if not (x.dtype.is_floating and target.is_integer) or x.dtype.name not in FLOATS:
        return cast(x, dtype)
    return tf.reshape(tf.concat([cast(x[i : i + 1], target) for i in range(x.shape[0])] or [cast(x[:0], target)], 0), x.shape)


def tf_layer_norm(x):
    mean, variance = tf.nn.moments(x, [-1], keepdims=True)
    return tf.nn.batch_normalization(x, mean, variance, None, None, 1e-3)


TENSORFLOW = {
    **TF_UNARY,
    **TF_BINARY,
    **TF_REDUCE,
    "cast": tf_cast,
    "select": tf.where,
    "shuffle": lambda x, p: tf.transpose(x, p),
    "reshape": tf.reshape,
    "slice": lambda x, begin, end, steps: tf.strided_slice(x, begin, end, steps),
    "chip": lambda x, offset, axis: tf.gather(x, offset, axis=axis),
    "reverse": tf.reverse,
    "broadcast": tf.broadcast_to,
    "concatenate": lambda *a: tf.concat(a[:-1], a[-1]),
    "gather": lambda x, i, axis: tf.gather(x, i, axis=axis),
    "scatter": tf_scatter,
    "argmax": lambda x, axis, dtype: tf.argmax(x, axis, dtype),
    "argmin": lambda x, axis, dtype: tf.argmin(x, axis, dtype),
    "cumsum": tf.cumsum,
    "cumprod": tf.math.cumprod,
    "matMul": lambda x, y, a, b: tf.matmul(x, y, a, b),
    "sort": tf_sort(tf.sort),
    "argsort": lambda x, down: tf.argsort(x, direction="DESCENDING" if down else "ASCENDING", stable=True),
    "linspace": lambda dtype, start, stop, count: tf.linspace(tf.constant(start, dtype), tf.constant(stop, dtype), count),
    "constant": lambda dtype, value, dims: tf.fill(dims, tf.constant(value, dtype)),
    "randomUniform": lambda dtype, dims, seed: tf.random.stateless_uniform(dims, [int(s) for s in seed], dtype=dtype, alg="philox"),
    "randomNormal": lambda dtype, dims, seed: tf.random.stateless_normal(dims, [int(s) for s in seed], dtype=dtype, alg="philox"),
    "randomUniformInt": lambda dtype, dims, seed, low, high: tf.random.stateless_uniform(
        dims, [int(s) for s in seed], None if low is None else int(low), None if high is None else int(high), dtype, alg="philox"
    ),
    "tile": tf.tile,
    "pad": lambda x, paddings, mode: tf.pad(x, paddings, mode),
    "roll": tf.roll,
    "clip": tf.clip_by_value,
    "relu": tf.nn.relu,
    "leakyRelu": tf.nn.leaky_relu,
    "silu": tf.nn.silu,
    "gelu": tf.nn.gelu,
    "softmax": tf.nn.softmax,
    "logSoftmax": tf.nn.log_softmax,
    "logSumExp": tf.reduce_logsumexp,
    "variance": tf.math.reduce_variance,
    "norm": lambda x, axes: tf.norm(x, axis=axes[0]),
    "l2Normalize": tf.math.l2_normalize,
    "layerNorm": tf_layer_norm,
    "oneHot": lambda x, depth, dtype: tf.one_hot(x, depth, dtype=dtype),
    "topK": lambda x, k: tf.math.top_k(x, k).values,
    "topKIndices": lambda x, k: tf.math.top_k(x, k).indices,
}

# ---- NumPy, exact


def first_if(better):
    """minimum and maximum: NaN wins, of equals the first."""

    def run(x, y):
        x, y = np.broadcast_arrays(x, y)
        return np.where(x != x, x, np.where(y != y, y, np.where(better(y, x), y, x)))

    return run


def truncated(x, y):
    """The integer quotient, cut off, and the remainder, of x's sign."""
    quotient = x // y
    rest = x - quotient * y
    wrong = (rest != 0) & ((x < 0) != (y < 0))
    quotient = (quotient + wrong).astype(x.dtype)
    return quotient, (x - quotient * y).astype(x.dtype)


def np_div(x, y):
    return truncated(x, y)[0] if is_integer(x) else x / y


def np_floor_div(x, y):
    return x // y if is_integer(x) else np.floor(x / y)


def np_mod(x, y):
    if is_integer(x):
        return np.mod(x, y)
    rest = np.fmod(x, y)
    return np.where((rest != 0) & ((rest < 0) != (y < 0)), rest + y, rest)


def np_shift(f):
    def run(x, y):
        return f(x, np.clip(y, 0, x.dtype.itemsize * 8 - 1).astype(x.dtype))

    return run


def np_sign(x):
    if is_integer(x):
        return np.sign(x)
    return np.where(x != x, x, (x > 0).astype(x.dtype) - (x < 0).astype(x.dtype))


def axes_of(x, axes):
    return tuple(range(x.ndim)) if axes is None else tuple(a % x.ndim for a in axes)


def reduce_by(step, initial):
    """One element after the other, in row-major order over the axes."""

    def run(x, axes, keep):
        chosen = axes_of(x, axes)
        count = int(np.prod([x.shape[a] for a in chosen], dtype=int))
        kept = [size for a, size in enumerate(x.shape) if a not in chosen]
        rows = np.moveaxis(x, chosen, range(len(chosen))).reshape([count, *kept])
        result = functools.reduce(step, rows, np.full(kept, initial(x.dtype), x.dtype)).astype(x.dtype)
        return result.reshape([1 if a in chosen else size for a, size in enumerate(x.shape)]) if keep else result

    return run


def lowest(dtype):
    return -np.inf if dtype.name in FLOATS else np.iinfo(dtype).min


def highest(dtype):
    return np.inf if dtype.name in FLOATS else np.iinfo(dtype).max


def np_mean(x, axes, keep):
    chosen = axes_of(x, axes)
    count = int(np.prod([x.shape[a] for a in chosen], dtype=int))
    # The sum is one of 64 bits and wraps around.
    total = np.sum(x, axis=chosen, keepdims=keep, dtype=np.int64 if x.dtype.kind == "i" else np.uint64)
    divide = np.frompyfunc(lambda s: 0 if count == 0 else abs(int(s)) // count * (1 if s >= 0 else -1), 1, 1)
    return np.asarray(divide(total.astype(object))).astype(x.dtype)


def integer_sum(f):
    return lambda x, axes, keep: f(x, axis=axes_of(x, axes), keepdims=keep, dtype=x.dtype)


def np_argmax(f, worst):
    def run(x, axis, dtype):
        flat = np.where(x != x, worst(x.dtype), x) if is_float(x) else x
        if name_of(x) == "bfloat16":
            flat = flat.astype(np.float32)
        return f(flat, axis=axis).astype(dtype)

    return run


def np_order(x, down):
    """The places of sorted elements, equal ones in their order, NaN last."""
    if is_integer(x):
        return np.argsort(~x if down else x, axis=-1, kind="stable").astype(np.int32)
    key = x.astype(np.float64)
    return np.argsort(-key if down else key, axis=-1, kind="stable").astype(np.int32)


def np_scan(f, start):
    def run(x, axis, exclusive, reverse):
        x = np.flip(x, axis) if reverse else x
        if exclusive:
            first = np.full([1 if a == axis else size for a, size in enumerate(x.shape)], start, x.dtype)
            x = np.concatenate([first, np.take(x, range(x.shape[axis] - 1), axis)], axis) if x.shape[axis] else x
        result = f(x, axis=axis, dtype=x.dtype)
        return np.flip(result, axis) if reverse else result

    return run


def np_mat_mul(x, y, a, b):
    x = np.swapaxes(x, -1, -2) if a else x
    y = np.swapaxes(y, -1, -2) if b else y
    return np.matmul(x, y)


def np_scatter(x, indices, updates, reduction):
    result = x.copy()
    step = {"update": lambda old, new: new, "add": lambda old, new: (old + new).astype(old.dtype), "min": NUMPY["minimum"], "max": NUMPY["maximum"]}
    for place, row in zip(indices, updates):
        result[place] = step[reduction](result[place], row)
    return result


def range_of(dtype):
    info = ml_dtypes.iinfo if dtype.name in NARROW_INTEGERS or dtype.kind in "iu" else ml_dtypes.finfo
    return info(dtype).min, info(dtype).max


NARROW_INTEGERS = ("int4", "uint4", "int2", "uint2")


def np_cast(x, dtype, saturate):
    target = np.dtype(tf.dtypes.as_dtype(dtype).as_numpy_dtype)
    if name_of(x) in NARROW_INTEGERS:
        x = x.astype(np.int8)
    if not saturate:
        return x.astype(target)
    low, high = range_of(target)
    if target.name in NARROW_INTEGERS or target.kind in "iu":
        clip = np.frompyfunc(lambda v: 0 if v != v else int(low) if v < int(low) else int(high) if v > int(high) else int(v), 1, 1)
        exact = np.asarray(clip(x.astype(np.float64).astype(object) if is_float(x) else x.astype(object)))
        return exact.astype(np.int64 if low < 0 else np.uint64).astype(target)
    # Whatever is stored in less than a float32 is one first. What a float32 or float64 cannot exceed is not bounded, infinity included.
    if target.name in ("float32", "float64") and (name_of(x), target.name) != ("float64", "float32"):
        return x.astype(target)
    if name_of(x) == "float64":
        x = np.clip(x, -FLOAT32_MAX, FLOAT32_MAX)
    return np.clip(x.astype(np.float32), np.float32(low), np.float32(high)).astype(target)


FLOAT32_MAX = float(np.finfo(np.float32).max)


def np_slice(x, begin, end, steps):
    return x[tuple(slice(b, e, s) for b, e, s in zip(begin, end, steps))]


def np_linspace(dtype, start, stop, count):
    target = tf.dtypes.as_dtype(dtype).as_numpy_dtype
    i = np.arange(count, dtype=np.float64)
    all_but_last = (start + i * (stop - start) / (count - 1)) if count > 1 else np.array([start], np.float64)
    return np.where(i == count - 1, stop if count > 1 else start, all_but_last).astype(target)


NUMPY = {
    "neg": np.negative, "abs": np.abs, "square": lambda x: x * x, "sign": np_sign, "reciprocal": by_float32(lambda x: x.dtype.type(1) / x),
    "sqrt": by_float32(np.sqrt), "floor": by_float32(np.floor), "ceil": by_float32(np.ceil),
    "round": by_float32(lambda x: x if is_integer(x) else np.rint(x)), "isNan": lambda x: x != x,
    "isInf": lambda x: np.abs(x) == np.inf, "isFinite": lambda x: (x == x) & (np.abs(x) != np.inf), "logicalNot": np.logical_not,
    "invert": np.invert,
    "add": by_float32(np.add), "sub": by_float32(np.subtract), "mul": by_float32(np.multiply), "div": by_float32(np_div),
    "floorDiv": by_float32(np_floor_div), "mod": by_float32(np_mod),
    "truncateMod": by_float32(lambda x, y: truncated(x, y)[1] if is_integer(x) else np.fmod(x, y)),
    "pow": lambda x, y: np.power(x, y) if is_integer(x) else None,
    "minimum": first_if(np.less), "maximum": first_if(np.greater), "squaredDifference": by_float32(lambda x, y: (x - y) * (x - y)),
    "equal": np.equal, "notEqual": np.not_equal, "less": np.less, "lessEqual": np.less_equal, "greater": np.greater,
    "greaterEqual": np.greater_equal, "logicalAnd": np.logical_and, "logicalOr": np.logical_or, "logicalXor": np.logical_xor,
    "bitwiseAnd": np.bitwise_and, "bitwiseOr": np.bitwise_or, "bitwiseXor": np.bitwise_xor,
    "leftShift": np_shift(np.left_shift), "rightShift": np_shift(np.right_shift),
    "cast": np_cast,
    "select": np.where,
    "shuffle": np.transpose,
    "reshape": np.reshape,
    "slice": np_slice,
    "chip": lambda x, offset, axis: np.take(x, offset, axis),
    "reverse": lambda x, axes: np.flip(x, axes),
    "broadcast": np.broadcast_to,
    "concatenate": lambda *a: np.concatenate(a[:-1], a[-1]),
    "gather": lambda x, i, axis: np.take(x, i, axis),
    "scatter": np_scatter,
    "sum": integer_sum(np.sum), "prod": integer_sum(np.prod), "mean": np_mean,
    "max": reduce_by(first_if(np.greater), lowest), "min": reduce_by(first_if(np.less), highest),
    "any": lambda x, axes, keep: np.any(x, axis=axes_of(x, axes), keepdims=keep),
    "all": lambda x, axes, keep: np.all(x, axis=axes_of(x, axes), keepdims=keep),
    "argmax": np_argmax(np.argmax, lowest), "argmin": np_argmax(np.argmin, highest),
    "cumsum": np_scan(np.cumsum, 0), "cumprod": np_scan(np.cumprod, 1),
    "matMul": np_mat_mul,
    "argsort": np_order,
    "sort": lambda x, down: np.take_along_axis(x, np_order(x, down), -1),
    "iota": lambda dtype, dims, axis: np.broadcast_to(
        np.arange(dims[axis]).reshape([-1 if a == axis else 1 for a in range(len(dims))]), dims
    ).astype(tf.dtypes.as_dtype(dtype).as_numpy_dtype),
    "linspace": np_linspace,
    "tile": np.tile,
    "pad": lambda x, paddings, mode: np.pad(x, paddings, mode),
    "roll": np.roll,
    "clip": lambda x, low, high: NUMPY["maximum"](NUMPY["minimum"](x, x.dtype.type(high)), x.dtype.type(low)),
    "relu": lambda x: NUMPY["maximum"](x, x.dtype.type(0)),
    "leakyRelu": by_float32(lambda x: np.where(x > 0, x, x.dtype.type(0.2) * x)),
    "oneHot": lambda x, depth, dtype: (x[..., None] == np.arange(depth)).astype(tf.dtypes.as_dtype(dtype).as_numpy_dtype),
    "topKIndices": lambda x, k: np_order(x, True)[..., :k],
    "topK": lambda x, k: np.take_along_axis(x, np_order(x, True)[..., :k], -1),
}
# Floats whose sums and products depend on the order: they are held against the wide ones.
WIDE_ONLY_FOR_FLOATS = {"sum", "prod", "mean", "cumsum", "cumprod", "matMul"}

# ---- NumPy, wide


def wide(x):
    return x.astype(np.clongdouble if name_of(x) in COMPLEX else np.longdouble)


def erf_of(x):
    """The error function in integers of 1,400 bits: the series, whose terms grow to e^(x^2)."""
    if x != x or abs(x) == np.inf or abs(x) > 30:
        return x if x != x else np.sign(x)
    if abs(x) < 1e-30:
        return np.longdouble(x) * 2 / np.sqrt(PI)
    bits = 1400
    numerator, denominator = float(x).as_integer_ratio()
    a = (numerator << bits) // denominator
    square = a * a >> bits
    term = total = a
    k = 0
    while term:
        k += 1
        term = -(term * square >> bits) // k
        total += term // (2 * k + 1)
    return scaled(total, bits)


PI = np.longdouble("3.14159265358979323846264338327950288")


def scaled(total, bits):
    """2 / sqrt(pi) times an integer over 2^bits, in extended precision."""
    shift = max(total.bit_length() - 64, 0)
    return np.ldexp(np.longdouble(total >> shift), shift - bits) * 2 / np.sqrt(PI)


def wide_sum(f):
    def run(x, axes, keep):
        chosen = axes_of(x, axes)
        return f(wide(x), axis=chosen, keepdims=keep), f(np.abs(wide(x)), axis=chosen, keepdims=keep)

    return run


def wide_scan(f, start):
    scan = np_scan(f, start)
    return lambda x, *args: (scan(wide(x), *args), scan(np.abs(wide(x)), *args))


def wide_softmax(x, axis=-1):
    powers = np.exp(x - np.max(x, axis, keepdims=True))
    return powers / np.sum(powers, axis, keepdims=True)


def wide_log_sum_exp(x, axes):
    top = np.max(x, axes_of(x, axes), keepdims=True)
    sums = np.log(np.sum(np.exp(x - top), axes_of(x, axes), keepdims=True))
    return np.squeeze(top + sums, axes_of(x, axes))


def wide_centred(x):
    return x - np.mean(x, -1, keepdims=True)


def wide_gelu(x, approximate):
    if approximate:
        return x / 2 * (1 + np.tanh(np.sqrt(2 / PI) * (x + np.longdouble("0.044715") * x**3)))
    return x / 2 * (1 + np.vectorize(lambda v: erf_of(float(v)), otypes=[np.longdouble])(x / np.sqrt(np.longdouble(2))))


def measured_by(f, scale):
    """A result whose error is measured against something else than itself, for it comes from a difference."""
    return lambda x, *args: (f(wide(x), *args), scale(wide(x), *args))


WIDE = {
    **{name: lambda x, f=getattr(np, name): f(wide(x)) for name in
       ("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh", "sqrt")},
    "asin": lambda x: np.arcsin(wide(x)), "acos": lambda x: np.arccos(wide(x)), "atan": lambda x: np.arctan(wide(x)),
    "rsqrt": lambda x: 1 / np.sqrt(wide(x)), "sigmoid": lambda x: 1 / (1 + np.exp(-wide(x))),
    "reciprocal": lambda x: 1 / wide(x),
    "erf": lambda x: np.vectorize(lambda v: erf_of(float(v)), otypes=[np.longdouble])(x.astype(np.float64)),
    "square": lambda x: wide(x) * wide(x), "abs": lambda x: np.abs(wide(x)),
    "sign": lambda x: np.where(x == 0, 0, wide(x) / np.abs(wide(x))),
    "mul": lambda x, y: wide(x) * wide(y), "div": lambda x, y: wide(x) / wide(y),
    "squaredDifference": lambda x, y: np.square(np.abs(wide(x) - wide(y))).astype(np.clongdouble) if name_of(x) in COMPLEX else np.square(wide(x) - wide(y)),
    "pow": lambda x, y: np.power(wide(x), wide(y)), "atan2": lambda y, x: np.arctan2(wide(y), wide(x)),
    "sum": wide_sum(np.sum), "mean": wide_sum(np.mean), "prod": wide_sum(np.prod),
    "cumsum": wide_scan(np.cumsum, 0), "cumprod": wide_scan(np.cumprod, 1),
    "matMul": lambda x, y, a, b: (np_mat_mul(wide(x), wide(y), a, b), np_mat_mul(np.abs(wide(x)), np.abs(wide(y)), a, b)),
    "silu": lambda x: wide(x) / (1 + np.exp(-wide(x))),
    "gelu": measured_by(wide_gelu, lambda x, _: np.abs(x) / 2),
    # An error in the difference to the maximum is one of the power, as often as the difference says.
    "softmax": measured_by(wide_softmax, lambda x, axis=-1: wide_softmax(x, axis) * (1 + np.max(x, axis, keepdims=True) - x)),
    "logSoftmax": measured_by(lambda x: np.log(wide_softmax(x)), lambda x: np.log(wide_softmax(x)) - np.ptp(x, -1, keepdims=True)),
    "logSumExp": measured_by(wide_log_sum_exp, lambda x, axes: np.abs(wide_log_sum_exp(x, axes)) + np.max(np.abs(x))),
    "variance": lambda x, axes: np.var(wide(x), axis=axes_of(x, axes)),
    "norm": lambda x, axes: np.sqrt(np.sum(np.square(wide(x)), axis=axes_of(x, axes))),
    "l2Normalize": lambda x, axes: wide(x) / np.sqrt(np.maximum(np.sum(np.square(wide(x)), axis=axes_of(x, axes), keepdims=True), 1e-12)),
    "layerNorm": measured_by(
        lambda x: wide_centred(x) / np.sqrt(np.var(x, -1, keepdims=True) + np.longdouble("0.001")),
        lambda x: np.max(np.abs(x), -1, keepdims=True) / np.sqrt(np.var(x, -1, keepdims=True) + np.longdouble("0.001")) + 0 * x,
    ),
}
# In real arithmetic these are correctly rounded, and NUMPY has them bit for bit.
WIDE_FOR_COMPLEX = {"sqrt", "reciprocal", "square", "abs", "sign", "mul", "div", "squaredDifference"}
FLOAT_ONLY_WIDE = set(WIDE) - WIDE_FOR_COMPLEX


def parts(x):
    """Extended precision as the sum of two doubles, little-endian: all the heads, then all the tails."""
    flat = np.ascontiguousarray(x).reshape(-1)
    if np.iscomplexobj(flat):
        flat = np.stack([flat.real, flat.imag], -1).reshape(-1)
    head = flat.astype(np.float64)
    tail = np.where(np.isfinite(head), flat - head, 0).astype(np.float64)
    return (head.tobytes() + tail.tobytes()).hex()


def refusal(error):
    return {"error": f"{type(error).__name__}: {str(error).splitlines()[0][:160]}"}


def wide_answer(op, arrays, args):
    complex_case = any(name_of(x) in COMPLEX for x in arrays)
    if op not in WIDE or not arrays or not (is_float(arrays[0]) or complex_case) or (op in WIDE_FOR_COMPLEX and not complex_case):
        return None
    result = WIDE[op](*arrays, *args)
    result, scale = result if isinstance(result, tuple) else (result, np.abs(result))
    return {"value": parts(np.asarray(result)), "scale": np.broadcast_to(np.abs(scale), np.shape(result)).astype(np.float64).tobytes().hex()}


def numpy_answer(op, arrays, args, told):
    if op not in NUMPY:
        return None
    if arrays and arrays[0].dtype.kind not in "iu" and (op in WIDE_ONLY_FOR_FLOATS and name_of(arrays[0]) != "bool"):
        return None
    if arrays and name_of(arrays[0]) in COMPLEX and op in WIDE_FOR_COMPLEX:
        return None
    try:
        result = NUMPY[op](*arrays, *args)
    except TypeError:
        return None  # no such loop for this dtype
    return None if result is None else told(np.asarray(result))


def compute(op, tensors, arrays, args, told, by_tensorflow):
    answer = {}
    with np.errstate(all="ignore"):
        wide_result = wide_answer(op, arrays, args)
        exact = numpy_answer(op, arrays, args, told)
    if wide_result is not None:
        answer["wide"] = wide_result
    if by_tensorflow and op in TENSORFLOW:
        try:
            answer["tensorflow"] = told(tf.convert_to_tensor(TENSORFLOW[op](*tensors, *args)))
        except (tf.errors.NotFoundError, tf.errors.UnimplementedError, TypeError, ValueError) as error:
            answer["missing"] = str(error).splitlines()[0][:160]
        except tf.errors.InvalidArgumentError as error:
            answer["missing" if "Value for attr" in error.message else "refused"] = error.message.splitlines()[0][:160]
    # What becomes of a float outside an integer's range is TensorFlow's to say.
    if exact is not None and not (op == "cast" and not args[1] and "tensorflow" in answer):
        answer["numpy"] = exact
    return answer
