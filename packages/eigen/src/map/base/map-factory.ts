/**
 * The factory methods of a TensorMapKind that create strided maps, and dense maps of more than four dimensions or from a list of sizes.
 * The generated factories add the methods for ranks 0 to 4.
 */
import type { DType } from "@onebuffer/base";
import { makeDense, makeStrided } from "./make-map.ts";
import type { MapKind } from "./map-kind.ts";
import { checkStrides } from "@onebuffer/storage/internal";
import type { TensorMapKind } from "@onebuffer/expression/internal";

/** The factory methods that all kinds share. */
type SharedFactory<D extends DType> = Pick<TensorMapKind<D>, "tensor5" | "tensor6" | "general" | "strided" | "constStrided">;

/** Returns the shared factory methods of a kind. */
export function sharedFactory<D extends DType>(kind: MapKind): SharedFactory<D> {
  const source = (array: never, owner: never) => ({ kind, array, owner, extra: undefined });
  const general = (array: unknown, base: number, owner: unknown, dims: readonly number[]): unknown =>
    makeDense(source(array as never, owner as never), base, dims, true);
  const strided = (
    array: unknown,
    offset: number,
    owner: unknown,
    dims: readonly number[],
    strides: readonly number[],
    writable: boolean,
  ) => {
    const memory = source(array as never, owner as never);
    const { length } = memory.array as { readonly length: number };
    const geometry = checkStrides(kind.dtype, length, offset, kind.slots, dims, strides, writable);
    return makeStrided(memory, geometry, writable);
  };
  return {
    tensor5: (array, base, owner, d0, d1, d2, d3, d4) => general(array, base, owner, [d0, d1, d2, d3, d4]) as never,
    tensor6: (array, base, owner, d0, d1, d2, d3, d4, d5) => general(array, base, owner, [d0, d1, d2, d3, d4, d5]) as never,
    general: (array, base, owner, dims) => general(array, base, owner, dims) as never,
    strided: (array, offset, owner, dims, strides) => strided(array, offset, owner, dims, strides, true) as never,
    constStrided: (array, offset, owner, dims, strides) => strided(array, offset, owner, dims, strides, false) as never,
  };
}
