/**
 * TypedAllocator: allocates elements of a dtype from an allocator of bytes (tensorflow/core/framework/typed_allocator.h).
 *
 * Fixed-size elements are plain bytes. For string, variant and resource TensorFlow constructs C++ objects in the bytes. A
 * JavaScript value cannot be stored in bytes, so the values are in an array beside them. As many bytes as in TensorFlow are
 * allocated all the same, so that allocators, limits, statistics and failures treat object buffers as TensorFlow's do. These
 * bytes are never touched, so the operating system need not back them with pages.
 */
import type { DType, ObjectDType } from "@onebuffer/base";
import { InternalError, InvalidArgumentError, isObjectDType } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { objectLifecycleOf } from "@onebuffer/storage/internal";
import type { AllocationAttributes, Allocator, Pointer } from "@onebuffer/allocator";
import { kAllocatorAlignment } from "@onebuffer/allocator";
import { byteLengthOf, checkAllocator, checkPointer } from "@onebuffer/allocator/internal";
import { elementKind } from "../element/element-kind.ts";
import type { ElementKind } from "../element/element-kind.ts";
import { constructElements, destroyElements, elementLifecycle } from "../element/object-elements.ts";
import type { TensorBuffer } from "./tensor-buffer.ts";

/**
 * Returns the number of bytes that one element of `dtype` takes in a buffer: the dtype's size, or `sizeof` of TensorFlow's class for
 * an object dtype. Throws INVALID_ARGUMENT if there is no such dtype.
 *
 * @example
 * elementSizeOf("float32"); // => 4
 * elementSizeOf("string"); // => 24
 * elementSizeOf("float31" as DType); // throws INVALID_ARGUMENT
 */
export function elementSizeOf(dtype: DType): number {
  return elementKind(dtype).size;
}

/** A Pointer to elements of an object dtype: the allocator's pointer to the reserved bytes, and the values. */
export interface ObjectPointer extends Pointer {
  /** The pointer that the allocator returned; deallocation passes it back. */
  readonly bytes: Pointer;
  /** The values; null if the allocator returns opaque handles, whose elements the host does not construct. */
  readonly elements: unknown[] | null;
}

/**
 * `TypedAllocator.allocate` for an ElementKind that the caller has looked up. Errors are thrown by separate functions, so that this one
 * is small enough to be inlined.
 */
export function allocateElements(
  allocator: Allocator,
  kind: ElementKind,
  numElements: number,
  attributes?: AllocationAttributes,
): Pointer | null {
  const { object } = kind;
  // Any number that is not a valid count, NaN included, fails one of these comparisons.
  if (!(typeof numElements === "number" && numElements >= 0 && numElements % 1 === 0)) throw countError(numElements);
  const numBytes = numElements * kind.size;
  if (numBytes > Number.MAX_SAFE_INTEGER) return null;
  if (object !== null) elementLifecycle(object); // throws for an unknown dtype, before anything is allocated
  const pointer = allocator.allocateRaw(kAllocatorAlignment, numBytes, attributes);
  if (pointer === null) return null;
  // An allocator of the program may return anything. What is no Pointer fails one of these comparisons.
  const byteOffset = (pointer as Pointer | undefined)?.byteOffset as number;
  if (!(byteOffset >= 0 && byteOffset + numBytes <= byteLengthOf(pointer.buffer))) checkOpaque(allocator, pointer, numBytes);
  return object === null ? pointer : withElements(allocator, object, numElements, pointer, numBytes);
}

/** The error of a number of elements that is not a non-negative integer. */
function countError(numElements: number): InvalidArgumentError {
  return new InvalidArgumentError(`number of elements must be a non-negative integer, got ${shownValue(numElements)}`);
}

/**
 * Throws INTERNAL for what is no Pointer; deallocates one that lies outside its memory and throws INTERNAL, unless the allocator's pointers are
 * opaque handles.
 */
function checkOpaque(allocator: Allocator, pointer: Pointer, numBytes: number): void {
  if (typeof pointer !== "object" || typeof pointer.buffer !== "object")
    throw new InternalError(`allocator "${allocator.name}" gave ${shownValue(pointer)} for ${numBytes} bytes, not a Pointer`);
  if (allocator.allocatesOpaqueHandle()) return;
  allocator.deallocateRaw(pointer, kAllocatorAlignment, numBytes);
  throw new InternalError(
    `allocator "${allocator.name}" gave ${numBytes} bytes at ${pointer.byteOffset} of a memory of ${pointer.buffer.byteLength} bytes`,
  );
}

