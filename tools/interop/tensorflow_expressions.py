"""Computes one operation on tensors in TensorFlow and NumPy, for the expression checks of `npm run interop`.

A case {op, inputs, args} has up to three answers:

    tensorflow   TensorFlow's result, or its refusal
    numpy        NumPy's result in the dtype's own arithmetic, for integers, moved elements and correctly rounded floats
    wide         floats in extended precision (64 bits of fraction on x86), as a sum of two doubles, and the size that errors are
                 measured relative to: the result itself, for sums the sum of the absolute values

Results are not compared here.
"""

import functools

import numpy as np
import tensorflow as tf

from numpy_exact import COMPLEX, FLOATS, NUMPY, WIDE_ONLY_FOR_FLOATS, is_float, name_of
from operation_records import ALL
from numpy_wide import WIDE, WIDE_BITS, WIDE_FOR_COMPLEX, parts


def tensorflow_function(path):
    """Returns a function by its name below `tf`. Raw operations take their operands by name."""
    f = functools.reduce(getattr, path.split("."), tf)
    return (lambda *operands: f(**dict(zip("xy", operands)))) if path.startswith("raw_ops.") else f


TF_PLAIN = {op: tensorflow_function(record["tensorflow"]) for op, record in ALL.items() if record["tensorflow"] is not None}


def tf_sort(f):
    return lambda x, down: f(x, "DESCENDING" if down else "ASCENDING")


def tf_scatter(x, indices, updates, reduction):
    if reduction == "mul":
        raise TypeError("TensorFlow multiplies rows in variables only")
    names = {"update": tf.tensor_scatter_nd_update, "add": tf.tensor_scatter_nd_add, "min": tf.tensor_scatter_nd_min, "max": tf.tensor_scatter_nd_max}
    return names[reduction](x, indices[:, None], updates)


def tf_cast(x, dtype, saturate):
    """Casts floats one by one: out of an integer's range, TensorFlow gives other results in whole packets than for single elements."""
    cast = tf.saturate_cast if saturate else tf.cast
    target = tf.dtypes.as_dtype(dtype)
    if not (x.dtype.is_floating and target.is_integer) or x.dtype.name not in FLOATS:
        return cast(x, dtype)
    return tf.reshape(tf.concat([cast(x[i : i + 1], target) for i in range(x.shape[0])] or [cast(x[:0], target)], 0), x.shape)


def tf_triangle(x, k, triangle):
    """NumPy's triangle of the places, for the diagonals that tf.linalg.band_part cannot name: its counts are not negative."""
    if k == 0:
        return tf.linalg.band_part(x, *((-1, 0) if triangle is np.tril else (0, -1)))
    kept = triangle(np.ones(x.shape, bool), k)
    return tf.where(kept, x, tf.zeros_like(x))


def tf_layer_norm(x):
    mean, variance = tf.nn.moments(x, [-1], keepdims=True)
    return tf.nn.batch_normalization(x, mean, variance, None, None, 1e-3)


def tf_convolve(x, filters, strides, dilations, pads, groups, padding):
    """tf.nn.convolution group by group; its kernels for CPUs have no groups. Explicit padding is added before."""
    padded = tf.pad(x, [(0, 0), *pads, (0, 0)]) if padding is None else x
    parts = zip(tf.split(padded, groups, axis=-1), tf.split(filters, groups, axis=-1))
    return tf.concat([tf.nn.convolution(x, w, strides, padding or "VALID", dilations=dilations) for x, w in parts], -1)


def tf_unsorted(f):
    return lambda x, ids, count: f(x, ids, count)


