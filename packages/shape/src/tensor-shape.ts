/**
 * TensorShape: a shape whose rank and sizes are all known (TensorFlow: class TensorShape of framework/tensor_shape.h).
 *
 * It adds no fields to TensorShapeRep, only ways to make a shape: from a list, with factories per rank that need no
 * list (for library code), from a message, and, for Tensor, sealed in one allocation. Sizes are multiplied in order, as in
 * TensorFlow: the product can overflow before a zero, but not after it.
 */
import { argumentError, shownValue } from "@onebuffer/base/internal";
import { InternalError, InvalidArgumentError } from "@onebuffer/base";
import { kMaxDimensions, kMaxSmall } from "./dim-sizes.ts";
import { checkShape } from "./shape-check.ts";
import { TensorShapeBase } from "./tensor-shape-base.ts";
import { checkValidShape, protoDebugString, sizesOfProto } from "./tensor-shape-proto.ts";
import type { TensorShapeProto } from "./tensor-shape-proto.ts";
import { kLargeCount, kMaxRep16 } from "./tensor-shape-rep.ts";

/** Returns true if `size` is an integer from 0 to kMaxSmall, for which the fast paths need no further check. */
function isSmall(size: unknown): size is number {
  return typeof size === "number" && size >>> 0 === size && size <= kMaxSmall;
}

/** Returns true if `size` is an integer from 0 to 2^31 - 1, which fits an int32 word. */
function isInt31(size: unknown): size is number {
  return typeof size === "number" && (size | 0) === size && size >= 0;
}

/**
 * The sizes of a tensor: known rank, known sizes, at most 254 of them, and at most 2^53 - 1 elements.
 *
 * Copies the list of sizes. Throws INVALID_ARGUMENT for a size that is negative, fractional, not a number, or beyond
 * 2^53 - 1, for more than 254 sizes, for more than 2^53 - 1 elements, and if the product of the sizes, taken in order, exceeds 2^63 - 1
 * at any step: [0, 2^40, 2^40] and [2^40, 2^20, 0] are shapes without elements, [2^40, 2^40, 0] is refused.
 *
 * @example
 * const shape = new TensorShape([2, 3, 4]);
 * shape.numElements; // => 24
 * shape.dimSize(1); // => 3
 * shape.addDim(5);
 * shape.debugString(); // => "[2,3,4,5]"
 * new TensorShape([2, -3]); // throws INVALID_ARGUMENT
 */
export class TensorShape extends TensorShapeBase {
  /** Makes a shape of these sizes, or a scalar without an argument. */
  constructor(dims?: readonly number[]) {
    super();
    if (dims !== undefined) this.init(dims);
  }

  /** Returns the shape of a scalar: rank 0, one element. */
  static scalar(): TensorShape {
    return new TensorShape();
  }

  /** Returns the shape [a], made without a list. Throws like the constructor. */
  static vector(a: number): TensorShape {
    return isSmall(a) ? new TensorShape().pack(1, a, 0, 0, 0, a) : new TensorShape([a]);
  }

  /** Returns the shape [a, b], made without a list. Throws like the constructor. */
  static matrix(a: number, b: number): TensorShape {
    if (isSmall(a) && isSmall(b)) {
      const n = a * b;
      if (n < kLargeCount) return new TensorShape().pack(2, a, b, 0, 0, n);
    }
    return new TensorShape([a, b]);
  }

  /** Returns the shape [a, b, c], made without a list. Throws like the constructor. */
  static tensor3(a: number, b: number, c: number): TensorShape {
    if (isSmall(a) && isSmall(b) && isSmall(c)) {
      const n = a * b * c;
      if (n < kLargeCount) return new TensorShape().pack(3, a, b, c, 0, n);
    }
    return new TensorShape([a, b, c]);
  }

  /** Returns the shape [a, b, c, d], made without a list. Throws like the constructor. */
  static tensor4(a: number, b: number, c: number, d: number): TensorShape {
    if (isSmall(a) && isSmall(b) && isSmall(c) && isSmall(d)) {
      const n = a * b * c * d;
      if (n < kLargeCount) return new TensorShape().pack(4, a, b, c, d, n);
    }
    return new TensorShape([a, b, c, d]);
  }

