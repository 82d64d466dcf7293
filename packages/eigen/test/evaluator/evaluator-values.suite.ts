// Values that random inputs do not reach: the ends of ranges, intermediate roundings, ties and signs, and casts whose result C++ leaves
// undefined and this library defines.
import { describe, expect, test } from "@jest/globals";
import type { Complex, DType, RawDType } from "@onebuffer/base";
import { arraySlots, typedArrayConstructor } from "@onebuffer/base";
import { MemoryToken } from "@onebuffer/storage/internal";
import { assignByReference, unalignedTensorMap } from "@onebuffer/eigen/internal";
import { statelessNormal, statelessUniform, tensorMap } from "@onebuffer/eigen";
import type { Expression, Operand } from "@onebuffer/eigen";

/** Returns the elements of an expression, computed by the plain evaluator. */
function values(expression: Operand<DType, number>): unknown[] {
  const { dtype, dimensions, size } = expression;
  const out = tensorMap(dtype, new (typedArrayConstructor(dtype as RawDType))(size * arraySlots(dtype as RawDType)) as never, dimensions);
  assignByReference(out, expression);
  return [...out];
}

/** Returns a map of rank 1 with these elements. */
function vector<D extends RawDType>(dtype: D, elements: readonly unknown[]): Expression<D, 1> {
  const map = tensorMap(dtype as RawDType, new (typedArrayConstructor(dtype))(elements.length * arraySlots(dtype)) as never, [
    elements.length,
  ]);
  map.copyFrom(elements as never);
  return map as unknown as Expression<D, 1>;
}

const floats = [NaN, Infinity, -Infinity, 3e9, -3e9, 1e10, 1e20, -1e20, 300, -1, -1.5, 1.5, 256.5, -129, 70000];
const low32 = -(2 ** 31);
const low64 = -(2n ** 63n);

