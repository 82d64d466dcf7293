/**
 * TensorShapeRep: a shape in 16 bytes (TensorFlow: class TensorShapeRep of framework/tensor_shape.h).
 *
 *     byte   0  1  2  3  4  5  6  7  8  9 10 11 12   13    14   15
 *   Rep16   [ d0 ][ d1 ][ d2 ][ d3 ][ d4 ][ d5 ]seal dtype rank 0      sizes up to 65533, ffff = unknown
 *   Rep32   [    d0    ][    d1    ][    d2    ]seal dtype rank 1      sizes up to 4294967293, ffffffff = unknown
 *   out of  [ pointer to a list  ]             seal dtype rank 2      anything else
 *   line     words w0    w1          w2         w3
 *
 * Rank 255 means unknown rank, so 254 dimensions is the most. Byte 12, which TensorFlow leaves unused, is the seal:
 * the shape of a Tensor is sealed and refuses mutation. The bytes are stored in four int32 words of one small object;
 * a word is always an int32, so that no field becomes a boxed number. This class only stores: TensorShapeBase and its subclasses
 * validate sizes and counts before.
 */
import { FailedPreconditionError, InvalidArgumentError, OutOfRangeError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { kMaxDimensions } from "./dim-sizes.ts";
import { OutOfLineDims } from "./out-of-line-dims.ts";
import { checkShape } from "./shape-check.ts";

/**
 * The representation of a shape, with the names of TensorFlow's RepTag.
 *
 * @example
 * const tags: RepTag[] = [[2, 3], [70000], [2 ** 32]].map((sizes) => new TensorShape(sizes).rep);
 * tags; // => ["REP16", "REP32", "REP_OUT_OF_LINE"]
 */
export type RepTag = "REP16" | "REP32" | "REP_OUT_OF_LINE";

/** Rep16 holds sizes below kMaxRep16, Rep32 sizes below kMaxRep32; 0xffff and 0xffffffff mean unknown. */
export const kMaxRep16 = 65534;
const kMaxRep32 = 4294967294;
const kUnknownRank = 255;
/** Element counts from 2^30 on are stored in OutOfLineDims: the largest small integer of Chromium is 2^30 - 1. */
export const kLargeCount: number = 2 ** 30;
/** The value of `n` in a shape whose count is stored in OutOfLineDims. */
const kCountOutOfLine = -2;
const kRepTags = ["REP16", "REP32", "REP_OUT_OF_LINE"] as const;

/**
 * The storage of a shape: at most 72 bytes of heap if its sizes fit the words and its count is below 2^30.
 *
 * @example
 * new TensorShape([2, 3]).bytes().slice(0, 4); // => Uint8Array.of(2, 0, 3, 0)
 * new TensorShape([70000]).rep; // => "REP32"
 */
export class TensorShapeRep {
  /** The most dimensions a shape can have: 254 (TF: MaxDimensions()). */
  static readonly maxDimensions: number = kMaxDimensions;

  /** Bytes 0 to 3. */
  declare protected w0: number;
  /** Bytes 4 to 7. */
  declare protected w1: number;
  /** Bytes 8 to 11. */
  declare protected w2: number;
  /** Bytes 12 to 15: seal, data type, rank, tag. */
  declare protected w3: number;
  /** The element count; -1 means unknown, -2 that `more` holds the count. */
  declare protected n: number;
  /** Sizes and counts that do not fit; null in the common case. */
  declare protected more: OutOfLineDims | null;

  /**
   * Makes a scalar: rank 0, one element. The fields are declared above and first assigned here, because JavaScript class fields
   * make creating a shape three times slower.
   */
  constructor() {
    this.w0 = 0;
    this.w1 = 0;
    this.w2 = 0;
    this.w3 = 0;
    this.n = 1;
    this.more = null;
  }

  /** The number of dimensions, -1 if it is unknown (TF: dims()). */
  get dims(): number {
    const rank = (this.w3 >>> 16) & 255;
    return rank === kUnknownRank ? -1 : rank;
  }

  /** The same as `dims`. */
  get rank(): number {
    return this.dims;
  }

  /** True if the rank is unknown; always false for a TensorShape. */
  get unknownRank(): boolean {
    return (this.w3 & 0xff0000) === 0xff0000;
  }

  /** The number of elements; -1 if the rank or a size is unknown, even if another size is 0. */
  get numElements(): number {
    const n = this.n;
    return n === kCountOutOfLine && this.more !== null ? this.more.count : n;
  }

  /** Byte 13: the DataType number of the Tensor that owns the shape; 0 if no Tensor does. */
  get dataType(): number {
    return (this.w3 >>> 8) & 255;
  }

  /** Byte 12: true if the shape belongs to a Tensor, so that mutators throw. */
  get isSealed(): boolean {
    return (this.w3 & 255) !== 0;
  }

  /** Byte 15: the representation of the sizes. */
  get rep(): RepTag {
    return kRepTags[this.w3 >>> 24] ?? "REP_OUT_OF_LINE";
  }

  /**
   * Returns the size of dimension `d`, -1 if the size or the rank is unknown. Throws OUT_OF_RANGE unless 0 <= d < rank.
   * (For dimension 0 of a scalar TensorFlow reads undefined bytes.)
   */
  dimSize(d: number): number {
    const w3 = this.w3;
    const rank = (w3 >>> 16) & 255;
    if (w3 >>> 24 === 0 && typeof d === "number" && d >>> 0 === d && d < rank && rank !== kUnknownRank) {
      const word = d < 2 ? this.w0 : d < 4 ? this.w1 : this.w2;
      const size = (d & 1) === 0 ? word & 0xffff : word >>> 16;
      return size === 0xffff ? -1 : size;
    }
    return this.dimSizeSlow(d);
  }

  /** dimSize for other representations than Rep16, and its errors. It is a separate method so that dimSize can be inlined. */
  private dimSizeSlow(d: number): number {
    const w3 = this.w3;
    if ((w3 & 0xff0000) === 0xff0000) return -1;
    if (typeof d !== "number" || (d | 0) !== d || d < 0 || d >= ((w3 >>> 16) & 255)) throw this.dimIndexError(d);
    if (w3 >>> 24 === 1) {
      const word = d === 0 ? this.w0 : d === 1 ? this.w1 : this.w2;
      return word === -1 ? -1 : word >>> 0;
    }
    return this.outOfLine()[d] as number;
  }

  /** The sizes as a new array at each call, -1 for an unknown size; empty if the rank is unknown. */
  get dimSizes(): number[] {
    const rank = Math.max(this.dims, 0);
    // A list of its length: one that grows gets room for 17 elements, and a map of a tensor is made with its sizes.
    const sizes = new Array<number>(rank);
    for (let d = 0; d < rank; d++) sizes[d] = this.dimSize(d);
    return sizes;
  }

  /**
   * Returns the 16 bytes in a new array, in TensorFlow's layout on a little-endian host. Bytes of unused sizes, of an
   * out-of-line pointer, and byte 12 (the seal) are 0.
   */
  bytes(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(16);
    const view = new DataView(bytes.buffer);
    view.setInt32(0, this.w0, true);
    view.setInt32(4, this.w1, true);
    view.setInt32(8, this.w2, true);
    view.setInt32(12, this.w3 & ~255, true);
    return bytes;
  }

  /** Sets byte 13 to a DataType number. Throws INVALID_ARGUMENT unless it is from 0 to 255, FAILED_PRECONDITION if the shape is sealed. */
  setDataType(dataType: number): void {
    this.checkUnsealed();
    this.storeDataType(dataType);
  }

  /** Seals the shape permanently: every mutator throws FAILED_PRECONDITION from now on. Tensor uses it. */
  seal(): this {
    this.w3 |= 1;
    return this;
  }

  /** Throws FAILED_PRECONDITION if the shape is sealed; every mutator calls it first. */
  protected checkUnsealed(): void {
    if ((this.w3 & 255) !== 0) {
      throw new FailedPreconditionError(`This shape of rank ${this.dims} belongs to a Tensor and is sealed; change a clone() of it`);
    }
  }

  /** Sets byte 13 without checking the seal. */
  protected storeDataType(dataType: number): void {
    if (typeof dataType !== "number" || (dataType & 255) !== dataType)
      throw new InvalidArgumentError(`Expected a DataType number from 0 to 255, got ${shownValue(dataType)}`);
    this.w3 = (this.w3 & ~0xff00) | (dataType << 8);
  }

  /** Throws INVALID_ARGUMENT unless the value is a shape. */
  protected static checkShape(value: unknown): void {
    checkShape(value);
  }

  /** Copies sizes, count and data type of another shape, but not the seal. Throws INVALID_ARGUMENT unless `other` is a shape. */
  protected copyRep(other: TensorShapeRep): void {
    TensorShapeRep.checkShape(other);
    this.w0 = other.w0;
    this.w1 = other.w1;
    this.w2 = other.w2;
    this.w3 = other.w3 & ~255;
    this.n = other.n;
    const more = other.more;
    this.more = more === null ? null : new OutOfLineDims(more.count, more.dims === null ? null : more.dims.slice());
  }

  /** Returns true if rank and sizes are equal. Ignores representation, data type and seal. */
  protected sameDims(other: TensorShapeRep): boolean {
    if (other === null || other === undefined || other.w3 === undefined) checkShape(other);
    const difference = this.w3 ^ other.w3;
    if ((difference & 0xff0000) !== 0) return false;
    if ((difference & 0xff000000) === 0 && this.w3 >>> 24 < 2) {
      return this.w0 === other.w0 && this.w1 === other.w1 && this.w2 === other.w2;
    }
    const rank = this.dims;
    for (let d = 0; d < rank; d++) if (this.dimSize(d) !== other.dimSize(d)) return false;
    return true;
  }

  /** Makes the shape a scalar in Rep16 and keeps the data type (TF: ClearAllButDataType). */
  protected clearAllButDataType(): void {
    this.w0 = 0;
    this.w1 = 0;
    this.w2 = 0;
    this.w3 &= 0xffff;
    this.n = 1;
    this.more = null;
  }

  /** Makes the rank unknown and keeps the data type. */
  protected setUnknownRank(): void {
    this.clearAllButDataType();
    this.w3 |= kUnknownRank << 16;
    this.n = -1;
  }

  /**
   * Appends one size (TF: UnsafeAddDim): in place if the representation has room, otherwise in a larger representation.
   * The caller checks rank and size, and sets the count with setNumElements.
   */
  protected unsafeAddDim(size: number): void {
    const rank = (this.w3 >>> 16) & 255;
    const tag = this.w3 >>> 24;
    if (tag === 0 && rank < 6 && size < kMaxRep16) {
      this.storeRep16(rank, size);
    } else if (tag === 1 && rank < 3 && size < kMaxRep32) {
      this.storeRep32(rank, size);
    } else if (tag === 2) {
      this.outOfLine().push(size);
    } else {
      const sizes = this.dimSizes;
      sizes.push(size);
      this.rebuild(sizes);
      return;
    }
    this.w3 = (this.w3 + 0x10000) | 0;
  }

  /** Writes one size in place. Returns false if the representation cannot hold it. */
  protected storeInPlace(d: number, size: number): boolean {
    const tag = this.w3 >>> 24;
    if (tag === 0 && size < kMaxRep16) this.storeRep16(d, size);
    else if (tag === 1 && size < kMaxRep32) this.storeRep32(d, size);
    else if (tag === 2) this.outOfLine()[d] = size;
    else return false;
    return true;
  }

  /** Sets the element count (-1: unknown); counts from 2^30 on are stored out of line. */
  protected setNumElements(count: number): void {
    const more = this.more;
    if (count >= kLargeCount) {
      this.n = kCountOutOfLine;
      if (more === null) this.more = new OutOfLineDims(count, null);
      else more.count = count;
    } else {
      this.n = count | 0;
      if (more === null) return;
      if (more.dims === null) this.more = null;
      else more.count = 0;
    }
  }

  /** Stores the sizes in Rep32 if there are at most three and all fit, otherwise out of line. */
  private rebuild(sizes: number[]): void {
    this.w0 = 0;
    this.w1 = 0;
    this.w2 = 0;
    if (sizes.length <= 3 && sizes.every((size) => size < kMaxRep32)) {
      this.w3 = (this.w3 & 0xffff) | (sizes.length << 16) | (1 << 24);
      sizes.forEach((size, d) => this.storeRep32(d, size));
    } else {
      this.w3 = (this.w3 & 0xffff) | (sizes.length << 16) | (2 << 24);
      this.more = new OutOfLineDims(0, sizes);
    }
  }

  private storeRep16(d: number, size: number): void {
    const shift = (d & 1) << 4;
    const keep = ~(0xffff << shift);
    const half = (size < 0 ? 0xffff : size) << shift;
    if (d < 2) this.w0 = (this.w0 & keep) | half;
    else if (d < 4) this.w1 = (this.w1 & keep) | half;
    else this.w2 = (this.w2 & keep) | half;
  }

  private storeRep32(d: number, size: number): void {
    const word = size < 0 ? -1 : size | 0;
    if (d === 0) this.w0 = word;
    else if (d === 1) this.w1 = word;
    else this.w2 = word;
  }

  /** The list of an out-of-line shape. Valid only for tag 2. */
  private outOfLine(): number[] {
    return (this.more as OutOfLineDims).dims as number[];
  }

  private dimIndexError(d: unknown): OutOfRangeError {
    return new OutOfRangeError(`Dimension index ${shownValue(d)} is not in [0, ${this.dims}) of a shape of rank ${this.dims}`);
  }
}
