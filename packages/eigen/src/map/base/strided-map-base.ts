/**
 * StridedMapBase: the members that all strided map classes share and that are not on a hot path: views, predicates, nested arrays, text.
 *
 * Its subclasses are the classes of each rank (strided-maps.ts), and theirs the generated classes, as with TensorMapBase. A view is
 * computed as a StridedGeometry and then constructed with the class of its rank. Return types here are StridedMap, but the view of a
 * read-only map is read-only; the public interface of such a map, ConstStridedMap, says so.
 */

import type { DType, ElementOf, TypedArrayOf } from "@onebuffer/base";
import { dtypeSize, isObjectDType, ResourceExhaustedError } from "@onebuffer/base";
import { defineInspection } from "@onebuffer/base/internal";
import type {
  HigherRank,
  LowerRank,
  MemoryOwner,
  NestedArray,
  PrintOptions,
  RawPlaces,
  SliceRange,
  StridedRank,
  TensorJson,
} from "@onebuffer/storage";
import { makeDense, makeStrided } from "./make-map.ts";
import {
  broadcastGeometry,
  checkAlive,
  chippedGeometry,
  expandedGeometry,
  geometryOfText,
  isRowMajor,
  layoutOfStrides,
  permutedGeometry,
  placeRange,
  reshapeSizes,
  reshapeStrides,
  reversedGeometry,
  slicedGeometry,
  squeezedGeometry,
  StridedWalk,
  tensorJson,
} from "@onebuffer/storage/internal";
import { StridedMapExpression } from "./map-expression.ts";
import type { AnyMapClass, MapKind, StridedKindMap } from "./map-kind.ts";
import { nestedOfMap, elementsOfMap, inspectedMap, textOfMap } from "./map-elements.ts";
import type { StridedGeometry } from "@onebuffer/storage/internal";
import type { ConstStridedMap, Expression, ExpressionTree, StridedMap, TensorMap } from "@onebuffer/expression";
import { makeExpression, reshapeFields } from "@onebuffer/expression/internal";

/** The largest number of elements that `toArray` lists. A broadcast map may have more elements than any memory can hold. */
const kMaxListed = 2 ** 27;

/** The parent of all strided map classes. */
export abstract class StridedMapBase<D extends DType, R extends number> extends StridedMapExpression<D, R> implements StridedKindMap {
  static {
    defineInspection(this.prototype as StridedMapBase<DType, number>, inspectedMap);
  }

  declare readonly array: TypedArrayOf<DType>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly dtype: D;
  /** The storage kind (map-kind.ts). On the prototype. */
  declare readonly kind: MapKind;
  /** Iterates over the elements in row-major order. On the prototype. */
  declare readonly [Symbol.iterator]: () => IterableIterator<ElementOf<D>>;
  /**
   * The node code (expression/tree/node-code.ts) while the strides are those of dense elements: kernels and kept plans then take the map for
   * one without strides. Classes of rank 0 to 4 tell it. On the prototype.
   */
  declare readonly denseCode: number;
  abstract override get rank(): R;
  abstract override get size(): number;
  abstract override get dimensions(): readonly number[];
  abstract get strides(): readonly number[];

  /** The codec of unaligned maps, whose kinds override this getter. */
  get extra(): unknown {
    return undefined;
  }

  /** The number of slots of `array` per element. */
  get slots(): number {
    return 1;
  }

  /** The offset of the first element in `array`, counted in elements. */
  get offset(): number {
    return this.base;
  }

  /** The first slot of the first element in `array`. */
  get start(): number {
    return this.offset * this.slots;
  }

  /** The slot after the highest element in `array`. */
  get end(): number {
    return placeRange(this.geometry)[1] * this.slots;
  }

  /** The offset, sizes and strides. */
  get geometry(): StridedGeometry {
    return { offset: this.offset, dims: this.dimensions, strides: this.strides };
  }

  /** Returns the location of the map's bytes, or null if its elements are JavaScript values. Throws as checkAlive does. */
  rawPlaces(): RawPlaces | null {
    checkAlive(this);
    if (isObjectDType(this.dtype)) return null;
    const { dimensions: dims, strides } = this;
    const array = this.array as Uint8Array<ArrayBufferLike>;
    const byteOffset = array.byteOffset + this.start * array.BYTES_PER_ELEMENT;
    return { buffer: array.buffer, byteOffset, itemBytes: dtypeSize(this.dtype), dims, strides };
  }

  /** False: shared code must use the strides (see TensorMapBase.isDense). */
  get isDense(): boolean {
    return false;
  }

  /** Returns a function that returns the offset of the next element at each call, in row-major order, counted in elements. */
  places(): () => number {
    const walk = new StridedWalk(this.geometry);
    return () => {
      const { place } = walk;
      walk.next();
      return place;
    };
  }

  /** Stores checked values in row-major order. */
  storeList(values: readonly unknown[]): void {
    this.kind.storeStrided?.(this as never, values as never);
  }

  /**
   * Returns the view with a geometry of the same rank, writable if this map is. The classes of each rank override it with their own
   * class.
   */
  protected sameRank(geometry: StridedGeometry): object {
    return makeStrided(this, geometry, this.isWritable);
  }

  /** Returns the view with the geometry that `change` computes. Throws as checkAlive does. */
  private view<N extends number>(
    change: (geometry: StridedGeometry) => StridedGeometry,
    writable: boolean = this.isWritable,
  ): StridedMap<D, N> {
    checkAlive(this);
    return makeStrided(this, change(this.geometry), writable) as unknown as StridedMap<D, N>;
  }

  /** The class of this map. */
  protected get ownClass(): AnyMapClass {
    return this.constructor as AnyMapClass;
  }

  private get isWritable(): boolean {
    return "set" in this;
  }

