/**
 * buffer-memory: checks on memory that somebody else can take away (no counterpart: C++ memory does not vanish).
 *
 * An ArrayBuffer can be detached (transferred to a worker, grown as a WebAssembly.Memory) and a resizable one can
 * shrink. Engines then answer 0 or undefined without an error; a buffer must not.
 */

let steady: ArrayBufferLike | null = null;
let steadyLength = 0;

/**
 * Says that nobody can take `memory` away, nor make it longer: the linear memory of the process. Asking a shared memory for its
 * length costs 11 ns, a tenth of making a buffer.
 */
export function noteSteadyMemory(memory: ArrayBufferLike): void {
  steady = memory;
  steadyLength = memory.byteLength;
}

/** The length of `memory` in bytes. */
export function byteLengthOf(memory: ArrayBufferLike): number {
  return memory === steady ? steadyLength : memory.byteLength;
}

/**
 * Whether `memory` no longer reaches to byte `end`: it was detached or shrunk.
 *
 * `detached` itself is not asked for, because Node 20 has no such property; a detached buffer is 0 bytes long, and an
 * empty one shows its state when an array is made over it.
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

/** Whether other threads may see and change `memory`. Browsers' platform calls refuse views of such. */
export function isSharedMemory(memory: ArrayBufferLike): boolean {
  return Object.prototype.toString.call(memory) === "[object SharedArrayBuffer]";
}
