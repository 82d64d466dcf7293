// Kept plans over arrays outside the linear memory, which are copied to a region of their own: planned once, with operands and targets inside or
// outside, also where they overlap.
import { expect, test } from "@jest/globals";
import { assignByReference } from "@onebuffer/eigen/internal";
import { assignTogether, avgPool, concatenate, evaluate, resize, tensorMap, unsortedSegmentSum } from "@onebuffer/eigen";
import { isLong } from "@onebuffer/test-support";
import { planner } from "@onebuffer/compiler/src/run/planner";
import { kCode } from "@onebuffer/expression/src/tree/node-code";
import { kernelCounts, kStagingBytes } from "@onebuffer/kernels/internal";
import { filler, reference } from "./filled-maps.ts";
import { arenaMap, Dice } from "./kernel-subjects.ts";
import { product } from "../row-major.ts";

/** The expressions here are built by tables, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const fill = filler(5, 1, 7);
const types = { float32: Float32Array, float64: Float64Array, int32: Int32Array } as const;
type Held = keyof typeof types;

/** Returns a map outside the linear memory. */
const outside = (dtype: Held, dims: readonly number[]): Any =>
  tensorMap(dtype as "float32", new types[dtype](product(dims)) as never, dims);
/** Returns a map with new elements. */
const filled = (dtype: Held, dims: readonly number[], isOutside: boolean): Any =>
  fill(isOutside ? outside(dtype, dims) : (arenaMap(dtype, dims) as Any));

type Operands = readonly (readonly [Held, ...number[]])[];

const f = "float32";
const cases: readonly [string, (...maps: Any[]) => Any, Operands][] = [
  ["sum", (x) => x.sum(), [[f, 9, 11]]],
  ["max along rows", (x) => x.max(1), [[f, 9, 11]]],
  ["softmax", (x) => x.softmax(), [[f, 9, 11]]],
  [
    "matMul",
    (x, y) => x.matMul(y),
    [
      [f, 9, 11],
      [f, 11, 12],
    ],
  ], // prettier-ignore
  [
    "matMul of float64 and a sum",
    (x, y, z) => x.matMul(y).add(z),
    [
      ["float64", 9, 11],
      ["float64", 11, 12],
      ["float64", 12],
    ],
  ], // prettier-ignore
  ["sort", (x) => x.sort(), [["int32", 9, 11]]],
  ["argsort of what is computed", (x) => x.mul(-1).argsort(), [[f, 9, 11]]],
  ["cumsum", (x) => x.cumsum(1), [[f, 9, 11]]],
  [
    "transposed elements",
    (x, y) => x.transpose().mul(y),
    [
      [f, 9, 11],
      [f, 11, 9],
    ],
  ], // prettier-ignore
  [
    "pad",
    (x) =>
      x.pad(
        [
          [1, 2],
          [3, 0],
        ],
        { value: 5 },
      ),
    [[f, 9, 11]],
  ], // prettier-ignore
  [
    "mirrored border",
    (x) =>
      x.pad(
        [
          [1, 2],
          [3, 0],
        ],
        { mode: "reflect" },
      ),
    [[f, 9, 11]],
  ], // prettier-ignore
  [
    "concatenate",
    (x, y) => concatenate([x, y, x] as Any, 1),
    [
      [f, 9, 11],
      [f, 9, 3],
    ],
  ], // prettier-ignore
  [
    "gather",
    (x, i) => x.gather(i),
    [
      [f, 9, 11],
      ["int32", 5],
    ],
  ], // prettier-ignore
  [
    "sums by segments",
    (x, i) => unsortedSegmentSum(x, i, 9),
    [
      [f, 9, 11],
      ["int32", 9],
    ],
  ], // prettier-ignore
  ["means of windows", (x) => avgPool(x, 2, { padding: "same" }), [[f, 1, 7, 7, 3]]],
  ["resize", (x) => resize(x, [5, 9]), [[f, 1, 7, 7, 3]]],
  [
    "broadcast rows and an int32 map",
    (x, y) => x.add(y).cast("int32").sum([0]),
    [
      [f, 9, 11],
      [f, 11],
    ],
  ], // prettier-ignore
];

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-5 * (1 + Math.abs(b));

/** Expects a target to get the elements of an expression. */
function expectAssigned(target: Any, expression: Any): void {
  const expected = reference(expression);
  target.assign(expression);
  const got = [...target].map(Number);
  expect(got.map((value, i) => (isNear(value, expected[i]!) ? expected[i] : value))).toEqual(expected);
}

test.each(cases)("%s: right and planned once, wherever operands and target are", (_, make, operands) => {
  const dice = new Dice(operands.length + 3);
  const at = (places: number): Any[] => operands.map(([dtype, ...dims], k) => filled(dtype, dims, ((places >> k) & 1) === 1));
  const all = 2 ** operands.length;
  const keptOnes = Array.from({ length: all }, (_, places) => make(...at(places)));
  for (let turn = 0; turn < (isLong ? 12 : 4) * all; turn++) {
    const places = turn < all ? turn : dice.below(all);
    const expression = dice.below(2) === 0 ? keptOnes[places] : make(...at(places));
    const { dtype, dimensions } = expression;
    const target = dice.below(3) > 0 ? outside(dtype, dimensions) : (arenaMap(dtype, dimensions) as Any);
    expectAssigned(target, expression);
  }
  const last = keptOnes[all - 1];
  const { planned } = kernelCounts();
  for (let turn = 0; turn < 3; turn++) expectAssigned(outside(last.dtype, last.dimensions), last);
  const anew = make(...at(all - 1));
  expectAssigned(outside(anew.dtype, anew.dimensions), anew);
  expect(kernelCounts().planned).toBe(planned);
});

