/**
 * StridedMapBase: what every strided map class shares and no loop needs: the views, the questions, nested arrays, text.
 *
 * Below it stand the classes of each rank (strided-maps.ts) and below those the generated ones, as with TensorMapBase. A view is
 * computed as a StridedGeometry and made by the class of its new rank. Return types here say StridedMap; what a read-only map
 * returns is read-only all the same, and its interface, ConstStridedMap, says so.
 */

import type { DType, ElementOf, TypedArrayOf } from "@onebuffer/base";
import { dtypeSize, isObjectDType, ResourceExhaustedError } from "@onebuffer/base";
import type { HigherRank, LowerRank, NestedArray, SliceRange } from "../../geometry/indices.ts";
import { makeDense, makeStrided } from "./make-map.ts";
import { checkAlive } from "../../geometry/map-errors.ts";
import { StridedMapExpression } from "./map-expression.ts";
import type { AnyMapClass, MapKind, StridedKindMap } from "./map-kind.ts";
import type { MemoryOwner } from "../../memory/memory-owner.ts";
import { nestedElements } from "./nested-elements.ts";
import type { RawPlaces } from "../../geometry/strided-bytes.ts";
import { geometryOfText } from "../../geometry/slice-text.ts";
import type { StridedGeometry } from "../../geometry/strided-geometry.ts";
import {
  broadcastGeometry,
  chippedGeometry,
  expandedGeometry,
  isRowMajor,
  permutedGeometry,
  placeRange,
  reversedGeometry,
  slicedGeometry,
  squeezedGeometry,
} from "../../geometry/strided-geometry.ts";
import { layoutOfStrides } from "../../geometry/strided-layout.ts";
import { reshapeSizes, reshapeStrides } from "../../geometry/strided-reshape.ts";
import { StridedWalk } from "../../geometry/strided-walk.ts";
import type { ConstStridedMap, StridedMap, TensorMap } from "../../expression/tree/tensor-map.ts";

/** The most elements `toArray` lists: a broadcast map may claim more than any memory holds. */
const kMaxListed = 2 ** 27;

/** The parent of all strided map classes. */
export abstract class StridedMapBase<D extends DType, R extends number> extends StridedMapExpression<D, R> implements StridedKindMap {
  declare readonly array: TypedArrayOf<DType>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly dtype: D;
  /** On the prototype: see map-kind.ts. */
  declare readonly kind: MapKind;
  /** On the prototype: the elements in row-major order. */
  declare readonly [Symbol.iterator]: () => IterableIterator<ElementOf<D>>;
  abstract override get rank(): R;
  abstract override get size(): number;
  abstract override get dimensions(): readonly number[];
  abstract get strides(): readonly number[];

  /** What the constructor takes behind sizes and strides: kinds of several dtypes override this. */
  get carried(): unknown {
    return undefined;
  }

  /** Places of `array` per element. */
  get slots(): number {
    return 1;
  }

  /** The first element's index in `array`, counted in elements. */
  get offset(): number {
    return this.base;
  }

  /** The place of the first element in `array`. */
  get start(): number {
    return this.offset * this.slots;
  }

  /** The place behind the highest element in `array`. */
  get end(): number {
    return placeRange(this.geometry)[1] * this.slots;
  }

  /** Offset, sizes and strides. */
  get geometry(): StridedGeometry {
    return { offset: this.offset, dims: this.dimensions, strides: this.strides };
  }

  /** Where the map's bytes are; null where the elements are JavaScript values. FAILED_PRECONDITION if they are gone. */
  rawPlaces(): RawPlaces | null {
    checkAlive(this);
    if (isObjectDType(this.dtype)) return null;
    const { dimensions: dims, strides } = this;
    const array = this.array as Uint8Array<ArrayBufferLike>;
    const byteOffset = array.byteOffset + this.start * array.BYTES_PER_ELEMENT;
    return { buffer: array.buffer, byteOffset, itemBytes: dtypeSize(this.dtype), dims, strides };
  }

  /** Whether it is known to be without strides: see TensorMapBase. */
  get isDense(): boolean {
    return false;
  }

  /** Gives the place of one element after the other, in row-major order; in elements. */
  places(): () => number {
    const walk = new StridedWalk(this.geometry);
    return () => {
      const { place } = walk;
      walk.next();
      return place;
    };
  }

  /** Stores values that were checked, in row-major order. */
  storeList(values: readonly unknown[]): void {
    this.kind.storeStrided?.(this as never, values as never);
  }

  /** The view of a geometry of the same rank, as writable as this map. The classes of one rank make it without a look at the rank. */
  protected sameRank(geometry: StridedGeometry): object {
    return makeStrided(this, geometry, this.isWritable);
  }

