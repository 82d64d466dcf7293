// Targets and operands that lie between each other's elements, as columns of one matrix (storage/geometry/interleaved.ts): what is found apart is,
// columns are computed without scratch memory, by plans made anew and by kept ones, and what lies beside them keeps its elements.
import { beforeAll, describe, expect, test } from "@jest/globals";
import { assignTogether, iota, tensorMap } from "@onebuffer/eigen";
import { assignByReference } from "@onebuffer/eigen/internal";
import { takeScratch, withScratch } from "@onebuffer/kernels/internal";
import { linearMemory } from "@onebuffer/wasm";
import { interleaved } from "@onebuffer/storage/internal";
import type { ByteAccess } from "@onebuffer/storage/internal";
import { isLong } from "@onebuffer/test-support";
import fc from "fast-check";
import { everyIndex } from "../row-major.ts";
import { listDifference } from "./difference.ts";
import { arenaMap } from "./kernel-subjects.ts";

/** The trees here are built from tables, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

/** The bytes of all elements. */
const bytesOf = ({ start, itemBytes, sizes, strides }: ByteAccess): number[] =>
  everyIndex(sizes).flatMap((index: readonly number[]) => {
    let first = start;
    for (const [d, k] of index.entries()) first += k * strides[d]!;
    return Array.from({ length: itemBytes }, (_, k): number => first + k);
  });

const access: fc.Arbitrary<ByteAccess> = fc
  .record({
    start: fc.integer({ min: 0, max: 40 }),
    itemBytes: fc.constantFrom(1, 2, 4, 8),
    loops: fc.array(
      fc.record({ size: fc.integer({ min: 1, max: 4 }), stride: fc.constantFrom(-16, -8, -4, 0, 1, 2, 4, 6, 8, 16, 24, 32) }),
      {
        maxLength: 3,
      },
    ),
  })
  .map(({ loops, ...rest }): ByteAccess => ({ ...rest, sizes: loops.map(({ size }) => size), strides: loops.map(({ stride }) => stride) }));

describe("interleaved", () => {
  test("what is found apart has no byte in common", () => {
    let found = 0;
    fc.assert(
      fc.property(access, access, (a, b) => {
        if (!interleaved(a, b)) return;
        found++;
        const bytes = new Set(bytesOf(a));
        expect(bytesOf(b).filter((byte) => bytes.has(byte))).toEqual([]);
      }),
      { numRuns: isLong ? 20_000 : 400 },
    );
    expect(found).toBeGreaterThan(20);
  });

  const row = (start: number, columns: number, ...rows: [size: number, stride: number][]): ByteAccess => ({
    start,
    itemBytes: 4,
    sizes: [...rows.map(([size]) => size), columns],
    strides: [...rows.map(([, stride]) => stride), 4],
  });
  test.each<readonly [name: string, a: ByteAccess, b: ByteAccess, isApart: boolean]>([
    ["two columns of four", row(0, 1, [9, 16]), row(8, 1, [9, 16]), true],
    ["a column and two others", row(0, 1, [9, 16]), row(4, 2, [9, 16]), true],
    ["two columns and one of them", row(0, 2, [9, 16]), row(4, 1, [9, 16]), false],
    ["the same column, lower", row(0, 1, [9, 16]), row(32, 1, [9, 16]), false],
    ["columns of even rows and of all rows", row(0, 1, [4, 32]), row(4, 1, [9, 16]), true],
    ["even rows and odd rows", row(0, 4, [4, 32]), row(16, 4, [4, 32]), true],
    ["a column read upwards", row(128, 1, [9, -16]), row(8, 1, [9, 16]), true],
    ["columns over the end of a period", row(8, 4, [9, 16]), row(0, 1, [9, 16]), false],
    ["channels of an image", row(0, 1, [3, 64], [4, 16]), row(4, 1, [3, 64], [4, 16]), true],
    ["one element in each row of the other", row(8, 1, [1, 0]), row(0, 1, [9, 16]), true],
    ["half of an element", row(2, 1, [9, 16]), row(0, 1, [9, 16]), false],
    ["no loops", { start: 0, itemBytes: 4, sizes: [], strides: [] }, { start: 2, itemBytes: 4, sizes: [], strides: [] }, false],
  ])("%s", (_, a, b, isApart) => {
    expect([interleaved(a, b), interleaved(b, a)]).toEqual([isApart, isApart]);
  });
});

