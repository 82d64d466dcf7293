// The pattern of a plan tells expressions apart that use their nodes in another way, also where a node is used several times.
import { expect, test } from "@jest/globals";
import { assignByReference } from "@onebuffer/eigen/internal";
import { avgPool, concatenate, convolve, iota, maxPool, resize, tensorMap, treeOf } from "@onebuffer/eigen";
import { kCode } from "@onebuffer/expression/src/tree/node-code";
import { treeOrder } from "@onebuffer/expression/src/tree/tree-order";
import { matches, patternOf } from "@onebuffer/compiler/src/run/plan-pattern";
import { Staging } from "@onebuffer/compiler/src/places/staging";
import { isLong } from "@onebuffer/test-support";
import { product } from "../row-major.ts";
import { arenaArray, arenaMap, Dice } from "./kernel-subjects.ts";

/** The expressions here are built by tables, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const dice = new Dice(88);

/** Returns a map in memory of its own: the region of all tests starts over in `npm run long`, and these maps are made before all others. */
function filled(...dims: number[]): Any {
  const count = product(dims);
  const data = arenaArray("float32", count, 256 * Math.ceil(count / 64)) as Float32Array;
  for (let i = 0; i < count; i++) data[i] = dice.below(9) - 4;
  return tensorMap("float32", data, dims) as Any;
}

const [a, b] = [filled(4, 6), filled(4, 6)];
const [image, other, filters, square] = [filled(1, 8, 8, 4), filled(1, 8, 8, 4), filled(3, 3, 4, 8), filled(3, 3, 8, 8)];
const [first, alone, halves, few] = [filled(1, 4, 8, 8), filled(3, 3, 1, 4), filled(3, 3, 2, 8), filled(3, 3, 4, 2)];
const rows = (x: Any): Any => x.sum([1], { keepDims: true });
const columns = (x: Any): Any => x.sum([0], { keepDims: true });

/** Expressions of one shape that share their nodes in different ways. Each is written anew by every call. */
const families: readonly (readonly [string, readonly (() => Any)[]])[] = [
  [
    "a node used twice",
    [
      () => ((e) => concatenate([e, e] as Any, 0))(rows(a)),
      () => concatenate([rows(a), rows(a)] as Any, 0),
      () => concatenate([rows(a), rows(b)] as Any, 0),
      () => ((e) => concatenate([e, e] as Any, 0))(rows(b)),
    ],
  ],
  [
    "two nodes used twice",
    [
      () => ((e, f) => concatenate([e, f, e, f] as Any, 0))(rows(a), rows(b)),
      () => ((e, f) => concatenate([e, f, f, e] as Any, 0))(rows(a), rows(b)),
      () => ((e, f) => concatenate([e, f, e, f] as Any, 0))(rows(b), rows(a)),
      () => ((e, f, g) => concatenate([e, f, g, f] as Any, 0))(rows(a), rows(b), rows(a)),
    ],
  ],
  [
    "a shared node within a shared node",
    [
      () => ((e) => ((f) => concatenate([f, e, f] as Any, 0))(concatenate([e, e] as Any, 0)))(columns(a)),
      () => ((e, g) => ((f) => concatenate([f, g, f] as Any, 0))(concatenate([e, e] as Any, 0)))(columns(a), columns(b)),
      () => ((e, g) => ((f) => concatenate([f, e, f] as Any, 0))(concatenate([e, g] as Any, 0)))(columns(a), columns(b)),
    ],
  ],
  [
    "indices",
    [
      () => a.gather(iota("int32", 3), 1).sum([0]),
      () => a.gather(iota("int32", [3], 0), 1).sum([0]),
      () => a.gather(iota("int32", 3).add(1), 1).sum([0]),
      () => a.gather(iota("int32", 3).add(2), 1).sum([0]),
      () => a.mul(iota("float32", [4, 6], 0)).sum([0]),
      () => a.mul(iota("float32", [4, 6], 1)).sum([0]),
    ],
  ],
  [
    "convolutions",
    [
      () => convolve(image, filters, { padding: "same" }),
      () =>
        convolve(image, filters, {
          padding: [
            [1, 1],
            [0, 2],
          ],
        }),
      () => convolve(image, filters),
      () => convolve(image, filters, { strides: 2 }),
      () => convolve(image, filters, { dilations: 2 }),
      () => convolve(other, filters, { padding: "same" }),
    ],
  ],
  [
    "convolutions of what constants and convolutions make",
    [
      // What "same" adds is a constant, too: 0, which the second one has in another place.
      () => convolve(image.mul(2), filters, { padding: "same" }),
      () => convolve(image.mul(0), filters, { padding: "same" }),
      () => convolve(image.mul(3), filters, { padding: "same" }).add(3),
      () => convolve(image.mul(3), filters, { padding: "same" }).add(0),
      () => convolve(image.mul(3), filters, { padding: "same" }).add(5),
      () => convolve(image.add(other), filters, { padding: "same" }),
      () => convolve(image.add(image), filters, { padding: "same" }),
      () => ((e) => convolve(e, filters, { padding: "same" }).add(e.mean()))(image.add(other)),
      () => ((e, f) => convolve(e, filters, { padding: "same" }).add(f.mean()))(image.add(other), image.add(image)),
      () => ((e) => e.add(e.inputs[0].reshape([1, 8, 8, 8])))(convolve(image, filters, { padding: "same" }) as Any),
      () => ((e) => (convolve(e, square, { padding: "same" }) as Any).relu().add(e))(convolve(image, filters, { padding: "same" }) as Any),
    ],
  ], // prettier-ignore
  [
    "convolutions of other forms",
    [
      () => convolve(image, alone, { padding: "same", groups: 4 }),
      () => convolve(other, alone, { padding: "same", groups: 4 }),
      () => convolve(image, halves, { padding: "same", groups: 2 }),
      () => convolve(image, halves, { padding: "same", groups: 2 }).add(2),
      () => convolve(first, filters, { dataFormat: "channelsFirst" }),
      () => convolve(image, few),
    ],
  ],
  [
    "pools",
    [
      () => maxPool(image, 3, { padding: "same" }),
      () => avgPool(image, 3, { padding: "same" }),
      () => avgPool(image.mul(3), 3, { padding: "same" }),
      () => avgPool(image.mul(3), 3, { padding: "same" }).add(3),
      () => avgPool(image, 3, { padding: "same", strides: 1 }),
      () => avgPool(other, 3, { padding: "same", strides: 1 }).mul(other),
      () => ((e) => avgPool(e, 2).add(maxPool(e, 2)))(image.add(other)),
      () => avgPool(avgPool(image, 2), 2),
      () => maxPool(first, 2, { dataFormat: "channelsFirst" }),
      () => maxPool(first, 2),
    ],
  ],
  [
    "resized images",
    [
      () => resize(image, [16, 16]),
      () => resize(other, [16, 16]),
      () => resize(image, [16, 12]),
      () => resize(image, [8, 12]),
      () => resize(image, [16, 16], { method: "nearest" }),
      () => resize(image.mul(0.5), [16, 16]),
      () => resize(image.mul(2), [16, 16]).add(0.5),
      () => resize(resize(image, [4, 4]), [8, 8]).add(image),
    ],
  ],
];

