// Divisions by kernels agree with the plain evaluator: zero divisors and the elements that need them, the least integer, exact remainders.
import { expect, test } from "@jest/globals";
import { assignByReference } from "@onebuffer/eigen/internal";
import { assignTogether, tensorMap, updateTogether } from "@onebuffer/eigen";
import { arenaArray, arenaMap, Dice } from "../kernel-subjects.ts";
import { difference } from "./difference.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

test("a division by zero in a stage does not throw if no result needs the element", () => {
  const [x, y] = [arenaMap("int32", [40]) as Any, arenaMap("int32", [40]) as Any];
  x.assign(7);
  y.copyFrom(Array.from({ length: 40 }, (_, i) => (i < 3 ? 0 : 2)));
  const stages: readonly [string, Any][] = [
    ["cast to a narrow dtype", x.div(y).cast("float8_e5m2").slice([3, 40]).cast("float32")],
    [
      "gather",
      x
        .div(y)
        .gather(tensorMap("int32", Int32Array.of(5, 9), [2]))
        .cast("float32"),
    ],
    ["reshape of a part", x.div(y).reshape([4, 10]).transpose().slice([3, 10], [1, 3]).reshape([-1]).cast("float32")],
  ];
  for (const [name, expr] of stages) {
    const out = arenaMap("float32", expr.dimensions) as Any;
    out.assign(expr);
    expect([name, [...out]]).toEqual([name, new Array<number>(expr.size).fill(3)]);
  }
  const out = arenaMap("float32", [38]) as Any;
  expect(() => out.assign(x.div(y).cast("float8_e5m2").slice([2, 40]).cast("float32"))).toThrow("division by zero");
});

test("nor where the result goes to memory that the expression reads, or is one of several", () => {
  const line = Int32Array.from({ length: 40 }, (_, i) => (i < 3 ? 0 : i));
  const memory = arenaArray("int32", 40) as Int32Array<ArrayBuffer>;
  const part = (from: number, to: number): Any => tensorMap("int32", memory.subarray(from, to), [to - from]);
  const x = part(0, 40);
  const quotients = (): Any => x.div(x).add(4).roll(1).slice([10, 12]).roll(1);
  for (let turn = 0; turn < 3; turn++) {
    memory.set(line);
    part(0, 2).assign(quotients());
    expect([turn, [...part(0, 4)]]).toEqual([turn, [5, 5, 0, 3]]);
  }
  const picked = (): Any => x.div(x).gather(tensorMap("int32", Int32Array.of(5, 9), [2]));
  const [a, b] = [arenaMap("int32", [2]), arenaMap("int32", [2])] as Any[];
  for (const assign of [assignTogether, updateTogether]) {
    const shared = picked();
    assign([
      [a, shared.add(1)],
      [b, shared.mul(3)],
    ]);
    expect([...a, ...b]).toEqual([2, 2, 3, 3]);
    a.assign(0);
    b.assign(0);
  }
  // Each reads the target of the other.
  const [v, w] = [arenaMap("int32", [8]), arenaMap("int32", [8])] as Any[];
  for (let turn = 0; turn < 3; turn++) {
    v.copyFrom([0, 1, 2, 3, 4, 5, 6, 7]);
    w.copyFrom([2, 2, 2, 2, 2, 2, 2, 0]);
    const ones = v.div(v).gather(tensorMap("int32", Int32Array.of(5, 3, 1, 2, 7, 6, 4, 1), [8]));
    updateTogether([
      [v, ones.add(w)],
      [w, ones.sub(v.reverse())],
    ]);
    expect([turn, ...v, ...w]).toEqual([turn, 3, 3, 3, 3, 3, 3, 3, 1, -6, -5, -4, -3, -2, -1, 0, 1]);
  }
  const all = x.div(x).cumsum(0, { reverse: true });
  expect(() =>
    assignTogether([
      [a, all.slice([0, 2])],
      [b, all.slice([1, 3])],
    ]),
  ).toThrow("division by zero");
});

test("an integer divided by zero throws INVALID_ARGUMENT, but not for a zero beyond the end of the operand", () => {
  const x = arenaMap("int32", [5]) as Any;
  const y = arenaMap("int32", [5]) as Any;
  x.copyFrom([7, -7, 8, 9, 10]);
  y.copyFrom([2, 2, -3, 1, 4]);
  const out = arenaMap("int32", [5]) as Any;
  out.assign(x.div(y));
  expect([...out]).toEqual([3, -3, -2, 9, 2]);
  y.set(4, 0);
  expect(() => out.assign(x.div(y))).toThrow(/division by zero/);
  expect(() => out.assign(x.pow(y.sub(3)))).toThrow(/negative integer powers/);
});

test("divides 64-bit integers by -1, even the least one", () => {
  const [x, y, out] = [arenaMap("int64", [5]), arenaMap("int64", [5]), arenaMap("int64", [5])] as Any[];
  const least = -(2n ** 63n);
  x.copyFrom([least, least, 7n, -7n, 2n ** 63n - 1n]);
  y.copyFrom([-1n, 3n, -1n, 2n, least]);
  for (const [op, wanted] of [
    ["div", [least, -3074457345618258602n, -7n, -3n, 0n]],
    ["floorDiv", [least, -3074457345618258603n, -7n, -4n, -1n]],
    ["mod", [0n, 1n, 0n, 1n, -1n]],
    ["truncateMod", [0n, -2n, 0n, -1n, 2n ** 63n - 1n]],
  ] as const) {
    out.assign(x[op](y));
    expect([op, [...out]]).toEqual([op, wanted]);
  }
  y.set(2, 0n);
  expect(() => x.assign(x.mod(y))).toThrow(/division by zero/);
});

