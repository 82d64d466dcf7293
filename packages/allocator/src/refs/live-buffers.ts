/**
 * live-buffers: how many buffers that hold memory are alive (no counterpart in TensorFlow; a test's first question).
 *
 * Counted are root buffers: Buffer, HostScalarTensorBuffer, ForeignBuffer and whatever else ends a chain. A SubBuffer is
 * not counted, for it has no memory of its own and keeps its root, which is counted, alive. TensorReferences
 * and Tensors are holders, not buffers.
 */

let live = 0;

/**
 * The number of root buffers whose last reference has not been given back.
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

/** Counts a root buffer in (+1) or out (-1). Called by TensorBuffer only. */
export function countLiveBuffer(change: 1 | -1): void {
  live += change;
}
