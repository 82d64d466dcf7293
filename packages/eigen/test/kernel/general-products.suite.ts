// `contract` against a naive twin: the plain evaluator and kernels, on random axes, sizes, layouts and dtypes. The elements of floats are
// small integers, so every sum is exact, and integers wrap around: results are compared bit for bit.
import { describe, expect, test } from "@jest/globals";
import type { RawDType } from "@onebuffer/base";
import type { Expression } from "@onebuffer/eigen";
import { tensorMap } from "@onebuffer/eigen";
import { assignByReference } from "@onebuffer/eigen/internal";
import { explain } from "@onebuffer/compiler/internal";
import { isLong } from "@onebuffer/test-support";
import { kernelCounts } from "@onebuffer/kernels/internal";
import fc from "fast-check";
import { product } from "../row-major.ts";
import { arenaMap, Dice, layouts, subject } from "./kernel-subjects.ts";

/** The operands here are built from lists of sizes, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Compiles only if the type argument is `true`. */
function same<_T extends true>(): void {}

const kDTypes = ["float32", "float64", "int32", "uint32", "int64", "float16", "bfloat16", "int16", "int8", "uint8"] as const;

const element =
  (dtype: RawDType) =>
  (dice: Dice): number | bigint =>
    dtype.endsWith("int64")
      ? BigInt(dice.next()) << 20n
      : dtype.endsWith("16") && !dtype.includes("int")
        ? dice.below(3) - 1
        : dice.below(7);

/** Returns the places in row-major order of a map's elements along these axes, at index 0 of the others. */
function placesAlong({ dimensions }: { readonly dimensions: readonly number[] }, axes: readonly number[]): number[] {
  const step = (axis: number): number => product(dimensions.slice(axis + 1));
  return axes.reduce(
    (places, axis) => places.flatMap((place) => Array.from({ length: dimensions[axis] as number }, (_, i) => place + i * step(axis))),
    [0],
  );
}

/** Returns the sums of products as a flat list, in row-major order of [free axes of a, free axes of b]. */
function naive(a: Any, b: Any, pairs: readonly (readonly [number, number])[]): (number | bigint)[] {
  const free = (map: Any, k: 0 | 1): number[] =>
    map.dimensions.map((_: number, d: number) => d).filter((d: number) => !pairs.some((pair) => pair[k] === d));
  const innerA = placesAlong(a, pairs.map(([axis]) => axis)); // biome-ignore format: one line
  const innerB = placesAlong(b, pairs.map(([, axis]) => axis)); // biome-ignore format: one line
  const [left, right] = [[...a], [...b]] as Any[][];
  const columns = placesAlong(b, free(b, 1));
  return placesAlong(a, free(a, 0)).flatMap((row) =>
    columns.map((column) => {
      let sum: Any = typeof left![0] === "bigint" ? 0n : 0;
      for (let k = 0; k < innerA.length; k++) sum += left![row + innerA[k]!] * right![column + innerB[k]!];
      return sum;
    }),
  );
}

/** Expects both evaluators to compute these elements. */
function agrees(expr: Any, wanted: readonly (number | bigint)[]): void {
  const [plain, out, exact] = [0, 1, 2].map(() => arenaMap(expr.dtype, expr.dimensions) as Any);
  exact.copyFrom(
    wanted.map((value) => (typeof value === "bigint" ? value : expr.dtype.includes("int") ? wrapped(expr.dtype, value) : value)),
  );
  assignByReference(plain, expr);
  out.assign(expr);
  expect([...plain].map(unsigned)).toEqual([...exact].map(unsigned));
  expect([...out].map(unsigned)).toEqual([...exact].map(unsigned));
}

/** The sign of a sum of zeros depends on whether 0 is among what is added. */
const unsigned = (value: number | bigint): number | bigint => (value === 0 ? 0 : value);

/** Returns an integer as its dtype stores it. */
function wrapped(dtype: string, value: number): number {
  const bits = Number(/\d+$/.exec(dtype)![0]);
  return Number(dtype.startsWith("u") ? BigInt.asUintN(bits, BigInt(value)) : BigInt.asIntN(bits, BigInt(value)));
}

const sizes = (most: number): fc.Arbitrary<number[]> => fc.array(fc.integer({ min: 1, max: most }), { maxLength: 2 });
const cases = fc.record({
  dtype: fc.constantFrom(...kDTypes),
  freeA: sizes(8),
  freeB: sizes(8),
  inner: sizes(6),
  orders: fc.tuple(fc.nat(), fc.nat()),
  layouts: fc.tuple(fc.constantFrom(...layouts), fc.constantFrom(...layouts)),
  seed: fc.nat(),
});

/** Returns 0 .. n - 1 in an order given by a number. */
function shuffled(n: number, order: number): number[] {
  const dice = new Dice(order);
  const list = Array.from({ length: n }, (_, d) => d);
  for (let d = n - 1; d > 0; d--) {
    const other = dice.below(d + 1);
    [list[d], list[other]] = [list[other] as number, list[d] as number];
  }
  return list;
}

