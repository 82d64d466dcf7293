/**
 * Makes maps of any rank from lists of sizes and strides: the class of the rank if the map is small, else the general one.
 * The generated factories make the maps of their ranks without coming here.
 */
import type { DType, TypedArrayOf } from "@onebuffer/base";
import { checkGeometry } from "../../geometry/map-geometry.ts";
import { kMaxClassRank } from "./map-kind.ts";
import type { AnyMapClass, MapClassPair, MapKind } from "./map-kind.ts";
import type { MemoryOwner } from "../../memory/memory-owner.ts";
import { isSmallStrided } from "../../geometry/strided-geometry.ts";
import type { StridedGeometry } from "../../geometry/strided-geometry.ts";
import type { StridedMap, TensorMap } from "../../expression/tree/tensor-map.ts";

/** The memory of a map and what its kind carries. */
export interface MapSource {
  readonly kind: MapKind;
  readonly array: TypedArrayOf<DType>;
  readonly owner: MemoryOwner;
  readonly carried: unknown;
}

/** The dtype of a kind's map, from what the kind carries. */
export function dtypeOf({ dtype, carries }: MapKind, carried: unknown): DType {
  if (dtype !== null) return dtype;
  return carries === "dtype" ? (carried as DType) : (carried as { readonly dtype: DType }).dtype;
}

/** Places of the array per element. */
export function slotsOf({ slots }: MapKind, carried: unknown): number {
  return slots > 0 ? slots : (carried as { readonly bytes: number }).bytes;
}

/** A map without strides, writable or not. Throws INVALID_ARGUMENT if it does not fit the array. */
export function makeDense(source: MapSource, base: number, dims: readonly number[], writable: boolean): TensorMap<DType, number> {
  const { kind, array, carried } = source;
  const slots = slotsOf(kind, carried);
  const small = checkGeometry(dtypeOf(kind, carried), array.length, base, slots, slots, dims);
  return constructDense(source, base, dims, small && dims.length <= kMaxClassRank, writable ? 1 : 0) as TensorMap<DType, number>;
}

function constructDense(
  { kind, array, owner, carried }: MapSource,
  base: number,
  dims: readonly number[],
  small: boolean,
  side: 0 | 1,
): unknown {
  if (!small) return new (kind.denseGeneral[side] as unknown as AnyMapClass)(array, base, owner, dims.slice(), carried);
  const mapClass = (kind.dense[dims.length] as MapClassPair)[side] as unknown as AnyMapClass;
  switch (dims.length) {
    case 0:
      return new mapClass(array, base, owner, carried);
    case 1:
      return new mapClass(array, base, owner, dims[0], carried);
    case 2:
      return new mapClass(array, base, owner, dims[0], dims[1], carried);
    case 3:
      return new mapClass(array, base, owner, dims[0], dims[1], dims[2], carried);
    default:
      return new mapClass(array, base, owner, dims[0], dims[1], dims[2], dims[3], carried);
  }
}

/** A strided map, writable or not, over places that are known to lie in the array. */
export function makeStrided(source: MapSource, { offset, dims, strides }: StridedGeometry, writable: boolean): StridedMap<DType, number> {
  const small = dims.length <= kMaxClassRank && isSmallStrided(source.array.length, dims, strides);
  return constructStrided(source, offset, dims, strides, small, writable ? 1 : 0) as StridedMap<DType, number>;
}

function constructStrided(
  { kind, array, owner, carried }: MapSource,
  offset: number,
  dims: readonly number[],
  strides: readonly number[],
  small: boolean,
  side: 0 | 1,
): unknown {
  if (!small)
    return new (kind.stridedGeneral[side] as unknown as AnyMapClass)(array, offset, owner, dims.slice(), strides.slice(), carried);
  const mapClass = (kind.strided[dims.length] as MapClassPair)[side] as unknown as AnyMapClass;
  switch (dims.length) {
    case 0:
      return new mapClass(array, offset, owner, carried);
    case 1:
      return new mapClass(array, offset, owner, dims[0], strides[0], carried);
    case 2:
      return new mapClass(array, offset, owner, dims[0], dims[1], strides[0], strides[1], carried);
    case 3:
      return new mapClass(array, offset, owner, dims[0], dims[1], dims[2], strides[0], strides[1], strides[2], carried);
    default:
      return new mapClass(
        array,
        offset,
        owner,
        dims[0],
        dims[1],
        dims[2],
        dims[3],
        strides[0],
        strides[1],
        strides[2],
        strides[3],
        carried,
      );
  }
}
