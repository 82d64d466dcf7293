/**
 * TensorMapBase: the members that all dense map classes share and that are not on a hot path: `data` (an array of exactly the map's
 * elements), `toArray`, `strided`, `chip` of any dimension, `toString`.
 *
 * It has a subclass for each rank (dense-maps.ts). The generated classes extend those and add the fields, `at`, `set` and the fast path of
 * `chip`. They are generated as separate source for each kind, because an engine keeps type feedback per function in the source.
 */
import { FailedPreconditionError, arraySlots, dtypeSize, isObjectDType, typedArrayConstructor } from "@onebuffer/base";
import type { DType, ElementOf, RawDType, TypedArrayOf } from "@onebuffer/base";
import { defineInspection } from "@onebuffer/base/internal";
import { dtypeNumber, kCode, kNoCode } from "@onebuffer/expression/internal";
import type { MemoryOwner, NestedArray, PrintOptions, RawPlaces, StridedRank, TensorJson } from "@onebuffer/storage";
import { makeDense, makeStrided } from "./make-map.ts";
import {
  checkAlive,
  chippedGeometry,
  densePlaces,
  freedError,
  geometryOfText,
  isRowMajor,
  kUnowned,
  memoryOwnerOf,
  resolveAxis,
  rowMajorStrides,
  tensorJson,
  withHiddenOwner,
} from "@onebuffer/storage/internal";
import { TensorMapExpression } from "./map-expression.ts";
import type { AnyMapClass, KindMap, MapKind } from "./map-kind.ts";
import { nestedOfMap, elementsOfMap, inspectedMap, textOfMap } from "./map-elements.ts";
import type { StridedGeometry } from "@onebuffer/storage/internal";
import type { StridedMap, TensorMap } from "@onebuffer/expression";

/** The parent of all dense map classes. */
export abstract class TensorMapBase<D extends DType, R extends number> extends TensorMapExpression<D, R> implements KindMap {
  static {
    defineInspection(this.prototype as TensorMapBase<DType, number>, inspectedMap);
    // The classes of a kind with a single dtype define the code as a plain value instead (complete-kind.ts).
    Object.defineProperty(this.prototype, kCode, {
      get(this: TensorMapBase<DType, number>): number {
        return this.isDense ? dtypeNumber(this.dtype) : kNoCode;
      },
    });
  }

  declare readonly array: TypedArrayOf<DType>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly dtype: D;
  /** The storage kind (map-kind.ts). Stored on the prototype. */
  declare readonly kind: MapKind;
  /** Iterates over the elements in row-major order. Stored on the prototype. */
  declare readonly [Symbol.iterator]: () => IterableIterator<ElementOf<D>>;
  /** The read-only class of this rank and kind. Stored on the prototype. */
  declare protected readonly constClass: AnyMapClass;
  /** The strided class of this rank and kind, writable if this class is. Stored on the prototype. */
  declare protected readonly stridedClass: AnyMapClass;
  abstract override get rank(): R;
  abstract override get size(): number;
  abstract override get dimensions(): readonly number[];

  /** The codec of unaligned maps, whose kinds override this getter. */
  get extra(): unknown {
    return undefined;
  }

  /** True if this is a writable map. Read-only classes have no `set`. */
  private get isWritable(): boolean {
    return "set" in this;
  }

  /** Returns a read-only map over the same elements: this map if it is read-only already. */
  asConst(): object {
    return this.isWritable ? this.readOnly() : this;
  }

  /** Returns a new map over the same elements, of the read-only class. */
  protected abstract readOnly(): object;

  /**
   * Returns a view of one index of a dimension: a dense map if its elements are contiguous, otherwise a strided map. See
   * ConstTensorMap.chip.
   */
  chip(offset: number, dim: number = 0): TensorMap<DType, number> | StridedMap<DType, number> {
    return this.chipOf(offset, dim);
  }

  /** Implements `chip`. The generated classes override `chip` with a fast path for dimension 0, and call this for the other dimensions. */
  protected chipOf(offset: number, dim: number): TensorMap<DType, number> | StridedMap<DType, number> {
    const axis = resolveAxis(dim, this.rank, () => `chip of [${this.dimensions}]`);
    if (this.owner.refs === 0) throw freedError(this);
    const geometry = chippedGeometry(this.geometry, offset, axis);
    return isRowMajor(geometry)
      ? makeDense(this, geometry.offset, geometry.dims, this.isWritable)
      : makeStrided(this, geometry, this.isWritable);
  }

  /** The number of slots of `array` per element. */
  get slots(): number {
    return 1;
  }