describe("casts", () => {
  test.each<[RawDType, unknown[]]>([
    ["int8", [0, 0, 0, 0, 0, 0, 0, 0, 44, -1, -1, 1, 0, 127, 112]],
    ["uint8", [0, 0, 0, 0, 0, 0, 0, 0, 44, 255, 255, 1, 0, 127, 112]],
    ["int16", [0, 0, 0, 0, 0, 0, 0, 0, 300, -1, -1, 1, 256, -129, 4464]],
    ["uint16", [0, 0, 0, 0, 0, 0, 0, 0, 300, 65535, 65535, 1, 256, 65407, 4464]],
    ["int32", [...Array<number>(8).fill(low32), 300, -1, -1, 1, 256, -129, 70000]],
    [
      "uint32",
      [2 ** 31, 2 ** 31, 2 ** 31, 3e9, 2 ** 31, 2 ** 31, 2 ** 31, 2 ** 31, 300, 4294967295, 4294967295, 1, 256, 4294967167, 70000],
    ],
    ["int64", [low64, low64, low64, 3000000000n, -3000000000n, 10000000000n, low64, low64, 300n, -1n, -1n, 1n, 256n, -129n, 70000n]],
    [
      "uint64",
      [2n ** 63n, 2n ** 63n, 2n ** 63n, 3000000000n, 18446744070709551616n, 10000000000n, 2n ** 63n, 2n ** 63n, 300n].concat([
        18446744073709551615n,
        18446744073709551615n,
        1n,
        256n,
        18446744073709551487n,
        70000n,
      ]),
    ],
    ["bool", [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]],
    ["int4", [0, 0, 0, 0, 0, 0, 0, 0, -4, -1, -1, 1, 0, -1, 0]],
  ])("floats to %s: out of range values become what x86 gives", (dtype, expected) => {
    expect(values(vector("float32", floats).cast(dtype))).toEqual(expected);
    expect(values(vector("float64", floats).cast(dtype))).toEqual(expected);
  });

  test.each<[RawDType, unknown[]]>([
    ["int8", [0, 127, -128, 127, -128, 127, 127, -128, 127, -1, -1, 1, 127, -128, 127]],
    ["uint8", [0, 255, 0, 255, 0, 255, 255, 0, 255, 0, 0, 1, 255, 0, 255]],
    ["int32", [low32, 2147483647, low32, 2147483647, low32, 2147483647, 2147483647, low32, 300, -1, -1, 1, 256, -129, 70000]],
    ["uint32", [2 ** 31, 4294967295, 0, 3e9, 0, 4294967295, 4294967295, 0, 300, 0, 0, 1, 256, 0, 70000]],
    [
      "int64",
      [
        low64,
        2n ** 63n - 1024n,
        low64,
        3000000000n,
        -3000000000n,
        10000000000n,
        2n ** 63n - 1024n,
        low64,
        300n,
        -1n,
        -1n,
        1n,
        256n,
        -129n,
        70000n,
      ],
    ],
  ])("floats to %s, saturating: the nearest end, but NaN as in any cast", (dtype, expected) => {
    expect(values(vector("float64", floats).saturateCast(dtype))).toEqual(expected);
  });

  // The results of tf.saturate_cast in TensorFlow 2.21 for [NaN, Infinity, -Infinity, 1.5].
  test.each<[RawDType, RawDType, unknown[]]>([
    ["float16", "float16", [NaN, 65504, -65504, 1.5]],
    ["float16", "float64", [NaN, 65504, -65504, 1.5]],
    ["float16", "bfloat16", [NaN, 65536, -65536, 1.5]],
    ["float16", "int16", [0, 32752, -32768, 1]],
    ["float16", "int32", [low32, 65504, -65504, 1]],
    ["bfloat16", "float16", [NaN, 65280, -65280, 1.5]],
    ["bfloat16", "bfloat16", [NaN, 3.3895313892515355e38, -3.3895313892515355e38, 1.5]],
    ["bfloat16", "uint16", [0, 65280, 0, 1]],
    ["bfloat16", "int32", [low32, 2139095040, low32, 1]],
    ["float32", "float32", [NaN, 3.4028234663852886e38, -3.4028234663852886e38, 1.5]],
    ["float32", "float64", [NaN, 3.4028234663852886e38, -3.4028234663852886e38, 1.5]],
    ["float32", "uint8", [0, 255, 0, 1]],
    ["float32", "int32", [low32, 2147483520, low32, 1]],
    ["float64", "float64", [NaN, Number.MAX_VALUE, -Number.MAX_VALUE, 1.5]],
    ["float64", "int32", [low32, 2147483647, low32, 1]],
  ])("%s to %s, saturating: clips to the range of both dtypes, as TensorFlow does", (from, to, expected) => {
    expect(values(vector(from, [NaN, Infinity, -Infinity, 1.5]).saturateCast(to))).toEqual(expected);
  });

  test("integers to floats saturate at the largest finite number", () => {
    expect(values(vector("int32", [low32, 2147483647, 70000, -3]).saturateCast("float16"))).toEqual([-65504, 65504, 65504, -3]);
    expect(values(vector("uint64", [2n ** 64n - 1n]).saturateCast("float32"))).toEqual([2 ** 64]);
    expect(values(vector("int64", [low64, 5n]).saturateCast("int64"))).toEqual([low64, 5n]);
  });

  test("integers wrap, or saturate", () => {
    const wide = vector("int64", [300n, -1n, 2n ** 40n + 5n, low64]);
    expect(values(wide.cast("uint8"))).toEqual([44, 255, 5, 0]);
    expect(values(wide.saturateCast("uint8"))).toEqual([255, 0, 255, 0]);
    expect(values(wide.cast("uint64"))).toEqual([300n, 2n ** 64n - 1n, 2n ** 40n + 5n, 2n ** 63n]);
    expect(values(wide.saturateCast("uint64"))).toEqual([300n, 0n, 2n ** 40n + 5n, 0n]);
    expect(values(vector("uint32", [2 ** 32 - 1]).cast("int64"))).toEqual([4294967295n]);
    expect(
      values(
        vector("bool", [true, false])
          .cast("int16")
          .add(vector("int16", [5, 5])),
      ),
    ).toEqual([6, 5]);
  });

  test("64-bit integers are rounded to float32 once", () => {
    // A cast by way of float64 would lose the last bit, see a tie and round it down.
    const x = 2n ** 60n + 2n ** 36n + 1n;
    expect(values(vector("int64", [x, -x, 2n ** 60n + 2n ** 36n]).cast("float32"))).toEqual([
      2 ** 60 + 2 ** 37,
      -(2 ** 60) - 2 ** 37,
      2 ** 60,
    ]);
    expect(values(vector("uint64", [2n ** 64n - 1n]).cast("float32"))).toEqual([2 ** 64]);
    expect(values(vector("int64", [2n ** 53n + 1n]).cast("float64"))).toEqual([2 ** 53]);
  });

  test("casts to small floats go through float32", () => {
    const x = vector("float64", [1 + 2 ** -11 + 2 ** -40, 65519.99, 65520, 1e-8, -Infinity]);
    expect(values(x.cast("float16"))).toEqual([1, 65504, Infinity, 0, -Infinity]);
    expect(values(x.saturateCast("float16"))).toEqual([1, 65504, 65504, 0, -65504]);
    expect(values(vector("float64", [1e39, -1e39, NaN]).saturateCast("float32"))).toEqual([
      3.4028234663852886e38,
      -3.4028234663852886e38,
      NaN,
    ]);
    expect(values(vector("float32", [1000, 449, NaN]).saturateCast("float8_e4m3fn"))).toEqual([448, 448, NaN]);
    expect(values(vector("float8_e5m2", [0.3]).cast("float32"))).toEqual([0.3125]);
  });

  test("the parts, the conjugate and the angle of complex numbers", () => {
    const z = vector("complex128", [
      [3, -4],
      [-1, 0],
      [-1, -0],
      [Infinity, NaN],
    ]);
    expect(values(z.conj())).toEqual([
      [3, 4],
      [-1, -0],
      [-1, 0],
      [Infinity, NaN],
    ]);
    expect(values(z.real())).toEqual([3, -1, -1, Infinity]);
    expect(values(z.imag())).toEqual([-4, 0, -0, NaN]);
    expect(values(z.angle())).toEqual([Math.atan2(-4, 3), Math.PI, -Math.PI, NaN]);
    // Products of complex64 round each operation on parts: 0.1f * 0.1f - 0.2f * 0.2f.
    const { fround } = Math;
    const w = [fround(0.1), fround(0.2)] as const;
    const product = [fround(fround(w[0] * w[0]) - fround(w[1] * w[1])), fround(fround(w[0] * w[1]) + fround(w[1] * w[0]))];
    const single = vector("complex64", [[0.1, 0.2]]);
    expect([values(single.mul(single)), values(single.square())]).toEqual([[product], [product]]);
  });

  test("quotients of complex64 are rounded once", () => {
    const divide = (z: Complex, w: Complex): unknown => values(vector("complex64", [z]).div(vector("complex64", [w])))[0];
    const [big, tiny, near] = [2 ** 127, 2 ** -149, 1 + 2 ** -23];
    const size = 1 + near * near;
    expect(divide([-4, 7], [2, 3])).toEqual([1, 2]);
    expect(divide([big, big], [big, big])).toEqual([1, 0]);
    expect(divide([tiny, -tiny], [tiny, tiny])).toEqual([0, -1]);
    // 1 - near is all that is left of the real part's numerator.
    expect(divide([1, -1], [1, near])).toEqual([Math.fround(-(2 ** -23) / size), Math.fround(-(1 + near) / size)]);
    expect(divide([2, -3], [0, -0])).toEqual([Infinity, -Infinity]);
    expect(divide([0, 1], [0, 0])).toEqual([NaN, Infinity]);
    expect(divide([2, -3], [-Infinity, 5])).toEqual([-0, 0]);
    expect(divide([2, -3], [5, Infinity])).toEqual([-0, -0]);
    expect(divide([Infinity, 1], [Infinity, 1])).toEqual([NaN, NaN]);
    expect(divide([1, 1], [NaN, Infinity])).toEqual([NaN, NaN]);
  });

  test("casts of complex numbers drop the imaginary part, except to bool", () => {
    const z = vector("complex64", [
      [1.5, 2],
      [0, 2],
      [0, 0],
    ]);
    expect(values(z.cast("int32"))).toEqual([1, 0, 0]);
    expect(values(z.cast("bool"))).toEqual([true, true, false]);
    expect(values(vector("int64", [3n]).cast("complex128"))).toEqual([[3, 0]]);
  });
});

