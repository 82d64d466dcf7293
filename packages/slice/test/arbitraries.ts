// Random shapes and slices for the property tests of this package, and the model of a slice: a set of indices.
import { TensorSlice } from "@onebuffer/slice";
import fc from "fast-check";

/** The sizes of a small tensor, and a slice that fits it: some dimensions are full, some explicit ones span the whole dimension. */
export interface Fitting {
  readonly dims: readonly number[];
  readonly slice: TensorSlice;
}

/** An extent of a dimension of `size`, full or explicit. */
export function extentWithin(size: number): fc.Arbitrary<[number, number]> {
  const full = fc.constant<[number, number]>([0, -1]);
  if (size === 0) return full;
  const explicit = fc
    .integer({ min: 0, max: size - 1 })
    .chain((start) => fc.tuple(fc.constant(start), fc.integer({ min: 1, max: size - start })));
  return fc.oneof({ weight: 1, arbitrary: full }, { weight: 3, arbitrary: explicit });
}

/** A slice that fits `dims`. */
export function sliceOf(dims: readonly number[]): fc.Arbitrary<TensorSlice> {
  return fc.tuple(...dims.map(extentWithin)).map((extents) => TensorSlice.fromExtents(extents));
}

/** Dimensions of a small tensor. */
export function smallDims(maxRank = 4, minSize = 1): fc.Arbitrary<number[]> {
  return fc.array(fc.integer({ min: minSize, max: 5 }), { minLength: 0, maxLength: maxRank });
}

/** `count` slices of one small tensor. */
export function slicesOfOne(count: number, maxRank = 4): fc.Arbitrary<{ dims: number[]; slices: TensorSlice[] }> {
  return smallDims(maxRank).chain((dims) =>
    fc.record({ dims: fc.constant(dims), slices: fc.array(sliceOf(dims), { minLength: count, maxLength: count }) }),
  );
}

/** The model of a slice: the set of the indices "i,j,k" that it holds in a tensor of `dims`. */
export function indicesOf(slice: TensorSlice, dims: readonly number[]): Set<string> {
  let found: string[] = [""];
  dims.forEach((size, d) => {
    const [start, length] = [...slice][d]!;
    const [from, to] = length === -1 && start === 0 ? [0, size] : [start, start + length];
    const next: string[] = [];
    for (const prefix of found) for (let i = from; i < to; i++) next.push(`${prefix}${i},`);
    found = next;
  });
  return new Set(found);
}

/** A valid slice of any rank and size, for text and codes. */
export const anySlice: fc.Arbitrary<TensorSlice> = fc
  .array(
    fc.oneof(
      fc.constant<[number, number]>([0, -1]),
      fc
        .maxSafeNat()
        .chain((start) => fc.tuple(fc.constant(start), fc.integer({ min: 1, max: Math.max(1, Number.MAX_SAFE_INTEGER - start) }))),
      fc.tuple(fc.nat(300), fc.integer({ min: 1, max: 70_000 })),
    ),
    { maxLength: 6 },
  )
  .map((extents) => TensorSlice.fromExtents(extents.filter(([start, length]) => start + length <= Number.MAX_SAFE_INTEGER)));