  /** Returns a copy of any shape as a TensorShape, with its data type. Throws INVALID_ARGUMENT if a size or the rank is unknown. */
  static from(shape: TensorShapeBase): TensorShape {
    const copy = new TensorShape();
    copy.copyFullRep(shape);
    return copy;
  }

  /**
   * Returns the shape of a message (TF: the constructor that CHECKs). Throws INVALID_ARGUMENT if the message or a size is invalid.
   *
   * Quirk: `unknownRank` is ignored, and the message's dimensions are used.
   */
  static fromProto(proto: TensorShapeProto): TensorShape {
    const shape = new TensorShape();
    shape.initDims(sizesOfProto(proto, false) ?? [], true);
    return shape;
  }

  /**
   * Returns a shape of a list of sizes or of a message (TF: BuildTensorShape, the factory that returns a Status).
   *
   * Quirk: a message, unlike a list, is refused if the product of its non-zero sizes overflows, even if
   * another size is 0.
   */
  static build(source: readonly number[] | TensorShapeProto): TensorShape {
    if (Array.isArray(source)) return new TensorShape(source as readonly number[]);
    const shape = TensorShape.fromProto(source as TensorShapeProto);
    shape.checkNonZeroProduct();
    return shape;
  }

  /** Returns true if the message is a valid shape (TF: IsValid); false if it is not a message. */
  static isValid(proto: TensorShapeProto): boolean {
    try {
      checkValidShape(proto, false);
      return true;
    } catch {
      return false;
    }
  }

  /** Throws INVALID_ARGUMENT with the reason if the message is not a valid shape (TF: IsValidShape). */
  static isValidShape(proto: TensorShapeProto): void {
    checkValidShape(proto, false);
  }

  /** Returns the text of a message: `[2,3]` (TF: the static DebugString). */
  static debugString(proto: TensorShapeProto): string {
    return protoDebugString(proto);
  }

  /** Returns the shape [0] with a DataType number, the shape of a Tensor made without arguments (TF: the protected TensorShape(DataType)). */
  static ofDataType(dataType: number): TensorShape {
    const shape = TensorShape.vector(0);
    shape.storeDataType(dataType);
    return shape;
  }

  /**
   * Returns a sealed shape with a DataType number, for a Tensor. Returns the given shape if it is sealed and has that number,
   * otherwise a copy, made in one allocation. Throws INVALID_ARGUMENT for invalid or unknown sizes, or if `shape` is not a shape.
   */
  static sealed(shape: TensorShape | readonly number[], dataType: number): TensorShape {
    if (Array.isArray(shape)) {
      if (typeof dataType !== "number") throw argumentError("a DataType number", dataType);
      // Sealed shapes never change, so tensors may share them. Often the next tensor has the same shape as the last one.
      if (TensorShape.isLike(lastSealed, shape as readonly number[], dataType)) return lastSealed;
      const made = new TensorShape(shape as readonly number[]);
      made.storeDataType(dataType);
      lastSealed = made.seal();
      return lastSealed;
    }
    const given = shape as TensorShape | null | undefined;
    return given?.isSealed && given.dataType === dataType ? given : TensorShape.sealedCopy(given, dataType);
  }

  /** The slow path of sealed, a separate method so that the fast one can be inlined into a reshape. */
  private static sealedCopy(given: TensorShape | null | undefined, dataType: number): TensorShape {
    checkShape(given, "a shape or an array of sizes");
    const copy = new TensorShape();
    copy.copyFullRep(given as TensorShape);
    copy.storeDataType(dataType);
    return copy.seal();
  }

  /** Returns true if a sealed shape is in Rep16 and has this DataType number and these sizes. */
  private static isLike(shape: TensorShape, sizes: readonly number[], dataType: number): boolean {
    const { length } = sizes;
    if (shape.w3 !== ((length << 16) | (dataType << 8) | 1)) return false;
    for (let d = 0; d < length; d++) {
      const word = d < 2 ? shape.w0 : d < 4 ? shape.w1 : shape.w2;
      if (((d & 1) === 0 ? word & 0xffff : word >>> 16) !== sizes[d]) return false;
    }
    return true;
  }

