/**
 * The maps of general rank: sizes in an array, indices as a list. They serve the ranks above 4, and arrays of 2^30 places and more, whose
 * offsets would not stay small integers in the fields of the rank-specialised classes.
 *
 * They read and store through the rules of their kind, some five times slower than the classes of the ranks 0 to 4.
 */
import type { DType, TypedArrayOf } from "@onebuffer/base";
import { accessError, dimensionError, storeError } from "../../geometry/map-errors.ts";
import { flatIndex, product } from "../../geometry/map-geometry.ts";
import { isElementInput } from "../../memory/element-check.ts";
import type { KindMap } from "./map-kind.ts";
import type { MemoryOwner } from "../../memory/memory-owner.ts";
import { storeObjectAt } from "../../memory/object-element.ts";
import { stridedIndex } from "../../geometry/strided-bounds.ts";
import { StridedMapBase } from "./strided-map-base.ts";
import { TensorMapBase } from "./tensor-map-base.ts";

/** A map whose kind's last field, what it carries, is set under the name that the kind gives it. */
function setCarried(map: KindMap, carried: unknown): void {
  const { carries } = map.kind;
  if (carries !== null) (map as unknown as Record<string, unknown>)[carries] = carried;
}

/** The element at a place counted in elements, which is -1 for wrong indices. */
function load(map: KindMap, place: number, indices: readonly number[]): unknown {
  if (place < 0 || (place + 1) * map.slots > map.array.length) throw accessError(map, indices);
  return map.kind.load(map as never, place);
}

/** Stores a value at a place counted in elements, which is -1 for wrong indices or a wrong value. */
function store(map: KindMap, place: number, indices: readonly number[], value: unknown): void {
  if (place < 0 || (place + 1) * map.slots > map.array.length) throw storeError(map, indices, value);
  if (map.kind.store !== null) map.kind.store(map as never, place, value as never);
  else storeObjectAt(map.array as unknown as unknown[], place, map.dtype as "string", value);
}

/** Any rank without strides, read-only. */
export class DenseGeneral extends TensorMapBase<DType, number> {
  declare readonly array: TypedArrayOf<DType>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly dims: readonly number[];

  constructor(array: TypedArrayOf<DType>, base: number, owner: MemoryOwner, dims: readonly number[], carried: unknown) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.dims = dims;
    setCarried(this, carried);
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
    return new this.constClass(this.array, this.base, this.owner, this.dims, this.carried);
  }

  at(...indices: readonly number[]): unknown {
    return load(this, this.placeOf(indices), indices);
  }

  /** The place of an element, counted in elements, or -1. */
  placeOf(indices: readonly number[]): number {
    const flat = this.owner.refs === 0 ? -1 : flatIndex(this.dims, indices);
    return flat < 0 ? -1 : this.base + flat;
  }
}

/** Any rank with strides, read-only. */
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
    carried: unknown,
  ) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.dims = dims;
    this.steps = steps;
    setCarried(this, carried);
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

  /** The place of an element, counted in elements, or -1. */
  placeOf(indices: readonly number[]): number {
    return this.owner.refs === 0 ? -1 : stridedIndex(this.base, this.dims, this.steps, indices);
  }
}

/** The method `set` of the general classes: the indices, and behind them the value. */
export function setElement(this: DenseGeneral | StridedGeneral, ...args: unknown[]): void {
  // The list is this call's own: without its last entry it holds the indices.
  const value = args.pop();
  const indices = args as number[];
  store(this, isElementInput(this.dtype, value) ? this.placeOf(indices) : -1, indices, value);
}
