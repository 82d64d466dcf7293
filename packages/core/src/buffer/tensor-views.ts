/**
 * Typed views of a tensor's bytes: makes the Eigen maps that Tensor::tensor, flat, shaped and similar methods return
 * (tensorflow/core/framework/tensor.h).
 *
 *     root     |b0 b1 b2 …                                  | one typed array over the whole root, made once
 *     buffer             |------------------------|           base = (its offset - the array's) / element size
 *     map                 data = that array, base, the root's owner, dims
 *
 * A map copies nothing and holds no reference: after the root's last `unref` every access through it throws. The byte offset of a
 * view must be a multiple of the typed array's element size (of 64 in TensorFlow); `unaligned*` views accept any offset.
 */

import type { DType, RawDType, TypedArrayOf } from "@onebuffer/base";
import {
  allDTypes,
  arraySlots,
  dataTypeString,
  dtypeOf,
  FailedPreconditionError,
  InvalidArgumentError,
  isObjectDType,
  typedArrayConstructor,
} from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import type { MemoryOwner, TensorMap } from "@onebuffer/eigen";
import type { TensorMapKind } from "@onebuffer/expression/internal";
import { tensorMapKind, unalignedTensorMap } from "@onebuffer/eigen/internal";
import { kUnowned, withMemoryOwner } from "@onebuffer/storage/internal";
import type { TensorBuffer } from "./tensor-buffer.ts";
import { elementSizeOf } from "./typed-allocator.ts";

/** The properties of a dtype that are needed to make a view, looked up by DataType number. */
interface ViewType<D extends DType> {
  readonly dtype: D;
  readonly kind: TensorMapKind<D>;
  /** True if the elements are JavaScript values. */
  readonly isObject: boolean;
  /** The size of an element in bytes: 8 for complex64. */
  readonly bytes: number;
  /** The required alignment in bytes: 4 for complex64, which is stored as two floats. */
  readonly unit: number;
  /** The number of typed array slots per element: 2 for complex dtypes, otherwise 1. */
  readonly slots: number;
}

function viewType<D extends DType>(dtype: D): ViewType<D> {
  const isObject = isObjectDType(dtype);
  const slots = isObject ? 1 : arraySlots(dtype as RawDType);
  const bytes = elementSizeOf(dtype);
  return { dtype, kind: tensorMapKind(dtype), isObject, bytes, unit: bytes / slots, slots };
}

/** The view types made so far, by DataType number. */
const kTypes: (ViewType<DType> | undefined)[] = new Array<ViewType<DType> | undefined>(allDTypes.length + 1).fill(undefined);

/** Returns the view type of a DataType number. The number comes from a shape, so it is always valid. */
function typeOf<D extends DType>(dataType: number): ViewType<D> {
  return (kTypes[dataType] ?? makeType(dataType)) as unknown as ViewType<D>;
}

/** Makes the view type of a DataType number, and with it the map classes, when a tensor of that dtype is first viewed. */
function makeType(dataType: number): ViewType<DType> {
  return (kTypes[dataType] = viewType(dtypeOf(dataType)));
}

/** Throws INVALID_ARGUMENT if a view's dtype is not the tensor's: TensorFlow's message, then the dtypes as a caller writes them. */
export function checkDType(expected: number, got: number): void {
  if (expected === got) return;
  const [asked, held] = [shownValue(dtypeOf(expected)), shownValue(dtypeOf(got))];
  throw new InvalidArgumentError(
    `${nameOf(expected)} expected, got ${nameOf(got)}: the tensor's dtype is ${held}, not ${asked}; cast(${asked}) of a map converts, bitCastedTensor reinterprets the bytes`,
  );
}

/**
 * Throws INVALID_ARGUMENT with TensorFlow's message if a view's rank is not the tensor's. With `hint`, the message names the views that
 * fit.
 */
export function checkRank(expected: number | undefined, got: number, hint: boolean = true): void {
  if (expected !== got) throw rankError(expected, got, hint);
}