describe("columns of one matrix", () => {
  beforeAll(() => void linearMemory());

  const kRows = 1000;
  /** Rows of x, y, vx, vy, and their columns. */
  const particles = (dtype: "float32" | "int16" | "complex64"): Any => {
    const rows = arenaMap(dtype, [kRows, 4]) as Any;
    rows.copyFrom(Array.from({ length: kRows * 4 }, (_, k) => (dtype === "complex64" ? [k % 37, k % 5] : k % 37)));
    return rows.strided();
  };
  /** Returns how many bytes of scratch memory change: the arguments of kernels are less than a hundred, a copy of a column at least 2,000. */
  const changedScratch = (act: () => void): number => {
    const free = (): number => withScratch(() => takeScratch(kRows * 64));
    // The first may not fit on the stack, which then grows.
    free();
    const bytes = new Uint8Array(linearMemory().buffer, free(), kRows * 64).fill(0x5a);
    act();
    return bytes.filter((byte) => byte !== 0x5a).length;
  };
  /** Assigns, three times, so that the last is by a kept plan. Returns whether each was without scratch memory, and all elements. */
  const assigned = (rows: Any, assign: (rows: Any) => void): [inPlace: boolean[], elements: Any[]] => {
    const inPlace = [1, 2, 3].map(() => changedScratch(() => assign(rows)) < kRows);
    return [inPlace, [...rows]];
  };
  /** The same over copies of the columns. */
  const apart = (rows: Any, assign: (rows: Any) => void): Any[] => {
    const columns = [0, 1, 2, 3].map((column) => {
      const copy = arenaMap(rows.dtype, [kRows]) as Any;
      copy.assign(rows.chip(column, 1));
      return copy;
    });
    for (let time = 0; time < 3; time++) assign({ chip: (column: number) => columns[column] });
    return Array.from({ length: kRows * 4 }, (_, k) => columns[k % 4].at(k >> 2));
  };

  test.each(["float32", "int16", "complex64"] as const)("of %s are computed in place", (dtype) => {
    const step = (rows: Any): void => rows.chip(0, 1).assign(rows.chip(0, 1).add(rows.chip(2, 1).mul(rows.chip(3, 1))));
    const [inPlace, elements] = assigned(particles(dtype), step);
    expect(listDifference(elements, apart(particles(dtype), step))).toBeNull();
    expect(inPlace).toEqual([true, true, true]);
  });

  test("two at once are computed in place", () => {
    const step = (rows: Any): void => rows.strided(":, :2").assign(rows.strided(":, :2").add(rows.strided(":, 2:").mul(2)));
    const [inPlace, elements] = assigned(particles("float32"), step);
    const each = (rows: Any): void => [0, 1].forEach((k) => rows.chip(k, 1).assign(rows.chip(k, 1).add(rows.chip(k + 2, 1).mul(2))));
    expect(listDifference(elements, apart(particles("float32"), each))).toBeNull();
    expect(inPlace).toEqual([true, true, true]);
  });

  test("several results together", () => {
    const step = (rows: Any): void => {
      const [x, y, u, v] = [0, 1, 2, 3].map((column) => rows.chip(column, 1));
      assignTogether([
        [x, x.add(u.mul(2))],
        [y, y.add(v.mul(2))],
        [u, u.sub(x)],
      ] as Any);
    };
    expect(listDifference(assigned(particles("float32"), step)[1], apart(particles("float32"), step))).toBeNull();
  });

  test("reductions along rows are stored between what they read", () => {
    const step = (rows: Any): void => rows.chip(0, 1).assign(rows.strided(":, 1:").sum([1]));
    const [inPlace, elements] = assigned(particles("float32"), step);
    const added = (rows: Any): void => rows.chip(0, 1).assign(rows.chip(1, 1).add(rows.chip(2, 1)).add(rows.chip(3, 1)));
    expect(listDifference(elements, apart(particles("float32"), added))).toBeNull();
    expect(inPlace).toEqual([true, true, true]);
  });

  /** What is computed of a block of three columns, in the sizes of a block. */
  const forms: readonly (readonly [name: string, build: (block: Any) => Any])[] = [
    ["copied", (block) => block],
    ["reversed", (block) => block.reverse()],
    ["rolled", (block) => block.roll(7, 0)],
    ["computed", (block) => block.mul(2).add(1)],
    ["multiplied by a matrix", (block) => block.matMul(iota("float32", [9]).reshape([3, 3]).sub(4))],
    ["less their sums", (block) => block.sub(block.sum([1], { keepDims: true }))],
    ["added up along columns", (block) => block.cumsum(0)],
    ["sorted along rows", (block) => block.sort(1)],
    ["gathered", (block) => block.gather(iota("int32", [kRows]).mul(7).mod(kRows), 0)],
  ];
  const memories = ["the linear memory", "a plain array"] as const;
  const ways: readonly (readonly [name: string, assign: (target: Any, e: Any) => void])[] = [
    ["kernels", (target, e) => target.assign(e)],
    ["the evaluator", assignByReference as Any],
  ];
  test.each(memories.flatMap((memory) => forms.map(([name, build]) => [name, memory, build] as const)))(
    "blocks of columns are %s beside what they are computed from, in %s",
    (_, memory, build) => {
      // A border, three columns, a border, three columns.
      const sizes = [kRows, 8];
      const wide =
        memory === "a plain array"
          ? (tensorMap("float32", new Float32Array(kRows * 8), sizes as never) as Any)
          : arenaMap("float32", sizes);
      const elements = Array.from({ length: kRows * 8 }, (_, k) => (k * 7) % 31);
      for (const [way, assign] of ways) {
        (wide as Any).copyFrom(elements);
        const [target, source] = [(wide as Any).strided(":, 1:4"), (wide as Any).strided(":, 5:")];
        const apart = arenaMap("float32", [kRows, 3]) as Any;
        apart.assign(source);
        const wanted = arenaMap("float32", [kRows, 3]) as Any;
        assignByReference(wanted, build(apart));
        const block = [...wanted];
        const elementOf = (k: number): number => block[(k >> 3) * 3 + (k % 8) - 1];
        const all = elements.map((element, k) => (k % 8 >= 1 && k % 8 < 4 ? elementOf(k) : element));
        for (let time = 0; time < 3; time++) {
          target.fill(-1);
          assign(target, build(source));
          expect([way, time, listDifference([...(wide as Any)], all)]).toEqual([way, time, null]);
        }
      }
    },
  );

  test("rows that move by a row are still read before they are overwritten", () => {
    const rows = particles("float32");
    const wanted = [...rows.chip(0, 1)];
    rows
      .chip(0, 1)
      .slice([1, kRows])
      .assign(
        rows
          .chip(0, 1)
          .slice([0, kRows - 1])
          .add(0),
      );
    expect([...rows.chip(0, 1)]).toEqual([wanted[0], ...wanted.slice(0, -1)]);
  });
});