test.each(families)("expressions with %s have the elements of the evaluator, in any order", (_, members) => {
  for (let turn = 0; turn < (isLong ? 6 : 2) * members.length; turn++) {
    const make = members[turn % 2 === 0 ? dice.below(members.length) : (turn >> 1) % members.length]!;
    const [out, expected] = [0, 1].map(() => arenaMap("float32", make().dimensions) as Any);
    out.assign(make());
    assignByReference(expected, make());
    expect([...out.data]).toEqual([...expected.data]);
  }
});

/** Returns the pattern of an expression over maps, or null. */
function patternFor(expression: Any): Any {
  const nodes = treeOrder([treeOf(expression)]);
  const constants: Any[] = [];
  for (const { op, dtype, attributes } of nodes) {
    const { value } = attributes as Any;
    if (op === "constant" && !constants.some((each) => each.dtype === dtype && Object.is(each.value, value)))
      constants.push({ dtype, value });
  }
  return patternOf(treeOf(expression) as Any, nodes.filter(({ op }) => op === "map") as Any, constants, () => false);
}

const isMatch = (pattern: Any, expression: Any): boolean =>
  matches(pattern, treeOf(expression) as Any, { target: -1, starts: [], constants: [], staging: new Staging(), shared: [] });

test.each(families)("expressions with %s have patterns, which match when they are written anew", (_, members) => {
  for (const make of members) {
    expect((treeOf(make()) as Any)[kCode]).not.toBe(-1);
    expect(patternFor(make())).not.toBeNull();
    expect(isMatch(patternFor(make()), make())).toBe(true);
  }
});

test("a pattern of maps outside the linear memory matches others, until the region for their copies is full", () => {
  const written = (count: number): Any => tensorMap("float32", new Float32Array(count * 64), [count, 64]).sum([0]);
  expect(isMatch(patternFor(written(3)), written(3))).toBe(true);
  expect(isMatch(patternFor(written(5000)), written(5000))).toBe(false);
});

test("a pattern does not match an expression with another node where it has one node twice", () => {
  const [shared, equal, other] = families[0]![1] as [() => Any, () => Any, () => Any];
  expect([shared, equal, other].map((make) => isMatch(patternFor(shared()), make()))).toEqual([true, false, false]);
});