describe("intermediate roundings", () => {
  test("float32 is rounded after every operation", () => {
    expect(values(vector("float32", [2]).sqrt().square())).toEqual([1.9999998807907104]);
    expect(values(vector("float32", [16777216]).add(1).sub(16777216))).toEqual([0]);
    expect(values(vector("float64", [16777216]).add(1).sub(16777216))).toEqual([1]);
  });

  test("float16 is rounded only by a cast", () => {
    const x = vector("float16", [2048]);
    expect(values(x.add(1).sub(2048))).toEqual([1]);
    expect(values(x.add(1).cast("float16").sub(2048))).toEqual([0]);
    expect(
      values(
        vector("float16", [60000])
          .add(vector("float16", [60000]))
          .sub(vector("float16", [60000])),
      ),
    ).toEqual([60000]);
  });

  test("integers wrap after every operation", () => {
    expect(values(vector("uint8", [1]).neg().cast("int32"))).toEqual([255]);
    expect(values(vector("int8", [100]).add(100).div(2))).toEqual([-28]);
    expect(values(vector("int32", [65536]).mul(65536))).toEqual([0]);
    expect(values(vector("uint32", [0]).sub(1).cast("float64"))).toEqual([4294967295]);
    expect(values(vector("int8", [-128]).abs())).toEqual([-128]);
    expect(values(vector("int8", [-128]).div(-1))).toEqual([-128]);
    expect(values(vector("int64", [low64]).neg())).toEqual([low64]);
    expect(values(vector("uint64", [2n ** 63n]).mul(2n))).toEqual([0n]);
    expect(values(vector("int32", [2 ** 31 - 1]).squaredDifference(-1))).toEqual([0]);
  });
});