  /** Returns a view of one range per dimension: see ConstStridedMap.slice. */
  slice(...ranges: readonly SliceRange[]): StridedMap<D, R> {
    checkAlive(this);
    return this.sameRank(slicedGeometry(this.geometry, ranges)) as StridedMap<D, R>;
  }

  /** Returns a view with the listed dimensions reversed; all dimensions if there is no list. */
  reverse(dims?: readonly number[]): StridedMap<D, R> {
    checkAlive(this);
    const { geometry } = this;
    return this.sameRank(reversedGeometry(geometry, dims ?? geometry.dims.map((_, d) => d))) as StridedMap<D, R>;
  }

  /** Returns a view whose dimension `d` is dimension `order[d]` of this map. */
  permute(order: readonly number[]): StridedMap<D, R> {
    checkAlive(this);
    return this.sameRank(permutedGeometry(this.geometry, order)) as StridedMap<D, R>;
  }

  /** Returns a view with the dimensions in another order, by default in reverse order. */
  transpose(order?: readonly number[]): StridedMap<D, R> {
    checkAlive(this);
    const axes = order ?? this.dimensions.map((_, d) => this.rank - 1 - d);
    return this.sameRank(permutedGeometry(this.geometry, axes, "transpose")) as StridedMap<D, R>;
  }

  /** Returns a read-only view repeated to other sizes. */
  broadcast<const S extends readonly number[]>(dims: S): ConstStridedMap<D, S["length"]> {
    return this.view((geometry) => broadcastGeometry(geometry, dims), false);
  }

  /** Returns a view of one index of a dimension, without that dimension. */
  chip(offset: number, dim: number = 0): StridedMap<D, LowerRank<R>> {
    return this.view((geometry) => chippedGeometry(geometry, offset, dim));
  }

  /** Returns a view with a new dimension of size 1 at position `dim`. */
  expandDims(dim: number): StridedMap<D, HigherRank<R>> {
    return this.view((geometry) => expandedGeometry(geometry, dim));
  }

  /** Returns a view without the listed dimensions of size 1; without all of size 1 if there is no list. */
  squeeze(dims?: readonly number[]): StridedMap<D, number> {
    return this.view((geometry) => squeezedGeometry(geometry, dims));
  }

  /** Returns the elements with other sizes: a view, or an expression where strides cannot express it. */
  reshape<const S extends readonly number[]>(dims: S): Expression<D, S["length"]> {
    return (this.reshapeView(dims) ?? makeExpression(reshapeFields(this as unknown as ExpressionTree, dims))) as unknown as Expression<
      D,
      S["length"]
    >;
  }

  /** Returns a view with other sizes, or null if strides cannot express it. */
  reshapeView<const S extends readonly number[]>(dims: S): StridedMap<D, S["length"]> | null {
    checkAlive(this);
    const { geometry } = this;
    const sizes = reshapeSizes(geometry.dims, dims);
    const strides = reshapeStrides(geometry, sizes);
    return typeof strides === "string" ? null : this.view(({ offset }) => ({ offset, dims: sizes, strides }));
  }

  /** Returns the reason why `reshapeView` returns null, or null if it returns a map. */
  whyNotReshape(dims: readonly number[]): string | null {
    const { geometry } = this;
    const strides = reshapeStrides(geometry, reshapeSizes(geometry.dims, dims));
    return typeof strides === "string" ? strides : null;
  }

  /** Returns a view of what a text in NumPy's index notation selects. */
  strided<const Text extends string>(text: Text): StridedMap<D, StridedRank<R, Text>> {
    return this.view((geometry) => geometryOfText(geometry, text)) as unknown as StridedMap<D, StridedRank<R, Text>>;
  }

  /** Returns true if the elements are contiguous and in row-major order. */
  isContiguous(): boolean {
    return isRowMajor(this.geometry);
  }

  /** Returns this map as a dense map, or null if its elements are not contiguous. */
  toTensorMap(): TensorMap<D, R> | null {
    checkAlive(this);
    if (!this.isContiguous()) return null;
    return makeDense(this, this.base, this.dimensions, this.isWritable) as unknown as TensorMap<D, R>;
  }

  /** Returns the `minor_to_major` of the XLA layout with these strides, or null if there is none. */
  minorToMajor(): number[] | null {
    return layoutOfStrides(this.geometry);
  }

  /** Returns this map as a read-only map. */
  asConst(): ConstStridedMap<D, R> {
    const map = this.isWritable ? makeStrided(this, this.geometry, false) : this;
    return map as unknown as ConstStridedMap<D, R>;
  }

  /** Returns the elements as nested arrays. Throws RESOURCE_EXHAUSTED if there are too many. */
  toArray(): NestedArray<ElementOf<D>, R> {
    checkAlive(this);
    const { size } = this;
    if (size > kMaxListed) throw new ResourceExhaustedError(`toArray of [${this.dimensions}] would list ${size} elements`);
    return nestedOfMap(this) as NestedArray<ElementOf<D>, R>;
  }

  /** Returns dtype, sizes and elements for JSON.stringify: see ConstTensorMap.toJSON. */
  toJSON(): TensorJson {
    checkAlive(this);
    return tensorJson(elementsOfMap(this));
  }

  /** Returns the elements in NumPy's layout. */
  override toString(options?: PrintOptions): string {
    return textOfMap(this, options);
  }

  /** Returns a text such as `StridedMap<float32, [2, 3], strides [1, 2], offset 0>`. */
  description(): string {
    const { dtype, geometry } = this;
    const list = (numbers: readonly number[]): string => `[${numbers.join(", ")}]`;
    return `${this.isWritable ? "" : "Const"}StridedMap<${dtype}, ${list(geometry.dims)}, strides ${list(geometry.strides)}, offset ${geometry.offset}>`;
  }
}
