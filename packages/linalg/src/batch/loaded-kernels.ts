/**
 * loaded-kernels: the kernels of linear algebra, which are there from the start. Node, and pages without a bundler, have this file. Bundlers get
 * later-kernels.ts in its place, under this name (tools/pack/modules.mjs).
 */
import type { KernelPart } from "@onebuffer/eigen/internal";
import { linalgKernels } from "./linalg-kernels.ts";
import type { LinalgKernels } from "./linalg-kernels.ts";

/** The kernels. */
export const linalgPart: KernelPart<LinalgKernels> = { kernels: linalgKernels };