  /**
   * Returns a sealed copy with another size of dimension 0: the shape of a slice. Throws like setDim for an invalid size or a scalar.
   */
  withDimSize0(size: number, dataType: number = this.dataType): TensorShape {
    const copy = new TensorShape();
    const { w0, w3, n } = this;
    const old = w0 & 0xffff;
    // The fast path: Rep16, rank 1 or more, dimension 0 not empty, and a smaller or equal size.
    if (
      w3 >>> 24 === 0 &&
      (w3 & 0xff0000) !== 0 &&
      old > 0 &&
      n >= 0 &&
      typeof size === "number" &&
      size >>> 0 === size &&
      size <= old &&
      typeof dataType === "number" &&
      (dataType & 255) === dataType
    ) {
      copy.w0 = (w0 & ~0xffff) | size;
      copy.w1 = this.w1;
      copy.w2 = this.w2;
      copy.w3 = (w3 & 0xff0000) | (dataType << 8) | 1;
      copy.n = ((n / old) * size) | 0;
      return copy;
    }
    return this.replaceDimSize0(copy, size, dataType);
  }

  /** The slow path of withDimSize0, a separate method so that the fast path can be inlined. */
  private replaceDimSize0(copy: TensorShape, size: number, dataType: number): TensorShape {
    copy.copyRep(this);
    copy.setDim(0, size);
    copy.storeDataType(dataType);
    return copy.seal();
  }

  /** Returns a sealed copy without dimension 0: the shape of a sub-slice. Throws INTERNAL for a scalar, INVALID_ARGUMENT if the remaining
   * sizes overflow. */
  withoutDim0(): TensorShape {
    const copy = new TensorShape();
    const old = this.w0 & 0xffff;
    const n = this.n;
    if ((this.w3 & 0xff000000) === 0 && (this.w3 & 0xff0000) !== 0 && old > 0 && n >= 0) {
      copy.w0 = (this.w0 >>> 16) | (this.w1 << 16);
      copy.w1 = (this.w1 >>> 16) | (this.w2 << 16);
      copy.w2 = this.w2 >>> 16;
      copy.w3 = (this.w3 & ~255) - 0x10000;
      copy.n = (n / old) | 0;
    } else {
      copy.copyRep(this);
      copy.removeDim(0);
    }
    return copy.seal();
  }

  /** Returns an unsealed copy with the same data type. */
  clone(): TensorShape {
    return TensorShape.from(this);
  }

  /** Copies `other` into this shape, data type included (TF: operator=). Throws FAILED_PRECONDITION if this shape is sealed,
   * INVALID_ARGUMENT for unknown sizes. */
  assign(other: TensorShape): void {
    this.checkUnsealed();
    this.copyFullRep(other);
  }

  /** Returns true if rank and sizes are equal. Ignores data type, seal and representation (TF: IsSameSize, operator==). */
  isSameSize(other: TensorShape): boolean {
    return this.sameDims(other);
  }

  /** The same as isSameSize. */
  equals(other: TensorShape): boolean {
    return this.sameDims(other);
  }

  /** Returns the sizes (TF: AsEigenDSizes<N>). Throws INTERNAL unless the rank is `n`. */
  asEigenDSizes(n: number): number[] {
    if (n !== this.dims)
      throw new InternalError(`Asking for tensor of ${shownValue(n)} dimensions from a tensor of ${this.dims} dimensions`);
    return this.dimSizes;
  }

  /** Returns `n` sizes, padded with 1 at the end (TF: AsEigenDSizesWithPadding<N>). Throws INTERNAL if the rank is greater than `n`. */
  asEigenDSizesWithPadding(n: number): number[] {
    if (!Number.isInteger(n) || n > kMaxDimensions)
      throw new InvalidArgumentError(`Expected a number of dimensions from 0 to ${kMaxDimensions}, got ${shownValue(n)}`);
    if (n < this.dims) throw new InternalError(`Asking for tensor of at most ${n} dimensions from a tensor of ${this.dims} dimensions`);
    const sizes = this.dimSizes;
    while (sizes.length < n) sizes.push(1);
    return sizes;
  }

