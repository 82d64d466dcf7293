/**
 * Pointer: a memory and a byte offset in it, in place of C++'s `void*`.
 *
 * JavaScript has no process-wide addresses. A memory is an ArrayBuffer or SharedArrayBuffer, possibly the buffer of a WebAssembly.Memory.
 * Two pointers are equal if both parts are equal. The identity of the Pointer object does not count: an allocator must accept a copy of a
 * pointer that it returned.
 */

/**
 * A position in memory, as allocators return it. C++'s null pointer is `null`.
 *
 * @example
 * const pointer: Pointer = { buffer: new ArrayBuffer(256), byteOffset: 64 };
 * pointer.byteOffset % kAllocatorAlignment; // => 0
 */
export interface Pointer {
  /** The memory pointed into. */
  readonly buffer: ArrayBufferLike;
  /** The offset of the first byte, from the start of `buffer`. */
  readonly byteOffset: number;
}
