/**
 * TensorSliceProto as a plain object, and TensorFlow's two ways of reading it (tensorflow/core/framework/tensor_slice.proto).
 *
 *     message TensorSliceProto { repeated Extent extent = 1; }
 *     message Extent           { int64 start = 1; oneof has_length { int64 length = 2; } }
 *
 * An extent without a length means the whole dimension. The oneof makes "length 0" and "no length" two different
 * messages, so a length of 0 counts as present. packages/proto reads and writes the message's bytes and JSON.
 */
import type { UnknownField, Int64Field } from "@onebuffer/base";
import { checkObject, isArray, readInt64Field } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import type { ExactInt64 } from "@onebuffer/base/internal";
import { checkExtent, kFullExtent } from "./extent-check.ts";

/**
 * One dimension of a TensorSliceProto. int64 fields may be numbers, bigints or decimal text.
 *
 * @example
 * const extent: TensorSliceExtent = { start: 14, length: 1 };
 * TensorSlice.fromProto({ extent: [{}, extent] }).debugString(); // => "-:14,1"
 */
export interface TensorSliceExtent {
  /** The first index; absent means 0, as in proto3. */
  readonly start?: Int64Field | null | undefined;
  /** The number of indices; absent means the whole dimension. */
  readonly length?: Int64Field | null | undefined;
  /** Encoded fields that the reader did not know. */
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/**
 * A TensorSliceProto as a plain object.
 *
 * @example
 * const proto: TensorSliceProto = TensorSlice.parse("-:0,10").asProto();
 * proto.extent; // => [{}, { start: 0, length: 10 }]
 */
export interface TensorSliceProto {
  /** One extent per dimension. */
  readonly extent?: readonly TensorSliceExtent[] | null | undefined;
  /** Encoded fields that the reader did not know. */
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** Returns true if an extent has a length, also if it is 0. */
export function hasExtentLength(extent: TensorSliceExtent): boolean {
  checkObject(extent, "an extent");
  return extent.length !== undefined && extent.length !== null;
}

/** Returns an extent's exact length, -1 (kFullExtent) if it has none. */
function exactLength(extent: TensorSliceExtent): ExactInt64 {
  const length = extent.length;
  return length === undefined || length === null ? kFullExtent : readInt64Field(length, "length of an extent");
}

/** Returns an extent's exact start, 0 if it has none. */
function exactStart(extent: TensorSliceExtent): ExactInt64 {
  return readInt64Field(extent.start ?? 0, "start of an extent");
}

/** Returns an extent's length, -1 if it has none. Throws INVALID_ARGUMENT beyond 2^53 - 1. */
export function getExtentLength(extent: TensorSliceExtent): number {
  checkObject(extent, "an extent");
  const length = exactLength(extent);
  if (typeof length === "bigint") throw new InvalidArgumentError(`Expected a length up to ${Number.MAX_SAFE_INTEGER}, got ${length}`);
  return length;
}

/** Returns a copy of a message's extents. Throws INVALID_ARGUMENT unless they are a list of objects; a hole in the list is refused. */
function extentsOf(proto: TensorSliceProto): readonly TensorSliceExtent[] {
  const list: unknown = (proto as TensorSliceProto | null | undefined)?.extent ?? [];
  if (typeof proto !== "object" || proto === null || !isArray(list)) throw notASliceProto();
  const extents: TensorSliceExtent[] = [];
  // A `for` loop, because it stops at the first hole: `every` would go on over all holes of a sparse array, perhaps a billion.
  for (const extent of list) {
    if (typeof extent !== "object" || extent === null) throw notASliceProto();
    extents.push(extent);
  }
  return extents;
}

function notASliceProto(): InvalidArgumentError {
  return new InvalidArgumentError("Expected a TensorSliceProto: an object whose extent is a list of { start, length }");
}

/**
 * Appends a message's extents without validation (the C++ constructor from a proto).
 * Throws INVALID_ARGUMENT for values that are not an int64 or are beyond 2^53 - 1.
 */
export function extentsFromProto(proto: TensorSliceProto, starts: number[], lengths: number[]): void {
  for (const extent of extentsOf(proto)) {
    const start = exactStart(extent);
    const length = exactLength(extent);
    if (typeof start === "bigint" || typeof length === "bigint") throw endExceeds(start, extent);
    checkExtent(start, length);
    starts.push(start);
    lengths.push(length);
  }
}

/**
 * Appends a message's extents after validating each (TensorSlice::BuildTensorSlice). Start 0 with length -1 is also a full
 * extent. Throws INVALID_ARGUMENT for a negative start, a length below 1, and an end above 2^53 - 1.
 */
export function buildExtentsFromProto(proto: TensorSliceProto, starts: number[], lengths: number[]): void {
  for (const extent of extentsOf(proto)) {
    const start = exactStart(extent);
    const length = exactLength(extent);
    if (start === 0 && length === kFullExtent) {
      starts.push(0);
      lengths.push(kFullExtent);
      continue;
    }
    if (start < 0 || length <= 0) {
      throw new InvalidArgumentError(
        `Expected non-negative start and positive length but got start = ${start}, length = ${length}: extent = ${extentText(start, extent)}`,
      );
    }
    if (typeof start === "bigint" || typeof length === "bigint" || start + length > Number.MAX_SAFE_INTEGER)
      throw endExceeds(start, extent);
    starts.push(start);
    lengths.push(length);
  }
}

function endExceeds(start: ExactInt64, extent: TensorSliceExtent): InvalidArgumentError {
  return new InvalidArgumentError(`Extent end exceeds the maximum possible size: extent = ${extentText(start, extent)}`);
}

/** Returns an extent in protobuf's one-line text form: the start unless it is 0, the length if present. */
function extentText(start: ExactInt64, extent: TensorSliceExtent): string {
  const fields = start === 0 ? [] : [`start: ${start}`];
  if (hasExtentLength(extent)) fields.push(`length: ${exactLength(extent)}`);
  return fields.join(" ");
}
