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
 * a shape inside a Tensor carries it and refuses mutation. The bytes live in four int32 words of one small object;
 * a word is always stored as int32, so that no field ever becomes a boxed number. This class only stores: sizes and
 * counts are validated by TensorShapeBase and its subclasses before they come here.
 */
import { FailedPreconditionError, InvalidArgumentError, OutOfRangeError, shownValue } from "@onebuffer/base";
import { kMaxDimensions } from "./dim-sizes.ts";
import { OutOfLineDims } from "./out-of-line-dims.ts";
import { checkShape } from "./shape-check.ts";

/**
 * The representation a shape is in, named as TensorFlow's RepTag is.
 *
 * @example
 * const tags: RepTag[] = [[2, 3], [70000], [2 ** 32]].map((sizes) => new TensorShape(sizes).rep);
 * tags; // => ["REP16", "REP32", "REP_OUT_OF_LINE"]
 */
export type RepTag = "REP16" | "REP32" | "REP_OUT_OF_LINE";

/** Rep16 holds sizes below this, Rep32 those below the next; 0xffff and 0xffffffff mean unknown. */
export const kMaxRep16 = 65534;
const kMaxRep32 = 4294967294;
const kUnknownRank = 255;
/** Counts from here on live in the out-of-line record; Chromium's small integers end at 2^30 - 1. */
export const kLargeCount: number = 2 ** 30;
/** `n` of a shape whose count lives in the out-of-line record. */
const kCountOutOfLine = -2;
const kRepTags = ["REP16", "REP32", "REP_OUT_OF_LINE"] as const;

