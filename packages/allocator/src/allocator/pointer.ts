/**
 * Pointer: what `void*` is here, a piece of memory and a byte offset in it.
 *
 * JavaScript has no address that reaches everywhere: a place is an ArrayBuffer (or SharedArrayBuffer, or the buffer of
 * a WebAssembly.Memory) together with an offset. Two pointers are equal when both parts are; the object that carries
 * them has no identity of its own, so any allocator must accept a copy of a pointer it gave out.
 */

/**
 * A place in memory, as allocators hand it out; C++'s null pointer is `null`.
 *
 * @example
 * const pointer: Pointer = { buffer: new ArrayBuffer(256), byteOffset: 64 };
 * pointer.byteOffset % kAllocatorAlignment; // => 0
 */
export interface Pointer {
  /** The memory pointed into. */
  readonly buffer: ArrayBufferLike;
  /** The first byte pointed at, counted from the start of `buffer`. */
  readonly byteOffset: number;
}