  /** The view of another geometry. */
  private view<N extends number>(
    change: (geometry: StridedGeometry) => StridedGeometry,
    writable: boolean = this.isWritable,
  ): StridedMap<D, N> {
    checkAlive(this);
    return makeStrided(this, change(this.geometry), writable) as unknown as StridedMap<D, N>;
  }

  /** The class of this map: of its rank, its kind, as writable. */
  protected get ownClass(): AnyMapClass {
    return this.constructor as AnyMapClass;
  }

  private get isWritable(): boolean {
    return "set" in this;
  }

  /** One range per dimension: see ConstStridedMap.slice. */
  slice(...ranges: readonly SliceRange[]): StridedMap<D, R> {
    checkAlive(this);
    return this.sameRank(slicedGeometry(this.geometry, ranges)) as StridedMap<D, R>;
  }

  /** The listed dimensions backwards. */
  reverse(dims?: readonly number[]): StridedMap<D, R> {
    checkAlive(this);
    const { geometry } = this;
    return this.sameRank(reversedGeometry(geometry, dims ?? geometry.dims.map((_, d) => d))) as StridedMap<D, R>;
  }

  /** The dimensions in another order. */
  permute(order: readonly number[]): StridedMap<D, R> {
    checkAlive(this);
    return this.sameRank(permutedGeometry(this.geometry, order)) as StridedMap<D, R>;
  }

  /** The dimensions in opposite order. */
  transpose(): StridedMap<D, R> {
    return this.permute(this.dimensions.map((_, d) => this.rank - 1 - d));
  }

  /** Repeated to other sizes, read-only. */
  broadcast<const S extends readonly number[]>(dims: S): ConstStridedMap<D, S["length"]> {
    return this.view((geometry) => broadcastGeometry(geometry, dims), false);
  }

  /** One dimension fixed. */
  chip(offset: number, dim: number = 0): StridedMap<D, LowerRank<R>> {
    return this.view((geometry) => chippedGeometry(geometry, offset, dim));
  }

  /** One more dimension, of size 1. */
  expandDims(dim: number): StridedMap<D, HigherRank<R>> {
    return this.view((geometry) => expandedGeometry(geometry, dim));
  }

  /** Without dimensions of size 1. */
  squeeze(dims?: readonly number[]): StridedMap<D, number> {
    return this.view((geometry) => squeezedGeometry(geometry, dims));
  }

  /** Under other sizes, or null. */
  reshape<const S extends readonly number[]>(dims: S): StridedMap<D, S["length"]> | null {
    checkAlive(this);
    const { geometry } = this;
    const sizes = reshapeSizes(geometry.dims, dims);
    const strides = reshapeStrides(geometry, sizes);
    return typeof strides === "string" ? null : this.view(({ offset }) => ({ offset, dims: sizes, strides }));
  }

  /** Why `reshape` gives null; null if it does not. */
  whyNotReshape(dims: readonly number[]): string | null {
    const { geometry } = this;
    const strides = reshapeStrides(geometry, reshapeSizes(geometry.dims, dims));
    return typeof strides === "string" ? strides : null;
  }

  /** What a text in NumPy's index notation picks. */
  strided(text: string): StridedMap<D, number> {
    return this.view((geometry) => geometryOfText(geometry, text));
  }

  /** Whether the elements lie side by side in row-major order. */
  isContiguous(): boolean {
    return isRowMajor(this.geometry);
  }

  /** Without strides, if the elements allow it. */
  toTensorMap(): TensorMap<D, R> | null {
    checkAlive(this);
    if (!this.isContiguous()) return null;
    return makeDense(this, this.base, this.dimensions, this.isWritable) as unknown as TensorMap<D, R>;
  }

  /** The XLA layout of these strides, or null. */
  minorToMajor(): number[] | null {
    return layoutOfStrides(this.geometry);
  }

  /** Read-only. */
  asConst(): ConstStridedMap<D, R> {
    const map = this.isWritable ? makeStrided(this, this.geometry, false) : this;
    return map as unknown as ConstStridedMap<D, R>;
  }

  /** The elements as nested arrays. */
  toArray(): NestedArray<ElementOf<D>, R> {
    checkAlive(this);
    const { size } = this;
    if (size > kMaxListed) throw new ResourceExhaustedError(`toArray of [${this.dimensions}] would list ${size} elements`);
    return nestedElements(this.dimensions, this) as NestedArray<ElementOf<D>, R>;
  }

  /** `StridedMap<float32, [2, 3], strides [1, 2], offset 0>`. */
  override toString(): string {
    const { dtype, geometry } = this;
    const list = (numbers: readonly number[]): string => `[${numbers.join(", ")}]`;
    return `${this.isWritable ? "" : "Const"}StridedMap<${dtype}, ${list(geometry.dims)}, strides ${list(geometry.strides)}, offset ${geometry.offset}>`;
  }
}
