/**
 * buffer-memory: checks on memory that somebody else can take away (no counterpart: C++ memory does not vanish).
 *
 * An ArrayBuffer can be detached (transferred to a worker, grown as a WebAssembly.Memory) and a resizable one can
 * shrink. Engines then answer 0 or undefined without an error; a buffer must not.
 */

/**
 * Whether `memory` no longer reaches to byte `end`: it was detached or shrunk.
 *
 * `detached` itself is not asked for, because Node 20 has no such property; a detached buffer is 0 bytes long, and an
 * empty one shows its state when an array is made over it.
 */
export function isMemoryGone(memory: ArrayBufferLike, end: number): boolean {
  if (memory.byteLength !== 0) return memory.byteLength < end;
  if (end !== 0) return true;
  try {
    new Uint8Array(memory);
    return false;
  } catch {
    return true;
  }
}

/** Whether other threads may see and change `memory`. Browsers' platform calls refuse views of such. */
export function isSharedMemory(memory: ArrayBufferLike): boolean {
  return Object.prototype.toString.call(memory) === "[object SharedArrayBuffer]";
}
