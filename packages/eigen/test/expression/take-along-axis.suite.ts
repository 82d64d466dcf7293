// takeAlongAxis against a naive twin, in kernels and in the plain evaluator; its errors name the index as the caller gave it.
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { evaluate, iota, takeAlongAxis, tensorMap } from "@onebuffer/eigen";
import type { TensorMap } from "@onebuffer/eigen";
import { assignByReference } from "@onebuffer/eigen/internal";
import { refusal } from "@onebuffer/test-support";
import { everyIndex, product } from "../row-major.ts";

const floats = (list: readonly number[], dims: readonly number[] = [list.length]) => tensorMap("float32", Float32Array.from(list), dims);
const integers = (list: readonly number[], dims: readonly number[] = [list.length]) => tensorMap("int32", Int32Array.from(list), dims);

/** The elements, read one by one. */
function twin(x: TensorMap<"float32", number>, at: TensorMap<"int32", number>, axis: number): number[] {
  const sizes = x.dimensions.map((size, d) => (d === axis ? at.dimensions[d]! : size === 1 ? at.dimensions[d]! : size));
  return everyIndex(sizes).map((index) => {
    const place = at.at(...index.map((i, d) => (at.dimensions[d] === 1 ? 0 : i)));
    return x.at(...index.map((i, d) => (d === axis ? place : x.dimensions[d] === 1 ? 0 : i)));
  });
}

const kCase = fc
  .array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 })
  .chain((dims) =>
    fc.record({ dims: fc.constant(dims), axis: fc.nat(dims.length - 1), count: fc.nat(5), seed: fc.nat(), ones: fc.nat(255) }),
  );

test("elements are those that a loop reads, where sizes of 1 of either are repeated", () => {
  fc.assert(
    fc.property(kCase, ({ dims, axis, count, seed, ones }) => {
      const has = (bit: number): boolean => ((ones >> bit) & 1) === 1 && (ones >> 6) % 2 === 0;
      const sizes = dims.map((size, d) => (d !== axis && has(d) ? 1 : size));
      const places = dims.map((size, d) => (d === axis ? count : !has(d) && (seed >> d) % 4 === 0 ? 1 : size));
      const x = floats(
        Array.from({ length: product(sizes) }, (_, i) => i),
        sizes,
      );
      const at = integers(
        Array.from({ length: product(places) }, (_, i) => (i * 7 + (seed % 1000)) % dims[axis]!),
        places,
      );
      const result = takeAlongAxis(x, at, axis);
      const target = tensorMap("float32", new Float32Array(product(result.dimensions)), result.dimensions);
      assignByReference(target, result);
      expect([...(target as Iterable<number>)]).toEqual(twin(x, at, axis));
      expect([...(evaluate(takeAlongAxis(x, at, axis - dims.length)) as Iterable<number>)]).toEqual(twin(x, at, axis));
      const long = takeAlongAxis(x, at.cast("int64"), axis);
      expect([...(evaluate(long) as Iterable<number>)]).toEqual(twin(x, at, axis));
    }),
  );
});

test("an index out of range is named as it was given", () => {
  const x = floats([1, 2, 3, 4, 5, 6], [2, 3]);
  const error = refusal(() => evaluate(takeAlongAxis(x, integers([0, 3], [2, 1]))));
  expect([error.code, error.message]).toEqual(["INVALID_ARGUMENT", expect.stringContaining("indices[1] = 3 is not in [0, 3)")]);
  expect(refusal(() => evaluate(takeAlongAxis(x, integers([-1, 0], [2, 1])))).message).toContain("indices[0] = -1 is not in [0, 3)");
});

const matrix = floats([1, 2, 3, 4, 5, 6], [2, 3]);

test.each<[string, () => unknown, string]>([
  ["another rank", () => takeAlongAxis(matrix, integers([1])), "both have the same rank"],
  ["other sizes", () => takeAlongAxis(matrix, integers([1, 0, 0], [3, 1])), "the sizes 2 and 3 differ along axis 0"],
  ["a scalar", () => takeAlongAxis(floats([1], []), integers([0], [])), "takeAlongAxis(float32 []"],
  ["an axis out of range", () => takeAlongAxis(matrix, integers([1, 0], [2, 1]), 2), "2"],
  ["int32 indices among 2^31", () => takeAlongAxis(iota("int8", [2 ** 31]), integers([1])), "so many elements need indices of int64"],
  ["indices of floats", () => takeAlongAxis(matrix, matrix as never), 'indices are int32 or int64, cast("int32") them'],
])("%s is refused", (_, call, words) => {
  const error = refusal(call);
  expect([error.code, error.message]).toEqual(["INVALID_ARGUMENT", expect.stringContaining(words)]);
});
