/**
 * TensorMapBase: what every map class shares and no loop needs: the exact array, nested arrays, text.
 *
 * The generated classes below it bring the fields, `at`, `set`, `chip`, iteration and everything else that a loop may
 * call, each in its own source, because an engine keeps what it learns about types with the source.
 */
import { FailedPreconditionError, ResourceExhaustedError, arraySlots, dtypeSize, isObjectDType, typedArrayConstructor } from "@onebuffer/base";
import type { DType, ElementOf, RawDType, TypedArrayOf } from "@onebuffer/base";
import type { NestedArray } from "./indices.ts";
import { product } from "./map-geometry.ts";
import { checkAlive } from "./map-errors.ts";
import type { MapStorage } from "./map-storage.ts";
import { UNOWNED, memoryOwnerOf, withMemoryOwner } from "./memory-owner.ts";
import type { MemoryOwner } from "./memory-owner.ts";

/** The most empty arrays `toArray` makes for a map without elements. */
const kMaxEmptyArrays = 2 ** 22;

/** The parent of all map classes. */
export abstract class TensorMapBase<D extends DType, R extends number> implements MapStorage {
  declare readonly array: TypedArrayOf<DType>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  abstract get dtype(): D;
  abstract get rank(): R;
  abstract get size(): number;
  abstract get dimensions(): readonly number[];
  abstract [Symbol.iterator](): IterableIterator<ElementOf<D>>;

  /** Places of `array` per element. */
  get slots(): number {
    return 1;
  }

  /** The place of the first element in `array`. */
  get start(): number {
    return this.base * this.slots;
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

  /** The map's bytes, no copy; null where the elements are JavaScript values. Throws as `data` does. */
  rawBytes(): Uint8Array<ArrayBufferLike> | null {
    checkAlive(this);
    if (isObjectDType(this.dtype)) return null;
    const array = this.array as Uint8Array<ArrayBufferLike>;
    const bytes = this.size * dtypeSize(this.dtype);
    return bytes === 0 ? new Uint8Array(0) : new Uint8Array(array.buffer, array.byteOffset + this.start * array.BYTES_PER_ELEMENT, bytes);
  }

  /** The elements as nested arrays: see ConstTensorMap.toArray. */
  toArray(): NestedArray<ElementOf<D>, R> {
    checkAlive(this);
    return this.nested() as NestedArray<ElementOf<D>, R>;
  }

  private nested(): unknown {
    const dims = this.dimensions;
    if (this.size === 0) {
      checkEmptyNesting(dims);
      return emptyNesting(dims, 0);
    }
    let level: unknown[] = [...this];
    for (let d = dims.length - 1; d > 0; d--) {
      const width = dims[d] as number;
      const rows: unknown[] = [];
      for (let n = 0; n < level.length; n += width) rows.push(level.slice(n, n + width));
      level = rows;
    }
    return dims.length === 0 ? level[0] : level;
  }

  /** `TensorMap<float32, [2, 3]>`. */
  toString(): string {
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

/** `[2, 0]` gives two empty arrays: as many as the sizes before the first 0 say, which nothing in memory backs. */
function checkEmptyNesting(dims: readonly number[]): void {
  const count = product(dims.slice(0, dims.indexOf(0)));
  if (count > kMaxEmptyArrays) throw new ResourceExhaustedError(`toArray of [${dims}] would make ${count} empty arrays`);
}

/** The nested arrays from dimension `d` on. */
function emptyNesting(dims: readonly number[], d: number): unknown[] {
  return Array.from({ length: dims[d] as number }, () => emptyNesting(dims, d + 1));
}
