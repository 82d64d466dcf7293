// Tests that every way of making a shape accepts and refuses the same sizes as a simple model, which multiplies in order in bigint: a
// product may pass 2^53 - 1, but not 2^63 - 1, before a zero or an unknown size. Sizes are mostly large, small
// or 0, so that an overflow before, at and after a zero is common.
import { expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { PartialTensorShape, TensorShape, TensorShapeUtils } from "@onebuffer/shape";
import type { TensorShapeProto } from "@onebuffer/shape";
import fc from "fast-check";

const kLimit = 2n ** 53n - 1n;

/** The model's result: the number of elements, -1 for unknown, null if the sizes are refused. */
type Verdict = number | null;

/** The model: multiplies the sizes in order, up to the first unknown size. */
function verdictOf(sizes: readonly number[], partial: boolean): Verdict {
  let product = 1n;
  for (const size of sizes) {
    if (size < 0) return partial ? -1 : null;
    product *= BigInt(size);
    if (product >= 2n ** 63n) return null;
  }
  return product > kLimit ? null : Number(product);
}

/** The ways that add or change one size after another: each shape on the way must be one. */
const kStepwise: ReadonlySet<string> = new Set(["addDim", "appendShape one by one", "insertDim", "setDim", "concatenate"]);

/** Returns true if the product of the non-zero known sizes fits into an int64, which `build` requires of a message. */
const fitsWithoutZeros = (sizes: readonly number[]): boolean =>
  sizes.filter((size) => size > 0).reduce((product, size) => product * BigInt(size), 1n) < 2n ** 63n;

type Made = TensorShape | PartialTensorShape;
type Route = (sizes: readonly number[]) => Made;

const messageOf = (sizes: readonly number[]): TensorShapeProto => ({ dim: sizes.map((size) => ({ size })) });
const ones = (count: number): number[] => new Array<number>(count).fill(1);

/** Ways to set sizes with mutators, from a shape of ones or a scalar. */
const mutated = (empty: (sizes: number[]) => Made): Record<string, Route> => ({
  addDim: (sizes) => {
    const shape = empty([]);
    for (const size of sizes) shape.addDim(size);
    return shape;
  },
  "appendShape one by one": (sizes) => {
    const shape = empty([]);
    for (const size of sizes) shape.appendShape(empty([size]));
    return shape;
  },
  appendShape: (sizes) => {
    const shape = empty(sizes.slice(0, 1));
    shape.appendShape(empty([0, ...sizes.slice(1)]));
    shape.removeDim(Math.min(1, sizes.length));
    return shape;
  },
  "insertDim of the first": (sizes) => {
    const shape = empty([0, ...sizes.slice(1)]);
    shape.insertDim(0, sizes[0] ?? 1);
    shape.removeDim(1);
    if (sizes.length === 0) shape.removeDim(0);
    return shape;
  },
  insertDim: (sizes) => {
    const shape = empty([]);
    sizes.forEach((size, d) => shape.insertDim(d, size));
    return shape;
  },
  setDim: (sizes) => {
    const shape = empty(ones(sizes.length));
    sizes.forEach((size, d) => shape.setDim(d, size));
    return shape;
  },
  removeDim: (sizes) => {
    const shape = empty([0, ...sizes]);
    shape.removeDim(0);
    return shape;
  },
  "removeDim of the last": (sizes) => {
    const shape = empty([...sizes, 1]);
    shape.removeLastDims(1);
    return shape;
  },
});

const kFull: Readonly<Record<string, Route>> = {
  "new of an array": (sizes) => new TensorShape(sizes),
  build: (sizes) => TensorShape.build(sizes),
  "makeShape of numbers": (sizes) => TensorShapeUtils.makeShape(sizes),
  "makeShape of doubles": (sizes) => TensorShapeUtils.makeShape(Float64Array.from(sizes)),
  "makeShape of int64": (sizes) => TensorShapeUtils.makeShape(BigInt64Array.from(sizes, BigInt)),
  fromProto: (sizes) => TensorShape.fromProto(messageOf(sizes)),
  "fromProto of bigints": (sizes) => TensorShape.fromProto({ dim: sizes.map((size) => ({ size: BigInt(size) })) }),
  "a valid message": (sizes) => {
    TensorShape.isValidShape(messageOf(sizes));
    expect(TensorShape.isValid(messageOf(sizes))).toBe(true);
    return TensorShape.fromProto(messageOf(sizes));
  },
  "of its own rank": (sizes) => {
    const [a = 1, b = 1, c = 1, d = 1] = sizes;
    const makers = [TensorShape.scalar, TensorShape.vector, TensorShape.matrix, TensorShape.tensor3, TensorShape.tensor4];
    const make: ((...some: [number, number, number, number]) => TensorShape) | undefined = makers[sizes.length];
    return make?.(a, b, c, d) ?? new TensorShape(sizes);
  },
  sealed: (sizes) => TensorShape.sealed(sizes, 1),
  "sealed shape": (sizes) => TensorShape.sealed(new TensorShape(sizes), 1),
  withDimSize0: (sizes) => {
    const [size, ...inner] = sizes;
    if (size === undefined) return TensorShape.scalar();
    const first = verdictOf(inner, false) === null ? 0 : Math.max(size, 1);
    return new TensorShape(verdictOf([first, ...inner], false) === null ? [0, ...inner] : [first, ...inner]).withDimSize0(size);
  },
  withoutDim0: (sizes) => new TensorShape([verdictOf(sizes, false) === null ? 0 : 1, ...sizes]).withoutDim0(),
  "from a partial one": (sizes) => TensorShape.from(new PartialTensorShape(sizes)),
  "merged with unknown sizes": (sizes) => {
    const unknown = new PartialTensorShape(sizes.map(() => -1));
    return unknown.mergeWith(new PartialTensorShape(sizes)).asTensorShape()!;
  },
  ...mutated((sizes) => new TensorShape(sizes)),
};

const kPartial: Record<string, Route> = {
  "new of an array": (sizes) => new PartialTensorShape(sizes),
  build: (sizes) => PartialTensorShape.build(sizes),
  makePartialShape: (sizes) => PartialTensorShape.makePartialShape(sizes),
  fromProto: (sizes) => PartialTensorShape.fromProto(messageOf(sizes)),
  "a valid message": (sizes) => {
    PartialTensorShape.isValidShape(messageOf(sizes));
    return PartialTensorShape.fromProto(messageOf(sizes));
  },
  concatenate: (sizes) => sizes.reduce<PartialTensorShape>((shape, size) => shape.concatenate(size), new PartialTensorShape([])),
  ...mutated((sizes) => new PartialTensorShape(sizes)),
};

/** Runs a route. Returns the number of elements, or null if the route refuses the sizes. */
function said(route: Route, sizes: readonly number[]): Verdict {
  try {
    const shape = route(sizes);
    if (shape.dimSizes.slice(0, sizes.length).some((size, d) => size !== sizes[d]))
      throw new Error(`made ${shape.debugString()} of [${sizes.join()}]`);
    return shape.numElements;
  } catch (error) {
    if (!isStatusError(error, "INVALID_ARGUMENT")) throw error;
    return null;
  }
}

const known = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(2 ** 40, 2 ** 30, 2 ** 27, 2 ** 26, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1) },
  { weight: 3, arbitrary: fc.constantFrom(55108, 55109, 65533, 65534, 4294967293, 4294967294) },
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 9 }) },
);

