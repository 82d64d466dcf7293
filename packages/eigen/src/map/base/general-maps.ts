/**
 * The map classes of general rank, which keep their sizes in an array and take their indices as a list. They serve ranks above 4, and
 * arrays of more than 2^30 - 2 slots, whose offsets would not stay small integers in the fields of the rank-specialized classes.
 *
 * They read and store elements through the rules of their kind, which is about five times slower than the classes of the ranks 0 to 4.
 */
import type { DType, TypedArrayOf } from "@onebuffer/base";
import {
  accessError,
  dimensionError,
  flatIndex,
  isElementInput,
  product,
  storeError,
  storeObjectAt,
  stridedIndex,
} from "@onebuffer/storage/internal";
import type { KindMap } from "./map-kind.ts";
import type { MemoryOwner } from "@onebuffer/storage";
import { StridedMapBase } from "./strided-map-base.ts";
import { TensorMapBase } from "./tensor-map-base.ts";

/** Sets the codec of a map if its kind has codecs. */
function setExtra(map: KindMap, extra: unknown): void {
  if (map.kind.hasCodec) (map as unknown as { codec: unknown }).codec = extra;
}

/** Returns the element at an offset counted in elements. Throws the error of `at` if it is -1 (wrong indices) or outside the array. */
function load(map: KindMap, place: number, indices: readonly number[]): unknown {
  if (place < 0 || (place + 1) * map.slots > map.array.length) throw accessError(map, indices);
  return map.kind.load(map as never, place);
}

/**
 * Stores a value at an offset counted in elements. Throws the error of `set` if the offset is -1 (wrong indices or a wrong value) or
 * outside the array.
 */
function store(map: KindMap, place: number, indices: readonly number[], value: unknown): void {
  if (place < 0 || (place + 1) * map.slots > map.array.length) throw storeError(map, indices, value);
  if (map.kind.store !== null) map.kind.store(map as never, place, value as never);
  else storeObjectAt(map.array as unknown as unknown[], place, map.dtype as "string", value);
}

/** A read-only dense map of any rank. */
export class DenseGeneral extends TensorMapBase<DType, number> {
  declare readonly array: TypedArrayOf<DType>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly dims: readonly number[];

  constructor(array: TypedArrayOf<DType>, base: number, owner: MemoryOwner, dims: readonly number[], extra: unknown) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.dims = dims;
    setExtra(this, extra);
  }

  get rank(): number {
    return this.dims.length;
  }

  get size(): number {
    return product(this.dims);
  }

  get dimensions(): readonly number[] {
    return this.dims.slice();
  }

  dimension(i: number): number {
    const size = typeof i === "number" ? this.dims[i] : undefined;
    if (size === undefined) throw dimensionError(i, this.dims.length);
    return size;
  }

  protected override readOnly(): object {
    return new this.constClass(this.array, this.base, this.owner, this.dims, this.extra);
  }

  at(...indices: readonly number[]): unknown {
    return load(this, this.placeOf(indices), indices);
  }

  /** Returns the offset of an element, counted in elements, or -1 if the indices are wrong or the memory was freed. */
  placeOf(indices: readonly number[]): number {
    const flat = this.owner.refs === 0 ? -1 : flatIndex(this.dims, indices);
    return flat < 0 ? -1 : this.base + flat;
  }
}

/** A read-only strided map of any rank. */
export class StridedGeneral extends StridedMapBase<DType, number> {
  declare readonly array: TypedArrayOf<DType>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly dims: readonly number[];
  declare readonly steps: readonly number[];

  constructor(
    array: TypedArrayOf<DType>,
    base: number,
    owner: MemoryOwner,
    dims: readonly number[],
    steps: readonly number[],
    extra: unknown,
  ) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.dims = dims;
    this.steps = steps;
    setExtra(this, extra);
  }

  get rank(): number {
    return this.dims.length;
  }

  get size(): number {
    return product(this.dims);
  }

  get dimensions(): readonly number[] {
    return this.dims.slice();
  }

  get strides(): readonly number[] {
    return this.steps.slice();
  }

  dimension(i: number): number {
    const size = typeof i === "number" ? this.dims[i] : undefined;
    if (size === undefined) throw dimensionError(i, this.dims.length);
    return size;
  }

  at(...indices: readonly number[]): unknown {
    return load(this, this.placeOf(indices), indices);
  }

  /** Returns the offset of an element, counted in elements, or -1 if the indices are wrong or the memory was freed. */
  placeOf(indices: readonly number[]): number {
    return this.owner.refs === 0 ? -1 : stridedIndex(this.base, this.dims, this.steps, indices);
  }
}

/** The method `set` of the general classes. Its arguments are the indices, followed by the value. */
export function setElement(this: DenseGeneral | StridedGeneral, ...args: unknown[]): void {
  // A rest parameter is a new array for each call, so it may be changed: without its last entry it is the list of indices.
  const value = args.pop();
  const indices = args as number[];
  store(this, isElementInput(this.dtype, value) ? this.placeOf(indices) : -1, indices, value);
}