test("contract agrees with a naive twin over any axes, sizes and layouts", () => {
  let blocks = 0;
  const { runs } = kernelCounts();
  fc.assert(
    fc.property(cases, ({ dtype, freeA, freeB, inner, orders, layouts: [layoutA, layoutB], seed }) => {
      const dice = new Dice(seed);
      const side = (free: readonly number[], order: number): { sizes: number[]; innerAxes: number[] } => {
        const all = [...free, ...inner];
        const axes = shuffled(all.length, order);
        return { sizes: axes.map((d) => all[d] as number), innerAxes: inner.map((_, k) => axes.indexOf(free.length + k)) };
      };
      const [left, right] = [side(freeA, orders[0]), side(freeB, orders[1])];
      const pairs = left.innerAxes.map((axis, k) => [axis, right.innerAxes[k] as number] as const);
      const a = subject(dtype, left.sizes, layoutA, dice, element(dtype)) as Any;
      const b = subject(dtype, right.sizes, layoutB, dice, element(dtype)) as Any;
      const expr = a.contract(b, pairs);
      agrees(expr, naive(a, b, pairs));
      if (explain(expr).steps.some(({ by }) => by === "contraction")) blocks++;
    }),
    { numRuns: isLong ? 1000 : 16, seed: 20 },
  );
  expect(kernelCounts().runs - runs).toBeGreaterThan(isLong ? 900 : 13);
  expect(blocks).toBeGreaterThan(isLong ? 5 : 2);
});

describe("operands are read where they are", () => {
  const dice = new Dice(4);
  const make = (dims: readonly number[], layout: (typeof layouts)[number] = "dense"): Any =>
    subject("float32", dims, layout, dice, element("float32")) as Any;
  const steps = (expr: Any): string[] => explain(expr).steps.map(({ by }) => by);

  test("axes that are not adjacent in memory become loops", () => {
    const [a, b] = [make([6, 5, 8]), make([7, 5, 6], "transposed")];
    const expr = a.contract(b, [
      [0, 2],
      [1, 1],
    ]);
    expect(steps(expr)).toEqual(["contraction"]);
    agrees(
      expr,
      naive(a, b, [
        [0, 2],
        [1, 1],
      ]),
    );
  });

  test("rows of several axes", () => {
    const [a, b] = [make([9, 12, 7], "strided"), make([12, 11])];
    const expr = a.contract(b, [[1, 0]]);
    expect([expr.dimensions, steps(expr)]).toEqual([[9, 7, 11], ["contraction"]]);
    agrees(expr, naive(a, b, [[1, 0]]));
  });

  test("a computed operand is stored once, without its movements", () => {
    const [a, b] = [make([9, 12]), make([12, 11])];
    const expr = a
      .add(1)
      .transpose()
      .contract(b.mul(2).reverse([0]), [[0, 0]]);
    expect(steps(expr)).toEqual(["map", "map", "contraction"]);
    agrees(expr, naive(mapOf(a.add(1).transpose()), mapOf(b.mul(2).reverse([0])), [[0, 0]]));
  });

  test("k in dimensions that overlap: one operand is stored", () => {
    const [a, b] = [make([8, 4, 6]), make([6, 4, 8])];
    const [left, right] = [a.shuffle([0, 2, 1]).reshape([8, 24]), b.shuffle([1, 0, 2]).reshape([24, 8])];
    const expr = left.matMul(right);
    expect(steps(expr)).toEqual(["map", "contraction"]);
    agrees(expr, naive(mapOf(left), mapOf(right), [[1, 0]]));
  });

  test("movements over a reshape that strides cannot express: the operand is stored with them", () => {
    const [a, b] = [make([6, 5, 8]), make([8, 7])];
    const left = a.shuffle([1, 0, 2]).reshape([30, 8]).slice([1, 29, 2]);
    const expr = left.matMul(b);
    expect(steps(expr).at(-1)).toBe("contraction");
    agrees(expr, naive(mapOf(left), b, [[1, 0]]));
  });
});

/** Returns a map of an expression's elements, computed by the plain evaluator. */
function mapOf(expr: Any): Any {
  const map = arenaMap(expr.dtype, expr.dimensions);
  assignByReference(map as Any, expr);
  return map;
}

/** Returns an element over the whole range of a dtype of one byte. */
const byte =
  (dtype: "int8" | "uint8") =>
  (dice: Dice): number =>
    dice.below(256) - (dtype === "int8" ? 128 : 0);