  /** The first slot of the first element in `array`. */
  get start(): number {
    return this.base * this.slots;
  }

  /** The slot after the last element in `array`. */
  get end(): number {
    return this.start + this.size * this.slots;
  }

  /** The offset of the first element in `array`, counted in elements. */
  get offset(): number {
    return this.start / this.slots;
  }

  /** True if this is an unaligned map, whose `array` is a Uint8Array for every dtype. */
  protected get bytewise(): boolean {
    return this.kind.hasCodec;
  }

  /** An array of exactly the map's elements, without a copy: see ConstTensorMap.data. */
  get data(): TypedArrayOf<D> {
    checkAlive(this);
    const { array, start, owner, dtype } = this;
    const length = this.size * this.slots;
    const exact = start === 0 && length === array.length;
    if (exact && !this.bytewise && (owner === kUnowned || memoryOwnerOf(array) === owner))
      return withHiddenOwner(array, owner) as TypedArrayOf<D>;
    if (isObjectDType(dtype)) {
      if (exact) return array as TypedArrayOf<D>;
      throw new FailedPreconditionError(
        `data needs a map of a whole array, but this ${dtype} map has elements ${start} to ${start + length} of ${array.length}: use at, iteration or toArray`,
      );
    }
    return this.rawArray(length);
  }

  /** Returns the location of the map's bytes, or null if its elements are JavaScript values. Throws as checkAlive (map-errors.ts) does. */
  rawPlaces(): RawPlaces | null {
    checkAlive(this);
    if (isObjectDType(this.dtype)) return null;
    return densePlaces(this.array as Uint8Array<ArrayBufferLike>, this.start, dtypeSize(this.dtype), this.dimensions);
  }

  /** True if each element is one slot of `array`, and all are contiguous from `base` on. False for complex and unaligned maps. */
  get isDense(): boolean {
    return this.slots === 1;
  }

  /** Returns a function whose calls return the offsets of the elements, in row-major order, counted in elements. */
  places(): () => number {
    let place = this.base;
    return () => place++;
  }

  /** Stores values in row-major order. The caller has checked them. */
  storeList(values: readonly unknown[]): void {
    this.kind.storeDense?.(this as never, values as never);
  }

  /** Returns the elements as nested arrays: see ConstTensorMap.toArray. */
  toArray(): NestedArray<ElementOf<D>, R> {
    checkAlive(this);
    return nestedOfMap(this) as NestedArray<ElementOf<D>, R>;
  }

  /** Returns a strided map of all elements, or of those that the slice in `text` selects: see ConstTensorMap.strided. */
  strided(): StridedMap<D, R>;
  strided<const Text extends string>(text: Text): StridedMap<D, StridedRank<R, Text>>;
  strided(text?: string): unknown {
    checkAlive(this);
    return text === undefined ? this.wholeStrided() : makeStrided(this, geometryOfText(this.geometry, text), this.isWritable);
  }

  /** Returns a strided map of all elements. The caller has checked that the memory is alive. */
  protected wholeStrided(): unknown {
    return makeStrided(this, this.geometry, this.isWritable);
  }

  /** The geometry of this map: its offset, sizes and row-major strides. */
  private get geometry(): StridedGeometry {
    const dims = this.dimensions;
    return { offset: this.base, dims, strides: rowMajorStrides(dims) };
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

  /** Returns a text such as `TensorMap<float32, [2, 3]>`. */
  description(): string {
    return `${this.isWritable ? "" : "Const"}TensorMap<${this.dtype}, [${this.dimensions.join(", ")}]>`;
  }

  /** Returns a typed array over the map's elements that refers to the map's owner. Throws FAILED_PRECONDITION if they are not aligned. */
  private rawArray(length: number): TypedArrayOf<D> {
    const dtype = this.dtype as RawDType;
    const constructor = typedArrayConstructor(dtype);
    const slots = this.size * arraySlots(dtype);
    if (length === 0) return withHiddenOwner(new constructor(0), this.owner) as TypedArrayOf<D>;
    const array = this.array as Uint8Array<ArrayBufferLike>;
    const offset = array.byteOffset + this.start * array.BYTES_PER_ELEMENT;
    if (offset % constructor.BYTES_PER_ELEMENT !== 0) {
      throw new FailedPreconditionError(
        `byte offset ${offset} is not a multiple of ${constructor.BYTES_PER_ELEMENT}, the alignment of ${dtype}, so no typed array can start there`,
      );
    }
    return withHiddenOwner(new constructor(array.buffer, offset, slots), this.owner) as TypedArrayOf<D>;
  }
}
