"""Operations of expressions in NumPy, in the dtype's own arithmetic: the bits that integers, moved elements and correctly rounded
floats must have. float16 and bfloat16 are computed in float32 and rounded once.
"""

import functools

import ml_dtypes
import numpy as np
import tensorflow as tf

from operation_records import numpy_functions

FLOATS = ("float32", "float64", "float16", "bfloat16")
HALVES = ("float16", "bfloat16")
COMPLEX = ("complex64", "complex128")


def name_of(array):
    return array.dtype.name


def is_float(x):
    return name_of(x) in FLOATS


def is_integer(x):
    return x.dtype.kind in "iu" and name_of(x) not in ("int4", "uint4", "int2", "uint2")


def by_float32(f):
    """Returns f with 16-bit floats computed in float32 and rounded once, as between a load and a store."""

    def run(*inputs):
        if name_of(inputs[0]) not in HALVES:
            return f(*inputs)
        result = f(*(x.astype(np.float32) for x in inputs))
        return result if result.dtype == bool else result.astype(inputs[0].dtype)

    return run


def extreme(sign):
    """Returns maximum (sign 1) or minimum (-1): NaN if an operand is NaN; +0 is larger than -0."""

    def run(x, y):
        x, y = np.broadcast_arrays(x, y)
        if not is_float(x):
            return np.maximum(x, y) if sign > 0 else np.minimum(x, y)
        zeros = np.signbit((x if sign > 0 else y).astype(np.float64))
        better = (y > x if sign > 0 else y < x) | ((y == x) & zeros)
        return np.where(x != x, x, np.where((y != y) | better, y, x))

    return run


def truncated(x, y):
    """Returns the integer quotient, truncated toward 0, and the remainder, which has x's sign."""
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
    """Returns a reduction that combines one element after the other, in row-major order over the axes."""

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
    """Returns the indices that sort the elements: stable, NaN last."""
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


def np_extremes(f, worst):
    """Returns a running maximum or minimum by a loop, because NumPy leaves the order of zeros open."""

    def run(x, axis, exclusive, reverse):
        x = np.moveaxis(np.flip(x, axis) if reverse else x, axis, 0)
        best = np.full(x.shape[1:], worst(x.dtype), x.dtype)
        rows = []
        for row in x:
            after = f(best, row)
            rows.append(best if exclusive else after)
            best = after
        result = np.moveaxis(np.stack(rows) if rows else x, 0, axis)
        return (np.flip(result, axis) if reverse else result).astype(x.dtype)

    return run


def scan_of_three(gives, after):
    """A cumulative sum in float64, of which a step gives something, rounded when stored, and which changes after that."""

    def run(x, second, third, axis, exclusive, reverse):
        halves = x.dtype.itemsize == 2
        parts = [np.moveaxis(np.flip(each, axis) if reverse else each, axis, 0) for each in (x, second, third)]
        wide = [each.astype(np.complex128 if np.iscomplexobj(x) else np.float64) for each in parts]
        total = np.zeros(wide[0].shape[1:], wide[0].dtype)
        rows = []
        for element, by, other in zip(*wide):
            total = total if exclusive else total + element
            rows.append(gives(total, by, other))
            total = after(total, by, other)
            total = total + element if exclusive else total
        result = np.moveaxis(np.stack(rows) if rows else parts[0], 0, axis)
        result = np.flip(result, axis) if reverse else result
        return (result.astype(np.float32) if halves else result).astype(x.dtype)

    return run


def times(total, factor):
    """The product, whose complex parts are not rearranged."""
    if not np.iscomplexobj(total):
        return total * factor
    result = np.empty(total.shape, np.complex128)
    result.real = total.real * factor.real - total.imag * factor.imag
    result.imag = total.real * factor.imag + total.imag * factor.real
    return result


np_scaled_cumsum = scan_of_three(
    lambda total, factor, weight: times(total, weight), lambda total, factor, weight: np.where(factor == 0, 0, times(total, factor))
)
np_marked_cumsum = scan_of_three(lambda total, x, z: np.where(x == z, total, 0), lambda total, x, z: np.where(x == z, 0, total))


def np_nth(x, places):
    sorted_rows = np.take_along_axis(x, np_order(x, False), -1)
    return sorted_rows[..., list(places)] + x.dtype.type(0)


def np_histogram(x, bins, range_):
    return np.histogram(x, bins, None if range_ is None else tuple(range_))


def np_quantile(x, q, axes, method):
    result = np.quantile(x.astype(np.float64), q, axis=tuple(axes), method=method)
    return result.astype(x.dtype if is_float(x) else np.float64)


def np_mat_mul(x, y, a, b):
    x = np.swapaxes(x, -1, -2) if a else x
    y = np.swapaxes(y, -1, -2) if b else y
    return np.matmul(x, y)