/** Makes the error of `checkRank`, a separate function so that the check is small enough to be inlined. */
function rankError(expected: number | undefined, got: number, hint: boolean): InvalidArgumentError {
  if (expected === undefined) return new InvalidArgumentError(`expected the number of dimensions, as in tensor(${got}), got undefined`);
  const views = `: tensor(${got}) or ${expected === 1 ? "flat()" : `flatInnerDims(${shownValue(expected)})`}`;
  return new InvalidArgumentError(
    `Asking for tensor of ${shownValue(expected)} dimensions from a tensor of ${got} dimensions${hint ? views : ""}`,
  );
}

/** Throws INVALID_ARGUMENT if the element counts (or byte counts) differ. */
export function checkCount(asked: number, held: number, what: string = "elements"): void {
  if (asked !== held) throw new InvalidArgumentError(`the view asks for ${asked} ${what}, the tensor holds ${held} (${asked} vs. ${held})`);
}

/** A view of `sizes`, which multiply to `count`. Copies: never. */
export function viewOfSizes<D extends DType, R extends number>(
  dataType: number,
  buffer: TensorBuffer | null,
  count: number,
  sizes: readonly number[],
): TensorMap<D, R> {
  return alignedView(typeOf<D>(dataType), buffer, count, sizes) as TensorMap<D, R>;
}

/** A view of rank 0. */
export function viewOfScalar<D extends DType>(dataType: number, buffer: TensorBuffer | null): TensorMap<D, 0> {
  return alignedView(typeOf<D>(dataType), buffer, 1, []) as TensorMap<D, 0>;
}

/** A view of rank 1. The fast path makes no array of sizes. */
export function viewOfLength<D extends DType>(dataType: number, buffer: TensorBuffer | null, d0: number): TensorMap<D, 1> {
  const type = typeOf<D>(dataType);
  if (buffer !== null && d0 !== 0 && buffer.hasData) {
    const data = rootArray(type, buffer);
    const base = baseIn(type, buffer);
    if (data !== null && base % 1 === 0) return type.kind.vec(data, base, buffer.owner, d0);
  }
  return alignedView(type, buffer, d0, [d0]) as TensorMap<D, 1>;
}

/** A view of rank 2. The fast path makes no array of sizes. */
export function viewOfPair<D extends DType>(dataType: number, buffer: TensorBuffer | null, d0: number, d1: number): TensorMap<D, 2> {
  const type = typeOf<D>(dataType);
  const count = d0 * d1;
  if (buffer !== null && count !== 0 && buffer.hasData) {
    const data = rootArray(type, buffer);
    const base = baseIn(type, buffer);
    if (data !== null && base % 1 === 0) return type.kind.matrix(data, base, buffer.owner, d0, d1);
  }
  return alignedView(type, buffer, count, [d0, d1]) as TensorMap<D, 2>;
}

/** A view at any byte offset: an ordinary map if the bytes happen to be aligned, otherwise a map that reads byte by byte. */
export function unalignedViewOfSizes<D extends DType, R extends number>(
  dataType: number,
  buffer: TensorBuffer | null,
  count: number,
  sizes: readonly number[],
): TensorMap<D, R> {
  const type = typeOf<D>(dataType);
  const view = specialView(type, buffer, count, sizes);
  if (view !== null) return view as TensorMap<D, R>;
  const held = dataOf(buffer, count);
  const map: unknown = unalignedTensorMap(type.dtype as RawDType, held.memory as ArrayBufferLike, held.byteOffset, held.owner, sizes);
  return map as TensorMap<D, R>;
}

/** Returns TensorFlow's name of a dtype, for error messages. */
function nameOf(dataType: number): string {
  return dataTypeString(dataType);
}

