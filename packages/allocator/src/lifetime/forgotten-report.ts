/**
 * The lifetime net's part of the error message for a full arena (no counterpart in TensorFlow).
 */
import { watchedBuffers, watchedBytes } from "./lifetime-net.ts";
import { canSweep } from "./sweep.ts";

/**
 * Returns text with the number of bytes that are not released, and says if some of them may belong to dropped tensors. Where sweeps
 * are possible, a sweep has just run, so none do. Elsewhere this is unknown until the garbage collector runs. Returns "" if no buffer
 * is watched.
 */
export function forgottenReport(): string {
  const buffers = watchedBuffers();
  if (buffers === 0) return "";
  const bytes = `${watchedBytes()} bytes in ${buffers} buffers are not released`;
  return canSweep()
    ? `${bytes}; the garbage collector found no dropped tensors among them, so all are still referenced`
    : `${bytes}; some of them may belong to dropped tensors: dispose tensors, or await reclaim() and try again`;
}
