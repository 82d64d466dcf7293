/**
 * later-kernels: the kernels, which a page loads after it has begun. Bundlers get this file in the place of loaded-kernels.ts.
 *
 *     the page's own file     maps, expressions, the plain evaluator            computes until the kernels are there
 *     a file of its own       plans, the writer of kernels, their functions     loaded meanwhile, about half of the package
 *
 * A bundler makes the second file because the import below is dynamic. One that makes a single file puts everything into it, and the
 * kernels are there in the next task.
 */
import { UnavailableError } from "@onebuffer/base";
import type { Kernels } from "@onebuffer/compiler/kernels";

let loaded: Kernels | null = null;
let loading: Promise<void> | null = null;

/** Returns the kernels; null if they are still to be loaded. */
export function loadedKernels(): Kernels | null {
  return loaded;
}

async function load(): Promise<void> {
  try {
    ({ kernels: loaded } = await import("@onebuffer/compiler/kernels"));
  } catch (cause) {
    // The next call asks again.
    loading = null;
    throw new UnavailableError(`ready: the file with the kernels cannot be loaded (${String(cause)})`, { cause });
  }
}

/** Resolves when the kernels are there. The promise is rejected with UNAVAILABLE if they cannot be loaded; a further call asks for them again. */
export function loadKernels(): Promise<void> {
  loading ??= load();
  return loading;
}

/** Begins to load the kernels. If they cannot be loaded, the plain evaluator goes on computing, and `ready` says why. */
export function prefetchKernels(): void {
  loadKernels().catch(() => undefined);
}