/**
 * The storage of a shape: at most 72 heap bytes when its sizes fit the words and its count is below 2^30.
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
  /** Byte 12 the seal, 13 the data type, 14 the rank, 15 the tag. */
  declare protected w3: number;
  /** The element count; -1 unknown, -2 "see `more`". */
  declare protected n: number;
  /** Sizes and counts that do not fit; null in the common case. */
  declare protected more: OutOfLineDims | null;

  /**
   * A scalar: rank 0, one element. The fields are declared above and first assigned here: the language's own class fields
   * make a shape three times slower to create.
   */
  constructor() {
    this.w0 = 0;
    this.w1 = 0;
    this.w2 = 0;
    this.w3 = 0;
    this.n = 1;
    this.more = null;
  }

  /** The number of dimensions, -1 when it is unknown (TF: dims()). */
  get dims(): number {
    const rank = (this.w3 >>> 16) & 255;
    return rank === kUnknownRank ? -1 : rank;
  }

  /** The number of dimensions, as NumPy users call it: the same as `dims`. */
  get rank(): number {
    return this.dims;
  }

  /** Whether the rank is unknown; never so for a TensorShape. */
  get unknownRank(): boolean {
    return (this.w3 & 0xff0000) === 0xff0000;
  }

  /** The number of elements; -1 as soon as the rank or one size is unknown, even when another size is 0. */
  get numElements(): number {
    const n = this.n;
    return n === kCountOutOfLine && this.more !== null ? this.more.count : n;
  }

  /** Byte 13: the DataType number of the Tensor that owns the shape, 0 for a shape of its own. */
  get dataType(): number {
    return (this.w3 >>> 8) & 255;
  }

  /** Byte 12: whether mutators refuse to work because a Tensor holds the shape. */
  get isSealed(): boolean {
    return (this.w3 & 255) !== 0;
  }

  /** Byte 15: how the sizes are stored. */
  get rep(): RepTag {
    return kRepTags[this.w3 >>> 24] ?? "REP_OUT_OF_LINE";
  }

  /**
   * The size of dimension `d`: -1 when that size, or the rank, is unknown. OUT_OF_RANGE unless 0 <= d < rank.
   * TensorFlow reads stray bytes for dimension 0 of a scalar; here it throws like any other missing dimension.
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

  /** dimSize where the short way, Rep16, does not apply; apart from it so that it can be inlined. */
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

  /** The sizes as a fresh array, -1 for unknown ones; empty when the rank is unknown. Copies: the sizes, each call. */
  get dimSizes(): number[] {
    const sizes: number[] = [];
    const rank = this.dims;
    for (let d = 0; d < rank; d++) sizes.push(this.dimSize(d));
    return sizes;
  }

  /**
   * The 16 bytes as TensorFlow lays them out on a little-endian host, in a fresh array. Bytes of sizes that do not
   * exist, of an out-of-line pointer, and byte 12 (the seal) show as 0.
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

  /** Sets byte 13 to a DataType number. INVALID_ARGUMENT unless it fits the byte, FAILED_PRECONDITION when sealed. */
  setDataType(dataType: number): void {
    this.checkUnsealed();
    this.storeDataType(dataType);
  }

  /** Seals the shape for good: every mutator throws FAILED_PRECONDITION from now on. Made for Tensor. */
  seal(): this {
    this.w3 |= 1;
    return this;
  }

  /** Throws FAILED_PRECONDITION when the shape is sealed; every mutator begins with it. */
  protected checkUnsealed(): void {
    if ((this.w3 & 255) !== 0) {
      throw new FailedPreconditionError(`This shape of rank ${this.dims} belongs to a Tensor and is sealed; change a clone() of it`);
    }
  }

  /** Byte 13 without the seal test. */
  protected storeDataType(dataType: number): void {
    if (typeof dataType !== "number" || (dataType & 255) !== dataType)
      throw new InvalidArgumentError(`Expected a DataType number from 0 to 255, got ${shownValue(dataType)}`);
    this.w3 = (this.w3 & ~0xff00) | (dataType << 8);
  }

  /** Throws INVALID_ARGUMENT when a caller whom no compiler checked gave something else for a shape: a list, a number, null. */
  protected static checkShape(value: unknown): void {
    checkShape(value);
  }

  /** Takes over everything but the seal: sizes, count, data type. INVALID_ARGUMENT for no shape. Copies: the out-of-line list. */
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

  /** Whether rank and sizes are the same, whatever the representations; data type and seal do not count. */
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

  /** Back to a scalar in Rep16, the data type kept (TF: ClearAllButDataType). */
  protected clearAllButDataType(): void {
    this.w0 = 0;
    this.w1 = 0;
    this.w2 = 0;
    this.w3 &= 0xffff;
    this.n = 1;
    this.more = null;
  }

  /** To the state of unknown rank, the data type kept. */
  protected setUnknownRank(): void {
    this.clearAllButDataType();
    this.w3 |= kUnknownRank << 16;
    this.n = -1;
  }

  /**
   * Appends one size: in place where the representation has room, otherwise rebuilt larger, never smaller
   * (TF: UnsafeAddDim). The count is set apart, by setNumElements. The caller has checked rank and size.
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

  /** Writes one size in place where the representation can hold it; false when it cannot. */
  protected storeInPlace(d: number, size: number): boolean {
    const tag = this.w3 >>> 24;
    if (tag === 0 && size < kMaxRep16) this.storeRep16(d, size);
    else if (tag === 1 && size < kMaxRep32) this.storeRep32(d, size);
    else if (tag === 2) this.outOfLine()[d] = size;
    else return false;
    return true;
  }

  /** Sets the element count (-1: unknown), out of line when it is large. */
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

  /** Rep32 when at most three sizes all fit it, otherwise out of line. */
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

  /** The list of an out-of-line shape; the tag says that it is there. */
  private outOfLine(): number[] {
    return (this.more as OutOfLineDims).dims as number[];
  }

  private dimIndexError(d: unknown): OutOfRangeError {
    return new OutOfRangeError(`Dimension index ${shownValue(d)} is not in [0, ${this.dims}) of a shape of rank ${this.dims}`);
  }
}
