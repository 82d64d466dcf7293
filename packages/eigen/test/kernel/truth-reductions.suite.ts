// any, all and the number of true elements of bools in memory: as bytes of which any value but 0 is true, over any axes and layouts.
import { expect, test } from "@jest/globals";
import { assignByReference } from "@onebuffer/eigen/internal";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { arenaMap, Dice, layouts, subject } from "./kernel-subjects.ts";

const isLong = process.env["ONEBUFFER_LONG"] !== undefined;

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

/** Returns the elements of an expression, by kernels and by the evaluator. */
function both(expr: Any): readonly [got: unknown[], wanted: unknown[]] {
  const reference = arenaMap(expr.dtype, expr.dimensions) as Any;
  assignByReference(reference, expr);
  return [byKernels(expr), [...reference]];
}

/** Returns the elements of an expression by kernels alone. */
function byKernels(expr: Any): unknown[] {
  const out = arenaMap(expr.dtype, expr.dimensions) as Any;
  const { runs } = kernelCounts();
  out.assign(expr);
  expect(kernelCounts().runs).toBeGreaterThan(runs);
  return [...out];
}

const reductions: readonly (readonly [name: string, build: (x: Any, axes: readonly number[]) => Any])[] = [
  ["any", (x, axes) => x.any(axes)],
  ["all", (x, axes) => x.all(axes)],
  ...(["int8", "uint16", "int32", "int64", "uint64"] as const).map(
    (dtype) => [`count as ${dtype}`, (x: Any, axes: readonly number[]) => x.cast(dtype).sum(axes, { wraps: true })] as const,
  ),
  ["share", (x, axes) => x.cast("float32").mean(axes)],
  ["any and count", (x, axes) => x.any(axes).cast("int32").add(x.cast("int32").sum(axes)).add(x.logicalNot().all(axes).cast("int32"))],
];

test.each(reductions.map(([name, build], r) => [name, build, r] as const))("%s over any axes, of any layout", (_, build, r) => {
  for (const oneIn of isLong ? [2, 400, 100_000] : [30]) {
    for (const dims of [[1500], [19, 70], [90, 5], [3, 17, 9]]) {
      const dice = new Dice(oneIn + dims.length);
      const x = subject("bool", dims, dice.pick(layouts), dice, () => dice.below(oneIn) === 0) as Any;
      const kinds = dims.length === 1 ? [[0]] : [dims.map((_, d) => d), [0], [dims.length - 1]];
      for (const [k, axes] of kinds.entries()) {
        // One of three, by turns.
        if (!isLong && kinds.length > 1 && (k + r + dims.length + dims[0]!) % 3 !== 0) continue;
        for (const each of isLong ? [x, x.logicalNot()] : [x]) {
          const [got, wanted] = both(build(each, axes));
          expect([oneIn, dims, axes, got]).toEqual([oneIn, dims, axes, wanted]);
        }
      }
    }
  }
});

test("every byte but 0 is true, and bytes beyond the end do not count", () => {
  for (const size of [1, 15, 16, 33, 100, 2047, 2049, ...(isLong ? [70_000] : [])]) {
    const x = arenaMap("bool", [size + 40]) as Any;
    const bytes = x.data as Uint8Array;
    const part = x.strided().slice([3, 3 + size]);
    const counts = (): unknown[] => [part.any(), part.all(), part.cast("int32").sum()].map((expr) => byKernels(expr)[0]);
    for (const value of [1, 2, 128, 255]) {
      bytes
        .fill(0)
        .fill(value, 0, 3)
        .fill(value, 3 + size);
      expect([size, value, counts()]).toEqual([size, value, [false, false, 0]]);
      bytes[2 + size] = value;
      expect([size, value, counts()]).toEqual([size, value, [true, size === 1, 1]]);
      bytes.fill(0).fill(value, 3, 3 + size);
      expect([size, value, counts()]).toEqual([size, value, [true, true, size]]);
      bytes[2 + size] = 0;
      expect([size, value, counts()]).toEqual([size, value, [size > 1, false, size - 1]]);
    }
  }
});

// Rows are looked at after 128 bytes, and then every 1,024 bytes.
test("a single byte that decides a row is found wherever it is", () => {
  for (const width of [127, 128, 129, 1151, 1152, 1153, 2300]) {
    const places = [0, 15, 127, 128, 500, 1151, 1152, 2175, 2176, width - 1].filter((place) => place < width);
    const x = arenaMap("bool", [places.length + 1, width]) as Any;
    x.copyFrom(Array.from({ length: x.size }, () => false));
    places.forEach((place, row) => {
      x.set(row, place, true);
    });
    const found = [...places.map(() => true), false];
    expect(both(x.any(1))).toEqual([found, found]);
    expect(both(x.logicalNot().all(1))).toEqual([found.map((each) => !each), found.map((each) => !each)]);
    const inverted = arenaMap("bool", [places.length + 1, width]) as Any;
    inverted.assign(x.logicalNot());
    expect(both(inverted.all([1]))).toEqual([found.map((each) => !each), found.map((each) => !each)]);
  }
});
