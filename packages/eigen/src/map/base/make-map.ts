/**
 * Makes maps of any rank from lists of sizes and strides. A map gets the class of its rank if the rank is at most 4 and its numbers are
 * small (see kMaxSmallSlots), otherwise the class of general rank. The generated factories construct maps of the ranks 0 to 4 directly.
 */
import type { DType, TypedArrayOf } from "@onebuffer/base";
import { checkGeometry, isSmallStrided } from "@onebuffer/storage/internal";
import { kMaxClassRank } from "./map-kind.ts";
import type { AnyMapClass, MapClassPair, MapKind } from "./map-kind.ts";
import type { MemoryOwner } from "@onebuffer/storage";
import type { StridedGeometry } from "@onebuffer/storage/internal";
import type { StridedMap, TensorMap } from "@onebuffer/expression";

/** The arguments that all map constructors of a kind share: the memory, and the codec of unaligned maps. */
export interface MapSource {
  readonly kind: MapKind;
  readonly array: TypedArrayOf<DType>;
  readonly owner: MemoryOwner;
  readonly extra: unknown;
}

/** Returns a dense map over the memory of `source`. Throws INVALID_ARGUMENT if the map does not fit the array. */
export function makeDense(source: MapSource, base: number, dims: readonly number[], writable: boolean): TensorMap<DType, number> {
  const { kind, array } = source;
  const { dtype, slots } = kind;
  const small = checkGeometry(dtype, array.length, base, slots, slots, dims);
  return constructDense(source, base, dims, small && dims.length <= kMaxClassRank, writable ? 1 : 0) as TensorMap<DType, number>;
}

/** Constructs a dense map. `side` is the index in a MapClassPair: 1 for the writable class. */
function constructDense(
  { kind, array, owner, extra }: MapSource,
  base: number,
  dims: readonly number[],
  small: boolean,
  side: 0 | 1,
): unknown {
  if (!small) return new (kind.denseGeneral[side] as unknown as AnyMapClass)(array, base, owner, dims.slice(), extra);
  const mapClass = (kind.dense[dims.length] as MapClassPair)[side] as unknown as AnyMapClass;
  switch (dims.length) {
    case 0:
      return new mapClass(array, base, owner, extra);
    case 1:
      return new mapClass(array, base, owner, dims[0], extra);
    case 2:
      return new mapClass(array, base, owner, dims[0], dims[1], extra);
    case 3:
      return new mapClass(array, base, owner, dims[0], dims[1], dims[2], extra);
    default:
      return new mapClass(array, base, owner, dims[0], dims[1], dims[2], dims[3], extra);
  }
}

/** Returns a strided map over the memory of `source`. The caller has checked that all its elements are inside the array. */
export function makeStrided(source: MapSource, { offset, dims, strides }: StridedGeometry, writable: boolean): StridedMap<DType, number> {
  const small = dims.length <= kMaxClassRank && isSmallStrided(source.array.length, dims, strides);
  return constructStrided(source, offset, dims, strides, small, writable ? 1 : 0) as StridedMap<DType, number>;
}

/** Constructs a strided map. `side` is the index in a MapClassPair: 1 for the writable class. */
function constructStrided(
  { kind, array, owner, extra }: MapSource,
  offset: number,
  dims: readonly number[],
  strides: readonly number[],
  small: boolean,
  side: 0 | 1,
): unknown {
  if (!small) return new (kind.stridedGeneral[side] as unknown as AnyMapClass)(array, offset, owner, dims.slice(), strides.slice(), extra);
  const mapClass = (kind.strided[dims.length] as MapClassPair)[side] as unknown as AnyMapClass;
  switch (dims.length) {
    case 0:
      return new mapClass(array, offset, owner, extra);
    case 1:
      return new mapClass(array, offset, owner, dims[0], strides[0], extra);
    case 2:
      return new mapClass(array, offset, owner, dims[0], dims[1], strides[0], strides[1], extra);
    case 3:
      return new mapClass(array, offset, owner, dims[0], dims[1], dims[2], strides[0], strides[1], strides[2], extra);
    default:
      return new mapClass(array, offset, owner, dims[0], dims[1], dims[2], dims[3], strides[0], strides[1], strides[2], strides[3], extra);
  }
}
