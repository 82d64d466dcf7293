// Assignments within an assignment: a leaf of the program's own assigns something else when it is asked where its elements are.
import { expect, test } from "@jest/globals";
import { evaluate, tensorMap } from "@onebuffer/eigen";
import { isLong } from "@onebuffer/test-support";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { filler } from "./filled-maps.ts";
import { arenaArray, arenaMap } from "./kernel-subjects.ts";

type Any = ReturnType<typeof JSON.parse>;

const kSide = 9;
const fill = filler(23, -3, 3);
const insideMap = (): Any => fill(arenaMap("float32", [kSide, kSide]));
const outsideMap = (): Any => fill(tensorMap("float32", new Float32Array(kSide * kSide), [kSide, kSide]));
/** Its places are asked for in every plan, because they have strides. */
const stridedMap = (): Any => fill(arenaMap("float32", [kSide, 2 * kSide])).strided(":, ::2");
/** In memory of their own: the region of all tests starts over in `npm run long`, and these maps are made before all others. */
const [b, c, d] = [0, 1, 2].map(() =>
  fill(tensorMap("float32", arenaArray("float32", kSide * kSide, 512) as Float32Array, [kSide, kSide])),
) as [Any, Any, Any];

const expressions: readonly (readonly [string, (x: Any) => Any])[] = [
  ["elementwise", (x) => x.add(b).mul(2)],
  ["a sum of rows", (x) => x.mul(c).sum([1])],
  ["a product", (x) => x.matMul(b).add(d)],
  [
    "two stages",
    (x) =>
      x
        .sub(x.mean([0]))
        .square()
        .max([1]),
  ],
  [
    "a movement",
    (x) =>
      x
        .transpose()
        .add(b)
        .reshape([kSide * kSide]),
  ],
  ["a scan", (x) => x.cumsum(1)],
  ["softmax", (x) => x.softmax()],
];

/** Returns a leaf that reads a map. Whenever it is asked where the elements are it calls `work`, but not within that. */
function leafThatCalls(map: Any, work: () => void): Any {
  let isInside = false;
  const places = (): unknown => {
    if (!isInside) {
      isInside = true;
      try {
        work();
      } finally {
        isInside = false;
      }
    }
    return map.rawPlaces();
  };
  const leaf: Any = new Proxy(map, {
    get(target, key) {
      const value: Any = Reflect.get(target, key, target);
      return key === "rawPlaces" ? places : typeof value === "function" ? value.bind(leaf) : value;
    },
  });
  return leaf;
}

const numbersOf = (map: Any): number[] => map.toArray().flat();

/** The largest difference of two lists. */
const farthest = (a: readonly number[], b: readonly number[]): number => Math.max(...a.map((value, i) => Math.abs(value - b[i]!)));

/** Views of a view are maps of their own, which do not ask the leaf. */
const asking = expressions.filter(([name]) => name !== "a movement");

test.each(asking.map(([name, outer], o) => [name, outer, o] as const))("%s: an assignment within it changes neither", (_, outer, o) => {
  // A third of the inner expressions, by turns.
  for (const [, inner] of expressions.filter((__, i) => isLong || (i + o) % 3 === 0)) {
    const [other, wantedInside] = [evaluate(inner(d)) as Any, numbersOf(evaluate(inner(d)))];
    for (const [map, isAsked] of [
      [insideMap(), false],
      [outsideMap(), false],
      [stridedMap(), true],
    ]) {
      let calls = 0;
      const leaf = leafThatCalls(map, () => {
        calls++;
        other.assign(inner(d));
      });
      const [out, wanted] = [evaluate(outer(map)) as Any, numbersOf(evaluate(outer(map)))];
      // The first assignments plan, later ones find plans in several ways.
      for (let k = 0; k < 4; k++) {
        out.assign(0);
        other.assign(0);
        calls = 0;
        out.assign(outer(leaf));
        expect(farthest(numbersOf(out), wanted)).toBeLessThan(1e-4);
        if (isAsked) expect(calls).toBeGreaterThan(0);
        if (calls > 0) expect(farthest(numbersOf(other), wantedInside)).toBeLessThan(1e-4);
      }
    }
  }
});

test("after a leaf has thrown, assignments are computed by kernels as before", () => {
  const leaf = leafThatCalls(stridedMap(), () => {
    throw new RangeError("no places");
  });
  const out = insideMap();
  for (const [, expression] of asking) expect(() => evaluate(expression(leaf))).toThrow("no places");
  const { runs } = kernelCounts();
  out.assign((b as Any).add(c));
  expect(kernelCounts().runs).toBe(runs + 1);
});