/** Constructs the values for newly allocated bytes. If there are too many for one array, deallocates the bytes and returns null. */
function withElements(allocator: Allocator, dtype: ObjectDType, count: number, bytes: Pointer, numBytes: number): ObjectPointer | null {
  const { buffer, byteOffset } = bytes;
  if (allocator.allocatesOpaqueHandle()) return { buffer, byteOffset, bytes, elements: null };
  const elements = constructElements(dtype, count);
  if (elements !== null) return { buffer, byteOffset, bytes, elements };
  allocator.deallocateRaw(bytes, kAllocatorAlignment, numBytes);
  return null;
}

/** `TypedAllocator.deallocate` for an ElementKind that the caller has looked up and a size in bytes. */
export function deallocateElements(allocator: Allocator, kind: ElementKind, pointer: Pointer | null, numBytes: number): void {
  if (pointer === null) return;
  const { object } = kind;
  if (object === null) {
    allocator.deallocateRaw(pointer, kAllocatorAlignment, numBytes);
    return;
  }
  const { bytes, elements } = pointer as ObjectPointer;
  try {
    if (elements !== null) destroyElements(object, elements);
  } finally {
    allocator.deallocateRaw(bytes, kAllocatorAlignment, numBytes);
  }
}

/**
 * Returns true if the buffer's data can be elements of `dtype`. A raw dtype needs raw bytes. An object dtype needs values of exactly
 * that dtype, and the buffer must begin at the boundary of a value.
 */
export function holdsElementsOf(buffer: TensorBuffer, dtype: DType): boolean {
  const { elements, elementOffset } = buffer;
  if (!isObjectDType(dtype)) return elements === null;
  if (elements === null || !Number.isInteger(elementOffset)) return false;
  return objectLifecycleOf(elements) === (dtype === "string" ? null : elementLifecycle(dtype));
}

/* Overloaded by dtype: for an object dtype the returned pointer has the values, too. */
function allocate(allocator: Allocator, dtype: ObjectDType, numElements: number, attributes?: AllocationAttributes): ObjectPointer | null;
function allocate(allocator: Allocator, dtype: DType, numElements: number, attributes?: AllocationAttributes): Pointer | null;
function allocate(allocator: Allocator, dtype: DType, numElements: number, attributes?: AllocationAttributes): Pointer | null {
  checkAllocator(allocator);
  return allocateElements(allocator, elementKind(dtype), numElements, attributes);
}

function deallocate(allocator: Allocator, dtype: DType, pointer: Pointer | null, numElements: number): void {
  checkAllocator(allocator);
  if (pointer !== null) checkPointer(pointer);
  const kind = elementKind(dtype);
  if (!(Number.isInteger(numElements) && numElements >= 0)) throw countError(numElements);
  deallocateElements(allocator, kind, pointer, numElements * kind.size);
}

/**
 * TensorFlow's TypedAllocator: `allocate(allocator, dtype, n, attributes?)` and `deallocate(allocator, dtype, pointer, n)`.
 *
 * `allocate` returns null if n times the element size exceeds 2^53 - 1 (TF: SIZE_MAX) or the allocator has no room. It throws
 * INVALID_ARGUMENT if n is not a non-negative integer, and INTERNAL if the allocator returns no Pointer, or one outside its memory.
 * `deallocate` destroys the elements and deallocates the bytes; it ignores a null pointer and refuses such an n alike.
 *
 * @example
 * TypedAllocator.allocate(cpuAllocator(), "float32", 4)?.buffer.byteLength; // => 16
 * TypedAllocator.allocate(cpuAllocator(), "float32", 2 ** 62); // => null
 * TypedAllocator.allocate(cpuAllocator(), "string", 2)?.elements?.length; // => 2
 * TypedAllocator.allocate(cpuAllocator(), "float32", -1); // throws INVALID_ARGUMENT
 */
export const TypedAllocator: {
  readonly allocate: typeof allocate;
  readonly deallocate: typeof deallocate;
} = { allocate, deallocate };