  protected override get kIsPartial(): boolean {
    return false;
  }

  /** copyRep of a shape whose sizes are all known. Throws INVALID_ARGUMENT, and copies nothing, if a size is unknown. */
  private copyFullRep(shape: TensorShapeBase): void {
    TensorShape.checkShape(shape);
    if (!shape.isFullyDefined()) throw new InvalidArgumentError(`Expected a fully defined shape, got ${shape.debugString()}`);
    this.copyRep(shape);
  }

  /**
   * Sets the sizes from a caller's list; up to four small sizes take a fast path. The list is read with `at`: after an index read
   * `dims[i]` has seen a list of doubles, V8 converts every later list of integers there, which is four times slower.
   */
  private init(dims: readonly number[]): void {
    if (Array.isArray(dims)) {
      const rank = dims.length;
      let a: unknown = 0;
      let b: unknown = 0;
      let c: unknown = 0;
      let d: unknown = 0;
      if (
        rank <= 4 &&
        (rank < 1 || isSmall((a = dims.at(0)))) &&
        (rank < 2 || isSmall((b = dims.at(1)))) &&
        (rank < 3 || isSmall((c = dims.at(2)))) &&
        (rank < 4 || isSmall((d = dims.at(3))))
      ) {
        const n =
          (rank < 1 ? 1 : (a as number)) * (rank < 2 ? 1 : (b as number)) * (rank < 3 ? 1 : (c as number)) * (rank < 4 ? 1 : (d as number));
        if (n < kLargeCount) {
          this.pack(rank, a as number, b as number, c as number, d as number, n);
          return;
        }
      }
      if (rank > 4) return this.initLong(dims);
      if (rank < 4) return this.initWide(dims);
    }
    this.initDims(dims);
  }

  /** The fast path for five or six small sizes. A product of 0 takes the slow path, because the sizes before the zero may overflow. */
  private initLong(dims: readonly number[]): void {
    const rank = dims.length;
    if (rank > 6) return this.initDims(dims);
    const a = dims.at(0);
    const b = dims.at(1);
    const c = dims.at(2);
    const d = dims.at(3);
    const e = dims.at(4);
    const f = rank > 5 ? dims.at(5) : 0;
    if (!isSmall(a) || !isSmall(b) || !isSmall(c) || !isSmall(d) || !isSmall(e) || !isSmall(f)) return this.initDims(dims);
    const n = a * b * c * d * e * (rank > 5 ? f : 1);
    if (n === 0 || n >= kLargeCount) return this.initDims(dims);
    this.pack(rank, a, b, c, d, n).w2 = e | (f << 16);
  }

  /** The fast path for up to three sizes of which at least one needs Rep32. A product of 0 takes the slow path, as in initLong. */
  private initWide(dims: readonly number[]): void {
    const rank = dims.length;
    const a = dims.at(0);
    const b = rank > 1 ? dims.at(1) : 0;
    const c = rank > 2 ? dims.at(2) : 0;
    if (!isInt31(a) || !isInt31(b) || !isInt31(c) || (a < kMaxRep16 && b < kMaxRep16 && c < kMaxRep16)) return this.initDims(dims);
    const n = a * (rank > 1 ? b : 1) * (rank > 2 ? c : 1);
    if (n === 0 || n >= kLargeCount) return this.initDims(dims);
    // A size of -0 becomes 0: the fields must hold only small integers.
    this.w0 = a | 0;
    this.w1 = b | 0;
    this.w2 = c | 0;
    this.w3 = (rank << 16) | (1 << 24);
    this.n = n | 0;
  }

  /** Writes up to four small sizes as Rep16. */
  private pack(rank: number, a: number, b: number, c: number, d: number, n: number): this {
    this.w0 = a | (b << 16);
    this.w1 = c | (d << 16);
    this.w3 = rank << 16;
    this.n = n | 0;
    return this;
  }
}

/** The last shape that `sealed` made from a list. */
let lastSealed: TensorShape = new TensorShape();
