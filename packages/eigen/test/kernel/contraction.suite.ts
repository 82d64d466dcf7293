// Products of matrices in blocks agree with sums of products. The elements of floats are small integers, so every sum is exact, and
// integers wrap around as the evaluator's do: results are compared bit for bit.
import { expect, test } from "@jest/globals";
import type { RawDType } from "@onebuffer/base";
import { explain } from "@onebuffer/compiler/internal";
import { isLong, sampled } from "@onebuffer/test-support";
import { difference } from "./difference.ts";
import { arenaMap, Dice, layouts, repeat, subject } from "./kernel-subjects.ts";

/** The trees here are built from tables of names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const kDTypes = [
  "float32",
  "float64",
  "int32",
  "uint32",
  "int64",
  "uint64",
  "float16",
  "bfloat16",
  "int16",
  "uint16",
  "int8",
  "uint8",
] as const;

const isBig = (dtype: RawDType): boolean => dtype === "int64" || dtype === "uint64";

/** Returns an element whose products can be summed exactly; integers over their whole range. */
function element(dtype: RawDType): (dice: Dice) => number | bigint {
  if (dtype === "float16" || dtype === "bfloat16") return (dice) => dice.below(3) - 1;
  if (dtype.startsWith("float")) return (dice) => dice.below(41) - 20;
  if (isBig(dtype)) return (dice) => (BigInt(dice.below(2 ** 31)) << 31n) + BigInt(dice.below(2 ** 31));
  const bits = Number(/\d+$/.exec(dtype)![0]);
  return (dice) => (dtype.startsWith("u") ? dice.below(2 ** Math.min(bits, 31)) : dice.below(2 ** Math.min(bits, 31)) - 2 ** (bits - 1));
}

/** `npm run long` compares more products. */
const kRounds = process.env["ONEBUFFER_LONG"] === undefined ? 5 : 40;

const byBlocks = (expr: Any): boolean => explain(expr).steps.some(({ by }) => by === "contraction");

test.each(sampled(kDTypes, 3))("products of %s in blocks agree bit for bit with the evaluator", (dtype) => {
  const dice = new Dice(dtype.length * 77 + dtype.charCodeAt(0));
  let blocks = 0;
  for (let turn = 0; turn < kRounds; turn++) {
    const [rows, inner, columns] = [4 + dice.below(30), 2 + dice.below(42), 4 + dice.below(30)];
    const [transposeA, transposeB] = [dice.below(2) === 0, dice.below(2) === 0];
    const batch = dice.pick([[], [], [3], [2, 1]]);
    const batchB = dice.pick([[], batch, batch.map(() => 1)]);
    const make = (sizes: readonly number[]): Any => subject(dtype, sizes, dice.pick(layouts), dice, element(dtype)) as Any;
    const a = make([...batch, ...(transposeA ? [inner, rows] : [rows, inner])]);
    const b = make([...batchB, ...(transposeB ? [columns, inner] : [inner, columns])]);
    const expr = a.matMul(b, { transposeA, transposeB });
    const out =
      dice.below(2) === 0
        ? arenaMap(dtype, expr.dimensions)
        : subject(dtype, expr.dimensions, dice.pick(["strided", "transposed", "reversed"]), dice);
    const where = `${a.dimensions} ${b.dimensions} ${transposeA} ${transposeB}`;
    expect([where, difference(expr, out)]).toEqual([where, null]);
    if (byBlocks(expr)) blocks++;
  }
  expect(blocks).toBeGreaterThan(0.75 * kRounds);
});

test.each([
  [5, 700, 9],
  [4, 257, 4],
  [301, 513, 11],
  [7, 4, 2100],
  [140, 258, 270],
])("products larger than one block are whole: [%d, %d] x [%d columns]", (rows, inner, columns) => {
  const dice = new Dice(rows);
  // The first 4,099 elements again and again, but for `npm run long`: a prime, so that neither rows nor columns are equal.
  const first = (subject("float32", [isLong ? inner * Math.max(rows, columns) : 4099], "dense", dice, element("float32")) as Any)
    .data as Float32Array;
  const [a, b] = [[rows, inner] as const, [inner, columns] as const].map((sizes) => {
    const map = arenaMap("float32", sizes) as Any;
    map.data.set(first.subarray(0, map.size));
    repeat(map.data, first.length);
    return map;
  });
  const expr = a.matMul(b);
  expect(byBlocks(expr)).toBe(true);
  // Plain loops over the elements take a tenth of the evaluator's time.
  const [left, right, wanted] = [Float64Array.from(a), Float64Array.from(b), new Float64Array(rows * columns)];
  for (let i = 0; i < rows; i++)
    for (let k = 0; k < inner; k++) {
      const x = left[i * inner + k]!;
      for (let j = 0; j < columns; j++) wanted[i * columns + j]! += x * right[k * columns + j]!;
    }
  const out = arenaMap("float32", [rows, columns]) as Any;
  out.assign(expr);
  expect(out.data.findIndex((value: number, k: number) => !Object.is(value, wanted[k]))).toBe(-1);
});

test("NaN and infinity stay in their rows and columns", () => {
  const [a, b, out] = [arenaMap("float32", [6, 5]), arenaMap("float32", [5, 11]), arenaMap("float32", [6, 11])] as Any[];
  a.assign(1);
  b.assign(1);
  a.set(5, 4, Number.NaN);
  b.set(0, 10, Number.POSITIVE_INFINITY);
  out.assign(a.matMul(b));
  const rows = out.toArray() as number[][];
  expect(rows.slice(0, 5).map((row) => row.slice(0, 10))).toEqual(Array(5).fill(Array(10).fill(5)));
  expect(rows.slice(0, 5).map((row) => row[10])).toEqual(Array(5).fill(Number.POSITIVE_INFINITY));
  expect(rows[5]).toEqual(Array(11).fill(Number.NaN));
});

test("a product of several blocks is stored in its own operand", () => {
  const x = subject("float32", [260, 260], "dense", new Dice(5), element("float32")) as Any;
  const wanted = arenaMap("float32", [260, 260]) as Any;
  wanted.assign(x.matMul(x));
  x.assign(x.matMul(x));
  expect([...x]).toEqual([...wanted]);
});

test("operands outside the linear memory and computed operands are stored first", () => {
  const dice = new Dice(6);
  const inside = subject("float64", [9, 12], "dense", dice, element("float64")) as Any;
  const outside = subject("float64", [12, 10], "dense", dice, element("float64")) as Any;
  const expr = inside
    .add(1)
    .matMul(outside.mul(2).reverse([0]))
    .add(outside.sum([0]));
  expect(difference(expr, arenaMap("float64", [9, 10]))).toBeNull();
});
