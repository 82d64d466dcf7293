"""Compares decompositions with NumPy and TensorFlow: one JSON question per line, answered by a list of what differs.

A question has the matrix, the function and the parts that onebuffer computed. Values are compared within LAPACK's bound, 30 times the size
times the unit of the dtype; vectors, whose signs and phases are arbitrary, by their products.
"""

import json
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf

# Kinds whose Q and R, eigenvalues and pseudo-inverses are well conditioned.
PLAIN = ("normal", "cond2")
BOUND = 30


def array_of(tensor):
    return np.frombuffer(bytes.fromhex(tensor["content"]), tensor["dtype"]).reshape(tensor["dims"])


def wide(a):
    return a.astype(np.complex128 if np.iscomplexobj(a) else np.float64)


def unit_of(dtype):
    return np.finfo(dtype).eps


def differences(name, found, wanted, scale, a):
    """Returns the message if two arrays differ by more than the bound times `scale`."""
    size = max(1, *a.shape)
    if found.shape != wanted.shape:
        return [f"{name} has sizes {found.shape}, not {wanted.shape}"]
    error = np.max(np.abs(wide(found) - wide(wanted)), initial=0)
    limit = BOUND * size * unit_of(a.dtype) * scale
    return [] if error <= limit else [f"{name} is off by {error:.3g}, at most {limit:.3g} expected"]


def typed(names, parts, theirs):
    """Compares dtypes and sizes with TensorFlow's."""
    bad = []
    for name, part, other in zip(names, parts, theirs):
        if part.dtype != other.numpy().dtype or part.shape != tuple(other.shape):
            bad.append(f"{name} is {part.dtype} {part.shape}, TensorFlow's {other.numpy().dtype} {tuple(other.shape)}")
    return bad


def scaled(a):
    """Returns the matrix in double precision, divided by its largest magnitude, and that."""
    most = np.max(np.abs(a), initial=0) or 1.0
    return wide(a) / np.float64(most), np.float64(most)


def norm2(a):
    return np.linalg.norm(a, 2) if a.size else 0.0


def check_qr(kind, a, parts, full):
    q, r = parts
    small, most = scaled(a)
    bad = typed("qr", parts, tf.linalg.qr(a, full_matrices=full))
    bad += differences("q r", wide(q) @ (wide(r) / most), small, norm2(small), a)
    if kind in PLAIN and a.size:
        theirs = np.linalg.qr(small)[1]
        bad += differences("r", wide(r)[: theirs.shape[0]] / most, theirs, 100 * norm2(small), a)
    return bad


def check_svd(kind, a, parts, full):
    s, *uv = parts
    small, most = scaled(a)
    wanted = np.linalg.svd(small, compute_uv=False) if a.size else np.zeros(min(a.shape))
    bad = differences("s", wide(s) / most, wanted, norm2(small), a)
    if not uv:
        return bad
    u, v = uv
    bad += typed("suv", parts, tf.linalg.svd(a, full_matrices=full))
    k = min(a.shape)
    bad += differences("u s v^H", wide(u)[:, :k] * (wide(s) / most) @ wide(v)[:, :k].conj().T, small, norm2(small), a)
    return bad


def check_eigh(kind, a, parts):
    e, *v = parts
    small, most = scaled(a)
    bad = typed("ev", parts, tf.linalg.eigh(a) if v else [tf.linalg.eigvalsh(a)])
    bad += differences("e", wide(e) / most, np.linalg.eigvalsh(small) if a.size else np.zeros(0), norm2(small), a)
    if v:
        bad += differences("a v", small @ wide(v[0]), wide(v[0]) * (wide(e) / most), norm2(small), a)
    return bad


def check_eig(kind, a, parts):
    e, *v = parts
    small, most = scaled(a)
    bad = []
    try:
        bad += typed("ev", parts, tf.linalg.eig(a) if v else [tf.linalg.eigvals(a)])
    except tf.errors.InvalidArgumentError:
        pass  # TensorFlow does not scale complex matrices: it fails near overflow, and for a matrix of ones
    if v:
        bad += differences("a v", small @ wide(v[0]), wide(v[0]) * (wide(e) / most), norm2(small), a)
    if kind == "normal" and a.size:
        limit = 1e4 * a.shape[0] * unit_of(a.dtype) * norm2(small)
        bad += nearest_values("eigenvalues", wide(e) / most, np.linalg.eigvals(small), limit)
    return bad


