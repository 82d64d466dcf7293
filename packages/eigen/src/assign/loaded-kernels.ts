/**
 * loaded-kernels: the kernels, which are there from the start. Node, and pages without a bundler, have this file. Bundlers get
 * later-kernels.ts in its place, under this name (tools/pack/modules.mjs).
 */
import { kernels } from "@onebuffer/compiler/kernels";
import type { Kernels } from "@onebuffer/compiler/kernels";

/** Returns the kernels; null if they are still to be loaded, which they never are here. */
export function loadedKernels(): Kernels | null {
  return kernels;
}

/** Begins to load the kernels. */
export function prefetchKernels(): void {}
