/**
 * TensorMapBase: what every map class without strides shares and no loop needs: the exact array, nested arrays, strided views,
 * chips of any dimension, text.
 *
 * Below it stand the classes of each rank (dense-maps.ts), and below those the generated ones, which bring fields, `at`, `set` and
 * `chip` of dimension 0, each in its own source, because an engine keeps what it learns about types with the source.
 */
import { FailedPreconditionError, arraySlots, dtypeSize, isObjectDType, typedArrayConstructor } from "@onebuffer/base";
import type { DType, ElementOf, RawDType, TypedArrayOf } from "@onebuffer/base";
import { dtypeNumber, kCode, kNoCode } from "../../expression/tree/node-code.ts";
import type { NestedArray } from "../../geometry/indices.ts";
import { makeDense, makeStrided } from "./make-map.ts";
import { resolveAxis } from "../../geometry/axis.ts";
import { checkAlive, freedError } from "../../geometry/map-errors.ts";
import { TensorMapExpression } from "./map-expression.ts";
import type { AnyMapClass, KindMap, MapKind } from "./map-kind.ts";
import { kUnowned, memoryOwnerOf, withMemoryOwner } from "../../memory/memory-owner.ts";
import type { MemoryOwner } from "../../memory/memory-owner.ts";
import { nestedElements } from "./nested-elements.ts";
import { densePlaces } from "../../geometry/strided-bytes.ts";
import type { RawPlaces } from "../../geometry/strided-bytes.ts";
import { geometryOfText } from "../../geometry/slice-text.ts";
import { chippedGeometry, isRowMajor, rowMajorStrides } from "../../geometry/strided-geometry.ts";
import type { StridedGeometry } from "../../geometry/strided-geometry.ts";
import type { StridedMap, TensorMap } from "../../expression/tree/tensor-map.ts";

