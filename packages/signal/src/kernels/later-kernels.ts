/**
 * later-kernels: the kernels of transforms and filters, which a page loads with those of the package itself (eigen's later-kernels.ts).
 * Bundlers get this file in the place of loaded-kernels.ts. Until they are there the evaluator computes, by the references.
 */
import { laterPart, prefetched } from "@onebuffer/eigen/internal";
import type { KernelPart } from "@onebuffer/eigen/internal";
import type { SignalKernels } from "./signal-kernels.ts";

/** The kernels. */
export const signalPart: KernelPart<SignalKernels> = prefetched(laterPart(async () => (await import("./signal-kernels.ts")).signalKernels));