describe("special values", () => {
  test("ties, signs and NaN", () => {
    const zeros = vector("float32", [0, -0]);
    expect(values(zeros.maximum(zeros.reverse()))).toEqual([0, 0]);
    expect(values(zeros.minimum(zeros.reverse()))).toEqual([-0, -0]);
    expect(values(zeros.sign())).toEqual([0, 0]);
    expect(values(zeros.relu())).toEqual([0, 0]);
    expect(values(vector("float32", [NaN, 1]).maximum(vector("float32", [1, NaN])))).toEqual([NaN, NaN]);
    expect(values(vector("float32", [0.5, 1.5, 2.5, -0.5, -1.5, -0.2, 2 ** 24 + 1]).round())).toEqual([0, 2, 2, -0, -2, -0, 2 ** 24]);
    expect(values(vector("float32", [-0.5, -0]).ceil())).toEqual([-0, -0]);
  });

  test("powers of zeros, NaN, infinities and negative numbers", () => {
    const x = vector("float64", [0, 0, -8, 1, NaN, -1, Infinity, -1]);
    const y = vector("float64", [0, -1, 1 / 3, NaN, 0, Infinity, 0, 0.5]);
    expect(values(x.pow(y))).toEqual([1, Infinity, NaN, 1, 1, 1, 1, NaN]);
    expect(values(vector("int32", [3, -3, 2]).pow(vector("int32", [21, 3, 31])))).toEqual([1870418611, -27, low32]);
    expect(values(vector("int64", [3n]).pow(41n))).toEqual([BigInt.asIntN(64, 3n ** 41n)]);
  });

  test("argmax of NaN, and of elements that are all the lowest", () => {
    const argmax = (list: readonly number[]): unknown => values(vector("float32", list).argmax())[0];
    expect([argmax([NaN, 1, 2]), argmax([1, NaN, 2]), argmax([NaN, NaN]), argmax([NaN, -Infinity]), argmax([1, 2, 2])]).toEqual([
      2n,
      2n,
      0n,
      0n,
      1n,
    ]);
    expect(values(vector("int8", [-128, -128]).argmax())).toEqual([0n]);
    expect(values(vector("float32", [3, NaN, 2]).argmin(0, { outputType: "int32" }))).toEqual([2]);
  });

  test("sorting puts NaN last in both directions and is stable", () => {
    const x = vector("float32", [3, NaN, 1, -0, 0, 3]);
    expect(values(x.sort())).toEqual([-0, 0, 1, 3, 3, NaN]);
    expect(values(x.sort(-1, { descending: true }))).toEqual([3, 3, 1, -0, 0, NaN]);
    expect(values(x.argsort(-1, { descending: true }))).toEqual([0, 5, 2, 3, 4, 1]);
  });

  test("reductions of no elements", () => {
    const none = vector("float32", []);
    expect([none.sum(), none.prod(), none.max(), none.min(), none.mean()].map((expression) => values(expression)[0])).toEqual([
      0,
      1,
      -Infinity,
      Infinity,
      NaN,
    ]);
    expect(values(vector("int8", []).max())).toEqual([-128]);
    expect(values(vector("uint64", []).min())).toEqual([2n ** 64n - 1n]);
    expect([values(vector("bool", []).any()), values(vector("bool", []).all())]).toEqual([[false], [true]]);
  });

  test("denormals are kept", () => {
    expect(values(vector("float32", [2 ** -149]).mul(1))).toEqual([2 ** -149]);
    expect(values(vector("float32", [-100]).exp())).toEqual([Math.fround(Math.exp(-100))]);
    expect(values(vector("float64", [-740]).sigmoid())).toEqual([Math.exp(-740)]);
  });

  test("the error function is within 1 ulp", () => {
    const exact: readonly (readonly [number, number])[] = [
      [1e-10, 1.1283791670955126e-10],
      [0.5, 0.5204998778130465],
      [0.99, 0.8385080695553698],
      [1, 0.8427007929497149],
      [1.5, 0.9661051464753108],
      [2, 0.9953222650189527],
      [3.5, 0.9999992569016276],
      [5.9, 1],
      [Infinity, 1],
    ];
    const got = values(
      vector(
        "float64",
        exact.map(([x]) => x),
      ).erf(),
    ) as number[];
    exact.forEach(([, value], k) => expect(Math.abs((got[k] as number) - value)).toBeLessThanOrEqual(value * 2 ** -52));
    expect(values(vector("float64", [-1.5, -0, NaN]).erf())).toEqual([-(got[4] as number), -0, NaN]);
  });
});

