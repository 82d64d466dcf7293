/**
 * Functions that detect memory which was detached or shrunk (no counterpart: C++ memory cannot be detached).
 *
 * An ArrayBuffer is detached when it is transferred to a worker or grown as a WebAssembly.Memory, and a resizable one can shrink.
 * Reads through a typed array over it then give 0 or undefined without an error. A buffer must throw instead, so it calls these checks.
 */

let steadyMemory: ArrayBufferLike | null = null;
let steadyLength = 0;

/**
 * Declares that `memory` is never detached and never changes its length: the linear memory of the process. Its length is then
 * remembered, because reading `byteLength` of a shared memory costs 11 ns, a tenth of creating a buffer.
 */
export function noteSteadyMemory(memory: ArrayBufferLike): void {
  steadyMemory = memory;
  steadyLength = memory.byteLength;
}

/** Returns the length of `memory` in bytes; NaN if an allocator of the program gave no buffer. */
export function byteLengthOf(memory: ArrayBufferLike | undefined): number {
  return memory === steadyMemory ? steadyLength : (memory?.byteLength ?? NaN);
}

/**
 * Returns true if `memory` no longer contains the bytes up to `end`, because it was detached or shrunk.
 *
 * The property `detached` is not used, because Node 20 does not have it. A detached buffer has length 0. If `end` is 0 too, the
 * Uint8Array constructor tells the difference: it throws for a detached buffer.
 */
export function isMemoryGone(memory: ArrayBufferLike, end: number): boolean {
  const length = byteLengthOf(memory);
  if (length !== 0) return length < end;
  if (end !== 0) return true;
  try {
    new Uint8Array(memory);
    return false;
  } catch {
    return true;
  }
}

/** Returns true if `memory` is a SharedArrayBuffer. Many functions of browsers refuse views of shared memory. */
export function isSharedMemory(memory: ArrayBufferLike): boolean {
  return Object.prototype.toString.call(memory) === "[object SharedArrayBuffer]";
}