/** Returns the array of the root's elements; null if the root's offset is not aligned for them. */
function rootArray<D extends DType>(type: ViewType<D>, buffer: TensorBuffer): TypedArrayOf<D> | null {
  if (!type.isObject) return buffer.typedArray(type.dtype as RawDType) as TypedArrayOf<D> | null;
  if (buffer.elements === null) throw new InvalidArgumentError(`raw bytes cannot be viewed as elements of ${type.dtype}`);
  return buffer.elements as TypedArrayOf<D>;
}

/**
 * Returns the index of the buffer's first element in the root's array, in elements. The index is a fraction if the buffer does not
 * begin at an element boundary.
 */
function baseIn<D extends DType>(type: ViewType<D>, buffer: TensorBuffer): number {
  const root = buffer.rootBuffer;
  return root === buffer ? 0 : (buffer.byteOffset - root.byteOffset) / type.bytes;
}

/**
 * Makes a view in the cases that the fast path does not cover: no elements, no data, or a place that is not at an element boundary
 * of the root's array. Returns null if the bytes are not aligned.
 */
function specialView<D extends DType>(type: ViewType<D>, buffer: TensorBuffer | null, count: number, sizes: readonly number[]): unknown {
  const { dtype, kind } = type;
  if (count === 0) {
    const empty = type.isObject ? [] : new (typedArrayConstructor(dtype as RawDType))(0);
    return mapOf(kind, empty as TypedArrayOf<D>, 0, buffer === null ? kUnowned : buffer.owner, sizes);
  }
  const held = dataOf(buffer, count);
  const data = rootArray(type, held);
  const base = baseIn(type, held);
  if (data !== null && Number.isInteger(base)) return mapOf(kind, data, base, held.owner, sizes);
  if (held.byteOffset % type.unit !== 0) return null;
  // The buffer's own offset is aligned although it is not at an element boundary of the root's array: make a new array for it.
  const array = new (typedArrayConstructor(dtype as RawDType))(held.memory as ArrayBufferLike, held.byteOffset, count * type.slots);
  return mapOf(kind, withMemoryOwner(array, held.owner) as TypedArrayOf<D>, 0, held.owner, sizes);
}

/** Returns the buffer. Throws FAILED_PRECONDITION if it is null or has no data. */
function dataOf(buffer: TensorBuffer | null, count: number): TensorBuffer {
  if (buffer === null || !buffer.hasData)
    throw new FailedPreconditionError(`the tensor is not initialized: it claims ${count} elements and has no data`);
  return buffer;
}

/** Makes the map class for the rank `sizes.length`. The result is `unknown` because the rank's type is known only to the caller. */
function mapOf<D extends DType>(
  kind: TensorMapKind<D>,
  data: TypedArrayOf<D>,
  base: number,
  owner: MemoryOwner,
  sizes: readonly number[],
): unknown {
  // Not destructured: destructuring would run the array's iterator, which is slower.
  const d0 = sizes[0] ?? 0;
  const d1 = sizes[1] ?? 0;
  const d2 = sizes[2] ?? 0;
  const d3 = sizes[3] ?? 0;
  switch (sizes.length) {
    case 0:
      return kind.scalar(data, base, owner);
    case 1:
      return kind.vec(data, base, owner, d0);
    case 2:
      return kind.matrix(data, base, owner, d0, d1);
    case 3:
      return kind.tensor3(data, base, owner, d0, d1, d2);
    case 4:
      return kind.tensor4(data, base, owner, d0, d1, d2, d3);
    default:
      return kind.general(data, base, owner, sizes);
  }
}

/** As specialView, but throws FAILED_PRECONDITION naming the offset if the bytes are not aligned. */
function alignedView<D extends DType>(type: ViewType<D>, buffer: TensorBuffer | null, count: number, sizes: readonly number[]): unknown {
  const view = specialView(type, buffer, count, sizes);
  if (view !== null) return view;
  throw new FailedPreconditionError(
    `byte offset ${buffer?.byteOffset ?? 0} is not a multiple of ${type.unit}, the element size of ${type.dtype}; ` +
      "unalignedFlat and unalignedShaped read such bytes",
  );
}
