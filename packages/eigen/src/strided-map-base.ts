/**
 * StridedMapBase: what every strided map class shares and no loop needs: the views, the questions, nested arrays, text.
 *
 * The generated classes below it bring the fields, `at`, `set` and iteration, as with TensorMapBase. A view is computed
 * as a StridedGeometry and made by the class of its new rank. Return types here say StridedMap; what a read-only
 * map returns is read-only all the same, and its interface, ConstStridedMap, says so.
 */

import type { DType, ElementOf, TypedArrayOf } from "@onebuffer/base";
import { dtypeSize, isObjectDType, ResourceExhaustedError } from "@onebuffer/base";
import type { HigherRank, LowerRank, NestedArray } from "./indices.ts";
import { checkAlive } from "./map-errors.ts";
import { StridedMapExpression } from "./map-expression.ts";
import type { MapStorage } from "./map-storage.ts";
import type { MemoryOwner } from "./memory-owner.ts";
import { nestedElements } from "./nested-elements.ts";
import type { RawPlaces } from "./raw-places.ts";
import { geometryOfText } from "./slice-text.ts";
import type { StridedGeometry } from "./strided-geometry.ts";
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
} from "./strided-geometry.ts";
import { layoutOfStrides } from "./strided-layout.ts";
import { reshapeSizes, reshapeStrides } from "./strided-reshape.ts";
import { StridedWalk } from "./strided-walk.ts";
import type { ConstStridedMap, SliceRange, StridedMap, TensorMap } from "./tensor-map.ts";

/** The most elements `toArray` lists: a broadcast map may claim more than any memory holds. */
const kMaxListed = 2 ** 27;

/** The parent of all strided map classes. */
export abstract class StridedMapBase<D extends DType, R extends number> extends StridedMapExpression<D, R> implements MapStorage {
  declare readonly array: TypedArrayOf<DType>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  abstract override get dtype(): D;
  abstract override get rank(): R;
  abstract override get size(): number;
  abstract override get dimensions(): readonly number[];
  abstract get strides(): readonly number[];
  abstract [Symbol.iterator](): IterableIterator<ElementOf<D>>;
  /** A strided map over the same array, which it is known to fit. */
  protected abstract withStrides(
    offset: number,
    dims: readonly number[],
    strides: readonly number[],
    writable: boolean,
  ): StridedMap<D, number>;
  /** A map without strides over the same array, which it is known to fit. */
  protected abstract withoutStrides(dims: readonly number[]): TensorMap<D, number>;

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

  /** The view of another geometry. */
  private view<N extends number>(
    change: (geometry: StridedGeometry) => StridedGeometry,
    writable: boolean = this.isWritable,
  ): StridedMap<D, N> {
    checkAlive(this);
    const { offset, dims, strides } = change(this.geometry);
    return this.withStrides(offset, dims, strides, writable) as unknown as StridedMap<D, N>;
  }

  private get isWritable(): boolean {
    return "set" in this;
  }

  /** One range per dimension: see ConstStridedMap.slice. */
  slice(...ranges: readonly SliceRange[]): StridedMap<D, R> {
    return this.view((geometry) => slicedGeometry(geometry, ranges));
  }

  /** The listed dimensions backwards. */
  reverse(dims?: readonly number[]): StridedMap<D, R> {
    return this.view((geometry) => reversedGeometry(geometry, dims ?? geometry.dims.map((_, d) => d)));
  }

  /** The dimensions in another order. */
  permute(order: readonly number[]): StridedMap<D, R> {
    return this.view((geometry) => permutedGeometry(geometry, order));
  }

  /** The dimensions in opposite order. */
  transpose(): StridedMap<D, R> {
    return this.view((geometry) =>
      permutedGeometry(
        geometry,
        geometry.dims.map((_, d) => geometry.dims.length - 1 - d),
      ),
    );
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
    const map = this.withoutStrides(this.dimensions);
    return (this.isWritable ? map : map.asConst()) as unknown as TensorMap<D, R>;
  }

  /** The XLA layout of these strides, or null. */
  minorToMajor(): number[] | null {
    return layoutOfStrides(this.geometry);
  }

  /** Read-only. */
  asConst(): ConstStridedMap<D, R> {
    const { offset, dims, strides } = this.geometry;
    const map = this.isWritable ? this.withStrides(offset, dims, strides, false) : this;
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
