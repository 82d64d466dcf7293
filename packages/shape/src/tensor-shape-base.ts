/**
 * TensorShapeBase: what TensorShape and PartialTensorShape share (TensorFlow: template class TensorShapeBase of
 * framework/tensor_shape.h): mutators, iteration, text, messages.
 *
 * TensorFlow has each mutator twice: one that CHECK-fails and ends the process, one that returns a Status. Here both are
 * one method that throws, with the code and words of the Status, and the shape is then unchanged. (TensorFlow's leave the
 * sizes cut short, or a count that belongs to the sizes before.) A mutator on a sealed shape, one that
 * belongs to a Tensor, throws FAILED_PRECONDITION.
 */
import { InternalError, InvalidArgumentError, shownValue } from "@onebuffer/base";
import {
  checkedCount,
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

/** Where Node's console.log asks an object how to show itself. */
const kInspect = Symbol.for("nodejs.util.inspect.custom");

/** The index that a caller gave, which must be an integer before TensorFlow's own tests make sense. */
function checkedIndex(index: unknown, what: string): number {
  if (!Number.isSafeInteger(index)) throw new InvalidArgumentError(`Expected ${what} that is an integer, got ${shownValue(index)}`);
  return index as number;
}

/**
 * The common parent of TensorShape and PartialTensorShape; abstract.
 *
 * @example
 * const shape: TensorShapeBase = new PartialTensorShape([2, -1]);
 * shape.addDim(5);
 * shape.debugString(); // => "[2,?,5]"
 * [...shape]; // => [2, -1, 5]
 */
export abstract class TensorShapeBase extends TensorShapeRep {
  static {
    Object.defineProperty(this.prototype, kInspect, {
      value(this: TensorShapeBase): string {
        return `${this.kIsPartial ? "PartialTensorShape" : "TensorShape"} ${this.debugString()}`;
      },
    });
  }

  /** Whether sizes may be unknown: TensorFlow's template parameter, in effect. */
  protected abstract get kIsPartial(): boolean;

  /** Appends a dimension; no effect on a shape of unknown rank. INVALID_ARGUMENT for a negative size of a TensorShape, a 255th dimension, an overflow. */
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

  /** Appends the dimensions of another shape, or of itself. Throws as addDim does; none is appended then. */
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
   * Inserts a dimension before dimension `d`; `d` = rank appends. INTERNAL for `d` out of range (always, for an unknown
   * rank) or a 255th dimension, INVALID_ARGUMENT for a negative size of a TensorShape or an overflow.
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
   * Changes the size of dimension `d`; the representation may grow, never shrink. INVALID_ARGUMENT for `d` out of range
   * (always, for an unknown rank), a negative size of a TensorShape, an overflow.
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

  /** Removes dimension `d`, which may not be negative here. INTERNAL for `d` out of range; no effect on an unknown rank. */
  removeDim(d: number): void {
    this.checkUnsealed();
    const index = checkedIndex(d, "a dimension index");
    if (index < 0) throw new InternalError(`Expected dimension index to be non-negative, got ${index}`);
    this.removeDimRange(index, index + 1);
  }

  /** Removes the last `n` dimensions. INTERNAL unless 0 <= n <= rank. */
  removeLastDims(n: number): void {
    this.checkUnsealed();
    const count = checkedIndex(n, "a number of dimensions");
    const rank = this.dims;
    if (count > rank) throw new InternalError(`Expected dimension index to be at most ${rank} got ${count}`);
    this.removeDimRange(rank - count, rank);
  }

  /**
   * Removes the dimensions from `begin` up to, not including, `end`. Nothing happens when begin >= end or the rank is
   * unknown. INTERNAL for an index out of range; INVALID_ARGUMENT when what remains overflows (a 0 was removed).
   *
   * Quirk: a negative index counts from one past the end, so that -1 is the end itself and -2 the last dimension.
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

  /** Whether every size is known; a TensorShape's always are. */
  isFullyDefined(): boolean {
    return this.n !== -1;
  }

  /**
   * Whether the shape obeys its own rules, which the checked constructors and mutators see to.
   *
   * Quirk: false for a PartialTensorShape of unknown rank, as in TensorFlow.
   */
  isValid(): boolean {
    const lowest = this.kIsPartial ? -1 : 0;
    return !this.unknownRank && this.dimSizes.every((size) => size >= lowest);
  }

  /** The sizes in order, -1 for unknown ones; nothing when the rank is unknown. */
  *[Symbol.iterator](): Generator<number, void, undefined> {
    const rank = this.dims;
    for (let d = 0; d < rank; d++) yield this.dimSize(d);
  }

  /** TensorFlow's text: `[2,3]`, `[]`, `[?,3]`, `<unknown>`. */
  debugString(): string {
    return this.unknownRank ? "<unknown>" : sizesString(this.dimSizes);
  }

  /** The same as debugString(). */
  override toString(): string {
    return this.debugString();
  }

  /** The shape as a message; data type and seal do not stand in it. Copies: the sizes. */
  asProto(): TensorShapeProto {
    return protoOfSizes(this.unknownRank ? null : this.dimSizes);
  }

  /** Fills a fresh or cleared shape from a caller's array: every error before anything is stored. */
  protected initDims(dims: readonly number[]): void {
    const sizes = checkedSizes(dims);
    const negative = this.kIsPartial ? undefined : sizes.find((size) => size < 0);
    if (negative !== undefined) {
      if (sizes.every((size) => size <= kMaxSmall))
        throw new InvalidArgumentError(`Expected shape dimensions to be non-negative, got ${negative}`);
      throw negativeSizeError(negative);
    }
    this.rebuildFrom(sizes, checkedCount(sizes));
  }

  /** INVALID_ARGUMENT when the known non-zero sizes alone overflow; what `build` asks of a message beyond the rest. */
  protected checkNonZeroProduct(): void {
    let product = 1;
    for (const size of this.dimSizes) {
      if (size <= 0) continue;
      const next = multiplyWithoutOverflow(product, size);
      if (next < 0)
        throw new InvalidArgumentError(
          `Encountered overflow when multiplying shape dimensions: ${product} with ${size} of ${this.debugString()}`,
        );
      product = next;
    }
  }

  /** Clears all but the data type and appends the sizes one by one, as TensorFlow does, starting from Rep16. */
  protected rebuildFrom(sizes: readonly number[], count: number): void {
    this.clearAllButDataType();
    for (const size of sizes) this.unsafeAddDim(size);
    this.setNumElements(count);
  }
}
