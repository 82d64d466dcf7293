"""Fits the polynomials of src/math: minimax (Remez) in 60 digits, coefficients rounded.

python fit-math.py [name]   needs mpmath; prints tables highest power first, as horner takes them.

A fit is: f(z) ~ c0 + c1 z + ... on [a, b], with the error weighed by w(z): the share that an error of the polynomial has in
the relative error of the whole function.
"""

import struct
import sys

from mpmath import mp, mpf, matrix, lu_solve, cos, pi, log, exp, sqrt, asin, atan, sinh, sin, erf, erfc, expm1

mp.dps = 60


def remez(f, w, a, b, powers):
    """The coefficients for these powers of z with the least largest w(z) |f(z) - p(z)|, and that error."""
    count = len(powers)
    points = [(a + b) / 2 + (b - a) / 2 * cos(pi * (count - i) / count) for i in range(count + 1)]
    grid = [(a + b) / 2 + (b - a) / 2 * cos(pi * (600 - i) / 600) for i in range(601)]
    values = [(z, f(z), w(z)) for z in grid]
    for _ in range(40):
        system = matrix(count + 1, count + 1)
        right = matrix(count + 1, 1)
        for row, z in enumerate(points):
            for column, power in enumerate(powers):
                system[row, column] = z**power
            system[row, count] = (-1) ** row / w(z)
            right[row] = f(z)
        solved = lu_solve(system, right)
        c = [solved[i] for i in range(count)]
        errors = [((v - sum(ci * z**p for ci, p in zip(c, powers))) * weight, z) for z, v, weight in values]
        # The largest error between each two changes of sign.
        extremes = []
        for error, z in errors:
            if extremes and (extremes[-1][0] > 0) == (error > 0):
                if abs(error) > abs(extremes[-1][0]):
                    extremes[-1] = (error, z)
            else:
                extremes.append((error, z))
        while len(extremes) > count + 1:
            extremes.pop(0 if abs(extremes[0][0]) < abs(extremes[-1][0]) else -1)
        worst = max(abs(error) for error, _ in errors)
        if len(extremes) < count + 1:
            break
        new = [z for _, z in extremes]
        if max(abs(x - y) for x, y in zip(new, points)) < (b - a) * mpf(10) ** -12:
            break
        points = new
    return c, worst


def rounded(value, bits):
    if bits == 32:
        return mpf(struct.unpack("f", struct.pack("f", float(value)))[0])
    return mpf(float(value))


def fit(f, w, a, b, count, bits):
    """Coefficients rounded to floats or doubles, lowest power first, and the error with them."""
    fixed = [rounded(c, bits) for c in remez(f, w, a, b, list(range(count)))[0]]
    grid = [a + (b - a) * i / 999 for i in range(1000)]
    worst = max(abs((f(z) - sum(c * z**p for p, c in enumerate(fixed))) * w(z)) for z in grid)
    return fixed, worst


def quotient(f, near, limit=mpf("1e-8")):
    """f, with the value `near` where f would divide zero by zero."""
    return lambda z: f(z) if abs(z) > limit else near(z)


kHalfLn2 = log(2) / 2 * mpf("1.0005")
kQuarterPi = pi / 4 * mpf("1.0001")
e = mpf("1e-9")