/** Lists of `size`, lists for the fast paths (up to six sizes of Rep16, up to three of Rep32), and products between 2^53 and 2^63. */
const lists = (size: fc.Arbitrary<number>): fc.Arbitrary<number[]> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.array(size, { maxLength: 8 }) },
    { weight: 1, arbitrary: fc.array(fc.constantFrom(0, 1, 40000, 55107, 55108, 55108, 55108), { minLength: 3, maxLength: 7 }) },
    { weight: 1, arbitrary: fc.array(fc.constantFrom(0, 1, 2 ** 30, 2 ** 31 - 2, 2 ** 31 - 1), { minLength: 2, maxLength: 4 }) },
    { weight: 3, arbitrary: fc.array(fc.constantFrom(0, 2 ** 27, 2 ** 31, 2 ** 32), { minLength: 3, maxLength: 4 }) },
  );

/** `npm run long` runs the routes twenty times as often. */
const kRuns = 300 * (process.env["ONEBUFFER_LONG"] === "1" ? 20 : 1);

/** Runs every route over random sizes. Each must agree with the model, and accept and refuse often. */
function compare(routes: Record<string, Route>, partial: boolean, size: fc.Arbitrary<number>): void {
  const seen = { accepted: 0, refused: 0, zeroAfterOverflow: 0, largeBeforeZero: 0 };
  fc.assert(
    fc.property(lists(size), (sizes) => {
      const want = verdictOf(sizes, partial);
      if (want === null) seen.refused++;
      else seen.accepted++;
      if (want === null && sizes.includes(0)) seen.zeroAfterOverflow++;
      const refused = sizes.some((_, d) => verdictOf(sizes.slice(0, d), partial) === null);
      if (want !== null && refused) seen.largeBeforeZero++;
      for (const [name, route] of Object.entries(routes)) {
        const got = said(route, sizes);
        const wanted = refused && kStepwise.has(name) ? null : want;
        if (got !== wanted) throw new Error(`${name} of [${sizes.join()}] is ${String(got)}, want ${String(wanted)}`);
      }
    }),
    { numRuns: kRuns },
  );
  // The rarest kind is 6 % of all lists: 300 of them have five or fewer once in 3,000 times.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(kRuns / 60);
}

test("every way of making a TensorShape agrees with the model", () => compare(kFull, false, known));

test("every way of making a PartialTensorShape agrees with the model", () => {
  compare(kPartial, true, fc.oneof({ weight: 9, arbitrary: known }, { weight: 1, arbitrary: fc.constant(-1) }));
});

test("counting without a shape agrees with the model, and `build` also checks the non-zero sizes of a message", () => {
  fc.assert(
    fc.property(lists(known), (sizes) => {
      const want = verdictOf(sizes, false);
      let counted: Verdict = null;
      try {
        counted = TensorShapeUtils.numElements(sizes);
      } catch (error) {
        if (!isStatusError(error, "INVALID_ARGUMENT")) throw error;
      }
      expect(counted).toBe(want);
      const built = said((list) => TensorShape.build(messageOf(list)), sizes);
      expect(built).toBe(fitsWithoutZeros(sizes) ? want : null);
      expect(TensorShape.isValid(messageOf(sizes))).toBe(want !== null);
    }),
    { numRuns: kRuns },
  );
});
