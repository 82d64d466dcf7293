/**
 * GpuContent: what an array is on the GPU: a buffer, and what is not known of it yet.
 */
import { InternalError } from "@onebuffer/base";
import type { BackendArray } from "@onebuffer/eigen/internal";
import type { PooledBuffer } from "../gpu/buffer-pool.ts";
import type { GpuBuffer } from "../gpu/gpu-types.ts";

/** The content of an array. */
export interface GpuContent {
  readonly buffer: GpuBuffer;
  /** The buffer as one of the pool; null for a buffer of the program, which is written in place and never freed. */
  readonly pooled: PooledBuffer | null;
  /**
   * Rejected if there turns out to be no memory for the buffer, or if the run that computes it finds elements that are errors; null if nothing
   * is open any more.
   */
  pending: Promise<void> | null;
  /** Fulfilled when no run looks for an error among the elements any more; null if none has. */
  checks: Promise<void> | null;
}

/** An array of the GPU. */
export type GpuArray = BackendArray<GpuContent>;

/** Returns the content of an array. Throws INTERNAL for an array that neither a transfer nor a run was asked to make. */
export function contentOf({ content }: GpuArray): GpuContent {
  if (content === null) throw new InternalError("WebGPU: an array without a buffer");
  return content;
}

/** Returns a content whose `pending` is forgotten once it is fulfilled. */
export function madeContent(buffer: GpuBuffer, pooled: PooledBuffer | null, pending: Promise<void> | null): GpuContent {
  const content: GpuContent = { buffer, pooled, pending, checks: null };
  pending?.then(
    () => {
      content.pending = null;
    },
    () => {},
  );
  return content;
}
