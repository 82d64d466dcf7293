/**
 * ForeignArray: an array of another library, described by its memory; and views of it as a tensor or a map.
 *
 *     memory   |....|element (0, 0)|....        element (i, j) is at byteOffset + (i * strides[0] + j * strides[1]) * bytes per element
 *              0    byteOffset
 *
 * Sizes and strides come from outside, so the bytes of all elements are compared with the memory before anything is made.
 */
import type { DType, RawDType } from "@onebuffer/base";
import { arraySlots, dtypeSize, FailedPreconditionError, InvalidArgumentError, typedArrayConstructor } from "@onebuffer/base";
import { checkArray, checkInteger } from "@onebuffer/base/internal";
import { countCopied } from "@onebuffer/allocator/internal";
import { Tensor } from "@onebuffer/core";
import { constStridedMap, stridedMap } from "@onebuffer/eigen";
import type { StridedMap } from "@onebuffer/eigen";
import { memoryOwnerOf, product, withMemoryOwner } from "@onebuffer/storage/internal";

/** An array in memory. */
export interface ForeignArray {
  /** What the array is called in messages: "the ndarray". */
  readonly what: string;
  readonly dtype: RawDType;
  /** The memory in which all elements must be. */
  readonly memory: Uint8Array<ArrayBufferLike>;
  /** The offset of the first element in `memory`. */
  readonly byteOffset: number;
  readonly sizes: readonly number[];
  /** The distances of neighbors in elements. */
  readonly strides: readonly number[];
}

/** Returns the strides of a row-major array. A size of 0 counts as 1, so that no stride is 0. */
export function rowMajorStrides(sizes: readonly number[]): number[] {
  const strides = new Array<number>(sizes.length);
  let stride = 1;
  for (let d = sizes.length - 1; d >= 0; d--) {
    strides[d] = stride;
    stride *= Math.max(1, sizes[d]!);
  }
  return strides;
}

/** Returns a copy of sizes that a caller gave. Throws INVALID_ARGUMENT unless they are integers from 0. */
export function checkedSizes(sizes: unknown, what: string): number[] {
  checkArray(sizes, `${what}'s shape`);
  return Array.from(sizes as readonly number[], (size, d) => {
    checkInteger(size, `${what}'s shape[${d}]`);
    return size;
  });
}

/** Returns a copy of strides that a caller gave. Throws INVALID_ARGUMENT unless they are as many integers as there are sizes. */
export function checkedStrides(strides: unknown, sizes: readonly number[], what: string): number[] {
  checkArray(strides, `${what}'s strides`);
  const copy = Array.from(strides as readonly number[], (stride, d) => {
    checkInteger(stride, `${what}'s strides[${d}]`, Number.MIN_SAFE_INTEGER);
    return stride;
  });
  if (copy.length !== sizes.length)
    throw new InvalidArgumentError(`${what} has ${sizes.length} sizes [${sizes}] and ${copy.length} strides [${copy}]`);
  return copy;
}

/** The range of memory that the elements occupy, in bytes, and the number of elements. */
interface Extent {
  readonly low: number;
  readonly end: number;
  readonly count: number;
}

/** Returns where the elements are. Throws INVALID_ARGUMENT if one of them is outside the memory. */
function extentOf({ what, dtype, memory, byteOffset, sizes, strides }: ForeignArray): Extent {
  const size = dtypeSize(dtype);
  const count = sizes.includes(0) ? 0 : product(sizes);
  let low = 0;
  let high = 0;
  if (count > 0) {
    sizes.forEach((each, d) => {
      const reach = each === 1 ? 0 : (each - 1) * strides[d]!;
      if (reach < 0) low += reach;
      else high += reach;
    });
  }
  const from = byteOffset + low * size;
  const to = count === 0 ? from : byteOffset + (high + 1) * size;
  if (!(from >= 0 && to <= memory.length && Number.isSafeInteger(count))) {
    throw new InvalidArgumentError(
      `${what}: ${dtype} elements of shape [${sizes}] and strides [${strides}] occupy the bytes ${from} to ${to}, the memory has ${memory.length}`,
    );
  }
  return { low: from, end: to, count };
}

/** Returns true if the elements follow each other in row-major order. A stride of a size of 1 is of no interest. */
function isDense(sizes: readonly number[], strides: readonly number[]): boolean {
  const dense = rowMajorStrides(sizes);
  return sizes.includes(0) || sizes.every((size, d) => size === 1 || strides[d] === dense[d]);
}

/** Returns the number of bytes that elements of a dtype must be aligned to. */
function alignmentOf(dtype: RawDType): number {
  return dtypeSize(dtype) / arraySlots(dtype);
}

function isAligned({ dtype, memory, byteOffset }: ForeignArray): boolean {
  return (memory.byteOffset + byteOffset) % alignmentOf(dtype) === 0;
}

/**
 * Returns a strided map over the memory. Never copies.
 *
 * Throws INVALID_ARGUMENT if an element is outside the memory, FAILED_PRECONDITION if the elements are not aligned or a stride of 0 repeats
 * them.
 */
export function mapOfForeign(array: ForeignArray): StridedMap<DType, number> {
  const { what, dtype, sizes } = array;
  // Without elements no stride repeats any.
  const strides = extentOf(array).count === 0 ? rowMajorStrides(sizes) : array.strides;
  if (!isAligned(array)) {
    throw new FailedPreconditionError(
      `${what}: the first ${dtype} element is at byte ${array.memory.byteOffset + array.byteOffset}, which is no multiple of ${alignmentOf(dtype)}; a tensor copies such elements`,
    );
  }
  const { elements, offset } = elementsOf(array);
  return stridedMap<DType, readonly number[]>(dtype, elements, sizes, strides, offset);
}

/** Returns the memory as the dtype's typed array, of which element 0 is a whole number of elements before the first element. */
function elementsOf({ dtype, memory, byteOffset }: ForeignArray): { readonly elements: never; readonly offset: number } {
  const size = dtypeSize(dtype);
  const before = byteOffset % size;
  const { BYTES_PER_ELEMENT } = typedArrayConstructor(dtype);
  const length = Math.floor((memory.length - before) / size) * (size / BYTES_PER_ELEMENT);
  const elements = new (typedArrayConstructor(dtype))(memory.buffer, memory.byteOffset + before, length);
  return { elements: withMemoryOwner(elements, memoryOwnerOf(memory)) as never, offset: (byteOffset - before) / size };
}

/**
 * Returns a tensor of the elements: over the same memory if they are aligned and follow each other in row-major order, otherwise of a copy.
 *
 * Throws INVALID_ARGUMENT if an element is outside the memory, RESOURCE_EXHAUSTED without memory for a copy.
 */
export function tensorOfForeign(array: ForeignArray): Tensor {
  const { dtype, memory, byteOffset, sizes, strides } = array;
  const { low, end, count } = extentOf(array);
  if (isAligned(array)) {
    if (!isDense(sizes, strides)) {
      const { elements, offset } = elementsOf(array);
      return Tensor.evaluate(constStridedMap<DType, readonly number[]>(dtype, elements, sizes, strides, offset));
    }
    const bytes = memory.subarray(byteOffset, byteOffset + count * dtypeSize(dtype));
    return Tensor.wrap(withMemoryOwner(bytes, memoryOwnerOf(memory)), sizes, { dtype });
  }
  const copy = new Uint8Array(end - low);
  copy.set(memory.subarray(low, end));
  countCopied(copy.length);
  return tensorOfForeign({ ...array, memory: copy, byteOffset: byteOffset - low });
}
