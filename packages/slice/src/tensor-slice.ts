/**
 * TensorSlice: a rectangular region of a tensor (tensorflow/core/framework/tensor_slice.h).
 *
 *     per dimension a start and a length; start 0 with length -1 is the whole dimension, of any size
 *     "-:0,10:14,1"   starts  [0,  0, 14]
 *                     lengths [-1, 10, 1]
 *
 * A slice does not know the tensor's shape: sliceTensorShape applies it to a shape and throws INTERNAL, as TensorFlow does, if it
 * does not fit. There are no strides and no negative indices. A slice holds no data; packages/core slices tensors.
 * A slice made from extents or an unvalidated proto may hold meaningless pairs such as 1,-1, as in TensorFlow.
 */
import { argumentError, shownValue, typedArrayKind, defineInspection } from "@onebuffer/base/internal";
import { InternalError, InvalidArgumentError, OutOfRangeError } from "@onebuffer/base";
import { TensorShape } from "@onebuffer/shape";
import { checkShape, checkSlice } from "./argument-check.ts";
import { checkExtent, kFullExtent } from "./extent-check.ts";
import { parseExtents } from "./tensor-slice-parse.ts";
import type { TensorSliceExtent, TensorSliceProto } from "./tensor-slice-proto.ts";
import { buildExtentsFromProto, extentsFromProto, getExtentLength, hasExtentLength } from "./tensor-slice-proto.ts";

/** The most dimensions that full, setFullSlice, extend and fillIndicesAndSizes make; no shape has more. */
const kMaxDimensions = 254;

/**
 * A rectangular region of a tensor: a start and a length per dimension.
 *
 * Starts, lengths and ends are integers up to 2^53 - 1. Factories and mutators throw INVALID_ARGUMENT for larger
 * numbers, and a call that throws leaves the slice unchanged. A dimension index outside [0, dims) throws
 * OUT_OF_RANGE. A slice is mutable; `clone` is C++'s copy.
 *
 * @example
 * const slice = TensorSlice.parse("1,2:-");
 * slice.sliceTensorShape(new TensorShape([3, 4])).dimSizes; // => [2, 4]
 * [...slice]; // => [[1, 2], [0, -1]]
 * new TensorSlice().dims; // => 0
 */
export class TensorSlice implements Iterable<[start: number, length: number]> {
  /** The length that, with start 0, means the whole dimension. */
  static readonly kFullExtent: -1 = kFullExtent;

  readonly #starts: number[];
  readonly #lengths: number[];

  /**
   * Makes a slice of [start, length] pairs, without further validation; no pairs make a slice of rank 0, whose text is empty.
   * Copies the pairs. Throws INVALID_ARGUMENT if an extent is not a pair, or a start, length or end is not an integer or is beyond
   * 2^53 - 1.
   */
  constructor(extents: Iterable<readonly [start: number, length: number]> = []) {
    this.#starts = [];
    this.#lengths = [];
    checkIterable(extents);
    for (const extent of extents) {
      checkPair(extent);
      const [start, length] = extent;
      checkExtent(start, length);
      // Adding 0 turns -0 into 0, so that equal slices hold equal values.
      this.#starts.push(start + 0);
      this.#lengths.push(length + 0);
    }
  }

  /** Returns a slice of `rank` full dimensions. Throws INVALID_ARGUMENT unless rank is an integer from 0 to 254. */
  static full(rank: number): TensorSlice {
    const slice = new TensorSlice();
    slice.setFullSlice(rank);
    return slice;
  }

  /** Returns a slice of [start, length] pairs: the same as the constructor (C++'s constructor from a list of pairs). */
  static fromExtents(extents: Iterable<readonly [start: number, length: number]>): TensorSlice {
    return new TensorSlice(extents);
  }

