"""Operations of expressions in NumPy in extended precision (64 bits of fraction on x86), which float results are compared with.

A function returns the exact result, or a tuple of it and the size that errors are measured relative to.
"""

import numpy as np

import numpy_special
from operation_records import RECORDS, numpy_functions
from numpy_exact import COMPLEX, FLOATS, axes_of, name_of, np_mat_mul, np_scan


def wide(x):
    return x.astype(np.clongdouble if name_of(x) in COMPLEX else np.longdouble)


def erf_of(x):
    """Returns the error function, computed in integers of 1,400 bits by its series, whose terms grow to e^(x^2)."""
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
    """Returns 2 / sqrt(pi) times an integer over 2^bits, in extended precision."""
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
    """Returns a function for results that come from a difference, whose error is relative to `scale` instead of the result."""
    return lambda x, *args: (f(wide(x), *args), scale(wide(x), *args))


def wide_erf(x):
    return np.vectorize(lambda v: erf_of(float(v)), otypes=[np.longdouble])(x.astype(np.float64))


def wide_squared_difference(x, y):
    return np.square(np.abs(x - y)).astype(np.clongdouble) if np.iscomplexobj(x) else np.square(x - y)


# Functions of operands in extended precision.
WIDE_ELEMENTWISE = numpy_functions("wide", {**globals(), **vars(numpy_special)})
WIDE = {
    **{op: lambda *inputs, f=f: f(*(wide(x) for x in inputs)) for op, f in WIDE_ELEMENTWISE.items()},
    "sum": wide_sum(np.sum), "mean": wide_sum(np.mean), "prod": wide_sum(np.prod),
    "cumsum": wide_scan(np.cumsum, 0), "cumprod": wide_scan(np.cumprod, 1),
    "matMul": lambda x, y, a, b: (np_mat_mul(wide(x), wide(y), a, b), np_mat_mul(np.abs(wide(x)), np.abs(wide(y)), a, b)),
    "silu": lambda x: wide(x) / (1 + np.exp(-wide(x))),
    "gelu": measured_by(wide_gelu, lambda x, _: np.abs(x) / 2),
    # An error in the difference from the maximum is a relative error of the power, times the size of that difference.
    "softmax": measured_by(wide_softmax, lambda x, axis=-1: wide_softmax(x, axis) * (1 + np.max(x, axis, keepdims=True) - x)),
    "logSoftmax": measured_by(lambda x: np.log(wide_softmax(x)), lambda x: np.log(wide_softmax(x)) - np.ptp(x, -1, keepdims=True)),
    "logSumExp": measured_by(wide_log_sum_exp, lambda x, axes: np.abs(wide_log_sum_exp(x, axes)) + np.max(np.abs(x))),
    "variance": lambda x, axes: np.var(wide(x), axis=axes_of(x, axes)),
    "std": lambda x, axes: np.std(wide(x), axis=axes_of(x, axes)),
    "norm": lambda x, axes: np.sqrt(np.sum(np.square(wide(x)), axis=axes_of(x, axes))),
    "l2Normalize": lambda x, axes: wide(x) / np.sqrt(np.maximum(np.sum(np.square(wide(x)), axis=axes_of(x, axes), keepdims=True), 1e-12)),
    "layerNorm": measured_by(
        lambda x: wide_centred(x) / np.sqrt(np.var(x, -1, keepdims=True) + np.longdouble("0.001")),
        lambda x: np.max(np.abs(x), -1, keepdims=True) / np.sqrt(np.var(x, -1, keepdims=True) + np.longdouble("0.001")) + 0 * x,
    ),
}
# For real numbers these operations are correctly rounded, and NUMPY checks them bit for bit.
WIDE_FOR_COMPLEX = {op for op in WIDE_ELEMENTWISE if RECORDS[op]["numpy"]["exact"] is not None and op != "pow"}
# Bits of the fraction: 52 where C's long double is a double, which is then no more accurate than the results that it checks.
WIDE_BITS = int(np.finfo(np.longdouble).nmant)


def parts(x):
    """Returns extended precision as sums of two doubles, little-endian: all heads, then all tails."""
    flat = np.ascontiguousarray(x).reshape(-1)
    if np.iscomplexobj(flat):
        flat = np.stack([flat.real, flat.imag], -1).reshape(-1)
    head = flat.astype(np.float64)
    tail = np.where(np.isfinite(head), flat - head, 0).astype(np.float64)
    return (head.tobytes() + tail.tobytes()).hex()
