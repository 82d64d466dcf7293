"""Writes small-number-fixture.ts: bits decoded and numbers encoded by NumPy's float16 and ml_dtypes.

    pip install numpy ml_dtypes
    python small-number-fixture.py > small-number-fixture.ts

The tests rebuild the same inputs (small-number-inputs.ts) and compare digests, so that agreement over some millions of
numbers is proven without Python. Every number is encoded as Python floats are: `np.array([...python floats...], dtype)`,
which for ml_dtypes is the same as calling the scalar type, and for NumPy's float16 the same as astype from float64.
This is asserted below, as is that bfloat16 rounds through float32 and the others do not.

NaNs: the sign and payload of a NaN input cannot be seen in JavaScript, so inputs hold the one NaN np.nan, and decoded
NaNs are written as 0x7fc00000 before hashing.
"""

import hashlib
import math
import sys

import ml_dtypes
import numpy as np

FLOATS = ["float16", "bfloat16", "float8_e5m2", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2fnuz", "float4_e2m1fn"]
INTS = ["int4", "uint4", "int2", "uint2"]
COUNT = 700_000


def dtype_of(name):
    return np.dtype(np.float16) if name == "float16" else np.dtype(getattr(ml_dtypes, name))


def pattern_type(dtype):
    return np.uint16 if dtype.itemsize == 2 else np.uint8


def all_patterns(dtype):
    # A float4 has four bits of its byte; ml_dtypes takes any above them for the sign.
    bits = 4 if dtype == ml_dtypes.float4_e2m1fn else 8 * dtype.itemsize
    return np.arange(1 << bits, dtype=pattern_type(dtype))


def decode(name):
    dtype = dtype_of(name)
    with np.errstate(all="ignore"):
        return all_patterns(dtype).view(dtype).astype(np.float32)


def encode(name, numbers):
    dtype = dtype_of(name)
    if name in ("float16", "bfloat16"):
        with np.errstate(all="ignore"):
            return numbers.astype(dtype).view(pattern_type(dtype))
    return np.array(numbers.tolist(), dtype=dtype).view(pattern_type(dtype))


def mixed_words(seed, count):
    """32-bit words from a counter: murmur3's finisher over seed + i."""
    h = np.arange(seed, seed + count, dtype=np.uint32)
    with np.errstate(over="ignore"):
        h ^= h >> np.uint32(16)
        h *= np.uint32(0x85EBCA6B)
        h ^= h >> np.uint32(13)
        h *= np.uint32(0xC2B2AE35)
        h ^= h >> np.uint32(16)
    return h


def doubles(high, low):
    words = (high.astype(np.uint64) << np.uint64(32)) | low.astype(np.uint64)
    numbers = words.view(np.float64)
    return np.where(np.isnan(numbers), np.nan, numbers)


def random_doubles():
    return doubles(mixed_words(1, COUNT), mixed_words(1 + COUNT, COUNT))


def random_floats():
    with np.errstate(invalid="ignore"):
        numbers = mixed_words(2_000_000, COUNT).view(np.float32).astype(np.float64)
    return np.where(np.isnan(numbers), np.nan, numbers)


def ranged_doubles(name):
    """Random mantissas with exponents from four below the smallest denormal's to three above the largest number's."""
    lowest, highest = exponents(name)
    high, low, pick = (mixed_words(3_000_000 + i * COUNT, COUNT) for i in range(3))
    exponent = 1023 + lowest - 4 + (pick % np.uint32(highest + 3 - (lowest - 4) + 1)).astype(np.int64)
    return doubles((high & np.uint32(0x800FFFFF)) | (exponent.astype(np.uint32) << np.uint32(20)), low)


def exponents(name):
    values = finite_values(name)
    return math.frexp(values[1])[1] - 1, math.frexp(values[-1])[1] - 1


def finite_values(name):
    """The finite values from 0 up, in order."""
    values = decode(name)
    return np.unique(values[np.isfinite(values) & (values >= 0)]).astype(np.float64)


def borders(name):
    """Every value, every tie between neighbors (and the one above the largest), each with the next double and the
    next float32 on both sides, of both signs."""
    values = finite_values(name)
    above = values[-1] + (values[-1] - values[-2])
    ties = (values + np.append(values[1:], above)) / 2
    centres = np.concatenate([values, ties])
    floats = centres.astype(np.float32)
    with np.errstate(all="ignore"):
        near = [
            centres,
            np.nextafter(centres, np.inf),
            np.nextafter(centres, -np.inf),
            np.nextafter(floats, np.float32(np.inf)).astype(np.float64),
            np.nextafter(floats, np.float32(-np.inf)).astype(np.float64),
        ]
    numbers = np.concatenate(near)
    return np.concatenate([numbers, -numbers])


def digest(array):
    return hashlib.sha256(array.astype(array.dtype.newbyteorder("<")).tobytes()).hexdigest()


def decode_digest(name):
    words = decode(name).view(np.uint32)
    return digest(np.where(np.isnan(words.view(np.float32)), np.uint32(0x7FC00000), words))


def check_rules(name):
    """What the doc comments say about rounding."""
    dtype = dtype_of(name)
    numbers = borders(name)[::7][:20_000]
    one_by_one = np.array([dtype.type(x) for x in numbers.tolist()], dtype)
    assert np.array_equal(one_by_one.view(pattern_type(dtype)), encode(name, numbers)), name
    values = finite_values(name)
    ties = (values[1:-1] + values[2:]) / 2
    with np.errstate(all="ignore"):
        up = encode(name, np.nextafter(ties, np.inf)).view(dtype).astype(np.float64)
    assert np.array_equal(up, values[2:]) == (name != "bfloat16"), name


INTERESTING = [
    0.0, -0.0, 1.0, -1.0, 0.1, 1 / 3, 2 / 3, 3.14159, 15.5, 30.0, 30.99999999999, 31.0, 100.0, 240.0, 247.99999999999, 248.0, 448.0,
    464.0, 464.00000000001, 480.0, 57344.0, 61439.99999999999, 61440.0, 65504.0, 65519.99999999999, 65520.0, 65536.0, 1e5, 3.3895313892515355e38,
    3.39e38, 3.4028234663852886e38, 1e300, 1.00390625, 1.00390625000000022, 1.00048828125, 1.0004882812500002, 1.125, 1.0625, 1.0625000000000002,
    2.0**-9, 2.0**-10, 2.0**-11, 2.0**-14, 2.0**-17, 2.0**-18, 2.0**-24, 2.0**-25, 2.9802322387695316e-08, 2.0**-133, 2.0**-134, 2.0**-149, 5e-324,
    math.inf, -math.inf, math.nan,
]

INT_INTERESTING = [
    0.0, -0.0, 0.5, 0.99, -0.5, 1.0, 1.9, -1.0, -1.9, 2.0, -2.0, 3.0, -3.0, 4.0, 7.0, 7.9, 8.0, -8.0, -9.0, 15.0, 15.9, 16.0, 16.5, 100.7, -100.7,
    300.5, 1e5, 2147483647.0, -2147483648.0, math.inf, -math.inf, math.nan,
]


def text(x):
    if math.isnan(x):
        return "NaN"
    if math.isinf(x):
        return "Infinity" if x > 0 else "-Infinity"
    return repr(x)[:-2] if repr(x).endswith(".0") else repr(x)


def main():
    out = sys.stdout.write
    out("/**\n * The results of NumPy's float16 and ml_dtypes for small-numbers.suite.ts: decoded bits and encoded numbers.\n")
    out(f" * Written by small-number-fixture.py with NumPy {np.__version__} and ml_dtypes {ml_dtypes.__version__}; do not edit.\n */\n\n")
    out("/** sha256 of each dtype's decoded values and of the patterns its encoder makes of each input stream. */\n")
    out("export const digests = {\n")
    shared = {"randomDoubles": random_doubles(), "randomFloats": random_floats()}
    for name in FLOATS:
        check_rules(name)
        streams = {**shared, "rangedDoubles": ranged_doubles(name), "borders": borders(name)}
        out(f"  {name}: {{\n    decoded: \"{decode_digest(name)}\",\n")
        for stream, numbers in streams.items():
            out(f"    {stream}: {{ count: {len(numbers)}, inputs: \"{digest(canonical(numbers))}\", encoded: \"{digest(encode(name, numbers))}\" }},\n")
        out("  },\n")
    out("} as const;\n\n")
    out(f"/** Each number with its patterns in {', '.join(FLOATS)}. */\n")
    out("export const encodedFloats: readonly (readonly [x: number, ...patterns: number[]])[] = [\n")
    table = {name: encode(name, np.array(INTERESTING)) for name in FLOATS}
    for i, x in enumerate(INTERESTING):
        out(f"  [{text(x)}, {', '.join(hex_of(name, table[name][i]) for name in FLOATS)}],\n")
    out("];\n\n")
    out(f"/** Each number with its stored byte as {', '.join(INTS)}. */\n")
    out("export const encodedInts: readonly (readonly [x: number, ...bytes: number[]])[] = [\n")
    with np.errstate(all="ignore"):
        table = {name: np.array(INT_INTERESTING).astype(dtype_of(name)).view(np.uint8) for name in INTS}
    for i, x in enumerate(INT_INTERESTING):
        out(f"  [{text(x)}, {', '.join(str(table[name][i]) for name in INTS)}],\n")
    out("];\n\n")
    out("/** The values of the bytes 0 to 255; the upper bits are ignored. */\n")
    out("export const decodedInts: Readonly<Record<\"int4\" | \"uint4\" | \"int2\" | \"uint2\", string>> = {\n")
    for name in INTS:
        values = all_patterns(dtype_of(name)).view(dtype_of(name)).astype(np.int8)
        out(f"  {name}: \"{digest(values)}\",\n")
    out("};\n")


def canonical(numbers):
    words = numbers.view(np.uint64)
    return np.where(np.isnan(numbers), np.uint64(0x7FF8000000000000), words)


def hex_of(name, pattern):
    return f"0x{int(pattern):0{4 if name in ('float16', 'bfloat16') else 2}x}"


main()
