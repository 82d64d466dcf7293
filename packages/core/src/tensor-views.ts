/**
 * Typed views of a tensor's bytes: how Tensor::tensor, flat, shaped and their relatives make Eigen maps (tensorflow/core/framework/tensor.h).
 *
 *     root     |b0 b1 b2 …                                  | one typed array over the whole root, made once
 *     buffer             |------------------------|           base = (its offset - the array's) / element size
 *     map                 data = that array, base, owner = root, dims
 *
 * A map copies nothing and holds no reference: after the root's last unref it throws. A view needs its first byte on a
 * multiple of the typed array's element size, not of 64 as in TensorFlow; `unaligned*` views need not even that.
 */
import { FailedPreconditionError, InvalidArgumentError, arraySlots, dataTypeString, isObjectDType, typedArrayConstructor } from "@onebuffer/base";
import type { DType, RawDType, TypedArrayOf } from "@onebuffer/base";
import { UNOWNED, tensorMapKind, unalignedTensorMap } from "@onebuffer/eigen";
import type { MemoryOwner, TensorMap, TensorMapKind } from "@onebuffer/eigen";
import type { TensorBuffer } from "./tensor-buffer.ts";

/** The array a map reads through and where in it the first element stands. */
interface Place<D extends DType> {
  readonly data: TypedArrayOf<D>;
  readonly base: number;
}

/** What the error messages call a dtype: TensorFlow's name for it. */
function nameOf(dataType: number): string {
  return dataTypeString(dataType as Parameters<typeof dataTypeString>[0]);
}

/** Throws INVALID_ARGUMENT with TensorFlow's words when a view asks for another dtype than the tensor's. */
export function checkDType(expected: number, got: number): void {
  if (expected !== got) throw new InvalidArgumentError(`${nameOf(expected)} expected, got ${nameOf(got)}`);
}

/** Throws INVALID_ARGUMENT with TensorFlow's words when a view asks for another rank than the tensor's. */
export function checkRank(expected: number, got: number): void {
  if (expected !== got)
    throw new InvalidArgumentError(`Asking for tensor of ${expected} dimensions from a tensor of ${got} dimensions`);
}

/** Throws INVALID_ARGUMENT when element counts (or byte counts) differ. */
export function checkCount(asked: number, held: number, what: string = "elements"): void {
  if (asked !== held)
    throw new InvalidArgumentError(`the view asks for ${asked} ${what}, the tensor holds ${held} (${asked} vs. ${held})`);
}

/** The buffer, if it has data; FAILED_PRECONDITION if elements are claimed without. */
function dataOf(buffer: TensorBuffer | null, count: number): TensorBuffer {
  if (buffer === null || !buffer.hasData)
    throw new FailedPreconditionError(`the tensor is not initialized: it claims ${count} elements and has no data`);
  return buffer;
}

/** Array and base for `count` elements of `dtype` in `buffer`; null where the bytes are not aligned to the elements. */
function placeOf<D extends DType>(dtype: D, buffer: TensorBuffer, count: number): Place<D> | null {
  if (isObjectDType(dtype)) {
    if (buffer.elements === null) throw new InvalidArgumentError(`raw bytes cannot be viewed as elements of ${dtype}`);
    return { data: buffer.elements as TypedArrayOf<D>, base: buffer.elementOffset };
  }
  const raw = dtype as RawDType & D;
  const slots = arraySlots(raw);
  let data = buffer.typedArray(raw) as TypedArrayOf<RawDType> | null;
  const bytes = data === null ? typedArrayConstructor(raw).BYTES_PER_ELEMENT : data.BYTES_PER_ELEMENT;
  const offset = buffer.byteOffset;
  let base = data === null ? -1 : (offset - data.byteOffset) / (bytes * slots);
  if ((base | 0) !== base && !Number.isInteger(base)) base = -1;
  if (base < 0 || data === null) {
    if (offset % bytes !== 0) return null;
    // The root's own start is not aligned for this element, the place inside it is: an array of its own.
    data = new (typedArrayConstructor(raw))(buffer.memory as ArrayBufferLike, offset, count * slots) as TypedArrayOf<RawDType>;
    base = 0;
  }
  if ((base + count) * slots > data.length)
    throw new FailedPreconditionError(`the tensor's memory was detached or has shrunk: ${count} elements of ${dtype} no longer fit`);
  return { data: data as TypedArrayOf<D>, base };
}

