/**
 * MapKind: what the map classes of one storage kind share: how one element is read and stored, and the classes
 * themselves, by rank (the template parameter of Eigen::TensorMap, as an object).
 *
 *     MatrixF32.prototype.kind --> { load, store, …, dense: [[ConstScalarF32, ScalarF32], [ConstVecF32, VecF32], …], strided: … }
 *
 * Code that is written once for all kinds goes through this record. `at`, `set` and `chip` of the ranks 0 to 4 do not: they are
 * generated for each kind, because V8 keeps type feedback per piece of source.
 */
import type { DType } from "@onebuffer/base";
import type { MapStorage } from "../../geometry/map-storage.ts";
import type { MemoryOwner } from "../../memory/memory-owner.ts";
import type { StridedGeometry } from "../../geometry/strided-geometry.ts";

/** The largest rank that has classes of its own; maps of higher ranks are of the general classes. */
export const kMaxClassRank = 4;

/** A map, as its kind sees it. */
export interface KindMap extends MapStorage {
  /** The kind. */
  readonly kind: MapKind;
  /** What the constructor takes behind the sizes and strides where the kind serves several dtypes: see ElementRules.carries. */
  readonly carried: unknown;
}

/** A map with strides, as its kind sees it. */
export interface StridedKindMap extends KindMap {
  /** Offset, sizes and strides. */
  readonly geometry: StridedGeometry;
  /** Gives the place of one element after the other, in row-major order. */
  places(): () => number;
}

/**
 * How the elements of a storage kind are reached. Places count elements from the start of the array.
 *
 * The parameters are `never` because each kind declares the map and the element as what they are.
 */
export interface ElementRules {
  /** The element type, where the kind has one only. */
  readonly dtype: DType | null;
  /** The last field of the maps, from which the dtype follows if there are several; null if there is none. */
  readonly carries: "dtype" | "format" | "table" | "codec" | null;
  /** Places of the array per element; 0 if the codec that the maps carry says. */
  readonly slots: number;
  /** True if the dtype's elements compute in kernels, through their raw values. */
  readonly computes: boolean;
  /** Reads the element at a place. */
  load(map: never, place: number): unknown;
  /** Stores a value that was checked. Null where elements are JavaScript values, which storeObjectAt stores. */
  readonly store: ((map: never, place: number, value: never) => void) | null;
  /** Stores a list of values that were checked in a map without strides. Null where `store` is. */
  readonly storeDense: ((map: never, values: readonly never[]) => void) | null;
  /** Stores a list of values that were checked in a strided map. Null where `store` is. */
  readonly storeStrided: ((map: never, values: readonly never[]) => void) | null;
  /** Stores a value that was checked in every element of a map without strides. */
  fillDense(map: never, value: never): void;
  /** Stores a value that was checked in every element of a strided map. */
  fillStrided(map: never, value: never): void;
  /**
   * The iterator of the maps without strides, in row-major order: a method of theirs, because a generator reads `this` faster than a
   * parameter (float32: 12.0 instead of 13.5 ns per element).
   */
  denseElements(this: never): IterableIterator<unknown>;
  /** The iterator of the strided maps, in row-major order. */
  stridedElements(this: never): IterableIterator<unknown>;
}

/** The constructor of a map class: array, base, owner, sizes, strides if there are any, what the kind carries. */
export type MapClass = new (...args: readonly never[]) => object;

/** A map class as shared code calls it, which does not know the kind: behind the owner as MapClass says. */
export type AnyMapClass = new (array: unknown, base: number, owner: MemoryOwner, ...rest: readonly unknown[]) => object;

/** The read-only class of a rank and its subclass that can write. */
export type MapClassPair = readonly [readOnly: MapClass, writable: MapClass];

/** A storage kind: its rules and its classes. */
export interface MapKind extends ElementRules {
  /** The classes without strides, by rank. */
  readonly dense: readonly MapClassPair[];
  /** The classes with strides, by rank. */
  readonly strided: readonly MapClassPair[];
  /** The classes of any rank without strides, sizes as an array. */
  readonly denseGeneral: MapClassPair;
  /** The classes of any rank with strides, sizes and strides as arrays. */
  readonly stridedGeneral: MapClassPair;
}