test("products of bytes are summed in int32, and in uint32, in pairs of elements", () => {
  const dtypes = fc.constantFrom("int8" as const, "uint8" as const);
  const most = fc.integer({ min: 4, max: 14 });
  const kinds = fc.record({
    rows: most,
    columns: most,
    inner: fc.tuple(fc.integer({ min: 3, max: 5 }), fc.integer({ min: 5, max: 12 })),
    dtypes: fc.tuple(dtypes, dtypes),
    wide: fc.constantFrom("int32", "uint32"),
    layouts: fc.tuple(fc.constantFrom(...layouts), fc.constantFrom(...layouts)),
    turned: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
    seed: fc.nat(),
  });
  fc.assert(
    fc.property(kinds, ({ rows, columns, inner, dtypes: [left, right], wide, layouts: [layoutA, layoutB], turned, seed }) => {
      const dice = new Dice(seed);
      const k = turned[2] ? inner.toReversed() : inner;
      const a = subject(left, turned[0] ? [...k, rows] : [rows, ...k], layoutA, dice, byte(left)) as Any;
      const b = subject(right, turned[1] ? [columns, ...k] : [...k, columns], layoutB, dice, byte(right)) as Any;
      const first = turned[0] ? 0 : 1;
      const second = turned[1] ? 1 : 0;
      const pairs = [[first, second] as const, [first + 1, second + 1] as const];
      const expr = a.cast(wide).contract(b.cast(wide), pairs);
      expect(explain(expr).steps.at(-1)).toMatchObject({ by: "contraction", listing: expect.stringContaining("dot_i16x8_s") });
      agrees(expr, naive(mapOf(a.cast("int32")), mapOf(b.cast("int32")), pairs));
    }),
    { numRuns: isLong ? 40 : 4, seed: 8 },
  );
});

test("products of bytes larger than one block, of k even and odd", () => {
  for (const inner of [514, 701]) {
    const dice = new Dice(inner);
    const a = subject("int8", [5, inner], "dense", dice, byte("int8")) as Any;
    const b = subject("int8", [inner, 9], "dense", dice, byte("int8")) as Any;
    const expr = a.matMul(b, { outputType: "int32" });
    expect(explain(expr).steps.map(({ by }) => by)).toEqual(["contraction"]);
    agrees(expr, naive(mapOf(a.cast("int32")), mapOf(b.cast("int32")), [[1, 0]]));
    const same = a.contract(a, [[1, 1]], { outputType: "int32" });
    agrees(same, naive(mapOf(a.cast("int32")), mapOf(a.cast("int32")), [[1, 1]]));
  }
});

test("outputType: the operands are cast first", () => {
  const bytes = tensorMap(
    "int8",
    Int8Array.from({ length: 64 }, (_, k) => 127 - k),
    [8, 8],
  );
  for (const expr of [bytes.matMul(bytes, { outputType: "int32" }), bytes.contract(bytes, [[1, 0]], { outputType: "int32" })]) {
    expect(expr.dtype).toBe("int32");
    const wide = bytes.cast("int32");
    agrees(expr, naive(mapOf(wide), mapOf(wide), [[1, 0]]));
  }
});

test("the ranks of results are types", () => {
  const [a, b] = [tensorMap("float32", new Float32Array(24), [2, 3, 4]), tensorMap("float32", new Float32Array(12), [4, 3])];
  const one = a.contract(b, [[2, 0]]);
  const two = a.contract(b, [[2, 0], [1, 1]]); // biome-ignore format: pairs
  const none = a.contract(b, []);
  const pairs: [number, number][] = [[2, 0]];
  const unknown = a.contract(b, pairs);
  const wide = a.contract(b, [[2, 0]], { outputType: "float64" });
  same<Equal<typeof one, Expression<"float32", 3>>>();
  same<Equal<typeof two, Expression<"float32", 1>>>();
  same<Equal<typeof none, Expression<"float32", 5>>>();
  same<Equal<typeof unknown, Expression<"float32", number>>>();
  same<Equal<typeof wide, Expression<"float64", 3>>>();
  expect([one, two, none, unknown, wide].map(({ rank }) => rank)).toEqual([3, 1, 5, 3, 3]);
});

test.each<[string, (a: Any, b: Any) => unknown, string]>([
  [
    "no list",
    (a, b) => a.contract(b, 1),
    "contract(float32 [2, 3], float32 [3, 4]): the pairs are a list of [axis, axis of the other], got 1",
  ],
  ["no pair", (a, b) => a.contract(b, [[1]]), "contract(float32 [2, 3], float32 [3, 4]): the pairs are a list of"],
  ["other sizes", (a, b) => a.contract(b, [[0, 0]]), "the axes of a pair have the same size, axis 0 has size 2, axis 0 of the other 3"],
  ["an axis twice", (a) => a.contract(a, [[0, 0], [0, 1]]), "axis 0 is in two pairs"], // biome-ignore format: pairs
  ["no axis", (a, b) => a.contract(b, [[2, 0]]), "contract(float32 [2, 3])"],
  ["other dtypes", (a, b) => a.contract(b.cast("int32"), [[1, 0]]), "the operands have different dtypes, float32 and int32"],
  ["a dtype without arithmetic", (a) => a.less(0).contract(a.less(0), [[0, 0]]), "contract(bool [2, 3]): contract is not defined for bool"],
  ["no output type", (a, b) => a.contract(b, [[1, 0]], { outputType: "float" }), "cannot cast to"],
  ["another option", (a, b) => a.contract(b, [[1, 0]], { output: "float32" }), "output"],
])("contract refuses %s", (_, call, message) => {
  const [a, b] = [tensorMap("float32", new Float32Array(6), [2, 3]), tensorMap("float32", new Float32Array(12), [3, 4])];
  expect(() => call(a, b)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining(message) }));
});
