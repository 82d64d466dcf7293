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


# Bernoulli's numbers B(2), B(4), …
BERNOULLI = [
    np.longdouble(a) / b
    for a, b in [(1, 6), (-1, 30), (1, 42), (-1, 30), (5, 66), (-691, 2730), (7, 6), (-3617, 510), (43867, 798), (-174611, 330), (854513, 138)]
]
# From this argument on, the asymptotic series of the gamma function and its derivatives are exact to 2^-64.
FAR = 20


def log_gamma_above(x):
    """Returns the logarithm of the gamma function for x > -1/2: Stirling's series after the recurrence."""
    product = np.ones_like(x)
    at = x
    for _ in range(FAR):
        near = at < FAR
        product = np.where(near, product * at, product)
        at = np.where(near, at + 1, at)
    series = sum(b / (2 * j * (2 * j - 1)) * at ** (1 - 2 * j) for j, b in enumerate(BERNOULLI, 1))
    return (at - 0.5) * np.log(at) - at + np.log(2 * PI) / 2 + series - np.log(np.abs(product))


@on_longdoubles
def wide_lgamma(x):
    below = x < -0.5
    above = log_gamma_above(np.where(below, -x, x))
    sine = np.abs(np.sin(PI * (x - np.round(x))))
    value = np.where(below, np.log(PI / (np.abs(x) * sine)) - above, above)
    return np.where(np.isinf(x) | (x == 0), np.inf, value)


def digamma_above(x):
    """Returns the derivative of the logarithm of the gamma function for x > 0: its series after the recurrence."""
    total = np.zeros_like(x)
    at = x
    for _ in range(FAR):
        near = at < FAR
        total = np.where(near, total + 1 / at, total)
        at = np.where(near, at + 1, at)
    return np.log(at) - 0.5 / at - sum(b / (2 * j) * at ** (-2 * j) for j, b in enumerate(BERNOULLI, 1)) - total


@on_longdoubles
def wide_digamma(x):
    part = x - np.round(x)
    below = digamma_above(1 - x) - PI / np.tan(PI * part)
    return np.where((x <= 0) & (part == 0) | (x == -np.inf), np.nan, np.where(x < 0, below, np.where(x == np.inf, x, digamma_above(x))))


def erf_over(x, size):
    """Returns erf(x) - size for size < 1/2 and 1 - size - erfc(x) above, neither of which cancels, divided by the derivative of erf."""
    clipped = np.clip(x, 0.45, 30)
    far = (1 - size) * np.exp(clipped * clipped) - erfc_far(clipped)
    return np.where(size < 0.5, (erf_near(np.clip(x, -1, 1)) - size) * np.exp(x * x), far) * np.sqrt(PI) / 2


@on_longdoubles
def wide_erfinv(x):
    size = np.abs(x)
    log = np.log1p(-size) + np.log1p(size)
    middle = 2 / (PI * 0.147) + log / 2
    value = np.sqrt(-log / 0.147 / (np.sqrt(middle * middle - log / 0.147) + middle))
    for _ in range(5):
        off = erf_over(value, size)
        value = value - off / (1 + value * off)
    return np.where(size < 1, np.copysign(value, x), np.where(size == 1, x * np.inf, np.nan))


def hurwitz_zeta(s, x, base):
    """Returns the sum of (base / (x + k))^s over k = 0, 1, 2, … for x >= base > 0, by the formula of Euler and Maclaurin."""
    powers = [np.exp(-s * np.log1p((x - base + k) / base)) for k in range(FAR + 1)]
    at = x + FAR
    # For larger s the last power is 0.
    order = np.minimum(s, 64 * at)
    others = at / (s - 1) + 0.5
    factor = order / at / 2
    for j, b in enumerate(BERNOULLI):
        others = others + b * factor
        factor = factor * ((order + 2 * j + 1) / at / (2 * j + 3)) * ((order + 2 * j + 2) / at / (2 * j + 4))
    return sum(powers[:FAR]) + powers[FAR] * others


@on_longdoubles
def wide_polygamma(n, x):
    n, x = np.broadcast_arrays(n, x)
    valid = (n >= 1) & (n == np.floor(n)) & np.isfinite(n)
    # The parity is that of s in float64: huge orders are odd.
    s = (np.where(valid, n, 1).astype(np.float64) + 1).astype(np.longdouble)
    sign = np.where(s % 2 == 0, 1, -1)
    # Between two integers derivatives of even orders are those at 1 - x, because those of the cotangent are 0.
    x = np.where((np.abs(x - np.round(x)) == 0.5) & (x < 0) & (sign < 0), 1 - x, x)
    part = x - np.round(x)
    base = np.where(x > 0, x, np.abs(part))
    near, far, end = (hurwitz_zeta(s, at, base) for at in [base, 1 - base, 1 - x])
    above, below = np.where(part > 0, near, far), np.where(part > 0, far, near)
    total = np.where(x > 0, near, above + sign * (below - end))
    value = sign * total * np.exp(log_gamma_above(s) - s * np.log(base))
    value = np.where(x == np.inf, sign * np.longdouble(0), value)
    value = np.where((x <= 0) & ((part == 0) | (x == -np.inf)), np.where(sign < 0, np.nan, np.inf), value)
    return np.where((n == 0) & ~np.isnan(x), wide_digamma(x), np.where(valid & ~np.isnan(x), value, np.nan))