tables = {
    # e^r = 1 + r + r^2 q(r)
    "exp": (quotient(lambda r: (exp(r) - 1 - r) / r**2, lambda r: mpf(1) / 2 + r / 6), lambda r: r**2 / exp(r) + e, -kHalfLn2, kHalfLn2, (5, 11)),
    # the same for e^r from 3/4 to 3/2
    "exp-shifted": (quotient(lambda r: (exp(r) - 1 - r) / r**2, lambda r: mpf(1) / 2 + r / 6), lambda r: r**2 / exp(r) + e, mpf("-0.2887"), mpf("0.4065"), (5, 11)),
    # 2^r = 1 + r p(r)
    "exp2": (quotient(lambda r: expm1(r * log(2)) / r, lambda r: log(2) + r * log(2) ** 2 / 2), lambda r: abs(r) / mpf(2) ** r + e, mpf("-0.4175"), mpf("0.5845"), (7, 13)),
    # e^r - 1 = r + r^2 q(r), relative to itself, from 3/4 to 3/2
    "expm1-shifted": (quotient(lambda r: (expm1(r) - r) / r**2, lambda r: mpf(1) / 2 + r / 6), lambda r: abs(r) + e, mpf("-0.2887"), mpf("0.4065"), (5, 11)),
    # log((1+s)/(1-s)) = 2s + s z R(z), z = s^2
    "log": (quotient(lambda z: (log((1 + sqrt(z)) / (1 - sqrt(z))) - 2 * sqrt(z)) / sqrt(z) ** 3, lambda z: mpf(2) / 3 + z * 2 / 5), lambda z: z / 2 + e, mpf(0), mpf("0.02945"), (4, 7)),
    # the same with less accuracy than f64 has, for pow of f32
    "log-pow32": (quotient(lambda z: (log((1 + sqrt(z)) / (1 - sqrt(z))) - 2 * sqrt(z)) / sqrt(z) ** 3, lambda z: mpf(2) / 3 + z * 2 / 5), lambda z: z / 2 + e, mpf(0), mpf("0.02945"), (0, 5)),
    # 3/2 log((1+s)/(1-s)) = s (3 + z + z^2 L(z)), for pow of f64
    "log-pow64": (quotient(lambda z: (log((1 + sqrt(z)) / (1 - sqrt(z))) * 3 / 2 / sqrt(z) - 3 - z) / z**2, lambda z: mpf(3) / 5 + z * 3 / 7), lambda z: z**2 / 3 + e**2, mpf(0), mpf("0.02945"), (0, 9)),
    # sin r = r + r z S(z)
    "sin": (quotient(lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z, lambda z: -mpf(1) / 6 + z / 120), lambda z: z + e, mpf(0), kQuarterPi**2, (3, 6)),
    # cos r = 1 - z/2 + z^2 C(z)
    "cos": (quotient(lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, lambda z: mpf(1) / 24 - z / 720), lambda z: z**2 / cos(sqrt(z)) + e, mpf(0), kQuarterPi**2, (3, 6)),
    # asin x = x + x z P(z)
    "asin": (quotient(lambda z: (asin(sqrt(z)) / sqrt(z) - 1) / z, lambda z: mpf(1) / 6 + z * 3 / 40), lambda z: z + e, mpf(0), mpf("0.2501"), (5, 12)),
    # atan t = t + t z P(z), t <= 1/2
    "atan": (quotient(lambda z: (atan(sqrt(z)) / sqrt(z) - 1) / z, lambda z: -mpf(1) / 3 + z / 5), lambda z: z + e, mpf(0), mpf("0.2501"), (6, 13)),
    # sinh x = x + x z P(z), x <= 1
    "sinh": (quotient(lambda z: (sinh(sqrt(z)) / sqrt(z) - 1) / z, lambda z: mpf(1) / 6 + z / 120), lambda z: z + e, mpf(0), mpf("1.001"), (4, 7)),
    # erf x = x + x E(z), x <= 1.15
    "erf": (quotient(lambda z: erf(sqrt(z)) / sqrt(z) - 1, lambda z: 2 / sqrt(pi) * (1 - z / 3) - 1), lambda z: mpf(1), mpf(0), mpf("1.3235"), (8, 14)),
}


def erfc_root(count):
    """erfc(x)^(-1/8) from where the polynomial of erf ends, for f32."""
    root = lambda x: erfc(x) ** (-mpf(1) / 8)
    return fit(root, lambda x: 8 * erfc(x) / erf(x) / root(x), mpf("1.149"), mpf("3.93"), count, 32)


def erfc_scaled(count):
    """e^(x^2) erfc(x) from there to 6 as a polynomial in t = (x - 2) / (x + 2), for f64."""
    of = lambda t: 2 * (1 + t) / (1 - t)
    scaled = lambda t: exp(of(t) ** 2) * erfc(of(t))
    return fit(scaled, lambda t: exp(-of(t) ** 2) / erf(of(t)), mpf("-0.271"), mpf("0.5"), count, 64)


if __name__ == "__main__":
    for name, (f, w, a, b, counts) in tables.items():
        if len(sys.argv) > 1 and name not in sys.argv[1:]:
            continue
        for bits, count in zip((32, 64), counts):
            if count == 0:
                continue
            c, worst = fit(f, w, a, b, count, bits)
            print(f"{name} {bits}: error 2^{float(log(worst, 2)):.1f}")
            print("  [" + ", ".join(repr(float(x)) for x in reversed(c)) + "]")
    if len(sys.argv) == 1 or "erfc" in sys.argv[1:]:
        for bits, (c, worst) in ((32, erfc_root(8)), (64, erfc_scaled(16))):
            print(f"erfc {bits}: error 2^{float(log(worst, 2)):.1f}")
            print("  [" + ", ".join(repr(float(x)) for x in reversed(c)) + "]")