describe("trees that share nodes", () => {
  test("a node read in three orders at each of 60 levels is computed once per level", () => {
    let x: Expression<"float64", 1> = vector("float64", [1, 2, 3]);
    for (let k = 0; k < 60; k++)
      x = x
        .roll(1)
        .add(x)
        .add(x.roll(2))
        .mul(1 / 3) as Expression<"float64", 1>;
    const got = values(x) as number[];
    for (const value of got) expect(value).toBeCloseTo(2, 10);
  });

  test("a node read at two indices alternately returns the right elements", () => {
    const x = vector("float64", [1, 2, 3, 4]).mul(10).add(1).mul(2);
    expect(values(x.add(x.reverse()).sub(x))).toEqual(values(x.reverse()));
  });
});

describe("random numbers", () => {
  test("depend on the index only, not on the order of reading", () => {
    const whole = values(statelessUniform("float32", [10], [3, 4]));
    expect(values(statelessUniform("float32", [10], [3, 4]).reverse())).toEqual(whole.toReversed());
    expect(values(statelessUniform("float32", [5, 2], [3, 4]).reshape([10]))).toEqual(whole);
    expect(values(statelessUniform("float32", [10], [3, 5]))).not.toEqual(whole);
    const normal = values(statelessNormal("float64", [9], [3, 4]));
    expect(values(statelessNormal("float64", [9], [3, 4]).slice([null, null, 3]))).toEqual([normal[0], normal[3], normal[6]]);
  });

  test("stay in their range", () => {
    const list = values(statelessUniform("int64", [500], [1, 1], { minval: -3n, maxval: 4n })) as bigint[];
    expect([...new Set(list)].sort((a, b) => Number(a - b))).toEqual([-3n, -2n, -1n, 0n, 1n, 2n, 3n]);
    const all = values(statelessUniform("uint32", [4], [1, 1], { minval: 0, maxval: 2 ** 32 - 1 })) as number[];
    expect(all.every((x) => x >= 0 && x < 2 ** 32 - 1)).toBe(true);
    const between = values(statelessUniform("float64", [500], [1, 1], { minval: -2, maxval: 3 })) as number[];
    expect(between.every((x) => x >= -2 && x < 3)).toBe(true);
  });

  test("have the moments of their distribution", () => {
    const n = 4000;
    const list = values(statelessNormal("float32", [n], [7, 8], { mean: 5, stddev: 2 })) as number[];
    const mean = list.reduce((a, b) => a + b, 0) / n;
    const variance = list.reduce((a, b) => a + (b - mean) ** 2, 0) / n;
    expect(Math.abs(mean - 5)).toBeLessThan(0.15);
    expect(Math.abs(variance - 4)).toBeLessThan(0.4);
  });
});

test("unaligned maps are operands and targets", () => {
  const token = new MemoryToken(null);
  const bytes = new ArrayBuffer(64);
  const odd = (dtype: RawDType, at: number) =>
    unalignedTensorMap(dtype, bytes, at, token, [3]) as unknown as ReturnType<typeof tensorMap<RawDType, [3]>>;
  for (const dtype of ["float32", "int64", "float16", "bool", "complex64"] as const) {
    const map = odd(dtype, 3);
    const one =
      dtype === "int64"
        ? [1n, 2n, 3n]
        : dtype === "bool"
          ? [true, false, true]
          : dtype === "complex64"
            ? [
                [1, 2],
                [3, 4],
                [5, 6],
              ]
            : [1, 2, 3];
    map.copyFrom(one as never);
    assignByReference(map as never, (map as unknown as Expression<RawDType, 1>).reverse() as never);
    expect([...map]).toEqual(one.toReversed());
  }
});
