"""Solutions, factors and small functions of matrices by TensorFlow and NumPy, for `npm run interop`."""

import numpy as np
import tensorflow as tf

NORMS = {"inf": np.inf, "-inf": -np.inf}


def lu(a):
    packed, order = tf.linalg.lu(a)
    return [packed, tf.cast(order, tf.int32)]


def logm(a):
    """TensorFlow has logarithms of complex matrices only."""
    complexes = tf.cast(a, tf.complex64 if a.dtype in (tf.float32, tf.complex64) else tf.complex128)
    log = tf.linalg.logm(complexes)
    return log if a.dtype.is_complex else tf.math.real(log)


FUNCTIONS = {
    "solve": lambda o, a, b: [tf.linalg.solve(a, b, adjoint=o["adjoint"])],
    "inverse": lambda o, a: [tf.linalg.inv(a, adjoint=o["adjoint"])],
    "determinant": lambda o, a: [tf.linalg.det(a)],
    "logDeterminant": lambda o, a: list(tf.linalg.slogdet(a)),
    "lu": lambda o, a: lu(a),
    "cholesky": lambda o, a: [tf.linalg.cholesky(a)],
    "choleskySolve": lambda o, a, b: [tf.linalg.cholesky_solve(a, b)],
    "triangularSolve": lambda o, a, b: [tf.linalg.triangular_solve(a, b, lower=o["lower"], adjoint=o["adjoint"])],
    "lstsq": lambda o, a, b: [tf.linalg.lstsq(a, b, l2_regularizer=o["l2Regularizer"], fast=o["fast"])],
    "tridiagonalSolve": lambda o, d, b: [tf.linalg.tridiagonal_solve(d, b, diagonals_format="compact", partial_pivoting=True)],
    "expm": lambda o, a: [tf.linalg.expm(a)],
    "sqrtm": lambda o, a: [tf.linalg.sqrtm(a)],
    "logm": lambda o, a: [logm(a)],
    "tensorsolve": lambda o, a, b: [np.linalg.tensorsolve(a.numpy(), b.numpy(), o["axes"] or None)],
    "matrixPower": lambda o, a: [np.linalg.matrix_power(a.numpy(), o["exponent"])],
    "norm": lambda o, a: [np.linalg.norm(a.numpy(), NORMS.get(o["ord"], o["ord"]), tuple(o["axes"]))],
    "kron": lambda o, a, b: [np.kron(a.numpy(), b.numpy())],
    "bandPart": lambda o, a: [tf.linalg.band_part(a, o["numLower"], o["numUpper"])],
    "diag": lambda o, a: [tf.linalg.diag(a, k=o["k"])],
    "diagPart": lambda o, a: [tf.linalg.diag_part(a, k=o["k"])],
    "trace": lambda o, a: [tf.linalg.trace(a)],
}


def compute(name, operands, options):
    """Returns the elements of the results as float64, complex ones as pairs."""
    results = FUNCTIONS[name](options, *operands)
    arrays = [np.asarray(each.numpy() if isinstance(each, tf.Tensor) else each) for each in results]
    wide = [each.astype(np.complex128 if np.iscomplexobj(each) else np.float64) for each in arrays]
    return [{"dims": list(each.shape), "content": np.ascontiguousarray(each).tobytes().hex()} for each in wide]