/** As placeOf, but unaligned bytes are refused naming the offset. */
function alignedPlace<D extends DType>(dtype: D, buffer: TensorBuffer, count: number): Place<D> {
  const place = placeOf(dtype, buffer, count);
  if (place !== null) return place;
  const bytes = typedArrayConstructor(dtype as RawDType).BYTES_PER_ELEMENT;
  throw new FailedPreconditionError(
    `byte offset ${buffer.byteOffset} is not a multiple of ${bytes}, the element size of ${dtype}; ` +
      "unalignedFlat and unalignedShaped read such bytes",
  );
}

/** An array to stand behind maps without elements. */
function emptyArray<D extends DType>(dtype: D): TypedArrayOf<D> {
  return (isObjectDType(dtype) ? [] : new (typedArrayConstructor(dtype as RawDType))(0)) as TypedArrayOf<D>;
}

/** The owner a map of this buffer carries: its root's token, whose `refs` reaches 0 when the bytes go. */
function ownerOf(buffer: TensorBuffer | null): MemoryOwner {
  return buffer === null ? UNOWNED : buffer.owner;
}

/** A view of `sizes`, which multiply to `count`. Copies: never. */
export function viewOfSizes<D extends DType, R extends number>(dtype: D, buffer: TensorBuffer | null, count: number, sizes: readonly number[]): TensorMap<D, R> {
  const place = count === 0 ? { data: emptyArray(dtype), base: 0 } : alignedPlace(dtype, dataOf(buffer, count), count);
  return mapOf(tensorMapKind(dtype), place, ownerOf(buffer), sizes) as TensorMap<D, R>;
}

/** The map of the right rank; which one that is, only the caller's types know. */
function mapOf<D extends DType>(kind: TensorMapKind<D>, { data, base }: Place<D>, owner: MemoryOwner, sizes: readonly number[]): unknown {
  const [d0 = 0, d1 = 0, d2 = 0, d3 = 0, d4 = 0, d5 = 0] = sizes;
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

/** A view of rank 0. */
export function viewOfScalar<D extends DType>(dtype: D, buffer: TensorBuffer | null): TensorMap<D, 0> {
  const { data, base } = alignedPlace(dtype, dataOf(buffer, 1), 1);
  return tensorMapKind(dtype).scalar(data, base, ownerOf(buffer));
}

/** A view of rank 1, without a list of sizes. */
export function viewOfLength<D extends DType>(dtype: D, buffer: TensorBuffer | null, d0: number): TensorMap<D, 1> {
  const { data, base } = d0 === 0 ? { data: emptyArray(dtype), base: 0 } : alignedPlace(dtype, dataOf(buffer, d0), d0);
  return tensorMapKind(dtype).vec(data, base, ownerOf(buffer), d0);
}

/** A view of rank 2, without a list of sizes. */
export function viewOfPair<D extends DType>(dtype: D, buffer: TensorBuffer | null, d0: number, d1: number): TensorMap<D, 2> {
  const count = d0 * d1;
  const { data, base } = count === 0 ? { data: emptyArray(dtype), base: 0 } : alignedPlace(dtype, dataOf(buffer, count), count);
  return tensorMapKind(dtype).matrix(data, base, ownerOf(buffer), d0, d1);
}

/** A view that reads any offset: the ordinary one where the bytes happen to be aligned, otherwise byte by byte. */
export function unalignedViewOfSizes<D extends DType, R extends number>(
  dtype: D,
  buffer: TensorBuffer | null,
  count: number,
  sizes: readonly number[],
): TensorMap<D, R> {
  if (count === 0 || placeOf(dtype, dataOf(buffer, count), count) !== null) return viewOfSizes(dtype, buffer, count, sizes);
  const held = dataOf(buffer, count);
  const map: unknown = unalignedTensorMap(dtype as RawDType, held.memory as ArrayBufferLike, held.byteOffset, held.owner, sizes);
  return map as TensorMap<D, R>;
}
