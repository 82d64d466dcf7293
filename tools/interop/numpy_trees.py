"""Evaluates whole expression trees in NumPy, one operation after the other, for the random trees of `npm run interop`.

A tree is a list of nodes, each after its inputs: {"op", "dtype", "dims", "inputs", attributes}; the last one is the root. Leaves
have their elements' bytes, in the dtype "stored". Between operations, values are held in the dtype that they compute in (`HELD`):
float16 and bfloat16 as float32, rounded when they are cast or stored. Functions are computed in extended precision and rounded once.
"""

import math

import ml_dtypes
import numpy as np

from numpy_exact import NUMPY, extreme, highest, lowest, np_argmax, np_cast, np_extremes, np_linspace, np_scan, np_scatter, reduce_by
from numpy_wide import WIDE_ELEMENTWISE, wide
from operation_records import RECORDS, WHOLE, numpy_functions

HALVES = ("float16", "bfloat16")
NARROW_FLOATS = ("float8_e5m2", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2fnuz")
NARROW_INTEGERS = {"int4": 4, "uint4": 4, "int2": 2, "uint2": 2}


def numpy_dtype(name):
    """Returns the NumPy dtype that stores a dtype; for quantized integers, which are only moved, an integer dtype."""
    return np.dtype(getattr(ml_dtypes, name)) if hasattr(ml_dtypes, name) else np.dtype(name.removeprefix("q"))


def held_dtype(name):
    """Returns the NumPy dtype that holds values of a dtype between operations."""
    if name in HALVES or name in NARROW_FLOATS:
        return np.dtype(np.float32)
    if name in NARROW_INTEGERS:
        return np.dtype(np.uint8 if name.startswith("u") else np.int8)
    return numpy_dtype(name)


def is_float(x):
    return x.dtype.kind == "f"


def is_integer_name(name):
    return name.removeprefix("u").startswith("int")


def by_wide(f):
    """Returns f computed in extended precision."""
    return lambda *inputs: f(*(wide(x) for x in inputs)).astype(inputs[0].dtype)


def erf(x):
    return np.vectorize(lambda v: math.erf(float(v)), otypes=[np.longdouble])(x)


def wrapped(x, name):
    """Returns 64-bit integers as integers of a dtype: their low bits."""
    bits = NARROW_INTEGERS.get(name)
    if bits is None:
        return x.astype(held_dtype(name))
    low = x & ((1 << bits) - 1)
    return (low if name.startswith("u") else (low ^ (1 << (bits - 1))) - (1 << (bits - 1))).astype(held_dtype(name))


def float_to_integer(x, name):
    """Truncates toward 0; a number out of range gives what x86 gives."""
    x = np.trunc(x.astype(np.float64))
    inside = lambda low, high: (x > low) & (x < high)
    if name == "uint64":
        fits = inside(-(2.0**63) - 1025, 2.0**64)
        # Numbers from 2^63 on are converted without their highest bit, which is added afterwards.
        high = x >= 2.0**63
        low = np.where(fits & ~high, x, 0).astype(np.int64).astype(np.uint64)
        return np.where(high & fits, np.where(high & fits, x - 2.0**63, 0).astype(np.uint64) + np.uint64(2**63), np.where(fits, low, np.uint64(2**63)))
    if name == "int64":
        fits = inside(-(2.0**63) - 1025, 2.0**63)
        return np.where(fits, np.where(fits, x, 0).astype(np.int64), np.int64(-(2**63)))
    if name == "uint32":
        fits = inside(-(2.0**31) - 1, 2.0**32)
        return np.where(fits, np.where(fits, x, 0).astype(np.int64), 2**31).astype(np.uint32)
    fits = inside(-(2.0**31) - 1, 2.0**31)
    return wrapped(np.where(fits, np.where(fits, x, 0), -(2.0**31)).astype(np.int64), name)


def to_float(x, name):
    """Converts to a float dtype; to those narrower than float32 through float32."""
    if name == "float64":
        return x.astype(np.float64)
    single = x.astype(np.float32)
    return single if name == "float32" else single.astype(numpy_dtype(name)).astype(np.float32)


def cast(x, source, target, saturate):
    if source in HALVES:
        x = x.astype(numpy_dtype(source)).astype(np.float32)
    if target == "float4_e2m1fn" and is_float(x):
        # ml_dtypes makes -0 of a positive NaN and +0 of a negative one; JavaScript has one NaN, which becomes -0.
        x = np.where(np.isnan(x), x.dtype.type(np.nan), x)
    if source.startswith("complex"):
        if target.startswith("complex"):
            return x.astype(target)
        return (x.real != 0) | (x.imag != 0) if target == "bool" else cast(x.real, "float32" if source == "complex64" else "float64", target, saturate)
    if target == "bool":
        return x != 0
    if saturate and source != "bool" and not target.startswith("complex"):
        if source in NARROW_FLOATS:
            # The same rule with the range of float32, after infinities are clipped.
            end = float(ml_dtypes.finfo(numpy_dtype(source)).max)
            stored = np_cast(np.clip(x, -end, end), target, True)
        else:
            stored = np_cast(x.astype(numpy_dtype(source)), target, True)
        return np.asarray(stored).astype(held_dtype(target))
    if target.startswith("complex"):
        return to_float(x, "float32" if target == "complex64" else "float64").astype(target)
    if not (is_integer_name(target) or target in NARROW_INTEGERS):
        return to_float(x, target)
    if is_float(x):
        return float_to_integer(x, target)
    return wrapped(x if x.dtype == np.uint64 else x.astype(np.int64), target)


def sums(f):
    """Returns a sum: integers wrap in their own dtype, floats are added in extended precision. Without axes the elements are unchanged."""

    def run(x, axes, keep):
        if not axes:
            return x
        return f(wide(x), axis=axes, keepdims=keep).astype(x.dtype) if is_float(x) else f(x, axis=axes, keepdims=keep, dtype=x.dtype)

    return run


def running_sum(x, *options):
    return running(np.cumsum, 0)(x, *options) + x.dtype.type(0)


def running(f, start):
    """Returns a scan: float32 is computed in float64 and rounded when stored, float64 in a plain loop."""
    scan = np_scan(f, start)

    def run(x, axis, exclusive, reverse):
        return scan(x.astype(np.float64) if is_float(x) else x, axis, exclusive, reverse).astype(x.dtype)

    return run


def product(x, y, transpose_a, transpose_b):
    x = np.swapaxes(x, -1, -2) if transpose_a else x
    y = np.swapaxes(y, -1, -2) if transpose_b else y
    return np.matmul(wide(x), wide(y)).astype(x.dtype) if is_float(x) else np.matmul(x, y)


def scattered(x, indices, updates, axis, reduction, skips):
    size = x.shape[axis]
    kept = np.ones(indices.shape, bool) if skips == "none" else indices >= 0 if skips == "negative" else indices < size
    indices, updates = indices[kept], np.compress(kept, updates, axis)
    return np.moveaxis(np_scatter(np.moveaxis(x, axis, 0), indices, np.moveaxis(updates, axis, 0), reduction), 0, axis)


def sliced(x, begin, steps, dims):
    at = tuple(b + s * np.arange(n) for b, s, n in zip(begin, steps, dims))
    return x[np.ix_(*at)] if at else x


def ramp(dtype, dims, axis):
    places = np.arange(dims[axis]).reshape([-1 if a == axis else 1 for a in range(len(dims))])
    return np.broadcast_to(wrapped(places, dtype) if is_integer_name(dtype) else places.astype(held_dtype(dtype)), dims)


def gathered(x, i, axis):
    """`np.take`; a result without elements needs no index, so that none is out of range."""
    dims = x.shape[:axis] + i.shape + x.shape[axis + 1:]
    return np.zeros(dims, x.dtype) if 0 in dims else np.take(x, i, axis)


def extreme_over(step, worst):
    """Returns an extreme over axes. Without axes the elements are unchanged."""
    return lambda x, axes, keep: reduce_by(step, worst)(x, axes, keep) if axes else x


def place_of(f, worst):
    return lambda x, axis: np_argmax(f, worst)(x, axis, np.int64)


def elementwise(op):
    """Returns the function of an operation: NumPy's with the same bits where it has one, otherwise one in extended precision, rounded."""
    exact, in_wide = NUMPY.get(op), WIDE_ELEMENTWISE.get(op)

    def run(*inputs):
        result = None if exact is None else exact(*inputs)
        return by_wide(in_wide)(*inputs) if result is None else result

    return run


# The records say where an operation differs from NumPy's function of the same name.
OPERATIONS = {
    **{op: elementwise(op) for op in RECORDS},
    **{op: NUMPY[op] for op in WHOLE if op in NUMPY},
    **numpy_functions("tree", globals()),
    "erf": by_wide(erf),
}


def joined(re, im, dtype):
    """Returns complex numbers of two parts; re + 1j * im would make NaN of infinities."""
    out = np.empty(np.shape(re), dtype)
    out.real, out.imag = re, im
    return out


def by_parts(f):
    """Applies an operation on floats to the real and the imaginary parts."""
    return lambda x, *options: joined(f(x.real, *options), f(x.imag, *options), x.dtype)


def complex_product(x, y):
    """Each product of parts and their sum are rounded to the dtype of the parts."""
    re, im = np.broadcast_arrays(x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real)
    return joined(re, im, x.dtype)


def complex_matrix_product(x, y, transpose_a, transpose_b):
    times = lambda a, b: product(a.astype(np.longdouble), b.astype(np.longdouble), transpose_a, transpose_b)
    return joined(times(x.real, y.real) - times(x.imag, y.imag), times(x.real, y.imag) + times(x.imag, y.real), x.dtype)


# Operations on complex numbers, by their parts; NumPy's own may fuse a product and a sum.
COMPLEX = {
    "neg": by_parts(np.negative), "conj": np.conj, "real": np.real, "imag": np.imag,
    "abs": lambda x: np.hypot(wide(x.real), wide(x.imag)).astype(x.real.dtype),
    "add": np.add, "sub": np.subtract, "mul": complex_product, "square": lambda x: complex_product(x, x),
    "equal": np.equal, "notEqual": np.not_equal,
    "sum": by_parts(sums(np.sum)), "mean": by_parts(sums(np.mean)), "cumsum": by_parts(running_sum), "matMul": complex_matrix_product,
}


def arguments(node, sources):
    """Returns the arguments of an operation besides its operands."""
    op = node["op"]
    if op == "extractPatches":
        return [node["dims"][-len(node["axes"]) :], node["axes"], node["strides"], node["dilations"]]
    if op == "cast":
        return [sources[0], node["dtype"], node["saturate"]]
    names = WHOLE[op]["numpy"]["attributes"] if op in WHOLE else []
    return [tuple(node[name]) if name == "axes" else node[name] for name in names]


def evaluated(node, values, nodes):
    op, dtype, dims = node["op"], node["dtype"], node["dims"]
    if op in ("map", "constant"):
        stored = np.frombuffer(bytes.fromhex(node["content"]), dtype=numpy_dtype(node["stored"]))
        return np.broadcast_to(stored.reshape(dims if op == "map" else []), dims).astype(held_dtype(dtype))
    if op == "iota":
        return ramp(dtype, dims, node["axis"])
    if op == "linspace":
        return np_linspace("float64" if dtype == "float64" else "float32", node["start"], node["stop"], dims[0])
    inputs = [values[i] for i in node["inputs"]]
    if op == "concatenate":
        return np.concatenate(inputs, node["axis"])
    if op in ("sort", "argsort"):
        # topK keeps the first elements.
        return OPERATIONS[op](inputs[0], node["descending"])[..., : dims[-1]]
    operation = COMPLEX[op] if op in COMPLEX and np.iscomplexobj(inputs[0]) else OPERATIONS[op]
    return operation(*inputs, *arguments(node, [nodes[i]["dtype"] for i in node["inputs"]]))


def evaluate(nodes):
    """Returns the elements of a tree's root as bytes, as they are stored."""
    values = []
    with np.errstate(all="ignore"):
        for node in nodes:
            values.append(np.asarray(evaluated(node, values, nodes)).astype(held_dtype(node["dtype"])).reshape(node["dims"]))
    return values[-1].astype(numpy_dtype(nodes[-1]["dtype"])).tobytes()
