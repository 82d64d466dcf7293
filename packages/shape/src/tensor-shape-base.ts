/**
 * TensorShapeBase: the common parent of TensorShape and PartialTensorShape (TensorFlow: template class TensorShapeBase of
 * framework/tensor_shape.h): mutators, iteration, text, messages.
 *
 * TensorFlow has two versions of each mutator: one CHECK-fails and ends the process, the other returns a Status. Here each is
 * one method that throws the Status as an error and leaves the shape unchanged. (After an error TensorFlow's mutators leave
 * truncated sizes, or the element count of the old sizes.) A mutator throws FAILED_PRECONDITION on a sealed shape, that is, the
 * shape of a Tensor.
 */
import { InternalError, InvalidArgumentError } from "@onebuffer/base";
import { shownValue, defineAdvice, defineInspection } from "@onebuffer/base/internal";
import {
  checkedCount,
  checkInt64Product,
  checkedSize,
  checkedSizes,
  countElements,
  kMaxDimensions,
  kMaxSmall,
  negativeSizeError,
  overflowError,
  sizesString,
  tooManyDimensionsError,
} from "./dim-sizes.ts";
import { multiplyWithoutOverflow } from "./multiply-without-overflow.ts";
import { protoOfSizes } from "./tensor-shape-proto.ts";
import type { TensorShapeProto } from "./tensor-shape-proto.ts";
import { TensorShapeRep } from "./tensor-shape-rep.ts";

/** Returns the caller's index. Throws INVALID_ARGUMENT unless it is a safe integer. */
function checkedIndex(index: unknown, what: string): number {
  if (!Number.isSafeInteger(index)) throw new InvalidArgumentError(`Expected ${what} that is an integer, got ${shownValue(index)}`);
  return index as number;
}

/** Methods of arrays that callers try on shapes. */
const kArrayMethods = ["at", "concat", "every", "forEach", "includes", "indexOf", "join", "map", "reduce", "slice", "some"];

/** Returns the property of the size of dimension `d`. */
function sizeProperty(d: number): PropertyDescriptor {
  return {
    get(this: TensorShapeBase): number | undefined {
      return d < this.dims ? this.dimSize(d) : undefined;
    },
    configurable: true,
  };
}

/**
 * The common parent of TensorShape and PartialTensorShape; abstract.
 *
 * @example
 * const shape: TensorShapeBase = new PartialTensorShape([2, -1]);
 * shape.addDim(5);
 * shape.debugString(); // => "[2,?,5]"
 * [...shape]; // => [2, -1, 5]
 * [shape[0], shape.length]; // => [2, 3]
 */
export abstract class TensorShapeBase extends TensorShapeRep {
  /** The size of a dimension, -1 if it is unknown; undefined behind the last one, as in an array. `dimSize` throws there. */
  readonly [d: number]: number | undefined;

  static {
    defineInspection(this.prototype as TensorShapeBase, (shape) => {
      return `${shape.kIsPartial ? "PartialTensorShape" : "TensorShape"} ${shape.debugString()}`;
    });
    for (let d = 0; d < kMaxDimensions; d++) Object.defineProperty(this.prototype, d, sizeProperty(d));
    defineAdvice(this.prototype as TensorShapeBase, kArrayMethods, (_, name) => `a shape has no ${name}: shape.dimSizes.${name}(…)`);
  }

  /** The number of dimensions, as of an array of sizes; -1 if the rank is unknown. */
  get length(): number {
    return this.dims;
  }

  /** True if sizes may be unknown, as in a PartialTensorShape (TF: kIsPartial). */
  protected abstract get kIsPartial(): boolean;

  /** Appends a dimension; does nothing if the rank is unknown. Throws INVALID_ARGUMENT for a negative size of a TensorShape, a 255th
   * dimension, or an overflow. */
  addDim(size: number): void {
    this.checkUnsealed();
    const checked = checkedSize(size);
    const partial = this.kIsPartial;
    if (checked < 0 && !partial) throw negativeSizeError(checked);
    const rank = this.dims;
    if (rank < 0) return;
    if (rank >= kMaxDimensions) throw tooManyDimensionsError(rank + 1);
    const count = this.numElements;
    let newCount = -1;
    if (!partial || (count >= 0 && checked >= 0)) {
      newCount = multiplyWithoutOverflow(count, checked);
      if (newCount < 0) throw overflowError(count, checked);
    }
    this.unsafeAddDim(checked);
    this.setNumElements(newCount);
  }