/** Pairs with awkward quotients. */
const divisions: [number, number][] = [
  ...[5.5, -5.5, 6, -6, 0, -0, 1e6 + 0.25, 2 ** 20, -0.1, 1e-38, 3e38].flatMap((x) =>
    [2, -2, 3, -3, 0.7, 1e-3, -1e5, Infinity, -Infinity, NaN, 0, -0].map((y): [number, number] => [x, y]),
  ),
  ...[Infinity, -Infinity, NaN].flatMap((x) => [2, -2, 0, Infinity].map((y): [number, number] => [x, y])),
  [0.3, 0.1],
  [1, 1 / 3],
  [-1e-45, 3e-45],
  [1e-310, 3e-320],
];

test.each(["float32", "float64"] as const)("remainders of %s are exact, with the right sign of zero", (dtype) => {
  const dice = new Dice(11);
  const random = Array.from({ length: 4000 }, (): [number, number] => {
    const y = (dice.unit() - 0.5) * 2 ** (dice.below(60) - 30);
    return [y * (dice.unit() - 0.5) * 2 ** dice.below(25), y];
  });
  // Multiples and their neighbors, for which the rounded quotient may be one too large.
  const near = random.slice(0, 1000).map(([, y], k): [number, number] => [y * (k + 1) * (k % 2 === 0 ? 1 : 1 - 2 ** -52), y]);
  // Long quotients, and dividends so large that the product of a quotient one too large is infinite.
  const wide = random.slice(0, 1000).map(([x, y], k): [number, number] => [x * 2 ** (k % 100), y]);
  const most = dtype === "float32" ? 3.4028234663852886e38 : Number.MAX_VALUE;
  const top = random.slice(0, 2000).map((_, k): [number, number] => {
    const x = most * (1 - (k % 64) * (dtype === "float32" ? 2 ** -24 : 2 ** -53));
    return [x, x / (1 + (k >> 6))];
  });
  for (const pairs of [divisions, random, near, wide, top]) {
    const [x, y] = [arenaMap(dtype, [pairs.length]), arenaMap(dtype, [pairs.length])] as Any[];
    x.copyFrom(pairs.map(([a]) => a));
    y.copyFrom(pairs.map(([, b]) => b));
    for (const op of ["mod", "truncateMod"]) {
      expect([op, difference(x[op](y), arenaMap(dtype, [pairs.length]), () => false)]).toEqual([op, null]);
      const wanted = tensorMap(dtype, new x.array.constructor(pairs.length) as never, [pairs.length]) as Any;
      const inPlace = arenaMap(dtype, [pairs.length]) as Any;
      inPlace.assign(x);
      assignByReference(wanted, x[op](y));
      inPlace.assign(inPlace[op](y));
      expect([...inPlace]).toEqual([...wanted]);
    }
  }
});

test.each([5, 300])("%d integers divided in place are divided once, even with a zero beyond the end of the divisor", (n) => {
  const bytes = arenaArray("int32", 3 * n) as Int32Array;
  bytes.fill(0);
  const map = (from: number): Any => (tensorMap as Any)("int32", bytes.subarray(from, from + n), [n]);
  const [x, y] = [map(0), map(n)];
  const [first, second] = [Array.from({ length: n }, (_, k) => 1000 * k), Array.from({ length: n }, (_, k) => (k % 7) + 1)];
  for (const [assign, wanted] of [
    [() => x.assign(x.div(y)), (a: number, b: number) => Math.trunc(a / b)],
    [() => x.strided().assign(x.strided().floorDiv(y)), (a: number, b: number) => Math.floor(a / b)],
    [() => y.assign(x.mod(y)), null],
  ] as const) {
    x.copyFrom(first);
    y.copyFrom(second);
    assign();
    expect([...(wanted === null ? y : x)]).toEqual(first.map((a, k) => (wanted ?? ((p, q) => p % q))(a, second[k] as number)));
  }
  y.set(n - 1, 0);
  x.copyFrom(first);
  expect(() => x.assign(x.div(y))).toThrow(/division by zero/);
});

test.each(["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"] as const)(
  "powers of %s agree, with exponents of every number of bits, alone and beside others",
  (dtype) => {
    const isBig = dtype.endsWith("int64");
    const bits = Number(/\d+$/u.exec(dtype)![0]) - (dtype.startsWith("u") ? 0 : 1);
    const exponents = Array.from({ length: bits }, (_, bit) => [2n ** BigInt(bit), 2n ** BigInt(bit + 1) - 1n]).flat();
    const dice = new Dice(bits);
    for (let turn = 0; turn < 6; turn++) {
      const [x, y, out] = [0, 1, 2].map(() => arenaMap(dtype as "int32", [exponents.length * 8]) as Any) as [Any, Any, Any];
      x.copyFrom(Array.from({ length: x.size }, () => (isBig ? BigInt(dice.below(9) + 1) : dice.below(9) + 1)));
      // Whole groups of one exponent in the first turns, in the others small ones with one here and there that is not.
      const each = (i: number): bigint =>
        turn < 2 || dice.below(40) === 0 ? exponents[turn < 2 ? i >> 3 : dice.below(exponents.length)]! : BigInt(dice.below(8));
      y.copyFrom(Array.from({ length: y.size }, (_, i) => (isBig ? each(i) : Number(each(i)))));
      expect(difference(x.pow(y), out, () => false)).toBe(null);
    }
  },
);
