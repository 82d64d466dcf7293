/**
 * forgotten-report: what the lifetime net has to say when an arena is full (no counterpart in TensorFlow).
 */
import { watchedBuffers, watchedBytes } from "./lifetime-net.ts";
import { canSweep } from "./sweep.ts";

/**
 * How many bytes are not given back, and whether they may be forgotten ones: after a sweep they are not, elsewhere nobody can know
 * before the collector has run. "" when there are none.
 */
export function forgottenReport(): string {
  const buffers = watchedBuffers();
  if (buffers === 0) return "";
  const bytes = `${watchedBytes()} bytes in ${buffers} buffers are not given back`;
  return canSweep()
    ? `${bytes}; the collector found none of them forgotten, so something still refers to each`
    : `${bytes}; up to so many may be tensors that were forgotten: dispose them, or await reclaim() and try again`;
}