/** The parent of all map classes. */
export abstract class TensorMapBase<D extends DType, R extends number> extends TensorMapExpression<D, R> implements KindMap {
  static {
    // Classes of one dtype have it as a value: see node-code.ts.
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
  /** On the prototype: see map-kind.ts. */
  declare readonly kind: MapKind;
  /** On the prototype: the elements in row-major order. */
  declare readonly [Symbol.iterator]: () => IterableIterator<ElementOf<D>>;
  /** On the prototype: the read-only class of this rank and kind. */
  declare protected readonly constClass: AnyMapClass;
  /** On the prototype: the strided class of this rank and kind, as writable as this one. */
  declare protected readonly stridedClass: AnyMapClass;
  abstract override get rank(): R;
  abstract override get size(): number;
  abstract override get dimensions(): readonly number[];

  /** What the constructor takes behind the sizes: kinds of several dtypes override this. */
  get carried(): unknown {
    return undefined;
  }

  private get isWritable(): boolean {
    return "set" in this;
  }

  /** This map, read-only. */
  asConst(): object {
    return this.isWritable ? this.readOnly() : this;
  }

  /** The same map, of the read-only class. */
  protected abstract readOnly(): object;

  /** One dimension fixed; without strides if the elements lie side by side: see ConstTensorMap.chip. */
  chip(offset: number, dim: number = 0): TensorMap<DType, number> | StridedMap<DType, number> {
    return this.chipOf(offset, dim);
  }

  /** As `chip`, for the classes that override it with a fast path for dimension 0. */
  protected chipOf(offset: number, dim: number): TensorMap<DType, number> | StridedMap<DType, number> {
    const axis = resolveAxis(dim, this.rank, () => `chip of [${this.dimensions}]`);
    if (this.owner.refs === 0) throw freedError(this);
    const geometry = chippedGeometry(this.geometry, offset, axis);
    return isRowMajor(geometry)
      ? makeDense(this, geometry.offset, geometry.dims, this.isWritable)
      : makeStrided(this, geometry, this.isWritable);
  }

  /** Places of `array` per element. */
  get slots(): number {
    return 1;
  }

  /** The place of the first element in `array`. */
  get start(): number {
    return this.base * this.slots;
  }

  /** The place behind the last element in `array`. */
  get end(): number {
    return this.start + this.size * this.slots;
  }

  /** The first element's index in `array`, counted in elements. */
  get offset(): number {
    return this.start / this.slots;
  }

  /** Whether `array` is bytes, whatever the dtype. */
  protected get bytewise(): boolean {
    return this.kind.carries === "codec";
  }

  /** The elements as one array, no copy: see ConstTensorMap.data. */
  get data(): TypedArrayOf<D> {
    checkAlive(this);
    const { array, start, owner, dtype } = this;
    const length = this.size * this.slots;
    const exact = start === 0 && length === array.length;
    if (exact && !this.bytewise && (owner === kUnowned || memoryOwnerOf(array) === owner)) return array as TypedArrayOf<D>;
    if (isObjectDType(dtype)) {
      if (exact) return array as TypedArrayOf<D>;
      throw new FailedPreconditionError(
        `elements ${start} to ${start + length} of ${array.length} ${dtype} values are no array of their own: use at, iteration or toArray`,
      );
    }
    return this.rawArray(length);
  }

  /** Where the map's bytes are; null where the elements are JavaScript values. Throws as `data` does. */
  rawPlaces(): RawPlaces | null {
    checkAlive(this);
    if (isObjectDType(this.dtype)) return null;
    return densePlaces(this.array as Uint8Array<ArrayBufferLike>, this.start, dtypeSize(this.dtype), this.dimensions);
  }

  /** Whether each element is one place of `array`, side by side from `base` on. */
  get isDense(): boolean {
    return this.slots === 1;
  }

  /** Gives the place of one element after the other, in row-major order; in elements. */
  places(): () => number {
    let place = this.base;
    return () => place++;
  }

  /** Stores values that were checked, in row-major order. */
  storeList(values: readonly unknown[]): void {
    this.kind.storeDense?.(this as never, values as never);
  }

  /** The elements as nested arrays: see ConstTensorMap.toArray. */
  toArray(): NestedArray<ElementOf<D>, R> {
    checkAlive(this);
    return nestedElements(this.dimensions, this) as NestedArray<ElementOf<D>, R>;
  }

  /** The same elements with strides, or a part of them: see ConstTensorMap.strided. */
  strided(): StridedMap<D, R>;
  strided(text: string): StridedMap<D, number>;
  strided(text?: string): unknown {
    checkAlive(this);
    return text === undefined ? this.wholeStrided() : makeStrided(this, geometryOfText(this.geometry, text), this.isWritable);
  }

  /** All elements as a strided map of a memory that is there. */
  protected wholeStrided(): unknown {
    return makeStrided(this, this.geometry, this.isWritable);
  }

  /** Offset, sizes and row-major strides. */
  private get geometry(): StridedGeometry {
    const dims = this.dimensions;
    return { offset: this.base, dims, strides: rowMajorStrides(dims) };
  }

  /** `TensorMap<float32, [2, 3]>`. */
  override toString(): string {
    return `${this.isWritable ? "" : "Const"}TensorMap<${this.dtype}, [${this.dimensions.join(", ")}]>`;
  }

  /** A typed array over the map's range, tied to the owner. */
  private rawArray(length: number): TypedArrayOf<D> {
    const dtype = this.dtype as RawDType;
    const constructor = typedArrayConstructor(dtype);
    const places = this.size * arraySlots(dtype);
    if (length === 0) return withMemoryOwner(new constructor(0), this.owner) as TypedArrayOf<D>;
    const array = this.array as Uint8Array<ArrayBufferLike>;
    const offset = array.byteOffset + this.start * array.BYTES_PER_ELEMENT;
    if (offset % constructor.BYTES_PER_ELEMENT !== 0) {
      throw new FailedPreconditionError(
        `byte offset ${offset} is not a multiple of ${constructor.BYTES_PER_ELEMENT}, the element size of ${dtype}: there is no typed array over these bytes`,
      );
    }
    return withMemoryOwner(new constructor(array.buffer, offset, places), this.owner) as TypedArrayOf<D>;
  }
}
