/**
 * The number of live buffers that own memory, for tests that look for leaks (no counterpart in TensorFlow).
 *
 * Only root buffers are counted: Buffer, HostScalarTensorBuffer, ForeignBuffer and every other buffer that is not a SubBuffer. A SubBuffer
 * owns no memory; it keeps its root buffer alive, and the root is counted. Tensors and TensorReferences are handles, not buffers.
 */

let live = 0;

/**
 * Returns the number of root buffers that are not destroyed yet.
 *
 * @example
 * const before = liveBuffers();
 * const buffer = new Buffer("float32", cpuAllocator(), 4);
 * liveBuffers() - before; // => 1
 * buffer.unref();
 * liveBuffers() - before; // => 0
 */
export function liveBuffers(): number {
  return live;
}

/** Counts the creation (+1) or the destruction (-1) of a root buffer. Called by TensorBuffer only. */
export function countLiveBuffer(change: 1 | -1): void {
  live += change;
}