TENSORFLOW = {
    **TF_PLAIN,
    "cast": tf_cast,
    "chip": lambda x, offset, axis: tf.gather(x, offset, axis=axis),
    "concatenate": lambda *a: tf.concat(a[:-1], a[-1]),
    "gather": lambda x, i, axis: tf.gather(x, i, axis=axis),
    "scatter": tf_scatter,
    "nthElements": lambda x, places: tf.stack([tf.raw_ops.NthElement(input=x, n=n, reverse=False) for n in places], -1),
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
    "std": tf.math.reduce_std,
    "tril": lambda x, k: tf_triangle(x, k, np.tril),
    "triu": lambda x, k: tf_triangle(x, k, np.triu),
    "diag": lambda x, k: tf.linalg.diag(x, k=k),
    "diagPart": lambda x, k: tf.linalg.diag_part(x, k=k),
    "outer": lambda x, y: x[:, None] * y[None, :],
    "stack": lambda *a: tf.stack(a[:-1], a[-1]),
    "unstack": lambda x, axis: tf.unstack(x, axis=axis)[1],
    "meshgrid": lambda *a: tf.meshgrid(*a[:-2], indexing=a[-2])[a[-1]],
    "where": tf.where,
    "nonzero": lambda x: tf.where(x)[:, 0],
    "booleanMask": lambda x, mask, axis: tf.boolean_mask(x, mask, axis),
    "contract": lambda x, y, pairs: tf.tensordot(x, y, ([p[0] for p in pairs], [p[1] for p in pairs])),
    "einsum": lambda *a: tf.einsum(a[-1], *a[:-1]),
    "convolve": tf_convolve,
    "maxPool": lambda x, sizes, strides, _dilations, _pads, padding: tf.nn.max_pool(x, sizes, strides, padding),
    "avgPool": lambda x, sizes, strides, _dilations, _pads, padding: tf.nn.avg_pool(x, sizes, strides, padding),
    "extractImagePatches": lambda x, sizes, strides, dilations, pads: tf.image.extract_patches(
        tf.pad(x, [(0, 0), *pads, (0, 0)]), [1, *sizes, 1], [1, *strides, 1], [1, *dilations, 1], "VALID"
    ),
    "resize": lambda x, size, method: tf.image.resize(x, size, method),
    "norm": lambda x, axes: tf.norm(x, axis=axes[0]),
    "l2Normalize": tf.math.l2_normalize,
    "layerNorm": tf_layer_norm,
    "oneHot": lambda x, depth, dtype: tf.one_hot(x, depth, dtype=dtype),
    **{f"unsortedSegment{name}": tf_unsorted(getattr(tf.math, f"unsorted_segment_{name.lower()}")) for name in ("Sum", "Prod", "Max", "Min", "Mean")},
    **{f"segment{name}": getattr(tf.math, f"segment_{name.lower()}") for name in ("Sum", "Prod", "Max", "Min", "Mean")},
    "searchSortedRows": lambda x, v, side: tf.searchsorted(tf.sort(x), v, side=side),
    "bincount": lambda x, length: tf.math.bincount(tf.cast(x, tf.int32), minlength=length, maxlength=length),
    "topK": lambda x, k: tf.math.top_k(x, k).values,
    "topKIndices": lambda x, k: tf.math.top_k(x, k).indices,
}


def wide_answer(op, arrays, args):
    complex_case = any(name_of(x) in COMPLEX for x in arrays)
    if op not in WIDE or not arrays or not (is_float(arrays[0]) or complex_case) or (op in WIDE_FOR_COMPLEX and not complex_case):
        return None
    result = WIDE[op](*arrays, *args)
    result, scale = result if isinstance(result, tuple) else (result, np.abs(result))
    sizes = np.broadcast_to(np.abs(scale), np.shape(result)).astype(np.float64)
    return {"value": parts(np.asarray(result)), "scale": sizes.tobytes().hex(), "bits": WIDE_BITS}


def numpy_answer(op, arrays, args, encoded):
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
    return None if result is None else encoded(np.asarray(result))


def compute(op, tensors, arrays, args, encoded, by_tensorflow):
    answer = {}
    with np.errstate(all="ignore"):
        wide_result = wide_answer(op, arrays, args)
        exact = numpy_answer(op, arrays, args, encoded)
    if wide_result is not None:
        answer["wide"] = wide_result
    if by_tensorflow and op in TENSORFLOW:
        try:
            answer["tensorflow"] = encoded(tf.convert_to_tensor(TENSORFLOW[op](*tensors, *args)))
        except (tf.errors.NotFoundError, tf.errors.UnimplementedError, TypeError, ValueError) as error:
            answer["missing"] = str(error).splitlines()[0][:160]
        except tf.errors.InvalidArgumentError as error:
            answer["missing" if "Value for attr" in error.message else "refused"] = error.message.splitlines()[0][:160]
    # For floats out of an integer's range, TensorFlow's result decides.
    if exact is not None and not (op == "cast" and not args[1] and "tensorflow" in answer):
        answer["numpy"] = exact
    return answer
