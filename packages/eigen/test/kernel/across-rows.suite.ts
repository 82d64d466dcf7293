// Elementwise operations on rows of a few elements that are not adjacent, such as reversed colors and planes: their loops go across the rows, in
// blocks (acrossRows in kernels/calls/loop-nest.ts). Numbers of rows on both sides of a block, targets with strides, several operands, other
// axes.
import { expect, test } from "@jest/globals";
import { iota } from "@onebuffer/eigen";
import { explain } from "@onebuffer/compiler/internal";
import { isLong } from "@onebuffer/test-support";
import { listDifference } from "./difference.ts";
import { computed, filler, reference } from "./filled-maps.ts";
import { arenaMap } from "./kernel-subjects.ts";

/** The trees here are built from tables of names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

/** Expressions over maps of [rows, columns], of which some element along a row is not beside the one before. */
const kForms: readonly (readonly [name: string, build: (map: (dims: readonly number[]) => Any, rows: number, columns: number) => Any])[] = [
  ["reversed", (map, rows, columns) => map([rows, columns]).strided(":, ::-1").mul(3)],
  ["planes", (map, rows, columns) => map([columns, rows]).shuffle([1, 0]).mul(3)],
  ["planes to another dtype", (map, rows, columns) => map([columns, rows]).shuffle([1, 0]).cast("int16")],
  [
    "every other one",
    (map, rows, columns) =>
      map([rows, 2 * columns])
        .strided(":, ::2")
        .cast("float64"),
  ],
  [
    "reversed and as they are",
    (map, rows, columns) =>
      map([rows, columns])
        .strided("::-1, ::-1")
        .add(map([rows, columns])),
  ],
  [
    "with one of each column",
    (map, rows, columns) =>
      map([rows, columns])
        .strided(":, ::-1")
        .sub(map([columns])),
  ],
  [
    "with one of each row",
    (map, rows, columns) =>
      map([rows, columns])
        .strided(":, ::-1")
        .sub(map([rows, 1])),
  ],
  [
    "with indices",
    (map, rows, columns) =>
      map([rows, columns])
        .strided(":, ::-1")
        .cast("int32")
        .add(iota("int32", [rows, columns], 1)),
  ],
  ["several images", (map, rows, columns) => map([2, columns, rows, 3]).shuffle([3, 0, 2, 1]).mul(3)],
];

test.each(["uint8", "float32", "float64", "int64", "bfloat16"])(
  "short rows of %s that are not adjacent agree with the evaluator",
  (dtype) => {
    const fill = filler(dtype.length, 0, 40);
    const map = (dims: readonly number[]): Any => {
      const filled = arenaMap("float32", dims) as Any;
      const elements = arenaMap(dtype as "float32", dims) as Any;
      elements.assign(fill(filled).mul(40).cast(dtype));
      return elements;
    };
    for (const [k, rows] of (isLong ? [63, 64, 1023, 1024, 1025, 2100] : [63, 1024, 2100]).entries())
      for (const [i, [name, build]] of kForms.entries()) {
        if (!isLong && (k + i + dtype.length) % 2 > 0) continue;
        const columns = [2, 3, 4, 8, 9][(k + i) % 5]!;
        const expression = build(map, rows, columns);
        expect([name, rows, columns, listDifference(computed(expression), reference(expression))]).toEqual([name, rows, columns, null]);
      }
  },
);

test("the loops go across rows whose elements are apart, and along others", () => {
  const loops = (expression: Any): readonly (readonly number[])[] => explain(expression).steps.map((step) => step.loops);
  const bytes = arenaMap("uint8", [2500, 3]) as Any;
  expect(loops(bytes.strided(":, ::-1").add(1))).toEqual([
    [2, 3, 1024],
    [1, 3, 452],
  ]);
  expect(loops((arenaMap("float32", [4, 1000]) as Any).shuffle([1, 0]).saturateCast("uint8"))).toEqual([[1, 4, 1000]]);
  // Adjacent elements are loaded as vectors, and so are rows of a whole vector.
  expect(loops((arenaMap("uint8", [2500, 4]) as Any).strided(":, :3").add(1))).toEqual([[2500, 3]]);
  expect(loops((arenaMap("float32", [2500, 4]) as Any).strided(":, ::-1").add(1))).toEqual([[2500, 4]]);
  // As many operands as an argument block takes, but not with one loop more.
  const wide = [0, 1].map(() => arenaMap("uint8", [4, 4, 4, 4, 4, 4, 80, 3]) as Any);
  const starts = (k: number): string => Array.from({ length: 6 }, (_, d) => `${(k >> d) & 1}::2`).join();
  const views = Array.from({ length: 108 }, (_, k) => wide[k >> 6].strided(`${starts(k)}, ::2, ::-1`));
  const sum = views.reduce((all, each) => all.add(each));
  expect(loops(sum).map((sizes) => sizes.length)).toEqual([8]);
  expect(loops(views[0].add(1)).map((sizes) => sizes.length)).toEqual([9]);
});

test("a target with strides, and rows between others, are written alone", () => {
  const around = arenaMap("uint8", [2100, 9]) as Any;
  around.data.fill(7);
  const source = filler(5, 0, 200)(arenaMap("uint8", [2100, 4])) as Any;
  around.strided("1:-1, 2:8:2").assign(source.strided("1:-1, 2::-1").add(1));
  const want = Array.from({ length: 2100 * 9 }, (_, i) => {
    const [row, column] = [Math.floor(i / 9), i % 9];
    const isTarget = row > 0 && row < 2099 && column > 1 && column < 8 && column % 2 === 0;
    return isTarget ? (source.at(row, 2 - (column - 2) / 2) + 1) % 256 : 7;
  });
  expect(listDifference([...around], want)).toBeNull();
  // Onto itself, as if into other memory first.
  const before = [...source] as number[];
  source.strided(":, 2::-1").assign(source.strided(":, :3"));
  expect([...source]).toEqual(before.map((_, i) => before[i % 4 === 3 ? i : i - (i % 4) + 2 - (i % 4)]));
});