  /** Appends the dimensions of another shape, or of itself. Throws like addDim, and then appends none. */
  appendShape(shape: TensorShapeBase): void {
    this.checkUnsealed();
    TensorShapeRep.checkShape(shape);
    const added = shape.dimSizes;
    const negative = added.find((size) => size < 0);
    if (negative !== undefined && !this.kIsPartial) throw negativeSizeError(negative);
    const rank = this.dims;
    if (rank < 0) return;
    if (rank + added.length > kMaxDimensions) throw tooManyDimensionsError(rank + added.length);
    const count = checkedCount([...this.dimSizes, ...added]);
    for (const size of added) this.unsafeAddDim(size);
    this.setNumElements(count);
  }

  /**
   * Inserts a dimension before dimension `d`; `d` = rank appends. Throws INTERNAL if `d` is out of range (every `d` is, if the rank is
   * unknown) or for a 255th dimension, INVALID_ARGUMENT for a negative size of a TensorShape or an overflow.
   */
  insertDim(d: number, size: number): void {
    this.checkUnsealed();
    const index = checkedIndex(d, "an insertion index");
    const checked = checkedSize(size);
    if (checked < 0 && !this.kIsPartial) throw negativeSizeError(checked);
    const rank = this.dims;
    if (index < 0) throw new InternalError(`The insertion index must be non-negative, got ${index}`);
    if (index > rank) throw new InternalError(`The insertion index must be at most ${rank} got ${index}`);
    if (rank >= kMaxDimensions) throw new InternalError(`Shape has ${rank} dimensions which is the maximum allowed`);
    const sizes = this.dimSizes;
    sizes.splice(index, 0, checked);
    this.rebuildFrom(sizes, checkedCount(sizes));
  }

  /**
   * Changes the size of dimension `d`; the representation may grow but never shrinks. Throws INVALID_ARGUMENT if `d` is out of range
   * (every `d` is, if the rank is unknown), for a negative size of a TensorShape, or an overflow.
   */
  setDim(d: number, size: number): void {
    this.checkUnsealed();
    const index = checkedIndex(d, "an index");
    const checked = checkedSize(size);
    const rank = this.dims;
    if (index < 0) throw new InvalidArgumentError(`Index must be non-negative, got ${index}`);
    if (index >= rank) throw new InvalidArgumentError(`Index must be less than ${rank}, got ${index}`);
    if (checked < 0 && !this.kIsPartial) throw negativeSizeError(checked);
    const sizes = this.dimSizes;
    sizes[index] = checked;
    const counted = countElements(sizes);
    if ("factors" in counted)
      throw new InvalidArgumentError(`Shape ${sizesString(sizes)} results in overflow when computing number of elements`);
    if (this.storeInPlace(index, checked)) this.setNumElements(counted.count);
    else this.rebuildFrom(sizes, counted.count);
  }

  /** Removes dimension `d`, which may not be negative. Throws INTERNAL if `d` is out of range; does nothing if the rank is unknown. */
  removeDim(d: number): void {
    this.checkUnsealed();
    const index = checkedIndex(d, "a dimension index");
    if (index < 0) throw new InternalError(`Expected dimension index to be non-negative, got ${index}`);
    this.removeDimRange(index, index + 1);
  }

  /** Removes the last `n` dimensions. Throws INTERNAL unless 0 <= n <= rank. */
  removeLastDims(n: number): void {
    this.checkUnsealed();
    const count = checkedIndex(n, "a number of dimensions");
    const rank = this.dims;
    if (count > rank) throw new InternalError(`Expected dimension index to be at most ${rank} got ${count}`);
    this.removeDimRange(rank - count, rank);
  }

