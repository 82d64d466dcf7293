/**
 * TypedAllocator: elements of a dtype from an allocator of bytes (tensorflow/core/framework/typed_allocator.h).
 *
 * Fixed-size elements are bytes and nothing else. For string, variant and resource TensorFlow places C++ objects into
 * the bytes; a JavaScript value cannot live there, so the values stand in an array beside them. The bytes are still
 * asked for, as many as TensorFlow would: then every allocator, limit, statistic and failure sees object buffers
 * just as TensorFlow's do. They are never touched, so the system need not back them with pages.
 */
import type { DType, ObjectDType } from "@onebuffer/base";
import { InternalError, InvalidArgumentError, isObjectDType, shownValue } from "@onebuffer/base";
import { objectLifecycleOf } from "@onebuffer/eigen";
import type { AllocationAttributes, Allocator, Pointer } from "@onebuffer/allocator";
import { kAllocatorAlignment } from "@onebuffer/allocator";
import { byteLengthOf, checkAllocator, checkPointer } from "@onebuffer/allocator/internal";
import { elementKind } from "../element/element-kind.ts";
import type { ElementKind } from "../element/element-kind.ts";
import { constructElements, destroyElements, elementLifecycle } from "../element/object-elements.ts";
import type { TensorBuffer } from "./tensor-buffer.ts";

/**
 * Bytes that one element of `dtype` takes in a buffer: the dtype's size, or `sizeof` of TensorFlow's element class.
 * Throws INVALID_ARGUMENT when there is no such dtype.
 *
 * @example
 * elementSizeOf("float32"); // => 4
 * elementSizeOf("string"); // => 24
 * elementSizeOf("float31" as DType); // throws INVALID_ARGUMENT
 */
export function elementSizeOf(dtype: DType): number {
  return elementKind(dtype).size;
}

/** A Pointer to elements of an object dtype: the bytes as the allocator gave them, and the values beside them. */
export interface ObjectPointer extends Pointer {
  /** What the allocator returned, to be given back to it. */
  readonly bytes: Pointer;
  /** The values; null when the allocator hands out opaque handles, whose elements the host does not construct. */
  readonly elements: unknown[] | null;
}

/** `TypedAllocator.allocate` for a kind of element that was looked up before. Errors are made apart, so that it can be inlined. */
export function allocateElements(
  allocator: Allocator,
  kind: ElementKind,
  numElements: number,
  attributes?: AllocationAttributes,
): Pointer | null {
  const { object } = kind;
  const numBytes = numElements * kind.size;
  // Any number that is no count, NaN included, fails one of these.
  if (!(typeof numElements === "number" && numElements >= 0 && numElements % 1 === 0 && numBytes <= Number.MAX_SAFE_INTEGER))
    return refuseCount(numElements);
  if (object !== null) elementLifecycle(object); // throws, before anything is taken, when none is registered
  const pointer = allocator.allocateRaw(kAllocatorAlignment, numBytes, attributes);
  if (pointer === null) return null;
  const { byteOffset } = pointer;
  if (!(byteOffset >= 0 && byteOffset + numBytes <= byteLengthOf(pointer.buffer))) checkOpaque(allocator, pointer, numBytes);
  return object === null ? pointer : withElements(allocator, object, numElements, pointer, numBytes);
}

/** Null for more elements than bytes can be counted for, INVALID_ARGUMENT for what is no count. */
function refuseCount(numElements: number): null {
  if (Number.isInteger(numElements) && numElements >= 0) return null;
  throw new InvalidArgumentError(`number of elements must be a non-negative integer, got ${shownValue(numElements)}`);
}

/** INTERNAL, unless a pointer that leads out of its memory is only a handle. */
function checkOpaque(allocator: Allocator, pointer: Pointer, numBytes: number): void {
  if (allocator.allocatesOpaqueHandle()) return;
  allocator.deallocateRaw(pointer, kAllocatorAlignment, numBytes);
  throw new InternalError(
    `allocator "${allocator.name}" gave ${numBytes} bytes at ${pointer.byteOffset} of a memory of ${pointer.buffer.byteLength} bytes`,
  );
}

/** Constructs the values that belong to freshly allocated bytes; gives the bytes back when there are too many. */
function withElements(allocator: Allocator, dtype: ObjectDType, count: number, bytes: Pointer, numBytes: number): ObjectPointer | null {
  const { buffer, byteOffset } = bytes;
  if (allocator.allocatesOpaqueHandle()) return { buffer, byteOffset, bytes, elements: null };
  const elements = constructElements(dtype, count);
  if (elements !== null) return { buffer, byteOffset, bytes, elements };
  allocator.deallocateRaw(bytes, kAllocatorAlignment, numBytes);
  return null;
}

/** `TypedAllocator.deallocate` for a kind of element that was looked up before, by size in bytes. */
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
 * Whether the data of a buffer can be elements of `dtype`: raw bytes for raw dtypes; for object dtypes values of just that
 * dtype, beginning with a whole one.
 */
export function holdsElementsOf(buffer: TensorBuffer, dtype: DType): boolean {
  const { elements, elementOffset } = buffer;
  if (!isObjectDType(dtype)) return elements === null;
  if (elements === null || !Number.isInteger(elementOffset)) return false;
  return objectLifecycleOf(elements) === (dtype === "string" ? null : elementLifecycle(dtype));
}

/* Overloaded by dtype: the pointers of object dtypes come with their values. */
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
  deallocateElements(allocator, kind, pointer, numElements * kind.size);
}

/**
 * TensorFlow's TypedAllocator: `allocate(allocator, dtype, n, attributes?)` and `deallocate(allocator, dtype, pointer, n)`.
 *
 * `allocate` answers null when n times the element size is no exact number of bytes (TF: exceeds SIZE_MAX) or
 * the allocator has no room; it throws INVALID_ARGUMENT for an n that is no count, INTERNAL for an allocator whose
 * pointer leads out of its memory. `deallocate` ends the elements and gives the bytes back; null is ignored.
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