  /**
   * Returns a slice of a proto's extents, without validation; an extent without a length gets length -1.
   * Throws INVALID_ARGUMENT for values that are not an int64 or are beyond 2^53 - 1.
   */
  static fromProto(proto: TensorSliceProto): TensorSlice {
    const slice = new TensorSlice();
    extentsFromProto(proto, slice.#starts, slice.#lengths);
    return slice;
  }

  /**
   * Returns a slice of a proto's extents and validates each (TensorSlice::BuildTensorSlice). Throws INVALID_ARGUMENT for a negative
   * start, a length below 1 in an extent that is not full, and an end above 2^53 - 1 (TensorFlow: 2^63 - 1).
   */
  static build(proto: TensorSliceProto): TensorSlice {
    const slice = new TensorSlice();
    buildExtentsFromProto(proto, slice.#starts, slice.#lengths);
    return slice;
  }

  /**
   * Parses slice text such as "-:0,10:14,1"; tensor-slice-parse.ts describes the grammar and its quirks. The empty text is the
   * slice of rank 0. Throws INVALID_ARGUMENT if the text is not a slice.
   */
  static parse(text: string): TensorSlice {
    const slice = new TensorSlice();
    parseExtents(text, slice.#starts, slice.#lengths);
    return slice;
  }

  /** Returns true if a proto's extent has a length, also if it is 0. */
  static hasExtentLength(extent: TensorSliceExtent): boolean {
    return hasExtentLength(extent);
  }

  /** Returns the length of a proto's extent, -1 if it has none. Throws INVALID_ARGUMENT beyond 2^53 - 1. */
  static getExtentLength(extent: TensorSliceExtent): number {
    return getExtentLength(extent);
  }

  /** The number of dimensions. */
  get dims(): number {
    return this.#starts.length;
  }

  /** Returns the first index in dimension d. */
  start(d: number): number {
    const start = typeof d === "number" ? this.#starts[d] : undefined;
    if (start === undefined) throw this.#noDimension(d);
    return start;
  }

  /** Returns the number of indices in dimension d; -1 if it is full. */
  length(d: number): number {
    const length = typeof d === "number" ? this.#lengths[d] : undefined;
    if (length === undefined) throw this.#noDimension(d);
    return length;
  }

  /** Returns start + length, one past the last index in dimension d. Quirk: the result for a full dimension is -1, which has no meaning. */
  end(d: number): number {
    return this.start(d) + this.length(d);
  }

  /** Sets the start of dimension d. Throws INVALID_ARGUMENT if x is negative or the end would exceed 2^53 - 1. */
  setStart(d: number, x: number): void {
    const length = this.length(d);
    checkExtent(x, length);
    if (x < 0) throw new InvalidArgumentError(`Expected a non-negative start of dimension ${d}, got ${x}`);
    this.#starts[d] = x + 0;
  }

  /** Sets the length of dimension d, without validation. Throws INVALID_ARGUMENT if the end would exceed 2^53 - 1. */
  setLength(d: number, x: number): void {
    checkExtent(this.start(d), x);
    this.#lengths[d] = x + 0;
  }

  /** Makes this the slice of rank 0. */
  clear(): void {
    this.#starts.length = 0;
    this.#lengths.length = 0;
  }

  /** Makes this a slice of `rank` full dimensions. Throws INVALID_ARGUMENT unless rank is an integer from 0 to 254. */
  setFullSlice(rank: number): void {
    checkCount(rank, 0);
    this.clear();
    this.extend(rank);
  }

  /** Appends full dimensions up to `rank`. Throws INVALID_ARGUMENT unless it is an integer from dims to 254. */
  extend(rank: number): void {
    checkCount(rank, this.dims);
    while (this.dims < rank) {
      this.#starts.push(0);
      this.#lengths.push(kFullExtent);
    }
  }

  /** Returns a copy of the slice. */
  clone(): TensorSlice {
    return new TensorSlice(this);
  }

  /** Returns true if dimension d is full: length -1 and start 0. A dimension with an explicit length is never full, for any shape. */
  isFullAt(d: number): boolean {
    return this.length(d) === kFullExtent && this.#starts[d] === 0;
  }

  /** Returns true if every dimension is full; true for rank 0. */
  isFull(): boolean {
    for (let d = 0; d < this.dims; d++) if (!this.isFullAt(d)) return false;
    return true;
  }

  /** Returns true if ranks, starts and lengths are equal (C++'s ==). A full dimension never equals an explicit 0,size. */
  equals(other: TensorSlice): boolean {
    checkSlice(other);
    if (this.dims !== other.dims) return false;
    for (let d = 0; d < this.dims; d++) {
      if (this.#starts[d] !== other.#starts[d] || this.#lengths[d] !== other.#lengths[d]) return false;
    }
    return true;
  }

  /**
   * Returns the intersection of both slices, or null if it is empty or the ranks differ. If a dimension is full in one slice, the other
   * slice's extent is taken. The intersection of two slices of rank 0 has rank 0. Quirk: the intersection of an unvalidated extent of
   * length 0 or less with a full dimension is not empty.
   */
  intersect(other: TensorSlice): TensorSlice | null {
    checkSlice(other);
    if (this.dims !== other.dims) return null;
    const result = new TensorSlice();
    for (let d = 0; d < this.dims; d++) {
      let start = this.start(d);
      let length = this.length(d);
      if (this.isFullAt(d)) {
        start = other.start(d);
        length = other.length(d);
      } else if (!other.isFullAt(d)) {
        const end = Math.min(this.end(d), other.end(d));
        start = Math.max(start, other.start(d));
        length = end - start;
        if (length <= 0) return null;
      }
      result.#push(start, length);
    }
    return result;
  }

  /** Returns true if intersect would return a slice, without making it. */
  overlaps(other: TensorSlice): boolean {
    checkSlice(other);
    if (this.dims !== other.dims) return false;
    for (let d = 0; d < this.dims; d++) {
      if (this.isFullAt(d) || other.isFullAt(d)) continue;
      if (Math.min(this.end(d), other.end(d)) <= Math.max(this.start(d), other.start(d))) return false;
    }
    return true;
  }

  /**
   * Returns the shape of this slice of a tensor of `shape`: the dimension's size where the slice is full, otherwise the length.
   * Throws INTERNAL if the ranks differ or an extent ends beyond its dimension, and for unvalidated extents with a
   * negative start or length, which TensorFlow accepts or crashes on.
   */
  sliceTensorShape(shape: TensorShape): TensorShape {
    checkShape(shape);
    if (shape.dims !== this.dims) {
      throw new InternalError(`Mismatching ranks: shape = ${shape.debugString()}, slice = ${this.debugString()}`);
    }
    const result = new TensorShape();
    for (let d = 0; d < this.dims; d++) {
      const size = shape.dimSize(d);
      if (this.isFullAt(d)) {
        result.addDim(size);
        continue;
      }
      if (this.start(d) < 0 || this.length(d) < 0 || this.end(d) > size) {
        throw new InternalError(`Extent in dimension ${d} out of bounds: shape = ${shape.debugString()}, slice = ${this.debugString()}`);
      }
      result.addDim(this.length(d));
    }
    return result;
  }

  /**
   * Returns `sub`, which should be inside this slice, with starts relative to this slice. Throws INVALID_ARGUMENT if the ranks differ.
   * Quirk: the start of a full dimension of sub is also moved: "2,4" and "-" give "-2,-1".
   */
  computeRelative(sub: TensorSlice): TensorSlice {
    this.#checkSameRank(sub);
    const relative = new TensorSlice();
    for (let d = 0; d < this.dims; d++) {
      relative.#push(this.isFullAt(d) ? sub.start(d) : sub.start(d) - this.start(d), sub.length(d));
    }
    return relative;
  }

  /** Makes this slice the bounding box of both; a dimension is full if it is full in either. Throws INVALID_ARGUMENT if the ranks differ. */
  updateToCover(other: TensorSlice): void {
    this.#checkSameRank(other);
    const cover = new TensorSlice();
    for (let d = 0; d < this.dims; d++) {
      if (this.isFullAt(d) || other.isFullAt(d)) {
        cover.#push(0, kFullExtent);
        continue;
      }
      const start = Math.min(this.start(d), other.start(d));
      cover.#push(start, Math.max(this.end(d), other.end(d)) - start);
    }
    for (let d = 0; d < this.dims; d++) {
      this.#starts[d] = cover.start(d);
      this.#lengths[d] = cover.length(d);
    }
  }

  /**
   * Returns the starts and sizes for Eigen's slice of a tensor of `shape`: (0, size) in a full dimension, otherwise
   * (start, length), then (0, 1) up to n dimensions. Throws INVALID_ARGUMENT if the ranks differ or n is too small.
   */
  fillIndicesAndSizes(shape: TensorShape, n: number = this.dims): { indices: number[]; sizes: number[] } {
    checkShape(shape);
    if (shape.dims !== this.dims) {
      throw new InvalidArgumentError(`Incompatible dimensions between shape and slice: ${shape.debugString()} vs ${this.debugString()}`);
    }
    if (typeof n !== "number") throw argumentError("a number of dimensions", n);
    if (n < this.dims) throw new InvalidArgumentError(`Asking for a ${n}-dim slice from a slice of dimension ${this.dims}`);
    checkCount(n, this.dims);
    const indices: number[] = [];
    const sizes: number[] = [];
    for (let d = 0; d < n; d++) {
      const given = d < this.dims;
      indices.push(given ? this.start(d) : 0);
      sizes.push(!given ? 1 : this.isFullAt(d) ? shape.dimSize(d) : this.length(d));
    }
    return { indices, sizes };
  }

  /** Returns the slice as a message: an empty extent for a full dimension, otherwise start and length. Always copies. */
  asProto(): { extent: { start?: number; length?: number }[] } {
    return { extent: Array.from(this, ([start, length], d) => (this.isFullAt(d) ? {} : { start, length })) };
  }

  /** Returns the slice's text, for example "-:0,10:14,1"; parse reads it if every extent is valid. */
  debugString(): string {
    return Array.from(this, ([start, length], d) => (this.isFullAt(d) ? "-" : `${start},${length}`)).join(":");
  }

  /** The same text as debugString. */
  toString(): string {
    return this.debugString();
  }

  /** Yields [start, length] of each dimension; [0, -1] for a full dimension. */
  *[Symbol.iterator](): Generator<[start: number, length: number], void, undefined> {
    for (let d = 0; d < this.dims; d++) yield [this.start(d), this.length(d)];
  }

  static {
    defineInspection(this.prototype, (slice) => `TensorSlice(${slice.debugString()})`);
  }

  /** Appends a computed extent. Throws INVALID_ARGUMENT if it is outside the safe range. */
  #push(start: number, length: number): void {
    checkExtent(start, length);
    this.#starts.push(start);
    this.#lengths.push(length);
  }

  #checkSameRank(other: TensorSlice): void {
    checkSlice(other);
    if (this.dims !== other.dims) {
      throw new InvalidArgumentError(`Mismatching ranks: slice = ${this.debugString()}, other slice = ${other.debugString()}`);
    }
  }

  #noDimension(d: number): OutOfRangeError {
    return new OutOfRangeError(`dimension ${shownValue(d)} is not in [0, ${this.dims}) of slice ${this.debugString()}`);
  }
}

function checkIterable(extents: unknown): void {
  if (typeof (extents as Partial<Iterable<unknown>> | null)?.[Symbol.iterator] !== "function") {
    throw new InvalidArgumentError(`Expected a list of [start, length] pairs, got ${shownValue(extents)}`);
  }
  if (typedArrayKind(extents) !== "") throw new InvalidArgumentError(`Expected [start, length] pairs, got ${shownValue(extents)}`);
}

function checkPair(extent: unknown): void {
  if (!Array.isArray(extent) || extent.length !== 2)
    throw new InvalidArgumentError(`Expected a [start, length] pair, got ${shownValue(extent)}`);
}

/** Throws INVALID_ARGUMENT unless `rank` is an integer from `least` to 254. The limit keeps a hostile count from taking much memory. */
function checkCount(rank: number, least: number): void {
  if (!Number.isInteger(rank) || rank < least || rank > Math.max(least, kMaxDimensions)) {
    throw new InvalidArgumentError(`Expected a number of dimensions from ${least} to ${kMaxDimensions}, got ${shownValue(rank)}`);
  }
}