  /**
   * Removes the dimensions from `begin` up to, not including, `end`. Does nothing if begin >= end or the rank is
   * unknown. Throws INTERNAL for an index out of range, INVALID_ARGUMENT if the remaining sizes overflow (because a 0 was removed).
   *
   * Quirk: a negative index counts from one past the end, so -1 is the end and -2 the last dimension.
   */
  removeDimRange(begin: number, end: number): void {
    this.checkUnsealed();
    let from = checkedIndex(begin, "a start index");
    let to = checkedIndex(end, "an end index");
    const rank = this.dims;
    if (rank < 0) return;
    if (from < 0) from += rank + 1;
    if (to < 0) to += rank + 1;
    if (from < 0) throw new InternalError(`Start index must be non-negative, got ${from}`);
    if (from > rank) throw new InternalError(`Start index must be less than ${rank}, got ${from}`);
    if (to < 0) throw new InternalError(`End index must be non-negative, got ${to}`);
    if (to > rank) throw new InternalError(`End index must be less than ${rank}, got ${to}`);
    if (from >= to) return;
    const sizes = this.dimSizes;
    sizes.splice(from, to - from);
    this.rebuildFrom(sizes, checkedCount(sizes));
  }

  /**
   * Makes the shape a scalar with data type 0.
   *
   * Quirk: a PartialTensorShape becomes a scalar too, not a shape of unknown rank.
   */
  clear(): void {
    this.checkUnsealed();
    this.clearAllButDataType();
    this.storeDataType(0);
  }

  /** Returns true if every size is known; always true for a TensorShape. */
  isFullyDefined(): boolean {
    return this.n !== -1;
  }

  /**
   * Returns true if rank and sizes are valid. The constructors and mutators check this, too.
   *
   * Quirk: false for a PartialTensorShape of unknown rank, as in TensorFlow.
   */
  isValid(): boolean {
    const lowest = this.kIsPartial ? -1 : 0;
    return !this.unknownRank && this.dimSizes.every((size) => size >= lowest);
  }

  /** Yields the sizes in order, -1 for an unknown size; yields nothing if the rank is unknown. */
  *[Symbol.iterator](): Generator<number, void, undefined> {
    const rank = this.dims;
    for (let d = 0; d < rank; d++) yield this.dimSize(d);
  }

  /** Returns TensorFlow's text: `[2,3]`, `[]`, `[?,3]`, `<unknown>`. */
  debugString(): string {
    return this.unknownRank ? "<unknown>" : sizesString(this.dimSizes);
  }

  /** The same as debugString(). */
  override toString(): string {
    return this.debugString();
  }

  /**
   * Returns the sizes for JSON.stringify: -1 for an unknown size, null for an unknown rank.
   *
   * @example
   * JSON.stringify(new TensorShape([2, 3])); // => "[2,3]"
   */
  toJSON(): number[] | null {
    return this.unknownRank ? null : this.dimSizes;
  }

  /** Returns the shape as a message, without data type and seal. Copies the sizes. */
  asProto(): TensorShapeProto {
    return protoOfSizes(this.unknownRank ? null : this.dimSizes);
  }

  /** Sets the sizes from a caller's array, or those of a message. Throws every error before it stores anything. */
  protected initDims(dims: readonly number[], isMessage?: boolean): void {
    const sizes = checkedSizes(dims);
    const negative = this.kIsPartial ? undefined : sizes.find((size) => size < 0);
    if (negative !== undefined) {
      if (!isMessage && sizes.every((size) => size <= kMaxSmall))
        throw new InvalidArgumentError(`Expected shape dimensions to be non-negative, got ${negative}`);
      // The sizes are taken in order, so an overflow before the negative size comes first.
      checkInt64Product(sizes.slice(0, sizes.indexOf(negative)));
      throw negativeSizeError(negative);
    }
    this.rebuildFrom(sizes, checkedCount(sizes));
  }

  /**
   * Throws INVALID_ARGUMENT if the product of the known non-zero sizes exceeds 2^63 - 1; `build` checks this for messages. It is not the
   * number of elements, so that 2^53 - 1 is no limit.
   */
  protected checkNonZeroProduct(): void {
    let product = 1n;
    for (const size of this.dimSizes) {
      if (size <= 0) continue;
      const next = product * BigInt(size);
      if (next >> 63n > 0n)
        throw new InvalidArgumentError(
          `Encountered overflow when multiplying shape dimensions: ${product} with ${size} of ${this.debugString()}`,
        );
      product = next;
    }
  }

  /** Clears the shape except for its data type and appends the sizes one by one, starting from Rep16, as TensorFlow does. */
  protected rebuildFrom(sizes: readonly number[], count: number): void {
    this.clearAllButDataType();
    for (const size of sizes) this.unsafeAddDim(size);
    this.setNumElements(count);
  }
}
