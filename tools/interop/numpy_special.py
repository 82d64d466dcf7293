"""Special functions in NumPy in extended precision. Each takes and returns arrays of np.longdouble."""

import numpy as np

PI = np.longdouble("3.14159265358979323846264338327950288")


def on_longdoubles(f):
    """Returns f without its warnings: infinities and NaN are results like others."""

    def run(*inputs):
        with np.errstate(all="ignore"):
            return f(*(np.asarray(x, np.longdouble) for x in inputs))

    return run


def erf_near(x):
    """Returns the error function for |x| < 1 by its series."""
    term = total = x
    for n in range(1, 40):
        term = -term * x * x / n
        total = total + term / (2 * n + 1)
    return 2 / np.sqrt(PI) * total


def erfc_far(x):
    """Returns e^(x^2) erfc(x) for x > 1/2: a sum of trapezoids of width h and, below pi / h, the residue of the integrand."""
    h = np.longdouble("0.375")
    total = 1 / (2 * x * x)
    for n in range(1, 20):
        total = total + np.exp(-((n * h) ** 2)) / ((n * h) ** 2 + x * x)
    return 2 * h * x / PI * total - np.where(x < PI / h, 2 * np.exp(x * x) / np.expm1(2 * PI * x / h), 0)


@on_longdoubles
def wide_erfc(x):
    size = np.clip(np.abs(x), 0.5, 110)
    # x^2 in two parts, of which the first is exact.
    high = np.round(size * 1024) / 1024
    far = np.exp(-high * high) * np.exp(-(size - high) * (size + high)) * erfc_far(size)
    far = np.where(size > 40, 0, far)
    value = np.where(np.abs(x) < 0.5, 1 - erf_near(np.clip(x, -1, 1)), np.where(x < 0, 2 - far, far))
    return np.where(np.isnan(x), x, value)
