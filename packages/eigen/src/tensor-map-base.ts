/**
 * TensorMapBase: what every map class shares and no loop needs: the exact array, nested arrays, text.
 *
 * The generated classes below it bring the fields, `at`, `set`, `chip`, iteration and everything else that a loop may
 * call, each in its own source, because an engine keeps what it learns about types with the source.
 */
import { FailedPreconditionError, arraySlots, dtypeSize, isObjectDType, typedArrayConstructor } from "@onebuffer/base";
import type { DType, ElementOf, RawDType, TypedArrayOf } from "@onebuffer/base";
import { dtypeNumber, kCode, kNoCode } from "./expression/node-code.ts";
import type { NestedArray } from "./indices.ts";
import { checkAlive } from "./map-errors.ts";
import { TensorMapExpression } from "./map-expression.ts";
import type { MapStorage } from "./map-storage.ts";
import { UNOWNED, memoryOwnerOf, withMemoryOwner } from "./memory-owner.ts";
import type { MemoryOwner } from "./memory-owner.ts";
import { nestedElements } from "./nested-elements.ts";
import { densePlaces } from "./raw-places.ts";
import type { RawPlaces } from "./raw-places.ts";
import { geometryOfText } from "./slice-text.ts";
import { rowMajorStrides } from "./strided-geometry.ts";
import type { StridedMap } from "./tensor-map.ts";

/** The parent of all map classes. */
export abstract class TensorMapBase<D extends DType, R extends number> extends TensorMapExpression<D, R> implements MapStorage {
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
  abstract override get dtype(): D;
  abstract override get rank(): R;
  abstract override get size(): number;
  abstract override get dimensions(): readonly number[];
  abstract [Symbol.iterator](): IterableIterator<ElementOf<D>>;
  /** A strided map over the same array, which it is known to fit; as writable as this map. */
  protected abstract withStrides(offset: number, dims: readonly number[], strides: readonly number[]): StridedMap<D, number>;

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
    return false;
  }

  /** The elements as one array, no copy: see ConstTensorMap.data. */
  get data(): TypedArrayOf<D> {
    checkAlive(this);
    const { array, start, owner, dtype } = this;
    const length = this.size * this.slots;
    const exact = start === 0 && length === array.length;
    if (exact && !this.bytewise && (owner === UNOWNED || memoryOwnerOf(array) === owner)) return array as TypedArrayOf<D>;
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

  /** Gives the place of one element after the other, in row-major order. */
  places(): () => number {
    let place = this.start;
    return () => place++;
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
    const dims = this.dimensions;
    const whole = { offset: this.offset, dims, strides: rowMajorStrides(dims) };
    const part = text === undefined ? whole : geometryOfText(whole, text);
    return this.withStrides(part.offset, part.dims, part.strides);
  }

  /** `TensorMap<float32, [2, 3]>`. */
  override toString(): string {
    return `${"set" in this ? "" : "Const"}TensorMap<${this.dtype}, [${this.dimensions.join(", ")}]>`;
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