def nearest_values(name, found, wanted, limit):
    """Compares two lists of eigenvalues in any order: each wanted one is next to one that was found and that no other is next to."""
    left, worst = list(found), 0.0
    for value in wanted:
        nearest = int(np.argmin(np.abs(np.array(left) - value)))
        worst = max(worst, abs(left.pop(nearest) - value))
    return [f"{name} are off by {worst:.3g}"] if worst > limit else []


def check_schur(kind, a, parts):
    t, z = (wide(part) for part in parts)
    small, most = scaled(a)
    bad = [] if all(part.dtype == a.dtype for part in parts) else ["the dtype differs"]
    bad += differences("z t z^H", z @ (t / most) @ z.conj().T, small, norm2(small), a)
    if kind == "normal" and a.size:
        limit = 1e4 * a.shape[0] * unit_of(a.dtype) * norm2(small)
        bad += nearest_values("eigenvalues of t", np.linalg.eigvals(t / most), np.linalg.eigvals(small), limit)
    return bad


def check_function(call, kind, a, parts):
    (found,) = parts
    small, most = scaled(a)
    if call == "matrixRank":
        # Singular values at the bound itself may be counted or not.
        s = np.linalg.svd(small, compute_uv=False)
        least = s[0] * max(a.shape) * unit_of(a.dtype)
        low, high = np.sum(s > 2 * least), np.sum(s > least / 2)
        return [] if low <= int(found) <= high else [f"the rank is {int(found)}, not {low} to {high}"]
    if call == "conditionNumber":
        wanted = np.linalg.cond(small)
        near = wanted * unit_of(a.dtype) * max(a.shape) > 0.01 or abs(found - wanted) <= 1e3 * wanted**2 * unit_of(a.dtype) * max(a.shape)
        return [] if near else [f"the condition is {found}, not {wanted}"]
    if call == "lstsq":
        # With b = a, x is the projection on the rows: a x = a.
        return differences("a x", small @ wide(found), small, 100 * norm2(small), a)
    # The inverse of the least numbers is beyond the dtype: infinite, and NaN for complex ones, as NumPy's product of a complex number and inf.
    if a.size and 1 / most > np.finfo(a.dtype).max and not np.all(np.isfinite(found)):
        found = np.zeros_like(found)
    # TensorFlow's pinv takes real matrices only.
    bad = differences("p", found, np.zeros(a.T.shape, a.dtype), np.inf, a) if a.size else []
    if kind in PLAIN and a.size:
        wanted = np.linalg.pinv(small)
        cond = np.linalg.cond(small)
        bad += differences("p", wide(found) * most, wanted, 10 * cond * norm2(wanted), a)
    return bad


CALLS = {
    "qr": lambda kind, a, parts: check_qr(kind, a, parts, False),
    "qr full": lambda kind, a, parts: check_qr(kind, a, parts, True),
    "svd": lambda kind, a, parts: check_svd(kind, a, parts, False),
    "svd full": lambda kind, a, parts: check_svd(kind, a, parts, True),
    "svd values": lambda kind, a, parts: check_svd(kind, a, parts, False),
    "eigh": check_eigh,
    "eigvalsh": check_eigh,
    "eig": check_eig,
    "eigvals": check_eig,
    "schur": check_schur,
}


def answer(question):
    call, kind = question["op"], question["kind"]
    a = array_of(question["matrix"])
    parts = [array_of(part) for part in question["parts"]]
    with np.errstate(all="ignore"):
        return CALLS[call](kind, a, parts) if call in CALLS else check_function(call, kind, a, parts)


for line in sys.stdin:
    try:
        reply = {"ok": answer(json.loads(line))}
    except Exception as error:  # the client shows it as the failure of this question
        reply = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(reply), flush=True)
