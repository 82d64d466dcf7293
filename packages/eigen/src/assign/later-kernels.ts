/**
 * later-kernels: the kernels, which a page loads after it has begun. Bundlers get this file in the place of loaded-kernels.ts.
 *
 *     the page's own file     maps, expressions, the plain evaluator            computes until the kernels are there
 *     a file of its own       plans, the writer of kernels, their functions     loaded meanwhile, about half of the package
 *
 * A bundler makes the second file because the import below is dynamic. One that makes a single file puts everything into it, and the
 * kernels are there in the next task.
 */
import type { Kernels } from "@onebuffer/compiler/kernels";
import { laterPart, prefetched } from "./later-part.ts";

const part = laterPart<Kernels>(async () => (await import("@onebuffer/compiler/kernels")).kernels);

/** Returns the kernels; null if they are still to be loaded. */
export function loadedKernels(): Kernels | null {
  return part.kernels;
}

/** Begins to load the kernels. */
export function prefetchKernels(): void {
  prefetched(part);
}