test.each([0, 1, 2, 5, 16])("a target outside that begins %i elements into its operands", (shift) => {
  const array = new Float32Array(200);
  for (let turn = 0; turn < 4; turn++) {
    fill(tensorMap(f, array, [200]));
    const x = tensorMap(f, array.subarray(20, 84), [8, 8]) as Any;
    const target = tensorMap(f, array.subarray(20 + shift, 84 + shift), [8, 8]) as Any;
    expectAssigned(target, turn % 2 === 0 ? x.matMul(x) : x.softmax());
    const row = tensorMap(f, array.subarray(20 + shift, 28 + shift), [8]) as Any;
    expectAssigned(row, x.sum([0]).add(row));
  }
});

test("maps of other sizes, dtypes and beginnings over one array are told apart", () => {
  const array = Float32Array.from({ length: 64 }, (_, k) => k);
  const ints = tensorMap("int32", new Int32Array(array.buffer, 0, 8), [8]) as Any;
  const [whole, square, half] = [tensorMap(f, array, [64]), tensorMap(f, array, [8, 8]), tensorMap(f, array.subarray(0, 8), [8])] as Any[];
  const [late, again] = [tensorMap(f, array.subarray(56), [8]), tensorMap(f, array.subarray(0, 16), [2, 8])] as Any[];
  for (let turn = 0; turn < 3; turn++) {
    // The first row of the square has the beginning of its array.
    expectAssigned(
      outside(f, [8]),
      square
        .chip(0)
        .mul(square.sum([0]))
        .sub(square.sum()),
    );
    expectAssigned(outside(f, [8]), square.sum([0]).add(half.mul(late)).add(whole.sum()).add(again.max(0)).sub(ints.cast(f).mean()));
    array[0] = turn;
    array[63] = -turn;
  }
});

test("arrays that have no room in the region, and more arrays than it lists, are computed without it", () => {
  const large = filled("float64", [520, 256], true);
  const many = Array.from({ length: 30 }, () => filled(f, [4, 3], true));
  const sum = many.reduce((all, each) => all.add(each.sum([0])), many[0].sum([1]).sum());
  for (let turn = 0; turn < (isLong ? 4 : 2); turn++) {
    expectAssigned(outside("float64", [256]), large.sum([0]));
    expectAssigned(outside("float64", [520]), large.max(1));
    expectAssigned(outside(f, [3]), sum);
    if (isLong) expectAssigned(outside("float64", [520, 256]), large.sort());
  }
  expectAssigned(outside("float64", [520, 512]), concatenate([large, large] as Any, 1));
});

test("a kept plan that fails leaves a target outside as it was, and the next one finds the region free", () => {
  const [x, y] = [filled("int32", [6, 5], true), filled("int32", [6, 5], true)];
  const target = outside("int32", [5]);
  const divided = x.div(y).sum([0]);
  for (let turn = 0; turn < 3; turn++) expectAssigned(target, divided);
  const before = [...target];
  y.data[7] = 0;
  expect(() => target.assign(divided)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  expect([...target]).toEqual(before);
  y.data[7] = 1;
  for (let turn = 0; turn < 2; turn++) expectAssigned(outside("int32", [5]), divided);
  const whole = outside("int32", [(kStagingBytes - 16) / 4]);
  expect(planner.staging.roomFor(whole, whole[kCode])).toBeGreaterThan(0);
  planner.staging.end();
});

test("an array that was detached is refused by a kept plan", () => {
  const array = new Float32Array(24);
  const x = tensorMap(f, array, [4, 6]) as Any;
  const sum = x.sum([0]);
  const target = outside(f, [6]);
  for (let turn = 0; turn < 3; turn++) expectAssigned(target, sum);
  structuredClone(array, { transfer: [array.buffer] });
  expect(() => target.assign(sum)).toThrow(expect.objectContaining({ code: "FAILED_PRECONDITION" }));
  expect(() => evaluate(x.max(1))).toThrow(expect.objectContaining({ code: "FAILED_PRECONDITION" }));
  expect(() => assignByReference(target, sum)).toThrow();
});

test("a concatenation of operands in another shared buffer is computed, although they seem to overlap every buffer", () => {
  const x = fill(tensorMap(f, new Float32Array(new SharedArrayBuffer(24)), [2, 3])) as Any;
  for (const isOutside of [true, false])
    for (let turn = 0; turn < 2; turn++) expectAssigned(filled(f, [4, 3], isOutside), concatenate([x, x.cumsum(1)] as Any, 0));
});

test("a division by a stage of operands in another shared buffer is computed beside that stage", () => {
  const x = fill(tensorMap("int32", new Int32Array(new SharedArrayBuffer(24)), [6])) as Any;
  const [y, quotient, stage] = Array.from({ length: 3 }, () => filled("int32", [6], false));
  const divisor = x.bitwiseOr(1);
  for (let turn = 0; turn < 3; turn++) {
    assignTogether([
      [quotient, y.div(divisor)],
      [stage, divisor],
    ]);
    expect([[...quotient], [...stage]]).toEqual([reference(y.div(divisor)), reference(divisor)]);
  }
});

test("an array of no elements is not kept after its plan has run", () => {
  const [x, y] = [filled(f, [2, 3], false), filled(f, [2, 3], true)];
  const array = new Float32Array(0);
  const joined = concatenate([x, tensorMap(f, array, [0, 3])] as Any, 0);
  for (let turn = 0; turn < 3; turn++) {
    expectAssigned(outside(f, [3]), y.sum([0]));
    x.assign(joined);
  }
  structuredClone(array, { transfer: [array.buffer] });
  expectAssigned(outside(f, [3]), y.sum([0]));
});
