/**
 * later-part: kernels that a page loads after it has begun: those of the package itself, and those of packages above this one, as of linear
 * algebra. `ready` waits for all of them.
 */
import { UnavailableError } from "@onebuffer/base";
import type { CustomKernel } from "@onebuffer/expression/internal";

/** Kernels, as an object of type `K`, which is null until they are loaded. */
export interface KernelPart<K> {
  readonly kernels: K | null;
}

/** Kernels that are to be loaded. */
export interface LaterPart<K> extends KernelPart<K> {
  kernels: K | null;
  /** Resolves when the kernels are there. The promise is rejected with UNAVAILABLE if they cannot be loaded; a further call asks for them again. */
  load(): Promise<void>;
}

const parts: LaterPart<unknown>[] = [];

/** Returns kernels that `fetch` gets, by an `import()`. */
export function laterPart<K>(fetch: () => Promise<K>): LaterPart<K> {
  let loading: Promise<void> | null = null;
  const part: LaterPart<K> = {
    kernels: null,
    load: () =>
      (loading ??= fetch().then(
        (kernels) => {
          part.kernels = kernels;
        },
        (cause: unknown) => {
          // The next call asks again.
          loading = null;
          throw new UnavailableError(`ready: the file with the kernels cannot be loaded (${String(cause)})`, { cause });
        },
      )),
  };
  parts.push(part);
  return part;
}

/** Begins to load kernels. If they cannot be loaded, the plain evaluator goes on computing, and `ready` says why. */
export function prefetched<K>(part: LaterPart<K>): LaterPart<K> {
  part.load().catch(() => undefined);
  return part;
}

/** Resolves when all parts are there. */
export async function loadParts(): Promise<void> {
  await Promise.all(parts.map((part) => part.load()));
}

/** Returns the kernel of an operation that `make` makes of a part's kernels. As long as they are still to be loaded, the evaluator computes. */
export function kernelOfPart<K>(part: KernelPart<K>, make: (kernels: K) => CustomKernel | null): CustomKernel | null {
  if (part.kernels !== null) return make(part.kernels);
  let kernel: CustomKernel | null | undefined;
  return (target, operands) => {
    if (kernel === undefined && part.kernels !== null) kernel = make(part.kernels);
    return kernel?.(target, operands) ?? false;
  };
}