def np_scatter(x, indices, updates, reduction):
    result = x.copy()
    step = {"update": lambda old, new: new, "add": lambda old, new: (old + new).astype(old.dtype), "mul": lambda old, new: (old * new).astype(old.dtype), "min": NUMPY["minimum"], "max": NUMPY["maximum"]}
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
    if not saturate or x.dtype == bool:
        return x.astype(target)
    if is_float(x) and (target.name in NARROW_INTEGERS or target.kind in "iu"):
        low, high = (int(end) for end in range_of(target))
        most = int(min(float(range_of(x.dtype)[1]), cut_to(x.dtype, high)))
        least = max(-int(float(range_of(x.dtype)[1])), low)
        # NaN is not clipped: it becomes what a cast gives on x86.
        nan = {32: 2**31, 64: 2**63}.get(target.itemsize * 8, 0) * (-1 if low < 0 else 1)
        clip = np.frompyfunc(lambda v: nan if v != v else least if v < least else most if v > most else int(v), 1, 1)
        return np.asarray(clip(x.astype(np.float64).astype(object))).astype(np.int64 if low < 0 else np.uint64).astype(target)
    if target.name in NARROW_INTEGERS or target.kind in "iu":
        low, high = (int(end) for end in range_of(target))
        clip = np.frompyfunc(lambda v: low if v < low else high if v > high else v, 1, 1)
        return np.asarray(clip(x.astype(object))).astype(np.int64 if low < 0 else np.uint64).astype(target)
    most = int(float(range_of(target)[1]))
    if is_integer(x):
        clip = np.frompyfunc(lambda v: -most if v < -most else most if v > most else v, 1, 1)
        return np.asarray(clip(x.astype(object))).astype(x.dtype).astype(target)
    largest = float(range_of(x.dtype)[1])
    end = min(largest, cut_to(x.dtype, most))
    clipped = np.clip(x.astype(np.float64), -end, end)
    # A dtype narrower than float32 is reached through float32.
    return clipped if target.name == "float64" else clipped.astype(np.float32).astype(target)


def cut_to(dtype, end):
    """Returns the largest float of a dtype that is not above an integer."""
    surplus = max(end.bit_length() - (ml_dtypes.finfo(dtype).nmant + 1), 0)
    return float(end >> surplus << surplus)


def np_slice(x, begin, end, steps):
    return x[tuple(slice(b, e, s) for b, e, s in zip(begin, end, steps))]


def np_linspace(dtype, start, stop, count):
    target = tf.dtypes.as_dtype(dtype).as_numpy_dtype
    i = np.arange(count, dtype=np.float64)
    all_but_last = (start + i * (stop - start) / (count - 1)) if count > 1 else np.array([start], np.float64)
    return np.where(i == count - 1, stop if count > 1 else start, all_but_last).astype(target)


def np_patches(x, sizes, axes, strides, dilations):
    """All windows along the axes: each window has its reach, and every dilation-th element of it counts."""
    if x.dtype.name == "float8_e5m2":  # whose views have no description that NumPy understands
        return np_patches(x.view(np.uint8), sizes, axes, strides, dilations).view(x.dtype)
    reach = [(n - 1) * d + 1 for n, d in zip(sizes, dilations)]
    view = np.lib.stride_tricks.sliding_window_view(x, reach, axes)
    steps = [slice(None)] * view.ndim
    for k, axis in enumerate(axes):
        steps[axis], steps[x.ndim + k] = slice(None, None, strides[k]), slice(None, None, dilations[k])
    return view[tuple(steps)]


def np_image_windows(x, sizes, strides, dilations, padding, value):
    """Windows over the spatial axes of [batch, ...spatial, channels], whose elements come last; the padding is [before, after] per axis."""
    padded = np.pad(x, [(0, 0), *padding, (0, 0)], constant_values=value)
    return np_patches(padded, sizes, list(range(1, x.ndim - 1)), strides, dilations)


def np_image_rows(windows):
    """[batch, rows, columns, channels, height, width] with the elements of a window in one axis, channels last."""
    moved = np.moveaxis(windows, 3, -1)
    return moved.reshape([*moved.shape[:3], -1])


def np_convolve(x, filters, strides, dilations, padding, groups, _):
    """The sums of products in the dtype, group by group."""
    spatial = x.ndim - 2
    windows = np_image_windows(x, filters.shape[:spatial], strides, dilations, padding, 0)
    parts = zip(np.split(windows, groups, axis=spatial + 1), np.split(filters, groups, axis=-1))
    over = [spatial + 1, *range(spatial + 2, 2 * spatial + 2)], [spatial, *range(spatial)]
    return np.concatenate([np.tensordot(x, w, over) for x, w in parts], axis=-1)


NUMPY = {
    **numpy_functions("exact", globals()),
    "contract": lambda x, y, pairs: np.tensordot(x, y, ([p[0] for p in pairs], [p[1] for p in pairs])),
    "einsum": lambda *a: np.einsum(a[-1], *a[:-1]),
    "convolve": np_convolve,
    "maxPool": lambda x, *a: np.max(np_image_windows(x, *a[:4], lowest(x.dtype)), axis=tuple(range(x.ndim, 2 * x.ndim - 2))),
    "extractImagePatches": lambda x, *a: np_image_rows(np_image_windows(x, *a, 0)),
    "median": lambda x, axes: np_quantile(x, 0.5, axes, "linear"),
    "quantile": np_quantile,
    "histogram": lambda x, bins, range_: np_histogram(x, bins, range_)[0].astype(np.int32),
    "histogramEdges": lambda x, bins, range_: np_histogram(x, bins, range_)[1].astype(np.float64),
    "takeAlongAxis": lambda x, at, axis: np.take_along_axis(x, at, axis),
    "searchSorted": lambda x, v, side: np.sort(x).searchsorted(v, side).astype(np.int32),
    "searchSortedRows": lambda x, v, side: np.stack(
        [np.sort(row).searchsorted(w, side) for row, w in zip(x.reshape(-1, x.shape[-1]), v.reshape(-1, v.shape[-1]))]
    ).reshape(v.shape).astype(np.int32),
    "bincount": lambda x, length: np.bincount(x, minlength=length)[:length].astype(np.int32),
    "iota": lambda dtype, dims, axis: np.broadcast_to(
        np.arange(dims[axis]).reshape([-1 if a == axis else 1 for a in range(len(dims))]), dims
    ).astype(tf.dtypes.as_dtype(dtype).as_numpy_dtype),
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
# Floats whose sums and products depend on the order: they are compared with those in extended precision.
WIDE_ONLY_FOR_FLOATS = {"sum", "prod", "mean", "cumsum", "cumprod", "matMul"}
