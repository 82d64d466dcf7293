// Compares dense maps of every dtype and rank with a simple reference model: a list of elements and the textbook formula for the flat
// index.
import { describe, expect, test } from "@jest/globals";
import type { DType } from "@onebuffer/base";
import type { TensorMap } from "@onebuffer/eigen";
import { isLong, sampled } from "@onebuffer/test-support";
import fc from "fast-check";
import { fresh, inputs, stored, subjectKinds } from "./subjects.ts";
import type { SubjectKind } from "./subjects.ts";
import { everyIndex, position, product } from "../row-major.ts";

const ranks = [0, 1, 2, 3, 4, 5, 6, 7];

/** Returns the elements as nested arrays, by recursion from the outermost dimension. */
function nested(dims: readonly number[], flat: readonly unknown[]): unknown {
  const [size, ...inner] = dims;
  if (size === undefined) return flat[0];
  const width = product(inner);
  return Array.from({ length: size }, (_, i) => nested(inner, flat.slice(i * width, (i + 1) * width)));
}

const anyMap = (map: TensorMap<DType, number>) =>
  map as unknown as { at(...i: number[]): unknown; set(...a: unknown[]): void; fill(v: unknown): void; copyFrom(s: unknown): void };

function scenario(
  kind: SubjectKind,
  rank: number,
): fc.Arbitrary<{ dims: number[]; base: number; writes: { at: number; value: unknown }[]; everywhere: unknown; all: unknown[] }> {
  return fc.array(fc.integer({ min: rank > 4 ? 1 : 0, max: rank > 3 ? 2 : 4 }), { minLength: rank, maxLength: rank }).chain((dims) => {
    const size = dims.reduce((a, b) => a * b, 1);
    return fc.record({
      dims: fc.constant(dims),
      base: fc.integer({ min: 0, max: 5 }),
      writes: fc.array(fc.record({ at: fc.nat({ max: Math.max(0, size - 1) }), value: inputs(kind.dtype) }), {
        maxLength: size === 0 ? 0 : 6,
      }),
      everywhere: inputs(kind.dtype),
      all: fc.array(inputs(kind.dtype), { minLength: size, maxLength: size }),
    });
  });
}

/** The number of runs of each of the tests; forty times as many with `npm run long`. */
const numRuns = isLong ? 80 : 1;

describe.each(sampled(subjectKinds, 18).map((kind, turn) => ({ name: kind.name, kind, turn })))("$name", ({ kind, turn }) => {
  // Two ranks of each kind of map, by turns.
  test.each(ranks.filter((rank) => isLong || (rank * 3 + turn) % 8 < 2))(
    "a map of rank %i reads what was written, like the reference model",
    (rank) => {
      fc.assert(
        fc.property(scenario(kind, rank), ({ dims, base, writes, everywhere, all }) => {
          const { map } = kind.make(dims, base);
          const indices = everyIndex(dims);
          const expected: unknown[] = indices.map(() => fresh(kind.dtype));
          const check = () => {
            expect(indices.map((tuple) => anyMap(map).at(...tuple))).toEqual(expected);
            expect([...map]).toEqual(expected);
            expect([...map.asConst()]).toEqual(expected);
            expect(map.toArray()).toEqual(nested(dims, expected));
          };
          expect({ rank: map.rank, size: map.size, dims: map.dimensions, dtype: map.dtype }).toEqual({
            rank,
            size: indices.length,
            dims,
            dtype: kind.dtype,
          });
          dims.forEach((size, d) => expect(map.dimension(d)).toBe(size));
          check();
          for (const { at, value } of writes) {
            const tuple = indices[at] as number[];
            anyMap(map).set(...tuple, value);
            expected[position(dims, tuple)] = stored(kind.dtype, value);
          }
          check();
          anyMap(map).copyFrom(all);
          expected.splice(0, expected.length, ...all.map((value) => stored(kind.dtype, value)));
          check();
          anyMap(map).fill(everywhere);
          expected.fill(stored(kind.dtype, everywhere));
          check();
        }),
        { numRuns },
      );
    },
  );

  test("writes do not change elements outside the map", () => {
    const [value] = fc.sample(inputs(kind.dtype), { numRuns: 1, seed: 3 });
    const subject = kind.make([2, 2], 2);
    const around = subject.again([8], -2);
    anyMap(subject.map).fill(value);
    anyMap(subject.map).set(0, 0, value);
    const before = [...around];
    expect(before.slice(2, 6)).toEqual(Array(4).fill(stored(kind.dtype, value)));
    expect([...before.slice(0, 2), ...before.slice(6)]).toEqual(Array(4).fill(fresh(kind.dtype)));
  });
});
