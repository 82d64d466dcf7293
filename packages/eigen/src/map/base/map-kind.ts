/**
 * MapKind: the description of one storage kind, shared by its map classes: how an element is read and stored, and the classes themselves by
 * rank. A storage kind is a set of dtypes whose elements are stored in the same way, for example int8 and qint8. It plays the part of the
 * scalar type parameter of Eigen::TensorMap.
 *
 *     MatrixF32.prototype.kind --> { load, store, …, dense: [[ConstScalarF32, ScalarF32], [ConstVecF32, VecF32], …], strided: … }
 *
 * Code that is written once for all kinds uses this record. `at`, `set` and `chip` of the ranks 0 to 4 do not: they are generated for each
 * kind, because V8 keeps type feedback per function in the source.
 */
import type { DType } from "@onebuffer/base";
import type { MapStorage, StridedGeometry } from "@onebuffer/storage/internal";
import type { MemoryOwner } from "@onebuffer/storage";

/** The largest rank that has map classes of its own. Maps of higher rank have the classes of general rank. */
export const kMaxClassRank = 4;

/** The part of a map that the functions of its kind use. */
export interface KindMap extends MapStorage {
  /** The storage kind of the map. */
  readonly kind: MapKind;
  /** The last argument of the constructor if the kind has codecs: see ElementRules.hasCodec. */
  readonly extra: unknown;
}

/** The part of a strided map that the functions of its kind use. */
export interface StridedKindMap extends KindMap {
  /** Offset, sizes and strides. */
  readonly geometry: StridedGeometry;
  /** Returns a function that returns the offset of the next element at each call, in row-major order. */
  places(): () => number;
}

/**
 * How the elements of a storage kind are read and stored. A `place` is an offset from the start of the array, counted in elements.
 *
 * The parameters are of type `never` because each kind declares its own types for the map and for the element.
 */
export interface ElementRules {
  /** The element type. */
  readonly dtype: DType;
  /** True for unaligned maps, whose constructors take a Bytewise after the sizes and strides and keep it as `codec`. */
  readonly hasCodec: boolean;
  /** The number of array slots per element. */
  readonly slots: number;
  /** True if kernels compute with the raw values of the dtype's elements. */
  readonly computes: boolean;
  /** Returns the element at a place. */
  load(map: never, place: number): unknown;
  /** Stores a checked value at a place. Null if elements are JavaScript values; storeObjectAt stores those. */
  readonly store: ((map: never, place: number, value: never) => void) | null;
  /** Stores a list of checked values in a dense map. Null if `store` is null. */
  readonly storeDense: ((map: never, values: readonly never[]) => void) | null;
  /** Stores a list of checked values in a strided map. Null if `store` is null. */
  readonly storeStrided: ((map: never, values: readonly never[]) => void) | null;
  /** Stores a checked value in every element of a dense map. */
  fillDense(map: never, value: never): void;
  /** Stores a checked value in every element of a strided map. */
  fillStrided(map: never, value: never): void;
  /**
   * The iterator of the dense maps, in row-major order. It is a method of the map, because a generator reads `this` faster than a
   * parameter (float32: 12.0 instead of 13.5 ns per element).
   */
  denseElements(this: never): IterableIterator<unknown>;
  /** The iterator of the strided maps, in row-major order. */
  stridedElements(this: never): IterableIterator<unknown>;
}

/**
 * The constructor of a map class: array, base, owner, sizes, strides if the map is strided, the codec if the kind has codecs.
 */
export type MapClass = new (...args: readonly never[]) => object;

/** The constructor of a map class for code that does not know the kind. The arguments after the owner are those of MapClass. */
export type AnyMapClass = new (array: unknown, base: number, owner: MemoryOwner, ...rest: readonly unknown[]) => object;

/** The read-only class of a rank, and its writable subclass. */
export type MapClassPair = readonly [readOnly: MapClass, writable: MapClass];

/** A storage kind: its rules and its map classes. */
export interface MapKind extends ElementRules {
  /** The dense classes, by rank. */
  readonly dense: readonly MapClassPair[];
  /** The strided classes, by rank. */
  readonly strided: readonly MapClassPair[];
  /** The dense classes of general rank. */
  readonly denseGeneral: MapClassPair;
  /** The strided classes of general rank. */
  readonly stridedGeneral: MapClassPair;
}
