/**
 * Typed views of a tensor's bytes: how Tensor::tensor, flat, shaped and their relatives make Eigen maps
 * (tensorflow/core/framework/tensor.h).
 *
 *     root     |b0 b1 b2 …                                  | one typed array over the whole root, made once
 *     buffer             |------------------------|           base = (its offset - the array's) / element size
 *     map                 data = that array, base, the root's owner, dims
 *
 * A map copies nothing and holds no reference: after the root's last unref it throws. A view needs its first byte on a
 * multiple of the typed array's element size, not of 64 as in TensorFlow; `unaligned*` views need not even that.
 */

import type { DType, RawDType, TypedArrayOf } from "@onebuffer/base";
import {
  allDTypes,
  arraySlots,
  dataTypeString,
  FailedPreconditionError,
  InvalidArgumentError,
  isObjectDType,
  shownValue,
  typedArrayConstructor,
} from "@onebuffer/base";
import type { MemoryOwner, TensorMap, TensorMapKind } from "@onebuffer/eigen";
import { tensorMapKind, kUnowned, unalignedTensorMap, withMemoryOwner } from "@onebuffer/eigen";
import type { TensorBuffer } from "./tensor-buffer.ts";
import { elementSizeOf } from "./typed-allocator.ts";

/** What making a view needs to know of a dtype, looked up by DataType number. */
interface ViewType<D extends DType> {
  readonly dtype: D;
  readonly kind: TensorMapKind<D>;
  /** Whether the elements are JavaScript values. */
  readonly isObject: boolean;
  /** Bytes from one element to the next: 8 for complex64. */
  readonly bytes: number;
  /** What a byte offset must be a multiple of: 4 for complex64, whose parts are floats. */
  readonly unit: number;
  readonly slots: number;
}

function viewType<D extends DType>(dtype: D): ViewType<D> {
  const isObject = isObjectDType(dtype);
  const slots = isObject ? 1 : arraySlots(dtype as RawDType);
  const bytes = elementSizeOf(dtype);
  return { dtype, kind: tensorMapKind(dtype), isObject, bytes, unit: bytes / slots, slots };
}

const kTypes: readonly (ViewType<DType> | undefined)[] = [undefined, ...allDTypes.map((dtype) => viewType<DType>(dtype))];

/** The view type of a DataType number that a shape carries, and so is one of TensorFlow's. */
function typeOf<D extends DType>(dataType: number): ViewType<D> {
  return kTypes[dataType] as ViewType<DType> as unknown as ViewType<D>;
}

/** What the error messages call a dtype: TensorFlow's name for it. */
function nameOf(dataType: number): string {
  return dataTypeString(dataType);
}

/** Throws INVALID_ARGUMENT with TensorFlow's words when a view asks for another dtype than the tensor's. */
export function checkDType(expected: number, got: number): void {
  if (expected !== got) throw new InvalidArgumentError(`${nameOf(expected)} expected, got ${nameOf(got)}`);
}

/** Throws INVALID_ARGUMENT with TensorFlow's words when a view asks for another rank than the tensor's. */
export function checkRank(expected: number, got: number): void {
  if (expected !== got)
    throw new InvalidArgumentError(`Asking for tensor of ${shownValue(expected)} dimensions from a tensor of ${got} dimensions`);
}

/** Throws INVALID_ARGUMENT when element counts (or byte counts) differ. */
export function checkCount(asked: number, held: number, what: string = "elements"): void {
  if (asked !== held) throw new InvalidArgumentError(`the view asks for ${asked} ${what}, the tensor holds ${held} (${asked} vs. ${held})`);
}

/** The root's one array for this type, null where its start is not aligned to the elements. */
function rootArray<D extends DType>(type: ViewType<D>, buffer: TensorBuffer): TypedArrayOf<D> | null {
  if (!type.isObject) return buffer.typedArray(type.dtype as RawDType) as TypedArrayOf<D> | null;
  if (buffer.elements === null) throw new InvalidArgumentError(`raw bytes cannot be viewed as elements of ${type.dtype}`);
  return buffer.elements as TypedArrayOf<D>;
}

/**
 * Where in the root's array the buffer's first element stands, as a number of elements; a fraction where it is not
 * aligned.
 */
function baseIn<D extends DType>(type: ViewType<D>, buffer: TensorBuffer): number {
  const root = buffer.rootBuffer;
  return root === buffer ? 0 : (buffer.byteOffset - root.byteOffset) / type.bytes;
}

/**
 * The view where the quick way fails: no elements, no data, or a place that the root's own array does not reach. Null
 * where the bytes are not aligned at all.
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
  // The root's own start is not aligned for this element, the place inside it is: an array of its own.
  const array = new (typedArrayConstructor(dtype as RawDType))(held.memory as ArrayBufferLike, held.byteOffset, count * type.slots);
  return mapOf(kind, withMemoryOwner(array, held.owner) as TypedArrayOf<D>, 0, held.owner, sizes);
}

/** The buffer, if it has data; FAILED_PRECONDITION if elements are claimed without. */
function dataOf(buffer: TensorBuffer | null, count: number): TensorBuffer {
  if (buffer === null || !buffer.hasData)
    throw new FailedPreconditionError(`the tensor is not initialized: it claims ${count} elements and has no data`);
  return buffer;
}

/** The map of the right rank; which one that is, only the caller's types know. */
function mapOf<D extends DType>(
  kind: TensorMapKind<D>,
  data: TypedArrayOf<D>,
  base: number,
  owner: MemoryOwner,
  sizes: readonly number[],
): unknown {
  // Index by index: destructuring would run the list's iterator.
  const d0 = sizes[0] ?? 0;
  const d1 = sizes[1] ?? 0;
  const d2 = sizes[2] ?? 0;
  const d3 = sizes[3] ?? 0;
  const d4 = sizes[4] ?? 0;
  const d5 = sizes[5] ?? 0;
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
    case 5:
      return kind.tensor5(data, base, owner, d0, d1, d2, d3, d4);
    case 6:
      return kind.tensor6(data, base, owner, d0, d1, d2, d3, d4, d5);
    default:
      return kind.general(data, base, owner, sizes);
  }
}

/** As specialView, but unaligned bytes are refused naming the offset. */
function alignedView<D extends DType>(type: ViewType<D>, buffer: TensorBuffer | null, count: number, sizes: readonly number[]): unknown {
  const view = specialView(type, buffer, count, sizes);
  if (view !== null) return view;
  throw new FailedPreconditionError(
    `byte offset ${buffer?.byteOffset ?? 0} is not a multiple of ${type.unit}, the element size of ${type.dtype}; ` +
      "unalignedFlat and unalignedShaped read such bytes",
  );
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

/** A view of rank 1, without a list of sizes where it is quick. */
export function viewOfLength<D extends DType>(dataType: number, buffer: TensorBuffer | null, d0: number): TensorMap<D, 1> {
  const type = typeOf<D>(dataType);
  if (buffer !== null && d0 !== 0 && buffer.hasData) {
    const data = rootArray(type, buffer);
    const base = baseIn(type, buffer);
    if (data !== null && base % 1 === 0) return type.kind.vec(data, base, buffer.owner, d0);
  }
  return alignedView(type, buffer, d0, [d0]) as TensorMap<D, 1>;
}

/** A view of rank 2, without a list of sizes where it is quick. */
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

/** A view that reads any offset: the ordinary one where the bytes happen to be aligned, otherwise byte by byte. */
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
