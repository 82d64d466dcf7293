/**
 * loaded-kernels: the kernels of transforms and filters, which are there from the start. Node, and pages without a bundler, have this file.
 * Bundlers get later-kernels.ts in its place, under this name (tools/pack/modules.mjs).
 */
import type { KernelPart } from "@onebuffer/eigen/internal";
import { signalKernels } from "./signal-kernels.ts";
import type { SignalKernels } from "./signal-kernels.ts";

/** The kernels. */
export const signalPart: KernelPart<SignalKernels> = { kernels: signalKernels };
